// SPDX-License-Identifier: Apache-2.0
// Attributes that an operation repeats are read as if they were new.
#include "tests/unit/formats/json/rows.h"

Test(json_decode_repeat, reads_or_says_what_is_wrong) {
  static const json_row ROWS[] = {
      {MAIN("[\"a\",[],[],{\"v\":[1,2]}],[\"a\",[],[],{\"v\":[1,2]}]"), NULL},
      {MAIN("[\"a\",[],[],{\"v\":{\"int\":300,\"type\":\"i8\"}}],[\"a\",[],[],{\"v\":{\"int\":300,"
            "\"type\":\"i8\"}}]"),
       NULL},
  };
  EXPECT_JSON(ROWS);
}
