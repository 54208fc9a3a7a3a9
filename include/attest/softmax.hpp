// SPDX-License-Identifier: BSL-1.0
// softmax.hpp — a row of scores becomes a row of weights that sum to 1.
// w_k = exp(s_k − max s) / Σ_j exp(s_j − max s); the maximum is subtracted so that nothing overflows.
// Source: Bridle, "Probabilistic interpretation of feedforward classification network outputs" (1990);
// the subtraction as in Blanchard, Higham, Higham, "Accurately computing the log-sum-exp and softmax
// functions", IMA J. Numer. Anal. 41 (2021), section 3. Stands on: mask, math/exp_lanes, scalar.
#pragma once

#include <attest/config.hpp>
#include <attest/mask.hpp>
#include <attest/math/exp_lanes.hpp>
#include <attest/scalar/scalar.hpp>
#include <attest/tensor.hpp>

#include <cstddef>

namespace attest {

namespace detail {

/// What a loop over Axis covers while the loop outside it, over Outer, stands at `outer`.
template <class Outer, class Axis, class Pairs>
constexpr key_range bounds(Pairs const& pairs, std::size_t outer) {
  if constexpr (is_named<Outer, queries> && is_named<Axis, keys>) {
    return pairs(outer, Axis::size);
  } else {
    return {0, Axis::size};
  }
}

}  // namespace detail

/// Shapes: scores (rows, Over) -> weights (rows, Over).
/// Bits:   maximum and sum run in ascending order; one rounding for each difference, exp, sum and
///         quotient.
/// Pairs:  entries that `pairs` leaves out are not read, and their weight is exactly +0.
/// Empty:  a row without an allowed entry becomes zeros.
/// Refuses: rows that run along another axis (does not compile).
template <template <std::size_t> class Over, scalar Scalar, class Rows, class Columns,
          class Pairs = every_pair>
  requires is_named<Columns, Over>
constexpr void softmax(tensor<Scalar, Rows, Columns> const& scores,
                       tensor<Scalar, Rows, Columns>& weights, Pairs const& pairs = {}) {
  fill(weights, Scalar{});
  for (std::size_t row = 0; row < Rows::size; ++row) {
    Scalar const* const score = scores.data() + row * Columns::size;
    Scalar* const weight = weights.data() + row * Columns::size;
    auto const [first, last] = detail::bounds<Rows, Columns>(pairs, row);
    if (first >= last) {
      continue;
    }
    Scalar largest = score[first];
    for (std::size_t k = first + 1; k < last; ++k) {
      largest = larger(largest, score[k]);
    }
    for (std::size_t k = first; k < last; ++k) {
      weight[k] = score[k] - largest;
    }
    detail::exp_each(weight + first, last - first);
    Scalar total{};
    for (std::size_t k = first; k < last; ++k) {
      total = total + weight[k];
    }
    for (std::size_t k = first; k < last; ++k) {
      weight[k] = weight[k] / total;
    }
  }
}

/// The gradient of softmax, from its result: ds_k = w_k·(dw_k − Σ_j w_j·dw_j), row by row.
/// Shapes: weights, d_weights (rows, Over) -> d_scores (rows, Over). Otherwise as softmax.
template <template <std::size_t> class Over, scalar Scalar, class Rows, class Columns,
          class Pairs = every_pair>
  requires is_named<Columns, Over>
constexpr void softmax_backward(tensor<Scalar, Rows, Columns> const& weights,
                                tensor<Scalar, Rows, Columns> const& d_weights,
                                tensor<Scalar, Rows, Columns>& d_scores, Pairs const& pairs = {}) {
  ATTEST_NO_CONTRACTION
  fill(d_scores, Scalar{});
  for (std::size_t row = 0; row < Rows::size; ++row) {
    Scalar const* const weight = weights.data() + row * Columns::size;
    Scalar const* const d_weight = d_weights.data() + row * Columns::size;
    Scalar* const d_score = d_scores.data() + row * Columns::size;
    auto const [first, last] = detail::bounds<Rows, Columns>(pairs, row);
    Scalar mean{};
    for (std::size_t k = first; k < last; ++k) {
      mean = mean + ATTEST_ROUNDED(weight[k] * d_weight[k]);
    }
    for (std::size_t k = first; k < last; ++k) {
      d_score[k] = weight[k] * (d_weight[k] - mean);
    }
  }
}

template <template <std::size_t> class Over, class Scalar, class Rows, class Columns, class... More>
  requires(!is_named<Columns, Over>)
constexpr auto softmax(tensor<Scalar, Rows, Columns> const&, More&&...)
    -> mismatch<expected<Over<Columns::size>>, got<Columns>> = delete;
template <template <std::size_t> class Over, class Scalar, class Rows, class Columns, class... More>
  requires(!is_named<Columns, Over>)
constexpr auto softmax_backward(tensor<Scalar, Rows, Columns> const&, More&&...)
    -> mismatch<expected<Over<Columns::size>>, got<Columns>> = delete;

}  // namespace attest
