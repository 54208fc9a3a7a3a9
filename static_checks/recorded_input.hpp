// SPDX-License-Identifier: BSL-1.0
// recorded_input.hpp — the recorded sentence, computed in the compiler, and inputs of other shapes.
#pragma once

#include <attest/attention.hpp>
#include <recorded/cpython_random.hpp>
#include <recorded/run.hpp>
#include <recorded/trace_fixture.hpp>

#include <cstddef>

namespace attest::checks {

inline constexpr auto params = recorded::params();
inline constexpr auto table = recorded::embedding_table();
inline constexpr auto x = recorded::embed(recorded::ids);
inline constexpr auto readout = recorded::readout<6>();

/// Numbers between −1 and 1.
template <class Tensor>
constexpr Tensor uniform(recorded::cpython_random& random) {
  Tensor result;
  for (auto& element : result.elements) {
    element = static_cast<typename Tensor::scalar_type>(random.uniform(-1, 1));
  }
  return result;
}

/// Parameters, input and d_out of any shape, from one seed.
template <class Scalar, std::size_t T, std::size_t D, std::size_t H>
struct sample {
  attention_params<Scalar, d_model<D>, d_head<H>> params;
  tensor<Scalar, tokens<T>, d_model<D>> x;
  tensor<Scalar, tokens<T>, d_model<D>> d_out;
};

template <class Scalar, std::size_t T, std::size_t D, std::size_t H>
constexpr sample<Scalar, T, D, H> make_sample(std::uint32_t seed = 1) {
  recorded::cpython_random random{seed};
  using of_params = attention_params<Scalar, d_model<D>, d_head<H>>;
  using of_x = tensor<Scalar, tokens<T>, d_model<D>>;
  sample<Scalar, T, D, H> result;
  result.params.Wq = uniform<typename of_params::projection>(random);
  result.params.Wk = uniform<typename of_params::projection>(random);
  result.params.Wv = uniform<typename of_params::projection>(random);
  result.params.Wo = uniform<typename of_params::output_projection>(random);
  result.x = uniform<of_x>(random);
  result.d_out = uniform<of_x>(random);
  return result;
}

/// One input a shape, made once, since the generator costs an evaluation more than a short layer.
template <class Scalar, std::size_t T, std::size_t D, std::size_t H>
inline constexpr auto random_sample = make_sample<Scalar, T, D, H>(T);

}  // namespace attest::checks
