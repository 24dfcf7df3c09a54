// SPDX-License-Identifier: Apache-2.0
// Types, by their spelling or as objects.
#include "tests/unit/formats/json/rows.h"

Test(json_decode_type, reads_or_says_what_is_wrong) {
  static const json_row ROWS[] = {
      {MAIN("[\"a.b\",[],[\"y\",\"tensor<?x4xf32>\"]]"), NULL},
      {MAIN("[\"a.b\",[],[\"y\",{\"dtype\":\"f32\",\"dims\":[null,4]}]]"), NULL},
      {MAIN("[\"a.b\",[],[\"y\",{\"dtype\":\"f32\",\"dims\":[\"q\"]}]]"), NULL},
      {MAIN("[\"a.b\",[],[\"y\",{\"dtype\":\"f32\",\"dims\":[null,4.5]}]]"),
       "functions[0].ops[0][2][1].dims[1]: expected an integer >= 0, null or the name of a symbol"},
      {MAIN("[\"a.b\",[],[\"y\",{\"dtype\":\"f32\",\"dims\":3}]]"),
       "functions[0].ops[0][2][1].dims: expected an array, found a number"},
      {MAIN("[\"a.b\",[],[\"y\",{\"dims\":[1]}]]"),
       "functions[0].ops[0][2][1]: a type needs \"dtype\" (or \"tuple\", \"sequence\", ...)"},
      {MAIN("[\"a.b\",[],[\"y\",\"tensor<\"]]"),
       "functions[0].ops[0][2][1]: not a type: expected a type before the end of the file (at "
       "character 8 of \"tensor<\")"},
      {MAIN("[\"a.b\",[],[\"y\",3]]"),
       "functions[0].ops[0][2][1]: expected a type (a string or an object), found a number"},
      {MAIN("[\"a.b\",[],[\"y\",{\"dtype\":\"f32\"}]]"), NULL},
      {MAIN("[\"a.b\",[],[\"y\",{\"tuple\":[\"f32\"]}]]"), NULL},
      {MAIN("[\"a.b\",[],[\"y\",{\"dtype\":\"f32\",\"dims\":[9223372036854775808]}]]"),
       "functions[0].ops[0][2][1].dims[0]: a dim is an integer from 0 to 2^63-1"},
      {MAIN("[\"a.b\",[],[\"y\",\"!x.y\"]]"), NULL},
      {MAIN("[\"a.b\",[],[\"y\",\"tensor<*x!unknown>\"]]"), NULL},
      {MAIN("[\"a.b\",[],[\"y\",\"tensor<*x!known>\"]]"),
       "functions[0].ops[0][2][1]: not a type: undefined type alias '!known' (at character 10 of "
       "\"tensor<*x!known>\")"},
  };
  EXPECT_JSON(ROWS);
}
