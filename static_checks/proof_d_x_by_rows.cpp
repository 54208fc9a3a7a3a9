// SPDX-License-Identifier: BSL-1.0
// proof_d_x_by_rows.cpp — d_x depends on exactly later rows of d_out in longer sequences, an assertion
// a row.
#include "broken_layers.hpp"
#include "certified.hpp"
#include "d_x_by_rows.hpp"

namespace attest {
namespace {

using d_x_by_rows::each_of;
using d_x_by_rows::each_row;
using d_x_by_rows::queries_of_sequence;

constexpr certificate_row row{
    .guarantee = "row j of d_x depends on exactly rows j … T − 1 of d_out",
    .layer =
        "causal, a row at a time, T = 32, d_model 32, d_head 32; rows 0, 15, 31, 47, 63 of T = 64, "
        "64, 64",
    .inputs = "every bit pattern of d_out; any x and weights",
    .bound = "exact",
    .check = "proof_d_x_by_rows"};
certified const entry{
    row.certified_by({each_row<32, 32, 32>, each_of<64, 64, 64, 0, 15, 31, 47, 63>})};

// Refused: a query that sends its gradient to a later key, and one that forgets its own.
using unmasked = queries_of_sequence<8, 4, 3, mask::none_t>;
static_assert(!unmasked::of_row<0>.holds && unmasked::of_row<0>.part == part::k);
static_assert(unmasked::of_row<5>.row == attest::row{6} &&
              unmasked::of_row<5>.input_row == attest::row{5});
static_assert(unmasked::of_row<7>.holds);
using behind = queries_of_sequence<8, 4, 3, broken::looks_one_token_behind>;
static_assert(behind::of_row<5>.part == part::k && behind::of_row<5>.row == attest::row{5});
static_assert(behind::of_row<0>.part == part::q && !behind::of_row<0>.holds);

}  // namespace
}  // namespace attest
