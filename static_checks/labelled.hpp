// SPDX-License-Identifier: BSL-1.0
// labelled.hpp — a tensor of inputs for `expression`, each with a label of its own.
#pragma once

#include <attest/scalar/expression.hpp>

#include <cstddef>
#include <cstdint>

namespace attest::checks {

/// Entry i is the input which · 2³² + i.
template <class Tensor>
constexpr Tensor labelled(std::uint64_t which) {
  Tensor tensor;
  for (std::size_t i = 0; i < tensor.size; ++i) {
    tensor.elements[i] = expression::input(which << 32 | i);
  }
  return tensor;
}

}  // namespace attest::checks
