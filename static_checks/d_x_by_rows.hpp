// SPDX-License-Identifier: BSL-1.0
// d_x_by_rows.hpp — that d_x depends on exactly later rows of d_out, a query at a time.
#pragma once

#include <attest/proof/by_rows.hpp>
#include <attest/proof/dependence.hpp>

#include <cstddef>
#include <utility>

namespace attest::d_x_by_rows {

using set = dependency<1>;

// Filled, because g++ 12 does not read the elements of a constant that was only value-initialised.
template <class Tensor>
constexpr Tensor filled(typename Tensor::scalar_type const& value) {
  Tensor result;
  fill(result, value);
  return result;
}

/// The first step back, out = mixed·Wo: a row of d_mixed depends on its row of d_out in every entry.
template <std::size_t D, std::size_t H>
constexpr bool d_mixed_depends_on_its_row = [] {
  auto const Wo = filled<tensor<set, d_head<H>, d_model<D>>>({});
  auto const d_out = filled<tensor<set, queries<1>, d_model<D>>>(set::on(0));
  for (set const& entry : matmul(d_out, Wo).elements) {
    if (!entry.depends_on(0)) {
      return false;
    }
  }
  return true;
}();

/// The last step back, q = x·Wq, k = x·Wk, v = x·Wv: each entry of a row of d_x depends on its rows of
/// d_q, d_k and d_v, and on no other row of them.
template <std::size_t D, std::size_t H>
constexpr bool d_x_depends_on_its_rows = [] {
  using of_two_rows = dependency<6>;
  using d_trace_type = attention_trace<of_two_rows, tokens<2>, d_model<D>, d_head<H>>;
  attention_params<of_two_rows, d_model<D>, d_head<H>> const params{};
  tensor<of_two_rows, tokens<2>, d_model<D>> const x{};
  d_trace_type d_trace;
  attention_gradients<of_two_rows, tokens<2>, d_model<D>, d_head<H>> gradients;
  for (std::size_t i = 0; i < d_trace.q.size; ++i) {
    d_trace.q.elements[i] = of_two_rows::on(3 * (i / H));
    d_trace.k.elements[i] = of_two_rows::on(3 * (i / H) + 1);
    d_trace.v.elements[i] = of_two_rows::on(3 * (i / H) + 2);
  }
  detail::projections_backward(params, x, d_trace, gradients);
  for (std::size_t i = 0; i < x.size; ++i) {
    std::size_t const first = 3 * (i / D);
    if (!same_bits(gradients.x.elements[i], of_two_rows::on_range(first, first + 3))) {
      return false;
    }
  }
  return true;
}();

/// The step between, equation 1, for each query. x is not tracked here, so the forward pass and with it
/// q, k, v and the weights are constants: empty sets.
template <std::size_t T, std::size_t D, std::size_t H, class Mask = mask::causal_t>
struct queries_of_sequence {
  static_assert(d_mixed_depends_on_its_row<D, H> && d_x_depends_on_its_rows<D, H>);
  static constexpr auto q = filled<tensor<set, queries<1>, d_head<H>>>({});
  static constexpr auto k = filled<tensor<set, keys<T>, d_head<H>>>({});
  static constexpr auto d_mixed = filled<tensor<set, queries<1>, d_head<H>>>(set::on(0));
  static constexpr proof::attended_row<set, T, H> trace{
      {}, filled<tensor<set, queries<1>, keys<T>>>({}), {}};

  template <std::size_t Row>
  static constexpr finding of_row = proof::gradients_of_row_depend_on_it_up_to_its_key(
      proof::layer_by_rows<Mask>{}.attend_backward(q, k, k, trace, d_mixed, Row), Row);
};

template <std::size_t T, std::size_t D, std::size_t H, std::size_t... Row>
constexpr finding each_of = first_broken(guarantee::d_x_depends_on_exactly_later_rows<
                                         queries_of_sequence<T, D, H>::template of_row<Row>>()...);
/// Rows First, …, First + Count − 1; all of them unless told.
template <std::size_t T, std::size_t D, std::size_t H, std::size_t First = 0, std::size_t Count = T>
constexpr finding each_row = []<std::size_t... Row>(std::index_sequence<Row...>) {
  return each_of<T, D, H, First + Row...>;
}(std::make_index_sequence<Count>{});

}  // namespace attest::d_x_by_rows
