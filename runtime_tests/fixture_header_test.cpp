// SPDX-License-Identifier: BSL-1.0
// fixture_header_test.cpp — the constants that CMake makes of the fixtures are what the files hold, to
// the bit: every value of both files, read again by another parser.
#include <recorded/full_precision_fixture.hpp>
#include <recorded/trace_fixture.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>

namespace attest::recorded {
namespace {

using nlohmann::json;

bool holds(json const& value, std::size_t constant) {
  return value.is_number_unsigned() && value.get<std::size_t>() == constant;
}

bool holds(json const& value, char const* constant) {
  return value.is_string() && value.get<std::string>() == constant;
}

bool holds(json const& value, double constant) {
  double number = -std::numeric_limits<double>::infinity();
  if (value.is_number()) {
    number = value.get<double>();
  } else if (value.is_string()) {
    number = std::strtod(value.get<std::string>().c_str(), nullptr);  // "0x1.8p-1" and "-inf"
  } else if (!value.is_null()) {
    return false;
  }
  return std::bit_cast<std::uint64_t>(number) == std::bit_cast<std::uint64_t>(constant);
}

template <class Element, std::size_t Extent>
bool holds(json const& value, Element const (&constants)[Extent]) {
  bool all = value.is_array() && value.size() == Extent;
  for (std::size_t i = 0; all && i < Extent; ++i) {
    all = holds(value[i], constants[i]);
  }
  return all;
}

/// A file, from which each member that a constant holds is taken out.
class fixture_file {
 public:
  explicit fixture_file(char const* name)
      : left_(json::parse(std::ifstream{std::string{ATTEST_FIXTURES "/"} + name})) {}

  /// `where` is a JSON pointer, as in /params/Wq.
  template <class Constant>
  void expect(char const* where, Constant const& constant) {
    json::json_pointer const pointer{where};
    ASSERT_TRUE(left_.contains(pointer)) << where;
    EXPECT_TRUE(holds(left_[pointer], constant)) << where << " is " << left_[pointer];
    take_out(pointer);
  }

  json const& left() const { return left_; }

 private:
  void take_out(json::json_pointer const& pointer) {
    json& parent = left_[pointer.parent_pointer()];
    parent.erase(pointer.back());
    if (parent.empty() && !pointer.parent_pointer().empty()) {
      take_out(pointer.parent_pointer());
    }
  }

