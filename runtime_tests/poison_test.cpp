// SPDX-License-Identifier: BSL-1.0
// poison_test.cpp — NaN, infinities and the largest numbers in a later row leave earlier rows alone,
// to the bit. At run time, because the compiler refuses to compute with them.
#include "recorded_input.hpp"
#include "unseen.hpp"

#include <attest/members.hpp>
#include <attest/print.hpp>
#include <attest/softmax.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace attest {
namespace {

template <class Scalar>
class Poison : public testing::Test {
 protected:
  static constexpr std::size_t T = 7;
  static constexpr std::size_t D = 4;
  static constexpr std::size_t H = 3;
  using limits = std::numeric_limits<Scalar>;
  using trace_type = attention_trace<Scalar, tokens<T>, d_model<D>, d_head<H>>;
  static constexpr auto input = checks::make_sample<Scalar, T, D, H>();
  static constexpr std::array poisons{limits::quiet_NaN(), limits::infinity(),
                                      -limits::infinity(), limits::max(),
                                      limits::lowest(),    limits::denorm_min()};

  template <class Tensor>
  static void poison_row(Tensor& tensor, std::size_t row, Scalar value) {
    for (std::size_t column = 0; column < tensor.extents[1]; ++column) {
      tensor(row, column) = value;
    }
  }

  template <class Tensor>
  static void expect_same_rows_before(std::size_t row, Tensor const& poisoned, Tensor const& clean,
                                      char const* name) {
    for (std::size_t i = 0; i < row; ++i) {
      EXPECT_EQ(poisoned.row(i), clean.row(i)) << name << " row " << i << ", poison in " << row;
    }
  }

  static void expect_same_trace_before(std::size_t row, trace_type const& poisoned,
                                       trace_type const& clean) {
    for_each_member(poisoned, clean,
                    [&](auto const* name, auto const& of_poisoned, auto const& of_clean) {
                      expect_same_rows_before(row, of_poisoned, of_clean, name);
                    });
  }

