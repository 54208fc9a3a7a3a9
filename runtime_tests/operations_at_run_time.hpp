// SPDX-License-Identifier: BSL-1.0
// operations_at_run_time.hpp — every scalar makes the layer do what double makes it do.
#pragma once

#include "input_of.hpp"
#include "large_stack.hpp"

#include <attest/proof/layer.hpp>
#include <attest/proof/operations.hpp>

#include <gtest/gtest.h>

#include <cstddef>

namespace attest {

using scalars = testing::Types<float, bfloat16, float16, dependency<64>, share, finite_field,
                               dual<finite_field>, expression, operation_count>;

// Not constexpr, so that g++ 12 does not try to evaluate it while it compiles.
template <class Scalar, std::size_t T, class Layer = attention_layer<>, std::size_t D = 4,
          std::size_t H = 2>
finding same_as_double(Layer const& layer = {}) {
  return on_a_large_stack([&] {
    return proof::performed_the_same_operations(checks::operations_of<double, T, D, H>(layer),
                                                checks::operations_of<Scalar, T, D, H>(layer));
  });
}

}  // namespace attest
