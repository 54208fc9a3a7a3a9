// SPDX-License-Identifier: BSL-1.0
// says(gcc): use of deleted function
// says(clang): call to deleted function
// says: softmax
// says: Over = 
// says: queries
// says(gcc): Columns = keys<6>
// says(clang): Columns = attest::keys<6>
#include <attest/attest.hpp>

using namespace attest;

tensor<double, queries<6>, keys<6>> scores;
tensor<double, queries<6>, keys<6>> weights;

void normalise() {
#ifdef REPAIRED
  softmax<keys>(scores, weights);
#else
  softmax<queries>(scores, weights);
#endif
}
