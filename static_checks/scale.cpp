// SPDX-License-Identifier: BSL-1.0
// scale.cpp — scores are scaled by √d_head.
#include "broken_layers.hpp"
#include "certified.hpp"
#include "recorded_input.hpp"

#include <attest/proof/layer.hpp>
#include <attest/proof/scale.hpp>

#include <cstddef>

namespace attest {
namespace {

template <class Sample>
constexpr finding scaled(auto const& layer, Sample const& input, double bound = 1e-15) {
  auto const trace = layer.forward(input.params, input.x);
  return proof::scores_are_scaled(trace.q, trace.k, trace.scores, bound);
}

constexpr checks::sample<double, 6, 4, 2> recorded_sample{checks::params, checks::x, {}};
constexpr finding recorded = scaled(attention_layer<>{}, recorded_sample);
constexpr finding wide = scaled(attention_layer<>{}, checks::make_sample<double, 5, 3, 7>());

constexpr certificate_row row{.guarantee = "scores are scaled by √d_head",
                              .layer = "causal, double, widths 4×2 and 3×7",
                              .inputs = "this sentence; one random input",
                              .bound = "1e-15",
                              .check = "scale"};
certified const entry{row.certified_by(
    {guarantee::scores_are_scaled<recorded>(), guarantee::scores_are_scaled<wide>()})};

// √4 is exact, and then so are the scores: within a bound of 0.
static_assert(scaled(attention_layer<>{}, checks::make_sample<double, 5, 3, 4>(), 0).holds);

// The factor itself, recovered to the bit: with q = e₀ and k = e₀ the only score is 1/√d_head.
template <class Scalar, std::size_t H>
constexpr Scalar recovered_factor() {
  attention_params<Scalar, d_model<1>, d_head<H>> params;
  params.Wq(0, 0) = 1;
  params.Wk(0, 0) = 1;
  return attention_forward(params, tensor<Scalar, tokens<1>, d_model<1>>{{1}}).scores(0, 0);
}
static_assert(recovered_factor<double, 1>() == 1);
static_assert(recovered_factor<double, 2>() == 0x1.6a09e667f3bccp-1);
static_assert(recovered_factor<double, 3>() == 0x1.279a74590331dp-1);
static_assert(recovered_factor<double, 4>() == 0.5);
static_assert(recovered_factor<double, 64>() == 0.125);
static_assert(recovered_factor<float, 2>() == 0x1.6a09e6p-1F);
static_assert(recovered_factor<float, 3>() == 0x1.279a74p-1F);

// Under `zero` a later score is 0 whatever q·k is: it has no gradient, though its weight has one.
constexpr bool later_scores_have_no_gradient = [] {
  auto const trace = attention_forward(checks::params, checks::x, mask::zero);
  auto const d_trace =
      broken::backward_with_intermediates(checks::params, checks::x, trace, checks::readout).first;
  for (std::size_t query = 0; query < 6; ++query) {
    for (std::size_t key = query + 1; key < 6; ++key) {
      if (!same_bits(d_trace.scores(query, key), 0.0) || d_trace.weights(query, key) == 0) {
        return false;
      }
    }
  }
  return true;
}();
static_assert(later_scores_have_no_gradient);

// What a mask leaves out has score −∞, before its keys and behind them, and nothing else has.
constexpr mask::ranges<queries<6>, keys<6>> windows{
    {{{0, 0}, {0, 6}, {1, 3}, {2, 6}, {4, 4}, {5, 6}}}};
constexpr bool only_others_are_forbidden = [] {
  auto const scores = attention_forward(checks::params, checks::x, windows).scores;
  for (std::size_t query = 0; query < 6; ++query) {
    for (std::size_t key = 0; key < 6; ++key) {
      bool const is_forbidden =
          same_bits(scores(query, key), scalar_traits<double>::minus_infinity());
      if (is_forbidden == windows.attended(query, 6).contains(key)) {
        return false;
      }
    }
  }
  return true;
}();
static_assert(only_others_are_forbidden);

// Refused: a scale from the width of the model.
static_assert(scaled(broken::scales_by_d_model{}, recorded_sample) ==
              broken_at(part::scores, 0, 0));
static_assert(!scaled(broken::scales_by_d_model{}, checks::make_sample<double, 5, 3, 7>()).holds);

}  // namespace
}  // namespace attest
