// SPDX-License-Identifier: BSL-1.0
// refused: no line that begins with // says:
#ifndef REPAIRED
#error "the axes differ"
#endif
