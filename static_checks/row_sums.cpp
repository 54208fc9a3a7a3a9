// SPDX-License-Identifier: BSL-1.0
// row_sums.cpp — every row of weights sums to 1, by an exact sum.
#include "broken_layers.hpp"
#include "certified.hpp"
#include "recorded_input.hpp"

#include <attest/proof/layer.hpp>
#include <attest/proof/weights.hpp>

namespace attest {
namespace {

// A weight is off by at most half a unit in its last place and they share a sum of 1; the sum that
// they are divided by has T − 1 roundings.
template <std::size_t T>
constexpr double bound = static_cast<double>(T) * 0x1p-52;

constexpr finding recorded_row_sums(auto const& layer) {
  return proof::rows_sum_to_one(layer.forward(checks::params, checks::x).weights, bound<6>);
}
constexpr finding causal = recorded_row_sums(attention_layer<mask::causal_t>{});
constexpr finding none = recorded_row_sums(attention_layer<mask::none_t>{});
constexpr finding zero = recorded_row_sums(attention_layer<mask::zero_t>{});

template <std::size_t T, std::size_t D, std::size_t H>
constexpr finding at_length = [] {
  auto const input = checks::make_sample<double, T, D, H>(T);
  return proof::rows_sum_to_one(attention_forward(input.params, input.x).weights, bound<T>);
}();
template <std::size_t D, std::size_t H>
constexpr finding at_lengths_1_to_16 = []<std::size_t... I>(std::index_sequence<I...>) {
  return first_broken(at_length<I + 1, D, H>...);
}(std::make_index_sequence<16>{});

constexpr finding in_float = [] {
  auto const input = checks::make_sample<float, 9, 4, 3>();
  return proof::rows_sum_to_one(attention_forward(input.params, input.x).weights, 9 * 0x1p-23);
}();

constexpr certificate_row row{.guarantee = "each row of weights sums to 1",
                              .layer = "causal, none and zero, double, T = 6, d_model 4, d_head 2",
                              .inputs = "this sentence",
                              .bound = "T·2⁻⁵²",
                              .check = "row_sums"};
certified const entry{
    row.certified_by({guarantee::rows_sum_to_one<causal>(), guarantee::rows_sum_to_one<none>(),
                      guarantee::rows_sum_to_one<zero>()})};

constexpr certificate_row many{.guarantee = "each row of weights sums to 1",
                               .layer = "causal, double, T = 1…16, widths 4×2, 3×5, 1×1",
                               .inputs = "one random input a shape",
                               .bound = "T·2⁻⁵²",
                               .check = "row_sums"};
certified const many_entry{
    many.certified_by({guarantee::rows_sum_to_one<at_lengths_1_to_16<4, 2>>(),
                       guarantee::rows_sum_to_one<at_lengths_1_to_16<3, 5>>(),
                       guarantee::rows_sum_to_one<at_lengths_1_to_16<1, 1>>(),
                       guarantee::rows_sum_to_one<in_float>()})};

// Refused: weights that were set to 0 after the softmax; the first row is the first that is short.
static_assert(recorded_row_sums(broken::zeroes_after_softmax{}) == broken_at(part::weights, 0, 0));
// Refused: one unit in the last place beyond the bound.
using one_weight = tensor<double, queries<1>, keys<1>>;
static_assert(proof::rows_sum_to_one(one_weight{{1 + 0x1p-52}}, 0x1p-52).holds);
static_assert(!proof::rows_sum_to_one(one_weight{{1 + 0x1p-51}}, 0x1p-52).holds);
static_assert(!proof::rows_sum_to_one(one_weight{{1 - 0x1p-51}}, 0x1p-52).holds);

}  // namespace
}  // namespace attest
