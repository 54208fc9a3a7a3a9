// SPDX-License-Identifier: BSL-1.0
// certificate.hpp — what was asserted, in words: a row a guarantee.
// A row can only be made in the compiler and only of findings that hold, so that nothing is printed
// which was not asserted in the same build. Stands on: proof/finding.
#pragma once

#include <attest/proof/finding.hpp>

#include <initializer_list>

namespace attest {

/// A figure that was measured by a check: 3 "ulps". Without a unit there is none.
struct measurement {
  double value = 0;
  char const* unit = nullptr;
};

class certified_row;

/// What a row of the certificate says. It is printed only as a certified_row.
struct certificate_row {
  char const* guarantee;  // what holds
  char const* layer;      // of which layer and shape
  char const* inputs;     // for which inputs
  char const* bound;      // within which bound; "exact" if there is none
  char const* check;      // the file that asserts it
  measurement measured{};

  /// The row, certified by findings.
  /// Refuses: no finding, or one that does not hold (does not compile).
  consteval certified_row certified_by(std::initializer_list<finding> findings) const;
};

/// A row that findings certified; there is no other way to make one.
class certified_row {
 public:
  constexpr certificate_row const& row() const { return row_; }

 private:
  friend struct certificate_row;
  consteval explicit certified_row(certificate_row const& row) : row_{row} {}

  certificate_row row_;
};

consteval certified_row certificate_row::certified_by(
    std::initializer_list<finding> findings) const {
  bool all_hold = findings.size() > 0;
  for (finding const& found : findings) {
    all_hold = all_hold && found.holds;
  }
  return all_hold ? certified_row{*this} : throw "a certificate row needs findings that hold";
}

}  // namespace attest
