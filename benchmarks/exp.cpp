// SPDX-License-Identifier: BSL-1.0
// exp.cpp — e^x of 4096 numbers in (−20, 0], as softmax asks for them.

#include <attest/math/exp_lanes.hpp>
#include <benchmarks/problem.hpp>
#include <benchmarks/shapes.hpp>

#include <benchmark/benchmark.h>

#include <Eigen/Core>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace attest::benchmarks {
namespace {

template <class Scalar, class Step>
void add(char const* contestant, Step step) {
  std::string const name = std::string{"exp/"} + scalar_name<Scalar> + '/' + contestant;
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    auto const x = [] {
      auto values = numbers<Scalar>(4096, 1, 10);
      for (Scalar& value : values) {
        value -= 10;
      }
      return values;
    }();
    std::vector<Scalar> powers(x.size());
    for (auto turn : state) {
      step(x, powers);
      benchmark::ClobberMemory();
    }
    state.counters["elements"] = static_cast<double>(x.size());
  });
}

template <class Scalar>
void add_scalar() {
  using numbers = std::vector<Scalar>;
  // In place, so the copy counts as well.
  add<Scalar>("attest", [](numbers const& x, numbers& powers) {
    std::memcpy(powers.data(), x.data(), x.size() * sizeof(Scalar));
    detail::exp_each(powers.data(), powers.size());
  });
  add<Scalar>("eigen", [](numbers const& x, numbers& powers) {
    using array = Eigen::Array<Scalar, Eigen::Dynamic, 1>;
    auto const size = static_cast<Eigen::Index>(x.size());
    Eigen::Map<array>{powers.data(), size} = Eigen::Map<array const>{x.data(), size}.exp();
  });
  add<Scalar>("libm", [](numbers const& x, numbers& powers) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      powers[i] = std::exp(x[i]);
    }
  });
}

}  // namespace

void add_exp() {
  add_scalar<float>();
  add_scalar<double>();
}

}  // namespace attest::benchmarks
