// SPDX-License-Identifier: BSL-1.0
// lanes.cpp — a product does the same arithmetic for every width of lanes and every size of tile.
#include "broken_layers.hpp"
#include "certified.hpp"
#include "labelled.hpp"

#include <attest/attest.hpp>
#include <attest/math/splitmix64.hpp>
#include <attest/proof/same_arithmetic.hpp>
#include <attest/scalar/expression.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace attest {
namespace {

// One lane is the scalar; of a scalar that no register holds, lanes are its elements.
static_assert(sizeof(lanes<expression, 3>) == 3 * sizeof(expression));
static_assert(std::same_as<lanes<double, 1>, double>);
static_assert(native_width<expression> == 1 && native_width<long double> == 1);
static_assert([] {
  long double const from[] = {1, 2, 3};
  long double to[] = {0, 0, 0};
  store_lanes<2>(3.0L * load_lanes<2>(from) + load_lanes<2>(from + 1), to);
  return to[0] == 3 + 2 && to[1] == 6 + 3 && to[2] == 0;
}());

// A square is turned over: rows become columns, and nothing beside them is written.
template <std::size_t Width>
constexpr bool turns_a_square_over() {
  constexpr std::size_t from_stride = Width + 1;
  constexpr std::size_t to_stride = Width + 2;
  long double from[Width * from_stride] = {};
  long double to[Width * to_stride] = {};
  for (std::size_t i = 0; i < Width * from_stride; ++i) {
    from[i] = static_cast<long double>(i + 1);
  }
  detail::store_transposed<Width>(from, from_stride, to, to_stride);
  bool right = true;
  for (std::size_t row = 0; row < Width; ++row) {
    for (std::size_t column = 0; column < to_stride; ++column) {
      right = right && to[row * to_stride + column] ==
                           (column < Width ? from[column * from_stride + row] : 0);
    }
  }
  return right;
}
static_assert(turns_a_square_over<2>() && turns_a_square_over<4>() && turns_a_square_over<16>());

using checks::labelled;

/// A·B, added to what is not empty; in Out's order of axes.
template <class A, class B>
using in_order =
    tensor_of_shape<expression, joined_axes<typename A::shape_type, typename B::shape_type>>;
template <class A, class B>
using in_other_order = in_order<B, A>;
template <class Tile, class A, class B, class Out = in_order<A, B>, class Pairs>
constexpr Out product(Pairs const& pairs) {
  auto sums = labelled<Out>(3);
  detail::add_by_tiles<Tile>(labelled<A>(1), labelled<B>(2), sums, pairs);
  return sums;
}
template <class Tile, class A, class B, class Out = in_order<A, B>, class Right = detail::one_entry,
          class Pairs>
constexpr finding agrees(Pairs const& pairs) {
  return proof::same_arithmetic([&] { return product<Tile, A, B, Out>(pairs); },
                                [&] { return product<Right, A, B, Out>(pairs); });
}

/// The same for other sums, on what is not empty: entries that `pairs` leaves out stay as they are.
template <class Sums, class Tile, class A, class B, class Out = in_order<A, B>, class Pairs>
constexpr finding agrees_with_sums(Pairs const& pairs) {
  return agrees<typename Tile::template with_sums<Sums>, A, B, Out,
                detail::one_entry::with_sums<Sums>>(pairs);
}

/// An entry at a time, a product in the other order of axes has the same sums, factor by factor.
template <class A, class B, class Pairs>
constexpr bool is_transposed(Pairs const& pairs) {
  using out = in_order<A, B>;
  using transposed = in_other_order<A, B>;
  auto sums = labelled<out>(3);
  transposed other_sums;
  constexpr std::size_t rows = row_axis<out>::size;
  constexpr std::size_t columns = column_axis<out>::size;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      other_sums(column, row) = sums(row, column);
    }
  }
  detail::add_by_tiles<detail::one_entry>(labelled<A>(1), labelled<B>(2), sums, pairs);
  detail::add_by_tiles<detail::one_entry>(labelled<A>(1), labelled<B>(2), other_sums, pairs);
  bool same = true;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      same = same && same_bits(other_sums(column, row), sums(row, column));
    }
  }
  return same;
}

