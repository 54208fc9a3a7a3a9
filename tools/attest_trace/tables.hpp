// SPDX-License-Identifier: BSL-1.0
// tables.hpp — the trace as tables for people.
#pragma once

#include "run.hpp"

#include <string>

namespace attest::tool {

/// Tokens are headings, with ␣ for a space; weights are shaded, −∞ is −∞.
/// `coloured` shades with a terminal's colours instead of blocks.
std::string to_tables(run const& run, bool coloured);

}  // namespace attest::tool
