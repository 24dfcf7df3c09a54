// SPDX-License-Identifier: Apache-2.0
// Where the end of a block may go on.
#include "tests/unit/formats/json/rows.h"

Test(json_decode_successor, reads_or_says_what_is_wrong) {
  static const json_row ROWS[] = {
      {MAIN("{\"name\":\"a\",\"operands\":[\"x\"],\"regions\":[]},{\"name\":\"func.return\"}"),
       NULL},
      {MAIN("{\"name\":\"a\",\"successors\":[[0]]}"),
       "the entry block of a region may not be branched to"},
      {MAIN("{\"name\":\"a\",\"successors\":[[7]]}"), "the region has no block 7 to go on with"},
      {MAIN("{\"name\":\"a\",\"successors\":[[\"x\"]]}"),
       "functions[0].ops[0].successors[0]: a successor is [block] or [block, first operand, "
       "count]"},
      {MAIN("{\"name\":\"a\",\"successors\":3}"),
       "functions[0].ops[0].successors: expected an array, found a number"},
      {MAIN("{\"name\":\"a\",\"operands\":[\"x\"],\"successors\":[[0,0,9]]}"),
       "the entry block of a region may not be branched to"},
  };
  EXPECT_JSON(ROWS);
}
