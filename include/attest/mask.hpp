// SPDX-License-Identifier: BSL-1.0
// mask.hpp — which keys a query may use.
// A mask answers with a range of keys, so that a forbidden key is never read: a weight of zero would
// still let a NaN through, since 0 × NaN is NaN. Stands on: axis.
#pragma once

#include <attest/axis.hpp>

#include <array>
#include <concepts>
#include <cstddef>

namespace attest {

/// Keys first, first + 1, …, last − 1; none where first ≥ last.
struct key_range {
  std::size_t first;
  std::size_t last;

  constexpr bool contains(std::size_t key) const { return first <= key && key < last; }
  friend constexpr bool operator==(key_range const&, key_range const&) = default;
};

/// The keys that are in both ranges.
constexpr key_range common(key_range a, key_range b) {
  return {a.first < b.first ? b.first : a.first, a.last < b.last ? a.last : b.last};
}

constexpr bool is_empty(key_range range) {
  return range.first >= range.last;
}

/// The part of a range inside another; an empty one at the other's end if there is none.
constexpr key_range part_inside(key_range range, key_range other) {
  key_range const shared = common(range, other);
  return is_empty(shared) ? key_range{other.last, other.last} : shared;
}

/// From the first key to the last that one of both ranges has.
constexpr key_range either(key_range a, key_range b) {
  if (is_empty(a) || is_empty(b)) {
    return is_empty(a) ? b : a;
  }
  return {a.first < b.first ? a.first : b.first, a.last < b.last ? b.last : a.last};
}

namespace detail {

template <class Mask>
concept has_scores_of_its_own = requires(Mask const mask, std::size_t n) { mask.scored(n, n); };

}  // namespace detail

/// A mask is asked, for a query and the number of keys, which keys are
///   attended: they take part in its softmax; all others have score −∞ and weight 0.
/// A wrong mask may say besides which of these are
///   scored:   they have the score q·k / √d_head; all others of the attended have score 0.
/// A range that reaches beyond the last key ends there.
/// A mask may say with a member `ascends` that each query has a key, and none a range that begins or ends before an
/// earlier query's: of neighbours only the first and the last are asked then.
template <class Mask>
concept mask_policy = detail::can_be_copied<Mask> && requires(Mask const mask, std::size_t n) {
  { mask.attended(n, n) } -> std::same_as<key_range>;
} && (!detail::has_scores_of_its_own<Mask> || requires(Mask const mask, std::size_t n) {
                        { mask.scored(n, n) } -> std::same_as<key_range>;
                      });

namespace detail {

template <class Asked>
inline constexpr bool ascends = false;
template <class Asked>
  requires requires { Asked::ascends; }
inline constexpr bool ascends<Asked> = Asked::ascends;

template <mask_policy Mask>
constexpr key_range attended(Mask const& mask, std::size_t query, std::size_t keys) {
  key_range const range = mask.attended(query, keys);
  return {range.first, range.last < keys ? range.last : keys};
}
/// The attended keys that are scored.
template <mask_policy Mask>
constexpr key_range scored(Mask const& mask, std::size_t query, std::size_t keys) {
  key_range const range = attended(mask, query, keys);
  if constexpr (has_scores_of_its_own<Mask>) {
    return common(mask.scored(query, keys), range);
  } else {
    return range;
  }
}

}  // namespace detail

namespace mask {

/// Query i uses keys 0 to i: the layer.
struct causal_t {
  static constexpr auto name = "causal";
  static constexpr bool ascends = true;
  static constexpr key_range attended(std::size_t query, std::size_t keys) {
    return {0, query < keys ? query + 1 : keys};
  }
};

/// Every query uses every key: the mask is off. Exists to be caught.
struct none_t {
  static constexpr auto name = "none";
  static constexpr bool ascends = true;
  static constexpr key_range attended(std::size_t, std::size_t keys) { return {0, keys}; }
};

/// Later scores are 0 instead of −∞, a common bug. Exists to be caught.
struct zero_t {
  static constexpr auto name = "zero";
  static constexpr bool ascends = true;
  static constexpr key_range attended(std::size_t query, std::size_t keys) {
    return none_t::attended(query, keys);
  }
  static constexpr key_range scored(std::size_t query, std::size_t keys) {
    return causal_t::attended(query, keys);
  }
};

/// One range of keys a query, for padding, windows or packed documents; it knows its own lengths.
/// A query with an empty range gets weights, output and gradients of exactly 0.
template <class Queries, class Keys>
struct ranges;

template <std::size_t Queries, std::size_t Keys>
struct ranges<queries<Queries>, keys<Keys>> {
  static constexpr auto name = "ranges";
  std::array<key_range, Queries> of_query{};

