// SPDX-License-Identifier: BSL-1.0
// operation_count.hpp — counts the operations that are performed.
// A value knows the counter that its proof owns, and every operation on it adds one there: what is
// computed twice counts twice, and what is computed in vain counts. Stands on: scalar.
#pragma once

#include <attest/scalar/scalar.hpp>

#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace attest {

/// Operations by kind; a subtraction is an addition, and a comparison is one use of `larger`.
struct operation_counts {
  std::uint64_t multiplications = 0;
  std::uint64_t additions = 0;
  std::uint64_t divisions = 0;
  std::uint64_t exponentials = 0;
  std::uint64_t comparisons = 0;
  friend constexpr bool operator==(operation_counts const&, operation_counts const&) = default;
};

namespace detail {

// Neither is constexpr, so that reaching one stops the compilation; at run time it ends the program.
[[noreturn]] inline void operation_between_constants_has_no_counter() {
  std::abort();
}
[[noreturn]] inline void operation_between_values_of_two_counters() {
  std::abort();
}

/// The one counter that the operands know.
template <class Counter>
constexpr Counter& common_counter(Counter* left, Counter* right) {
  if (left == nullptr && right == nullptr) {
    operation_between_constants_has_no_counter();
  }
  if (left != nullptr && right != nullptr && left != right) {
    operation_between_values_of_two_counters();
  }
  return left != nullptr ? *left : *right;
}

}  // namespace detail

/// A value of which only the counter is known; a constant has none and takes the other operand's.
/// Refuses: an operation between two constants or values of two counters, which nobody could count
///          (is no constant expression, and aborts at run time); to become a bool or a number, ==
///          and an order (does not compile): a branch would make the count that of one input.
class operation_count {
 public:
  struct no_branch_may_hide_an_operation;

  constexpr operation_count() = default;
  constexpr explicit operation_count(operation_counts& counter) : counter_{&counter} {}

  friend constexpr operation_count operator+(operation_count left, operation_count right) {
    return {&operation_counts::additions, left, right};
  }
  friend constexpr operation_count operator-(operation_count left, operation_count right) {
    return {&operation_counts::additions, left, right};
  }
  friend constexpr operation_count operator*(operation_count left, operation_count right) {
    return {&operation_counts::multiplications, left, right};
  }
  friend constexpr operation_count operator/(operation_count left, operation_count right) {
    return {&operation_counts::divisions, left, right};
  }
  friend constexpr operation_count larger(operation_count left, operation_count right) {
    return {&operation_counts::comparisons, left, right};
  }
  friend constexpr operation_count exp(operation_count a) {
    return {&operation_counts::exponentials, a, a};
  }

  /// True if both are counted in the same place.
  friend constexpr bool same_bits(operation_count left, operation_count right) {
    return left.counter_ == right.counter_;
  }

  // Reason is only there for the compilers to print.
  template <class Number, class Reason = no_branch_may_hide_an_operation>
    requires std::is_arithmetic_v<Number>
  operator Number() const = delete;
  template <class Reason = no_branch_may_hide_an_operation>
  constexpr bool operator==(operation_count) const = delete;
  template <class Reason = no_branch_may_hide_an_operation>
  constexpr bool operator<=>(operation_count) const = delete;

 private:
  constexpr operation_count(std::uint64_t operation_counts::* kind, operation_count left,
                            operation_count right)
      : counter_{&detail::common_counter(left.counter_, right.counter_)} {
    ++(counter_->*kind);
  }

  operation_counts* counter_;  // null when value-initialised, which is a constant
};

template <>
struct scalar_traits<operation_count> {
  static constexpr operation_count constant(double) { return {}; }
  static constexpr operation_count minus_infinity() { return {}; }
};

}  // namespace attest
