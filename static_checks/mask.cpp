// SPDX-License-Identifier: BSL-1.0
// mask.cpp — which keys each mask allows.
#include "broken_layers.hpp"

#include <attest/mask.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <utility>

namespace attest {
namespace {

constexpr std::array<key_range, 4> attended(auto const& mask) {
  attended_pairs const pairs{mask};
  return {pairs(0, 4), pairs(1, 4), pairs(2, 4), pairs(3, 4)};
}
constexpr std::array<key_range, 4> scored(auto const& mask) {
  auto const pairs = scored_pairs(mask);
  return {pairs(0, 4), pairs(1, 4), pairs(2, 4), pairs(3, 4)};
}
using four_ranges = std::array<key_range, 4>;

constexpr four_ranges triangle{{{0, 1}, {0, 2}, {0, 3}, {0, 4}}};
constexpr four_ranges square{{{0, 4}, {0, 4}, {0, 4}, {0, 4}}};
static_assert(attended(mask::causal) == triangle && scored(mask::causal) == triangle);
static_assert(attended(mask::none) == square && scored(mask::none) == square);
static_assert(attended(mask::zero) == square && scored(mask::zero) == triangle);
// More queries than keys: the triangle ends at the last key.
static_assert(attended_pairs{mask::causal}(4, 4) == key_range{0, 4});
static_assert(attended_pairs{mask::causal}(9, 4) == key_range{0, 4});
static_assert(scored_pairs(mask::zero)(9, 4) == key_range{0, 4});

// Two packed documents of two tokens; padding on the left; a window of two, itself included.
constexpr mask::ranges<queries<4>, keys<4>> documents{{{{0, 2}, {0, 2}, {2, 4}, {2, 4}}}};
constexpr mask::ranges<queries<4>, keys<4>> padding{{{{1, 4}, {1, 4}, {1, 4}, {1, 9}}}};
constexpr mask::ranges<queries<4>, keys<4>> window{{{{0, 1}, {0, 2}, {1, 3}, {2, 4}}}};
static_assert(attended(window) == window.of_query && scored(window) == window.of_query);
static_assert(attended(padding)[3] == key_range{1, 4});
static_assert(attended(mask::both{mask::causal, documents}) ==
              four_ranges{{{0, 1}, {0, 2}, {2, 3}, {2, 4}}});
static_assert(attended(mask::both{documents, mask::causal}) ==
              attended(mask::both{mask::causal, documents}));
static_assert(scored(mask::both{mask::causal, documents}) ==
              four_ranges{{{0, 1}, {0, 2}, {2, 3}, {2, 4}}});
// The first query has only padding before it: no key at all.
static_assert(attended(mask::both{padding, mask::causal})[0] == key_range{1, 1});
static_assert(!key_range{1, 1}.contains(1) && !key_range{1, 3}.contains(0));
static_assert(key_range{1, 3}.contains(1) && key_range{1, 3}.contains(2));
static_assert(!key_range{1, 3}.contains(3));
// Both of a wrong mask and a right one: what is not scored stays unscored.
static_assert(scored(mask::both{mask::zero, mask::none}) == triangle);
static_assert(attended(mask::both{mask::zero, mask::none}) == square);

static_assert(mask_policy<mask::causal_t> && mask_policy<broken::looks_one_token_ahead>);
static_assert(!mask_policy<int> && !mask_policy<key_range>);

// What is scored is attended; where a mask does not tell them apart, the pairs are of one type.
template <class Mask>
constexpr bool are_of_one_type =
    std::same_as<decltype(scored_pairs(std::declval<Mask>())), attended_pairs<Mask>>;
static_assert(are_of_one_type<mask::causal_t> &&
              are_of_one_type<decltype(mask::both{window, mask::causal})>);
static_assert(!are_of_one_type<mask::zero_t> &&
              !are_of_one_type<decltype(mask::both{mask::none, mask::zero})>);
struct scores_all {
  static constexpr key_range attended(std::size_t query, std::size_t keys) {
    return mask::causal.attended(query, keys);
  }
  static constexpr key_range scored(std::size_t, std::size_t keys) { return {0, keys}; }
};
static_assert(scored(scores_all{}) == triangle);
struct scores_a_number {
  static constexpr key_range attended(std::size_t, std::size_t keys) { return {0, keys}; }
  static constexpr std::size_t scored(std::size_t, std::size_t keys) { return keys; }
};
static_assert(!mask_policy<scores_a_number>);

static_assert(attended_pairs{mask::zero}(0, 4) == key_range{0, 4});
static_assert(scored_pairs(mask::zero)(0, 4) == key_range{0, 1});
static_assert(every_pair{}(0, 4) == key_range{0, 4});

// What a mask says of its ranges is so: of neighbours the first and the last tell what all have, and what any has.
template <class Pairs>
constexpr bool ascends_as_it_says(Pairs const& pairs, std::size_t fewest_keys = 1) {
  constexpr std::size_t most = 9;
  for (std::size_t keys = fewest_keys; keys <= most; ++keys) {
    for (std::size_t query = 0; query < most; ++query) {
      key_range const range = pairs(query, keys);
      key_range const next = pairs(query + 1, keys);
      if (is_empty(range) || next.first < range.first || next.last < range.last) {
        return false;
      }
    }
  }
  return detail::ascends<Pairs>;
}
template <class Mask>
constexpr bool both_ascend(Mask const& mask, std::size_t fewest_keys = 1) {
  return ascends_as_it_says(attended_pairs{mask}, fewest_keys) &&
         ascends_as_it_says(scored_pairs(mask), fewest_keys);
}
static_assert(both_ascend(mask::causal) && both_ascend(mask::none) && both_ascend(mask::zero));
static_assert(ascends_as_it_says(every_pair{}));
static_assert(!detail::ascends<mask::ranges<queries<4>, keys<4>>>);
static_assert(!detail::ascends<mask::both<mask::causal_t, mask::none_t>>);

// Each kind of mask that must not say so, found out.
template <key_range First, key_range Second>
struct says_that_it_ascends {
  static constexpr bool ascends = true;
  static constexpr key_range attended(std::size_t query, std::size_t) {
    return query == 0 ? First : Second;
  }
};
static_assert(both_ascend(says_that_it_ascends<key_range{0, 1}, key_range{1, 2}>{}, 2));
static_assert(!both_ascend(says_that_it_ascends<key_range{1, 2}, key_range{0, 2}>{}, 2));
static_assert(!both_ascend(says_that_it_ascends<key_range{0, 3}, key_range{0, 2}>{}, 2));
static_assert(!both_ascend(says_that_it_ascends<key_range{0, 0}, key_range{0, 2}>{}, 2));

// A trace, and the gradients of one, know the mask that they were computed with.
static_assert([] {
  attention_params<double, d_model<1>, d_head<1>> const params;
  tensor<double, tokens<4>, d_model<1>> const x;
  auto const trace = attention_forward(params, x, documents);
  auto const [d_trace, gradients] = broken::backward_with_intermediates(params, x, trace, x);
  return trace.mask.of_query == documents.of_query && d_trace.mask.of_query == documents.of_query;
}());

// What is attended but not scored is a constant 0: it has no gradient, and a scored pair has one.
static_assert([] {
  attention_params<double, d_model<1>, d_head<1>> params;
  fill(params.Wq, 1.0);
  fill(params.Wk, 1.0);
  fill(params.Wv, 1.0);
  fill(params.Wo, 1.0);
  tensor<double, tokens<2>, d_model<1>> x;
  x(0, 0) = 1;
  x(1, 0) = 2;
  auto const trace = attention_forward(params, x, mask::zero);
  auto const d_trace = broken::backward_with_intermediates(params, x, trace, x).first;
  return trace.weights(0, 1) > 0 && d_trace.scores(0, 1) == 0 && d_trace.scores(0, 0) != 0;
}());

}  // namespace
}  // namespace attest
