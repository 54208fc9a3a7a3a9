// SPDX-License-Identifier: BSL-1.0
// shapes.hpp — what is measured, by whom, and how it is called: pass/scalar/shape/T:n/contestant.
#pragma once

#include <benchmarks/problem.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>
#include <type_traits>

namespace attest::benchmarks {

/// f.template operator()<Size>() for each shape of the kernel.
template <class Function>
void for_each_attention(Function&& f) {
  f.template operator()<extents{12, 6, 64}>();
  f.template operator()<extents{12, 64, 64}>();
  f.template operator()<extents{12, 256, 64}>();
  f.template operator()<extents{12, 1024, 64}>();
  f.template operator()<extents{12, 4096, 64}>();
  f.template operator()<extents{1, 6, 2}>();  // the recorded run's
  f.template operator()<extents{1, 8, 8}>();  // of a controller
}

/// The layer of one head, in a model of 768, in the recorded run, and in a controller.
template <class Function>
void for_each_layer(Function&& f) {
  f.template operator()<layer_extents{6, 768, 64}>();
  f.template operator()<layer_extents{64, 768, 64}>();
  f.template operator()<layer_extents{256, 768, 64}>();
  f.template operator()<layer_extents{1024, 768, 64}>();
  f.template operator()<layer_extents{4096, 768, 64}>();
  f.template operator()<layer_extents{6, 4, 2}>();
  f.template operator()<layer_extents{8, 16, 8}>();
}

template <class Scalar>
inline constexpr char const* scalar_name = std::is_same_v<Scalar, float> ? "float" : "double";

template <class Scalar>
std::string name_of(char const* pass, extents size, char const* contestant) {
  return std::string{pass} + '/' + scalar_name<Scalar> + "/heads:" + std::to_string(size.heads) +
         "/d_head:" + std::to_string(size.d_head) + "/T:" + std::to_string(size.tokens) + '/' +
         contestant;
}
template <class Scalar>
std::string name_of(char const* pass, layer_extents size, char const* contestant) {
  return std::string{pass} + '/' + scalar_name<Scalar> +
         "/d_model:" + std::to_string(size.d_model) + "/d_head:" + std::to_string(size.d_head) +
         "/T:" + std::to_string(size.tokens) + '/' + contestant;
}

/// What causal attention cannot do without: for each pair of a query and a key that it sees, a
/// multiplication and an addition a channel in each of two products, backward in each of four.
constexpr double causal_flops(extents size, int products) {
  auto const tokens = static_cast<double>(size.tokens);
  return static_cast<double>(size.heads * size.d_head) * tokens * (tokens + 1) / 2 * 2 * products;
}
constexpr double causal_flops(layer_extents size, int products, int projections) {
  return causal_flops(extents{1, size.tokens, size.d_head}, products) +
         2.0 * static_cast<double>(size.x_size() * size.d_head) * projections;
}

/// Runs `step(contestant)` as often as Google Benchmark asks; `make()` gives what it works on.
template <class Make, class Step>
void add_benchmark(std::string const& name, double flops, Make make, Step step) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    auto contestant = make();
    for (auto turn : state) {
      step(contestant);
      benchmark::ClobberMemory();
    }
    state.counters["flops"] = flops;
  });
}

/// Registered from each contestant's file, in this order.
void add_attest();
void add_eigen();
void add_openblas();
void add_exp();
void add_machine();

}  // namespace attest::benchmarks
