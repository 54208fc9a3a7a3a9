// SPDX-License-Identifier: BSL-1.0
// bfloat16.hpp — the upper half of a float: its range, and a precision of 8 bits.
// Integers are exact up to 256; 257 is 256. Stands on: scalar/soft_float.
#pragma once

#include <attest/scalar/soft_float.hpp>

namespace attest {

/// Largest 255·2¹²⁰, about 3.39e38; least normal 2⁻¹²⁶, least 2⁻¹³³.
/// Source: Intel, "BFLOAT16 – Hardware Numerics Definition" (2018), but with subnormal numbers.
using bfloat16 = soft_float<8, 7>;

}  // namespace attest
