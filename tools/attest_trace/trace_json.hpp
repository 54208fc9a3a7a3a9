// SPDX-License-Identifier: BSL-1.0
// trace_json.hpp — the trace as the text of fixtures/attention-trace.json.
#pragma once

#include "run.hpp"

#include <string>

namespace attest::tool {

/// Two-space indented JSON with a final newline: tensors at 4 decimals, row sums at 6, the largest
/// gradient error at 7, −∞ as null.
std::string to_json(run const& run);

/// Where two traces differ first: "out[4][2] is -0.1, expected -0.1062".
/// Empty: `found` is `expected`, to the byte.
std::string first_difference(std::string const& expected, std::string const& found);

}  // namespace attest::tool
