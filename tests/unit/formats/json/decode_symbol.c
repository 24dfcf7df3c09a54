// SPDX-License-Identifier: Apache-2.0
// Symbols and constraints of the author.
#include "tests/unit/formats/json/rows.h"

Test(json_decode_symbol, reads_or_says_what_is_wrong) {
  static const json_row ROWS[] = {
      {"{\"functions\":[],\"symbols\":[{\"name\":\"a\",\"min\":1,\"max\":4,\"multiple_of\":2}]}",
       NULL},
      {"{\"functions\":[],\"symbols\":[{\"name\":\"a\",\"multiple_of\":0}]}", NULL},
      {"{\"functions\":[],\"symbols\":[{\"name\":\"a\",\"min\":\"x\"}]}",
       "symbols[0].min: expected an integer, found a string"},
      {"{\"functions\":[],\"symbols\":[{\"name\":\"a\",\"likely\":[1,2]}]}", NULL},
      {"{\"functions\":[],\"symbols\":[{\"name\":\"a\",\"ranges\":[[1]]}]}",
       "symbols[0].ranges[0]: a range is [minimum, maximum]"},
      {"{\"functions\":[],\"symbols\":[{\"name\":\"a\",\"ranges\":[[1,3],[5,9]],\"min\":4,\"max\":"
       "6}]}",
       NULL},
      {"{\"functions\":[],\"symbols\":[{\"name\":\"a\",\"ranges\":[[1,3]],\"min\":4}]}",
       "symbols[0]: no dim has the ranges and the divisor that are declared for symbol \"a\""},
      {"{\"functions\":[],\"symbols\":[{\"name\":\"\"}]}", "symbols[0]: a symbol needs a \"name\""},
      {"{\"functions\":[],\"symbols\":3}", "symbols: expected an array, found a number"},
      {"{\"functions\":[],\"symbols\":[\"a\"],\"constraints\":[\"a >= 1\"]}", NULL},
      {"{\"functions\":[],\"symbols\":[\"a\"],\"constraints\":[\"b >= 1\"]}", NULL},
      {"{\"functions\":[],\"symbols\":[\"a\"],\"constraints\":[\"a >\"]}", NULL},
      {"{\"functions\":[],\"symbols\":[{\"name\":\"a\",\"divisible_by\":0}]}",
       "symbols[0].divisible_by: \"divisible_by\" is at least 1"},
  };
  EXPECT_JSON(ROWS);
}
