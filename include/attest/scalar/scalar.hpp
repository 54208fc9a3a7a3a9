// SPDX-License-Identifier: BSL-1.0
// scalar.hpp — what the layer asks of a number, and how float and double answer.
// A scalar has + − × ÷ and is zero when value-initialised; exp and larger are found by its own
// namespace; constants come through scalar_traits. Nothing else of a scalar is ever used.
// Stands on: math/exp, tensor (same_bits).
#pragma once

#include <attest/math/exp.hpp>
#include <attest/tensor.hpp>

#include <concepts>
#include <limits>

namespace attest {

/// How a scalar makes a constant. Specialise it for a scalar of your own.
template <class Scalar>
struct scalar_traits;

template <std::floating_point Scalar>
struct scalar_traits<Scalar> {
  /// The number nearest to `value`.
  static constexpr Scalar constant(double value) { return static_cast<Scalar>(value); }
  static constexpr Scalar minus_infinity() { return -std::numeric_limits<Scalar>::infinity(); }
};

/// The larger of two scores; of a number and a NaN, the left one.
constexpr double larger(double left, double right) {
  return left < right ? right : left;
}
constexpr float larger(float left, float right) {
  return left < right ? right : left;
}

template <class Scalar>
concept scalar = detail::can_be_copied<Scalar> && requires(Scalar const a, Scalar const b) {
  { Scalar{} } -> std::same_as<Scalar>;
  { a + b } -> std::convertible_to<Scalar>;
  { a - b } -> std::convertible_to<Scalar>;
  { a* b } -> std::convertible_to<Scalar>;
  { a / b } -> std::convertible_to<Scalar>;
  { exp(a) } -> std::convertible_to<Scalar>;
  { larger(a, b) } -> std::convertible_to<Scalar>;
  { same_bits(a, b) } -> std::same_as<bool>;
  { scalar_traits<Scalar>::constant(0.5) } -> std::same_as<Scalar>;
  { scalar_traits<Scalar>::minus_infinity() } -> std::same_as<Scalar>;
};

}  // namespace attest
