// SPDX-License-Identifier: Apache-2.0
// Attributes in their JSON forms.
#include "tests/unit/formats/json/rows.h"

Test(json_decode_attr, reads_or_says_what_is_wrong) {
  static const json_row ROWS[] = {
      {MAIN("[\"a\",[],[],{\"v\":{\"dense\":[1,2],\"type\":\"tensor<2xi8>\"}}]"), NULL},
      {MAIN("[\"a\",[],[],{\"v\":{\"dense\":[1,2,3],\"type\":\"tensor<2xi8>\"}}]"),
       "functions[0].ops[0][3].v.dense: 3 elements for a type that has 2"},
      {MAIN("[\"a\",[],[],{\"v\":{\"dense\":[[1],[2,3]],\"type\":\"tensor<2x1xi8>\"}}]"),
       "functions[0].ops[0][3].v.dense: 3 elements for a type that has 2"},
      {MAIN("[\"a\",[],[],{\"v\":{\"int\":300,\"type\":\"i8\"}}]"), NULL},
      {MAIN("[\"a\",[],[],{\"v\":{\"int\":3,\"type\":\"i8\"}}]"), NULL},
      {MAIN("[\"a\",[],[],{\"v\":{\"int\":\"x\",\"type\":\"i8\"}}]"),
       "functions[0].ops[0][3].v.int: not a number"},
      {MAIN("[\"a\",[],[],{\"v\":{\"float\":1.5,\"type\":\"f32\"}}]"), NULL},
      {MAIN("[\"a\",[],[],{\"v\":{\"float\":\"x\",\"type\":\"f32\"}}]"),
       "functions[0].ops[0][3].v.float: not a number"},
      {MAIN("[\"a\",[],[],{\"v\":{\"symbol\":3}}]"),
       "functions[0].ops[0][3].v.symbol: expected a string, found a number"},
      {MAIN("[\"a\",[],[],{\"v\":{\"enum\":\"LT\"}}]"), NULL},
      {MAIN("[\"a\",[],[],{\"v\":{\"type\":\"i33x\"}}]"),
       "functions[0].ops[0][3].v.type: not a type: expected a type, found 'i33x' (at character 1 "
       "of \"i33x\")"},
      {MAIN("[\"a\",[],[],{\"v\":{\"dict\":3}}]"),
       "functions[0].ops[0][3].v.dict: expected an object, found a number"},
      {MAIN("[\"a\",[],[],{\"v\":{\"#chlo.dim\":{\"a\":1}}}]"), NULL},
      {MAIN("[\"a\",[],[],{\"v\":{\"opaque\":4}}]"),
       "functions[0].ops[0][3].v.opaque: expected a string, found a number"},
      {MAIN("[\"a\",[],[],{\"v\":[1,\"a\",{\"b\":[true]}]}]"), NULL},
      {MAIN("[\"a\",[],[],{\"v\":{\"dense\":[1.5],\"type\":\"tensor<1xf32>\"}}]"), NULL},
      {MAIN("[\"a\",[],[],{\"v\":{\"dense\":[\"x\"],\"type\":\"tensor<1xf32>\"}}]"),
       "functions[0].ops[0][3].v.dense[0]: not an element of type f32"},
  };
  EXPECT_JSON(ROWS);
}
