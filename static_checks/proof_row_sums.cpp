// SPDX-License-Identifier: BSL-1.0
// proof_row_sums.cpp — for every finite input each row of weights sums to 1 within a bound that follows
// from the roundings, and mixed lies in the hull of v.
#include "broken_layers.hpp"
#include "broken_layers_of_softmax.hpp"
#include "certified.hpp"
#include "recorded_input.hpp"

#include <attest/proof/layer.hpp>
#include <attest/proof/row_sums.hpp>
#include <attest/proof/weights.hpp>

namespace attest {
namespace {

using proof::row_sum_finding;

template <class Layer, class Mask = mask::causal_t>
constexpr row_sum_finding sums =
    proof::rows_sum_to_one_for_every_finite_input<6, 4, 2>(Layer{}, Mask{});
template <class Layer, class Mask = mask::causal_t>
constexpr row_sum_finding hull = proof::mixed_is_in_the_hull_of_v<6, 4, 2>(Layer{}, Mask{});
template <class Mask>
using with = attention_layer<Mask>;

// Every input: no two elements of the parameters and of x are the same number, or the proof would be of fewer.
constexpr bool all_differ(auto const& params, auto const& x) {
  share numbers[64] = {};
  std::size_t count = 0;
  bool differ = true;
  auto const add = [&](auto const& tensor) {
    for (share const& element : tensor.elements) {
      for (std::size_t i = 0; i < count; ++i) {
        differ = differ && !same_bits(numbers[i], element);
      }
      numbers[count++] = element;
    }
  };
  for_each_member(params, [&](auto const*, auto const& member) { add(member); });
  add(x);
  return differ;
}
static_assert(all_differ(proof::any_params<4, 2>(), proof::any_x<6, 4>()));
static_assert(!all_differ(proof::any_params<4, 2>(23), proof::any_x<6, 4>(0)));

constexpr char const* every_input =
    "every x and weights whose scores and v are finite, |v| below half the largest number";

// T − 1 roundings of the total and one of the quotient, and a quotient for each key.
constexpr bool counts(row_sum_finding const& found, std::uint32_t roundings,
                      std::uint32_t underflows) {
  return found.roundings == roundings && found.underflows == underflows;
}
static_assert(counts(sums<with<mask::causal_t>>, 6, 6));
// One more of the product and T − 1 of the sum, and an underflow for each product.
static_assert(counts(hull<with<mask::causal_t>>, 12, 12));

constexpr certificate_row row{
    .guarantee = "each row of weights sums to 1",
    .layer = "causal, none and zero, T = 6, d_model 4, d_head 2",
    .inputs = every_input,
    .bound = "T·2⁻⁵³ / (1 − T·2⁻⁵³), worked out; false pass: chance < 1e-15",
    .check = "proof_row_sums",
    .measured = {sums<with<mask::causal_t>>.bound(), "bound"}};
certified const entry{row.certified_by(
    {guarantee::rows_sum_to_one_for_every_finite_input<sums<with<mask::causal_t>>.found>(),
     guarantee::rows_sum_to_one_for_every_finite_input<
         sums<with<mask::none_t>, mask::none_t>.found>(),
     guarantee::rows_sum_to_one_for_every_finite_input<
         sums<with<mask::zero_t>, mask::zero_t>.found>()})};

constexpr certificate_row of_mixed{
    .guarantee = "mixed is Σ λ·v, λ ≥ 0, Σ λ = 1",
    .layer = "causal, none and zero, T = 6, d_model 4, d_head 2",
    .inputs = every_input,
    .bound = "2·T·2⁻⁵³ / (1 − 2·T·2⁻⁵³), worked out; false pass: chance < 1e-15",
    .check = "proof_row_sums",
    .measured = {hull<with<mask::causal_t>>.bound(), "bound"}};
certified const of_mixed_entry{of_mixed.certified_by(
    {guarantee::mixed_is_in_the_hull_of_v<hull<with<mask::causal_t>>.found>(),
     guarantee::mixed_is_in_the_hull_of_v<hull<with<mask::none_t>, mask::none_t>.found>(),
     guarantee::mixed_is_in_the_hull_of_v<hull<with<mask::zero_t>, mask::zero_t>.found>()})};

template <std::size_t T, std::size_t D, std::size_t H>
constexpr row_sum_finding at =
    proof::rows_sum_to_one_for_every_finite_input<T, D, H>(with<mask::causal_t>{});
template <std::size_t T, std::size_t D, std::size_t H>
constexpr row_sum_finding hull_at =
    proof::mixed_is_in_the_hull_of_v<T, D, H>(with<mask::causal_t>{});
template <std::size_t D, std::size_t H, std::size_t... T>
constexpr finding at_lengths = first_broken(at<T, D, H>.found...);
template <std::size_t D, std::size_t H, std::size_t... T>
constexpr finding hull_at_lengths = first_broken(hull_at<T, D, H>.found...);
static_assert(counts(at<16, 4, 2>, 16, 16) && counts(hull_at<16, 4, 2>, 32, 32));
static_assert(counts(at<1, 4, 2>, 1, 1) && counts(hull_at<1, 4, 2>, 2, 2));

constexpr certificate_row lengths{.guarantee = "each row of weights sums to 1; mixed is Σ λ·v",
                                  .layer = "causal, T = 1…16, d_model 4, d_head 2",
                                  .inputs = every_input,
                                  .bound = "T and 2·T roundings, as at T = 6",
                                  .check = "proof_row_sums",
                                  .measured = {at<16, 4, 2>.bound(), "bound at T = 16"}};
certified const lengths_entry{lengths.certified_by(
    {guarantee::rows_sum_to_one_for_every_finite_input<
         at_lengths<4, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>>(),
     guarantee::mixed_is_in_the_hull_of_v<
         hull_at_lengths<4, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>>()})};

constexpr certificate_row widths{
    .guarantee = "each row of weights sums to 1; mixed is Σ λ·v",
    .layer =
        "causal, T = 3, d_model × d_head 1×1, 1×3, 2×3, 3×5, 4×1, 8×8, 16×4; T = 32, 1×1 and 4×2",
    .inputs = every_input,
    .bound = "T and 2·T roundings, as at T = 6",
    .check = "proof_row_sums",
    .measured = {at<32, 4, 2>.bound(), "bound at T = 32"}};
certified const widths_entry{widths.certified_by(
    {guarantee::rows_sum_to_one_for_every_finite_input<at_lengths<1, 1, 3, 32>>(),
     guarantee::rows_sum_to_one_for_every_finite_input<at_lengths<1, 3, 3>>(),
     guarantee::rows_sum_to_one_for_every_finite_input<at_lengths<2, 3, 3>>(),
     guarantee::rows_sum_to_one_for_every_finite_input<at_lengths<3, 5, 3>>(),
     guarantee::rows_sum_to_one_for_every_finite_input<at_lengths<4, 1, 3>>(),
     guarantee::rows_sum_to_one_for_every_finite_input<at_lengths<8, 8, 3>>(),
     guarantee::rows_sum_to_one_for_every_finite_input<at_lengths<16, 4, 3>>(),
     guarantee::rows_sum_to_one_for_every_finite_input<at_lengths<4, 2, 32>>(),
     guarantee::mixed_is_in_the_hull_of_v<hull_at_lengths<4, 2, 32>>(),
     guarantee::mixed_is_in_the_hull_of_v<hull_at_lengths<1, 1, 3, 32>>(),
     guarantee::mixed_is_in_the_hull_of_v<hull_at_lengths<1, 3, 3>>(),
     guarantee::mixed_is_in_the_hull_of_v<hull_at_lengths<2, 3, 3>>(),
     guarantee::mixed_is_in_the_hull_of_v<hull_at_lengths<3, 5, 3>>(),
     guarantee::mixed_is_in_the_hull_of_v<hull_at_lengths<4, 1, 3>>(),
     guarantee::mixed_is_in_the_hull_of_v<hull_at_lengths<8, 8, 3>>(),
     guarantee::mixed_is_in_the_hull_of_v<hull_at_lengths<16, 4, 3>>()})};

// Softmax alone, of any finite scores: what the widths of a layer do to them no longer matters.
template <std::size_t T>
constexpr row_sum_finding of_softmax = [] {
  tensor<share, queries<T>, keys<T>> scores;
  for (std::size_t i = 0; i < scores.size; ++i) {
    scores.elements[i] = share::number(i);
  }
  tensor<share, queries<T>, keys<T>> weights;
  softmax<keys>(scores, weights, attended_pairs{mask::causal});
  return proof::rows_sum_to_one(weights);
}();
static_assert(counts(of_softmax<64>, 64, 64));
constexpr certificate_row softmax_alone{.guarantee = "each row of softmax sums to 1",
                                        .layer = "softmax, causal, T = 32 and 64, any width",
                                        .inputs = "every finite scores",
                                        .bound = "T roundings, as at T = 6",
                                        .check = "proof_row_sums",
                                        .measured = {of_softmax<64>.bound(), "bound at T = 64"}};
certified const softmax_alone_entry{softmax_alone.certified_by(
    {guarantee::rows_sum_to_one_for_every_finite_input<of_softmax<32>.found>(),
     guarantee::rows_sum_to_one_for_every_finite_input<of_softmax<64>.found>()})};

// A row without keys is 0, and only where the mask says so.
constexpr mask::ranges<queries<4>, keys<4>> first_row_empty{{{{0, 0}, {0, 2}, {1, 4}, {3, 4}}}};
constexpr attention_layer ranges{first_row_empty};
static_assert(
    proof::rows_sum_to_one_for_every_finite_input<4, 4, 2>(ranges, first_row_empty).found.holds);
static_assert(proof::mixed_is_in_the_hull_of_v<4, 4, 2>(ranges, first_row_empty).found.holds);
static_assert(proof::rows_sum_to_one_for_every_finite_input<4, 4, 2>(ranges).found ==
              broken_at(part::weights, 0, 0));
static_assert(proof::mixed_is_in_the_hull_of_v<4, 4, 2>(ranges).found ==
              broken_at(part::mixed, 0, 0));
static_assert(proof::rows_sum_to_one_for_every_finite_input<4, 4, 2>(with<mask::causal_t>{},
                                                                     first_row_empty)
                  .found == broken_at(part::weights, 0, 0));
static_assert(proof::mixed_is_in_the_hull_of_v<4, 4, 2>(with<mask::causal_t>{}, first_row_empty)
                  .found == broken_at(part::mixed, 0, 0));

// The bound: n·u / (1 − n·u), rounded up twice.
static_assert(proof::deviation<double>(1, 0) == 0x1.0000000000002p-53 + 0x1p-105);
static_assert(proof::deviation<double>(10, 10) > 10 * 0x1p-53 * (1 + 10 * 0x1p-53));
static_assert(proof::deviation<double>(10, 10) < 10.00000001 * 0x1p-53);
static_assert(proof::deviation<float>(10, 10) > 10 * 0x1p-24 * (1 + 10 * 0x1p-24));
static_assert(proof::deviation<float>(10, 10) < 10.00001 * 0x1p-24);
// Each underflow counts the smallest number; each of the two roundings up another, at 0.
static_assert(proof::deviation<double>(0, 5) == 7 * 0x1p-1074);
static_assert(proof::deviation<float>(0, 4) > 4 * 0x1p-149);
static_assert(proof::next_above(1) == 1 + 0x1p-52);
static_assert(proof::chance_of_a_false_row_sum(1, 1, 1) == (2 * 7 + 1) * 0x1p-64);
static_assert(proof::chance_of_a_false_row_sum(6, 4, 2) < 1e-15);
static_assert(proof::chance_of_a_false_row_sum(512, 64, 64) < 1e-9);

// What double and float compute stays within what was worked out for them.
template <class Scalar, std::size_t T>
constexpr bool measured_within_bound = [] {
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    auto const input = checks::make_sample<Scalar, T, 4, 2>(seed);
    if (!proof::rows_sum_to_one(attention_forward(input.params, input.x).weights,
                                at<T, 4, 2>.template bound<Scalar>())
             .holds) {
      return false;
    }
  }
  return true;
}();
static_assert(measured_within_bound<double, 2> && measured_within_bound<double, 7>);
static_assert(measured_within_bound<double, 16> && measured_within_bound<float, 9>);

// Refused, in the first row that can be wrong; and with the sum, what it is multiplied with.
template <class Softmax>
constexpr bool is_refused_at(std::size_t query) {
  using layer = broken::with_softmax<Softmax>;
  return sums<layer>.found == broken_at(part::weights, query, 0) &&
         hull<layer>.found == broken_at(part::mixed, query, 0);
}
static_assert(sums<broken::with_softmax<broken::softmaxes::right>>.found.holds);
static_assert(hull<broken::with_softmax<broken::softmaxes::right>>.found.holds);
static_assert(is_refused_at<broken::softmaxes::takes_the_maximum_over_the_whole_row>(0));
static_assert(is_refused_at<broken::softmaxes::starts_the_maximum_at_a_sentinel>(0));
static_assert(is_refused_at<broken::softmaxes::forgets_the_maximum>(0));
static_assert(is_refused_at<broken::softmaxes::forgets_the_maximum_in_the_sum>(0));
static_assert(is_refused_at<broken::softmaxes::does_not_renormalise>(0));
static_assert(is_refused_at<broken::softmaxes::sums_without_a_key>(1));
static_assert(is_refused_at<broken::softmaxes::runs_over_queries>(0));
// Refused where values are exchanged, though the weights are right; accepted where they are not.
static_assert(sums<broken::with_values<broken::values::in_reverse>>.found.holds);
static_assert(hull<broken::with_values<broken::values::in_reverse>>.found ==
              broken_at(part::mixed, 1, 0));
static_assert(hull<broken::with_values<broken::values::right>>.found.holds);

// Accepted: a wrong backward pass, and a mask that looks ahead, are not what is asked.
static_assert(sums<broken::forgets_the_sum>.found.holds &&
              sums<broken::forgets_the_scale>.found.holds);
static_assert(sums<broken::exchanges_q_and_k>.found.holds &&
              sums<broken::scales_by_d_model>.found.holds);
static_assert(sums<with<broken::looks_one_token_ahead>>.found.holds);
// Refused: a first row without keys, where the causal mask has one.
static_assert(sums<with<broken::looks_one_token_behind>>.found == broken_at(part::weights, 0, 0));

// Accepted: forbidden scores of −∞ that are summed and divided like all others; each such weight is 0.
struct sums_over_minus_infinity : attention_layer<> {
  constexpr auto forward(auto const& params, auto const& x) const {
    auto trace = attention_forward(params, x);
    softmax<keys>(trace.scores, trace.weights);
    matmul(trace.weights, trace.v, trace.mixed);
    return trace;
  }
};
static_assert(counts(sums<sums_over_minus_infinity>, 6, 6));
static_assert(counts(hull<sums_over_minus_infinity>, 12, 12));

}  // namespace
}  // namespace attest
