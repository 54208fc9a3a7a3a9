// SPDX-License-Identifier: BSL-1.0
// trace_file.hpp — replaces a file as a whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace attest::tool {

/// Writes a new file beside `file`, then renames it, so that at every moment `file` is either what it
/// was or all of `text`. A link is followed; permissions are kept.
/// Refuses: a folder, a device, a file without write permission, a folder that cannot be written in
///          (std::runtime_error). `file` is then as it was, and nothing is left beside it.
void replace_file(std::filesystem::path const& file, std::string_view text);

}  // namespace attest::tool
