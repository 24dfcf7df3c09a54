// SPDX-License-Identifier: Apache-2.0
// Lists of names with types.
#include "tests/unit/formats/json/rows.h"

Test(json_decode_slots, reads_or_says_what_is_wrong) {
  static const json_row ROWS[] = {
      {MAIN("[\"a\",[],[\"p\",\"f32\",\"q\",\"i8\"]]"), NULL},
      {MAIN("[\"a\",[],[[\"p\",\"f32\"],[\"q\",\"i8\"]]]"), NULL},
      {MAIN("[\"a\",[],[{\"name\":\"p\",\"type\":\"f32\"}]]"), NULL},
      {MAIN("[\"a\",[],[\"p\"]]"), "functions[0].ops[0][2]: the last name has no type"},
      {MAIN("[\"a\",[],[[\"p\"]]]"), NULL},
      {MAIN("[\"a\",[],[[\"p\",\"f32\",{},1]]]"), NULL},
      {MAIN("[\"a\",[],[{\"name\":\"p\"}]]"), NULL},
      {MAIN("[\"a\",[],[{\"type\":\"f32\"}]]"), NULL},
      {MAIN("[\"a\",[],[3]]"),
       "functions[0].ops[0][2][0]: expected a name and a type, found a number"},
      {MAIN("[\"a\",[],[\"p\",\"f32\",\"p\",\"f32\"]]"),
       "functions[0].ops[0][2]: value \"p\" is defined already"},
  };
  EXPECT_JSON(ROWS);
}
