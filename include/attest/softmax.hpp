// SPDX-License-Identifier: BSL-1.0
// softmax.hpp — a row of scores becomes a row of weights that sum to 1.
// w_k = exp(s_k − max s) / Σ_j exp(s_j − max s); the maximum is subtracted so that nothing overflows.
// Source: Bridle, "Probabilistic interpretation of feedforward classification network outputs" (1990);
// the subtraction as in Blanchard, Higham, Higham, "Accurately computing the log-sum-exp and softmax
// functions", IMA J. Numer. Anal. 41 (2021), section 3. Stands on: math/exp_lanes, rows, scalar.
#pragma once

#include <attest/config.hpp>
#include <attest/lanes.hpp>
#include <attest/math/exp_lanes.hpp>
#include <attest/rows.hpp>
#include <attest/scalar/scalar.hpp>
#include <attest/tensor.hpp>

#include <cstddef>

namespace attest {

namespace detail {

/// One group of rows. weights may be the same memory as scores; beyond rows.any nothing is written.
template <class Layout, class Scalar, std::size_t Width>
constexpr void softmax_of_rows(rows_together<Scalar, Width> const& rows, Scalar const* scores,
                               Scalar* weights) {
  constexpr std::size_t step = Layout::entry_step;
  auto const [first, last] = rows.any;
  entries_of<Width, step, Scalar const> const score{scores};
  lanes<Scalar, Width> largest = rows.first_entries(scores, step);
  rows.without_first_entries().fold(first + 1, last, largest, [&](std::size_t k, std::size_t end) {
    for (; k < end; ++k) {
      largest = larger(largest, score[k]);
    }
  });
  // Also where a row has not the entry: neither the sum nor the quotient takes it from there.
  lanes<Scalar, Width> total{};
  entries_of<Width, step, Scalar const> const power{weights};
  for (std::size_t begin = first; begin < last; begin += exp_together / Width) {
    std::size_t const behind =
        last - begin < exp_together / Width ? last : begin + exp_together / Width;
    exp_of_differences<Width, step>(scores + begin * step, largest, weights + begin * step,
                                    behind - begin);
    rows.fold(begin, behind, total, [&](std::size_t k, std::size_t end) {
      for (; k < end; ++k) {
        total = total + power[k];
      }
    });
  }
  rows.set(first, last, weights + first * step, step, [&](std::size_t k, std::size_t end) {
    entries_of<Width, step, Scalar> const weight{weights};
    for (; k < end; ++k) {
      weight[k] = power[k] / total;
    }
  });
}

/// One group of rows; d_scores may be the same memory as d_weights.
template <class Layout, class Scalar, std::size_t Width>
constexpr void softmax_backward_of_rows(rows_together<Scalar, Width> const& rows,
                                        Scalar const* weights, Scalar const* d_weights,
                                        Scalar* d_scores) {
  constexpr std::size_t step = Layout::entry_step;
  auto const [first, last] = rows.any;
  entries_of<Width, step, Scalar const> const weight{weights};
  entries_of<Width, step, Scalar const> const d_weight{d_weights};
  entries_of<Width, step, Scalar> const d_score{d_scores};
  lanes<Scalar, Width> mean{};
  rows.fold(first, last, mean, [&](std::size_t k, std::size_t end) {
    ATTEST_NO_CONTRACTION
    for (; k < end; ++k) {
      mean = mean + ATTEST_ROUNDED(weight[k] * d_weight[k]);
    }
  });
  rows.set(first, last, d_scores + first * step, step, [&](std::size_t k, std::size_t end) {
    for (; k < end; ++k) {
      d_score[k] = weight[k] * (d_weight[k] - mean);
    }
  });
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
  using layout = detail::rows_along<tensor<Scalar, Rows, Columns>, Over>;
  fill(weights, Scalar{});
  detail::for_each_rows<1, layout, Scalar>(pairs, [&](auto const& rows) {
    std::size_t const begin = rows.row * layout::row_step;
    detail::softmax_of_rows<layout>(rows, scores.data() + begin, weights.data() + begin);
  });
}

/// The gradient of softmax, from its result: ds_k = w_k·(dw_k − Σ_j w_j·dw_j), row by row.
/// Shapes: weights, d_weights (rows, Over) -> d_scores (rows, Over). Otherwise as softmax.
template <template <std::size_t> class Over, scalar Scalar, class Rows, class Columns,
          class Pairs = every_pair>
  requires is_named<Columns, Over>
constexpr void softmax_backward(tensor<Scalar, Rows, Columns> const& weights,
                                tensor<Scalar, Rows, Columns> const& d_weights,
                                tensor<Scalar, Rows, Columns>& d_scores, Pairs const& pairs = {}) {
  using layout = detail::rows_along<tensor<Scalar, Rows, Columns>, Over>;
  fill(d_scores, Scalar{});
  detail::for_each_rows<1, layout, Scalar>(pairs, [&](auto const& rows) {
    std::size_t const begin = rows.row * layout::row_step;
    detail::softmax_backward_of_rows<layout>(rows, weights.data() + begin, d_weights.data() + begin,
                                             d_scores.data() + begin);
  });
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
