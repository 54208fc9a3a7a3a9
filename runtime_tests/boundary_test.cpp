// SPDX-License-Identifier: BSL-1.0
// boundary_test.cpp — what arrives at run time becomes a type, or an error that says what was wrong.
#include "error_of.hpp"

#include <attest/attention.hpp>
#include <attest/runtime.hpp>

#include <gtest/gtest.h>

#include <array>
#include <forward_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace attest::runtime {
namespace {

using rows_type = std::vector<std::vector<double>>;
using two_by_three = tensor<double, tokens<2>, d_model<3>>;

std::string error_of_rows(rows_type const& rows) {
  return error_of<std::invalid_argument>(
      [&] { tensor_from_rows<double, tokens<2>, d_model<3>>(rows); });
}

TEST(TensorFromRows, KeepsEveryEntryInItsPlace) {
  auto const x =
      tensor_from_rows<double, tokens<2>, d_model<3>>(rows_type{{1, 2, 3}, {4, 5, -0.0}});
  EXPECT_EQ(x, (two_by_three{{1, 2, 3}, {4, 5, -0.0}}));
}

TEST(TensorFromRows, TakesAnyRangeOfRanges) {
  two_by_three const expected{{1, 2, 3}, {4, 5, 6}};
  int const array[2][3] = {{1, 2, 3}, {4, 5, 6}};
  std::array<std::forward_list<float>, 2> const lists{{{1, 2, 3}, {4, 5, 6}}};
  EXPECT_EQ((tensor_from_rows<double, tokens<2>, d_model<3>>(array)), expected);
  EXPECT_EQ((tensor_from_rows<double, tokens<2>, d_model<3>>(lists)), expected);
}

TEST(TensorFromRows, NoRowsAreAnEmptySequence) {
  EXPECT_EQ(error_of_rows({}), "empty sequence: attention needs at least one position");
}

TEST(TensorFromRows, AnotherNumberOfRowsIsNamed) {
  EXPECT_EQ(error_of_rows({{1, 2, 3}}), "wrong number of rows: tokens expects 2, got 1");
  EXPECT_EQ(error_of_rows({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}),
            "wrong number of rows: tokens expects 2, got 3");
}

TEST(TensorFromRows, AnotherWidthIsNamedWithItsRow) {
  EXPECT_EQ(error_of_rows({{1, 2, 3}, {1, 2}}),
            "wrong width of row 1: d_model expects 3 numbers, got 2");
  EXPECT_EQ(error_of_rows({{1, 2, 3, 4}, {1, 2}}),
            "wrong width of row 0: d_model expects 3 numbers, got 4");
  EXPECT_EQ(error_of_rows({{1, 2, 3}, {}}),
            "wrong width of row 1: d_model expects 3 numbers, got 0");
  EXPECT_EQ(error_of<std::invalid_argument>(
                [] { tensor_from_rows<double, tokens<1>, d_head<1>>(rows_type{{1, 2}}); }),
            "wrong width of row 0: d_head expects 1 number, got 2");
}

TEST(WithMask, PicksTheTypeThatTheTextNames) {
  auto const name_of = [](std::string_view text) {
    return with_mask(text, []<class Mask>(Mask) { return std::string_view(Mask::name); });
  };
  EXPECT_EQ(name_of("causal"), "causal");
  EXPECT_EQ(name_of("none"), "none");
  EXPECT_EQ(name_of("zero"), "zero");
  EXPECT_TRUE(
      with_mask("none", []<class Mask>(Mask) { return std::is_same_v<Mask, mask::none_t>; }));
}

TEST(WithMask, UnknownTextListsTheModesAndTurnsNothingOff) {
  bool called = false;
  auto const error_for = [&](std::string_view text) {
    return error_of<std::invalid_argument>([&] { with_mask(text, [&](auto) { called = true; }); });
  };
  EXPECT_EQ(error_for("upper"), "unknown mask \"upper\": expected one of causal, none, zero");
  EXPECT_EQ(error_for(""), "unknown mask \"\": expected one of causal, none, zero");
  EXPECT_EQ(error_for("Causal"), "unknown mask \"Causal\": expected one of causal, none, zero");
  EXPECT_EQ(error_for("causal "), "unknown mask \"causal \": expected one of causal, none, zero");
  EXPECT_FALSE(called);
}

TEST(WithTokens, PicksTheInstanceOfEveryLength) {
  for (std::size_t count = 1; count <= 64; ++count) {
    EXPECT_EQ(with_tokens<64>(count, []<std::size_t T>(tokens<T>) { return T; }), count);
  }
}

TEST(WithTokens, RunsALayerOfThatLength) {
  rows_type const rows{{1, 2}, {3, 4}, {5, 6}};
  attention_params<double, d_model<2>, d_head<1>> params;
  params.Wv(0, 0) = params.Wo(0, 1) = 1;
  auto const last = with_tokens<4>(rows.size(), [&]<std::size_t T>(tokens<T>) {
    auto const x = tensor_from_rows<double, tokens<T>, d_model<2>>(rows);
    return attention_forward(params, x, mask::causal).out(T - 1, 1);
  });
  EXPECT_DOUBLE_EQ(last, 3);  // the mean of 1, 3 and 5, as every score is 0
}

TEST(WithTokens, RefusesNoneAndTooMany) {
  bool called = false;
  auto const error_for = [&](std::size_t count) {
    return error_of<std::invalid_argument>(
        [&] { with_tokens<64>(count, [&](auto) { called = true; }); });
  };
  EXPECT_EQ(error_for(0), "empty sequence: attention needs at least one position");
  EXPECT_EQ(error_for(65), "sequence too long: at most 64 tokens, got 65");
  EXPECT_EQ(error_for(static_cast<std::size_t>(-1)),
            "sequence too long: at most 64 tokens, got 18446744073709551615");
  EXPECT_FALSE(called);
}

// Rows must be ranges of numbers: what is not does not compile.
static_assert(range_of_rows<rows_type const&, double>);
static_assert(!range_of_rows<std::vector<double> const&, double>);
static_assert(!range_of_rows<std::vector<std::vector<std::string>> const&, double>);

}  // namespace
}  // namespace attest::runtime
