// SPDX-License-Identifier: BSL-1.0
// says(gcc): use of deleted function
// says(clang): deleted
// says: d_head<3>
// says(gcc): d_head<2>
// says(clang): d_head<2UL
#include <attest/attest.hpp>

using namespace attest;

constexpr tensor<double, d_model<4>, d_head<3>> Wq{};
#ifdef REPAIRED
constexpr attention_params<double, d_model<4>, d_head<3>> params{Wq, {}, {}, {}};
#else
constexpr attention_params<double, d_model<4>, d_head<2>> params{Wq, {}, {}, {}};
#endif
