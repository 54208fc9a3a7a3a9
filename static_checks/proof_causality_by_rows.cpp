// SPDX-License-Identifier: BSL-1.0
// proof_causality_by_rows.cpp — causality for every input of longer sequences, an assertion a row.
#include "broken_layers.hpp"
#include "certified.hpp"

#include <attest/proof/by_rows.hpp>
#include <attest/proof/dependence.hpp>
#include <attest/proof/layer.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace attest {
namespace {

/// A sequence of one row alone: its q, k and v depend on it, in every entry.
template <std::size_t D, std::size_t H>
constexpr bool projections_depend_on_their_row = [] {
  using set = dependency<1>;
  attention_params<set, d_model<D>, d_head<H>> const params{};
  tensor<set, tokens<1>, d_model<D>> row_of_x;
  fill(row_of_x, set::on(0));
  auto const projected = proof::layer_by_rows<>::project(params, row_of_x);
  for (std::size_t channel = 0; channel < H; ++channel) {
    if (!projected.q.elements[channel].depends_on(0) ||
        !projected.k.elements[channel].depends_on(0) ||
        !projected.v.elements[channel].depends_on(0)) {
      return false;
    }
  }
  return true;
}();

/// Each row has its own label: the claim is that some entry of exactly rows 0 … i has an influence.
/// q, k and v start with the label of their row, as the projections leave it.
template <std::size_t T, std::size_t D, std::size_t H, class Mask = mask::causal_t>
struct rows_of_sequence {
  static_assert(projections_depend_on_their_row<D, H>);
  using labels = proof::row_inputs<T, D, proof::inputs::each_row>;
  using set = typename labels::scalar_type;

  // Filled, because g++ 12 does not read the elements of a constant that was only value-initialised.
  static constexpr auto params = [] {
    attention_params<set, d_model<D>, d_head<H>> result{};
    fill(result.Wo, scalar_traits<set>::constant(0));
    return result;
  }();
  static constexpr auto k = [] {
    tensor<set, keys<T>, d_head<H>> result;
    for (std::size_t i = 0; i < result.size; ++i) {
      result.elements[i] = set::on(i / H);
    }
    return result;
  }();

  template <std::size_t Row>
  static constexpr finding of_row = [] {
    tensor<set, queries<1>, d_head<H>> q;
    fill(q, set::on(Row));
    auto const trace = proof::layer_by_rows<Mask>{}.attend(q, k, k, Row);
    tensor<set, queries<1>, d_model<D>> out;
    matmul(trace.mixed, params.Wo, out);
    return proof::outputs_of_row_depend_on_exactly_earlier_rows<labels>(trace.weights.data(),
                                                                        out.data(), Row);
  }();
};

template <std::size_t T, std::size_t D, std::size_t H>
constexpr finding each_row = []<std::size_t... Row>(std::index_sequence<Row...>) {
  return first_broken(guarantee::outputs_depend_on_exactly_earlier_rows<
                      rows_of_sequence<T, D, H>::template of_row<Row>>()...);
}(std::make_index_sequence<T>{});

constexpr certificate_row row{
    .guarantee = "out row i and weights row i depend on exactly rows 0 … i of x",
    .layer = "causal, a row at a time, T = 32, d_model 32, d_head 32, and T = 64, 64, 64",
    .inputs = "every bit pattern of x and of the weights",
    .bound = "exact",
    .check = "proof_causality_by_rows"};
certified const entry{row.certified_by({each_row<32, 32, 32>, each_row<64, 64, 64>})};

// Refused: one token ahead at every row but the last, one behind at every row.
using ahead = rows_of_sequence<32, 4, 4, broken::looks_one_token_ahead>;
static_assert(ahead::of_row<0>.input_row == attest::row{1} && !ahead::of_row<0>.holds);
static_assert(ahead::of_row<30>.input_row == attest::row{31} && !ahead::of_row<30>.holds);
static_assert(ahead::of_row<31>.holds);
using behind = rows_of_sequence<32, 4, 4, broken::looks_one_token_behind>;
static_assert(behind::of_row<0>.input_row == attest::row{0} && !behind::of_row<0>.holds);
static_assert(behind::of_row<31>.part == part::weights && !behind::of_row<31>.holds);

}  // namespace
}  // namespace attest
