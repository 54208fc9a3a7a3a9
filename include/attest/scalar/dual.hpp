// SPDX-License-Identifier: BSL-1.0
// dual.hpp — a number and its derivative along one direction: a + a′·ε with ε² = 0.
// Run on it, the forward pass differentiates itself: each rule below is one line of calculus, and none
// is shared with the backward pass that was written by hand. No conversions, no order.
// Source: Griewank and Walther, "Evaluating derivatives" (2008), chapter 3. Stands on: config, scalar.
#pragma once

#include <attest/config.hpp>
#include <attest/scalar/scalar.hpp>

namespace attest {

/// Bits: the value is computed as Scalar computes it; the derivative has no influence on it.
template <class Scalar>
struct dual {
  Scalar value{};
  Scalar derivative{};

  friend constexpr dual operator+(dual const& a, dual const& b) {
    return {a.value + b.value, a.derivative + b.derivative};
  }
  friend constexpr dual operator-(dual const& a, dual const& b) {
    return {a.value - b.value, a.derivative - b.derivative};
  }
  friend constexpr dual operator*(dual const& a, dual const& b) {
    ATTEST_NO_CONTRACTION
    return {a.value * b.value,
            ATTEST_ROUNDED(a.derivative * b.value) + ATTEST_ROUNDED(a.value * b.derivative)};
  }
  /// From a = quotient·b: a′ = quotient′·b + quotient·b′.
  friend constexpr dual operator/(dual const& a, dual const& b) {
    ATTEST_NO_CONTRACTION
    Scalar const quotient = a.value / b.value;
    return {quotient, (a.derivative - ATTEST_ROUNDED(quotient * b.derivative)) / b.value};
  }
  friend constexpr dual exp(dual const& a) {
    Scalar const power = exp(a.value);
    return {power, power * a.derivative};
  }
  /// A constant: softmax, the one place that asks for a maximum, does not depend on it
  /// (scalar/finite_field.hpp says why that is enough).
  friend constexpr dual larger(dual const& a, dual const& b) {
    return {larger(a.value, b.value), Scalar{}};
  }
  friend constexpr bool same_bits(dual const& a, dual const& b) {
    return same_bits(a.value, b.value) && same_bits(a.derivative, b.derivative);
  }

  explicit operator bool() const = delete;
  bool operator==(dual const&) const = delete;
  auto operator<=>(dual const&) const = delete;
};

template <class Scalar>
struct scalar_traits<dual<Scalar>> {
  static constexpr dual<Scalar> constant(double value) {
    return {scalar_traits<Scalar>::constant(value), Scalar{}};
  }
  static constexpr dual<Scalar> minus_infinity() {
    return {scalar_traits<Scalar>::minus_infinity(), Scalar{}};
  }
};

}  // namespace attest
