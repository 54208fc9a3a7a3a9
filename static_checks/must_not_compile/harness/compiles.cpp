// SPDX-License-Identifier: BSL-1.0
// refused: the mistake compiles
// says: the axes differ
#ifdef REPAIRED
constexpr int sum = 1;
#else
constexpr int sum = 2;
#endif