  /// From q, k and v on, as attention_forward goes.
  static void attend(trace_type& trace, auto const& params) {
    detail::scaled_dot_product_attention(trace.q, trace.k, trace.v, scored_pairs(trace.mask),
                                         attended_pairs{trace.mask}, trace.scores, trace.weights,
                                         trace.mixed);
    matmul(trace.mixed, params.Wo, rename<tokens, queries>(trace.out));
  }
};

using scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(Poison, scalars);

TYPED_TEST(Poison, InALaterRowOfXLeavesEarlierRowsOfTheTraceAlone) {
  auto const params = unseen(TestFixture::input.params);
  auto const x = unseen(TestFixture::input.x);
  auto const clean = attention_forward(params, x);
  for (auto const value : TestFixture::poisons) {
    for (std::size_t row = 1; row < TestFixture::T; ++row) {
      auto poisoned_x = x;
      TestFixture::poison_row(poisoned_x, row, value);
      TestFixture::expect_same_trace_before(row, attention_forward(params, poisoned_x), clean);
    }
  }
}

TYPED_TEST(Poison, InALaterKeyOrValueLeavesEarlierRowsOfTheTraceAlone) {
  auto const params = unseen(TestFixture::input.params);
  auto const clean = attention_forward(params, unseen(TestFixture::input.x));
  auto same = clean;
  TestFixture::attend(same, params);
  EXPECT_EQ(same.out, clean.out);
  for (auto const value : TestFixture::poisons) {
    for (std::size_t row = 1; row < TestFixture::T; ++row) {
      for (auto const of : {&TestFixture::trace_type::k, &TestFixture::trace_type::v}) {
        auto trace = clean;
        TestFixture::poison_row(trace.*of, row, value);
        TestFixture::attend(trace, params);
        TestFixture::expect_same_rows_before(row, trace.weights, clean.weights, "weights");
        TestFixture::expect_same_rows_before(row, trace.mixed, clean.mixed, "mixed");
        TestFixture::expect_same_rows_before(row, trace.out, clean.out, "out");
      }
    }
  }
}

/// Backward runs the other way: d_x of a row depends on d_out from that row on.
TYPED_TEST(Poison, InAnEarlierRowOfDOutLeavesLaterRowsOfDXAlone) {
  auto const params = unseen(TestFixture::input.params);
  auto const x = unseen(TestFixture::input.x);
  auto const d_out = unseen(TestFixture::input.d_out);
  auto const trace = attention_forward(params, x);
  auto const clean = attention_backward(params, x, trace, d_out);
  for (auto const value : TestFixture::poisons) {
    for (std::size_t row = 0; row + 1 < TestFixture::T; ++row) {
      auto poisoned = d_out;
      TestFixture::poison_row(poisoned, row, value);
      auto const gradients = attention_backward(params, x, trace, poisoned);
      for (std::size_t later = row + 1; later < TestFixture::T; ++later) {
        EXPECT_EQ(gradients.x.row(later), clean.x.row(later)) << "row " << later;
      }
    }
  }
}

/// What forward left in a later row of k or v reaches no earlier query's gradient.
TYPED_TEST(Poison, InALaterKeyOrValueLeavesEarlierQueriesGradientsAlone) {
  auto const params = unseen(TestFixture::input.params);
  auto const x = unseen(TestFixture::input.x);
  auto const d_out = unseen(TestFixture::input.d_out);
  auto const trace = attention_forward(params, x);
  auto clean = trace;
  auto gradients = attention_backward(params, x, trace, d_out);
  attention_backward(params, x, trace, d_out, clean, gradients);
  for (auto const value : TestFixture::poisons) {
    for (std::size_t row = 1; row < TestFixture::T; ++row) {
      for (auto const of : {&TestFixture::trace_type::k, &TestFixture::trace_type::v}) {
        auto poisoned = trace;
        TestFixture::poison_row(poisoned.*of, row, value);
        auto d_trace = trace;
        attention_backward(params, x, poisoned, d_out, d_trace, gradients);
        TestFixture::expect_same_rows_before(row, d_trace.weights, clean.weights, "d_weights");
        TestFixture::expect_same_rows_before(row, d_trace.scores, clean.scores, "d_scores");
        TestFixture::expect_same_rows_before(row, d_trace.q, clean.q, "d_q");
      }
    }
  }
}

TYPED_TEST(Poison, OfARowIsSeenFromThatRowOn) {
  auto const params = unseen(TestFixture::input.params);
  auto x = unseen(TestFixture::input.x);
  TestFixture::poison_row(x, 3, TestFixture::limits::quiet_NaN());
  auto const out = attention_forward(params, x).out;
  for (std::size_t row = 0; row < TestFixture::T; ++row) {
    EXPECT_EQ(out(row, 0) != out(row, 0), row >= 3) << row;
  }
}

/// A query without keys reads nothing: its weights, its output and what it gives back are exactly 0.
TYPED_TEST(Poison, AroundAQueryWithoutKeysLeavesItZero) {
  using Scalar = TypeParam;
  mask::ranges<queries<3>, keys<3>> const padding{{{{0, 0}, {1, 2}, {1, 3}}}};
  auto const three = checks::make_sample<Scalar, 3, 4, 2>();
  auto x = unseen(three.x);
  TestFixture::poison_row(x, 0, TestFixture::limits::quiet_NaN());
  auto const trace = attention_forward(three.params, x, padding);
  EXPECT_EQ(trace.weights.row(0), (tensor<Scalar, keys<3>>{}));
  EXPECT_EQ(trace.out.row(0), (tensor<Scalar, d_model<4>>{}));
  auto d_out = unseen(three.d_out);
  TestFixture::poison_row(d_out, 0, Scalar{0});
  auto const gradients = attention_backward(three.params, x, trace, d_out);
  EXPECT_EQ(gradients.x.row(0), (tensor<Scalar, d_model<4>>{}));
  // Rows 1 and 2 are what they are without the padding row.
  auto const clean_x = three.x;
  auto const clean = attention_forward(three.params, clean_x, padding);
  EXPECT_EQ(trace.out.row(1), clean.out.row(1));
  EXPECT_EQ(trace.out.row(2), clean.out.row(2));
}

}  // namespace
}  // namespace attest
