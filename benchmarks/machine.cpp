// SPDX-License-Identifier: BSL-1.0
// machine.cpp — what the machine gives: multiplications and additions on all its pipes with the registers
// of the target, and memcpy of q, k and v.

#include <attest/lanes.hpp>
#include <benchmarks/problem.hpp>
#include <benchmarks/shapes.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace attest::benchmarks {
namespace {

// Half of the chains multiply and half add: as many as fit into the registers beside a constant. Six of
// each would just cover a latency of three cycles on two pipes, but were seen to reach three quarters
// of what twelve do.
constexpr std::size_t chains = register_count == 32 ? 12 : 7;
constexpr std::size_t turns = 4096;

template <class Scalar>
void peak(benchmark::State& state) {
  using vector = lanes<Scalar, native_width<Scalar>>;
  vector const zero{};
  vector one = zero + Scalar{1};
  vector products[chains];
  vector sums[chains];
  for (std::size_t chain = 0; chain < chains; ++chain) {
    products[chain] = sums[chain] = zero + static_cast<Scalar>(chain + 1);
  }
  benchmark::DoNotOptimize(one);
  for (auto turn : state) {
    for (std::size_t i = 0; i < turns; ++i) {
#pragma GCC unroll 16
      for (std::size_t chain = 0; chain < chains; ++chain) {
        products[chain] = products[chain] * one;
        sums[chain] = sums[chain] + one;
      }
    }
    for (std::size_t chain = 0; chain < chains; ++chain) {
      benchmark::DoNotOptimize(products[chain]);
      benchmark::DoNotOptimize(sums[chain]);
    }
  }
  state.counters["flops"] = 2.0 * chains * turns * native_width<Scalar>;
}

template <class Scalar>
void add_memcpy() {
  for_each_attention([]<extents Size>() {
    constexpr std::size_t bytes = Size.size() * sizeof(Scalar);
    benchmark::RegisterBenchmark(name_of<Scalar>("forward", Size, "memcpy").c_str(),
                                 [](benchmark::State& state) {
                                   attention_problem<Scalar> const problem{Size};
                                   auto copy = problem;
                                   for (auto turn : state) {
                                     std::memcpy(copy.q.data(), problem.q.data(), bytes);
                                     std::memcpy(copy.k.data(), problem.k.data(), bytes);
                                     std::memcpy(copy.v.data(), problem.v.data(), bytes);
                                     benchmark::ClobberMemory();
                                   }
                                   state.counters["bytes"] = 3.0 * static_cast<double>(bytes);
                                 });
  });
}

}  // namespace

void add_machine() {
  benchmark::RegisterBenchmark("peak/float/machine", peak<float>);
  benchmark::RegisterBenchmark("peak/double/machine", peak<double>);
  add_memcpy<float>();
  add_memcpy<double>();
}

}  // namespace attest::benchmarks
