// SPDX-License-Identifier: BSL-1.0
// certified.hpp — a file of checks adds its rows to the certificate.
#pragma once

#include <attest/proof/certificate.hpp>

namespace attest {

/// One row in the list of all; the certificate program walks it.
class certified {
 public:
  explicit certified(certified_row const& row) : row_{row}, next_{first()} { first() = this; }
  certified(certified const&) = delete;
  certified& operator=(certified const&) = delete;

  certificate_row const& row() const { return row_.row(); }
  certified const* next() const { return next_; }
  static certified const*& first();  // defined with the program

 private:
  certified_row row_;
  certified const* next_;
};

}  // namespace attest
