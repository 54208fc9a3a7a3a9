// SPDX-License-Identifier: BSL-1.0
// tensor.cpp — axes, tensors, views and their shape algebra.
#include <attest/attest.hpp>

#include <limits>
#include <type_traits>

namespace attest {
namespace {

/// All that the layer needs of a scalar, except for one: an operator, exp, larger, same bits, a constant or -infinity.
template <char Missing>
struct scalar_without {
  using s = scalar_without;

  s operator+(s) const
    requires(Missing != '+');
  s operator-(s) const
    requires(Missing != '-');
  s operator*(s) const
    requires(Missing != '*');
  s operator/(s) const
    requires(Missing != '/');
  friend s exp(s)
    requires(Missing != 'e')
  {
    return {};
  }
  friend s larger(s, s)
    requires(Missing != 'l')
  {
    return {};
  }
  friend bool same_bits(s, s)
    requires(Missing != 'b')
  {
    return {};
  }
};

}  // namespace

template <char Missing>
struct scalar_traits<scalar_without<Missing>> {
  static scalar_without<Missing> constant(double)
    requires(Missing != 'c');
  static scalar_without<Missing> minus_infinity()
    requires(Missing != 'i');
};

namespace {

constexpr tensor<double, tokens<2>, d_model<3>> x{{1, 2, 3}, {4, 5, 6}};

// Row-major, one index an axis.
static_assert(x(0, 0) == 1 && x(0, 2) == 3 && x(1, 0) == 4 && x(1, 2) == 6);
static_assert(x.elements == std::array<double, 6>{1, 2, 3, 4, 5, 6});
static_assert(x.row(1) == tensor<double, d_model<3>>{4, 5, 6});
static_assert(x.row(0).elements[2] == 3);
constexpr tensor<int, tokens<2>, queries<2>, keys<2>> cube = [] {
  tensor<int, tokens<2>, queries<2>, keys<2>> result;
  for (std::size_t i = 0; i < result.size; ++i) {
    result.elements[i] = static_cast<int>(i);
  }
  return result;
}();
static_assert(cube(1, 0, 1) == 5 && cube.row(1)(1, 0) == 6);
static_assert(tensor<float, keys<2>>{}.elements == std::array<float, 2>{});

// From braces, from a built-in array; written through an index.
constexpr double rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
static_assert(tensor<double, tokens<2>, d_model<3>>(rows) == x);
static_assert([] {
  auto changed = x;
  changed(1, 1) = 0;
  return changed == tensor<double, tokens<2>, d_model<3>>{{1, 2, 3}, {4, 0, 6}} && changed != x;
}());

// Braces of another shape are refused, as is another tensor.
template <class Tensor, class... Arguments>
constexpr bool can_make = std::is_constructible_v<Tensor, Arguments...>;
using two_by_three = tensor<double, tokens<2>, d_model<3>>;
using row_of_three = double const (&)[3];
using row_of_two = double const (&)[2];
static_assert(can_make<two_by_three, row_of_three, row_of_three>);
static_assert(!can_make<two_by_three, row_of_three>);
static_assert(!can_make<two_by_three, row_of_three, row_of_two>);
static_assert(!can_make<two_by_three, row_of_two, row_of_three>);
static_assert(!can_make<two_by_three, row_of_three, row_of_three, row_of_three>);
static_assert(can_make<two_by_three, double const (&)[2][3]>);
static_assert(!can_make<two_by_three, double const (&)[3][2]>);
static_assert(!can_make<two_by_three, double const (&)[2][2]>);
static_assert(can_make<tensor<double, keys<2>>, int, double>);
static_assert(!can_make<tensor<double, keys<2>>, int>);
static_assert(!can_make<tensor<double, keys<2>>, int, int, int>);
static_assert(!can_make<two_by_three, tensor<double, d_model<3>, tokens<2>>>);
static_assert(!can_make<two_by_three, tensor<float, tokens<2>, d_model<3>>>);
static_assert(!std::is_invocable_v<two_by_three, int>);
static_assert(std::is_invocable_v<two_by_three, int, int>);

// Equality is to the bit: −0 is not +0, and a NaN is itself.
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
static_assert(tensor<double, keys<1>>{nan} == tensor<double, keys<1>>{nan});
static_assert(tensor<double, keys<1>>{0.0} != tensor<double, keys<1>>{-0.0});
static_assert(tensor<float, keys<2>>{1, 0.0F} != tensor<float, keys<2>>{1, -0.0F});
static_assert(tensor<float, keys<2>>{2, 1} != tensor<float, keys<2>>{1, 1});

// Shape algebra.
static_assert(
    std::is_same_v<joined_axes<shape<tokens<6>, d_model<4>>, shape<d_model<4>, d_head<2>>>,
                   shape<tokens<6>, d_head<2>>>);
static_assert(std::is_same_v<joined_axes<shape<queries<6>, d_head<2>>, shape<keys<6>, d_head<2>>>,
                             shape<queries<6>, keys<6>>>);
static_assert(std::is_same_v<shared_axes<shape<queries<6>, keys<6>>, shape<keys<6>, d_head<2>>>,
                             shape<keys<6>>>);
static_assert(
    std::is_same_v<shared_axes<shape<queries<6>, keys<6>>, shape<keys<5>, d_head<2>>>, shape<>>);
static_assert(std::is_same_v<own_axes<shape<queries<6>, keys<6>>, shape<keys<6>, d_head<2>>>,
                             shape<queries<6>>>);
static_assert(is_named<queries<6>, queries> && !is_named<queries<6>, keys>);

// Another name, the same elements.
static_assert([] {
  auto tensor = x;
  auto const view = rename<tokens, queries>(tensor);
  static_assert(std::is_same_v<decltype(view), tensor_view<double, queries<2>, d_model<3>> const>);
  view.data()[4] = 50;
  return tensor(1, 1) == 50;
}());
static_assert(std::is_same_v<decltype(rename<tokens, keys>(x)),
                             tensor_view<double const, keys<2>, d_model<3>>>);
static_assert([] {
  auto tensor = x;
  fill(tensor, 7.0);
  return tensor == two_by_three{{7, 7, 7}, {7, 7, 7}};
}());

// A scalar has everything that the layer needs of one.
static_assert(scalar<double> && scalar<float> && !scalar<int> && !scalar<char const*>);
static_assert(scalar<scalar_without<'0'>>);
static_assert(!scalar<scalar_without<'+'>> && !scalar<scalar_without<'-'>> &&
              !scalar<scalar_without<'*'>> && !scalar<scalar_without<'/'>>);
static_assert(!scalar<scalar_without<'e'>> && !scalar<scalar_without<'l'>> &&
              !scalar<scalar_without<'b'>> && !scalar<scalar_without<'c'>> &&
              !scalar<scalar_without<'i'>>);

// The larger of two, and constants.
static_assert(larger(1.0, 2.0) == 2 && larger(2.0, 1.0) == 2 && larger(-1.0F, -2.0F) == -1);
static_assert(larger(-2.0F, -1.0F) == -1 && same_bits(larger(0.0, -0.0), 0.0));
static_assert(same_bits(larger(-0.0, 0.0), -0.0) && same_bits(larger(-0.0F, 0.0F), -0.0F));
static_assert(scalar_traits<float>::constant(0.1) == 0.1F);
static_assert(scalar_traits<double>::minus_infinity() < std::numeric_limits<double>::lowest());
static_assert(scalar_traits<float>::minus_infinity() < std::numeric_limits<float>::lowest());

}  // namespace
}  // namespace attest
