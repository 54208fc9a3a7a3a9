// SPDX-License-Identifier: BSL-1.0
// version.hpp — which attest this is. CMake reads the line below, so it is said once.
#pragma once

#define ATTEST_VERSION_TEXT "0.1.0"
