// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/base/decimal.h"
#include "solver/base/imap.h"

// The bits, so that -0.0 is not 0.0.
static void same_as_strtod(const char *text) {
  double value, want = strtod(text, NULL);
  if (!decimal_short(text, strlen(text), &value)) return;
  cr_assert_eq(memcmp(&value, &want, sizeof value), 0, "%s: %a, strtod: %a", text, value, want);
}

Test(decimal, short_numbers_are_read) {
  static const char *const TEXTS[] = {
      "0",     "-0",      "0.0",  "-0.0", "1.0e-05",          "0.015625", "1e22",
      "1e-22", "123.456", "1E+3", "3.",   "9007199254740991", "00.5",     "-1.5e-3"};
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    double value;
    cr_expect(decimal_short(TEXTS[i], strlen(TEXTS[i]), &value) || strlen(TEXTS[i]) > 15, "%s",
              TEXTS[i]);
    same_as_strtod(TEXTS[i]);
  }
}

Test(decimal, others_are_left_to_strtod) {
  static const char *const TEXTS[] = {"",
                                      "-",
                                      ".5",
                                      "e5",
                                      "1e",
                                      "1e+",
                                      "0x10",
                                      "inf",
                                      "nan",
                                      "1.5f",
                                      " 1",
                                      "1 ",
                                      "1e23",
                                      "1e-23",
                                      "--1",
                                      "+1",
                                      "1.2.3",
                                      "1e99999999999999999999",
                                      "123456789012345678901234567890"};
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    double value;
    cr_expect_not(decimal_short(TEXTS[i], strlen(TEXTS[i]), &value), "%s", TEXTS[i]);
  }
}

Test(decimal, random_numbers_are_those_of_strtod) {
  uint64_t state = 1;
  for (int i = 0; i < 200000; i++) {
    state = hash_mix(state + 1);
    uint64_t digits = state >> (state % 64);
    char text[80];
    uint64_t shape = hash_mix(state);
    int point = (int)(shape % 12);
    int n = snprintf(text, sizeof text, "%s%llu", shape & 1 << 20 ? "-" : "",
                     (unsigned long long)digits);
    if (point < 8)
      n += snprintf(text + n, sizeof text - (size_t)n, ".%0*llu", point + 1,
                    (unsigned long long)(shape >> 40) % 1000);
    if (shape & 1 << 21)
      snprintf(text + n, sizeof text - (size_t)n, "e%d", (int)(shape >> 32 & 63) - 32);
    same_as_strtod(text);
  }
}
