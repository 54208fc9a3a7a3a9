// SPDX-License-Identifier: BSL-1.0
// main.cpp — all contestants in one program, so that their ratios come from one run.

#include <benchmarks/shapes.hpp>

#include <benchmark/benchmark.h>
#include <cblas.h>

int main(int count, char** arguments) {
  openblas_set_num_threads(1);
  benchmark::AddCustomContext("compiler", ATTEST_COMPILER);
  benchmark::AddCustomContext("flags", ATTEST_FLAGS);
  benchmark::AddCustomContext("openblas", openblas_get_config());
  benchmark::AddCustomContext("openblas_core", openblas_get_corename());
  attest::benchmarks::add_attest();
  attest::benchmarks::add_eigen();
  attest::benchmarks::add_openblas();
  attest::benchmarks::add_machine();
  attest::benchmarks::add_exp();
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) {
    return 1;
  }
  benchmark::RunSpecifiedBenchmarks();
}
