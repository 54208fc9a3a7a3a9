// SPDX-License-Identifier: BSL-1.0
// matrix.cpp — each fault is refused by the proofs that speak of it and accepted by all others.
// At T = 3, d_model 4, d_head 2.
#include "matrix.hpp"

#include "broken_layers.hpp"
#include "broken_layers_every_input.hpp"
#include "broken_layers_of_softmax.hpp"

#include <attest/proof/dependence.hpp>
#include <attest/proof/exact_gradients.hpp>
#include <attest/proof/layer.hpp>
#include <attest/proof/row_sums.hpp>
#include <attest/proof/same_arithmetic.hpp>

#include <cstddef>
#include <string_view>

namespace attest::checks {
namespace {

template <class Layer>
constexpr matrix_row row_of() {
  Layer const layer{};
  return {"",
          {proof::outputs_depend_on_exactly_earlier_rows<3, 4, 2>(layer).holds,
           proof::d_x_depends_on_exactly_later_rows<3, 4, 2>(layer).holds,
           proof::rows_sum_to_one_for_every_finite_input<3, 4, 2>(layer).found.holds,
           proof::mixed_is_in_the_hull_of_v<3, 4, 2>(layer).found.holds,
           proof::gradients_are_exact<3, 4, 2>(layer).holds,
           proof::layers_do_the_same_arithmetic<3, 4, 2>(attention_layer<>{}, layer).holds}};
}

template <class Softmax>
using with_softmax = broken::with_softmax<Softmax>;
namespace softmaxes = broken::softmaxes;

// A constant a row: together they would pass half of the evaluation limits.
template <class Layer>
constexpr matrix_row row = row_of<Layer>();

/// The row under its name, if it is the expected one: x accepts, . refuses, in the order of proof_names.
template <class Layer>
consteval matrix_row named(char const* name, std::string_view expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (row<Layer>.accepted[i] != (expected[i] == 'x')) {
      throw "a proof accepts a fault that it must refuse, or refuses one that is not its own";
    }
  }
  return {name, row<Layer>.accepted};
}

}  // namespace

constexpr matrix const faults_against_proofs{{
    named<attention_layer<>>("the layer", "xxxxxx"),
    named<attention_layer<mask::none_t>>("no mask", "..xxx."),
    named<attention_layer<mask::zero_t>>("later scores 0", "..xxx."),
    named<attention_layer<broken::looks_one_token_ahead>>("one token ahead", "..xxx."),
    named<attention_layer<broken::looks_one_token_behind>>("one token behind", "....x."),
    named<broken::mixes_every_value>("weight × value over all keys", ".xxxx."),
    named<with_softmax<softmaxes::takes_the_maximum_over_the_whole_row>>(
        "maximum over the whole row", ".x..x."),
    named<with_softmax<softmaxes::runs_over_queries>>("softmax over queries", ".x...."),
    named<broken::scales_by_d_model>("forward scaled by √d_model", "xxxx.."),
    named<with_softmax<softmaxes::does_not_renormalise>>("zeros after softmax", ".x...."),
    named<with_softmax<softmaxes::starts_the_maximum_at_a_sentinel>>("a sentinel of −10000",
                                                                     "xx..x."),
    named<broken::forgets_the_sum>("backward without Σ a·da", "xxxx.."),
    named<broken::forgets_the_scale>("backward without the scale", "xxxx.."),
    named<broken::exchanges_q_and_k>("dWq and dWk exchanged", "xxxx.."),
    named<broken::drops_a_path_of_x<part::k>>("d_x without the path of k", "xxxx.."),
    named<broken::ignores_its_input>("an output of 0", ".xxx.."),
}};
}  // namespace attest::checks
