// SPDX-License-Identifier: BSL-1.0
// exp_floats_test.cpp — exp of floats in floats: right wherever it decides, for each float, and it
// decides nearly always. Where no register of the target is a table, floats are computed in doubles and
// there is nothing to test here; the templates are checked in static_checks/exp.cpp all the same.
#include <attest/math/exp_lanes.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>

namespace {

#if ATTEST_REGISTER_BYTES == 64

namespace detail = attest::detail;

constexpr std::size_t width = attest::native_width<float>;
constexpr std::size_t together = detail::exp_together;

// Of the floats whose bits are first, first + 1, …: how many have another exp than in doubles.
std::size_t differences(std::uint32_t first) {
  float x[together];
  float powers[together];
  float in_doubles[together];
  for (std::uint32_t i = 0; i < together; ++i) {
    x[i] = std::bit_cast<float>(first + i);
  }
  detail::exp_of_registers<width>(x, powers, together / width);
  detail::exp_of_block<width>(x, in_doubles, together);
  std::size_t found = 0;
  for (std::size_t i = 0; i < together; ++i) {
    found += std::bit_cast<std::uint32_t>(powers[i]) == std::bit_cast<std::uint32_t>(in_doubles[i])
                 ? 0U
                 : 1U;
  }
  return found;
}

TEST(ExpInFloats, IsRightForEachFloatWithANormalPower) {
  // Beyond 87.25 nothing is decided. A sanitizer makes this fifteen times as long.
#ifdef NDEBUG
  constexpr std::uint32_t step = together;
#else
  constexpr std::uint32_t step = 61 * together;
#endif
  auto const beyond = std::bit_cast<std::uint32_t>(88.0F);
  std::size_t wrong = 0;
  for (std::uint32_t bits = 0; bits < beyond; bits += step) {
    wrong += differences(bits) + differences(bits | 0x8000'0000);
  }
  EXPECT_EQ(wrong, 0U);
}

TEST(ExpInFloats, LeavesOneInAThousandToDoubles) {
  std::mt19937 random(23);
  std::uniform_real_distribution<float> scores(-20, 0);
  detail::exp_table_in_registers const table;
  std::size_t left = 0;
  constexpr std::size_t registers = 20'000;
  for (std::size_t i = 0; i < registers; ++i) {
    float numbers[width];
    std::ranges::generate(numbers, [&] { return scores(random); });
    detail::exp_register const x[1] = {attest::load_lanes<width>(numbers)};
    detail::exp_float_ends<detail::exp_register> ends[1];
    detail::exp_in_floats(table, x, ends);
    left += width - static_cast<std::size_t>(std::popcount(detail::exp_known(x[0], ends[0])));
  }
  std::printf("in floats: undecided on 1 input in %zu\n", registers * width / left);
  EXPECT_GT(left, registers * width / 1'500);
  EXPECT_LT(left, registers * width / 800);
}

// A lane that is not known does not stand for its neighbours, nor they for it.
TEST(ExpInFloats, KnowsEachLaneByItself) {
  detail::exp_table_in_registers const table;
  float const unknown[] = {-0x1.033008p+1F,
                           87.25F,
                           -87.25F,
                           -104.0F,
                           1e30F,
                           -1e30F,
                           std::numeric_limits<float>::infinity(),
                           -std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::quiet_NaN()};
  for (float const number : unknown) {
    for (std::size_t lane = 0; lane < width; ++lane) {
      detail::exp_register x[1] = {detail::exp_register{} - 1};
      x[0][lane] = number;
      detail::exp_float_ends<detail::exp_register> ends[1];
      detail::exp_in_floats(table, x, ends);
      EXPECT_EQ(detail::exp_known(x[0], ends[0]), 0xffffU ^ (1U << lane)) << number;
    }
  }
}

#else

TEST(ExpInFloats, IsNotForThisTarget) {
  GTEST_SKIP() << "a table of 32 floats wants registers of 64 bytes";
}

#endif

}  // namespace
