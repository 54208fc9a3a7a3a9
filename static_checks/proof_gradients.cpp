// SPDX-License-Identifier: BSL-1.0
// proof_gradients.cpp — the hand-written gradients are the derivatives, exactly, for every input.
#include "broken_layers.hpp"
#include "broken_layers_of_softmax.hpp"
#include "certified.hpp"

#include <attest/proof/exact_gradients.hpp>
#include <attest/proof/layer.hpp>

namespace attest {
namespace {

using proof::gradient_is_exact, proof::gradients_are_exact;

template <class Mask>
using with = attention_layer<Mask>;
template <class Layer, std::size_t T = 6, std::size_t D = 4, std::size_t H = 2>
constexpr finding exact = gradients_are_exact<T, D, H>(Layer{});
template <class Layer, part Which, std::size_t T = 3, std::size_t D = 4, std::size_t H = 2>
constexpr finding exact_in = gradient_is_exact<T, D, H>(Layer{}, Which);

constexpr char const* every_input =
    "every x, weights and d_out; exp any E with E′ = E, max any constant; no rounding";

constexpr certificate_row row{
    .guarantee = "gradients are the derivatives: Wq Wk Wv Wo, x, and all",
    .layer = "causal, none and zero, T = 6, d_model 4, d_head 2",
    .inputs = every_input,
    .bound = "exact",
    .check = "proof_gradients",
    .measured = {proof::chance_of_a_false_gradient(6), "chance of a false pass"}};
certified const entry{
    row.certified_by({guarantee::gradients_are_exact<exact<with<mask::causal_t>>>(),
                      guarantee::gradients_are_exact<exact<with<mask::none_t>>>(),
                      guarantee::gradients_are_exact<exact<with<mask::zero_t>>>()})};

// A query without keys, a window, and one key only; the empty row's gradients are exactly 0.
constexpr mask::ranges<queries<4>, keys<4>> first_row_empty{{{{0, 0}, {0, 2}, {1, 4}, {3, 4}}}};
constexpr finding of_ranges = gradients_are_exact<4, 4, 2>(attention_layer{first_row_empty});
constexpr certificate_row ranges{
    .guarantee = "gradients are the derivatives: Wq Wk Wv Wo, x, and all",
    .layer = "ranges with an empty row, T = 4, d_model 4, d_head 2",
    .inputs = every_input,
    .bound = "exact",
    .check = "proof_gradients",
    .measured = {proof::chance_of_a_false_gradient(4), "chance of a false pass"}};
certified const ranges_entry{ranges.certified_by({guarantee::gradients_are_exact<of_ranges>()})};

// Every length, along one direction through all weights and x: the difference of both sides is linear
// in the direction, so one that is random misses no entry but by chance.
template <std::size_t D, std::size_t H, std::size_t... T>
constexpr finding at_lengths =
    first_broken(exact_in<with<mask::causal_t>, part::unnamed, T, D, H>...);
constexpr certificate_row lengths{
    .guarantee = "gradients are the derivatives, all at once",
    .layer = "causal, T = 1…16, d_model 4, d_head 2",
    .inputs = every_input,
    .bound = "exact",
    .check = "proof_gradients",
    .measured = {proof::chance_of_a_false_gradient(16), "chance of a false pass"}};
certified const lengths_entry{lengths.certified_by(
    {guarantee::gradients_are_exact<at_lengths<4, 2, 1, 2, 3, 4, 5, 6, 7, 8>>(),
     guarantee::gradients_are_exact<at_lengths<4, 2, 9, 10, 11, 12, 13, 14, 15, 16>>()})};

constexpr certificate_row widths{
    .guarantee = "gradients are the derivatives, all at once",
    .layer = "causal, T = 3, d_model × d_head 1×1, 1×3, 2×3, 3×5, 4×1, 5×4, 8×8, 16×4",
    .inputs = every_input,
    .bound = "exact",
    .check = "proof_gradients",
    .measured = {proof::chance_of_a_false_gradient(3), "chance of a false pass"}};
certified const widths_entry{
    widths.certified_by({guarantee::gradients_are_exact<at_lengths<1, 1, 3>>(),
                         guarantee::gradients_are_exact<at_lengths<1, 3, 3>>(),
                         guarantee::gradients_are_exact<at_lengths<2, 3, 3>>(),
                         guarantee::gradients_are_exact<at_lengths<3, 5, 3>>(),
                         guarantee::gradients_are_exact<at_lengths<4, 1, 3>>(),
                         guarantee::gradients_are_exact<at_lengths<5, 4, 3>>(),
                         guarantee::gradients_are_exact<at_lengths<8, 8, 3>>(),
                         guarantee::gradients_are_exact<at_lengths<16, 4, 3>>()})};

// The chance: 10 + 2·(T − 1) for the identity, 4 for each pair of arguments of E.
static_assert(proof::chance_of_a_false_gradient(1) == 10 * 0x1p-60);
static_assert(proof::chance_of_a_false_gradient(2) == (12 + 4 * 6) * 0x1p-60);
static_assert(proof::chance_of_a_false_gradient(128) < 1e-9);
// Another seed is another point.
static_assert(gradients_are_exact<2, 3, 2>(attention_layer<>{}, 2).holds);

// Refused, each in the gradients that the fault touches, and in no other.
template <class Layer>
constexpr bool is_refused_in(auto const... parts) {
  bool right = !exact_in<Layer, part::unnamed>.holds;
  auto const as_expected = [&](part of, finding const& found) {
    right = right && found.holds != ((of == parts) || ...);
    right = right && (found.holds || found == broken_at(of, 0, 0));
  };
  as_expected(part::Wq, exact_in<Layer, part::Wq>);
  as_expected(part::Wk, exact_in<Layer, part::Wk>);
  as_expected(part::Wv, exact_in<Layer, part::Wv>);
  as_expected(part::Wo, exact_in<Layer, part::Wo>);
  as_expected(part::x, exact_in<Layer, part::x>);
  return right;
}
static_assert(is_refused_in<broken::forgets_the_sum>(part::Wq, part::Wk, part::x));
static_assert(is_refused_in<broken::forgets_the_scale>(part::Wq, part::Wk, part::x));
static_assert(is_refused_in<broken::exchanges_q_and_k>(part::Wq, part::Wk));
static_assert(is_refused_in<broken::drops_a_path_of_x<part::q>>(part::x));
static_assert(is_refused_in<broken::drops_a_path_of_x<part::k>>(part::x));
static_assert(is_refused_in<broken::drops_a_path_of_x<part::v>>(part::x));
// The finding of all checks names the first part.
static_assert(exact<broken::forgets_the_sum, 3> == broken_at(part::Wq, 0, 0));
static_assert(exact<broken::drops_a_path_of_x<part::v>, 3> == broken_at(part::x, 0, 0));
// At d_head 1 there is no scale to forget.
static_assert(exact_in<broken::forgets_the_scale, part::unnamed, 3, 4, 1>.holds);

// Refused: a forward pass that is another function than the one which backward differentiates.
template <class Softmax>
constexpr finding of_softmax = exact_in<broken::with_softmax<Softmax>, part::unnamed>;
static_assert(of_softmax<broken::softmaxes::right>.holds);
static_assert(!of_softmax<broken::softmaxes::does_not_renormalise>.holds);
static_assert(!of_softmax<broken::softmaxes::sums_without_a_key>.holds);
static_assert(!of_softmax<broken::softmaxes::runs_over_queries>.holds);
static_assert(!of_softmax<broken::softmaxes::forgets_the_maximum_in_the_sum>.holds);
static_assert(exact_in<broken::with_values<broken::values::right>, part::unnamed>.holds);
static_assert(!exact_in<broken::with_values<broken::values::in_reverse>, part::unnamed>.holds);

// Accepted: what only rounding and range tell from the layer. Softmax does not depend on what is
// subtracted, and the gradients are right.
static_assert(of_softmax<broken::softmaxes::takes_the_maximum_over_the_whole_row>.holds);
static_assert(of_softmax<broken::softmaxes::starts_the_maximum_at_a_sentinel>.holds);
static_assert(of_softmax<broken::softmaxes::forgets_the_maximum>.holds);
// Refused: a forward pass that is scaled by √d_model, as the backward pass is not; the same widths make
// it the same layer.
static_assert(!exact_in<broken::scales_by_d_model, part::unnamed>.holds);
static_assert(exact_in<broken::scales_by_d_model, part::unnamed, 3, 4, 4>.holds);

// Refused: a layer that reads a forbidden score, or divides by nothing, even where both passes do.
struct divides_by_zero : attention_layer<> {
  constexpr auto forward(auto const& params, auto const& x) const {
    auto trace = attention_forward(params, x);
    trace.out(0, 0) = trace.out(0, 0) / (trace.v(0, 0) - trace.v(0, 0));
    return trace;
  }
};
static_assert(!exact_in<divides_by_zero, part::unnamed>.holds);
static_assert(!exact_in<divides_by_zero, part::x>.holds);

}  // namespace
}  // namespace attest
