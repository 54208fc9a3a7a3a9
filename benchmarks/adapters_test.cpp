// SPDX-License-Identifier: BSL-1.0
// adapters_test.cpp — every contestant computes attention: a benchmark of wrong results says nothing.

#include <benchmarks/compile_time/layer_input.hpp>
#include <benchmarks/compile_time/plain_layer.hpp>
#include <benchmarks/of_attest.hpp>
#include <benchmarks/of_eigen.hpp>
#include <benchmarks/of_openblas.hpp>
#include <benchmarks/reference.hpp>
#include <benchmarks/stack_use.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <vector>

namespace attest::benchmarks {
namespace {

// Longer than a tile, with a remainder in each extent; the recorded shape; and a shape of the tables.
constexpr extents odd{2, 19, 10};
constexpr extents recorded{1, 6, 2};
constexpr extents measured{12, 64, 64};

template <class Scalar>
inline constexpr double bound = sizeof(Scalar) == 4 ? 1e-5 : 1e-13;

template <class Vector>
double difference(std::vector<double> const& expected, Vector const& got) {
  return largest_difference(expected, got.data(), got.size());
}
template <class Scalar, class... Axes>
double difference(std::vector<double> const& expected, tensor<Scalar, Axes...> const& got) {
  return largest_difference(expected, got.data(), got.size);
}

TEST(LargestDifference, SaysNo) {
  double const same[] = {1, 2};
  double const another[] = {1, 2.5};
  double const nan[] = {1, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(largest_difference({1, 2}, same, 2), 0);
  EXPECT_EQ(largest_difference({1, 2}, another, 2), 0.5);
  EXPECT_EQ(largest_difference({1, 2}, nan, 2), HUGE_VAL);
  EXPECT_EQ(largest_difference({1, 2}, same, 1), HUGE_VAL);
}

TEST(Reference, WithoutAMaskIsAnother) {
  attention_problem<float> const problem{odd};
  auto const causal = reference_attention(problem);
  auto const unmasked = reference_attention(problem, [](std::size_t) { return odd.tokens; });
  EXPECT_GT(difference(causal.out, unmasked.out), 0.1);
  EXPECT_GT(difference(causal.d_q, unmasked.d_q), 0.1);
  EXPECT_GT(difference(causal.d_k, unmasked.d_k), 0.1);
  EXPECT_GT(difference(causal.d_v, unmasked.d_v), 0.1);
}

template <class Library, class Scalar>
void expect_composed_is_attention() {
  for (extents const size : {odd, recorded, measured}) {
    composed_attention<Library, Scalar> attention{{size}, true};
    auto const expected = reference_attention(attention.problem);
    attention.forward();
    attention.backward();
    EXPECT_LT(difference(expected.out, attention.out), bound<Scalar>);
    EXPECT_LT(difference(expected.d_q, attention.d_q), bound<Scalar>);
    EXPECT_LT(difference(expected.d_k, attention.d_k), bound<Scalar>);
    EXPECT_LT(difference(expected.d_v, attention.d_v), bound<Scalar>);
    composed_attention<Library, Scalar> without_backward{{size}, false};
    without_backward.forward();
    EXPECT_LT(difference(expected.out, without_backward.out), bound<Scalar>);
  }
}

TEST(Eigen, IsAttention) {
  expect_composed_is_attention<eigen, float>();
  expect_composed_is_attention<eigen, double>();
}

TEST(OpenBlas, IsAttention) {
  expect_composed_is_attention<openblas, float>();
  expect_composed_is_attention<openblas, double>();
}

template <class Scalar, extents Size>
void expect_fused_is_attention() {
  attention_problem<Scalar> const problem{Size};
  auto const expected = reference_attention(problem);
  fused_attention<Scalar, Size> attention{problem};
  auto const& tensors = *attention.tensors;
  attention.forward();
  EXPECT_LT(difference(expected.out, tensors.out), bound<Scalar>);
  attention.backward();
  EXPECT_LT(difference(expected.d_q, tensors.d_q), bound<Scalar>);
  EXPECT_LT(difference(expected.d_k, tensors.d_k), bound<Scalar>);
  EXPECT_LT(difference(expected.d_v, tensors.d_v), bound<Scalar>);
}

TEST(Fused, IsAttention) {
  expect_fused_is_attention<float, odd>();
  expect_fused_is_attention<double, odd>();
  expect_fused_is_attention<float, recorded>();
  expect_fused_is_attention<double, recorded>();
  expect_fused_is_attention<float, measured>();
  expect_fused_is_attention<double, measured>();
}

/// Fused has the bits of traced, and of other weights it has not; the composed ones are near.
template <class Scalar, layer_extents Size>
void expect_layers_agree() {
  layer_problem<Scalar> const problem{Size};
  fused_layer<Scalar, Size> fused{problem};
  traced_layer<Scalar, Size> traced{problem};
  fused.forward();
  traced.forward();
  traced.backward();
  EXPECT_EQ(fused.tensors->out, traced.trace->out);

  auto other = problem;
  other.Wq[0] = -other.Wq[0];
  traced_layer<Scalar, Size> another{other};
  another.forward();
  EXPECT_NE(fused.tensors->out, another.trace->out);

  auto const expect_composed_agrees = [&](auto composed) {
    composed.forward();
    composed.backward();
    auto const as_doubles = [](auto const& values) {
      return std::vector<double>(values.begin(), values.end());
    };
    auto const& gradients = *traced.gradients;
    auto const& [Wq, Wk, Wv, Wo] = gradients.params;
    EXPECT_LT(difference(as_doubles(composed.out), traced.trace->out), bound<Scalar>);
    // Sums over tokens and d_model: ten times the kernel's bound.
    EXPECT_LT(difference(as_doubles(composed.d_x), gradients.x), 10 * bound<Scalar>);
    EXPECT_LT(difference(as_doubles(composed.d_Wq), Wq), 10 * bound<Scalar>);
    EXPECT_LT(difference(as_doubles(composed.d_Wk), Wk), 10 * bound<Scalar>);
    EXPECT_LT(difference(as_doubles(composed.d_Wv), Wv), 10 * bound<Scalar>);
    EXPECT_LT(difference(as_doubles(composed.d_Wo), Wo), 10 * bound<Scalar>);
  };
  expect_composed_agrees(composed_layer<eigen, Scalar>{problem, true});
  expect_composed_agrees(composed_layer<openblas, Scalar>{problem, true});
}

TEST(Layer, FusedHasTheBitsOfTracedAndPeersAgree) {
  expect_layers_agree<float, layer_extents{19, 12, 10}>();
  expect_layers_agree<double, layer_extents{19, 12, 10}>();
  expect_layers_agree<float, layer_extents{6, 4, 2}>();
  expect_layers_agree<double, layer_extents{6, 4, 2}>();
}

TEST(PlainLayer, HasTheBitsOfTheLayer) {
  constexpr layer_input<8> input;
  constexpr auto expected = attention_forward(input.params, input.x);
  constexpr auto plain = plain_layer(input.params, input.x);
  static_assert(plain.scores == expected.scores && plain.weights == expected.weights);
  static_assert(plain.mixed == expected.mixed && plain.out == expected.out);
  static_assert(plain.out != plain_layer(input.params, plain.out).out);
  EXPECT_EQ(plain_layer(input.params, input.x).out, expected.out);
}

TEST(StackUse, IsThatOfTheCall) {
  constexpr std::size_t bytes = 1 << 20;
  std::size_t const nothing = stack_use([] {});
  std::size_t const something = stack_use([] {
    unsigned char volatile used[bytes];
    for (auto& byte : used) {
      byte = 1;
    }
  });
  EXPECT_LT(nothing, bytes / 8);
  EXPECT_GT(something - nothing, bytes - bytes / 8);
  EXPECT_LT(something - nothing, bytes + bytes / 8);
}

}  // namespace
}  // namespace attest::benchmarks
