// SPDX-License-Identifier: BSL-1.0
// no_branch.hpp — whether a layer could branch on a scalar: a proof scalar must not allow it.
#pragma once

#include <type_traits>

namespace attest::checks {

template <class Scalar>
concept can_be_compared =
    requires(Scalar const& s) { s == s; } || requires(Scalar const& s) { s != s; } ||
    requires(Scalar const& s) { s < s; } || requires(Scalar const& s) { s <= s; } ||
    requires(Scalar const& s) { s > s; } || requires(Scalar const& s) { s >= s; } ||
    requires(Scalar const& s) { s > 0; };
template <class Scalar, class Number>
concept can_become =
    std::is_convertible_v<Scalar, Number> || requires(Scalar const& s) { static_cast<Number>(s); };

/// No number, no condition, no order; the must-not-compile cases say it in the compilers' words.
template <class Scalar>
concept allows_no_branch = !can_be_compared<Scalar> && !can_become<Scalar, bool> &&
                           !can_become<Scalar, int> && !can_become<Scalar, unsigned long long> &&
                           !can_become<Scalar, float> && !can_become<Scalar, double>;

static_assert(can_be_compared<double> && can_become<double, bool> && can_become<double, int>);
static_assert(!allows_no_branch<double> && !allows_no_branch<bool>);

}  // namespace attest::checks
