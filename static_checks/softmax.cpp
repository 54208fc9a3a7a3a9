// SPDX-License-Identifier: BSL-1.0
// softmax.cpp — softmax and its gradient at inputs whose results are known.
#include <attest/attest.hpp>

namespace attest {
namespace {

template <std::size_t Q, std::size_t K>
using pairs_of = tensor<double, queries<Q>, keys<K>>;

template <std::size_t Q, std::size_t K, class Pairs = every_pair>
constexpr pairs_of<Q, K> softmax_of(pairs_of<Q, K> const& scores, Pairs const& pairs = {}) {
  pairs_of<Q, K> weights;
  fill(weights, 5.0);
  softmax<keys>(scores, weights, pairs);
  return weights;
}

// Equal scores share equally; ln 3 apart, one to three; the rows, not the columns, sum to 1.
static_assert(softmax_of<1, 4>({{0, 0, 0, 0}}) == pairs_of<1, 4>{{0.25, 0.25, 0.25, 0.25}});
constexpr double ln_3 = 0x1.193ea7aad030bp+0;
constexpr auto one_to_three = softmax_of<2, 2>({{0, ln_3}, {0, 0}});
static_assert(one_to_three(0, 0) == 0.25 && one_to_three(0, 1) == 0.75);
static_assert(one_to_three(1, 0) == 0.5 && one_to_three(1, 1) == 0.5);

// A shift changes nothing, however large: the maximum is subtracted first.
static_assert(softmax_of<1, 2>({{0x1p600, 0x1p600}}) == pairs_of<1, 2>{{0.5, 0.5}});
static_assert(softmax_of<1, 2>({{-0x1p600, -0x1p600}}) == pairs_of<1, 2>{{0.5, 0.5}});
static_assert(softmax_of<1, 3>({{128, 130, 129}}) == softmax_of<1, 3>({{-1, 1, 0}}));
static_assert(softmax_of<1, 2>({{151.25, 150}}) == softmax_of<1, 2>({{1.25, 0}}));
// The maximum may stand anywhere, and a score far below it has weight exactly 0.
static_assert(softmax_of<1, 3>({{-800, 0, -800}}) == pairs_of<1, 3>{{0, 1, 0}});
static_assert(softmax_of<1, 3>({{0, -800, -800}}) == pairs_of<1, 3>{{1, 0, 0}});
static_assert(softmax_of<1, 3>({{-800, -800, 0}}) == pairs_of<1, 3>{{0, 0, 1}});
// One key has all the weight, even where its score is below any sentinel.
static_assert(softmax_of<1, 1>({{-524288}}) == pairs_of<1, 1>{{1}});

// Pairs speak of queries and keys: rows of queries along another axis, and other rows along keys, are whole.
template <template <std::size_t> class Over, class Matrix>
constexpr Matrix softmax_under_causal(Matrix const& scores) {
  Matrix weights;
  softmax<Over>(scores, weights, attended_pairs{mask::causal});
  return weights;
}
static_assert(softmax_under_causal<d_model>(tensor<double, queries<2>, d_model<2>>{{0, 0},
                                                                                   {0, 0}}) ==
              tensor<double, queries<2>, d_model<2>>{{0.5, 0.5}, {0.5, 0.5}});
static_assert(softmax_under_causal<keys>(tensor<double, tokens<2>, keys<2>>{{0, 0}, {0, 0}}) ==
              tensor<double, tokens<2>, keys<2>>{{0.5, 0.5}, {0.5, 0.5}});
static_assert(softmax_under_causal<keys>(pairs_of<2, 2>{{0, 0}, {0, 0}}) ==
              pairs_of<2, 2>{{1, 0}, {0.5, 0.5}});

// Pairs that are left out are not read (a NaN would spread over its row) and have weight +0.
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
static_assert(softmax_of<3, 3>({{-1e5, nan, nan}, {0, 0, nan}, {0, ln_3, -800}},
                               attended_pairs{mask::causal}) ==
              pairs_of<3, 3>{{1, 0, 0}, {0.5, 0.5, 0}, {0.25, 0.75, 0}});
constexpr mask::ranges<queries<2>, keys<3>> none_then_two{{{{2, 2}, {1, 3}}}};
static_assert(softmax_of<2, 3>({{0, 0, 0}, {nan, 0, 0}}, attended_pairs{none_then_two}) ==
              pairs_of<2, 3>{{0, 0, 0}, {0, 0.5, 0.5}});

// Backward: w ∘ (dw − Σ w·dw).
template <std::size_t Q, std::size_t K, class Pairs = every_pair>
constexpr pairs_of<Q, K> backward_of(pairs_of<Q, K> const& weights, pairs_of<Q, K> const& d_weights,
                                     Pairs const& pairs = {}) {
  pairs_of<Q, K> d_scores;
  fill(d_scores, 5.0);
  softmax_backward<keys>(weights, d_weights, d_scores, pairs);
  return d_scores;
}
static_assert(backward_of<1, 2>({{0.5, 0.5}}, {{1, 0}}) == pairs_of<1, 2>{{0.25, -0.25}});
static_assert(backward_of<2, 2>({{0.25, 0.75}, {1, 0}}, {{4, 8}, {3, 5}}) ==
              pairs_of<2, 2>{{-0.75, 0.75}, {0, 0}});
static_assert(backward_of<2, 3>({{0.5, 0.5, nan}, {0.25, 0.25, 0.5}}, {{1, 0, nan}, {4, 0, 2}},
                                attended_pairs{
                                    mask::ranges<queries<2>, keys<3>>{{{{0, 2}, {0, 3}}}}}) ==
              pairs_of<2, 3>{{0.25, -0.25, 0}, {0.5, -0.5, 0}});
static_assert(backward_of<1, 2>({{nan, nan}}, {{nan, nan}},
                                attended_pairs{mask::ranges<queries<1>, keys<2>>{{{{1, 1}}}}}) ==
              pairs_of<1, 2>{});

}  // namespace
}  // namespace attest
