// SPDX-License-Identifier: BSL-1.0
// expression.hpp — a fingerprint of the operations, in order, that made a value.
// Two values with equal expressions come from the same inputs and constants by the same operations
// on the same sides, so that as numbers they agree to the bit, whatever the inputs are.
// Source: the last three steps of the mixing are the finaliser of Steele, Lea, Flood, "Fast
// splittable pseudorandom number generators" (2014), with Stafford's thirteenth set of constants.
// Stands on: scalar.
#pragma once

#include <attest/scalar/scalar.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace attest {

/// What makes a value.
enum class operation : std::uint64_t {
  constant,
  input,
  addition,
  subtraction,
  multiplication,
  division,
  exponential,
  comparison
};

namespace detail {

/// The fingerprint of an operation on two fingerprints.
/// Bits: a chain of bijections of 64 bits in each of kind, left and right: where just one of them
///       differs, the result differs. Where more do, and the chain is taken for a random function,
///       the chance of the same result is 2⁻⁶⁴. Of the constant +0, all three being 0, it is 0.
/// Cost: one call, as the constant evaluators pay for each.
constexpr std::uint64_t fingerprint(operation kind, std::uint64_t left, std::uint64_t right) {
  std::uint64_t bits = (static_cast<std::uint64_t>(kind) << 56 ^ left) * 0x9e3779b97f4a7c15;
  bits = (bits ^ bits >> 32) + right;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
  return bits ^ bits >> 31;
}

}  // namespace detail

/// The operations that made a value, as 64 bits; a constant is its bits, an input its label.
/// Error:  different expressions are taken for equal with a chance of 2⁻⁶⁴ for each pair of
///         operations that are compared: two routes of n operations, n·2⁻⁶⁴; at T = 128 and
///         d = 64, n < 2²³ and the chance is below 2⁻⁴¹. No route is known that has such a pair.
/// Bits:   a + b and b + a are different expressions, as are (a + b) + c and a + (b + c).
/// Refuses: to become a bool or a number, == and an order (does not compile): a branch would hide
///          an operation from the fingerprint.
struct expression {
  struct no_branch_may_hide_an_operation;

  std::uint64_t fingerprint;  // 0 when value-initialised, which is the constant +0

  constexpr expression() = default;
  constexpr explicit expression(std::uint64_t bits) : fingerprint{bits} {}
  constexpr expression(operation kind, expression left, expression right)
      : fingerprint{detail::fingerprint(kind, left.fingerprint, right.fingerprint)} {}

  static constexpr expression input(std::uint64_t label) {
    return expression{detail::fingerprint(operation::input, label, 0)};
  }
  static constexpr expression constant(double value) {
    return expression{
        detail::fingerprint(operation::constant, std::bit_cast<std::uint64_t>(value), 0)};
  }

  friend constexpr expression operator+(expression left, expression right) {
    return {operation::addition, left, right};
  }
  friend constexpr expression operator-(expression left, expression right) {
    return {operation::subtraction, left, right};
  }
  friend constexpr expression operator*(expression left, expression right) {
    return {operation::multiplication, left, right};
  }
  friend constexpr expression operator/(expression left, expression right) {
    return {operation::division, left, right};
  }
  friend constexpr expression larger(expression left, expression right) {
    return {operation::comparison, left, right};
  }
  friend constexpr expression exp(expression a) { return {operation::exponential, a, {}}; }

  /// True if both were made by the same operations, but for the chance above.
  friend constexpr bool same_bits(expression left, expression right) {
    return left.fingerprint == right.fingerprint;
  }

  // Reason is only there for the compilers to print.
  template <class Number, class Reason = no_branch_may_hide_an_operation>
    requires std::is_arithmetic_v<Number>
  operator Number() const = delete;
  template <class Reason = no_branch_may_hide_an_operation>
  constexpr bool operator==(expression) const = delete;
  template <class Reason = no_branch_may_hide_an_operation>
  constexpr bool operator<=>(expression) const = delete;
};

template <>
struct scalar_traits<expression> {
  static constexpr expression constant(double value) { return expression::constant(value); }
  static constexpr expression minus_infinity() {
    return constant(-std::numeric_limits<double>::infinity());
  }
};

}  // namespace attest
