// SPDX-License-Identifier: BSL-1.0
// says: deleted
// says: no_branch_may_hide_an_operation
// says(gcc): operator<=>
// says(clang): operator '<=>'
#include <attest/attest.hpp>
#include <attest/scalar/expression.hpp>

using namespace attest;

constexpr expression left = expression::input(0);
constexpr expression right = expression::input(1);
#ifdef REPAIRED
constexpr auto largest = larger(left, right);
#else
constexpr auto largest = left < right ? right : left;
#endif
