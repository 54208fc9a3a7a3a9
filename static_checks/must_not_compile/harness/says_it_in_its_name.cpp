// SPDX-License-Identifier: BSL-1.0
// refused: the first six lines do not say in_its_name
// says: in_its_name
#ifndef REPAIRED
constexpr int sum = "unrelated";
#endif
