// SPDX-License-Identifier: BSL-1.0
// says(gcc): use of deleted function
// says(clang): attempt to use a deleted function
// says: operator bool
#include <attest/scalar/dual.hpp>

using namespace attest;

constexpr dual<double> weight{1, 1};
#ifdef REPAIRED
constexpr double kept = true ? weight.value : 0;
#else
constexpr double kept = weight ? weight.value : 0;
#endif
