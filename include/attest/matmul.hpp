// SPDX-License-Identifier: BSL-1.0
// matmul.hpp — contraction over the axis that two matrices share: C[i, j] = Σ_s A[i, s]·B[s, j].
// The axes say which product is meant, so nothing is transposed by hand:
//   x (tokens, d_model) · Wq (d_model, d_head) -> (tokens, d_head)
//   q (queries, d_head) · k (keys, d_head)     -> (queries, keys)       q·kᵀ
//   x (tokens, d_model) · d_q (tokens, d_head) -> (d_model, d_head)     xᵀ·d_q
// Stands on: mask, product, tensor.
#pragma once

#include <attest/mask.hpp>
#include <attest/product.hpp>
#include <attest/tensor.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace attest {

/// Two matrices that have exactly one axis in common, by name and size.
template <class A, class B>
concept can_matmul = matrix<A> && matrix<B> && shared<A, B>::count == 1;

/// A matrix with the axes that the product of A and B has, in either order.
template <class Out, class A, class B>
concept holds_product = std::same_as<typename std::remove_cvref_t<Out>::shape_type,
                                     joined_axes<typename A::shape_type, typename B::shape_type>> ||
                        std::same_as<typename std::remove_cvref_t<Out>::shape_type,
                                     joined_axes<typename B::shape_type, typename A::shape_type>>;

namespace detail {

/// Whether queries and keys are where a mask can restrict a product: a sum over one of them has the other as
/// the rows of `out`.
template <class Out, class A, class B, class Pairs>
concept restricts_rows =
    std::same_as<Pairs, every_pair> || !are_masked<typename shared<A, B>::first, column_axis<Out>>;

/// A matrix as a walk along its Own axis and the other.
template <class Own, class Matrix>
constexpr strided<typename Matrix::scalar_type> walked_along(Matrix const& matrix) {
  return std::same_as<row_axis<Matrix>, Own>
             ? strided<typename Matrix::scalar_type>{matrix.data(), column_axis<Matrix>::size, 1}
             : strided<typename Matrix::scalar_type>{matrix.data(), 1, Own::size};
}

/// matmul_add, a tile at a time.
template <class Tile, class A, class B, class Out, class Pairs>
constexpr void add_by_tiles(A const& a, B const& b, Out& out, Pairs const& pairs) {
  using shared_axis = typename shared<A, B>::first;
  using rows = row_axis<Out>;
  using columns = column_axis<Out>;
  constexpr bool masked =
      !std::same_as<Pairs, every_pair> && are_masked<rows, shared_axis, columns>;
  // At run time each product keeps functions of its own: what is called once is inlined.
  constexpr bool named = masked || !Tile::is_evaluated;
  // Where lanes would stay empty, an entry at a time is as good and simpler.
  using used = std::conditional_t<(columns::size < Tile::width),
                                  typename Tile::template with<1, 1, 1>, Tile>;
  if constexpr (!std::same_as<row_axis<A>, rows> && !std::same_as<column_axis<A>, rows>) {
    add_by_tiles<typename Tile::transposed>(b, a, out, pairs);
  } else {
    add_product<used, std::same_as<column_axis<B>, columns>, named_if<named, rows>,
                named_if<named, shared_axis>, named_if<named, columns>>(
        walked_along<rows>(a), walked_along<columns>(b), out.data(), pairs);
  }
}

/// For constant evaluation. Where that may compute with vectors, columns are taken together: as many as their
/// greatest power of two, or 8 of which a mask may forbid some.
template <class Scalar, class Columns, class Pairs>
struct evaluated_tile {
  static constexpr bool has_forbidden_columns =
      !std::same_as<Pairs, every_pair> && (is_named<Columns, queries> || is_named<Columns, keys>);
  static constexpr std::size_t power_of_two = Columns::size & -Columns::size;
  static constexpr std::size_t width = has_forbidden_columns ? 8 : power_of_two;
  static constexpr bool is_vector = evaluates_vectors && std::is_arithmetic_v<Scalar> && width >= 8;
  using type = std::conditional_t<is_vector, typename tile<width, 1, 1>::evaluated, one_entry>;
};

/// out = out + A·B, or as else Sums says, at the pairs that `pairs` names. From zero only what is summed over
/// neither queries nor keys: sums over those may come about in several parts.
template <class Sums, class A, class B, class Out, class Pairs>
constexpr void product(A const& a, B const& b, Out& out, Pairs const& pairs) {
  using scalar_type = typename A::scalar_type;
  if (std::is_constant_evaluated()) {
    using tile = typename evaluated_tile<scalar_type, column_axis<Out>, Pairs>::type;
    add_by_tiles<typename tile::template with_sums<Sums>>(a, b, out, pairs);
  } else {
    using tile = tile_for<scalar_type, column_axis<Out>::size>;
    add_by_tiles<typename tile::template with_sums<Sums>>(a, b, out, pairs);
  }
}

}  // namespace detail

