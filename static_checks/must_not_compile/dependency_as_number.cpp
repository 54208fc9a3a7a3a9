// SPDX-License-Identifier: BSL-1.0
// says: deleted
// says: no_branch_may_hide_an_influence
// says(gcc): Number = double
// says(clang): operator double
#include <attest/attest.hpp>
#include <attest/scalar/dependency.hpp>

using namespace attest;

constexpr auto score = dependency<4>::on(2);
#ifdef REPAIRED
constexpr auto weight = exp(score);
#else
constexpr double weight = exp(score);
#endif
