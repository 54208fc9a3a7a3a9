// SPDX-License-Identifier: BSL-1.0
// says(gcc): use of deleted function
// says(clang): call to deleted function
// says: matmul
// says: d_model<3>
// says: d_model<4>
#include <attest/attest.hpp>

using namespace attest;

constexpr tensor<double, tokens<6>, d_model<4>> x{};
#ifdef REPAIRED
constexpr auto product = matmul(x, tensor<double, d_model<4>, d_head<2>>{});
#else
constexpr auto product = matmul(x, tensor<double, d_model<3>, d_head<2>>{});
#endif
