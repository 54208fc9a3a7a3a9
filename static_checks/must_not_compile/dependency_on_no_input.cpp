// SPDX-License-Identifier: BSL-1.0
// says(clang): __assert_fail
// says(gcc): dependency<4>::on(4)
#include <attest/attest.hpp>
#include <attest/scalar/dependency.hpp>

using namespace attest;

#ifdef REPAIRED
constexpr auto score = dependency<4>::on(3);
#else
constexpr auto score = dependency<4>::on(4);
#endif
