// SPDX-License-Identifier: BSL-1.0
#include "trace_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace attest::tool {
namespace {

class replacement {
 public:
  explicit replacement(std::filesystem::path const& file)
      : file_(file),
        folder_(file.has_parent_path() ? file.parent_path() : "."),
        temporary_((folder_ / ("." + file.filename().string() + ".XXXXXX")).string()),
        descriptor_(::mkstemp(temporary_.data())) {
    if (descriptor_ < 0) {
      temporary_.clear();
      refuse(std::string("no file can be made beside it: ") + std::strerror(errno));
    }
  }
  replacement(replacement const&) = delete;
  replacement& operator=(replacement const&) = delete;
  ~replacement() {
    if (descriptor_ >= 0) {
      ::close(descriptor_);
    }
    if (!temporary_.empty()) {
      ::unlink(temporary_.c_str());
    }
  }

  void write(std::string_view text) {
    while (!text.empty()) {
      auto const written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno != EINTR) {
        refuse_with_reason();
      }
      text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
  }

  void put_in_place(mode_t mode) {
    bool const on_disk = ::fchmod(descriptor_, mode) == 0 && ::fsync(descriptor_) == 0;
    if (!on_disk || ::rename(temporary_.c_str(), file_.c_str()) != 0) {
      refuse_with_reason();
    }
    temporary_.clear();
    // The new name reaches the disk with its folder; the file is whole with or without.
    int const folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY);
    if (folder >= 0) {
      ::fsync(folder);
      ::close(folder);
    }
  }

  [[noreturn]] void refuse(std::string const& reason) const {
    throw std::runtime_error(file_.string() + ": cannot be written: " + reason);
  }

 private:
  [[noreturn]] void refuse_with_reason() const { refuse(std::strerror(errno)); }

  std::filesystem::path file_;
  std::filesystem::path folder_;
  std::string temporary_;
  int descriptor_;
};

std::filesystem::path behind_links(std::filesystem::path file) {
  std::error_code ignored;
  for (int links = 0; links < 40 && std::filesystem::is_symlink(file, ignored); ++links) {
    file = file.parent_path() / std::filesystem::read_symlink(file);
  }
  return file;
}

mode_t mode_of_new_files() {
  mode_t const mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

void replace_file(std::filesystem::path const& file, std::string_view text) {
  auto const target = behind_links(file);
  auto const refuse = [&](std::string const& reason) {
    throw std::runtime_error(file.string() + ": cannot be written: " + reason);
  };
  struct stat status{};
  bool const exists = ::stat(target.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) {
    refuse(std::strerror(errno));
  }
  if ((exists && S_ISDIR(status.st_mode)) || !target.has_filename()) {
    refuse("it is a folder, not a file");
  }
  if (exists && !S_ISREG(status.st_mode)) {
    refuse("it is not a regular file, and a file in its place would end it");
  }
  // Only the folder's permission counts for a rename, but who protects a file means it.
  if (exists && ((status.st_mode & 0222) == 0 || ::access(target.c_str(), W_OK) != 0)) {
    refuse("it is write-protected");
  }
  replacement next(target);
  next.write(text);
  next.put_in_place(exists ? status.st_mode & 07777 : mode_of_new_files());
}

}  // namespace attest::tool
