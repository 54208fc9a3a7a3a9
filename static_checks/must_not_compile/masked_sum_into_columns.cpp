// SPDX-License-Identifier: BSL-1.0
// says(gcc): use of deleted function
// says(clang): call to deleted function
// says: matmul
// says: d_head<2>
// says: queries<3>
#include <attest/attest.hpp>

using namespace attest;

constexpr auto mixed = [] {
  tensor<double, queries<3>, keys<4>> const weights;
  tensor<double, keys<4>, d_head<2>> const v;
#ifdef REPAIRED
  tensor<double, queries<3>, d_head<2>> out;
#else
  tensor<double, d_head<2>, queries<3>> out;
#endif
  matmul(weights, v, out, attended_pairs{mask::causal});
  return out;
}();
