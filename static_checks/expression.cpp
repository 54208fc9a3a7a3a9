// SPDX-License-Identifier: BSL-1.0
// expression.cpp — the laws of expression: what an operation is, on which side and in which order
// its operands stand, all make another fingerprint.
#include "no_branch.hpp"

#include <attest/attention.hpp>
#include <attest/scalar/expression.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace attest {
namespace {

static_assert(scalar<expression>);

constexpr expression a = expression::input(0);
constexpr expression b = expression::input(1);
constexpr expression c = expression::input(2);
constexpr expression zero = expression::constant(0);

// The same operations on the same operands are the same expression.
static_assert(same_bits(a, expression::input(0)) && same_bits(zero, expression::constant(0)));
static_assert(same_bits(a + b, a + b) && same_bits(a - b, a - b) && same_bits(a * b, a* b));
static_assert(same_bits(a / b, a / b) && same_bits(larger(a, b), larger(a, b)));
static_assert(same_bits(exp(a), exp(a)));

/// No two of these are.
template <std::size_t Count>
constexpr bool all_differ(std::array<expression, Count> const& values) {
  for (std::size_t i = 0; i < Count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (same_bits(values[i], values[j])) {
        return false;
      }
    }
  }
  return true;
}
static_assert(!all_differ(std::array{a, b, a}));

// Every kind on every choice of operands, either way round: a rule that is another's, or that reads
// one operand twice or not at all, makes two of these the same.
static_assert(all_differ(std::array{a,
                                    b,
                                    zero,
                                    expression::constant(-0.0),
                                    expression::constant(1),
                                    expression::constant(std::numeric_limits<double>::infinity()),
                                    scalar_traits<expression>::minus_infinity(),
                                    a + b,
                                    b + a,
                                    a + a,
                                    b + b,
                                    a + zero,
                                    zero + a,
                                    a - b,
                                    b - a,
                                    a - a,
                                    b - b,
                                    a - zero,
                                    zero - a,
                                    a* b,
                                    b* a,
                                    a* a,
                                    b* b,
                                    a* zero,
                                    zero* a,
                                    a / b,
                                    b / a,
                                    a / a,
                                    b / b,
                                    a / zero,
                                    zero / a,
                                    larger(a, b),
                                    larger(b, a),
                                    larger(a, a),
                                    larger(b, b),
                                    larger(a, zero),
                                    larger(zero, a),
                                    exp(a),
                                    exp(b),
                                    exp(zero),
                                    exp(exp(a))}));

// The operations are those that their names say, so that two scalars' logs can be compared.
constexpr bool is(expression found, operation kind, expression left, expression right) {
  auto const of = [](expression value) { return value.fingerprint; };
  return of(found) == detail::fingerprint(kind, of(left), of(right));
}
static_assert(is(a + b, operation::addition, a, b) && is(a - b, operation::subtraction, a, b));
static_assert(is(a * b, operation::multiplication, a, b) && is(a / b, operation::division, a, b));
static_assert(is(larger(a, b), operation::comparison, a, b));
static_assert(is(exp(a), operation::exponential, a, expression{}));

// The hash is the one that is described, computed by another program.
static_assert(detail::fingerprint(operation::addition, 1, 2) == 0x818f'96fc'37e9'6761);
static_assert(detail::fingerprint(operation::input, 7, 0) == 0x9179'1ca6'449d'50ea);

// Neither an order of a sum nor a law of the real numbers is assumed.
static_assert(all_differ(std::array{(a + b) + c, a + (b + c), (b + a) + c, (a + c) + b,
                                    c + (a + b)}));
static_assert(all_differ(std::array{a * (b + c), a* b + a* c, (b + c) * a}));
static_assert(all_differ(std::array{(a + b) * (b + c), (a + b) * (c + b), (b + c) * (a + b)}));

// Constants are their bits, and an expression without a value is the constant +0.
static_assert(same_bits(expression{}, zero) &&
              !same_bits(expression{}, expression::constant(-0.0)));
static_assert(same_bits(scalar_traits<expression>::constant(0.5), expression::constant(0.5)));
static_assert(same_bits(scalar_traits<expression>::minus_infinity(),
                        expression::constant(-std::numeric_limits<double>::infinity())));
static_assert(!same_bits(expression::constant(1), expression::constant(1 + 0x1p-52)));

// Inputs, constants and the sums of the inputs so far, twenty of each: no two fingerprints are the same.
constexpr bool many_differ = [] {
  std::array<expression, 60> values{};
  expression sum{};
  for (std::size_t i = 0; i < 20; ++i) {
    values[3 * i] = expression::input(i);
    values[3 * i + 1] = expression::constant(static_cast<double>(i));
    values[3 * i + 2] = sum = sum + values[3 * i];
  }
  return all_differ(values);
}();
static_assert(many_differ);

static_assert(checks::allows_no_branch<expression>);
static_assert(!std::is_convertible_v<double, expression> &&
              !std::is_convertible_v<std::uint64_t, expression>);

}  // namespace
}  // namespace attest
