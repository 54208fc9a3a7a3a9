// SPDX-License-Identifier: BSL-1.0
// gradients.cpp — the hand-written gradients match central finite differences, ε = 1e-6.
#include "broken_layers.hpp"
#include "certified.hpp"
#include "recorded_input.hpp"

#include <attest/proof/gradients.hpp>
#include <attest/proof/layer.hpp>

#include <algorithm>

namespace attest {
namespace {

using proof::gradients_match_finite_differences;

constexpr checks::sample<double, 6, 4, 2> recorded_sample{checks::params, checks::x,
                                                          checks::readout};

constexpr finding matches(auto const& layer, auto const& input,
                          proof::gradient_entries const& entries) {
  return gradients_match_finite_differences(layer, input.params, input.x, input.d_out, 1e-7,
                                            entries);
}
template <class Layer, part Which>
constexpr finding recorded = matches(Layer{}, recorded_sample, {Which});

// Of a long x the ends, since every row is compared exactly: proof_gradients.cpp. Three constants a shape, to
// stay inside half of the evaluation limits.
template <std::size_t T, std::size_t D, std::size_t H, part Which, std::size_t... Rows>
constexpr finding of_sample =
    matches(attention_layer<>{}, checks::random_sample<double, T, D, H>, {Which, Rows...});
template <std::size_t T, std::size_t D, std::size_t H>
  requires(D <= 4 && H <= 4)  // the weights have no row beyond the fourth
constexpr finding at_length =
    first_broken(of_sample<T, D, H, part::unnamed, 0, 2>, of_sample<T, D, H, part::unnamed, 2, 4>,
                 of_sample < T, D, H, part::x, T<6 ? 4 : T - 2>);
template <std::size_t D, std::size_t H, std::size_t... T>
constexpr finding at_lengths = first_broken(at_length<T, D, H>...);

using causal = attention_layer<mask::causal_t>;
template <part Which>
constexpr double largest = proof::largest_gradient_error(causal{}, checks::params, checks::x,
                                                         checks::readout, 1e-6, {Which})
                               .largest;

constexpr certificate_row row{
    .guarantee = "gradients match central finite differences, ε = 1e-6",
    .layer = "causal, double, T = 6, d_model 4, d_head 2",
    .inputs = "this sentence; Wq Wk Wv Wo and x",
    .bound = "1e-7",
    .check = "gradients",
    .measured = {std::max({largest<part::Wq>, largest<part::Wk>, largest<part::Wv>,
                           largest<part::Wo>, largest<part::x>}),
                 "at most"}};
certified const entry{
    row.certified_by({guarantee::gradients_match_finite_differences<recorded<causal, part::Wq>>(),
                      guarantee::gradients_match_finite_differences<recorded<causal, part::Wk>>(),
                      guarantee::gradients_match_finite_differences<recorded<causal, part::Wv>>(),
                      guarantee::gradients_match_finite_differences<recorded<causal, part::Wo>>(),
                      guarantee::gradients_match_finite_differences<recorded<causal, part::x>>()})};

template <class Mask>
using with = attention_layer<Mask>;
constexpr certificate_row wrong_masks{
    .guarantee = "gradients match central finite differences, ε = 1e-6",
    .layer = "none and zero, double, T = 6, d_model 4, d_head 2",
    .inputs = "this sentence; Wq Wk Wv Wo and x",
    .bound = "1e-7",
    .check = "gradients"};
certified const wrong_masks_entry{wrong_masks.certified_by(
    {guarantee::gradients_match_finite_differences<recorded<with<mask::none_t>, part::Wq>>(),
     guarantee::gradients_match_finite_differences<recorded<with<mask::none_t>, part::Wk>>(),
     guarantee::gradients_match_finite_differences<recorded<with<mask::none_t>, part::Wv>>(),
     guarantee::gradients_match_finite_differences<recorded<with<mask::none_t>, part::x>>(),
     guarantee::gradients_match_finite_differences<recorded<with<mask::zero_t>, part::Wq>>(),
     guarantee::gradients_match_finite_differences<recorded<with<mask::zero_t>, part::Wk>>(),
     guarantee::gradients_match_finite_differences<recorded<with<mask::zero_t>, part::Wv>>(),
     guarantee::gradients_match_finite_differences<recorded<with<mask::zero_t>, part::x>>()})};

constexpr certificate_row many{
    .guarantee = "gradients match central finite differences, ε = 1e-6",
    .layer = "causal, double, T = 1…16 at width 1×1, 1…5 at 4×2, 3 at 3×4",
    .inputs = "one random input a shape; Wq Wk Wv Wo, the first four and the last two rows of x",
    .bound = "1e-7",
    .check = "gradients"};
certified const many_entry{many.certified_by(
    {guarantee::gradients_match_finite_differences<
         at_lengths<1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>>(),
     guarantee::gradients_match_finite_differences<at_lengths<4, 2, 1, 2, 3, 4, 5>>(),
     guarantee::gradients_match_finite_differences<at_lengths<3, 4, 3>>()})};

// A query without keys: its output does not depend on anything, and its gradients are exactly 0.
constexpr mask::ranges<queries<3>, keys<3>> first_row_empty{{{{0, 0}, {0, 2}, {1, 3}}}};
static_assert(
    matches(attention_layer{first_row_empty}, checks::make_sample<double, 3, 4, 2>(), {}).holds);

// Refused, each at the first gradient that the fault touches.
static_assert(!recorded<broken::forgets_the_sum, part::Wq>.holds);
static_assert(!recorded<broken::forgets_the_sum, part::Wk>.holds);
static_assert(recorded<broken::forgets_the_sum, part::Wv>.holds);
static_assert(!recorded<broken::forgets_the_sum, part::x>.holds);
static_assert(!recorded<broken::forgets_the_scale, part::Wq>.holds);
static_assert(!recorded<broken::forgets_the_scale, part::Wk>.holds);
static_assert(recorded<broken::forgets_the_scale, part::Wv>.holds);
static_assert(!recorded<broken::forgets_the_scale, part::x>.holds);
static_assert(!recorded<broken::exchanges_q_and_k, part::Wq>.holds);
static_assert(!recorded<broken::exchanges_q_and_k, part::Wk>.holds);
static_assert(recorded<broken::exchanges_q_and_k, part::x>.holds);
static_assert(!recorded<broken::drops_a_path_of_x<part::q>, part::x>.holds);
static_assert(!recorded<broken::drops_a_path_of_x<part::k>, part::x>.holds);
static_assert(!recorded<broken::drops_a_path_of_x<part::v>, part::x>.holds);
static_assert(recorded<broken::drops_a_path_of_x<part::v>, part::Wv>.holds);

}  // namespace
}  // namespace attest
