// SPDX-License-Identifier: BSL-1.0
// recorded_run_test.cpp — the reference's named tests, at run time, against the recorded file itself.
#include "broken_layers.hpp"
#include "unseen.hpp"
#include "error_of.hpp"

#include <attest/math/exact_sum.hpp>
#include <attest/proof/causality.hpp>
#include <attest/proof/gradients.hpp>
#include <attest/proof/layer.hpp>
#include <attest/proof/scale.hpp>
#include <attest/proof/weights.hpp>
#include <attest/runtime.hpp>
#include <recorded/cpython_round.hpp>
#include <recorded/run.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace attest {
namespace {

class RecordedRun : public testing::Test {
 protected:
  nlohmann::json const fixture =
      nlohmann::json::parse(std::ifstream{ATTEST_FIXTURES "/attention-trace.json"});
  attention_params<double, d_model<4>, d_head<2>> const params = unseen(recorded::params());
  tensor<double, tokens<6>, d_model<4>> const x = unseen(recorded::embed(recorded::ids));
  tensor<double, tokens<6>, d_model<4>> const readout = unseen(recorded::readout<6>());

  auto forward(auto mask) const { return attention_forward(params, x, mask); }

  /// x with the recorded edit, ball to hat, at the fifth token.
  tensor<double, tokens<6>, d_model<4>> edited() const {
    return proof::with_row(x, 4, recorded::embedding_table().row(recorded::hat_id));
  }

