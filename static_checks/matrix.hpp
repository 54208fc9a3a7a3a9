// SPDX-License-Identifier: BSL-1.0
// matrix.hpp — faults against proofs: which proof refuses which wrong layer, for the certificate.
#pragma once

#include <array>
#include <cstddef>

namespace attest::checks {

inline constexpr std::array proof_names{"depends", "d_x depends", "row sums",
                                        "hull",    "gradients",   "same bits"};

/// A layer, and for each proof whether it accepts it.
struct matrix_row {
  char const* layer;
  std::array<bool, proof_names.size()> accepted{};
};

using matrix = std::array<matrix_row, 16>;

/// The constant that static_checks/matrix.cpp asserted.
extern matrix const faults_against_proofs;

}  // namespace attest::checks
