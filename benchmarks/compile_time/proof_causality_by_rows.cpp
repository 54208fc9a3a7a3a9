// SPDX-License-Identifier: BSL-1.0
// proof_causality_by_rows.cpp — rows of out and weights depend on exactly the rows of q, k and v up to them, an
// assertion a row.
#include <attest/proof/by_rows.hpp>
#include <attest/proof/dependence.hpp>

#include <utility>

namespace attest {

constexpr std::size_t size = ATTEST_SIZE;
using labels = proof::row_inputs<size, size, proof::inputs::each_row>;
using set = labels::scalar_type;

constexpr auto k = [] {
  tensor<set, keys<size>, d_head<size>> result;
  for (std::size_t i = 0; i < result.size; ++i) {
    result.elements[i] = set::on(i / size);
  }
  return result;
}();
constexpr auto Wo = [] {
  tensor<set, d_head<size>, d_model<size>> result;
  fill(result, scalar_traits<set>::constant(0));
  return result;
}();

template <std::size_t Row>
constexpr finding of_row = [] {
  tensor<set, queries<1>, d_head<size>> q;
  fill(q, set::on(Row));
  auto const trace = proof::layer_by_rows<>{}.attend(q, k, k, Row);
  tensor<set, queries<1>, d_model<size>> out;
  matmul(trace.mixed, Wo, out);
  return proof::outputs_of_row_depend_on_exactly_earlier_rows<labels>(trace.weights.data(),
                                                                      out.data(), Row);
}();

static_assert([]<std::size_t... Row>(std::index_sequence<Row...>) {
  return (of_row<Row>.holds && ...);
}(std::make_index_sequence<size>{}));

}  // namespace attest
