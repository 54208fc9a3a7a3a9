// SPDX-License-Identifier: BSL-1.0
// says(gcc): use of deleted function
// says(gcc): attest::finite_field::operator<=>
// says(clang): selected deleted operator '<=>'
#include <attest/scalar/finite_field.hpp>

using namespace attest;

constexpr finite_field a = finite_field::of(2);
constexpr finite_field b = finite_field::of(3);
#ifdef REPAIRED
constexpr finite_field largest = larger(a, b);
#else
constexpr finite_field largest = a < b ? b : a;
#endif
