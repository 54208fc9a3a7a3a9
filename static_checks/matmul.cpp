// SPDX-License-Identifier: BSL-1.0
// matmul.cpp — every way in which two matrices can share an axis, and the order of the sums.
#include <attest/attest.hpp>

namespace attest {
namespace {

constexpr tensor<double, tokens<2>, d_model<3>> a{{1, 2, 3}, {4, 5, 6}};
constexpr tensor<double, d_model<3>, d_head<2>> b{{7, 8}, {9, 10}, {11, 12}};
constexpr tensor<double, tokens<2>, d_head<2>> ab{{58, 64}, {139, 154}};

template <class... Axes>
using of = tensor<double, Axes...>;

// A·B, A·Bᵀ, Aᵀ·B and Aᵀ·Bᵀ, told apart by the axes alone.
static_assert(matmul(a, b) == ab);
static_assert(matmul(a, of<d_head<2>, d_model<3>>{{7, 9, 11}, {8, 10, 12}}) == ab);
static_assert(matmul(of<d_model<3>, tokens<2>>{{1, 4}, {2, 5}, {3, 6}}, b) == ab);
static_assert(matmul(of<d_model<3>, tokens<2>>{{1, 4}, {2, 5}, {3, 6}},
                     of<d_head<2>, d_model<3>>{{7, 9, 11}, {8, 10, 12}}) == ab);

// Into a place that is not empty: matmul overwrites, matmul_add goes on.
static_assert([] {
  auto out = ab;
  matmul(a, b, out);
  return out;
}() == ab);
static_assert([] {
  auto out = ab;
  matmul_add(a, b, out);
  return out;
}() == of<tokens<2>, d_head<2>>{{116, 128}, {278, 308}});

// Only the pairs that a mask allows; the others are 0, whatever stands in their rows.
constexpr of<queries<3>, d_head<1>> q{{1}, {2}, {3}};
constexpr of<keys<3>, d_head<1>> k{{10}, {100}, {1000}};
constexpr auto allowed = attended_pairs{mask::causal};
constexpr of<queries<3>, keys<3>> scores = [] {
  of<queries<3>, keys<3>> out{{9, 9, 9}, {9, 9, 9}, {9, 9, 9}};
  matmul(q, k, out, allowed);
  return out;
}();
static_assert(scores == of<queries<3>, keys<3>>{{10, 0, 0}, {20, 200, 0}, {30, 300, 3000}});
constexpr of<queries<3>, keys<3>> ones{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
static_assert([] {
  of<queries<3>, d_head<1>> out;
  matmul(ones, k, out, allowed);  // queries × keys over keys: earlier keys only
  return out;
}() == of<queries<3>, d_head<1>>{{10}, {110}, {1110}});
static_assert([] {
  of<keys<3>, d_head<1>> out;
  matmul(ones, q, out, allowed);  // queries × keys over queries: later queries only
  return out;
}() == of<keys<3>, d_head<1>>{{6}, {5}, {3}});

// The order of a sum is ascending: 1 + 2⁻⁵³ + 2⁻⁵³ stays 1, in any other order it would not.
constexpr of<tokens<1>, d_model<3>> terms{{1, 0x1p-53, 0x1p-53}};
constexpr of<d_model<3>, d_head<1>> units{{1}, {1}, {1}};
static_assert(matmul(terms, units)(0, 0) == 1);
constexpr of<tokens<1>, d_model<3>> reversed{{0x1p-53, 0x1p-53, 1}};
static_assert(matmul(reversed, units)(0, 0) == 1 + 0x1p-52);
constexpr of<d_model<3>, tokens<1>> terms_in_a_column{{1}, {0x1p-53}, {0x1p-53}};
static_assert(matmul(terms_in_a_column, units)(0, 0) == 1);
// A product is rounded before it is added: (1 + 2⁻⁵²)² − (1 + 2⁻⁵¹) is 0, fused it would be 2⁻¹⁰⁴.
constexpr of<tokens<1>, d_model<2>> squares{{-1, 1 + 0x1p-52}};
constexpr of<d_model<2>, d_head<1>> factors{{1 + 0x1p-51}, {1 + 0x1p-52}};
static_assert(matmul(squares, factors)(0, 0) == 0);
// A sum starts from +0, so a sum of −0 is +0.
static_assert(same_bits(matmul(of<tokens<1>, d_model<1>>{{-0.0}},
                               of<d_model<1>, d_head<1>>{{1}})(0, 0),
                        0.0));

}  // namespace
}  // namespace attest
