// SPDX-License-Identifier: BSL-1.0
// generator_test.cpp — the generator and the rounding at run time: the bits of the compiler, and of
// CPython 3.11, which made the literals.
#include <runtime_tests/unseen.hpp>

#include <recorded/cpython_random.hpp>
#include <recorded/cpython_round.hpp>
#include <recorded/run.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <stdexcept>

namespace attest::recorded {
namespace {

std::uint32_t unseen_seed(std::uint32_t seed) {
  std::uint32_t const volatile value = seed;
  return value;
}

TEST(Generator, DrawsAtRunTimeWhatTheCompilerDrew) {
  static constexpr auto compiled_params = params();
  static constexpr auto compiled_table = embedding_table();
  static constexpr auto compiled_readout = readout<64>();
  static constexpr auto compiled_x = embed(ids);
  EXPECT_EQ(params(unseen_seed(params_seed)), compiled_params);
  EXPECT_EQ(embedding_table(unseen_seed(embedding_seed)), compiled_table);
  EXPECT_EQ(readout<64>(unseen_seed(readout_seed)), compiled_readout);
  EXPECT_EQ(embed(ids, embedding_table(unseen_seed(embedding_seed))), compiled_x);
  EXPECT_NE(params(unseen_seed(params_seed + 1)), compiled_params);
}

TEST(Generator, GivesTheThousandthWordThatItsAuthorsPublished) {
  std::uint32_t const key[]{unseen_seed(0x123), 0x234, 0x345, 0x456};
  cpython_random random(key);
  for (int i = 1; i < 1000; ++i) {
    random.next();
  }
  EXPECT_EQ(random.next(), 3460025646U);
}

TEST(Generator, AnIdBeyondTheTableIsAnError) {
  EXPECT_THROW(embed(std::array<std::size_t, 1>{vocabulary_size}), std::out_of_range);
  EXPECT_NO_THROW(embed(std::array<std::size_t, 1>{vocabulary_size - 1}));
}

struct rounding {
  double x;
  int decimals;
  double expected;
};

// Made by CPython 3.11: random bits, decimals that look like ties, exact ties, and small numbers.
constexpr rounding roundings[] = {
    {0x1.0000000000000p-3, 2, 0x1.eb851eb851eb8p-4},
    {0x1.8000000000000p-2, 2, 0x1.851eb851eb852p-2},
    {0x1.5666666666666p+1, 2, 0x1.55c28f5c28f5cp+1},
    {0x1.0147ae147ae14p+0, 2, 0x1.0000000000000p+0},
    {0x1.0000000000000p-1, 0, 0x0.0p+0},
    {0x1.8000000000000p+0, 0, 0x1.0000000000000p+1},
    {0x1.4000000000000p+1, 0, 0x1.0000000000000p+1},
    {0x1.999999999999ap-5, 1, 0x1.999999999999ap-4},
    {0x1.3333333333333p-3, 1, 0x1.999999999999ap-4},
    {0x1.0000000000000p-2, 1, 0x1.999999999999ap-3},
    {0x1.3ffbe76c8b439p+3, 3, 0x1.3ff7ced916873p+3},
    {0x1.fff972474538fp-1, 4, 0x1.0000000000000p+0},
    {0x0.0000000000001p-1022, 8, 0x0.0p+0},
    {0x1.7e43c8800759cp+996, 8, 0x1.7e43c8800759cp+996},
    {0x1.fffffffffffffp+51, 0, 0x1.0000000000000p+52},
    {0x1.fffffffffffffp+51, 8, 0x1.fffffffffffffp+51},
    {0x1.0000000000000p+53, 3, 0x1.0000000000000p+53},
    {0x1.9c511dc3a41dfp-28, 8, 0x1.5798ee2308c3ap-27},
    {0x1.5798ee2308c3ap-28, 8, 0x1.5798ee2308c3ap-27},
    {0x1.e2401f9add261p+16, 8, 0x1.e2401f9add3b8p+16},
    {0x1.c809a676b1b69p-244, 3, 0x0.0p+0},
    {0x1.2fe9e9974d75bp-657, 3, 0x0.0p+0},
    {0x1.e27003f9931eep-751, 1, 0x0.0p+0},
    {0x1.0e378404b6eafp+470, 6, 0x1.0e378404b6eafp+470},
    {0x1.76cee87e355b2p+378, 8, 0x1.76cee87e355b2p+378},
    {0x1.cbb9116ff82e3p+898, 7, 0x1.cbb9116ff82e3p+898},
    {0x1.846b1331057cap-160, 3, 0x0.0p+0},
    {0x1.4b6a2cae8c077p+824, 5, 0x1.4b6a2cae8c077p+824},
    {0x1.6e581cf7878b8p-4, 6, 0x1.6e58a32f44913p-4},
    {0x1.3f5a1cac08312p+4, 3, 0x1.3f5810624dd2fp+4},
    {0x1.1bb5d38c03aeep-7, 7, 0x1.1bb5682c3943fp-7},
    {0x1.738851eb851ecp+9, 2, 0x1.7388f5c28f5c3p+9},
    {0x1.bd6b65a9a8049p-4, 5, 0x1.bd66277c45cbcp-4},
    {0x1.d17de1823b841p-11, 8, 0x1.d17e8d4eb2959p-11},
    {0x1.803c000000000p+12, 1, 0x1.803cccccccccdp+12},
    {0x1.0e31f8a0902dep-1, 5, 0x1.0e3150dae3e6cp-1},
    {0x1.13dd000000000p+15, 0, 0x1.13dc000000000p+15},
    {0x1.4f0a7f34e96bcp-17, 8, 0x1.4f357252adccdp-17},
    {0x1.b5935fc3b4f61p-6, 6, 0x1.b59146e4c0df6p-6},
    {0x1.66924f227d029p-1, 5, 0x1.6692f6e82949ap-1},
    {0x1.7a8a666666666p+12, 1, 0x1.7a8999999999ap+12},
    {0x1.103c8e25c810ap-12, 8, 0x1.103b368cd9edap-12},
    {0x1.3605400000000p+4, 0, 0x1.3000000000000p+4},
    {0x1.6e1b000000000p+13, 3, 0x1.6e1b000000000p+13},
    {0x1.e7a4400000000p+13, 7, 0x1.e7a4400000000p+13},
    {0x1.30da800000000p+13, 8, 0x1.30da800000000p+13},
    {0x1.5212c00000000p+13, 0, 0x1.5210000000000p+13},
    {0x1.c1b5000000000p+15, 2, 0x1.c1b5000000000p+15},
    {0x1.e518800000000p+4, 1, 0x1.e4ccccccccccdp+4},
    {0x1.df94c00000000p+5, 1, 0x1.df33333333333p+5},
    {0x1.24ae800000000p+7, 0, 0x1.2400000000000p+7},
    {0x1.8634c00000000p+7, 2, 0x1.8633333333333p+7},
    {0x1.0bfb5b99f0ee7p-6, 0, 0x0.0p+0},
    {0x1.47e6ec0d88276p+25, 4, 0x1.47e6ec0d8793ep+25},
    {0x1.1747f719dc3e9p-15, 5, 0x1.f75104d551d69p-16},
    {0x1.e1f8f2ac7adcbp+29, 0, 0x1.e1f8f2b000000p+29},
    {0x1.0c236cbd11e14p-14, 6, 0x1.0c6f7a0b5ed8dp-14},
    {0x1.fd68323166408p-19, 2, 0x0.0p+0},
    {0x1.2f13c2964a0ecp-10, 6, 0x1.2f09d8c6d612cp-10},
    {0x1.2a01e7ec9409cp-7, 8, 0x1.2a01f19cbae14p-7},
    {0x1.46c3d862a1f1cp+31, 3, 0x1.46c3d862a1cacp+31},
    {0x1.b13759d07c7f0p-16, 5, 0x1.f75104d551d69p-16},
    {0x1.7cd45eada6af4p-3, 4, 0x1.7ced916872b02p-3},
    {0x1.2881d500a1970p-4, 4, 0x1.288ce703afb7fp-4},
    {0x1.269e92816d504p-2, 4, 0x1.269ad42c3c9efp-2},
    {0x1.2bdfe475488ebp-1, 4, 0x1.2be0ded288ce7p-1},
    {0x1.86934559888c0p-5, 4, 0x1.86c226809d495p-5},
    {0x1.bb071c608162cp-3, 4, 0x1.bafb7e90ff972p-3},
    {0x1.98ade3ab1ac10p-2, 4, 0x1.98adab9f559b4p-2},
    {0x1.a50d4d73fde71p-1, 4, 0x1.a5119ce075f70p-1},
    {0x1.98fef7b1667b2p-2, 4, 0x1.98fc504816f00p-2},
    {0x1.a800b5e826f2cp-2, 4, 0x1.a809d495182aap-2},
};

TEST(Rounding, GivesTheBitsOfCPython) {
  for (auto const& [x, decimals, expected] : roundings) {
    double const volatile unseen_x = x;
    EXPECT_TRUE(same_bits(cpython_round(unseen_x, decimals), expected))
        << "round(" << x << ", " << decimals << ") is " << expected;
    EXPECT_TRUE(same_bits(cpython_round(-unseen_x, decimals), -expected));
  }
}

TEST(Rounding, RefusesDecimalsThatItDoesNotKnow) {
  EXPECT_THROW(cpython_round(0.5, -1), std::invalid_argument);
  EXPECT_THROW(cpython_round(0.5, 23), std::invalid_argument);
  EXPECT_EQ(cpython_round(0.5, 22), 0.5);
}

TEST(Rounding, IsIdempotent) {
  cpython_random random(unseen_seed(3));
  for (int i = 0; i < 10000; ++i) {
    double const once = cpython_round(random.uniform(-100, 100), i % 9);
    ASSERT_TRUE(same_bits(cpython_round(once, i % 9), once)) << once;
  }
}

}  // namespace
}  // namespace attest::recorded
