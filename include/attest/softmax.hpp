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
  lanes<Scalar, Width> const nothing{};
  lanes<Scalar, Width> largest = rows.first_entries(scores, step);
  rows.without_first_entries().for_each_entry(first + 1, last, [&](std::size_t k, auto where) {
    largest = where(rows.larger_of(largest, load_lanes<Width>(scores + k * step)), largest);
  });
  // exp takes neighbours; where entries of a row are none, some are brought together first.
  constexpr bool are_together = step == Width;
  constexpr std::size_t together = are_together || Width > 1 ? exp_together / Width : 1;
  Scalar aside[are_together ? 1 : together * Width] = {};
  lanes<Scalar, Width> total{};
  for (std::size_t begin = first; begin < last; begin += together) {
    std::size_t const end = last - begin < together ? last : begin + together;
    Scalar* const powers = are_together ? weights + begin * step : aside;
    rows.for_each_entry(begin, end, [&](std::size_t k, auto where) {
      auto const difference = load_lanes<Width>(scores + k * step) - largest;
      store_lanes<Width>(where(difference, nothing), powers + (k - begin) * Width);
    });
    exp_each(powers, (end - begin) * Width);
    rows.for_each_entry(begin, end, [&](std::size_t k, auto where) {
      auto const power = load_lanes<Width>(powers + (k - begin) * Width);
      total = where(total + power, total);
      store_lanes<Width>(power, weights + k * step);
    });
  }
  rows.for_each_entry(first, last, [&](std::size_t k, auto where) {
    auto const weight = load_lanes<Width>(weights + k * step) / total;
    store_lanes<Width>(where(weight, nothing), weights + k * step);
  });
}

/// One group of rows; d_scores may be the same memory as d_weights.
template <class Layout, class Scalar, std::size_t Width>
constexpr void softmax_backward_of_rows(rows_together<Scalar, Width> const& rows,
                                        Scalar const* weights, Scalar const* d_weights,
                                        Scalar* d_scores) {
  constexpr std::size_t step = Layout::entry_step;
  auto const [first, last] = rows.any;
  lanes<Scalar, Width> const nothing{};
  lanes<Scalar, Width> mean{};
  rows.for_each_entry(first, last, [&](std::size_t k, auto where) {
    ATTEST_NO_CONTRACTION
    auto const term = ATTEST_ROUNDED(load_lanes<Width>(weights + k * step) *
                                     load_lanes<Width>(d_weights + k * step));
    mean = where(mean + term, mean);
  });
  rows.for_each_entry(first, last, [&](std::size_t k, auto where) {
    auto const d_score =
        load_lanes<Width>(weights + k * step) * (load_lanes<Width>(d_weights + k * step) - mean);
    store_lanes<Width>(where(d_score, nothing), d_scores + k * step);
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
