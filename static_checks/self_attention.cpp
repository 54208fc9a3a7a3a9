// SPDX-License-Identifier: BSL-1.0
// self_attention.cpp — each position attends to itself; the first, to nothing else.
#include "broken_layers.hpp"
#include "certified.hpp"
#include "recorded_input.hpp"

#include <attest/proof/weights.hpp>

namespace attest {
namespace {

constexpr finding recorded =
    proof::positions_attend_to_themselves(attention_forward(checks::params, checks::x).weights);

template <class Scalar, std::size_t T>
constexpr finding at_length = [] {
  auto const input = checks::make_sample<Scalar, T, 4, 2>(T);
  return proof::positions_attend_to_themselves(attention_forward(input.params, input.x).weights);
}();
template <class Scalar>
constexpr finding at_lengths_1_to_16 = []<std::size_t... I>(std::index_sequence<I...>) {
  return first_broken(at_length<Scalar, I + 1>...);
}(std::make_index_sequence<16>{});

constexpr certificate_row row{.guarantee = "each position attends to itself",
                              .layer = "causal, double, T = 6, d_model 4, d_head 2",
                              .inputs = "this sentence",
                              .bound = "first weight exactly 1",
                              .check = "self_attention"};
certified const entry{row.certified_by({guarantee::positions_attend_to_themselves<recorded>()})};

constexpr certificate_row many{.guarantee = "each position attends to itself",
                               .layer = "causal, double and float, T = 1…16, width 4×2",
                               .inputs = "one random input a shape",
                               .bound = "first weight exactly 1",
                               .check = "self_attention"};
certified const many_entry{
    many.certified_by({guarantee::positions_attend_to_themselves<at_lengths_1_to_16<double>>(),
                       guarantee::positions_attend_to_themselves<at_lengths_1_to_16<float>>()})};

// Refused: a mask that looks only at earlier tokens, at its first row; it leaves that row empty.
constexpr auto behind =
    attention_forward(checks::params, checks::x, broken::looks_one_token_behind{});
static_assert(proof::positions_attend_to_themselves(behind.weights) ==
              broken_at(part::weights, 0, 0));
static_assert(behind.weights.row(0) == tensor<double, keys<6>>{});
static_assert(behind.out.row(0) == tensor<double, d_model<4>>{});
// Refused: the wrong masks, at the first row; a later row without weight on itself.
static_assert(!proof::positions_attend_to_themselves(
                   attention_forward(checks::params, checks::x, mask::none).weights)
                   .holds);
static_assert(proof::positions_attend_to_themselves(tensor<double, queries<2>, keys<2>>{
                  {1, 0}, {1, 0}}) == broken_at(part::weights, 1, 1));

}  // namespace
}  // namespace attest