  constexpr key_range attended(std::size_t query, std::size_t) const { return of_query[query]; }
};

/// The keys that both masks allow; masks are only ever combined so, never by adding scores.
template <mask_policy Left, mask_policy Right>
struct both {
  static constexpr auto name = "both";
  Left left;
  Right right;

  constexpr key_range attended(std::size_t query, std::size_t keys) const {
    return common(left.attended(query, keys), right.attended(query, keys));
  }
  constexpr key_range scored(std::size_t query, std::size_t keys) const
    requires detail::has_scores_of_its_own<Left> || detail::has_scores_of_its_own<Right>
  {
    return common(detail::scored(left, query, keys), detail::scored(right, query, keys));
  }
};
template <mask_policy Left, mask_policy Right>
both(Left, Right) -> both<Left, Right>;

inline constexpr causal_t causal{};
inline constexpr none_t none{};
inline constexpr zero_t zero{};

}  // namespace mask

/// True if the mask has no lengths of its own, or these.
template <class Mask, class Queries, class Keys>
inline constexpr bool has_length = true;
template <class MaskQueries, class MaskKeys, class Queries, class Keys>
inline constexpr bool has_length<mask::ranges<MaskQueries, MaskKeys>, Queries, Keys> =
    std::same_as<MaskQueries, Queries> && std::same_as<MaskKeys, Keys>;
template <class Left, class Right, class Queries, class Keys>
inline constexpr bool has_length<mask::both<Left, Right>, Queries, Keys> =
    has_length<Left, Queries, Keys> && has_length<Right, Queries, Keys>;

template <class Mask, class Queries, class Keys>
concept mask_for = mask_policy<Mask> && has_length<Mask, Queries, Keys>;

/// The pairs (query, key) that an operation on queries × keys touches, as a range of keys a query.
template <mask_policy Mask>
struct attended_pairs {
  static constexpr bool ascends = detail::ascends<Mask>;
  Mask mask;
  constexpr key_range operator()(std::size_t query, std::size_t keys) const {
    return detail::attended(mask, query, keys);
  }
};
struct every_pair {
  static constexpr bool ascends = true;
  constexpr key_range operator()(std::size_t, std::size_t keys) const { return {0, keys}; }
};
template <mask_policy Mask>
attended_pairs(Mask) -> attended_pairs<Mask>;

namespace detail {

template <mask_policy Mask>
struct attended_and_scored_pairs {
  static constexpr bool ascends = detail::ascends<Mask>;
  Mask mask;
  constexpr key_range operator()(std::size_t query, std::size_t keys) const {
    return scored(mask, query, keys);
  }
};
template <mask_policy Mask>
attended_and_scored_pairs(Mask) -> attended_and_scored_pairs<Mask>;

}  // namespace detail

/// Those of the attended pairs that are scored: of a right mask the same, and of the same type.
template <mask_policy Mask>
constexpr auto scored_pairs(Mask const& mask) {
  if constexpr (detail::has_scores_of_its_own<Mask>) {
    return detail::attended_and_scored_pairs{mask};
  } else {
    return attended_pairs{mask};
  }
}

}  // namespace attest
