// SPDX-License-Identifier: BSL-1.0
// finite_field.cpp — arithmetic modulo 2⁶¹ − 1 against known values; what has no value spreads.
#include "no_branch.hpp"

#include <attest/scalar/finite_field.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace attest {
namespace {

constexpr std::uint64_t p = finite_field::modulus;
constexpr finite_field of(std::uint64_t integer) {
  return finite_field::of(integer);
}
constexpr finite_field undefined = finite_field::undefined();
constexpr finite_field constant(double value) {
  return scalar_traits<finite_field>::constant(value);
}

static_assert(scalar<finite_field>);
static_assert(p == 2305843009213693951);

// Equality says no.
static_assert(equals(of(3), of(3)) && !equals(of(3), of(4)));
static_assert(same_bits(of(3), of(3)) && !same_bits(of(3), of(4)));
static_assert(equals(finite_field{}, of(0)) && !equals(finite_field{}, of(1)));
// Integers.
static_assert(equals(of(p), of(0)) && equals(of(p + 5), of(5)) && equals(of(2 * p - 1), of(p - 1)));
static_assert(equals(of(7 * p), of(0)) && equals(of(7 * p + 6), of(6)));
static_assert(equals(of(8 * p), of(0)) && equals(of(~std::uint64_t{0}), of(7)));
// +
static_assert(equals(of(2) + of(3), of(5)) && equals(of(p - 1) + of(1), of(0)));
static_assert(equals(of(p - 1) + of(p - 1), of(p - 2)) && equals(of(p - 3) + of(2), of(p - 1)));
// −
static_assert(equals(of(5) - of(3), of(2)) && equals(of(3) - of(5), of(p - 2)));
static_assert(equals(of(0) - of(1), of(p - 1)) && equals(of(3) - of(3), of(0)));
static_assert(equals(of(0) - of(0), of(0)) && equals(of(0) - of(p - 1), of(1)));
// ×; the products of large numbers are Python's.
constexpr finite_field a = of(123456789012345678);
constexpr finite_field b = of(987654321098765432);
static_assert(equals(of(2) * of(3), of(6)) && equals(of(0) * of(p - 1), of(0)));
static_assert(equals(of(p - 1) * of(p - 1), of(1)) && equals(of(p - 1) * of(2), of(p - 2)));
static_assert(equals(of(std::uint64_t{1} << 60) * of(2), of(1)));
static_assert(equals(of(std::uint64_t{1} << 31) * of(std::uint64_t{1} << 31), of(2)));
static_assert(equals(a * b, of(1974130249480659620)) && equals(b * a, a* b));
// ÷
static_assert(equals(of(6) / of(3), of(2)) && equals(of(1) / of(2), of(std::uint64_t{1} << 60)));
static_assert(equals(of(0) / of(5), of(0)) && equals(of(5) / of(1), of(5)));
static_assert(equals(of(1) / of(p - 1), of(p - 1)));
static_assert(equals(of(1) / a, of(1884067921235876792)));
static_assert(equals(a / b, of(1669994350851358000)));
static_assert([] {
  finite_field element = a;
  for (int i = 0; i < 100; ++i) {
    element = element * b + of(1);
    if (!equals(b / element * element, b) || !equals(of(1) / of(static_cast<std::uint64_t>(i) + 2) *
                                                         of(static_cast<std::uint64_t>(i) + 2),
                                                     of(1))) {
      return false;
    }
  }
  return true;
}());

// Undefined: 1/0, 0/0, −∞, and what is computed from it, on either side. It equals nothing.
constexpr bool is_undefined(finite_field element) {
  return !equals(element, element);
}
static_assert(!is_undefined(of(0)) && !is_undefined(of(p - 1)) && is_undefined(undefined));
static_assert(is_undefined(of(1) / of(0)) && is_undefined(of(0) / of(0)));
static_assert(is_undefined(scalar_traits<finite_field>::minus_infinity()));
static_assert(is_undefined(undefined + a) && is_undefined(a + undefined));
static_assert(is_undefined(undefined - a) && is_undefined(a - undefined));
static_assert(is_undefined(undefined * a) && is_undefined(a * undefined));
static_assert(is_undefined(undefined * of(0)) && is_undefined(undefined - undefined));
static_assert(is_undefined(undefined / a) && is_undefined(a / undefined));
static_assert(is_undefined(a / (undefined + b)) && is_undefined(of(0) / undefined));
static_assert(is_undefined(exp(undefined)) && is_undefined(exp(a - undefined)));
static_assert(is_undefined((undefined + a) * b - a));
static_assert(same_bits(undefined, undefined) && !same_bits(undefined, of(0)));
static_assert(!equals(undefined, of(0)) && !equals(of(0), undefined));

// exp is a function, never 0, and no homomorphism: what is proved holds for any E.
static_assert(equals(exp(of(0)), of(1106116888416913475)));
static_assert(equals(exp(of(1)), of(989423063708441312)));
static_assert(equals(exp(of(p - 1)), of(1395566635792781004)));
static_assert(!equals(exp(a + b), exp(a) * exp(b)) && !equals(exp(of(0)), of(1)));
static_assert([] {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    if (equals(exp(of(i)), of(0)) || equals(exp(of(i)), exp(of(i + 1)))) {
      return false;
    }
  }
  return true;
}());

// larger: one element, whatever is compared, and not 0.
static_assert(equals(larger(a, b), larger(b, a)) && equals(larger(a, b), larger(of(0), of(1))));
static_assert(equals(larger(undefined, a), larger(a, undefined)));
static_assert(equals(larger(a, b), of(723362549314930955)) && !equals(larger(a, b), of(0)));

// Constants are exact, from the smallest to the largest; the large ones are Python's.
static_assert(equals(constant(3), of(3)) && equals(constant(-1), of(p - 1)));
static_assert(equals(constant(0.0), of(0)) && equals(constant(-0.0), of(0)));
static_assert(equals(constant(0.5) * of(2), of(1)) && equals(constant(1.25) * of(4), of(5)));
static_assert(equals(constant(0x1p61), of(1)) && equals(constant(0x1p-61), of(1)));
static_assert(equals(constant(0x1p-1074), of(16777216)) && equals(constant(0x1p-1022), of(32768)));
static_assert(equals(constant(0x3p-1074), of(3 * 16777216)));
static_assert(equals(constant(std::numeric_limits<double>::max()), of(2234066890152476671)));
static_assert(equals(constant(-0.1), of(2075258708292324543)));
static_assert(is_undefined(constant(std::numeric_limits<double>::infinity())));
static_assert(is_undefined(constant(-std::numeric_limits<double>::infinity())));
static_assert(is_undefined(constant(std::numeric_limits<double>::quiet_NaN())));

// No conversions, no order: no branch can depend on an element.
static_assert(!std::is_constructible_v<bool, finite_field>);
static_assert(!std::is_constructible_v<double, finite_field>);
static_assert(!std::is_constructible_v<std::uint64_t, finite_field>);
static_assert(!std::is_constructible_v<finite_field, double>);
static_assert(!std::equality_comparable<finite_field> && !std::totally_ordered<finite_field>);

static_assert(checks::allows_no_branch<finite_field>);

}  // namespace
}  // namespace attest
