// SPDX-License-Identifier: BSL-1.0
// exact_proofs_at_run_time_test.cpp — the proofs of gradients, of row sums and in low precision for shapes
// that are too large for the compiler, with the faults that they refuse there.
#include "broken_layers.hpp"
#include "broken_layers_of_softmax.hpp"
#include "large_stack.hpp"
#include "recorded_input.hpp"

#include <attest/proof/exact_gradients.hpp>
#include <attest/proof/layer.hpp>
#include <attest/proof/low_precision.hpp>
#include <attest/proof/row_sums.hpp>
#include <attest/proof/weights.hpp>
#include <attest/scalar/bfloat16.hpp>
#include <attest/scalar/float16.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace attest {
namespace {

/// Read at run time, so that g++ 12 does not try to evaluate the whole proof while it compiles.
std::uint64_t volatile one = 1;

TEST(ExactGradients, AreTheDerivativesFor512TokensOfWidth64) {
  auto const exact_in = [](auto const& layer) {
    return on_a_large_stack([&] { return proof::gradients_are_exact<512, 64, 64>(layer, one); });
  };
  EXPECT_EQ(exact_in(attention_layer<>{}), finding{});
  EXPECT_EQ(exact_in(broken::drops_a_path_of_x<part::v>{}), broken_at(part::x, 0, 0));
  EXPECT_LT(proof::chance_of_a_false_gradient(512), 2e-7);
}

TEST(ExactGradients, AreTheDerivativesWithoutAMaskAndWithAWrongOne) {
  EXPECT_EQ((proof::gradients_are_exact<64, 16, 8>(attention_layer<mask::none_t>{}, one)),
            finding{});
  EXPECT_EQ((proof::gradients_are_exact<64, 16, 8>(attention_layer<mask::zero_t>{}, one)),
            finding{});
}

TEST(ExactGradients, AreTheDerivativesFromManySeeds) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_EQ((proof::gradients_are_exact<6, 4, 2>(attention_layer<>{}, seed)), finding{}) << seed;
  }
}

TEST(ExactGradients, AreRefusedFromManySeeds) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_EQ((proof::gradients_are_exact<6, 4, 2>(broken::forgets_the_sum{}, seed)),
              broken_at(part::Wq, 0, 0))
        << seed;
    EXPECT_EQ((proof::gradients_are_exact<6, 4, 2>(
                  broken::with_softmax<broken::softmaxes::forgets_the_maximum_in_the_sum>{}, seed)),
              broken_at(part::Wq, 0, 0))
        << seed;
  }
}

TEST(ExactGradients, OfABrokenLayerAreRefusedAtLength64) {
  EXPECT_EQ((proof::gradients_are_exact<64, 16, 8>(broken::forgets_the_scale{}, one)),
            broken_at(part::Wq, 0, 0));
  EXPECT_EQ((proof::gradients_are_exact<64, 16, 8>(broken::drops_a_path_of_x<part::k>{}, one)),
            broken_at(part::x, 0, 0));
}

constexpr std::size_t T = 512;
constexpr std::size_t D = 64;
constexpr std::size_t H = 64;

TEST(RowSums, AreProvedFor512TokensOfWidth64) {
  auto const x =
      std::make_unique<tensor<share, tokens<T>, d_model<D>>>(proof::any_x<T, D>(one << 32));
  auto const params = std::make_unique<attention_params<share, d_model<D>, d_head<H>>>(
      proof::any_params<D, H>(one));
  auto const trace = std::make_unique<attention_trace<share, tokens<T>, d_model<D>, d_head<H>>>();
  attention_forward(*params, *x, mask::causal, *trace);

  auto const sums = proof::rows_sum_to_one(trace->weights);
  EXPECT_EQ(sums.found, finding{});
  EXPECT_EQ(sums.roundings, T);
  EXPECT_LT(sums.bound(), 5.7e-14);
  auto const hull = proof::mixed_is_in_the_hull_of_v(trace->weights, trace->v, trace->mixed);
  EXPECT_EQ(hull.found, finding{});
  EXPECT_EQ(hull.roundings, 2 * T);

  // One weight too few.
  trace->weights(T - 1, 0) = share{};
  EXPECT_EQ(proof::rows_sum_to_one(trace->weights).found, broken_at(part::weights, T - 1, 0));
  EXPECT_EQ(proof::mixed_is_in_the_hull_of_v(trace->weights, trace->v, trace->mixed).found,
            broken_at(part::mixed, T - 1, 0));
}

