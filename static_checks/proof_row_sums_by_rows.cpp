// SPDX-License-Identifier: BSL-1.0
// proof_row_sums_by_rows.cpp — row sums and the hull of v for every finite input of longer sequences, an
// assertion a row.
#include "broken_layers.hpp"
#include "certified.hpp"
#include "row_sums_by_rows.hpp"

#include <cstddef>

namespace attest {
namespace {

using row_sums_by_rows::each_of;
using row_sums_by_rows::each_row;
using row_sums_by_rows::row_of_sequence;

constexpr certificate_row row{
    .guarantee = "each row of weights sums to 1; mixed is Σ λ·v",
    .layer =
        "causal, a row at a time, T = 32, d_head 32; rows 0, 15, 31, 47, 63 of T = 64, d_head 64",
    .inputs = "every q, k and v whose scores are finite, |v| below half the largest number",
    .bound = "T and 2·T roundings, as at T = 6",
    .check = "proof_row_sums_by_rows",
    .measured = {row_of_sequence<64, 64, 63>::hull.bound(), "bound at T = 64"}};
certified const entry{row.certified_by({each_row<32, 32>, each_of<64, 64, 0, 15, 31, 47, 63>})};

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
