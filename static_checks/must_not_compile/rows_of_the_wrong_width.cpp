// SPDX-License-Identifier: BSL-1.0
// says(gcc): use of deleted function
// says(clang): deleted
// says(gcc): Columns = 
// says(gcc): {3, 3}
// says(clang): <3UL, 3UL>
// says(clang): tokens<2>, d_model<4>
// says(gcc): Axes = {attest::tokens<2>, attest::d_model<4>}
#include <attest/attest.hpp>

using namespace attest;

#ifdef REPAIRED
constexpr tensor<double, tokens<2>, d_model<3>> x{{1, 2, 3}, {4, 5, 6}};
#else
constexpr tensor<double, tokens<2>, d_model<4>> x{{1, 2, 3}, {4, 5, 6}};
#endif
