// SPDX-License-Identifier: BSL-1.0
// reference.hpp — the formulas in plain double loops, to hold every contestant's results against.
#pragma once

#include <benchmarks/problem.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace attest::benchmarks {

struct attention_results {
  std::vector<double> out;
  std::vector<double> d_q;
  std::vector<double> d_k;
  std::vector<double> d_v;
};

/// `visible(query)` is how many keys a query sees: query + 1 in causal attention.
template <class Scalar, class Visible>
attention_results reference_attention(attention_problem<Scalar> const& problem, Visible visible) {
  auto const [heads, tokens, d_head] = problem.size;
  std::vector<double> const zeros(problem.size.size());
  attention_results result{zeros, zeros, zeros, zeros};
  double const scale = 1 / std::sqrt(static_cast<double>(d_head));
  for (std::size_t head = 0; head < heads; ++head) {
    auto const at = [first = head * tokens, width = d_head](auto& tensor, std::size_t row) {
      return tensor.data() + (first + row) * width;
    };
    auto const dot = [width = d_head](auto const* a, auto const* b) {
      double sum = 0;
      for (std::size_t channel = 0; channel < width; ++channel) {
        sum += static_cast<double>(a[channel]) * static_cast<double>(b[channel]);
      }
      return sum;
    };
    auto const add = [width = d_head](double factor, auto const* from, double* to) {
      for (std::size_t channel = 0; channel < width; ++channel) {
        to[channel] += factor * static_cast<double>(from[channel]);
      }
    };
    for (std::size_t query = 0; query < tokens; ++query) {
      std::size_t const count = visible(query);
      std::vector<double> weights(count);
      for (std::size_t key = 0; key < count; ++key) {
        weights[key] = scale * dot(at(problem.q, query), at(problem.k, key));
      }
      double const largest = *std::max_element(weights.begin(), weights.end());
      double total = 0;
      for (double& weight : weights) {
        total += weight = std::exp(weight - largest);
      }
      double mean = 0;
      for (std::size_t key = 0; key < count; ++key) {
        weights[key] /= total;
        add(weights[key], at(problem.v, key), at(result.out, query));
        add(weights[key], at(problem.d_out, query), at(result.d_v, key));
        mean += weights[key] * dot(at(problem.d_out, query), at(problem.v, key));
      }
      for (std::size_t key = 0; key < count; ++key) {
        double const d_weight = dot(at(problem.d_out, query), at(problem.v, key));
        double const d_score = weights[key] * (d_weight - mean) * scale;
        add(d_score, at(problem.k, key), at(result.d_q, query));
        add(d_score, at(problem.q, query), at(result.d_k, key));
      }
    }
  }
  return result;
}

template <class Scalar>
attention_results reference_attention(attention_problem<Scalar> const& problem) {
  return reference_attention(problem, [](std::size_t query) { return query + 1; });
}

/// The largest distance of two entries; infinity if one is no number or the sizes differ.
template <class Scalar>
double largest_difference(std::vector<double> const& expected, Scalar const* got,
                          std::size_t size) {
  double largest = expected.size() == size ? 0 : HUGE_VAL;
  for (std::size_t i = 0; i < std::min(size, expected.size()); ++i) {
    double const difference = std::abs(expected[i] - static_cast<double>(got[i]));
    largest = difference <= HUGE_VAL ? std::max(largest, difference) : HUGE_VAL;
  }
  return largest;
}

}  // namespace attest::benchmarks
