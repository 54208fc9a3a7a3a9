// SPDX-License-Identifier: BSL-1.0
// unseen(clang): it defines no macro for these flags
// flags: -funsafe-math-optimizations
// says: attest does not compile with -funsafe-math-optimizations
// says: the order and the rounding of operations
#include <attest/attest.hpp>
