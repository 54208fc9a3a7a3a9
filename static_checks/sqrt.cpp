// SPDX-License-Identifier: BSL-1.0
// sqrt.cpp — sqrt is correctly rounded: literals from MPFR, and on sweeps the exact inequality that
// defines the nearest double.
#include <attest/math/sqrt.hpp>
#include "certified.hpp"
#include "math_sweeps.hpp"

#include <bit>
#include <cstdint>
#include <iterator>
#include <limits>

namespace attest::checks {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct root {
  double x;
  double sqrt_x;
};

constexpr root special[] = {
    {0.0, 0.0},
    {-0.0, -0.0},
    {infinity, infinity},
    {-infinity, not_a_number},
    {-1, not_a_number},
    {-std::numeric_limits<double>::denorm_min(), not_a_number},
    {not_a_number, not_a_number},
    {-not_a_number, not_a_number},
    {std::numeric_limits<double>::signaling_NaN(), not_a_number},
    {std::bit_cast<double>(0x7ff0'0000'0000'0001), not_a_number},
};
static_assert(first_failure(0, std::size(special), [](int i) {
                return same_bits(sqrt(special[i].x), special[i].sqrt_x);
              }) == none);

// Powers of two, both ends of the range, subnormal numbers, and roots near the middle of two
// doubles.
constexpr root roots[] = {
    {0x1p+0, 0x1p+0},
    {0x1p-1074, 0x1p-537},
    {0x1.8p-1073, 0x1.bb67ae8584caap-537},
    {0x0.fffffffffffffp-1022, 0x1.fffffffffffffp-512},
    {0x1p-1022, 0x1p-511},
    {0x0.8p-1022, 0x1.6a09e667f3bcdp-512},
    {0x1.fffffffffffffp+1023, 0x1.fffffffffffffp+511},
    {0x1.fffffffffffffp+1022, 0x1.6a09e667f3bccp+511},
    {0x1.fffffffffffffp-1, 0x1.fffffffffffffp-1},
    {0x1.ffffffffffffep-1, 0x1.fffffffffffffp-1},
    {0x1.0000000000001p+0, 0x1p+0},
    {0x1.0000000000002p+0, 0x1.0000000000001p+0},
    {0x1p+1, 0x1.6a09e667f3bcdp+0},
    {0x1.0000000000001p+1, 0x1.6a09e667f3bcdp+0},
    {0x1.8p+1, 0x1.bb67ae8584caap+0},
    {0x0.0000000000003p-1022, 0x1.bb67ae8584caap-537},
    {0x0.0000000000007p-1022, 0x1.52a7fa9d2f8eap-536},
    {0x0.5555555555555p-1022, 0x1.279a74590331cp-512},
    {0x1.b30b9d449dcb9p+0, 0x1.4db94ed964717p+0},
    {0x1.2ea97786b144dp+1, 0x1.89a73fc47028bp+0},
    {0x1.4febc46899323p+0, 0x1.254016e02d065p+0},
    {0x1.db2a0110b8de1p+0, 0x1.5cc5aad3febffp+0},
    {0x1.71c7188cbe598p+1, 0x1.b31dc5a194299p+0},
    {0x1.7aa8f7d061f3cp+0, 0x1.3758d66cc3bc3p+0},
    {0x1.7dce063bf5921p+0, 0x1.38a3201e605a2p+0},
    {0x1.ed7a06bbd2e4ep+0, 0x1.636dea3365fdep+0},
};
static_assert(first_failure(0, std::size(roots), [](int i) {
                return same_bits(sqrt(roots[i].x), roots[i].sqrt_x);
              }) == none);

// The inequality refuses a neighbour: of 4, 2 is the root, and 2 is not that of what lies around
// 4 (1 + 2^-51).
static_assert(sqrt_is_nearest(4) && sqrt_is_nearest(2));
static_assert(is_nearest_root(2, 4) && !is_nearest_root(2 + 0x1p-51, 4));
static_assert(!is_nearest_root(2 - 0x1p-52, 4) && !is_nearest_root(2, 4 + 0x1p-49));

constexpr finding on_a_spread = {.holds = sqrt_on_a_spread(0, 80) == none};
constexpr finding of_squares = {.holds = sqrt_of_squares(0, 30) == none};
static_assert(on_a_spread.holds);
static_assert(of_squares.holds);

constexpr certificate_row row{.guarantee = "sqrt is correctly rounded",
                              .layer = "double and float",
                              .inputs = "a spread of 80 inputs and 30 squares with neighbours",
                              .bound = "exact",
                              .check = "sqrt"};
certified const entry{row.certified_by({on_a_spread, of_squares})};

#if defined(__GNUC__) && !defined(__clang__)
// g++ evaluates its own sqrt with MPFR.
constexpr int equals_the_compilers(int from, int to, int least, int most) {
  return first_failure(from, to, [=](int i) {
    double const y = scattered_number(i, least, most);
    double const x = y < 0 ? -y : y;
    return same_bits(sqrt(x), __builtin_sqrt(x));
  });
}

static_assert(equals_the_compilers(0, 400, -1022, 1023) == none);
static_assert(equals_the_compilers(400, 500, -1, 0) == none);
static_assert(equals_the_compilers(0, 40, -1023, -1023) == none);
#endif

// float.
constexpr bool same_bits_float(float x, float y) {
  return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
}

static_assert(same_bits_float(0.0F, 0.0F) && !same_bits_float(0.0F, -0.0F));
static_assert(same_bits_float(sqrt(2.0F), 0x1.6a09e6p+0F));
static_assert(same_bits_float(sqrt(3.0F), 0x1.bb67aep+0F));
static_assert(same_bits_float(sqrt(0x1p-149F), 0x1.6a09e6p-75F));
static_assert(same_bits_float(sqrt(-0.0F), -0.0F));
static_assert(same_bits_float(sqrt(-1.0F), std::numeric_limits<float>::quiet_NaN()));

}  // namespace
}  // namespace attest::checks
