// SPDX-License-Identifier: Apache-2.0
// What operations may have for operands.
#include "tests/unit/formats/json/rows.h"

Test(json_decode_operands, reads_or_says_what_is_wrong) {
  static const json_row ROWS[] = {
      {MAIN("[\"stablehlo.abs\",[\"x\"],[\"y\",\"tensor<?xf32>\"]]"), NULL},
      {MAIN("[\"stablehlo.abs\",[null]]"),
       "functions[0].ops[0]: operand #0 of stablehlo.abs is null: a value is needed"},
      {MAIN("[\"onnx.Clip\",[\"x\",null],[\"y\",\"tensor<?xf32>\"]]"), NULL},
      {MAIN("[\"a.b\",[null,\"x\"]]"), NULL},
      {MAIN("{\"unread\":\"scf.forall\",\"regions\":[[[],[\"stablehlo.abs\",[null]]]]}"), NULL},
      {MAIN("{\"regions\":[[[],[\"stablehlo.abs\",[null]]]],\"unread\":\"scf.forall\"}"), NULL},
      {MAIN("{\"name\":\"scf.forall\",\"regions\":[[[],[\"stablehlo.abs\",[null]]]]}"),
       "functions[0].ops[0].regions[0][1]: operand #0 of stablehlo.abs is null: a value is needed"},
      {MAIN("[\"stablehlo.abs\",\"x\"]"),
       "functions[0].ops[0][1]: expected an array, found a string"},
      {MAIN("[\"func.return\",[null]]"),
       "functions[0].ops[0]: operand #0 of func.return is null: a value is needed"},
      {MAIN("[\"stablehlo.abs\",[\"q\"]]"), "functions[0].ops[0][1][0]: value \"q\" is not defined "
                                            "here (a value is defined before it is used)"},
  };
  EXPECT_JSON(ROWS);
}
