// SPDX-License-Identifier: BSL-1.0
// exp_constants.cpp — prints include/attest/math/exp_table.hpp, byte for byte; with --constants the
// other constants of exp. Everything comes from MPFR at 400 bits, rounded to nearest but where it
// says otherwise. g++ -std=c++20 tools/exp_constants.cpp -lmpfr -lgmp
#include <mpfr.h>

#include <cstdio>
#include <string_view>

namespace {

struct number {
  mpfr_t value;

  number() { mpfr_init2(value, 400); }
  ~number() { mpfr_clear(value); }
  number(number const&) = delete;
  number& operator=(number const&) = delete;
};

// The double of at most `bits` bits that is nearest to x, which is reduced by it.
double take(number& x, int bits) {
  mpfr_t part;
  mpfr_init2(part, bits);
  mpfr_set(part, x.value, MPFR_RNDN);
  double const result = mpfr_get_d(part, MPFR_RNDN);
  mpfr_sub(x.value, x.value, part, MPFR_RNDN);
  mpfr_clear(part);
  return result;
}

void print_table() {
  std::puts(
      "// SPDX-License-Identifier: BSL-1.0\n"
      "// exp_table.hpp — 2^(i/128) to 80 bits, for exp. Printed by tools/exp_constants.\n"
      "#pragma once\n"
      "\n"
      "namespace attest::detail {\n"
      "\n"
      "struct exp_table_entry {\n"
      "  double high;  // the nearest multiple of 2^-26: its product with 26 bits is exact\n"
      "  double low;   // the double nearest to what is left\n"
      "};\n"
      "\n"
      "/// exp_table[i].high + exp_table[i].low = 2^(i/128).\n"
      "/// Error: less than 2^-80; static_checks/exp.cpp.\n"
      "inline constexpr exp_table_entry exp_table[128] = {");
  for (int i = 0; i < 128; ++i) {
    number x;
    mpfr_set_si_2exp(x.value, i, -7, MPFR_RNDN);
    mpfr_exp2(x.value, x.value, MPFR_RNDN);
    double const high = take(x, 27);
    double const low = take(x, 53);
    std::printf("    {%a, %a},\n", high, low);
  }
  std::puts("};\n\n}  // namespace attest::detail");
}

void print_constants() {
  number x;
  mpfr_const_log2(x.value, MPFR_RNDN);
  mpfr_div_2ui(x.value, x.value, 7, MPFR_RNDN);
  number inverse;
  mpfr_ui_div(inverse.value, 1, x.value, MPFR_RNDN);
  std::printf("128/ln2          %a\n", take(inverse, 53));
  std::printf("ln2/128, 34 bits %a\n", take(x, 34));
  std::printf("        the rest %a\n", take(x, 53));

  std::printf("floor(2^140 ln2), limbs of 28 bits, low first:");
  mpfr_const_log2(x.value, MPFR_RNDN);
  mpfr_mul_2ui(x.value, x.value, 140, MPFR_RNDN);
  mpfr_floor(x.value, x.value);
  for (int i = 0; i < 5; ++i) {
    number upper;
    mpfr_div_2ui(upper.value, x.value, 28, MPFR_RNDN);
    mpfr_floor(upper.value, upper.value);
    number limb;
    mpfr_mul_2ui(limb.value, upper.value, 28, MPFR_RNDN);
    mpfr_sub(limb.value, x.value, limb.value, MPFR_RNDN);
    std::printf(" 0x%lx", mpfr_get_ui(limb.value, MPFR_RNDN));
    mpfr_set(x.value, upper.value, MPFR_RNDN);
  }
  std::printf("\n");
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && std::string_view(arguments[1]) == "--constants") {
    print_constants();
  } else {
    print_table();
  }
}
