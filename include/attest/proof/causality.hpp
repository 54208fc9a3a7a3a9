// SPDX-License-Identifier: BSL-1.0
// causality.hpp — a changed token changes the outputs from its position on, and none before.
// Stands on: proof/finding, proof/layer.
#pragma once

#include <attest/proof/finding.hpp>
#include <attest/tensor.hpp>

#include <array>
#include <cstddef>

namespace attest::proof {

/// For each row, whether it differs in any bit.
template <class Scalar, std::size_t T, std::size_t D>
constexpr std::array<bool, T> changed_rows(tensor<Scalar, tokens<T>, d_model<D>> const& before,
                                           tensor<Scalar, tokens<T>, d_model<D>> const& after) {
  std::array<bool, T> changed{};
  for (std::size_t position = 0; position < T; ++position) {
    for (std::size_t channel = 0; channel < D; ++channel) {
      changed[position] |= !same_bits(before(position, channel), after(position, channel));
    }
  }
  return changed;
}

/// x with another row at `position`.
template <class Scalar, std::size_t T, std::size_t D>
constexpr tensor<Scalar, tokens<T>, d_model<D>> with_row(
    tensor<Scalar, tokens<T>, d_model<D>> x, std::size_t position,
    tensor<Scalar, d_model<D>> const& replacement) {
  for (std::size_t channel = 0; channel < D; ++channel) {
    x(position, channel) = replacement(channel);
  }
  return x;
}

/// Puts `replacement` at `position`: the rows of out that change are exactly position, …, T − 1.
/// The finding's row is the first that changed and must not, or that must and did not.
template <class Layer, class Params, class Scalar, std::size_t T, std::size_t D>
constexpr finding changes_reach_only_later_rows(Layer const& layer, Params const& params,
                                                tensor<Scalar, tokens<T>, d_model<D>> const& x,
                                                tensor<Scalar, tokens<T>, d_model<D>> const& out,
                                                std::size_t position,
                                                tensor<Scalar, d_model<D>> const& replacement) {
  auto const changed =
      changed_rows(out, layer.forward(params, with_row(x, position, replacement)).out);
  for (std::size_t row = 0; row < T; ++row) {
    if (changed[row] != (row >= position)) {
      return broken_at(part::out, row, 0);
    }
  }
  return {};
}

}  // namespace attest::proof

namespace attest::guarantee {

template <finding Found>
consteval finding changes_reach_only_later_rows() {
  static_assert(Found.holds, "a changed token changed an earlier output, or left a later one");
  return Found;
}

}  // namespace attest::guarantee
