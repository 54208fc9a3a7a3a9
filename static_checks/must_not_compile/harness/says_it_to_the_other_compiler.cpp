// SPDX-License-Identifier: BSL-1.0
// refused: no line that begins with // says:
// says(another): the axes differ
#ifndef REPAIRED
#error "the axes differ"
#endif
