// SPDX-License-Identifier: BSL-1.0
// header.cpp — the library, included and not used.
#include <attest/attest.hpp>
