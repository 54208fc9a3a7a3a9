// SPDX-License-Identifier: BSL-1.0
// largest_exponent.cpp — a proof scalar of your own: can the layer overflow in float16?
// Told only how large the inputs may be, the layer runs on bounds instead of numbers, and then the
// compiler knows how large any value on the way can become, for every such input. The bounds are
// numbers of float16 themselves; rounding never crosses such a number, so it never crosses a bound.
#include <attest/attest.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdio>

/// Every value with |value| ≤ count·2^exponent; if it is known to be positive, with value ≥ 2^least.
struct largest_exponent {
  static constexpr int unknown = 1000;
  int exponent = 0;
  unsigned count = 0;  // 0 is the number 0; what would be more than 2⁸ is a power of two instead
  bool positive = false;
  int least = 0;
  int reached = 0;  // 2^reached bounds this value and all that it was made of, and is at least 1

  static constexpr largest_exponent within(int exponent, unsigned count = 1) {
    largest_exponent const bound{std::max(exponent, -24), count};  // float16 ends at 2⁻²⁴
    return count > 256 ? within(bound.top()) : bound.from(bound, bound);
  }
  constexpr int top() const {
    return count == 0 ? -24 : exponent + static_cast<int>(std::bit_width(count - 1));
  }
  constexpr unsigned units(int unit) const {  // of 2^unit, rounded up
    return exponent >= unit ? count << (exponent - unit)
                            : ((count - 1) >> std::min(unit - exponent, 31)) + 1;
  }
  constexpr largest_exponent from(largest_exponent const& a, largest_exponent const& b,
                                  bool is_positive = false, int at_least = 0) const {
    return {exponent, count, is_positive, at_least, std::max({top(), a.reached, b.reached})};
  }

  friend constexpr auto operator+(largest_exponent const& a, largest_exponent const& b) {
    if (a.count == 0 || b.count == 0) {
      largest_exponent const& sum = a.count == 0 ? b : a;
      return sum.from(a, b, sum.positive, sum.least);
    }
    int const unit = std::max(a.exponent, b.exponent);
    return within(unit, a.units(unit) + b.units(unit))
        .from(a, b, a.positive && b.positive, std::max(a.least, b.least));
  }
  friend constexpr auto operator-(largest_exponent const& a, largest_exponent const& b) {
    return (a + b).from(a, b);  // |a − b| ≤ |a| + |b|, of either sign
  }
  friend constexpr auto operator*(largest_exponent const& a, largest_exponent const& b) {
    bool const zero = a.count == 0 || b.count == 0;
    return (zero ? largest_exponent{} : within(a.top() + b.top())).from(a, b);
  }
  friend constexpr auto operator/(largest_exponent const& a, largest_exponent const& b) {
    return within(b.positive ? a.top() - b.least : unknown).from(a, b);
  }
  friend constexpr auto exp(largest_exponent const& a) {
    // e^|a| ≤ 2^(3/2·|a|), and e^−|a| is at least its inverse, unless that is rounded to 0.
    int const power = a.top() > 9 ? unknown : static_cast<int>((3 * a.units(-1) + 3) / 4);
    return within(power).from(a, a, power <= 24, -power);
  }
  friend constexpr auto larger(largest_exponent const& a, largest_exponent const& b) {
    return within(std::max(a.top(), b.top())).from(a, b);
  }
  friend constexpr bool same_bits(largest_exponent const& a, largest_exponent const& b) {
    return a.exponent == b.exponent && a.count == b.count && a.positive == b.positive &&
           a.least == b.least && a.reached == b.reached;
  }
};

/// How a constant of the layer, 1/√d_head or −∞, becomes one.
template <>
struct attest::scalar_traits<largest_exponent> {
  static constexpr largest_exponent constant(double value) {
    int exponent = -24;
    for (double power = 0x1p-24; power < value || power < -value; power *= 2) {
      ++exponent;
    }
    return largest_exponent::within(exponent);
  }
  static constexpr largest_exponent minus_infinity() {
    return largest_exponent::within(largest_exponent::unknown);
  }
};

