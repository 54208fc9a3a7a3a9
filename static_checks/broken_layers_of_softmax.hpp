// SPDX-License-Identifier: BSL-1.0
// broken_layers_of_softmax.hpp — forward passes whose weights, or what they are multiplied by, have one
// fault each, named after it. They run on any scalar; the backward pass is the real one.
#pragma once

#include "broken_layers.hpp"

#include <attest/attention.hpp>
#include <attest/proof/layer.hpp>

#include <cstddef>

namespace attest::broken {

/// The layer with the weights that Softmax makes of all scores, those of later keys included.
template <class Softmax>
struct with_softmax : attention_layer<> {
  template <class Scalar, class Tokens, class DModel, class DHead>
  constexpr auto forward(attention_params<Scalar, DModel, DHead> const& params,
                         tensor<Scalar, Tokens, DModel> const& x) const {
    auto trace = attention_forward(params, x, mask::causal);
    auto const scores = attention_forward(params, x, mask::none).scores;
    fill(trace.weights, Scalar{});
    for (std::size_t query = 0; query < Tokens::size; ++query) {
      Softmax::make_row(scores, trace.weights, query);
    }
    return follow_weights(trace, params);
  }
};

template <class Scores>
constexpr auto largest_score(Scores const& scores, std::size_t query, std::size_t last) {
  auto largest = scores(query, 0);
  for (std::size_t key = 1; key < last; ++key) {
    largest = larger(largest, scores(query, key));
  }
  return largest;
}

/// weight = exp(score − largest) / Σ exp(score − largest_in_sum), the sum over keys below `last`.
template <class Scores>
constexpr void make_weights(Scores const& scores, Scores& weights, std::size_t query,
                            typename Scores::scalar_type const& largest,
                            typename Scores::scalar_type const& largest_in_sum, std::size_t last) {
  typename Scores::scalar_type total{};
  for (std::size_t key = 0; key < last; ++key) {
    total = total + exp(scores(query, key) - largest_in_sum);
  }
  for (std::size_t key = 0; key <= query; ++key) {
    weights(query, key) = exp(scores(query, key) - largest) / total;
  }
}

namespace softmaxes {

/// No fault: the parts above put together as they should be.
struct right {
  template <class Scores>
  static constexpr void make_row(Scores const& scores, Scores& weights, std::size_t query) {
    auto const largest = largest_score(scores, query, query + 1);
    make_weights(scores, weights, query, largest, largest, query + 1);
  }
};

/// A later score that is much larger makes every exp 0, and the sum too.
struct takes_the_maximum_over_the_whole_row {
  template <class Scores>
  static constexpr void make_row(Scores const& scores, Scores& weights, std::size_t query) {
    auto const largest = largest_score(scores, query, Scores::extents[1]);
    make_weights(scores, weights, query, largest, largest, query + 1);
  }
};

/// A row whose scores all lie far below the sentinel has exp 0 everywhere, and a sum of 0.
struct starts_the_maximum_at_a_sentinel {
  template <class Scores>
  static constexpr void make_row(Scores const& scores, Scores& weights, std::size_t query) {
    auto const largest = larger(scalar_traits<typename Scores::scalar_type>::constant(-10000),
                                largest_score(scores, query, query + 1));
    make_weights(scores, weights, query, largest, largest, query + 1);
  }
};

/// exp overflows from a score of 710 on.
struct forgets_the_maximum {
  template <class Scores>
  static constexpr void make_row(Scores const& scores, Scores& weights, std::size_t query) {
    make_weights(scores, weights, query, {}, {}, query + 1);
  }
};

/// Subtracts the maximum above the line and not below it.
struct forgets_the_maximum_in_the_sum {
  template <class Scores>
  static constexpr void make_row(Scores const& scores, Scores& weights, std::size_t query) {
    make_weights(scores, weights, query, largest_score(scores, query, query + 1), {}, query + 1);
  }
};

/// Sums over later keys too, whose weights are then left at 0.
struct does_not_renormalise {
  template <class Scores>
  static constexpr void make_row(Scores const& scores, Scores& weights, std::size_t query) {
    auto const largest = largest_score(scores, query, Scores::extents[1]);
    make_weights(scores, weights, query, largest, largest, Scores::extents[1]);
  }
};

/// The sum leaves out the query's own key, but for the first.
struct sums_without_a_key {
  template <class Scores>
  static constexpr void make_row(Scores const& scores, Scores& weights, std::size_t query) {
    auto const largest = largest_score(scores, query, query + 1);
    make_weights(scores, weights, query, largest, largest, query == 0 ? 1 : query);
  }
};

/// Each key's weights sum to 1 over the queries from it on.
struct runs_over_queries {
  template <class Scores>
  static constexpr void make_row(Scores const& scores, Scores& weights, std::size_t key) {
    auto largest = scores(key, key);
    for (std::size_t query = key + 1; query < Scores::extents[0]; ++query) {
      largest = larger(largest, scores(query, key));
    }
    typename Scores::scalar_type total{};
    for (std::size_t query = key; query < Scores::extents[0]; ++query) {
      total = total + exp(scores(query, key) - largest);
    }
    for (std::size_t query = key; query < Scores::extents[0]; ++query) {
      weights(query, key) = exp(scores(query, key) - largest) / total;
    }
  }
};

}  // namespace softmaxes

/// The weights are right, but each is multiplied by the value of Value{}(key).
template <class Value>
struct with_values : attention_layer<> {
  template <class Scalar, class Tokens, class DModel, class DHead>
  constexpr auto forward(attention_params<Scalar, DModel, DHead> const& params,
                         tensor<Scalar, Tokens, DModel> const& x) const {
    auto trace = attention_forward(params, x, mask::causal);
    fill(trace.mixed, Scalar{});
    for (std::size_t query = 0; query < Tokens::size; ++query) {
      for (std::size_t key = 0; key <= query; ++key) {
        for (std::size_t channel = 0; channel < DHead::size; ++channel) {
          trace.mixed(query, channel) =
              trace.mixed(query, channel) +
              trace.weights(query, key) * trace.v(Value::of(key, query), channel);
        }
      }
    }
    trace.out = matmul(rename<queries, tokens>(trace.mixed), params.Wo);
    return trace;
  }
};

namespace values {

struct right {
  static constexpr std::size_t of(std::size_t key, std::size_t) { return key; }
};
struct in_reverse {
  static constexpr std::size_t of(std::size_t key, std::size_t query) { return query - key; }
};

}  // namespace values

}  // namespace attest::broken
