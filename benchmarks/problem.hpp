// SPDX-License-Identifier: BSL-1.0
// problem.hpp — what every contestant gets: the same numbers in the same layout, last extent fastest.
#pragma once

#include <attest/math/splitmix64.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attest::benchmarks {

/// q, k, v, out and their gradients are (heads, tokens, d_head).
struct extents {
  std::size_t heads;
  std::size_t tokens;
  std::size_t d_head;

  constexpr std::size_t size() const { return heads * tokens * d_head; }
};

/// x and out are (tokens, d_model); Wq, Wk, Wv (d_model, d_head); Wo (d_head, d_model).
struct layer_extents {
  std::size_t tokens;
  std::size_t d_model;
  std::size_t d_head;

  constexpr std::size_t x_size() const { return tokens * d_model; }
  constexpr std::size_t weights_size() const { return d_model * d_head; }
};

/// `count` numbers in [−amplitude, amplitude).
template <class Scalar>
std::vector<Scalar> numbers(std::size_t count, std::uint64_t seed, double amplitude = 1) {
  std::vector<Scalar> result(count);
  for (Scalar& number : result) {
    double const unit = static_cast<double>(detail::splitmix64(seed) >> 11) * 0x1p-52 - 1;
    number = static_cast<Scalar>(amplitude * unit);
  }
  return result;
}

template <class Scalar>
struct attention_problem {
  extents size;
  std::vector<Scalar> q = numbers<Scalar>(size.size(), 1);
  std::vector<Scalar> k = numbers<Scalar>(size.size(), 2);
  std::vector<Scalar> v = numbers<Scalar>(size.size(), 3);
  std::vector<Scalar> d_out = numbers<Scalar>(size.size(), 4);
};

template <class Scalar>
struct layer_problem {
  layer_extents size;
  std::vector<Scalar> x = numbers<Scalar>(size.x_size(), 1);
  // Sums of d_model products stay near 1.
  std::vector<Scalar> Wq = numbers<Scalar>(size.weights_size(), 2, 0.125);
  std::vector<Scalar> Wk = numbers<Scalar>(size.weights_size(), 3, 0.125);
  std::vector<Scalar> Wv = numbers<Scalar>(size.weights_size(), 4, 0.125);
  std::vector<Scalar> Wo = numbers<Scalar>(size.weights_size(), 5, 0.125);
  std::vector<Scalar> d_out = numbers<Scalar>(size.x_size(), 6);
};

}  // namespace attest::benchmarks
