// SPDX-License-Identifier: BSL-1.0
// says(gcc): use of deleted function
// says(clang): attempt to use a deleted function
// says(gcc): dependency<
// says(clang): operator bool<bool>
// says: bool
#include <attest/attest.hpp>
#include <attest/scalar/dependency.hpp>

using namespace attest;

constexpr auto score = dependency<4>::on(2);
#ifdef REPAIRED
constexpr int weight = score.depends_on(2) ? 1 : 0;
#else
constexpr int weight = score ? 1 : 0;
#endif
