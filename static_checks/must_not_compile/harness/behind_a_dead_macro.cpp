// SPDX-License-Identifier: BSL-1.0
// refused: the repaired twin does not compile
// says: the axes differ
#ifndef ATTEST_A_MACRO_THAT_WAS_REMOVED
#error "the axes differ"
#endif