template <class... Axes>
using of = tensor<expression, Axes...>;
using scores_of_3 = detail::sums_of_scores<expression, 3>;

/// Every way in which queries × keys meet something else, and in which nothing is masked: 7 queries and
/// 10 keys leave remainders of rows, vectors and lanes.
template <class Tile, class Mask>
constexpr finding agrees_with(Mask const& mask) {
  using q = of<queries<7>, d_head<3>>;
  using k = of<keys<10>, d_head<3>>;
  using weights = of<queries<7>, keys<10>>;
  using detail::from_zero;
  attended_pairs const pairs{mask};
  return first_broken(agrees<Tile, q, k>(pairs),
                      agrees<Tile, weights, of<keys<10>, d_head<9>>>(pairs),
                      agrees<Tile, weights, of<queries<7>, d_head<9>>>(pairs),
                      agrees<Tile, of<tokens<7>, d_model<3>>, of<d_model<3>, d_head<10>>>(pairs),
                      agrees<Tile, of<d_model<3>, tokens<7>>, of<d_model<3>, d_head<10>>>(pairs),
                      agrees<Tile, of<tokens<7>, d_model<3>>, of<d_head<10>, d_model<3>>>(pairs),
                      agrees<Tile, q, of<d_head<3>, keys<10>>>(pairs),
                      agrees<Tile, q, k, in_other_order<q, k>>(pairs),
                      agrees_with_sums<from_zero, Tile, q, k>(pairs),
                      agrees_with_sums<from_zero, Tile, q, k, in_other_order<q, k>>(pairs),
                      agrees_with_sums<scores_of_3, Tile, q, k>(pairs),
                      agrees_with_sums<scores_of_3, Tile, q, k, in_other_order<q, k>>(pairs),
                      agrees<Tile, of<keys<10>, queries<7>>, of<keys<10>, d_head<9>>>(pairs),
                      agrees<Tile, of<keys<10>, queries<7>>, of<queries<7>, d_head<9>>>(pairs));
}

constexpr mask::ranges<queries<7>, keys<10>> ragged{
    {{{0, 0}, {0, 10}, {3, 5}, {2, 9}, {9, 10}, {4, 4}, {1, 8}}}};
// A constant a mask, to stay inside half of the evaluation limits.
template <class Tile, auto const& Mask>
constexpr finding under = agrees_with<Tile>(Mask);
constexpr broken::looks_one_token_behind one_behind;
template <class Tile>
constexpr finding agrees_with_each_mask =
    first_broken(under<Tile, mask::causal>, under<Tile, mask::none>, under<Tile, ragged>,
                 under<Tile, one_behind>);

using q_of_7 = of<queries<7>, d_head<3>>;
using k_of_10 = of<keys<10>, d_head<3>>;
static_assert(is_transposed<q_of_7, k_of_10>(attended_pairs{mask::causal}) &&
              is_transposed<q_of_7, k_of_10>(attended_pairs{ragged}) &&
              is_transposed<k_of_10, q_of_7>(attended_pairs{mask::none}) &&
              is_transposed<of<tokens<7>, d_model<3>>, of<d_model<3>, d_head<10>>>(every_pair{}));

// From zero is 0 and then the sum; and not a sum that goes on.
using of_q_and_k = in_order<q_of_7, k_of_10>;
constexpr of_q_and_k from_zero =
    product<detail::one_entry::with_sums<detail::from_zero>, q_of_7, k_of_10>(every_pair{});
static_assert(proof::same_arithmetic([] { return from_zero; },
                                     [] {
                                       return matmul(labelled<q_of_7>(1), labelled<k_of_10>(2));
                                     })
                  .holds);
