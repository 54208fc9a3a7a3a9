// SPDX-License-Identifier: BSL-1.0
// refused: the first six lines do not say the axes differ
// says: the axes differ
#ifndef REPAIRED
#error "one"
#error "two"
#error "three"
#error "four"
#error "five"
#error "six"
#error "the axes differ"
#endif
