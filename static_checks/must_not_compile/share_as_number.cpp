// SPDX-License-Identifier: BSL-1.0
// says(gcc): use of deleted function
// says(gcc): attest::share::operator double
// says(clang): share' to 'double' uses deleted function
#include <attest/scalar/share.hpp>

using namespace attest;

constexpr share weight = share::number(0);
#ifdef REPAIRED
constexpr auto as_number = static_cast<share>(weight);
#else
constexpr auto as_number = static_cast<double>(weight);
#endif
