// SPDX-License-Identifier: BSL-1.0
// future_weights.cpp — the weight on every later key is exactly +0, and the wrong masks put it there.
#include "broken_layers.hpp"
#include "certified.hpp"
#include "recorded_input.hpp"

#include <attest/math/exact_sum.hpp>
#include <attest/proof/layer.hpp>
#include <attest/proof/weights.hpp>
#include <recorded/cpython_round.hpp>

namespace attest {
namespace {

constexpr auto recorded_weights(auto mask) {
  return attention_forward(checks::params, checks::x, mask).weights;
}
constexpr finding recorded = proof::future_weights_are_zero(recorded_weights(mask::causal));

template <class Scalar, std::size_t T, std::size_t D, std::size_t H>
constexpr finding at_length = [] {
  auto const input = checks::make_sample<Scalar, T, D, H>(T);
  return proof::future_weights_are_zero(attention_forward(input.params, input.x).weights);
}();
template <class Scalar, std::size_t D, std::size_t H>
constexpr finding at_lengths_1_to_16 = []<std::size_t... I>(std::index_sequence<I...>) {
  return first_broken(at_length<Scalar, I + 1, D, H>...);
}(std::make_index_sequence<16>{});

constexpr certificate_row row{.guarantee = "no weight on a later position",
                              .layer = "causal, double, T = 6, d_model 4, d_head 2",
                              .inputs = "this sentence",
                              .bound = "exactly +0",
                              .check = "future_weights"};
certified const entry{row.certified_by({guarantee::future_weights_are_zero<recorded>()})};

constexpr certificate_row many{.guarantee = "no weight on a later position",
                               .layer = "causal, double and float, T = 1…16, widths 4×2, 3×5",
                               .inputs = "one random input a shape",
                               .bound = "exactly +0",
                               .check = "future_weights"};
certified const many_entry{
    many.certified_by({guarantee::future_weights_are_zero<at_lengths_1_to_16<double, 4, 2>>(),
                       guarantee::future_weights_are_zero<at_lengths_1_to_16<double, 3, 5>>(),
                       guarantee::future_weights_are_zero<at_lengths_1_to_16<float, 4, 2>>()})};

// What the wrong masks put on the future of row 0, against the record.
constexpr double on_the_future_of_row_0(auto mask) {
  auto const weights = recorded_weights(mask);
  exact_sum sum;
  for (std::size_t key = 1; key < 6; ++key) {
    sum.add(weights(0, key));
  }
  return recorded::cpython_round(sum.rounded(), 4);
}
namespace fixture = recorded::trace_fixture::masks;
static_assert(on_the_future_of_row_0(mask::causal) == fixture::causal::weight_on_future_row_0);
static_assert(on_the_future_of_row_0(mask::none) == fixture::none::weight_on_future_row_0);
static_assert(on_the_future_of_row_0(mask::zero) == fixture::zero::weight_on_future_row_0);
static_assert(on_the_future_of_row_0(mask::zero) == 0.8375);

constexpr certificate_row leak{
    .guarantee = "zeroed scores still leak: row 0's weight on the future",
    .layer = "zero, double, T = 6, d_model 4, d_head 2",
    .inputs = "this sentence",
    .bound = "more than half",
    .check = "future_weights",
    .measured = {on_the_future_of_row_0(mask::zero), "of 1"}};
certified const leak_entry{
    leak.certified_by({{.holds = on_the_future_of_row_0(mask::zero) > 0.5}})};

// Refused: both wrong masks, and a mask that looks one token ahead.
static_assert(proof::future_weights_are_zero(recorded_weights(mask::none)) ==
              broken_at(part::weights, 0, 1));
static_assert(proof::future_weights_are_zero(recorded_weights(mask::zero)) ==
              broken_at(part::weights, 0, 1));
static_assert(proof::future_weights_are_zero(recorded_weights(broken::looks_one_token_ahead{})) ==
              broken_at(part::weights, 0, 1));
// Refused: a later weight that is the smallest number there is, or −0.
using weights_of_2 = tensor<double, queries<2>, keys<2>>;
static_assert(!proof::future_weights_are_zero(weights_of_2{{1, 0x1p-1074}, {0.5, 0.5}}).holds);
static_assert(!proof::future_weights_are_zero(weights_of_2{{1, -0.0}, {0.5, 0.5}}).holds);
static_assert(proof::future_weights_are_zero(weights_of_2{{1, 0}, {0.5, 0.5}}).holds);

}  // namespace
}  // namespace attest
