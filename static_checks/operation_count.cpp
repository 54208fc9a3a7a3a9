// SPDX-License-Identifier: BSL-1.0
// operation_count.cpp — the laws of operation_count: each operation adds one to its own kind, once,
// whichever operand knows the counter.
#include "no_branch.hpp"

#include <attest/attention.hpp>
#include <attest/scalar/operation_count.hpp>

#include <cstdint>
#include <type_traits>

namespace attest {
namespace {

static_assert(scalar<operation_count>);

/// The counts after `performed(a, b)` on two inputs of one counter.
constexpr operation_counts after(auto const& performed) {
  operation_counts counts;
  performed(operation_count{counts}, operation_count{counts});
  return counts;
}
using count = operation_count;
constexpr operation_counts one_multiplication{.multiplications = 1};
constexpr operation_counts one_addition{.additions = 1};
constexpr operation_counts one_division{.divisions = 1};
constexpr operation_counts one_exponential{.exponentials = 1};
constexpr operation_counts one_comparison{.comparisons = 1};

static_assert(after([](count, count) {}) == operation_counts{});
static_assert(after([](count a, count b) { return a * b; }) == one_multiplication);
static_assert(after([](count a, count b) { return a + b; }) == one_addition);
static_assert(after([](count a, count b) { return a - b; }) == one_addition);
static_assert(after([](count a, count b) { return a / b; }) == one_division);
static_assert(after([](count a, count) { return exp(a); }) == one_exponential);
static_assert(after([](count a, count b) { return larger(a, b); }) == one_comparison);

// A constant on either side is counted where the other operand is, and so is what comes of it.
constexpr count constant = scalar_traits<count>::constant(2);
constexpr count infinite = scalar_traits<count>::minus_infinity();
static_assert(after([](count a, count) { return constant * a; }) == one_multiplication);
static_assert(after([](count a, count) { return a * constant; }) == one_multiplication);
static_assert(after([](count a, count) { return count{} + a; }) == one_addition);
static_assert(after([](count a, count) { return a + count{}; }) == one_addition);
static_assert(after([](count a, count) { return constant - a; }) == one_addition);
static_assert(after([](count a, count) { return a - constant; }) == one_addition);
static_assert(after([](count a, count) { return constant / a; }) == one_division);
static_assert(after([](count a, count) { return a / constant; }) == one_division);
static_assert(after([](count a, count) { return larger(infinite, a); }) == one_comparison);
static_assert(after([](count a, count) { return larger(a, infinite); }) == one_comparison);
static_assert(after([](count a, count b) {
                return exp(larger(a - b, count{}) * constant) / b + a;
              }) == operation_counts{1, 2, 1, 1, 1});
static_assert(after([](count a, count b) { return (a * b) * (a * b); }) ==
              operation_counts{.multiplications = 3});

// Two constants have no counter, and values of two proofs no common one: such an operation is no
// constant expression. What is one is told by a template argument.
template <class Performed>
concept can_be_counted = requires { typename std::bool_constant<(Performed{}(), true)>; };
static_assert(
    can_be_counted<decltype([] { return after([](count a, count b) { return a + b; }); })>);
static_assert(!can_be_counted<decltype([] { static_cast<void>(count{} + constant); })>);
static_assert(!can_be_counted<decltype([] { static_cast<void>(exp(constant)); })>);
static_assert(!can_be_counted<decltype([] {
  operation_counts one;
  operation_counts another;
  static_cast<void>(count{one} + count{another});
})>);

static_assert(same_bits(count{}, constant) && same_bits(constant, infinite));
constexpr bool counters_are_told_apart = [] {
  operation_counts one;
  operation_counts another;
  return same_bits(count{one}, count{one}) && !same_bits(count{one}, count{another}) &&
         !same_bits(count{one}, count{});
}();
static_assert(counters_are_told_apart);

static_assert(checks::allows_no_branch<count>);
static_assert(!std::is_convertible_v<double, count>);

}  // namespace
}  // namespace attest
