// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <string.h>

#include "solver/base/nearest.h"

Test(nearest, the_first_of_the_nearest) {
  static const char *const NAMES[] = {"min", "max", "multiple_of", "ranges"};
  cr_assert_str_eq(nearest_name(NAMES, 4, "maxx", 4), "max");
  cr_assert_str_eq(nearest_name(NAMES, 4, "multiple_off", 12), "multiple_of");
  cr_assert_str_eq(nearest_name(NAMES, 4, "m", 1), "min");
  cr_assert_null(nearest_name(NAMES, 0, "m", 1));
  cr_assert_str_eq(nearest_name(NAMES, 4, "", 0), "min");
  static const char *const PAIRS[] = {"cleanup", "assume", "ba", "sitting"};
  cr_assert_str_eq(nearest_name(PAIRS, 4, "clean_up", 8), "cleanup");
  cr_assert_str_eq(nearest_name(PAIRS, 4, "assmue", 6), "assume");
  cr_assert_str_eq(nearest_name(PAIRS, 4, "ab", 2), "ba");
  cr_assert_str_eq(nearest_name(PAIRS, 4, "kitten", 6), "sitting");
}

// Names that are longer than what is compared: no byte beyond it is read or written.
Test(nearest, long_texts) {
  char long_text[500];
  memset(long_text, 'x', sizeof long_text);
  static const char *const NAMES[] = {"short"};
  cr_assert_str_eq(nearest_name(NAMES, 1, long_text, sizeof long_text), "short");
}
