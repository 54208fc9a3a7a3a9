// SPDX-License-Identifier: BSL-1.0
// openblas.cpp — attention composed of OpenBLAS's products.

#include <benchmarks/composed_benchmarks.hpp>
#include <benchmarks/of_openblas.hpp>

namespace attest::benchmarks {

void add_openblas() {
  add_composed<openblas, float>("openblas");
  add_composed<openblas, double>("openblas");
}

}  // namespace attest::benchmarks
