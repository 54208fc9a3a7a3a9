// SPDX-License-Identifier: BSL-1.0
// refused: the first six lines do not say the axes differ
// says: the axes differ
#ifndef REPAIRED
constexpr int sum = "unrelated";  // the axes differ
#endif
