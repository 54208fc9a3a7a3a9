// SPDX-License-Identifier: BSL-1.0
// exact_sum.cpp — a sum without rounding, its rounding, its distance from a number; and how many
// doubles lie between two.
#include <attest/math/exact_sum.hpp>
#include <attest/math/ulps.hpp>
#include "math_sweeps.hpp"

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace attest::checks {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double most = std::numeric_limits<double>::max();
constexpr double least = std::numeric_limits<double>::denorm_min();

constexpr exact_sum sum(std::initializer_list<double> terms) {
  exact_sum result;
  for (double const term : terms) {
    result.add(term);
  }
  return result;
}

constexpr bool sums_to(std::initializer_list<double> terms, double expected) {
  exact_sum negated;
  for (double const term : terms) {
    negated.add(-term);
  }
  return same_bits(sum(terms).rounded(), expected) &&
         same_bits(negated.rounded(), expected == 0 ? 0 : -expected);
}

static_assert(!sums_to({1, 2}, 3 + 0x1p-51) && !sums_to({1, -1}, -0.0));

static_assert(sums_to({}, 0) && sums_to({-0.0}, 0) && sums_to({1, -1}, 0));
static_assert(sums_to({0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, 1));
static_assert(sums_to({1e100, 1, -1e100}, 1));
static_assert(sums_to({most, least, -most}, least));
static_assert(sums_to({0x1p+1000, -least}, 0x1p+1000));
static_assert(sums_to({0x1p+1000, -least, -0x1p+1000}, -least));

// Halves go to even, and the least bit anywhere below decides otherwise.
static_assert(sums_to({1, 0x1p-53}, 1));
static_assert(sums_to({1, 0x1p-53, least}, 1 + 0x1p-52));
static_assert(sums_to({1, 0x1p-53, -least}, 1));
static_assert(sums_to({1, 0x1p-54, 0x1p-55, 0x1p-56}, 1));
static_assert(sums_to({1 + 0x1p-52, 0x1p-53}, 1 + 0x1p-51));
static_assert(sums_to({1 + 0x1p-52, 0x1p-53, -least}, 1 + 0x1p-52));
static_assert(sums_to({2 - 0x1p-52, 0x1p-53}, 2));

// Subnormal numbers, the least normal one, and the first that is rounded.
static_assert(sums_to({least, least}, 2 * least));
static_assert(sums_to({0x1p-1022, -least}, 0x0.fffffffffffffp-1022));
static_assert(sums_to({0x0.fffffffffffffp-1022, least}, 0x1p-1022));
static_assert(sums_to({0x1.fffffffffffffp-1022, least}, 0x1p-1021));
static_assert(sums_to({0x1p-1021, least}, 0x1p-1021));
static_assert(sums_to({0x1.0000000000001p-1021, least}, 0x1.0000000000002p-1021));

// Beyond the largest double, and back.
static_assert(sums_to({most, most}, infinity));
static_assert(sums_to({most, most, -most}, most));
static_assert(sums_to({most, 0x1p+970}, infinity));
static_assert(sums_to({most, 0x1p+970, -least}, most));
static_assert(sums_to({most, most, most, most, most, most, most, most, most}, infinity));
static_assert(sums_to({most, most, most, -most, -most, -0x1p+1023}, 0x1.ffffffffffffep+1022));

constexpr double many(int count, double term) {
  exact_sum result;
  for (int i = 0; i < count; ++i) {
    result.add(term);
  }
  return result.rounded();
}

// Digits pass on what they cannot hold, at once.
static_assert(many(256, 0x1.fffffffffffffp-1) == 0x1.fffffffffffffp+7);
static_assert(many(256, -0x1.fffffffffffffp+20) == -0x1.fffffffffffffp+28);
static_assert(many(256, most) == infinity);

// 2^1038, the least sum that has nothing but its last digit.
constexpr exact_sum in_the_last_digit() {
  exact_sum result;
  for (int i = 0; i < 16384; ++i) {
    result.add(most);
  }
  return result.add(0x1p+985);
}

static_assert(same_bits(in_the_last_digit().rounded(), infinity));

// No digit more than the range needs: 2^-1074 to beyond 2^1024, and whether all were finite.
static_assert(sizeof(exact_sum) == (67 + 1) * 8);

// |sum - target| <= bound, to the last bit.
static_assert(sum({1, least}).within(1, least) && !sum({1, least}).within(1, 0));
static_assert(sum({1, -least}).within(1, least) && !sum({1, -least}).within(1, 0));
static_assert(sum({1}).within(1, 0) && !sum({1}).within(1 + 0x1p-52, 0x1.fffffffffffffp-53));
static_assert(sum({1}).within(1 + 0x1p-52, 0x1p-52));
static_assert(sum({1, 0x1p-60}).within(1, 0x1p-60) && !sum({1, 0x1p-60, least}).within(1, 0x1p-60));
static_assert(sum({-3, 1}).within(-2, 0) && !sum({-3, 1}).within(2, 3.5));
static_assert(sum({most, most}).within(most, most) && !sum({most, most, least}).within(most, most));
static_assert(!sum({1}).within(1, -least) && !sum({1}).within(2, -1));

// What is not finite is no sum, and stays none.
static_assert(same_bits(sum({infinity, 1}).rounded(), not_a_number));
static_assert(same_bits(sum({1, -infinity, 1}).rounded(), not_a_number));
static_assert(same_bits(sum({not_a_number, 1}).rounded(), not_a_number));
static_assert(!sum({infinity}).within(infinity, 1) && !sum({not_a_number}).within(0, 1));
static_assert(!sum({1}).within(1, infinity) && !sum({1}).within(not_a_number, 1));

static_assert(exact_sum_of_two(0, 200) == none);
static_assert(exact_sum_cancels(0, 150) == none);

// ulps.
static_assert(distance_between(1.0, 3.0) == 2 && distance_between(3.0, 1.0) == 2);
static_assert(distance_between(0.25, -0.25) == 0.5 && distance_between(0.25, 0.25) == 0);
static_assert(ulps_between(1.0, 1.0) == 0 && ulps_between(0.0, -0.0) == 0);
static_assert(ulps_between(1.0, 1 + 0x1p-52) == 1 && ulps_between(1 + 0x1p-52, 1.0) == 1);
static_assert(ulps_between(-1.0, -1 - 0x1p-52) == 1 && ulps_between(1.0, 1 - 0x1p-53) == 1);
static_assert(ulps_between(least, -least) == 2 && ulps_between(-0.0, least) == 1);
static_assert(ulps_between(1.0, 2.0) == std::uint64_t{1} << 52);
static_assert(ulps_between(most, infinity) == 1 && ulps_between(-infinity, -most) == 1);
static_assert(ulps_between(infinity, -infinity) == 2 * std::uint64_t{0x7ff0'0000'0000'0000});
static_assert(ulps_between(not_a_number, not_a_number) == ~std::uint64_t{0});
static_assert(ulps_between(1.0, not_a_number) == ~std::uint64_t{0});
static_assert(ulps_between(-not_a_number, 1.0) == ~std::uint64_t{0});
static_assert(ulps_between(1.0, -not_a_number) == ~std::uint64_t{0});
static_assert(ulps_between(std::bit_cast<double>(0x7ff0'0000'0000'0001), 1.0) == ~std::uint64_t{0});
static_assert(ulps_between(std::bit_cast<double>(0xfff0'0000'0000'0001), 1.0) == ~std::uint64_t{0});
static_assert(ulps_between(std::bit_cast<float>(0x7f80'0001), 1.0F) == ~std::uint64_t{0});
static_assert(ulps_between(1.0F, std::bit_cast<float>(0xff80'0001)) == ~std::uint64_t{0});
static_assert(ulps_between(1.0F, 1 + 0x1p-23F) == 1 && ulps_between(0.0F, -0.0F) == 0);
static_assert(ulps_between(-1.0F, 1.0F) == 2 * std::uint64_t{0x3f80'0000});
static_assert(ulps_between(0x1.fffffep+127F, std::numeric_limits<float>::infinity()) == 1);
static_assert(ulps_between(-std::numeric_limits<float>::infinity(), -0x1.fffffep+127F) == 1);
static_assert(ulps_between(std::numeric_limits<float>::quiet_NaN(), 1.0F) == ~std::uint64_t{0});
static_assert(ulps_between(-std::numeric_limits<float>::quiet_NaN(), 1.0F) == ~std::uint64_t{0});

}  // namespace
}  // namespace attest::checks
