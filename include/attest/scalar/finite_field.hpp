// SPDX-License-Identifier: BSL-1.0
// finite_field.hpp — numbers modulo the prime 2⁶¹ − 1, in which an identity of formulas can be tried
// out at a random point without a rounding error: one that fails does so at nearly every point.
//
// The field has no exponential, no order and no −∞; each is replaced by what the layer may not lean on:
//   exp      a fixed function E of the element, never 0, scrambled so that its values at different
//            elements have nothing to do with each other: what holds then holds for every E.
//   larger   always the same element m, which is not 0. The real layer subtracts max s from its scores,
//            but what it computes does not depend on what is subtracted: exp(s − m) / Σ exp(s − m) is
//            the same for every m. So at any one input let m be the number that max s is *there*, and
//            keep it: the layer with this constant m is the same function as the layer, near that input
//            and everywhere, and has the same trace at that input. Its gradients are therefore the
//            layer's, also where two scores tie and max has no derivative. A proof in this field speaks
//            of constant m; any m will do, since E(s − m) is another E. It is not 0, so that a
//            maximum which is subtracted in one place and forgotten in another shows.
//   −∞, 1/0  undefined, and so is all that is computed from it, which equals nothing: a layer that
//            reads a forbidden score, or divides by 0, is refused.
// No conversions, no order; equality is a named function, so that no branch can depend on an element.
// Stands on: scalar.
#pragma once

#include <attest/scalar/scalar.hpp>

#include <bit>
#include <cstdint>

namespace attest {

class finite_field {
 public:
  static constexpr std::uint64_t modulus = (std::uint64_t{1} << 61) - 1;

  constexpr finite_field() = default;

  /// The class of an integer.
  static constexpr finite_field of(std::uint64_t integer) {
    return finite_field{integer % modulus};
  }
  /// The class of 2^exponent: 2⁶¹ is 1, so exponents count modulo 61.
  static constexpr finite_field power_of_two(int exponent) {
    return of(std::uint64_t{1} << (exponent % 61 + 61) % 61);
  }
  /// What the field has no element for.
  static constexpr finite_field undefined() { return finite_field{mark}; }

  // Written out, and of references: each call and each copy is paid for in constant evaluation.
  friend constexpr finite_field operator+(finite_field const& a, finite_field const& b) {
    return finite_field{(a.bits_ + b.bits_) % modulus | ((a.bits_ | b.bits_) & mark)};
  }
  friend constexpr finite_field operator-(finite_field const& a, finite_field const& b) {
    return finite_field{(a.bits_ + (modulus - b.bits_)) % modulus | ((a.bits_ | b.bits_) & mark)};
  }
  /// With a = a₁·2³¹ + a₀ and b alike, from a₁·b₁·2⁶² = 2·a₁·b₁ and
  /// middle·2³¹ = (middle >> 30)·2⁶¹ + (middle mod 2³⁰)·2³¹. The sum stays below 2⁶³ + 2³².
  friend constexpr finite_field operator*(finite_field const& a, finite_field const& b) {
    std::uint64_t const middle =
        (a.bits_ >> 31) * (b.bits_ & low) + (a.bits_ & low) * (b.bits_ >> 31);
    return finite_field{(2 * (a.bits_ >> 31) * (b.bits_ >> 31) + (middle >> 30) +
                         ((middle & low >> 1) << 31) + (a.bits_ & low) * (b.bits_ & low)) %
                            modulus |
                        ((a.bits_ | b.bits_) & mark)};
  }
  friend constexpr finite_field operator/(finite_field const& a, finite_field const& b) {
    return a *
           (b.bits_ == 0 ? undefined() : finite_field{inverse(b.bits_ & ~mark) | (b.bits_ & mark)});
  }

  /// E(a): the finaliser of MurmurHash3, whose input bits each change half of the output bits; of the
  /// result the upper 61 bits, from 1 on. No value is more than twice as frequent as another.
  friend constexpr finite_field exp(finite_field const& a) {
    std::uint64_t h = a.bits_ + 0x243f6a8885a308d3;
    h = (h ^ h >> 33) * 0xff51afd7ed558ccd;
    h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53;
    return finite_field{((h ^ h >> 33) / 8 % (modulus - 1) + 1) | (a.bits_ & mark)};
  }

  /// m, whatever is compared.
  friend constexpr finite_field larger(finite_field const&, finite_field const&) {
    return of(0x6a09e667f3bcc908);  // the first bits of √2's fraction: any element would do
  }

  /// The same element; what is undefined equals nothing, not even itself.
  friend constexpr bool equals(finite_field const& a, finite_field const& b) {
    return a.bits_ == b.bits_ && a.bits_ < mark;
  }
  /// The same object: as a NaN, what is undefined is the same as its copy.
  friend constexpr bool same_bits(finite_field const& a, finite_field const& b) {
    return a.bits_ == b.bits_;
  }

  explicit operator bool() const = delete;
  bool operator==(finite_field const&) const = delete;
  auto operator<=>(finite_field const&) const = delete;

 private:
  static constexpr std::uint64_t mark = std::uint64_t{1} << 63;
  static constexpr std::uint64_t low = (std::uint64_t{1} << 31) - 1;

  constexpr explicit finite_field(std::uint64_t bits) : bits_{bits} {}

  /// Euclid's algorithm, two divisions a turn; rest = factor·a up to a multiple of modulus, for both.
  /// One of the rests ends as 1, the other at 0 or above 1.
  static constexpr std::uint64_t inverse(std::uint64_t a) {
    auto rest = static_cast<std::int64_t>(modulus);
    auto other_rest = static_cast<std::int64_t>(a);
    std::int64_t factor = 0;
    std::int64_t other_factor = 1;
    while (other_rest > 1) {
      factor -= rest / other_rest * other_factor;
      rest %= other_rest;
      other_factor -= other_rest / rest * factor;
      other_rest %= rest;
    }
    std::int64_t const result = other_rest == 1 ? other_factor : factor;
    return static_cast<std::uint64_t>(result < 0 ? result + static_cast<std::int64_t>(modulus)
                                                 : result);
  }

  std::uint64_t bits_ = 0;  // below modulus; with the mark, undefined
};

template <>
struct scalar_traits<finite_field> {
  /// Exactly `value`, which is m·2^e; infinities and NaN are undefined.
  static constexpr finite_field constant(double value) {
    auto const bits = std::bit_cast<std::uint64_t>(value);
    int const exponent = static_cast<int>(bits >> 52 & 0x7ff);
    if (exponent == 0x7ff) {
      return finite_field::undefined();
    }
    std::uint64_t const fraction = bits & 0x000f'ffff'ffff'ffff;
    auto const significand =
        finite_field::of(exponent == 0 ? fraction : fraction | 0x0010'0000'0000'0000);
    auto const magnitude =
        significand * finite_field::power_of_two((exponent == 0 ? 1 : exponent) - 1075);
    return bits >> 63 == 0 ? magnitude : finite_field{} - magnitude;
  }
  static constexpr finite_field minus_infinity() { return finite_field::undefined(); }
};

}  // namespace attest
