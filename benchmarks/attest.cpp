// SPDX-License-Identifier: BSL-1.0
// attest.cpp — the library's own kernel and layer.

#include <benchmarks/of_attest.hpp>
#include <benchmarks/shapes.hpp>
#include <benchmarks/stack_use.hpp>

#include <benchmark/benchmark.h>

namespace attest::benchmarks {
namespace {

template <class Scalar>
void add_attention() {
  for_each_attention([]<extents Size>() {
    using contestant = fused_attention<Scalar, Size>;
    add_benchmark(
        name_of<Scalar>("forward", Size, "attest"), causal_flops(Size, 2),
        [] { return contestant{attention_problem<Scalar>{Size}}; },
        [](contestant& attention) { attention.forward(); });
    add_benchmark(
        name_of<Scalar>("backward", Size, "attest"), causal_flops(Size, 4),
        [] { return contestant{attention_problem<Scalar>{Size}}; },
        [](contestant& attention) { attention.backward(); });
    benchmark::RegisterBenchmark(
        name_of<Scalar>("memory", Size, "attest").c_str(),
        [](benchmark::State& state) {
          contestant attention{attention_problem<Scalar>{Size}};
          std::size_t const thread = stack_use([] {});
          for (auto turn : state) {
            std::size_t const all = stack_use([&] { attention.forward(); });
            state.counters["extra_bytes"] = static_cast<double>(all - thread);
          }
        })
        ->Iterations(1);
  });
}

template <class Scalar>
void add_layer() {
  for_each_layer([]<layer_extents Size>() {
    using fused = fused_layer<Scalar, Size>;
    using traced = traced_layer<Scalar, Size>;
    add_benchmark(
        name_of<Scalar>("layer", Size, "attest"), causal_flops(Size, 2, 4),
        [] { return fused{layer_problem<Scalar>{Size}}; }, [](fused& layer) { layer.forward(); });
    add_benchmark(
        name_of<Scalar>("traced_layer", Size, "attest"), causal_flops(Size, 2, 4),
        [] { return traced{layer_problem<Scalar>{Size}}; }, [](traced& layer) { layer.forward(); });
    add_benchmark(
        name_of<Scalar>("layer_backward", Size, "attest"), causal_flops(Size, 4, 8),
        [] {
          traced layer{layer_problem<Scalar>{Size}};
          layer.forward();
          return layer;
        },
        [](traced& layer) { layer.backward(); });
  });
}

}  // namespace

void add_attest() {
  add_attention<float>();
  add_attention<double>();
  add_layer<float>();
  add_layer<double>();
}

}  // namespace attest::benchmarks
