// SPDX-License-Identifier: BSL-1.0
// eigen.cpp — attention composed of Eigen's products.

#include <benchmarks/composed_benchmarks.hpp>
#include <benchmarks/of_eigen.hpp>

namespace attest::benchmarks {

void add_eigen() {
  add_composed<eigen, float>("eigen");
  add_composed<eigen, double>("eigen");
}

}  // namespace attest::benchmarks
