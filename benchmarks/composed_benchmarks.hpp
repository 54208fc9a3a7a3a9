// SPDX-License-Identifier: BSL-1.0
// composed_benchmarks.hpp — the benchmarks of attention that is composed of a library's products.
#pragma once

#include <benchmarks/composed.hpp>
#include <benchmarks/shapes.hpp>

#include <benchmark/benchmark.h>

namespace attest::benchmarks {

template <class Library, class Scalar>
void add_composed_attention(extents size, char const* name) {
  using contestant = composed_attention<Library, Scalar>;
  add_benchmark(
      name_of<Scalar>("forward", size, name), causal_flops(size, 2),
      [=] { return contestant{attention_problem<Scalar>{size}, false}; },
      [](contestant& attention) { attention.forward(); });
  add_benchmark(
      name_of<Scalar>("backward", size, name), causal_flops(size, 4),
      [=] {
        contestant attention{attention_problem<Scalar>{size}, true};
        attention.forward();
        return attention;
      },
      [](contestant& attention) { attention.backward(); });
  auto const memory = [=](benchmark::State& state) {
    contestant const attention{attention_problem<Scalar>{size}, false};
    for (auto turn : state) {
      state.counters["extra_bytes"] = static_cast<double>(attention.extra_bytes());
    }
  };
  benchmark::RegisterBenchmark(name_of<Scalar>("memory", size, name).c_str(), memory)
      ->Iterations(1);
}

template <class Library, class Scalar>
void add_composed_layer(layer_extents size, char const* name) {
  using contestant = composed_layer<Library, Scalar>;
  add_benchmark(
      name_of<Scalar>("layer", size, name), causal_flops(size, 2, 4),
      [=] { return contestant{layer_problem<Scalar>{size}, false}; },
      [](contestant& layer) { layer.forward(); });
  add_benchmark(
      name_of<Scalar>("layer_backward", size, name), causal_flops(size, 4, 8),
      [=] {
        contestant layer{layer_problem<Scalar>{size}, true};
        layer.forward();
        return layer;
      },
      [](contestant& layer) { layer.backward(); });
}

template <class Library, class Scalar>
void add_composed(char const* name) {
  for_each_attention([=]<extents Size>() { add_composed_attention<Library, Scalar>(Size, name); });
  for_each_layer([=]<layer_extents Size>() { add_composed_layer<Library, Scalar>(Size, name); });
}

}  // namespace attest::benchmarks
