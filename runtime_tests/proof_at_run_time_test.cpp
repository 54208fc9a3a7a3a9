// SPDX-License-Identifier: BSL-1.0
// proof_at_run_time_test.cpp — the proofs for every input, of shapes that are too large for a compiler.
#include "broken_layers.hpp"
#include "broken_layers_every_input.hpp"
#include "large_stack.hpp"

#include <attest/proof/cost.hpp>
#include <attest/proof/by_rows.hpp>
#include <attest/proof/dependence.hpp>
#include <attest/proof/layer.hpp>
#include <attest/proof/same_arithmetic.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace attest {
namespace {

/// A layer's trace and gradients for sequences whose tensors are too large for the stack.
template <std::size_t T, std::size_t D, std::size_t H, class Mask = mask::causal_t>
struct large_layer {
  using labels = proof::row_inputs<T, D, proof::inputs::each_row>;
  using set = typename labels::scalar_type;
  using of_params = attention_params<set, d_model<D>, d_head<H>>;
  using of_trace = attention_trace<set, tokens<T>, d_model<D>, d_head<H>, Mask>;

  std::unique_ptr<of_params> params = std::make_unique<of_params>();
  std::unique_ptr<typename labels::of_tokens> x = std::make_unique<typename labels::of_tokens>();
  std::unique_ptr<of_trace> trace = std::make_unique<of_trace>();

  void forward() {
    labels::label(*x);
    attention_forward(*params, *x, Mask{}, *trace);
  }
  finding outputs() const {
    return proof::outputs_depend_on_exactly_earlier_rows<labels>(trace->weights, trace->out);
  }