/// Adds A·B to `out`.
/// Shapes: A and B share one axis; out has A's other axis and B's, in either order.
/// Pairs:  where queries meet keys, only the pairs that `pairs` names are written, and no other has an
///         influence; where lanes are filled up, the products of others are computed and forgotten.
/// Bits:   each sum goes on from what `out` holds, in ascending order of the shared axis.
template <class A, class B, class Out, class Pairs = every_pair>
  requires can_matmul<A, B> && holds_product<Out, A, B> &&
           detail::restricts_rows<std::remove_cvref_t<Out>, A, B, Pairs>
constexpr void matmul_add(A const& a, B const& b, Out&& out, Pairs const& pairs = {}) {
  detail::product<detail::onto_out>(a, b, out, pairs);
}

/// out = A·B, and 0 at the pairs that `pairs` leaves out. Otherwise as matmul_add, from +0.
template <class A, class B, class Out, class Pairs = every_pair>
  requires can_matmul<A, B> && holds_product<Out, A, B> &&
           detail::restricts_rows<std::remove_cvref_t<Out>, A, B, Pairs>
constexpr void matmul(A const& a, B const& b, Out&& out, Pairs const& pairs = {}) {
  using shared_axis = typename shared<A, B>::first;
  constexpr bool in_one_part = !is_named<shared_axis, queries> && !is_named<shared_axis, keys>;
  if constexpr (!in_one_part || !std::same_as<Pairs, every_pair>) {
    fill(out, {});
  }
  detail::product<std::conditional_t<in_one_part, detail::from_zero, detail::onto_out>>(a, b, out,
                                                                                        pairs);
}

/// Refuses: matrices without a common axis (does not compile; the diagnostic shows both shapes).
template <class A, class B, class... More>
  requires(!can_matmul<A, B>)
constexpr auto matmul(A const&, B const&, More&&...) -> mismatch<expected<A>, got<B>> = delete;

/// Refuses: a masked sum over queries or keys into columns of the other.
template <class A, class B, class Out, class Pairs>
  requires can_matmul<A, B> && holds_product<Out, A, B> &&
               (!detail::restricts_rows<std::remove_cvref_t<Out>, A, B, Pairs>)
constexpr auto matmul(A const&, B const&, Out&& out, Pairs const&)
    -> mismatch<expected<column_axis<std::remove_cvref_t<Out>>, row_axis<std::remove_cvref_t<Out>>>,
                got<row_axis<std::remove_cvref_t<Out>>, column_axis<std::remove_cvref_t<Out>>>> =
        delete;

/// A·B as a tensor of its own.
template <class A, class B>
  requires can_matmul<A, B>
constexpr auto matmul(A const& a, B const& b) {
  tensor_of_shape<typename A::scalar_type,
                  joined_axes<typename A::shape_type, typename B::shape_type>>
      out;
  matmul(a, b, out);  // filled, as g++ 12 copies no element that was only value-initialised
  return out;
}

}  // namespace attest
