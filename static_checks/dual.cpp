// SPDX-License-Identifier: BSL-1.0
// dual.cpp — the rules of differentiation, one at a time, at numbers where all are exact.
#include "no_branch.hpp"

#include <attest/scalar/dual.hpp>
#include <attest/scalar/finite_field.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace attest {
namespace {

using number = dual<double>;
constexpr number a{3, 5};
constexpr number b{2, 7};

static_assert(scalar<number> && scalar<dual<finite_field>> && scalar<dual<number>>);

// Equality says no, to either half.
static_assert(same_bits(a, a) && !same_bits(a, number{3, 4}) && !same_bits(a, number{4, 5}));
static_assert(same_bits(number{}, number{0, 0}));

static_assert(same_bits(a + b, number{5, 12}));
static_assert(same_bits(a - b, number{1, -2}));
// 5·2 + 3·7
static_assert(same_bits(a * b, number{6, 31}) && same_bits(b * a, number{6, 31}));
// (5 − 1.5·7) / 2
static_assert(same_bits(a / b, number{1.5, -2.75}));
static_assert(same_bits(a / b * b, a));
// A constant has derivative 0.
static_assert(same_bits(scalar_traits<number>::constant(0.5), number{0.5, 0}));
static_assert(same_bits(scalar_traits<number>::minus_infinity(),
                        number{-std::numeric_limits<double>::infinity(), 0}));
// exp′ = exp·x′, with an exp that is not 1.
static_assert(same_bits(exp(number{0, 5}), number{1, 5}));
static_assert(same_bits(exp(number{1, 5}), number{exp(1.0), exp(1.0) * 5}));
// The maximum is the number's own, and drops the derivative, whichever is larger.
static_assert(same_bits(larger(a, b), number{3, 0}) && same_bits(larger(b, a), number{3, 0}));

// The same over the field, and a second derivative: (x³)″ = 6·x.
using element = dual<finite_field>;
constexpr element c{finite_field::of(3), finite_field::of(5)};
static_assert(same_bits(exp(c), element{exp(c.value), exp(c.value) * c.derivative}));
static_assert(same_bits(c * c, element{finite_field::of(9), finite_field::of(30)}));
static_assert(same_bits(larger(c, c), element{larger(c.value, c.value), finite_field{}}));
constexpr dual<number> x{{5, 1}, {1, 0}};
static_assert(same_bits(x * x * x, dual<number>{{125, 75}, {75, 30}}));

// No conversions, no order.
static_assert(!std::is_constructible_v<bool, number> && !std::is_constructible_v<double, number>);
static_assert(!std::equality_comparable<number> && !std::totally_ordered<number>);

static_assert(checks::allows_no_branch<dual<finite_field>>);

}  // namespace
}  // namespace attest
