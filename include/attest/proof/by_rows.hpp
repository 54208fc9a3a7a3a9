// SPDX-License-Identifier: BSL-1.0
// by_rows.hpp — the layer a row at a time, for sequences of which the whole is too long for one
// evaluation in a compiler. The steps are the layer's own functions, with one query instead of T; that
// together they do the layer's arithmetic is asserted with `expression` in
// static_checks/proof_same_arithmetic.cpp, and at run time. Stands on: attention.
#pragma once

#include <attest/attention.hpp>
#include <attest/mask.hpp>
#include <attest/members.hpp>
#include <attest/tensor.hpp>

#include <cstddef>

namespace attest::proof {

/// One row of q, k and v.
template <class Scalar, std::size_t H>
struct projected_row {
  tensor<Scalar, queries<1>, d_head<H>> q;
  tensor<Scalar, keys<1>, d_head<H>> k;
  tensor<Scalar, keys<1>, d_head<H>> v;
};

/// What one row of q makes of all k and v.
template <class Scalar, std::size_t T, std::size_t H>
struct attended_row {
  tensor<Scalar, queries<1>, keys<T>> scores;
  tensor<Scalar, queries<1>, keys<T>> weights;
  tensor<Scalar, queries<1>, d_head<H>> mixed;

  using members =
      member_list<member<"scores", &attended_row::scores>,
                  member<"weights", &attended_row::weights>, member<"mixed", &attended_row::mixed>>;
};

/// The gradients of one row of q, and what that row adds to those of all k and v.
template <class Scalar, std::size_t T, std::size_t H>
struct attended_row_gradients {
  tensor<Scalar, queries<1>, d_head<H>> q;
  tensor<Scalar, keys<T>, d_head<H>> k;
  tensor<Scalar, keys<T>, d_head<H>> v;

  using members =
      member_list<member<"q", &attended_row_gradients::q>, member<"k", &attended_row_gradients::k>,
                  member<"v", &attended_row_gradients::v>>;
};

/// What a mask says of one query, which is asked for as the only one.
template <mask_policy Mask>
struct mask_of_row {
  Mask mask;
  std::size_t row;

  constexpr key_range attended(std::size_t, std::size_t keys) const {
    return mask.attended(row, keys);
  }
  constexpr key_range scored(std::size_t, std::size_t keys) const
    requires attest::detail::has_scores_of_its_own<Mask>
  {
    return attest::detail::scored(mask, row, keys);
  }
};
template <mask_policy Mask>
mask_of_row(Mask, std::size_t) -> mask_of_row<Mask>;

template <mask_policy Mask = mask::causal_t>
struct layer_by_rows {
  [[no_unique_address]] Mask mask{};

  /// A sequence of this row alone.
  template <class Scalar, std::size_t D, std::size_t H>
  static constexpr projected_row<Scalar, H> project(
      attention_params<Scalar, d_model<D>, d_head<H>> const& params,
      tensor<Scalar, tokens<1>, d_model<D>> const& row_of_x) {
    auto const trace = attention_forward(params, row_of_x);
    return {trace.q, trace.k, trace.v};
  }

  /// The row's scores, weights and mixed.
  template <class Scalar, std::size_t T, std::size_t H>
  constexpr attended_row<Scalar, T, H> attend(tensor<Scalar, queries<1>, d_head<H>> const& q,
                                              tensor<Scalar, keys<T>, d_head<H>> const& k,
                                              tensor<Scalar, keys<T>, d_head<H>> const& v,
                                              std::size_t row) const {
    mask_of_row const of_row{mask, row};
    attended_row<Scalar, T, H> trace;
    attest::detail::scaled_dot_product_attention(q, k, v, scored_pairs(of_row),
                                                 attended_pairs{of_row}, trace.scores,
                                                 trace.weights, trace.mixed);
    return trace;
  }

  /// From the row's d_mixed.
  template <class Scalar, std::size_t T, std::size_t H>
  constexpr attended_row_gradients<Scalar, T, H> attend_backward(
      tensor<Scalar, queries<1>, d_head<H>> const& q, tensor<Scalar, keys<T>, d_head<H>> const& k,
      tensor<Scalar, keys<T>, d_head<H>> const& v, attended_row<Scalar, T, H> const& trace,
      tensor<Scalar, queries<1>, d_head<H>> const& d_mixed, std::size_t row) const {
    mask_of_row const of_row{mask, row};
    tensor<Scalar, queries<1>, keys<T>> d_weights;
    tensor<Scalar, queries<1>, keys<T>> d_scores;
    attended_row_gradients<Scalar, T, H> gradients;
    attest::detail::scaled_dot_product_attention_backward(
        q, k, v, trace.weights, d_mixed, scored_pairs(of_row), attended_pairs{of_row}, d_weights,
        d_scores, gradients.q, gradients.k, gradients.v);
    return gradients;
  }
};

/// Equation 1 for one query of a long sequence, as a layer, for the proofs that take one. There are no
/// projections: q is a row of Wq, k and v are Wk and Wv, and d_mixed is d_out. So the keys are as many as
/// d_model, which is d_head.
template <std::size_t Row, class Rows = layer_by_rows<>>
struct row_as_layer {
  template <class Scalar, std::size_t T>
  struct given {
    tensor<Scalar, queries<1>, d_head<T>> q;
    tensor<Scalar, keys<T>, d_head<T>> k;
    tensor<Scalar, keys<T>, d_head<T>> v;

    constexpr explicit given(attention_params<Scalar, d_model<T>, d_head<T>> const& params) {
      q.elements = params.Wq.row(Row).elements;
      k.elements = params.Wk.elements;
      v.elements = params.Wv.elements;
    }
  };

  template <class Scalar, std::size_t T>
  constexpr auto forward(attention_params<Scalar, d_model<T>, d_head<T>> const& params,
                         tensor<Scalar, tokens<1>, d_model<T>> const&) const {
    given<Scalar, T> const row{params};
    return Rows{}.attend(row.q, row.k, row.v, Row);
  }

  template <class Scalar, std::size_t T>
  constexpr auto backward(attention_params<Scalar, d_model<T>, d_head<T>> const& params,
                          tensor<Scalar, tokens<1>, d_model<T>> const&,
                          attended_row<Scalar, T, T> const& trace,
                          tensor<Scalar, tokens<1>, d_model<T>> const& d_out) const {
    given<Scalar, T> const row{params};
    tensor<Scalar, queries<1>, d_head<T>> d_mixed;
    d_mixed.elements = d_out.elements;
    return Rows{}.attend_backward(row.q, row.k, row.v, trace, d_mixed, Row);
  }
};

}  // namespace attest::proof
