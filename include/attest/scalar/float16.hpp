// SPDX-License-Identifier: BSL-1.0
// float16.hpp — IEEE 754's binary16: a precision of 11 bits, and a range that ends at 65504.
// Integers are exact up to 2048; −1e9, a mask that some layers add, is −∞.
// Stands on: scalar/soft_float.
#pragma once

#include <attest/scalar/soft_float.hpp>

namespace attest {

/// Largest 65504, from 65520 on infinity; least normal 2⁻¹⁴, least 2⁻²⁴.
using float16 = soft_float<5, 10>;

}  // namespace attest
