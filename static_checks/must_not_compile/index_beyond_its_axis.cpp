// SPDX-License-Identifier: BSL-1.0
// says(gcc): tokens<2>, attest::d_model<3> >::operator()<int, int>(0, 3)
// says(clang): __assert_fail
#include <attest/attest.hpp>

using namespace attest;

constexpr tensor<double, tokens<2>, d_model<3>> x{{1, 2, 3}, {4, 5, 6}};
#ifdef REPAIRED
constexpr double entry = x(0, 2);
#else
constexpr double entry = x(0, 3);
#endif
