// SPDX-License-Identifier: BSL-1.0
// flags: -Ofast
// says: attest does not compile with -ffast-math, -Ofast or -ffinite-math-only
// says: no infinity and no NaN exists
#include <attest/attest.hpp>