  template <class Tensor>
  void expect_recorded(Tensor const& tensor, nlohmann::json const& rows) const {
    std::size_t i = 0;
    for (auto const& row : rows) {
      for (auto const& entry : row) {
        double const record =
            entry.is_null() ? -std::numeric_limits<double>::infinity() : entry.get<double>();
        double const computed = tensor.elements.at(i++);
        EXPECT_TRUE(computed == record || recorded::cpython_round(computed, 4) == record)
            << "entry " << i - 1 << " of " << tensor << "\nis not the recorded " << record;
      }
    }
    EXPECT_EQ(i, tensor.size);
  }
};

TEST_F(RecordedRun, TraceIsUpToDate) {
  auto const trace = forward(mask::causal);
  expect_recorded(x, fixture.at("x"));
  expect_recorded(params.Wq, fixture.at("params").at("Wq"));
  expect_recorded(params.Wk, fixture.at("params").at("Wk"));
  expect_recorded(params.Wv, fixture.at("params").at("Wv"));
  expect_recorded(params.Wo, fixture.at("params").at("Wo"));
  expect_recorded(trace.q, fixture.at("q"));
  expect_recorded(trace.k, fixture.at("k"));
  expect_recorded(trace.v, fixture.at("v"));
  expect_recorded(trace.scores, fixture.at("scores"));
  expect_recorded(trace.weights, fixture.at("weights"));
  expect_recorded(trace.out, fixture.at("out"));
}

TEST_F(RecordedRun, ShapesAreTheRecordedOnes) {
  auto const trace = forward(mask::causal);
  for_each_member(trace, [&](char const* name, auto const& tensor) {
    EXPECT_EQ(fixture.at("shapes").at(name), nlohmann::json(tensor.extents)) << name;
  });
}

TEST_F(RecordedRun, RowsSumToOneAndFutureWeightsAreExactlyZero) {
  EXPECT_TRUE(proof::rows_sum_to_one(forward(mask::causal).weights, 1e-12).holds);
  EXPECT_TRUE(proof::rows_sum_to_one(forward(mask::none).weights, 1e-12).holds);
  EXPECT_TRUE(proof::rows_sum_to_one(forward(mask::zero).weights, 1e-12).holds);
  EXPECT_TRUE(proof::future_weights_are_zero(forward(mask::causal).weights).holds);
}

TEST_F(RecordedRun, GradientsMatchFiniteDifferences) {
  auto const error = proof::largest_gradient_error(attention_layer<>{}, params, x, readout, 1e-6);
  EXPECT_LT(error.largest, 1e-7);
  EXPECT_EQ(recorded::cpython_round(error.largest, 7),
            fixture.at("gradient_check").at("max_error_rounded").get<double>());
  RecordProperty("largest_error", std::to_string(error.largest * 1e9) + "e-9");
}

TEST_F(RecordedRun, GradientTestFailsForAWrongBackwardPass) {
  auto const error = [&](auto const& layer) {
    return proof::largest_gradient_error(layer, params, x, readout, 1e-6).largest;
  };
  EXPECT_GT(error(broken::forgets_the_sum{}), 1e-7);
  EXPECT_GT(error(broken::forgets_the_scale{}), 1e-7);
  EXPECT_GT(error(broken::exchanges_q_and_k{}), 1e-7);
  EXPECT_GT(error(broken::drops_a_path_of_x<part::q>{}), 1e-7);
  EXPECT_GT(error(broken::drops_a_path_of_x<part::k>{}), 1e-7);
  EXPECT_GT(error(broken::drops_a_path_of_x<part::v>{}), 1e-7);
}

TEST_F(RecordedRun, EachPositionAttendsToItself) {
  auto const weights = forward(mask::causal).weights;
  EXPECT_EQ(weights(0, 0), 1.0);
  for (std::size_t position = 0; position < 6; ++position) {
    EXPECT_GT(weights(position, position), 0.0);
  }
}

TEST_F(RecordedRun, ScoresAreScaledByTheRootOfDHead) {
  auto const trace = forward(mask::causal);
  EXPECT_TRUE(proof::scores_are_scaled(trace.q, trace.k, trace.scores, 1e-15).holds);
}

TEST_F(RecordedRun, AFutureTokenDoesNotChangeEarlierRows) {
  auto const out = forward(mask::causal).out;
  for (std::size_t position = 0; position < 6; ++position) {
    for (std::size_t id = 0; id < 105; ++id) {
      if (id == recorded::ids[position]) {
        continue;
      }
      EXPECT_EQ(proof::changes_reach_only_later_rows(attention_layer<>{}, params, x, out, position,
                                                     recorded::embedding_table().row(id)),
                finding{})
          << "token " << position << " became " << id;
    }
  }
}

TEST_F(RecordedRun, CausalityTestFailsForAMaskThatLooksOneTokenAhead) {
  attention_layer const ahead{broken::looks_one_token_ahead{}};
  auto const out = ahead.forward(params, x).out;
  EXPECT_EQ(proof::changes_reach_only_later_rows(ahead, params, x, out, 4,
                                                 recorded::embedding_table().row(recorded::hat_id)),
            broken_at(part::out, 3, 0));
}

TEST_F(RecordedRun, NoMaskLeaksToAllRows) {
  auto const changed = proof::changed_rows(forward(mask::none).out,
                                           attention_forward(params, edited(), mask::none).out);
  EXPECT_EQ(changed, (std::array{true, true, true, true, true, true}));
}

TEST_F(RecordedRun, ZeroedScoresStillLeak) {
  auto const trace = forward(mask::zero);
  auto const changed =
      proof::changed_rows(trace.out, attention_forward(params, edited(), mask::zero).out);
  EXPECT_EQ(changed, (std::array{true, true, true, true, true, true}));
  double on_the_future = 0;
  for (std::size_t key = 1; key < 6; ++key) {
    on_the_future += trace.weights(0, key);
  }
  EXPECT_GT(on_the_future, 0.5);
  EXPECT_EQ(recorded::cpython_round(on_the_future, 4), 0.8375);
}

TEST_F(RecordedRun, TheEditChangesTheRecordedRows) {
  auto const changed = proof::changed_rows(forward(mask::causal).out,
                                           attention_forward(params, edited(), mask::causal).out);
  EXPECT_EQ(changed, (std::array{false, false, false, false, true, true}));
}

TEST_F(RecordedRun, AnUnknownMaskModeIsAnErrorThatListsTheModes) {
  bool called = false;
  std::string const message = error_of<std::invalid_argument>(
      [&] { runtime::with_mask("upper", [&](auto) { called = true; }); });
  EXPECT_FALSE(called);
  for (char const* word : {"upper", "causal", "none", "zero"}) {
    EXPECT_NE(message.find(word), std::string::npos) << message;
  }
}

TEST_F(RecordedRun, AnEmptySequenceIsAnError) {
  EXPECT_EQ(error_of<std::invalid_argument>([] {
              runtime::tensor_from_rows<double, tokens<6>, d_model<4>>(
                  std::vector<std::vector<double>>{});
            }),
            "empty sequence: attention needs at least one position");
}

TEST_F(RecordedRun, AWrongInputWidthIsAnErrorThatNamesBothWidths) {
  std::string const message = error_of<std::invalid_argument>([] {
    runtime::tensor_from_rows<double, tokens<2>, d_model<4>>(
        std::vector<std::vector<double>>{{1, 2, 3, 4}, {1, 2, 3}});
  });
  for (char const* word : {"row 1", "d_model", "4", "3"}) {
    EXPECT_NE(message.find(word), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace attest
