// SPDX-License-Identifier: BSL-1.0
// error_of.hpp — what a call says when it is refused.
#pragma once

#include <string>

namespace attest {

/// The message of the Error that `call` throws, or "no error"; any other exception passes through.
template <class Error>
std::string error_of(auto const& call) {
  try {
    call();
  } catch (Error const& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace attest
