// SPDX-License-Identifier: BSL-1.0
// generator.cpp — CPython's generator and its rounding, and the recorded input that is drawn from them.
#include "certified.hpp"

#include <attest/proof/closeness.hpp>
#include <recorded/cpython_random.hpp>
#include <recorded/cpython_round.hpp>
#include <recorded/full_precision_fixture.hpp>
#include <recorded/run.hpp>
#include <recorded/trace_fixture.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace attest::checks {
namespace {

using recorded::cpython_random;
using recorded::cpython_round;

constexpr cpython_random after(cpython_random random, int words) {
  for (int i = 0; i < words; ++i) {
    random.next();
  }
  return random;
}

constexpr bool continues_with(cpython_random random, std::array<std::uint32_t, 4> const& words) {
  return std::ranges::all_of(words, [&](std::uint32_t word) { return random.next() == word; });
}

constexpr bool draws(cpython_random random, std::array<double, 4> const& numbers) {
  return std::ranges::all_of(numbers,
                             [&](double number) { return same_bits(random.random(), number); });
}

// The authors' own output, mt19937ar.out: its first line, and the last four of its 1000 words.
constexpr std::uint32_t published_key[]{0x123, 0x234, 0x345, 0x456};
constexpr cpython_random published{published_key};
static_assert(continues_with(published, {1067595299, 955945823, 477289528, 4107218783}));
static_assert(continues_with(after(published, 996),
                             {3896204135, 2416995901, 1397735321, 3460025646}));

// random.Random(seed).random(), four times; the smallest and the largest seed, and those of the run.
static_assert(draws(cpython_random{11}, {0x1.cf3c95eed0a4ap-2, 0x1.1e9a7c76d6d7ep-1,
                                         0x1.d9322131ff7a0p-1, 0x1.dcd35f39d5a42p-2}));
static_assert(draws(cpython_random{12}, {0x1.e5f5db226e6d2p-2, 0x1.50a03c61dd475p-1,
                                         0x1.5533c0d662e23p-1, 0x1.240ba761b339cp-3}));
static_assert(draws(cpython_random{0}, {0x1.b0580f98a7dbep-1, 0x1.84129978f9c1ap-1,
                                        0x1.aeaa51052e978p-2, 0x1.092178fb945a6p-2}));
static_assert(draws(cpython_random{0xffffffff}, {0x1.454d9227a7013p-1, 0x1.a0274a3720bf8p-3,
                                                 0x1.36f8c1616ef77p-1, 0x1.2a53dc4d30c46p-2}));

// Every word of the first 2000, as a polynomial in 31: no place of the state is left out.
constexpr std::uint32_t digest(cpython_random random) {
  std::uint32_t result = 0;
  for (int i = 0; i < 2000; ++i) {
    result = result * 31 + random.next();
  }
  return result;
}
static_assert(digest(cpython_random{11}) == 3512183362 && digest(cpython_random{12}) != 3512183362);

// The 1000th number, so that the state was refilled three times.
static_assert(same_bits(after(cpython_random{11}, 2 * 999).random(), 0x1.60ed12a42548bp-1));

constexpr bool is_uniform(double a, double b, double number) {
  return same_bits(cpython_random{11}.uniform(a, b), number);
}
static_assert(is_uniform(-0.5, 0.5, -0x1.861b50897adb0p-5));
static_assert(is_uniform(3, 3, 3));

// Refused: the next seed, the seed with a word of zero after it, a word or a number late.
constexpr std::uint32_t eleven_and_zero[]{11, 0};
constexpr std::array<double, 4> of_eleven{0x1.cf3c95eed0a4ap-2, 0x1.1e9a7c76d6d7ep-1,
                                          0x1.d9322131ff7a0p-1, 0x1.dcd35f39d5a42p-2};
static_assert(draws(cpython_random{11}, of_eleven) && !draws(cpython_random{12}, of_eleven));
static_assert(!draws(cpython_random{eleven_and_zero}, of_eleven));
static_assert(!draws(after(cpython_random{11}, 1), of_eleven));
static_assert(!draws(after(cpython_random{11}, 2), of_eleven));
static_assert(!is_uniform(-0.5, 0.5, -0x1.861b50897adb2p-5));

// Rounding: x and −x, to the bit.
constexpr bool rounds(double x, int decimals, double expected) {
  return same_bits(cpython_round(x, decimals), expected) &&
         same_bits(cpython_round(-x, decimals), -expected);
}
// Ties of the exact value go to the even decimal.
static_assert(rounds(0.125, 2, 0.12) && rounds(0.375, 2, 0.38));
static_assert(rounds(0.25, 1, 0.2) && rounds(0.75, 1, 0.8));
static_assert(rounds(0.5, 0, 0) && rounds(1.5, 0, 2) && rounds(2.5, 0, 2));
static_assert(rounds(0.00390625, 7, 0.0039062) && rounds(0.01171875, 7, 0.0117188));
// What only looks like a tie in decimals is not one in binary.
static_assert(rounds(2.675, 2, 2.67) && rounds(1.005, 2, 1) && rounds(0.15, 1, 0.1));
static_assert(rounds(0.05, 1, 0.1) && rounds(0.285, 2, 0.28) && rounds(0.295, 2, 0.29));
// Carries.
static_assert(rounds(9.9995, 3, 9.999) && rounds(9.99951, 3, 10));
static_assert(rounds(0.99995, 4, 1) && rounds(0.999949999, 4, 0.9999));
// Zero, the least number, and what rounds to zero keep their sign.
static_assert(rounds(0, 4, 0) && rounds(0.00004, 4, 0) && rounds(0.00006, 4, 0.0001));
static_assert(rounds(std::numeric_limits<double>::denorm_min(), 8, 0));
static_assert(rounds(std::numeric_limits<double>::min(), 22, 0));
// The last places of a large number are beyond the decimals; integers and what is not finite stay.
static_assert(rounds(0x1p52 - 0.5, 0, 0x1p52) && rounds(0x1p52 - 1.5, 0, 0x1p52 - 2));
static_assert(rounds(0x1p52 - 0.5, 8, 0x1p52 - 0.5) && rounds(0x1p52 + 1, 0, 0x1p52 + 1));
static_assert(rounds(123456.123456785, 8, 123456.12345679) && rounds(6e-9, 8, 1e-8));
static_assert(rounds(1e300, 8, 1e300));
static_assert(rounds(std::numeric_limits<double>::infinity(), 4,
                     std::numeric_limits<double>::infinity()));
static_assert(same_bits(cpython_round(std::numeric_limits<double>::quiet_NaN(), 4),
                        std::numeric_limits<double>::quiet_NaN()));

// Refused: rounding half up, on a tie and on what looks like one; a lost sign of zero.
constexpr double rounded_half_up(double x) {
  return static_cast<double>(static_cast<int>(x * 100 + 0.5)) / 100;
}
static_assert(rounded_half_up(0.375) == cpython_round(0.375, 2));
static_assert(rounded_half_up(0.125) != cpython_round(0.125, 2));
static_assert(rounded_half_up(2.675) != cpython_round(2.675, 2));
static_assert(!rounds(0.125, 2, rounded_half_up(0.125)));
static_assert(!rounds(0.125, 2, 0.12 + 0x1p-56) && !same_bits(cpython_round(-0.001, 2), 0));

// The recorded input.
constexpr finding is_recorded(part where, auto const& drawn, auto const& fixture) {
  using drawn_tensor = std::remove_cvref_t<decltype(drawn)>;
  return proof::entries_agree(where, drawn, drawn_tensor(fixture),
                              [](double left, double right) { return same_bits(left, right); });
}
namespace trace = recorded::trace_fixture;
namespace full = recorded::full_precision_fixture;

constexpr auto params = recorded::params();
constexpr auto table = recorded::embedding_table();
constexpr finding Wq = is_recorded(part::Wq, params.Wq, trace::params::Wq);
constexpr finding Wk = is_recorded(part::Wk, params.Wk, trace::params::Wk);
constexpr finding Wv = is_recorded(part::Wv, params.Wv, trace::params::Wv);
constexpr finding Wo = is_recorded(part::Wo, params.Wo, trace::params::Wo);
constexpr finding x = is_recorded(part::x, recorded::embed(recorded::ids, table), trace::x);
constexpr finding d_out = is_recorded(part::out, recorded::readout<6>(), full::readout);

constexpr certificate_row row{.guarantee = "the recorded input is drawn again, to the bit",
                              .layer = "CPython's Random(11), Random(12), Random(13)",
                              .inputs = "Wq Wk Wv Wo, the embeddings of this sentence, the readout",
                              .bound = "exact",
                              .check = "generator"};
certified const entry{row.certified_by(
    {guarantee::trace_is_the_recorded_one<Wq>(), guarantee::trace_is_the_recorded_one<Wk>(),
     guarantee::trace_is_the_recorded_one<Wv>(), guarantee::trace_is_the_recorded_one<Wo>(),
     guarantee::trace_is_the_recorded_one<x>(), guarantee::trace_is_the_recorded_one<d_out>()})};

static_assert(std::ranges::equal(recorded::ids, trace::ids) &&
              trace::seed == recorded::params_seed);
static_assert(recorded::embed(recorded::ids) == recorded::embed(recorded::ids, table));
static_assert(table.row(0) == tensor<double, d_model<4>>{-0.05, 0.31, 0.33, -0.71});
static_assert(table.row(recorded::hat_id) == tensor<double, d_model<4>>{0.75, 0.64, -0.28, 0.47});
static_assert(table.row(104) == tensor<double, d_model<4>>{0.32, 0.23, 0.43, -0.29});
constexpr auto long_readout = recorded::readout<64>();
static_assert(long_readout.row(5) == recorded::readout<6>().row(5));
static_assert(long_readout.row(63) == tensor<double, d_model<4>>{0.92, -0.96, 0.72, -0.71});

// Refused: another seed, another order of the matrices, the edit of the sentence.
static_assert(!is_recorded(part::Wq, recorded::params(12).Wq, trace::params::Wq).holds);
static_assert(!is_recorded(part::Wq, params.Wk, trace::params::Wq).holds);
static_assert(is_recorded(part::x,
                          recorded::embed(std::array<std::size_t, 6>{58, 36, 33, 89,
                                                                     recorded::hat_id, 4},
                                          table),
                          trace::x) == broken_at(part::x, 4, 0));

}  // namespace
}  // namespace attest::checks
