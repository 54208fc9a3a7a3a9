// SPDX-License-Identifier: BSL-1.0
// says(gcc): use of deleted function
// says(clang): call to deleted function
// says: attention_output
// says(gcc): Expected = d_model<4>
// says(gcc): Got = d_model<3>
// says(clang): Expected = attest::d_model<4>
// says(clang): Got = attest::d_model<3>
#include <attest/attest.hpp>

using namespace attest;

constexpr attention_params<double, d_model<4>, d_head<2>> params{};
#ifdef REPAIRED
constexpr tensor<double, tokens<6>, d_model<4>> x{};
#else
constexpr tensor<double, tokens<6>, d_model<3>> x{};
#endif
constexpr auto out = attention_output(params, x);