static_assert(proof::same_arithmetic([] { return from_zero; },
                                     [] {
                                       of_q_and_k sums;
                                       fill(sums, expression{});
                                       detail::add_by_tiles<detail::one_entry>(labelled<q_of_7>(1),
                                                                               labelled<k_of_10>(2),
                                                                               sums, every_pair{});
                                       return sums;
                                     })
                  .holds);
static_assert(proof::same_arithmetic([] { return from_zero; },
                                     [] {
                                       return product<detail::one_entry, q_of_7, k_of_10>(
                                           every_pair{});
                                     }) == broken_at(part::unnamed, 0, 0));

// Scores are q·kᵀ and then the quotient; and not q·kᵀ.
constexpr of_q_and_k scores =
    product<detail::one_entry::with_sums<scores_of_3>, q_of_7, k_of_10>(every_pair{});
static_assert(proof::same_arithmetic([] { return scores; },
                                     [] {
                                       of_q_and_k scaled = from_zero;
                                       for (expression& score : scaled.elements) {
                                         score =
                                             score * detail::one_over_sqrt_d_head<expression, 3>;
                                       }
                                       return scaled;
                                     })
                  .holds);
static_assert(proof::same_arithmetic([] { return scores; }, [] { return from_zero; }) ==
              broken_at(part::unnamed, 0, 0));

// What constant evaluation takes for vectors gives the bits of entry by entry: one and several vectors, columns
// that are left beside them, operands in either order, masks that begin and end within a vector.
template <class Tensor>
constexpr Tensor numbers(std::uint64_t seed) {
  Tensor result;
  for (auto& element : result.elements) {
    double const number = static_cast<double>(detail::splitmix64(seed) >> 40) * 0x1p-23 - 1;
    element = static_cast<typename Tensor::scalar_type>(number);
  }
  return result;
}
template <class A, class B, class Out, auto const& Pairs>
constexpr bool evaluates_as_entries = [] {
  auto const a = numbers<A>(1);
  auto const b = numbers<B>(2);
  auto sums = numbers<Out>(3);
  auto entries = sums;
  matmul_add(a, b, sums, Pairs);
  detail::add_by_tiles<detail::one_entry>(a, b, entries, Pairs);
  bool const added = sums == entries;
  matmul(a, b, sums, Pairs);
  bool const starts_anew = !(sums == entries);
  fill(entries, {});
  detail::add_by_tiles<detail::one_entry>(a, b, entries, Pairs);
  return added && starts_anew && sums == entries;
}();
constexpr every_pair every;
constexpr attended_pairs causal{mask::causal};
constexpr attended_pairs windows{mask::ranges<queries<10>, keys<9>>{
    {{{0, 0}, {0, 9}, {3, 5}, {2, 9}, {8, 9}, {4, 4}, {1, 8}, {0, 2}, {7, 9}, {0, 9}}}}};
constexpr attended_pairs longer_windows{mask::ranges<queries<10>, keys<27>>{
    {{{0, 0}, {0, 27}, {3, 5}, {2, 20}, {8, 16}, {4, 12}, {1, 26}, {7, 25}, {7, 9}, {16, 24}}}}};
