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

static const char *near(const char *text) {
  static const char *const NAMES[] = {"at", "cleanup", "refine-shapes", "refine-arguments"};
  misspelt m = misspelt_near(text, strlen(text));
  for (size_t i = 0; i < 4; i++) misspelt_offer(&m, NAMES[i], strlen(NAMES[i]));
  cr_assert(!m.name || m.name_length == strlen(m.name));
  return m.name;
}

// Two changes at most, and not the whole of a short text.
Test(nearest, near_or_none) {
  cr_assert_str_eq(near("claenup"), "cleanup");
  cr_assert_str_eq(near("clenups"), "cleanup");
  cr_assert_str_eq(near("refine-shape"), "refine-shapes");
  cr_assert_str_eq(near("ta"), "at");
  cr_assert_null(near("foo"));
  cr_assert_null(near("clenps"));
  cr_assert_null(near("xy"));
  cr_assert_null(near("t"));
  cr_assert_null(near(""));
}

// Names that are longer than what is compared: no byte beyond it is read or written.
Test(nearest, long_texts) {
  char long_text[500];
  memset(long_text, 'x', sizeof long_text);
  static const char *const NAMES[] = {"short"};
  cr_assert_str_eq(nearest_name(NAMES, 1, long_text, sizeof long_text), "short");
}
