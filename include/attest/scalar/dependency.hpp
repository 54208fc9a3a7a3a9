// SPDX-License-Identifier: BSL-1.0
// dependency.hpp — the set of inputs that could have influenced a value.
// Every operation unites the sets of its operands, whatever the numbers would be: x·0 and x − x keep
// x, since they are NaN where x is infinite, and a maximum keeps both sides, since it looks at both.
// So what is not in the set cannot influence the value in any bit, NaN and infinity included.
// Stands on: scalar.
#pragma once

#include <attest/scalar/scalar.hpp>

#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace attest {

namespace detail {

/// Sets of more inputs than one word has bits. A built-in array is read without a call.
template <std::size_t Words>
struct many_words {
  std::uint64_t of[Words];

  friend constexpr many_words operator|(many_words const& left, many_words const& right) {
    many_words both{};
    for (std::size_t word = 0; word < Words; ++word) {
      both.of[word] = left.of[word] | right.of[word];
    }
    return both;
  }
  friend constexpr bool operator==(many_words const&, many_words const&) = default;
};

constexpr std::uint64_t& word_of(std::uint64_t& set, std::size_t) {
  return set;
}
constexpr std::uint64_t word_of(std::uint64_t const& set, std::size_t) {
  return set;
}
template <std::size_t Words>
constexpr std::uint64_t& word_of(many_words<Words>& set, std::size_t word) {
  return set.of[word];
}
template <std::size_t Words>
constexpr std::uint64_t word_of(many_words<Words> const& set, std::size_t word) {
  return set.of[word];
}

}  // namespace detail

/// A set of inputs, numbered from 0; a constant is the empty set.
/// Refuses: to become a bool or a number, == and an order (does not compile): a branch would hide an
///          influence from the set.
/// Cost:   a union of ⌈Inputs / 64⌉ words an operation. A set of one word is a plain integer, with
///         which g++'s constant evaluator is twice as fast as with an array of one.
template <std::size_t Inputs>
struct dependency {
  struct no_branch_may_hide_an_influence;
  static constexpr std::size_t bits_a_word = 64;
  using set_type = std::conditional_t<(Inputs <= bits_a_word), std::uint64_t,
                                      detail::many_words<(Inputs + bits_a_word - 1) / bits_a_word>>;

  set_type set;  // empty when value-initialised, as a number is 0

  /// Exactly one input.
  static constexpr dependency on(std::size_t input) {
    assert(input < Inputs);
    dependency result{};
    detail::word_of(result.set, input / bits_a_word) = std::uint64_t{1} << input % bits_a_word;
    return result;
  }

  /// Inputs first, first + 1, …, last − 1.
  static constexpr dependency on_range(std::size_t first, std::size_t last) {
    assert(last <= Inputs);
    dependency result{};
    for (std::size_t input = first; input < last; ++input) {
      detail::word_of(result.set, input / bits_a_word) |= std::uint64_t{1} << input % bits_a_word;
    }
    return result;
  }

  constexpr bool depends_on(std::size_t input) const {
    assert(input < Inputs);
    return (detail::word_of(set, input / bits_a_word) >> input % bits_a_word & 1) != 0;
  }

  friend constexpr dependency operator+(dependency const& left, dependency const& right) {
    return dependency{left.set | right.set};
  }
  friend constexpr dependency operator-(dependency const& left, dependency const& right) {
    return dependency{left.set | right.set};
  }
  friend constexpr dependency operator*(dependency const& left, dependency const& right) {
    return dependency{left.set | right.set};
  }
  friend constexpr dependency operator/(dependency const& left, dependency const& right) {
    return dependency{left.set | right.set};
  }
  friend constexpr dependency larger(dependency const& left, dependency const& right) {
    return dependency{left.set | right.set};
  }
  friend constexpr dependency exp(dependency const& a) { return a; }

  /// True if both are the same set.
  friend constexpr bool same_bits(dependency const& left, dependency const& right) {
    return left.set == right.set;
  }

  // Reason is only there for the compilers to print.
  template <class Number, class Reason = no_branch_may_hide_an_influence>
    requires std::is_arithmetic_v<Number>
  operator Number() const = delete;
  template <class Reason = no_branch_may_hide_an_influence>
  constexpr bool operator==(dependency const&) const = delete;
  template <class Reason = no_branch_may_hide_an_influence>
  constexpr bool operator<=>(dependency const&) const = delete;
};

template <std::size_t Inputs>
struct scalar_traits<dependency<Inputs>> {
  static constexpr dependency<Inputs> constant(double) { return {}; }
  static constexpr dependency<Inputs> minus_infinity() { return {}; }
};

}  // namespace attest
