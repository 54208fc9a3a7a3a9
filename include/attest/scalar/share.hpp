// SPDX-License-Identifier: BSL-1.0
// share.hpp — a part of a total, with a count of roundings: what softmax makes of any finite scores.
// A share says of a floating-point number what holds of it for every input, as long as the numbers
// that the layer computes up to the scores, and the values, are finite:
//   zero            exactly 0, of either sign
//   number          any finite number; a fingerprint of the operations that made it says which
//   maximum         the largest of some numbers
//   difference      a number minus a maximum; where the number is one of the maximum's, at most 0, and
//                   exactly 0 where it is the largest (it may overflow to −∞)
//   part            a sum of exp(difference), the atoms, all against the same maximum
//   fraction        a sum of parts / total, where total has one atom for each number of the maximum
//   weighted        a sum of fraction·number
//   minus_infinity  a forbidden score
//   unknown         anything else, NaN included; so is what is computed from it
// An atom of a number that belongs to the maximum lies in [0, 1] and is 1 for the largest, so a total
// lies between 1 and the number of its atoms: rounding is monotone, so sums of what is not negative
// never fall below a term. It cannot overflow, and nothing is divided by 0.
// A set is the sum of its members' fingerprints, so members may repeat. Whether a number belongs to a
// set is not asked until the end: only what has exactly the atoms of its maximum is complete, and then
// all of its atoms belong. Two sets that differ have the same sum by accident only: proof/row_sums.hpp.
//
// Roundings: 0 + x is exact; every other +, ÷ and × counts one, along the longest chain of a term. A
// sum has no error but its rounding, however small; quotients and products that underflow have another
// of half the smallest number, counted in `underflows`.
// No conversions, no order. Source of the counting: Higham, "Accuracy and stability of numerical
// algorithms" (2002), lemma 3.1. Stands on: scalar.
#pragma once

#include <attest/scalar/scalar.hpp>

#include <bit>
#include <cstdint>
#include <limits>

namespace attest {

enum class share_of : std::uint32_t {
  zero,
  number,
  maximum,
  difference,
  part,
  fraction,
  weighted,
  minus_infinity,
  unknown
};

struct share {
  share_of kind = share_of::zero;
  std::uint32_t roundings = 0;
  std::uint32_t underflows = 0;
  std::uint64_t atoms = 0;    // of a number, its fingerprint
  std::uint64_t maximum = 0;  // the numbers that the maximum was taken of
  std::uint64_t pairs = 0;    // which atom is multiplied by which number

  /// Any finite number; equal labels mean the same one.
  static constexpr share number(std::uint64_t label) { return numbered(mixed(0, label)); }
  static constexpr share unknown() { return {.kind = share_of::unknown}; }

  /// Has exactly the atoms of its maximum: of a part, the total; of fractions, sums to 1.
  constexpr bool is_complete() const { return atoms == maximum; }

  /// What `atoms`·`factor` adds to `pairs`.
  static constexpr std::uint64_t pair_of(std::uint64_t atoms, share const& factor) {
    return mixed(atoms, fingerprint(factor));
  }

  /// The sum without a rounding; 0 adds nothing.
  static constexpr share exact_sum(share const& a, share const& b) {
    if (b.kind == share_of::zero) {
      return a;
    }
    if (a.kind == share_of::zero) {
      return b;
    }
    if (a.kind != b.kind || a.kind < share_of::part || a.kind > share_of::weighted ||
        a.maximum != b.maximum) {
      return unknown();
    }
    return {a.kind,
            a.roundings < b.roundings ? b.roundings : a.roundings,
            a.underflows + b.underflows,
            a.atoms + b.atoms,
            a.maximum,
            a.pairs + b.pairs};
  }

  friend constexpr share operator+(share const& a, share const& b) {
    if (a.kind == share_of::number && b.kind == share_of::number) {
      return numbered(mixed(a.atoms + 1, b.atoms));
    }
    share sum = exact_sum(a, b);
    if (a.kind != share_of::zero && b.kind != share_of::zero) {
      ++sum.roundings;
    }
    return sum;
  }

