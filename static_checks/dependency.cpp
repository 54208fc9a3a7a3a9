// SPDX-License-Identifier: BSL-1.0
// dependency.cpp — the laws of dependency: every operation unites the sets of both operands.
#include "no_branch.hpp"

#include <attest/attention.hpp>
#include <attest/scalar/dependency.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace attest {
namespace {

// No larger than its inputs need, a bit each.
static_assert(sizeof(dependency<64>) == 8 && sizeof(dependency<130>) == 24);
static_assert(scalar<dependency<1>> && scalar<dependency<64>> && scalar<dependency<130>>);

/// The first and the last input of a set of any number of words.
template <std::size_t Inputs>
struct laws {
  using set = dependency<Inputs>;
  static constexpr std::size_t end = Inputs - 1;
  static constexpr set nothing{};
  static constexpr set first = set::on(0);
  static constexpr set last = set::on(end);

  static constexpr bool is_both(set const& found) {
    bool others = false;
    for (std::size_t input = 1; input < end; ++input) {
      others = others || found.depends_on(input);
    }
    return found.depends_on(0) && found.depends_on(end) && !others;
  }

  static_assert(first.depends_on(0) && !first.depends_on(end));
  static_assert(last.depends_on(end) && !last.depends_on(0));
  static_assert(!nothing.depends_on(0) && !nothing.depends_on(end));

  static_assert(is_both(first + last) && is_both(last + first));
  static_assert(is_both(first - last) && is_both(last - first));
  static_assert(is_both(first * last) && is_both(last * first));
  static_assert(is_both(first / last) && is_both(last / first));
  static_assert(is_both(larger(first, last)) && is_both(larger(last, first)));
  static_assert(same_bits(exp(first), first) && same_bits(exp(last), last));

  // A constant adds nothing and takes nothing away: x·0, x − x and x / x keep x.
  static constexpr set zero = scalar_traits<set>::constant(0);
  static_assert(same_bits(zero, nothing) && same_bits(zero, set{}));
  static_assert(same_bits(scalar_traits<set>::constant(2), nothing));
  static_assert(same_bits(scalar_traits<set>::minus_infinity(), nothing));
  static_assert(same_bits(last * zero, last) && same_bits(zero * last, last));
  static_assert(same_bits(last + zero, last) && same_bits(zero + last, last));
  static_assert(same_bits(last - zero, last) && same_bits(zero - last, last));
  static_assert(same_bits(last / zero, last) && same_bits(zero / last, last));
  static_assert(same_bits(larger(last, zero), last) && same_bits(larger(zero, last), last));
  static_assert(same_bits(last - last, last) && same_bits(last / last, last));
  static_assert(same_bits(exp(zero), nothing));

  // same_bits says no, in the first word as in the last, and to what is more as to what is less.
  static_assert(!same_bits(first, nothing) && !same_bits(nothing, first));
  static_assert(!same_bits(last, nothing) && !same_bits(nothing, last));
  static_assert(!same_bits(first, last) && !same_bits(first + last, first));

  static_assert(same_bits(set::on_range(0, 1), first) &&
                same_bits(set::on_range(end, Inputs), last));
  static_assert(same_bits(set::on_range(1, 1), nothing));
  static_assert(same_bits(set::on_range(0, Inputs), first + set::on_range(1, end) + last));
  static_assert(!set::on_range(0, end).depends_on(end) && !set::on_range(1, Inputs).depends_on(0));
};
template struct laws<2>;
template struct laws<64>;
template struct laws<65>;
template struct laws<130>;

// Words in the middle are united and compared too.
using three_words = dependency<190>;
static_assert((three_words::on(0) + three_words::on(100)).depends_on(100));
static_assert(!same_bits(three_words::on(100), three_words{}));

static_assert(checks::allows_no_branch<dependency<4>> && checks::allows_no_branch<dependency<190>>);
static_assert(!std::is_convertible_v<double, dependency<4>> &&
              !std::is_convertible_v<int, dependency<4>>);
static_assert(!std::is_convertible_v<dependency<4>, dependency<5>>);

}  // namespace
}  // namespace attest
