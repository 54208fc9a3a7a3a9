// SPDX-License-Identifier: BSL-1.0
// bits_test.cpp — what runs gives the bits that the compiler computed, for every tensor and gradient.
#include "recorded_input.hpp"
#include "unseen.hpp"

#include <attest/members.hpp>
#include <attest/print.hpp>

#include <gtest/gtest.h>

namespace attest {
namespace {

template <class Members>
void expect_same_members(Members const& at_run_time, Members const& in_the_compiler) {
  for_each_member(at_run_time, in_the_compiler,
                  [](auto const* name, auto const& run, auto const& compiled) {
                    EXPECT_EQ(run, compiled) << name;
                  });
}

template <class Scalar, std::size_t T, std::size_t D, std::size_t H, class Mask>
void expect_same_bits() {
  static constexpr auto input = checks::make_sample<Scalar, T, D, H>(T + D + H);
  static constexpr auto trace = attention_forward(input.params, input.x, Mask{});
  static constexpr auto gradients = attention_backward(input.params, input.x, trace, input.d_out);

  auto const params = unseen(input.params);
  auto const x = unseen(input.x);
  auto const run = attention_forward(params, x, Mask{});
  expect_same_members(run, trace);
  auto const run_gradients = attention_backward(params, x, run, unseen(input.d_out));
  expect_same_members(run_gradients.params, gradients.params);
  EXPECT_EQ(run_gradients.x, gradients.x);
}

TEST(Bits, OfTheRecordedSentenceAreTheCompilers) {
  static constexpr auto trace = attention_forward(checks::params, checks::x);
  static constexpr auto gradients =
      attention_backward(checks::params, checks::x, trace, checks::readout);
  auto const params = unseen(checks::params);
  auto const x = unseen(checks::x);
  auto const run = attention_forward(params, x);
  expect_same_members(run, trace);
  EXPECT_EQ(attention_backward(params, x, run, unseen(checks::readout)), gradients);
}

TEST(Bits, OfOtherShapesAreTheCompilers) {
  expect_same_bits<double, 1, 1, 1, mask::causal_t>();
  expect_same_bits<double, 5, 3, 7, mask::causal_t>();
  expect_same_bits<double, 17, 9, 5, mask::causal_t>();
  expect_same_bits<double, 16, 16, 16, mask::causal_t>();
  expect_same_bits<double, 6, 4, 2, mask::none_t>();
  expect_same_bits<double, 6, 4, 2, mask::zero_t>();
}

TEST(Bits, OfFloatAreTheCompilers) {
  expect_same_bits<float, 6, 4, 2, mask::causal_t>();
  expect_same_bits<float, 17, 9, 5, mask::causal_t>();
  expect_same_bits<float, 16, 16, 16, mask::none_t>();
  expect_same_bits<float, 5, 3, 7, mask::zero_t>();
}

TEST(Bits, AreSeenToDiffer) {
  auto changed = checks::x;
  changed(0, 0) = -0.0;
  auto other = changed;
  other(0, 0) = 0.0;
  EXPECT_FALSE(changed == other);
}

TEST(Bits, OfACallersTraceAreThoseOfAFreshOne) {
  auto const params = unseen(checks::params);
  auto const x = unseen(checks::x);
  auto const fresh = attention_forward(params, x, mask::causal);
  auto reused = attention_forward(params, x, mask::causal);
  for (auto* tensor : {&reused.scores, &reused.weights}) {
    fill(*tensor, std::numeric_limits<double>::quiet_NaN());
  }
  fill(reused.q, std::numeric_limits<double>::quiet_NaN());
  fill(reused.mixed, std::numeric_limits<double>::quiet_NaN());
  fill(reused.out, std::numeric_limits<double>::quiet_NaN());
  auto d_reused = reused;
  attention_forward(params, x, mask::causal, reused);
  expect_same_members(reused, fresh);

  auto const gradients = attention_backward(params, x, fresh, unseen(checks::readout));
  auto reused_gradients = gradients;
  fill(reused_gradients.x, std::numeric_limits<double>::quiet_NaN());
  fill(reused_gradients.params.Wq, std::numeric_limits<double>::quiet_NaN());
  attention_backward(params, x, reused, unseen(checks::readout), d_reused, reused_gradients);
  EXPECT_EQ(reused_gradients, gradients);
  EXPECT_EQ(d_reused.out, checks::readout);
}

}  // namespace
}  // namespace attest
