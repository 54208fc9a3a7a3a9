// SPDX-License-Identifier: BSL-1.0
// shapes.cpp — every tensor of the layer has the shape that SPEC's table gives it.
#include "certified.hpp"

#include <attest/attest.hpp>

#include <type_traits>

namespace attest {
namespace {

template <class Scalar, std::size_t T, std::size_t D, std::size_t H, class Mask>
constexpr bool shapes_are_right() {
  using params_type = attention_params<Scalar, d_model<D>, d_head<H>>;
  using x_type = tensor<Scalar, tokens<T>, d_model<D>>;
  using trace_type = decltype(attention_forward(params_type{}, x_type{}, Mask{}));
  using gradients_type =
      decltype(attention_backward(params_type{}, x_type{}, trace_type{}, x_type{}));
  using projection = tensor<Scalar, d_model<D>, d_head<H>>;
  static_assert(std::is_same_v<decltype(params_type::Wq), projection>);
  static_assert(std::is_same_v<decltype(params_type::Wk), projection>);
  static_assert(std::is_same_v<decltype(params_type::Wv), projection>);
  static_assert(std::is_same_v<decltype(params_type::Wo), tensor<Scalar, d_head<H>, d_model<D>>>);
  static_assert(std::is_same_v<decltype(trace_type::q), tensor<Scalar, queries<T>, d_head<H>>>);
  static_assert(std::is_same_v<decltype(trace_type::k), tensor<Scalar, keys<T>, d_head<H>>>);
  static_assert(std::is_same_v<decltype(trace_type::v), tensor<Scalar, keys<T>, d_head<H>>>);
  static_assert(std::is_same_v<decltype(trace_type::scores), tensor<Scalar, queries<T>, keys<T>>>);
  static_assert(std::is_same_v<decltype(trace_type::weights), tensor<Scalar, queries<T>, keys<T>>>);
  static_assert(std::is_same_v<decltype(trace_type::mixed), tensor<Scalar, queries<T>, d_head<H>>>);
  static_assert(std::is_same_v<decltype(trace_type::out), x_type>);
  static_assert(std::is_same_v<decltype(gradients_type::params), params_type>);
  static_assert(std::is_same_v<decltype(gradients_type::x), x_type>);
  static_assert(std::is_same_v<decltype(trace_type::mask), Mask>);
  return true;
}

template <class Scalar, class Mask>
constexpr bool shapes_are_right_at_many_sizes() {
  return shapes_are_right<Scalar, 6, 4, 2, Mask>() && shapes_are_right<Scalar, 1, 1, 1, Mask>() &&
         shapes_are_right<Scalar, 16, 3, 5, Mask>() && shapes_are_right<Scalar, 2, 8, 8, Mask>();
}

constexpr finding found{.holds = shapes_are_right_at_many_sizes<double, mask::causal_t>() &&
                                 shapes_are_right_at_many_sizes<float, mask::causal_t>() &&
                                 shapes_are_right_at_many_sizes<double, mask::none_t>() &&
                                 shapes_are_right_at_many_sizes<double, mask::zero_t>()};
static_assert(found.holds);

// Sizes that agree do not make two axes equal.
template <class... Axes>
using of = tensor<double, Axes...>;
using params = attention_params<double, d_model<4>, d_head<4>>;
static_assert(can_attend<params, of<tokens<6>, d_model<4>>>);
static_assert(!can_attend<params, of<tokens<6>, d_model<3>>>);
static_assert(!can_attend<params, of<tokens<6>, d_head<4>>>);
static_assert(!can_attend<params, of<queries<6>, d_model<4>>>);
static_assert(!can_attend<params, tensor<float, tokens<6>, d_model<4>>>);
static_assert(can_matmul<of<queries<6>, d_head<4>>, of<keys<6>, d_head<4>>>);
static_assert(!can_matmul<of<queries<6>, d_head<4>>, of<keys<6>, d_model<4>>>);
static_assert(!can_matmul<of<queries<6>, d_head<4>>, of<keys<6>, d_head<3>>>);
static_assert(!can_matmul<of<queries<6>, keys<6>>, of<queries<6>, keys<6>>>);
static_assert(!std::is_convertible_v<of<d_head<4>, d_model<4>>, of<d_model<4>, d_head<4>>>);
static_assert(!std::is_constructible_v<of<d_model<4>, d_head<4>>, of<d_head<4>, d_model<4>>>);

// A mask is a mask of these lengths, or it is refused.
using x_of_6 = of<tokens<6>, d_model<4>>;
template <std::size_t Queries, std::size_t Keys>
using ranges = mask::ranges<queries<Queries>, keys<Keys>>;
struct upper {};
static_assert(can_attend<params, x_of_6, mask::none_t>);
static_assert(can_attend<params, x_of_6, mask::zero_t>);
static_assert(can_attend<params, x_of_6, ranges<6, 6>>);
static_assert(!can_attend<params, x_of_6, ranges<5, 6>>);
static_assert(!can_attend<params, x_of_6, ranges<6, 5>>);
static_assert(can_attend<params, x_of_6, mask::both<mask::causal_t, ranges<6, 6>>>);
static_assert(!can_attend<params, x_of_6, mask::both<mask::causal_t, ranges<5, 5>>>);
static_assert(!can_attend<params, x_of_6, mask::both<ranges<5, 5>, mask::causal_t>>);
static_assert(!can_attend<params, x_of_6, upper>);
static_assert(!can_attend<params, x_of_6, char const*>);

constexpr certificate_row row{.guarantee = "shapes are the table's, by axis name and size",
                              .layer = "all masks; (T, d_model, d_head) (6, 4, 2) and 3 more",
                              .inputs = "every input",
                              .bound = "exact",
                              .check = "shapes"};
certified const entry{row.certified_by({found})};

}  // namespace
}  // namespace attest
