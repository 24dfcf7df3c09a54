// SPDX-License-Identifier: Apache-2.0
// Operations of torch-mlir in their own syntax give the graph of the generic form.
#include <criterion/criterion.h>

#include "tests/unit/formats/mlir/reading.h"

#define T    "!torch.vtensor<[?],f32>"
#define HEAD "func.func @f(%a: " T ") -> " T " {\n"
#define TAIL "  return %a : " T "\n}\n"

Test(pretty_torch, forms) {
  expect_reads(HEAD "  %0 = torch.aten.relu %a : " T " -> " T "\n" TAIL);
  expect_reads(HEAD
               "  %int-1 = torch.constant.int -1\n  %none = torch.constant.none\n"
               "  %l = torch.prim.ListConstruct %int-1, %int-1 : (!torch.int, !torch.int) -> "
               "!torch.list<int>\n  %e = torch.prim.ListConstruct : () -> !torch.list<int>\n" TAIL);
  expect_reads(HEAD "  %0, %1 = torch.aten.cummax %a, %a : " T ", " T " -> " T ", " T "\n" TAIL);
  expect_reads(HEAD "  %0 = torch.vtensor.literal(dense<[1, 2]> : tensor<2xsi64>) : "
                    "!torch.vtensor<[2],si64>\n" TAIL);
  expect_reads(HEAD "  %0 = torch.copy.to_vtensor %a : " T "\n"
                    "  torch.overwrite.tensor.contents %a overwrites %0 : " T ", " T "\n" TAIL);
  expect_reads(HEAD "  torch.runtime.assert %a, \"message\"\n" TAIL);
  expect_reads(HEAD "  %0 = torch.derefine %a : " T " to !torch.optional<vtensor>\n" TAIL);
}

Test(pretty_torch, same_as_generic) {
  expect_same(HEAD "  %0 = torch.aten.add.Tensor %a, %a, %a : " T ", " T ", " T " -> " T "\n" TAIL,
              HEAD "  %0 = \"torch.aten.add.Tensor\"(%a, %a, %a) : (" T ", " T ", " T ") -> " T
                   "\n" TAIL);
}

// An operation that ends without types ends before the next one, whose operands are not its own.
Test(pretty_torch, ends) {
  expect_same(HEAD "  torch.runtime.assert %a, \"message\"\n" TAIL,
              HEAD "  \"torch.runtime.assert\"(%a) {value = \"message\"} : (" T ") -> ()\n" TAIL);
  expect_same(HEAD "  %none = torch.constant.none\n" TAIL,
              HEAD "  %none = \"torch.constant.none\"() : () -> !torch.none\n" TAIL);
#define BRANCH(name)                                                                               \
  "    %" name " = torch.aten.relu %a : " T " -> " T "\n"                                          \
  "    torch.prim.If.yield %" name " : " T "\n  }"
#define PRETTY "  %0 = torch.prim.If %a -> (" T ") {\n" BRANCH("1") " else {\n" BRANCH("2") "\n"
#define GENERIC                                                                                    \
  "  %0 = \"torch.prim.If\"(%a) ({\n" BRANCH("1") ", {\n" BRANCH("2") ") : (" T ") -> " T "\n"
#define NEXT "  %3 = torch.aten.relu %0 : " T " -> " T "\n"
  expect_same(HEAD PRETTY TAIL, HEAD GENERIC TAIL);
  expect_same(HEAD PRETTY NEXT TAIL, HEAD GENERIC NEXT TAIL);
}

Test(pretty_torch, operators_of_onnx) {
  expect_dump(HEAD
              "  %none = torch.constant.none\n"
              "  %0 = torch.operator \"onnx.Concat\"(%a, %none) {torch.onnx.axis = 0 : si64} : "
              "(" T ", !torch.none) -> " T "\n" TAIL,
              "onnx.Concat");
  expect_dump(HEAD "  %0 = torch.operator \"torch.aten.relu\"(%a) : (" T ") -> " T "\n" TAIL,
              "torch.aten.relu");
}

Test(pretty_torch, symbols) {
  expect_reads(HEAD "  %s0 = torch.symbolic_int \"s0\" {min_val = 2, max_val = 9} : !torch.int\n"
                    "  torch.bind_symbolic_shape %a, [%s0], affine_map<()[s0] -> (s0)> : " T
                    "\n" TAIL);
  // A range without a number is no range.
  expect_reads(HEAD
               "  %s0 = torch.symbolic_int \"s0\" {min_val = 9, max_val = 2} : !torch.int\n" TAIL);
}

Test(pretty_torch, hostile) {
  expect_mlir_error(HEAD "  %0 = torch.aten.relu %b : " T " -> " T "\n" TAIL, 2, 24, "undeclared");
  expect_mlir_error(HEAD "  %0 = torch.aten.relu %a : " T " -> \n" TAIL, 2, 54, "expected a type");
}
