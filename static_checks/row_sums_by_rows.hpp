// SPDX-License-Identifier: BSL-1.0
// row_sums_by_rows.hpp — row sums and the hull of v a row at a time, for any finite q, k and v.
#pragma once

#include <attest/proof/by_rows.hpp>
#include <attest/proof/row_sums.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace attest::row_sums_by_rows {

/// Any finite q, k and v: what the projections made them of no longer matters.
template <std::size_t T, std::size_t H>
struct any_row {
  static constexpr auto q =
      proof::any_numbers<tensor<share, queries<1>, d_head<H>>>(std::uint64_t{1} << 32);
  static constexpr auto k =
      proof::any_numbers<tensor<share, keys<T>, d_head<H>>>(std::uint64_t{2} << 32);
  static constexpr auto v =
      proof::any_numbers<tensor<share, keys<T>, d_head<H>>>(std::uint64_t{3} << 32);
};

/// Row `Row` as Rows computes it, held to what causal asks of it.
template <std::size_t T, std::size_t H, std::size_t Row, class Rows = proof::layer_by_rows<>>
struct row_of_sequence {
  using any = any_row<T, H>;
  static constexpr auto trace = Rows{}.attend(any::q, any::k, any::v, Row);
  static constexpr proof::mask_of_row<mask::causal_t> asked{mask::causal, Row};
  static constexpr proof::row_sum_finding sums = proof::rows_sum_to_one(trace.weights, asked);
  static constexpr proof::row_sum_finding hull =
      proof::mixed_is_in_the_hull_of_v(trace.weights, any::v, trace.mixed, asked);
  // As many roundings as keys, and twice as many.
  static_assert(!sums.found.holds || sums.roundings == Row + 1);
  static_assert(!hull.found.holds || hull.roundings == 2 * (Row + 1));
};

template <std::size_t T, std::size_t H, std::size_t... Row>
constexpr finding each_of = first_broken(
    guarantee::rows_sum_to_one_for_every_finite_input<row_of_sequence<T, H, Row>::sums.found>()...,
    guarantee::mixed_is_in_the_hull_of_v<row_of_sequence<T, H, Row>::hull.found>()...);
/// Rows First, …, First + Count − 1; all of them unless told.
template <std::size_t T, std::size_t H, std::size_t First = 0, std::size_t Count = T>
constexpr finding each_row = []<std::size_t... Row>(std::index_sequence<Row...>) {
  return each_of<T, H, First + Row...>;
}(std::make_index_sequence<Count>{});

}  // namespace attest::row_sums_by_rows
