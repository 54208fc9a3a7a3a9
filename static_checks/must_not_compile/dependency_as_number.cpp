// SPDX-License-Identifier: BSL-1.0
// says(gcc): use of deleted function
// says(clang): deleted function
// says(gcc): dependency<
// says(clang): dependency<4>
// says: double
#include <attest/attest.hpp>
#include <attest/scalar/dependency.hpp>

using namespace attest;

constexpr auto score = dependency<4>::on(2);
#ifdef REPAIRED
constexpr auto weight = exp(score);
#else
constexpr double weight = exp(score);
#endif