template <class Scalar>
struct wide {
  using x = tensor<Scalar, tokens<33>, d_model<2>>;
  using x_turned = tensor<Scalar, d_model<2>, tokens<33>>;
  using W = tensor<Scalar, d_model<2>, d_head<32>>;
  using W_turned = tensor<Scalar, d_head<32>, d_model<2>>;
  using q = tensor<Scalar, tokens<33>, d_head<32>>;
  static_assert(evaluates_as_entries<x, W, q, every> &&
                evaluates_as_entries<x_turned, W, q, every>);
  static_assert(evaluates_as_entries<x, W_turned, q, every> &&
                evaluates_as_entries<W, x, q, every>);
  using weights = tensor<Scalar, queries<10>, keys<9>>;
  template <std::size_t H>
  static constexpr bool is_right_for =
      evaluates_as_entries<weights, tensor<Scalar, keys<9>, d_head<H>>,
                           tensor<Scalar, queries<10>, d_head<H>>, causal> &&
      evaluates_as_entries<weights, tensor<Scalar, keys<9>, d_head<H>>,
                           tensor<Scalar, queries<10>, d_head<H>>, windows> &&
      evaluates_as_entries<weights, tensor<Scalar, queries<10>, d_head<H>>,
                           tensor<Scalar, keys<9>, d_head<H>>, causal> &&
      evaluates_as_entries<weights, tensor<Scalar, queries<10>, d_head<H>>,
                           tensor<Scalar, keys<9>, d_head<H>>, windows>;
  static_assert(is_right_for<8> && is_right_for<32> && is_right_for<24>);
  // Of the columns that a mask may forbid, whole vectors and single ones.
  template <auto const& Pairs, std::size_t K>
  static constexpr bool is_right_for_scores =
      evaluates_as_entries<tensor<Scalar, queries<10>, d_head<3>>,
                           tensor<Scalar, keys<K>, d_head<3>>, tensor<Scalar, queries<10>, keys<K>>,
                           Pairs> &&
      evaluates_as_entries<tensor<Scalar, queries<10>, d_head<3>>,
                           tensor<Scalar, d_head<3>, keys<K>>, tensor<Scalar, queries<10>, keys<K>>,
                           Pairs>;
  static_assert(is_right_for_scores<causal, 9> && is_right_for_scores<causal, 16> &&
                is_right_for_scores<longer_windows, 27> && is_right_for_scores<every, 16>);
};
template struct wide<double>;
template struct wide<float>;

using detail::tile;
constexpr certificate_row row{
    .guarantee = "products do the same arithmetic for every width of lanes and size of tile",
    .layer =
        "all axes in either order, 7 × 10; causal, none, one token behind and ranges with empty "
        "rows; tiles of "
        "rows × vectors × lanes 1×1×2, 1×2×4, 3×1×2 (4 keys a pass), 2×2×2, 6×2×4, 6×1×8; "
        "vectors of 2 and 4 as in constant evaluation",
    .inputs = "every bit pattern",
    .bound = "to the bit; false with a chance below 2⁻⁴⁴",
    .check = "lanes"};
certified const entry{row.certified_by(
    {guarantee::two_routes_do_the_same_arithmetic<agrees_with_each_mask<tile<2, 1, 1>>>(),
     guarantee::two_routes_do_the_same_arithmetic<agrees_with_each_mask<tile<4, 1, 2>>>(),
     guarantee::two_routes_do_the_same_arithmetic<
         agrees_with_each_mask<tile<2, 3, 1>::in_passes<4>>>(),
     guarantee::two_routes_do_the_same_arithmetic<agrees_with_each_mask<tile<2, 2, 2>>>(),
     guarantee::two_routes_do_the_same_arithmetic<agrees_with_each_mask<tile<4, 6, 2>>>(),
     guarantee::two_routes_do_the_same_arithmetic<agrees_with_each_mask<tile<8, 6, 1>>>(),
     guarantee::two_routes_do_the_same_arithmetic<
         agrees_with_each_mask<tile<2, 1, 1>::evaluated>>(),
     guarantee::two_routes_do_the_same_arithmetic<
         agrees_with_each_mask<tile<4, 1, 1>::evaluated>>()})};

// Refused: a tile of which the mask says something else, and another product.
template <class A, class B, class Out = in_order<A, B>>
constexpr finding against_another_mask = proof::same_arithmetic(
    [] { return product<tile<2, 3, 2>, A, B, Out>(attended_pairs{mask::causal}); },
    [] { return product<detail::one_entry, A, B, Out>(attended_pairs{mask::none}); });
static_assert(against_another_mask<q_of_7, k_of_10> == broken_at(part::unnamed, 0, 1));
static_assert(against_another_mask<q_of_7, k_of_10, in_other_order<q_of_7, k_of_10>> ==
              broken_at(part::unnamed, 1, 0));
static_assert(against_another_mask<of<queries<7>, keys<10>>, of<keys<10>, d_head<9>>> ==
              broken_at(part::unnamed, 0, 0));

}  // namespace
}  // namespace attest
