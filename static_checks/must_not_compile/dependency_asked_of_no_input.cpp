// SPDX-License-Identifier: BSL-1.0
// says(clang): __assert_fail
// says(gcc): depends_on(4)
#include <attest/attest.hpp>
#include <attest/scalar/dependency.hpp>

using namespace attest;

constexpr auto score = dependency<4>::on(2);
#ifdef REPAIRED
constexpr bool found = score.depends_on(3);
#else
constexpr bool found = score.depends_on(4);
#endif