using namespace attest;
static_assert(scalar<largest_exponent>);

/// The layer on every x with entries up to 2^x_exponent and weights up to 2^weight_exponent. The
/// last query has the most terms.
template <std::size_t T, std::size_t D, std::size_t H>
struct last_query {
  largest_exponent score;
  largest_exponent out;

  consteval last_query(int x_exponent, int weight_exponent, auto mask) {
    attention_params<largest_exponent, d_model<D>, d_head<H>> params;
    tensor<largest_exponent, tokens<T>, d_model<D>> x;
    for (auto* const projection : {&params.Wq, &params.Wk, &params.Wv}) {
      fill(*projection, largest_exponent::within(weight_exponent));
    }
    fill(params.Wo, largest_exponent::within(weight_exponent));
    fill(x, largest_exponent::within(x_exponent));
    auto const trace = attention_forward(params, x, mask);
    score = trace.scores(T - 1, 0);
    out = trace.out(T - 1, 0);
  }
};

// The largest number of float16 is 65504, so that 2¹⁵ is one and 2¹⁶ is not.
constexpr int fits = 15;

// |x| ≤ 1/2 and |W| ≤ 1/2, 6 tokens of 4 channels: nothing overflows from x to out.
constexpr last_query<6, 4, 2> small{-1, -1, mask::causal};
static_assert(small.out.reached <= fits);

// |x| ≤ 2 and |W| ≤ 1, 16 channels: no score overflows, nor anything before it.
constexpr last_query<4, 16, 16> moderate{1, 0, mask::causal};
static_assert(moderate.score.reached <= fits);

// Counter-check, |x| ≤ 4: each score fits, but the sum that is multiplied by 1/√16 to make it does
// not, and indeed 16 products of 64·64 are 65536.
constexpr last_query<4, 16, 16> large{2, 0, mask::causal};
static_assert(large.score.top() <= fits);
static_assert(large.score.reached == 16);

// What the scalar cannot know it does not claim: it forgets that a score is at most the maximum, so
// that weights of moderate scores have no bound, although each is at most 1.
static_assert(moderate.out.reached >= largest_exponent::unknown);

// Every rule is seen to matter.
constexpr auto power(int exponent) {
  return largest_exponent::within(exponent);
}
static_assert((power(3) + power(3) + power(3)).count == 3 &&
              (power(3) + power(3) + power(3)).top() == 5);
static_assert(larger(power(0) + power(0) + power(0), power(2)).top() == 2);
static_assert(larger(power(0) + power(0) + power(0), power(2)).units(0) == 4);
static_assert((power(3) + power(-20)).count == 2 && (power(3) - power(3)).top() == 4);
static_assert((power(3) * power(4)).top() == 7 && (power(3) * largest_exponent{}).count == 0);
static_assert((power(3) * power(-9)).reached == 3 && larger(power(2), power(3)).top() == 3);
static_assert(exp(power(1)).top() == 3 && exp(power(1)).least == -3 && exp(power(9)).top() == 768);
static_assert((power(1) / exp(power(1))).top() == 4 && (power(1) / power(1)).top() >= 1000);
static_assert(((exp(power(1)) + exp(power(0))).positive) && !(exp(power(1)) - power(0)).positive);
static_assert(!exp(power(5)).positive && power(-30).top() == -24);
static_assert(power(1).units(-2) == 8 && power(-3).units(0) == 1 &&
              (power(0) - power(0)).least == 0);
static_assert(same_bits(power(3), power(3)) && !same_bits(power(3), power(4)));

int main() {
  std::printf("|x|, |W| <= 1/2, T = 6, d_model 4, d_head 2: no value of the layer exceeds 2^%d\n",
              small.out.reached);
  std::printf(
      "|x| <= 2, |W| <= 1, d_model 16, d_head 16: no score and nothing before exceeds 2^%d\n",
      moderate.score.reached);
}