TEST(RowSums, OfABrokenLayerAreRefusedAtLength64) {
  auto const params = proof::any_params<8, 4>(one);
  auto const x = proof::any_x<64, 8>(one << 32);
  broken::with_softmax<broken::softmaxes::sums_without_a_key> const short_sums;
  EXPECT_EQ(proof::rows_sum_to_one(short_sums.forward(params, x).weights).found,
            broken_at(part::weights, 1, 0));
  broken::with_values<broken::values::in_reverse> const reversed;
  auto const trace = reversed.forward(params, x);
  EXPECT_EQ(proof::rows_sum_to_one(trace.weights).found, finding{});
  EXPECT_EQ(proof::mixed_is_in_the_hull_of_v(trace.weights, trace.v, trace.mixed).found,
            broken_at(part::mixed, 1, 0));
}

/// Scores from nearly equal to so far apart that quotients underflow.
template <class Scalar>
void expect_within_the_bound(double spread) {
  constexpr std::size_t keys_of_row = 64;
  auto const proved = proof::rows_sum_to_one(
      attention_forward(proof::any_params<1, 1>(one), proof::any_x<keys_of_row, 1>(one << 32))
          .weights);
  ASSERT_TRUE(proved.found.holds);
  double const bound = proved.template bound<Scalar>();
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    auto input =
        checks::make_sample<Scalar, keys_of_row, 4, 2>(seed + static_cast<std::uint32_t>(one));
    for (auto& element : input.x.elements) {
      element *= static_cast<Scalar>(spread);
    }
    auto const trace = attention_forward(input.params, input.x);
    EXPECT_TRUE(proof::rows_sum_to_one(trace.weights, bound).holds) << spread << ' ' << seed;
    for (std::size_t query = 0; query < keys_of_row; ++query) {
      for (std::size_t channel = 0; channel < 2; ++channel) {
        auto least = static_cast<double>(trace.v(0, channel));
        double most = least;
        for (std::size_t key = 1; key <= query; ++key) {
          least = std::min(least, static_cast<double>(trace.v(key, channel)));
          most = std::max(most, static_cast<double>(trace.v(key, channel)));
        }
        double const slack = 2 * bound * std::max(std::abs(least), std::abs(most));
        EXPECT_LE(static_cast<double>(trace.mixed(query, channel)), most + slack);
        EXPECT_GE(static_cast<double>(trace.mixed(query, channel)), least - slack);
      }
    }
  }
}

TEST(RowSums, ThatAreMeasuredStayWithinTheBound) {
  for (double const spread : {1e-3, 1.0, 10.0, 30.0, 1000.0}) {
    expect_within_the_bound<double>(spread);
    expect_within_the_bound<float>(spread);
  }
}

/// Of 512 tokens of width 64: the future, and the rows' sums.
template <class Scalar, class Mask = mask::causal_t>
std::pair<finding, finding> weights_in(Mask mask = {}) {
  return on_a_large_stack([&] {
    auto const input = checks::make_sample<double, T, D, H>(static_cast<std::uint32_t>(one));
    auto const trace = proof::forward_in<Scalar>(attention_layer{mask}, input.params, input.x);
    return std::pair{proof::future_weights_are_zero(trace.weights),
                     proof::rows_sum_to_one_in_low_precision(trace.weights)};
  });
}

TEST(LowPrecision, OfFloat16IsWithinItsBoundFor512Tokens) {
  EXPECT_LT(proof::row_sum_bound<float16>(T), 0.29);
  EXPECT_EQ(weights_in<float16>(), std::pair(finding{}, finding{}));
  EXPECT_EQ(weights_in<float16>(mask::none).first, broken_at(part::weights, 0, 1));
}

TEST(LowPrecision, OfBfloat16HasNoBoundFor512Tokens) {
  EXPECT_EQ(proof::row_sum_bound<bfloat16>(T), std::numeric_limits<double>::infinity());
  EXPECT_EQ(weights_in<bfloat16>(), std::pair(finding{}, broken_at(part::weights, 0, 0)));
}

}  // namespace
}  // namespace attest
