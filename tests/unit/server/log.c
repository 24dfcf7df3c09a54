// SPDX-License-Identifier: Apache-2.0
#include "server/log.h"

#include <criterion/criterion.h>
#include <string.h>

Test(log, quotes) {
  char to[32];
  cr_assert_str_eq(log_quote(to, sizeof to, "a\"b\n\xff", 5), "\"a\\\"b\\x0a\\xff\"");
  log_quote(to, 12, "0123456789abcdef", 16);
  cr_assert(strlen(to) < 12 && to[strlen(to) - 1] == '"');
}