  json left_;
};

TEST(FixtureHeader, HoldsTheRecordedTraceToTheBit) {
  namespace constants = trace_fixture;
  fixture_file file{"attention-trace.json"};
  file.expect("/sentence", constants::sentence);
  file.expect("/tokens", constants::tokens);
  file.expect("/ids", constants::ids);
  file.expect("/changed_sentence", constants::changed_sentence);
  file.expect("/changed_tokens", constants::changed_tokens);
  file.expect("/d_model", constants::d_model);
  file.expect("/d_head", constants::d_head);
  file.expect("/seed", constants::seed);
  file.expect("/shapes/q", constants::shapes::q);
  file.expect("/shapes/k", constants::shapes::k);
  file.expect("/shapes/v", constants::shapes::v);
  file.expect("/shapes/scores", constants::shapes::scores);
  file.expect("/shapes/weights", constants::shapes::weights);
  file.expect("/shapes/mixed", constants::shapes::mixed);
  file.expect("/shapes/out", constants::shapes::out);
  file.expect("/x", constants::x);
  file.expect("/params/Wq", constants::params::Wq);
  file.expect("/params/Wk", constants::params::Wk);
  file.expect("/params/Wv", constants::params::Wv);
  file.expect("/params/Wo", constants::params::Wo);
  file.expect("/q", constants::q);
  file.expect("/k", constants::k);
  file.expect("/v", constants::v);
  file.expect("/scores", constants::scores);
  file.expect("/weights", constants::weights);
  file.expect("/out", constants::out);
  file.expect("/row_sums", constants::row_sums);
  file.expect("/masks/causal/rows_changed_by_the_edit",
              constants::masks::causal::rows_changed_by_the_edit);
  file.expect("/masks/causal/weight_on_future_row_0",
              constants::masks::causal::weight_on_future_row_0);
  file.expect("/masks/none/rows_changed_by_the_edit",
              constants::masks::none::rows_changed_by_the_edit);
  file.expect("/masks/none/weight_on_future_row_0", constants::masks::none::weight_on_future_row_0);
  file.expect("/masks/zero/rows_changed_by_the_edit",
              constants::masks::zero::rows_changed_by_the_edit);
  file.expect("/masks/zero/weight_on_future_row_0", constants::masks::zero::weight_on_future_row_0);
  file.expect("/gradient_check/epsilon", constants::gradient_check::epsilon);
  file.expect("/gradient_check/max_error_rounded", constants::gradient_check::max_error_rounded);
  EXPECT_EQ(file.left(), json::object());
}

TEST(FixtureHeader, HoldsTheFullPrecisionRunToTheBit) {
  namespace constants = full_precision_fixture;
  fixture_file file{"attention-full-precision.json"};
  file.expect("/_note", constants::_note);
  file.expect("/python", constants::python);
  file.expect("/ids", constants::ids);
  file.expect("/x", constants::x);
  file.expect("/params/Wq", constants::params::Wq);
  file.expect("/params/Wk", constants::params::Wk);
  file.expect("/params/Wv", constants::params::Wv);
  file.expect("/params/Wo", constants::params::Wo);
  file.expect("/readout", constants::readout);
  file.expect("/q", constants::q);
  file.expect("/k", constants::k);
  file.expect("/v", constants::v);
  file.expect("/scores", constants::scores);
  file.expect("/weights", constants::weights);
  file.expect("/mixed", constants::mixed);
  file.expect("/out", constants::out);
  file.expect("/grads/Wq", constants::grads::Wq);
  file.expect("/grads/Wk", constants::grads::Wk);
  file.expect("/grads/Wv", constants::grads::Wv);
  file.expect("/grads/Wo", constants::grads::Wo);
  file.expect("/d_x", constants::d_x);
  file.expect("/loss", constants::loss);
  file.expect("/numeric_grads/Wq", constants::numeric_grads::Wq);
  file.expect("/numeric_grads/Wk", constants::numeric_grads::Wk);
  file.expect("/numeric_grads/Wv", constants::numeric_grads::Wv);
  file.expect("/numeric_grads/Wo", constants::numeric_grads::Wo);
  file.expect("/max_err_unrounded", constants::max_err_unrounded);
  file.expect("/modes/none/q", constants::modes::none::q);
  file.expect("/modes/none/k", constants::modes::none::k);
  file.expect("/modes/none/v", constants::modes::none::v);
  file.expect("/modes/none/scores", constants::modes::none::scores);
  file.expect("/modes/none/weights", constants::modes::none::weights);
  file.expect("/modes/none/mixed", constants::modes::none::mixed);
  file.expect("/modes/none/out", constants::modes::none::out);
  file.expect("/modes/zero/q", constants::modes::zero::q);
  file.expect("/modes/zero/k", constants::modes::zero::k);
  file.expect("/modes/zero/v", constants::modes::zero::v);
  file.expect("/modes/zero/scores", constants::modes::zero::scores);
  file.expect("/modes/zero/weights", constants::modes::zero::weights);
  file.expect("/modes/zero/mixed", constants::modes::zero::mixed);
  file.expect("/modes/zero/out", constants::modes::zero::out);
  EXPECT_EQ(file.left(), json::object());
}

TEST(FixtureHeader, ComparisonSaysNo) {
  double const numbers[2] = {0.5, 0.25};
  EXPECT_TRUE(holds(json::parse("[0.5, 0.25]"), numbers));
  EXPECT_FALSE(holds(json::parse("[0.5, 0.25000000000000006]"), numbers));
  EXPECT_FALSE(holds(json::parse("[0.5]"), numbers));
  EXPECT_FALSE(holds(json::parse("[[0.5, 0.25]]"), numbers));
  EXPECT_FALSE(holds(json::parse("-0.0"), 0.0));
  EXPECT_FALSE(holds(json::parse("null"), 0.0));
  EXPECT_FALSE(holds(json::parse("58.0"), std::size_t{58}));
  EXPECT_FALSE(holds(json::parse("\"has\""), " has"));
}

}  // namespace
}  // namespace attest::recorded
