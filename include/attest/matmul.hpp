// SPDX-License-Identifier: BSL-1.0
// matmul.hpp — contraction over the axis that two matrices share: C[i, j] = Σ_s A[i, s]·B[s, j].
// The axes say which product is meant, so nothing is transposed by hand:
//   x (tokens, d_model) · Wq (d_model, d_head) -> (tokens, d_head)
//   q (queries, d_head) · k (keys, d_head)     -> (queries, keys)       q·kᵀ
//   x (tokens, d_model) · d_q (tokens, d_head) -> (d_model, d_head)     xᵀ·d_q
// Stands on: config, mask, tensor.
#pragma once

#include <attest/config.hpp>
#include <attest/mask.hpp>
#include <attest/tensor.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace attest {

/// Two matrices that have exactly one axis in common, by name and size.
template <class A, class B>
concept can_matmul = matrix<A> && matrix<B> && shared<A, B>::count == 1;

/// A matrix of the shape that the product of A and B has.
template <class Out, class A, class B>
concept holds_product = std::same_as<typename std::remove_cvref_t<Out>::shape_type,
                                     joined_axes<typename A::shape_type, typename B::shape_type>>;

namespace detail {

/// What a loop over Axis covers while the loop outside it, over Outer, stands at `outer`.
template <class Outer, class Axis, class Pairs>
constexpr key_range bounds(Pairs const& pairs, std::size_t outer) {
  if constexpr (is_named<Outer, queries> && is_named<Axis, keys>) {
    return pairs(outer, Axis::size);
  } else {
    return {0, Axis::size};
  }
}

}  // namespace detail

/// Adds A·B to `out`.
/// Shapes: A and B share one axis; out has A's other axis, then B's.
/// Pairs:  where queries meet keys, only the pairs that `pairs` names are read or written.
/// Bits:   each sum goes on from what `out` holds, in ascending order of the shared axis.
template <class A, class B, class Out, class Pairs = every_pair>
  requires can_matmul<A, B> && holds_product<Out, A, B>
constexpr void matmul_add(A const& a, B const& b, Out&& out, Pairs const& pairs = {}) {
  ATTEST_NO_CONTRACTION
  using shared_axis = typename shared<A, B>::first;
  using rows = row_axis<A>;
  using columns = column_axis<A>;
  constexpr bool a_is_transposed = std::same_as<rows, shared_axis>;
  constexpr bool b_is_transposed = std::same_as<column_axis<B>, shared_axis>;
  using inner = std::conditional_t<b_is_transposed, row_axis<B>, column_axis<B>>;
  constexpr std::size_t shared_stride = b_is_transposed ? 1 : inner::size;
  constexpr std::size_t inner_stride = b_is_transposed ? shared_axis::size : 1;

  auto const* const a_elements = a.data();
  auto const* const b_elements = b.data();
  auto* const out_elements = out.data();
  for (std::size_t row = 0; row < rows::size; ++row) {
    auto const allowed_columns = detail::bounds<rows, columns>(pairs, row);
    auto const allowed = detail::bounds<rows, inner>(pairs, row);
    for (std::size_t column = allowed_columns.first; column < allowed_columns.last; ++column) {
      auto const factor = a_elements[row * columns::size + column];
      auto const* const b_row = b_elements + (a_is_transposed ? row : column) * shared_stride;
      auto* const out_row = out_elements + (a_is_transposed ? column : row) * inner::size;
      for (std::size_t j = allowed.first; j < allowed.last; ++j) {
        out_row[j] = out_row[j] + ATTEST_ROUNDED(factor * b_row[j * inner_stride]);
      }
    }
  }
}

/// out = A·B, and 0 at the pairs that `pairs` leaves out. Otherwise as matmul_add, from +0.
template <class A, class B, class Out, class Pairs = every_pair>
  requires can_matmul<A, B> && holds_product<Out, A, B>
constexpr void matmul(A const& a, B const& b, Out&& out, Pairs const& pairs = {}) {
  fill(out, {});
  matmul_add(a, b, out, pairs);
}

/// Refuses: matrices without a common axis (does not compile; the diagnostic shows both shapes).
template <class A, class B, class... More>
  requires(!can_matmul<A, B>)
constexpr auto matmul(A const&, B const&, More&&...) -> mismatch<expected<A>, got<B>> = delete;

/// A·B as a tensor of its own.
template <class A, class B>
  requires can_matmul<A, B>
constexpr auto matmul(A const& a, B const& b) {
  tensor_of_shape<typename A::scalar_type,
                  joined_axes<typename A::shape_type, typename B::shape_type>>
      out;
  matmul_add(a, b, out);
  return out;
}

}  // namespace attest
