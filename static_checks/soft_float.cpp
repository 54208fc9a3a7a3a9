// SPDX-License-Identifier: BSL-1.0
// soft_float.cpp — bfloat16 and float16: each rule of rounding and of special values, and that a
// conversion which cuts off instead of rounding would be another one.
#include <attest/scalar/bfloat16.hpp>
#include <attest/scalar/float16.hpp>
#include <attest/scalar/scalar.hpp>

#include <bit>
#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>

namespace attest {
namespace {

template <class Number>
using limits = std::numeric_limits<Number>;

static_assert(scalar<float16> && scalar<bfloat16>);
static_assert(!std::numeric_limits<float16>::is_modulo &&
              !std::numeric_limits<bfloat16>::is_modulo);
static_assert(sizeof(float16) == 2 && sizeof(bfloat16) == 2);
static_assert(same_bits(float16{}, float16{0.0}) && same_bits(bfloat16{}, bfloat16{0.0}));

// Nothing becomes a soft float, or a soft float something else, without being asked to.
static_assert(!std::convertible_to<double, float16> && !std::convertible_to<float16, double>);
static_assert(!std::convertible_to<float16, bfloat16> && !std::convertible_to<float16, bool>);
static_assert(std::constructible_from<float16, int> && !std::constructible_from<float16, bool*>);
static_assert(!std::constructible_from<float16, long long>);
static_assert(!std::constructible_from<float16, long double>);

/// `value` and its negative become the number with these bits, and that with the sign set.
template <class Number>
constexpr bool becomes(double value, std::uint16_t bits) {
  return Number{value}.bits == bits && Number{-value}.bits == (bits | 0x8000);
}
static_assert(!becomes<float16>(1, 0x3c01) && !becomes<float16>(-1, 0x3c00));

// float16: exact numbers, and both of its boundaries.
static_assert(becomes<float16>(0, 0) && becomes<float16>(1, 0x3c00));
static_assert(becomes<float16>(0x1p-14, 0x0400) && becomes<float16>(0x1p-24, 0x0001));
static_assert(becomes<float16>(0x1.ff8p-15, 0x03ff) && becomes<float16>(65504, 0x7bff));
static_assert(becomes<bfloat16>(1, 0x3f80) && becomes<bfloat16>(0x1p-126, 0x0080));
static_assert(becomes<bfloat16>(0x1p-133, 0x0001) && becomes<bfloat16>(0x1.fep+127, 0x7f7f));

// Ties go to even; the least bit above or below decides otherwise.
static_assert(becomes<float16>(2048, 0x6800) && becomes<float16>(2050, 0x6801));
static_assert(becomes<float16>(2049, 0x6800) && becomes<float16>(2051, 0x6802));
static_assert(becomes<float16>(0x1.002p+0, 0x3c00) && becomes<float16>(0x1.006p+0, 0x3c02));
static_assert(becomes<float16>(0x1.0020000000001p+0, 0x3c01));
static_assert(becomes<float16>(0x1.005ffffffffffp+0, 0x3c01));
static_assert(becomes<bfloat16>(256, 0x4380) && becomes<bfloat16>(257, 0x4380));
static_assert(becomes<bfloat16>(258, 0x4381) && becomes<bfloat16>(259, 0x4382));
static_assert(becomes<bfloat16>(0x1.0100000000001p+0, 0x3f81));
static_assert(becomes<bfloat16>(0x1.02fffffffffffp+0, 0x3f81));
static_assert(bfloat16{257} == bfloat16{256} && bfloat16{15962} == bfloat16{15936});

// A carry runs into the exponent.
static_assert(becomes<float16>(0x1.ffcp+0, 0x3fff) && becomes<float16>(0x1.ffep+0, 0x4000));
static_assert(becomes<float16>(0x1.ffdffffffffffp+0, 0x3fff));
static_assert(becomes<bfloat16>(0x1.fffp+0, 0x4000));

// Subnormal results have fewer bits; the largest carries into the least normal number.
static_assert(becomes<float16>(0x1.8p-24, 0x0002) && becomes<float16>(0x1.4p-23, 0x0002));
static_assert(becomes<float16>(0x1.4000000000001p-23, 0x0003));
static_assert(becomes<float16>(0x1.ffcp-15, 0x0400) && becomes<float16>(0x1.ff9p-15, 0x03ff));
static_assert(becomes<bfloat16>(0x1.ffp-127, 0x0080) && becomes<bfloat16>(0x1.4p-132, 0x0002));

// Half of the least number is 0, and anything above it is not.
static_assert(becomes<float16>(0x1p-25, 0) && becomes<float16>(0x1.0000000000001p-25, 1));
static_assert(becomes<float16>(0x1.fffffffffffffp-26, 0));
static_assert(becomes<bfloat16>(0x1p-134, 0) && becomes<bfloat16>(0x1.0000000000001p-134, 1));
static_assert(becomes<float16>(0x1p-1074, 0) && becomes<bfloat16>(0x1p-1074, 0));

// Half a unit beyond the largest number is infinity, and anything below that is not.
static_assert(becomes<float16>(65519.99, 0x7bff) && becomes<float16>(65520, 0x7c00));
static_assert(becomes<float16>(0x1.ffdffffffffffp+15, 0x7bff));
static_assert(becomes<float16>(1e9, 0x7c00) && becomes<float16>(limits<double>::max(), 0x7c00));
static_assert(becomes<bfloat16>(0x1.fefffffffffffp+127, 0x7f7f));
static_assert(becomes<bfloat16>(0x1.ffp+127, 0x7f80) && becomes<bfloat16>(1e39, 0x7f80));
static_assert(becomes<float16>(limits<double>::infinity(), 0x7c00));
static_assert(becomes<bfloat16>(limits<double>::infinity(), 0x7f80));

// A float is a double first, exactly.
static_assert(float16{0x1.002p+0F}.bits == 0x3c00 && float16{0x1.002002p+0F}.bits == 0x3c01);
static_assert(bfloat16{0x1p-149F}.bits == 0 && bfloat16{0x1.fffffep+127F}.bits == 0x7f80);

// A NaN keeps its sign and the upper part of its payload, and becomes quiet.
constexpr double nan_with(std::uint64_t bits) {
  return std::bit_cast<double>(bits);
}
static_assert(float16{nan_with(0x7ff8'0000'0000'0000)}.bits == 0x7e00);
static_assert(float16{nan_with(0xfff8'0400'0000'0000)}.bits == 0xfe01);
static_assert(float16{nan_with(0x7ff0'0000'0000'0001)}.bits == 0x7e00);
static_assert(bfloat16{nan_with(0x7ff8'0000'0000'0000)}.bits == 0x7fc0);
static_assert(bfloat16{nan_with(0xfff0'2000'0000'0001)}.bits == 0xffc1);

/// The double, and the float, with exactly this value.
template <class Number>
constexpr bool is(std::uint16_t bits, double value) {
  auto const number = Number::from_bits(bits);
  return same_bits(static_cast<double>(number), value) &&
         same_bits(static_cast<float>(number), static_cast<float>(value));
}
static_assert(is<float16>(0x0000, 0.0) && is<float16>(0x8000, -0.0));
static_assert(is<float16>(0x0001, 0x1p-24) && is<float16>(0x83ff, -0x1.ff8p-15));
static_assert(is<float16>(0x0400, 0x1p-14) && is<float16>(0x7bff, 65504));
static_assert(is<float16>(0x3555, 0x1.554p-2) && !is<float16>(0x3556, 0x1.554p-2));
static_assert(is<float16>(0x7c00, limits<double>::infinity()));
static_assert(is<float16>(0xfc00, -limits<double>::infinity()));
static_assert(is<bfloat16>(0x0001, 0x1p-133) && is<bfloat16>(0x807f, -0x1.fcp-127));
static_assert(is<bfloat16>(0x0080, 0x1p-126) && is<bfloat16>(0xff7f, -0x1.fep+127));
static_assert(is<bfloat16>(0xff80, -limits<double>::infinity()));
static_assert(std::bit_cast<std::uint64_t>(static_cast<double>(float16::from_bits(0xfc01))) ==
              0xfff8'0400'0000'0000);

// What <limits> says.
static_assert(limits<float16>::digits == 11 && limits<bfloat16>::digits == 8);
static_assert(is<float16>(limits<float16>::max().bits, 65504));
static_assert(is<float16>(limits<float16>::lowest().bits, -65504));
static_assert(is<float16>(limits<float16>::min().bits, 0x1p-14));
static_assert(is<float16>(limits<float16>::epsilon().bits, 0x1p-10));
static_assert(is<bfloat16>(limits<bfloat16>::epsilon().bits, 0x1p-7));
static_assert(is<bfloat16>(limits<bfloat16>::min().bits, 0x1p-126));
static_assert(is<bfloat16>(limits<bfloat16>::denorm_min().bits, 0x1p-133));
static_assert(limits<float16>::min_exponent == -13 && limits<float16>::max_exponent == 16);
static_assert(limits<bfloat16>::min_exponent == limits<float>::min_exponent);
static_assert(limits<bfloat16>::max_exponent == limits<float>::max_exponent);

// Arithmetic is rounded once.
constexpr float16 h(double value) {
  return float16{value};
}
constexpr bfloat16 b(double value) {
  return bfloat16{value};
}
constexpr float16 infinity = limits<float16>::infinity();
constexpr float16 not_a_number = limits<float16>::quiet_NaN();

static_assert(same_bits(h(2048) + h(1), h(2048)) && same_bits(h(2048) + h(3), h(2052)));
static_assert(same_bits(h(2048) - h(1), h(2047)) && same_bits(b(256) + b(1), b(256)));
static_assert(same_bits(h(1) / h(3), float16::from_bits(0x3555)));
static_assert(same_bits(h(2) / h(3), float16::from_bits(0x3955)));
static_assert(same_bits(b(1) / b(3), bfloat16::from_bits(0x3eab)));
static_assert(same_bits(h(1.5) * h(0x1p-24), h(0x1p-23)));  // a tie among subnormal numbers
static_assert(same_bits(h(0x1p-14) * h(0.5), h(0x1p-15)));
static_assert(same_bits(h(0x1p-24) * h(-0.5), h(-0.0)));
static_assert(same_bits(h(0x1p-24) / h(2.0), h(0.0)));
static_assert(same_bits(h(0x1.ff8p-15) + h(0x1p-24), h(0x1p-14)));
static_assert(same_bits(b(0x1p+127) + b(0x1p-133), b(0x1p+127)));  // 260 places apart
static_assert(same_bits(b(0x1p-126) * b(0x1p-126), b(0)));
static_assert(same_bits(b(0x1.fep+127) / b(0x1p-133), limits<bfloat16>::infinity()));

// Overflow. A mask of the lowest number, added to a score, is −∞ from −16 on.
static_assert(same_bits(h(-65504) + h(-16), -infinity));
static_assert(same_bits(h(-65504) + h(-15), h(-65504)));
static_assert(same_bits(h(256) * h(256), infinity) && same_bits(h(65504) / h(-0.5), -infinity));
static_assert(same_bits(h(-1e9), scalar_traits<float16>::minus_infinity()));

// Zeros have signs.
static_assert(same_bits(h(1) - h(1), h(0.0)) && same_bits(h(-0.0) + h(-0.0), h(-0.0)));
static_assert(same_bits(h(-0.0) + h(0.0), h(0.0)) && same_bits(h(-0.0) - h(0.0), h(-0.0)));
static_assert(same_bits(h(-1) * h(0), h(-0.0)) && same_bits(h(0) / h(-1), h(-0.0)));
static_assert(same_bits(-h(0), h(-0.0)) && same_bits(-h(-2), h(2)));

// What constant evaluation refuses of a double.
static_assert(same_bits(infinity + -infinity, not_a_number));
static_assert(same_bits(infinity - infinity, not_a_number));
static_assert(same_bits(infinity + infinity, infinity) &&
              same_bits(infinity - -infinity, infinity));
static_assert(same_bits(-infinity + h(65504), -infinity));
static_assert(same_bits(infinity * h(0), not_a_number));
static_assert(same_bits(h(-0.0) * infinity, not_a_number));
static_assert(same_bits(infinity * h(-2), -infinity));
static_assert(same_bits(h(0) / h(0), not_a_number));
static_assert(same_bits(infinity / infinity, not_a_number));
static_assert(same_bits(h(1) / h(0), infinity) && same_bits(h(1) / h(-0.0), -infinity));
static_assert(same_bits(infinity / h(-0.0), -infinity) && same_bits(h(1) / -infinity, h(-0.0)));
static_assert(same_bits(not_a_number + h(1), not_a_number));
static_assert(same_bits(h(1) - not_a_number, not_a_number));
static_assert(same_bits(not_a_number * h(0), not_a_number));
static_assert(same_bits(h(1) * not_a_number, not_a_number));
static_assert(same_bits(not_a_number / h(1), not_a_number));
static_assert(same_bits(h(0) / not_a_number, not_a_number));

// Order.
static_assert(h(1) < h(2) && h(-2) < h(-1) && h(-1) < h(1) && h(1) > h(-65504));
static_assert(h(-0.0) == h(0.0) && !(h(-0.0) < h(0.0)) && h(0x1p-24) > h(0));
static_assert(-infinity < h(-65504) && h(65504) < infinity && infinity == infinity);
static_assert(!(not_a_number == not_a_number) && not_a_number != h(1));
static_assert(!(not_a_number < h(1)) && !(not_a_number > h(1)));
static_assert((h(1) <=> not_a_number) == std::partial_ordering::unordered);
static_assert(same_bits(larger(h(1), h(2)), h(2)) && same_bits(larger(h(2), h(1)), h(2)));
static_assert(same_bits(larger(h(-0.0), h(0.0)), h(-0.0)));
static_assert(same_bits(larger(h(1), not_a_number), h(1)));
static_assert(same_bits(larger(not_a_number, h(1)), not_a_number));
static_assert(same_bits(larger(-infinity, h(-65504)), h(-65504)));

// exp: of −∞ it is exactly 0, and it reaches 0 before; clamped arguments would not.
static_assert(same_bits(exp(h(0)), h(1)) && same_bits(exp(h(-0.0)), h(1)));
static_assert(same_bits(exp(-infinity), h(0)) && same_bits(exp(h(-65504)), h(0)));
static_assert(same_bits(exp(h(-17.328125)), h(0x1p-24)) && same_bits(exp(h(-17.34375)), h(0)));
static_assert(same_bits(exp(h(1)), float16::from_bits(0x4170)));
static_assert(same_bits(exp(h(11.0859375)), h(65248)) && same_bits(exp(h(11.09375)), infinity));
static_assert(same_bits(exp(infinity), infinity) && same_bits(exp(not_a_number), not_a_number));
static_assert(same_bits(exp(b(1)), bfloat16::from_bits(0x402e)));
static_assert(same_bits(exp(b(88.5)), bfloat16::from_bits(0x7f4d)));
static_assert(same_bits(exp(b(-1e30)), b(0)));
static_assert(same_bits(exp(limits<bfloat16>::max()), limits<bfloat16>::infinity()));

// Seen to differ: conversions that cut off. The checks above tell them apart from rounding.
constexpr std::uint16_t cut_off(double value) {
  auto const bits = std::bit_cast<std::uint64_t>(value);
  return static_cast<std::uint16_t>((bits >> 42) - (std::uint64_t{1023 - 15} << 10));
}
static_assert(cut_off(2048) == h(2048).bits && cut_off(2049) == h(2049).bits);
static_assert(cut_off(2051) != h(2051).bits && cut_off(0x1.ffep+0) != h(0x1.ffep+0).bits);
static_assert(cut_off(65520) != h(65520).bits);
constexpr std::uint16_t upper_half(float value) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}
static_assert(upper_half(257) == b(257).bits && upper_half(259) != b(259).bits);
static_assert(upper_half(1.0F / 3) != b(1.0 / 3).bits);

}  // namespace
}  // namespace attest