  /// A number is the maximum of itself: a row of one score has no other.
  friend constexpr share operator-(share const& a, share const& b) {
    if (b.kind == share_of::zero) {
      return a;
    }
    if (a.kind == share_of::minus_infinity && (b.is_number() || b.kind == share_of::maximum)) {
      return a;
    }
    if (a.is_number() && (b.kind == share_of::maximum || same_bits(a, b))) {
      return {.kind = share_of::difference, .atoms = fingerprint(a), .maximum = set_of(b)};
    }
    if (a.is_number() && b.is_number()) {
      return numbered(mixed(fingerprint(a) + 2, fingerprint(b)));
    }
    return unknown();
  }

  friend constexpr share operator*(share const& a, share const& b) {
    if (a.kind == share_of::number && b.kind == share_of::number) {
      return numbered(mixed(a.atoms + 3, b.atoms));
    }
    if (a.kind == share_of::fraction && b.is_number()) {
      return weighted(a, b);
    }
    if (b.kind == share_of::fraction && a.is_number()) {
      return weighted(b, a);
    }
    return a.is_number() && b.is_number() ? share{} : unknown();
  }

  /// Only by a total, which is at least 1.
  friend constexpr share operator/(share const& a, share const& b) {
    if (b.kind != share_of::part || !b.is_complete()) {
      return unknown();
    }
    if (a.kind == share_of::part && a.maximum == b.maximum) {
      return {.kind = share_of::fraction,
              .roundings = a.roundings + b.roundings + 1,
              .underflows = 1,
              .atoms = a.atoms,
              .maximum = a.maximum};
    }
    return a.kind == share_of::zero ? a : unknown();
  }

  friend constexpr share exp(share const& a) {
    if (a.kind == share_of::difference) {
      return {.kind = share_of::part, .atoms = a.atoms, .maximum = a.maximum};
    }
    return a.kind == share_of::minus_infinity ? share{} : unknown();
  }

  friend constexpr share larger(share const& a, share const& b) {
    if (a.kind == share_of::minus_infinity && b.may_be_largest()) {
      return b;
    }
    if (b.kind == share_of::minus_infinity && a.may_be_largest()) {
      return a;
    }
    return a.may_be_largest() && b.may_be_largest()
               ? share{.kind = share_of::maximum, .maximum = set_of(a) + set_of(b)}
               : unknown();
  }

  /// The same statement about the same numbers.
  friend constexpr bool same_bits(share const& a, share const& b) {
    return a.kind == b.kind && a.roundings == b.roundings && a.underflows == b.underflows &&
           a.atoms == b.atoms && a.maximum == b.maximum && a.pairs == b.pairs;
  }

  explicit operator bool() const = delete;
  explicit operator double() const = delete;
  bool operator==(share const&) const = delete;
  auto operator<=>(share const&) const = delete;

 private:
  friend struct scalar_traits<share>;

  static constexpr share numbered(std::uint64_t fingerprint_of_it) {
    return {.kind = share_of::number, .atoms = fingerprint_of_it};
  }
  static constexpr share weighted(share const& fraction, share const& factor) {
    return {share_of::weighted, fraction.roundings + 1, fraction.underflows + 1,
            fraction.atoms,     fraction.maximum,       pair_of(fraction.atoms, factor)};
  }

  constexpr bool is_number() const { return kind <= share_of::number; }
  constexpr bool may_be_largest() const {
    return kind <= share_of::maximum || kind == share_of::minus_infinity;
  }

  static constexpr std::uint64_t fingerprint(share const& number_or_zero) {
    return number_or_zero.kind == share_of::zero ? 0x13198a2e03707344 : number_or_zero.atoms;
  }
  static constexpr std::uint64_t set_of(share const& a) {
    return a.kind == share_of::maximum ? a.maximum : fingerprint(a);
  }

  /// The finaliser of MurmurHash3 after each of two words, so that their order counts.
  static constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    std::uint64_t h = (a + 0x243f6a8885a308d3) * 0xff51afd7ed558ccd;
    h = ((h ^ h >> 32) + b) * 0xc4ceb9fe1a85ec53;
    h = (h ^ h >> 33) * 0xff51afd7ed558ccd;
    return h ^ h >> 32;
  }
};

template <>
struct scalar_traits<share> {
  static constexpr share constant(double value) {
    constexpr double largest = std::numeric_limits<double>::max();
    if (value == 0) {
      return {};
    }
    return -largest <= value && value <= largest
               ? share::numbered(share::mixed(4, std::bit_cast<std::uint64_t>(value)))
               : share::unknown();
  }
  static constexpr share minus_infinity() { return {.kind = share_of::minus_infinity}; }
};

}  // namespace attest