  finding gradient() const {
    using of_gradients = attention_gradients<set, tokens<T>, d_model<D>, d_head<H>>;
    auto const constant_x = std::make_unique<typename labels::of_tokens>();
    auto const d_out = std::make_unique<typename labels::of_tokens>();
    auto const d_trace = std::make_unique<of_trace>();
    auto const gradients = std::make_unique<of_gradients>();
    labels::label(*d_out);
    attention_forward(*params, *constant_x, Mask{}, *trace);
    attention_backward(*params, *constant_x, *trace, *d_out, *d_trace, *gradients);
    return proof::d_x_depends_on_exactly_later_rows<labels>(gradients->x);
  }
};

// The proofs as functions that are not constexpr and take the layer by reference: called with
// constants, g++ 12 first tries to evaluate a whole proof in the compiler, for half a minute and in
// gigabytes, before it gives up.
template <std::size_t T, std::size_t D, std::size_t H, class LayerA, class LayerB>
finding same_arithmetic(LayerA const& layer_a, LayerB const& layer_b) {
  return on_a_large_stack(
      [&] { return proof::layers_do_the_same_arithmetic<T, D, H>(layer_a, layer_b); });
}
template <std::size_t T, std::size_t D, std::size_t H, class Layer>
finding same_arithmetic_when_longer(Layer const& layer) {
  return on_a_large_stack(
      [&] { return proof::longer_sequences_do_the_same_arithmetic<T, D, H>(layer); });
}
template <std::size_t T, std::size_t D, std::size_t H, class Layer>
finding cost_is_as_expected(Layer const& layer, std::uint64_t pairs) {
  return on_a_large_stack([&] { return proof::cost_is_as_expected<T, D, H>(layer, pairs); });
}

TEST(Dependence, OutputsOf512TokensDependOnExactlyEarlierRows) {
  large_layer<512, 64, 64> layer;
  layer.forward();
  EXPECT_EQ(layer.outputs(), finding{});
}

TEST(Dependence, DxOf512TokensDependsOnExactlyLaterRows) {
  large_layer<512, 64, 64> const layer;
  EXPECT_EQ(layer.gradient(), finding{});
}

TEST(Dependence, OneTokenAheadIsRefusedAt512Tokens) {
  large_layer<512, 64, 64, broken::looks_one_token_ahead> layer;
  layer.forward();
  finding const found = layer.outputs();
  EXPECT_FALSE(found.holds);
  EXPECT_EQ(found.part, part::weights);
  EXPECT_EQ(found.input_row.index, 1U);
  EXPECT_FALSE(layer.gradient().holds);
}

TEST(Dependence, WeightTimesValueOverAllKeysIsRefusedAt512Tokens) {
  large_layer<512, 64, 64> layer;
  layer.forward();
  auto& trace = *layer.trace;
  matmul(trace.weights, trace.v, trace.mixed);
  matmul(trace.mixed, layer.params->Wo, rename<tokens, queries>(trace.out));
  finding const found = layer.outputs();
  EXPECT_EQ(found.part, part::out);
  EXPECT_EQ(found.row.index, 0U);
  EXPECT_EQ(found.input_row.index, 1U);
}

TEST(Dependence, ALeakIntoOneEntryOfTheLastRowsIsSeen) {
  large_layer<512, 64, 64> layer;
  layer.forward();
  auto& entry = layer.trace->out(510, 63);
  entry = entry + decltype(layer)::set::on(511);
  finding const found = layer.outputs();
  EXPECT_EQ(found.row.index, 510U);
  EXPECT_EQ(found.column.index, 63U);
  EXPECT_EQ(found.input_row.index, 511U);
}

TEST(SameArithmetic, OfAUsedTraceAt512Tokens) {
  EXPECT_EQ((same_arithmetic<512, 64, 64>(attention_layer{}, proof::into_used_memory<>{})),
            finding{});
}

TEST(SameArithmetic, OfTheLastOfABatchAt512Tokens) {
  EXPECT_EQ((same_arithmetic<512, 64, 64>(attention_layer{}, proof::last_of_a_batch<3>{})),
            finding{});
}

TEST(SameArithmetic, OfALongerSequenceAt512Tokens) {
  EXPECT_EQ((same_arithmetic_when_longer<512, 64, 64>(attention_layer{})), finding{});
  EXPECT_FALSE((same_arithmetic_when_longer<128, 64, 64>(attention_layer{mask::none})).holds);
}

// The compiler's proof of 64 tokens is a row at a time: the same arithmetic as the whole layer.
TEST(SameArithmetic, OfTheLayerARowAtATimeAt64Tokens) {
  auto const input = proof::expressions<64, 64, 64>();
  EXPECT_EQ(proof::same_arithmetic([&] { return attention_forward(input.params, input.x); },
                                   [&] {
                                     return proof::put_together<proof::layer_by_rows<>>{}.forward(
                                         input.params, input.x);
                                   }),
            finding{});
}

TEST(SameArithmetic, OfAWrongMixIsRefusedAt128Tokens) {
  EXPECT_EQ((same_arithmetic<128, 64, 64>(attention_layer{}, broken::mixes_every_value{})),
            broken_at(part::mixed, 0, 0));
}

TEST(Cost, OfLargerShapesIsTheFormula) {
  EXPECT_EQ((cost_is_as_expected<512, 64, 64>(attention_layer{}, proof::causal_pairs(512))),
            finding{});
  EXPECT_EQ((cost_is_as_expected<128, 64, 32>(attention_layer{mask::none}, 128UL * 128)),
            finding{});
  EXPECT_EQ((cost_is_as_expected<128, 64, 32>(attention_layer{}, 128UL * 128)),
            broken_at(part::out, 0, 0));
}

// What nobody can count ends the program; in the compiler it is no constant expression.
TEST(Cost, OfAnOperationBetweenConstantsEndsTheProgram) {
  operation_count const constant = scalar_traits<operation_count>::constant(2);
  EXPECT_EXIT(static_cast<void>(constant * constant), testing::KilledBySignal(SIGABRT), "");
}

}  // namespace
}  // namespace attest
