// SPDX-License-Identifier: BSL-1.0
// says(gcc): use of deleted function
// says(clang): deleted
// says: d_head<4>
// says: d_model<4>
#include <attest/attest.hpp>

using namespace attest;

constexpr tensor<double, d_head<4>, d_model<4>> transposed{};
#ifdef REPAIRED
constexpr attention_params<double, d_model<4>, d_head<4>> params{{}, {}, {}, transposed};
#else
constexpr attention_params<double, d_model<4>, d_head<4>> params{transposed, {}, {}, {}};
#endif
