// SPDX-License-Identifier: BSL-1.0
// layer_input.hpp — x and weights of T = d_model = d_head = Size.
#pragma once

#include <attest/attest.hpp>
#include <attest/math/splitmix64.hpp>

#include <cstddef>
#include <cstdint>

namespace attest::benchmarks {

template <std::size_t Size>
struct layer_input {
  attention_params<double, d_model<Size>, d_head<Size>> params;
  tensor<double, tokens<Size>, d_model<Size>> x;

  constexpr layer_input() {
    std::uint64_t state = 1;
    auto const set = [&](auto& tensor) {
      double* const elements = tensor.data();
      for (std::size_t i = 0; i < tensor.size; ++i) {
        elements[i] = static_cast<double>(detail::splitmix64(state) >> 11) * 0x1p-53 - 0.5;
      }
    };
    set(params.Wq);
    set(params.Wk);
    set(params.Wv);
    set(params.Wo);
    set(x);
  }
};

}  // namespace attest::benchmarks
