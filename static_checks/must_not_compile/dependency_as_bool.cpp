// SPDX-License-Identifier: BSL-1.0
// says: deleted
// says: no_branch_may_hide_an_influence
// says(gcc): Number = bool
// says(clang): operator bool
#include <attest/attest.hpp>
#include <attest/scalar/dependency.hpp>

using namespace attest;

constexpr auto score = dependency<4>::on(2);
#ifdef REPAIRED
constexpr int weight = score.depends_on(2) ? 1 : 0;
#else
constexpr int weight = score ? 1 : 0;
#endif
