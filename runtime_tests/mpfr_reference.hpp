// SPDX-License-Identifier: BSL-1.0
// mpfr_reference.hpp — what MPFR says of a function, rounded to the format once.
#pragma once

#include <mpfr.h>

namespace attest::checks {

/// A number of MPFR, of `precision` bits.
struct number {
  mpfr_t value;

  explicit number(mpfr_prec_t precision) { mpfr_init2(value, precision); }
  ~number() { mpfr_clear(value); }
  number(number const&) = delete;
  number& operator=(number const&) = delete;
};

/// The exponents of an IEEE format, while it lives.
struct range_of_exponents {
  range_of_exponents(mpfr_exp_t least, mpfr_exp_t most) {
    mpfr_set_emin(least);
    mpfr_set_emax(most);
  }
  ~range_of_exponents() {
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
  }
  range_of_exponents(range_of_exponents const&) = delete;
  range_of_exponents& operator=(range_of_exponents const&) = delete;
};

/// What MPFR says, as if it had the format's subnormal numbers.
class reference {
 public:
  using function = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

  double of_double(function f, double x) {
    range_of_exponents const format(-1073, 1024);
    return evaluate(f, x, as_double_);
  }

  float of_float(function f, float x) {
    range_of_exponents const format(-148, 128);
    return static_cast<float>(evaluate(f, static_cast<double>(x), as_float_));
  }

 private:
  double evaluate(function f, double x, number& result) {
    mpfr_set_d(argument_.value, x, MPFR_RNDN);
    int const ternary = f(result.value, argument_.value, MPFR_RNDN);
    mpfr_subnormalize(result.value, ternary, MPFR_RNDN);
    return mpfr_get_d(result.value, MPFR_RNDN);
  }

  number argument_{53};
  number as_double_{53};
  number as_float_{24};
};

}  // namespace attest::checks
