// SPDX-License-Identifier: BSL-1.0
// proof_row_sums_by_rows.cpp — row sums and the hull of v for every finite input of longer sequences, an
// assertion a row.
#include "broken_layers.hpp"
#include "certified.hpp"

#include <attest/proof/by_rows.hpp>
#include <attest/proof/row_sums.hpp>

#include <cstddef>
#include <utility>

namespace attest {
namespace {

using proof::row_sum_finding;

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
  static constexpr row_sum_finding sums = proof::rows_sum_to_one(trace.weights, asked);
  static constexpr row_sum_finding hull =
      proof::mixed_is_in_the_hull_of_v(trace.weights, any::v, trace.mixed, asked);
  // As many roundings as keys, and twice as many.
  static_assert(!sums.found.holds || sums.roundings == Row + 1);
  static_assert(!hull.found.holds || hull.roundings == 2 * (Row + 1));
};

template <std::size_t T, std::size_t H>
constexpr finding each_row = []<std::size_t... Row>(std::index_sequence<Row...>) {
  return first_broken(
      guarantee::rows_sum_to_one_for_every_finite_input<
          row_of_sequence<T, H, Row>::sums.found>()...,
      guarantee::mixed_is_in_the_hull_of_v<row_of_sequence<T, H, Row>::hull.found>()...);
}(std::make_index_sequence<T>{});

constexpr certificate_row row{
    .guarantee = "each row of weights sums to 1; mixed is Σ λ·v",
    .layer = "causal, a row at a time, T = 32, d_head 32, and T = 64, d_head 64",
    .inputs = "every q, k and v whose scores are finite, |v| below half the largest number",
    .bound = "T and 2·T roundings, as at T = 6",
    .check = "proof_row_sums_by_rows",
    .measured = {row_of_sequence<64, 64, 63>::hull.bound(), "bound at T = 64"}};
certified const entry{row.certified_by({each_row<32, 32>, each_row<64, 64>})};

// Refused: a row without a key, which causal gives each; a value that is left out. What is asked is that
// a sum is complete, which is as true of one key fewer: of which keys, causality speaks.
template <std::size_t Row>
using behind = row_of_sequence<8, 4, Row, proof::layer_by_rows<broken::looks_one_token_behind>>;
static_assert(behind<0>::sums.found == broken_at(part::weights, 0, 0));
static_assert(behind<0>::hull.found == broken_at(part::mixed, 0, 0));

struct leaves_out_the_first_value : proof::layer_by_rows<> {
  constexpr auto attend(auto const& q, auto const& k, auto const& v, std::size_t query) const {
    auto trace = proof::layer_by_rows<>::attend(q, k, v, query);
    matmul(trace.weights, v, trace.mixed,
           [=](std::size_t, std::size_t) { return key_range{1, query + 1}; });
    return trace;
  }
};
template <std::size_t Row>
using incomplete = row_of_sequence<8, 4, Row, leaves_out_the_first_value>;
static_assert(incomplete<5>::sums.found.holds);
static_assert(incomplete<5>::hull.found == broken_at(part::mixed, 0, 0));

}  // namespace
}  // namespace attest
