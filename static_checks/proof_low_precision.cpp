// SPDX-License-Identifier: BSL-1.0
// proof_low_precision.cpp — the layer in bfloat16 and float16: row sums within the bound that is
// worked out for every row, masked weights of exactly +0, the distance from double at the recorded
// sentence, and the length from which on a softmax in that type loses keys.
#include "broken_layers.hpp"
#include "certified.hpp"
#include "input_of.hpp"
#include "recorded_input.hpp"

#include <attest/math/exact_sum.hpp>
#include <attest/proof/by_rows.hpp>
#include <attest/proof/layer.hpp>
#include <attest/proof/low_precision.hpp>
#include <attest/scalar/bfloat16.hpp>
#include <attest/scalar/float16.hpp>

#include <cstddef>
#include <limits>
#include <utility>

namespace attest {
namespace {

constexpr auto exact = attention_forward(checks::params, checks::x);
template <class Scalar>
constexpr auto recorded_in =
    proof::forward_in<Scalar>(attention_layer{}, checks::params, checks::x);
template <class Scalar>
constexpr auto masked_with(auto mask) {
  return proof::forward_in<Scalar>(attention_layer{mask}, checks::params, checks::x).weights;
}

// Row sums.
template <class Scalar>
constexpr finding recorded_rows =
    proof::rows_sum_to_one_in_low_precision(recorded_in<Scalar>.weights);
template <class Scalar, std::size_t T>
constexpr finding rows_at_length = [] {
  auto const input = checks::make_sample<double, T, 3, 2>(T);
  auto const trace = proof::forward_in<Scalar>(attention_layer{}, input.params, input.x);
  return proof::rows_sum_to_one_in_low_precision(trace.weights);
}();
template <class Scalar>
constexpr finding rows_at_lengths_1_to_16 = []<std::size_t... I>(std::index_sequence<I...>) {
  return first_broken(rows_at_length<Scalar, I + 1>...);
}(std::make_index_sequence<16>{});

constexpr certificate_row sums{.guarantee = "each row of weights sums to 1, measured exactly",
                               .layer = "causal, bfloat16 and float16, T = 6, d_model 4, d_head 2",
                               .inputs = "this sentence",
                               .bound = "T·u / (1 − T·u/2), u = 2⁻⁸ and 2⁻¹¹",
                               .check = "proof_low_precision"};
certified const sums_entry{
    sums.certified_by({guarantee::rows_sum_to_one<recorded_rows<bfloat16>>(),
                       guarantee::rows_sum_to_one<recorded_rows<float16>>()})};
constexpr certificate_row many{.guarantee = "each row of weights sums to 1, measured exactly",
                               .layer = "causal, bfloat16 and float16, T = 1…16, widths 3×2",
                               .inputs = "one random input a shape",
                               .bound = "T·u / (1 − T·u/2), u = 2⁻⁸ and 2⁻¹¹",
                               .check = "proof_low_precision"};
certified const many_entry{
    many.certified_by({guarantee::rows_sum_to_one<rows_at_lengths_1_to_16<bfloat16>>(),
                       guarantee::rows_sum_to_one<rows_at_lengths_1_to_16<float16>>()})};

/// The last row of a longer sequence, of numbers between −1 and 1.
template <class Scalar, std::size_t T>
constexpr finding last_row = [] {
  proof::layer_input<Scalar, 1, T, T> const input{checks::input_of<Scalar>{}};
  return proof::rows_sum_to_one_in_low_precision(
      proof::row_as_layer<T - 1>{}.forward(input.params, input.x).weights);
}();
constexpr certificate_row rows{.guarantee = "each row of weights sums to 1, measured exactly",
                               .layer = "causal, float16, the last row of T = 32, d_head 32",
                               .inputs = "one random input",
                               .bound = "T·u / (1 − T·u/2), u = 2⁻¹¹",
                               .check = "proof_low_precision"};
certified const rows_entry{
    rows.certified_by({guarantee::rows_sum_to_one<last_row<float16, 32>>()})};

// The bound: above T·u, by little, and none where T·u reaches 2.
static_assert(proof::row_sum_bound<float16>(1) == 0x1p-11 / (1 - 0x1p-12) + 0x1p-25);
static_assert(proof::row_sum_bound<float16>(1) > 0x1p-11);
static_assert(proof::row_sum_bound<float16>(1) < 0x1.01p-11);
static_assert(proof::row_sum_bound<bfloat16>(6) > 6 * 0x1p-8);
static_assert(proof::row_sum_bound<bfloat16>(6) < 6.1 * 0x1p-8);
static_assert(proof::row_sum_bound<float>(6) < 6.001 * 0x1p-24);
static_assert(proof::row_sum_bound<bfloat16>(512) == std::numeric_limits<double>::infinity());
static_assert(proof::row_sum_bound<bfloat16>(511) < 1024);
// Every row of finite scores, whatever they are: within 1 % up to these lengths, and within 10 %.
static_assert(proof::largest_length_within<bfloat16>(0) == 0);  // not even one score
static_assert(proof::largest_length_within<bfloat16>(0.01) == 2);
static_assert(proof::largest_length_within<float16>(0.01) == 20);
static_assert(proof::largest_length_within<bfloat16>(0.1) == 24);
static_assert(proof::largest_length_within<float16>(0.1) == 195);

// Refused: one unit beyond 1; and the rows of bfloat16, held to the bound of float16.
using one_weight = tensor<float16, queries<1>, keys<1>>;
static_assert(proof::rows_sum_to_one_in_low_precision(one_weight{{float16{1}}}).holds);
static_assert(!proof::rows_sum_to_one_in_low_precision(one_weight{{float16{1 + 0x1p-10}}}).holds);
static_assert(
    !proof::rows_sum_to_one(recorded_in<bfloat16>.weights, proof::row_sum_bound<float16>(6)).holds);

// The future.
template <class Scalar>
constexpr finding recorded_future = proof::future_weights_are_zero(recorded_in<Scalar>.weights);
constexpr certificate_row zeros{.guarantee = "no weight on a later position",
                                .layer = "causal, bfloat16 and float16, T = 6, d_model 4, d_head 2",
                                .inputs = "this sentence",
                                .bound = "exactly +0",
                                .check = "proof_low_precision"};
certified const zeros_entry{
    zeros.certified_by({guarantee::future_weights_are_zero<recorded_future<bfloat16>>(),
                        guarantee::future_weights_are_zero<recorded_future<float16>>()})};

// Refused: both wrong masks, a mask that looks one token ahead, the least number, and −0.
constexpr bool refuses_the_wrong_masks(auto const& weights_with) {
  auto const refused = [&](auto mask) {
    return proof::future_weights_are_zero(weights_with(mask)) == broken_at(part::weights, 0, 1);
  };
  return refused(mask::none) && refused(mask::zero) && refused(broken::looks_one_token_ahead{});
}
static_assert(refuses_the_wrong_masks([](auto mask) { return masked_with<bfloat16>(mask); }));
static_assert(refuses_the_wrong_masks([](auto mask) { return masked_with<float16>(mask); }));
template <class Scalar>
constexpr bool holds_with_a_future_of(Scalar future) {
  tensor<Scalar, queries<2>, keys<2>> weights;
  weights(0, 0) = weights(1, 1) = Scalar{1};
  weights(0, 1) = future;
  return proof::future_weights_are_zero(weights).holds;
}
static_assert(holds_with_a_future_of(float16{}) && holds_with_a_future_of(bfloat16{}));
static_assert(!holds_with_a_future_of(std::numeric_limits<float16>::denorm_min()));
static_assert(!holds_with_a_future_of(-float16{}) && !holds_with_a_future_of(-bfloat16{}));

// The distance from double, at this sentence: less than the rounding of a number next to 1.
template <class Scalar>
constexpr double rounding_of_1 = static_cast<double>(std::numeric_limits<Scalar>::epsilon()) / 2;
template <class Scalar>
constexpr finding weights_are_close = proof::is_close_to_double(
    part::weights, recorded_in<Scalar>.weights, exact.weights, rounding_of_1<Scalar>);
template <class Scalar>
constexpr finding out_is_close =
    proof::is_close_to_double(part::out, recorded_in<Scalar>.out, exact.out, rounding_of_1<Scalar>);
template <class Scalar>
constexpr double distance_of_out =
    proof::largest_distance(recorded_in<Scalar>.out, exact.out).largest;
template <class Scalar>
constexpr double distance_of_weights =
    proof::largest_distance(recorded_in<Scalar>.weights, exact.weights).largest;

template <class Scalar>
constexpr certificate_row distance(char const* layer, char const* bound) {
  return {
      .guarantee = "out and weights are the double's but for a rounding of 1; of out, the largest",
      .layer = layer,
      .inputs = "this sentence",
      .bound = bound,
      .check = "proof_low_precision",
      .measured = {distance_of_out<Scalar>, "of 1"}};
}
certified const bfloat16_entry{
    distance<bfloat16>("causal, bfloat16 against double, T = 6, d_model 4, d_head 2", "2⁻⁸")
        .certified_by({guarantee::is_close_to_double<weights_are_close<bfloat16>>(),
                       guarantee::is_close_to_double<out_is_close<bfloat16>>()})};
certified const float16_entry{
    distance<float16>("causal, float16 against double, T = 6, d_model 4, d_head 2", "2⁻¹¹")
        .certified_by({guarantee::is_close_to_double<weights_are_close<float16>>(),
                       guarantee::is_close_to_double<out_is_close<float16>>()})};

// Eight times the precision is seen: neither type passes for the other, and 0 is not reached.
static_assert(distance_of_out<bfloat16> > 8 * distance_of_out<float16>);
static_assert(distance_of_weights<bfloat16> > 8 * distance_of_weights<float16>);
static_assert(distance_of_out<float16> > 0 && distance_of_weights<float16> > 0);
// Refused: no mask, and the bound of float16 for bfloat16.
static_assert(!proof::is_close_to_double(part::weights, masked_with<float16>(mask::none),
                                         exact.weights, rounding_of_1<float16>)
                   .holds);
static_assert(!proof::is_close_to_double(part::out, recorded_in<bfloat16>.out, exact.out,
                                         rounding_of_1<float16>)
                   .holds);

// The length at which a running sum stands still.
template <class Scalar>
constexpr std::size_t limit = proof::largest_safe_length<Scalar>();
static_assert(limit<bfloat16> == 256 && limit<float16> == 2048);
static_assert(limit<float> == 16'777'216);
template <class Scalar, std::size_t Length>
constexpr double ones = static_cast<double>(proof::running_sum_of_ones<Scalar>(Length));
template <class Scalar, std::size_t Limit = limit<Scalar>>
constexpr bool stands_still_at_the_limit =
    ones<Scalar, Limit - 1> == Limit - 1 && ones<Scalar, Limit> == Limit &&
    ones<Scalar, Limit + 1> == Limit && ones<Scalar, 2 * Limit> == Limit;
static_assert(stands_still_at_the_limit<bfloat16> && stands_still_at_the_limit<float16>);
static_assert(!stands_still_at_the_limit<float16, 256>);

// Each weight of equal scores is 1 over that sum; the product has few enough bits to be exact.
template <class Scalar, std::size_t Length>
constexpr double sum_of_equal_scores =
    Length * static_cast<double>(Scalar{1} / proof::running_sum_of_ones<Scalar>(Length));
template <class Scalar>
constexpr finding equal_scores_sum_to_one_up_to_the_limit{
    .holds = sum_of_equal_scores<Scalar, limit<Scalar>> == 1};
constexpr certificate_row length{
    .guarantee = "the largest row of equal scores that sums to exactly 1",
    .layer = "running sum of the softmax, float16; in bfloat16, 256",
    .inputs = "equal scores",
    .bound = "2ᵖ, p bits of precision",
    .check = "proof_low_precision",
    .measured = {static_cast<double>(limit<float16>), "keys"}};
certified const length_entry{length.certified_by(
    {guarantee::rows_sum_to_one<equal_scores_sum_to_one_up_to_the_limit<bfloat16>>(),
     guarantee::rows_sum_to_one<equal_scores_sum_to_one_up_to_the_limit<float16>>()})};

// Seen to fail: with one key more each weight is still one part in 2ᵖ; with twice as many the sum is 2.
static_assert(sum_of_equal_scores<bfloat16, 257> == 257.0 / 256);
static_assert(sum_of_equal_scores<float16, 2049> == 2049.0 / 2048);
static_assert(sum_of_equal_scores<float16, 4096> == 2);
static_assert(sum_of_equal_scores<float, 4096> == 1);

// The softmax itself: a row of Equal scores of 0, then Smaller ones of −0.714; exp of that is 0.49.
// For float16 runtime_tests/soft_float_test.cpp has it, since 2048 keys are too many steps here.
template <std::size_t Equal, std::size_t Smaller = 0>
constexpr double sum_of_a_bfloat16_row = [] {
  tensor<bfloat16, queries<1>, keys<Equal + Smaller>> scores;
  for (std::size_t key = Equal; key < Equal + Smaller; ++key) {
    scores(0, key) = bfloat16{-0.714};
  }
  auto weights = scores;
  softmax<keys>(scores, weights);
  exact_sum sum;
  for (bfloat16 const& weight : weights.elements) {
    sum.add(static_cast<double>(weight));
  }
  return sum.rounded();
}();
static_assert(sum_of_a_bfloat16_row<256> == 1 && sum_of_a_bfloat16_row<257> == 257.0 / 256);
static_assert(sum_of_a_bfloat16_row<512> == 2);
// Unequal scores lose keys below that length, as the bound says: 128 ones, then 128 of 0.49.
static_assert(sum_of_a_bfloat16_row<128, 128> > 1.48);
static_assert(sum_of_a_bfloat16_row<128, 128> < 1 + proof::row_sum_bound<bfloat16>(256));

}  // namespace
}  // namespace attest
