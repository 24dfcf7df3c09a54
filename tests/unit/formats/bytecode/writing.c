// SPDX-License-Identifier: Apache-2.0
// Text as MLIR bytecode: what is read back says the same, portable artifacts of each release, what is refused and why.
#include "tests/unit/formats/bytecode/writing.h"

#include "solver/formats/bytecode/tables.h"

Test(bytecode_writing, attributes_come_back) {
  static const char *const SAME[] = {
      "[]",
      "[1 : i64, \"a\\0A\\22\", @f, @\"g h\"::@k, unit]",
      "{a = 1 : i64, \"b c\" = true}",
      "\"text\" : !t.string",
      "-1 : i8",
      "-5 : i64",
      "255 : ui8",
      "18446744073709551615 : ui64",
      "2.500000e+00 : f32",
      "0x7FC00000 : f32",
      "1.401298e-45 : f32",
      "0x7F80 : bf16",
      "dense<[1, -2, 3]> : tensor<3xi32>",
      "dense<> : tensor<0x3xi8>",
      "dense<[true, false, true]> : tensor<3xi1>",
      "dense<1> : tensor<4xi32>",
      "dense<[[1.500000e+00, 0x7F800000], [-0.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>",
      "dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>",
      "dense<[\"a\", \"b\"]> : tensor<2x!t.string>",
      "dense<\"c\"> : tensor<2x!t.string>",
      "array<i64: 1, -2>",
      "array<i1: true, false>",
      "array<f32>",
      "array<i8: -128>",
      "affine_map<(d0, d1)[s0] -> (d0 + s0, d1 floordiv 2)>",
      "affine_set<(d0) : (d0 - 1 >= 0)>",
      "tensor<?x4xf32>",
      "(i32, f32) -> ()",
      "(i32) -> ((i1) -> i1)",
      "() -> (i32, i32)",
      "memref<2x?xf32>",
      "memref<2xf32, strided<[1], offset: ?>, 2>",
      "memref<*xf32>",
      "vector<2x[4]xf32>",
      "vector<4xf32>",
      "tuple<i32, tuple<>>",
      "complex<f64>",
      "tensor<*xi5>",
      "tensor<2xf32, #t.encoding<a -> b>>",
      "!t.type<\"a>b\">",
      "!quant.uniform<u8:f32, 5.000000e-01:3>",
      "!quant.uniform<i8<-127:127>:f32:1, {1.000000e+00, 2.000000e+00:-3}>",
      "#stablehlo<precision HIGHEST>",
      "#stablehlo.gather<offset_dims = [0, 1], index_vector_dim = 2>",
      "#stablehlo.conv<[b, 0, f]x[0, i, o]->[f, b, 0]>",
      "#stablehlo.channel_handle<handle = 3, type = 1>",
      "#stablehlo.bounds<?, 4>",
      "#chlo<comparison_type SIGNED>",
      "#t<other 1>",
      "index",
      "f80",
      "none",
      "#stablehlo.result_accuracy<atol = 0.000000e+00, rtol = 1.000000e+00, ulps = 2, mode = "
      "#stablehlo.result_accuracy_mode<TOLERANCE>>"};
  for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) expect_same(SAME[i]);
}

Test(bytecode_writing, spellings_become_one) {
  expect_attribute("7", "7 : i64");
  expect_attribute("1.0", "1.000000e+00 : f64");
  expect_attribute("dense<[7, 7]> : tensor<2xi8>", "dense<7> : tensor<2xi8>");
  expect_attribute("dense<\"0x0100000002000000\"> : tensor<2xi32>",
                   "dense<[1, 2]> : tensor<2xi32>");
  expect_attribute("{b = 1 : i64, a = 2 : i64}", "{a = 2 : i64, b = 1 : i64}");
  expect_attribute("#stablehlo.gather<index_vector_dim = 1, start_index_map = [0]>",
                   "#stablehlo.gather<start_index_map = [0], index_vector_dim = 1>");
  expect_attribute("dense<0x1F> : tensor<i8>", "dense<31> : tensor<i8>");
}

Test(bytecode_writing, numbers_of_every_length_come_back) {
  char text[64];
  for (int bits = 0; bits < 63; bits++) {
    snprintf(text, sizeof text, "%lld : i64", (long long)(INT64_C(1) << bits));
    expect_same(text);
    snprintf(text, sizeof text, "%lld : i64", -(long long)(INT64_C(1) << bits) - 1);
    expect_same(text);
  }
  expect_same("-9223372036854775808 : i64");
}

Test(bytecode_writing, floats_of_a_byte_come_back) {
  static const char *const TYPES[] = {
      "f8E5M2",    "f8E4M3",   "f8E3M4",   "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ",
      "f8E8M0FNU", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f16",        "bf16"};
  for (size_t t = 0; t < sizeof TYPES / sizeof *TYPES; t++) {
    bc_element e = bc_element_of((bc_slice){TYPES[t], (uint32_t)strlen(TYPES[t])});
    for (uint64_t bits = 0; bits < UINT64_C(1) << e.bits; bits++) {
      double value, ulp;
      uint64_t back;
      if (!bc_float_decode(&e, bits, &value, &ulp)) continue;
      cr_assert(bc_float_encode(&e, value, &back) && back == bits, "%s 0x%llx", TYPES[t],
                (unsigned long long)bits);
      // Between two there is the even one of them.
      if (value > 0 && bc_float_encode(&e, value + ulp / 2, &back) && e.bits > 8)
        cr_assert(back == (bits + (bits & 1)), "%s 0x%llx", TYPES[t], (unsigned long long)bits);
    }
  }
}

static const char PROGRAM[] =
    "#map = affine_map<(d0) -> (d0)>\n!t = tensor<?x4xf32>\n#loc1 = loc(\"a.py\":3:4)\n"
    "\"builtin.module\"() ({\n"
    "  \"func.func\"() <{function_type = (!t, i1) -> !t, sym_name = \"main\"}> ({\n"
    "  ^bb0(%arg0: !t loc(\"x\"), %p: i1):\n"
    "    \"cf.cond_br\"(%p, %arg0)[^bb2, ^bb1] <{operandSegmentSizes = array<i32: 1, 0, 1>}> : "
    "(i1, !t) -> ()\n"
    "  ^bb1(%late: !t):\n"
    "    \"func.return\"(%use) : (!t) -> () loc(#loc1)\n"
    "  ^bb2:\n"
    "    %use, %other = \"t.two\"(%arg0) ({\n"
    "      %inner:2 = \"t.in\"(%use) {m = #map} : (!t) -> (i32, i32)\n"
    "      \"t.end\"(%inner#1) : (i32) -> () loc(callsite(\"f\"(#loc1) at fused<1 : i8>[\"b\":1:2 "
    "to :5, unknown]))\n"
    "    }, {}) : (!t) -> (!t, i32)\n"
    "    \"cf.br\"(%use)[^bb1] : (!t) -> ()\n"
    "  }) {a.b = 1 : i32} : () -> ()\n"
    "}) : () -> ()\n";

Test(bytecode_writing, operations_come_back) {
  expect_part(PROGRAM, NULL, "({\n  ^bb0(%arg0: tensor<?x4xf32> loc(#loc");
  expect_part(
      PROGRAM, NULL,
      "\"cf.cond_br\"(%arg1, %arg0)[^bb2, ^bb1] <{operandSegmentSizes = array<i32: 1, 0, 1>}>");
  expect_part(PROGRAM, NULL, "\"t.end\"(%");
  expect_part(PROGRAM, NULL, "m = affine_map<(d0) -> (d0)>");
  expect_part(PROGRAM, NULL,
              "loc(callsite(\"f\"(\"a.py\":3:4) at fused<1 : i8>[\"b\":1:2 to :5, unknown]))");
}

Test(bytecode_writing, writing_what_was_read_changes_nothing) {
  written *first = open_written(PROGRAM, NULL, NULL);
  written *second = open_written(first->back.text, NULL, first);
  cr_assert_eq(second->result, BYTECODE_WRITTEN, "%s", second->refusal.message);
  cr_expect_str_eq(second->back.text, first->back.text);
  written *third = open_written(first->text, NULL, NULL);
  cr_expect(third->length == first->length &&
            memcmp(third->bytes, first->bytes, first->length) == 0);
  close_written(first);
  close_written(second);
  close_written(third);
}

Test(bytecode_writing, parts_become_modules_with_aliases_of_their_own) {
  static const char TEXT[] = "#a = 1 : i8\n\"t.a\"() {x = #a} : () -> ()\n// -----\n#a = 2 : "
                             "i8\n\"t.b\"() {x = #a} : () -> ()\n";
  expect_part(TEXT, NULL, "  \"builtin.module\"() ({\n    \"t.a\"() {x = 1 : i8}");
  expect_part(TEXT, NULL, "  \"builtin.module\"() ({\n    \"t.b\"() {x = 2 : i8}");
  expect_part("", NULL, "\"builtin.module\"() ({\n^bb0:\n}) : () -> ()");
  expect_part("\"t.a\"() : () -> ()", NULL, "\"builtin.module\"() ({\n  \"t.a\"() : () -> ()\n})");
}

Test(bytecode_writing, resources_are_copied_from_where_they_are) {
  static const char TEXT[] =
      "\"t.a\"() {x = dense_resource<big> : tensor<2xi32>, y = dense_resource<\"a b\"> : "
      "tensor<1xi8>} : () -> ()\n"
      "{-#\n  dialect_resources: {\n    builtin: {\n      big: \"0x080000000100000002000000\"\n    "
      "}\n  },\n"
      "  external_resources: {\n    mlir_reproducer: {\n      verify: true\n    }\n  }\n#-}\n";
  written *first = open_written(TEXT, NULL, NULL);
  cr_assert_eq(first->result, BYTECODE_WRITTEN, "%s", first->refusal.message);
  cr_expect(strstr(first->back.text, "x = dense_resource<big> : tensor<2xi32>"));
  written *second = open_written(first->back.text, NULL, first);
  cr_expect_eq(second->result, BYTECODE_WRITTEN);
  cr_expect_eq(second->copied, 8);
  close_written(first);
  close_written(second);
}

Test(bytecode_writing, a_pretty_form_is_said_to_be_one) {
  written *w = open_written("func.func @main() {\n  return\n}\n", NULL, NULL);
  cr_expect_eq(w->result, BYTECODE_NOT_GENERIC);
  close_written(w);
}

Test(bytecode_writing, invalid_text_is_refused) {
  expect_refused("\"t.a\"(%x) : (i32) -> ()", NULL, "undeclared value '%x'");
  expect_refused("\"t.a\"() ({\n \"t.b\"()[^bb7] : () -> ()\n}) : () -> ()", NULL,
                 "no block '^bb7'");
  expect_refused("\"t.a\"() {x = 1, x = 2} : () -> ()", NULL, "two attributes of one name");
  expect_refused("\"t.a\"() {x = [1", NULL, "expected");
  expect_refused("\"t.a\"() : () -> i32 loc(", NULL, "expected");
  expect_refused("\"t.a\"() : () -> () loc(#loc1)", NULL, "not defined");
  expect_refused("\"t.a\"() : () -> () loc(\"x\"(#loc1))", NULL, "not defined");
  expect_refused("%a, %b = \"t.a\"() : () -> i32", NULL, "2 names for 1 results");
  expect_refused("#a = #b<#a>\n\"t.a\"() {x = #a} : () -> ()", NULL, "aliases");
  expect_refused("\"vhlo.abs_v1\"() : () -> ()", NULL, "by --emit vhlo");
}

// --- portable artifacts

static const char TANH[] =
    FUNCTION("%a: tensor<2xf32>", "%0 = \"stablehlo.tanh\"(%a) : (tensor<2xf32>) -> tensor<2xf32>");

Test(bytecode_writing, each_release_has_its_version_of_the_format) {
  static const struct {
    const char *release;
    unsigned version;
  } ROWS[] = {{"0.9.0", 0},  {"0.9.7", 0},  {"0.10.0", 1}, {"0.11.0", 1},
              {"0.12.0", 3}, {"0.13.0", 3}, {"0.14.0", 4}, {"0.15.0", 6},
              {"0.20.0", 6}, {"1.0.0", 6},  {"1.13.6", 6}, {"1.20.0", 6}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    written *w = open_written(TANH, ROWS[i].release, NULL);
    char producer[32];
    int length = snprintf(producer, sizeof producer, "StableHLO_v%s", ROWS[i].release);
    cr_assert_eq(w->result, BYTECODE_WRITTEN, "%s: %s", ROWS[i].release, w->refusal.message);
    cr_expect_eq((unsigned char)w->bytes[4], ROWS[i].version << 1 | 1);
    cr_expect(memcmp(w->bytes + 5, producer, (size_t)length + 1) == 0);
    cr_expect(strstr(w->back.text, "\"stablehlo.tanh\"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>"),
              "%s", w->back.text);
    close_written(w);
  }
}

Test(bytecode_writing, a_release_is_a_version_that_there_was) {
  static const char *const NONE[] = {"",       "1",      "1.0",    "1.0.0.0", "0.8.9",
                                     "1.21.0", "1.20.1", "0.21.0", "v1.0.0",  "1.0.0 ",
                                     "1.-1.0", "2.0.0",  "01.0.0", "1.100.0", "99999999999.0.0"};
  bytecode_release release;
  for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++)
    cr_expect_not(bytecode_release_parse(NONE[i], &release), "%s", NONE[i]);
  cr_assert(bytecode_release_parse("1.13.6", &release));
  cr_expect(release.major == 1 && release.minor == 13 && release.patch == 6);
}

Test(bytecode_writing, attributes_of_artifacts_come_back) {
  for (int i = 0; i < 2; i++) {
    const char *release = i ? "0.9.0" : "1.20.0";
    expect_part(GATHER(""), release,
                "<{slice_sizes = array<i64: 1, 3>, dimension_numbers = "
                "#stablehlo.gather<start_index_map = [0], index_vector_dim = 0>}>");
    expect_part(OP("stablehlo.transpose", "<{permutation = array<i64: 0>}>"), release,
                "permutation = array<i64: 0>");
    expect_part(
        OP("stablehlo.custom_call",
           "<{call_target_name = \"t\", called_computations = [@f], has_side_effect = true}>"),
        release, "called_computations = [@f]");
    expect_part(OP("stablehlo.all_gather",
                   "<{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>, "
                   "channel_handle = #stablehlo.channel_handle<handle = 5, type = 0>, "
                   "use_global_device_ids}> {mhlo.x = \"y\"}"),
                release, "channel_handle = #stablehlo.channel_handle<handle = 5, type = 0>");
    expect_part(OP("stablehlo.all_gather", "<{all_gather_dim = 0 : i64, replica_groups = dense<0> "
                                           ": tensor<1x1xi64>, use_global_device_ids}>"),
                release, "use_global_device_ids = unit");
    expect_part(OP("stablehlo.tanh", "{mhlo.x = \"y\"}"), release, "{mhlo.x = \"y\"}");
  }
}

Test(bytecode_writing, what_a_release_does_not_have_is_refused_by_name) {
  expect_refused(OP("chlo.tan", ""), "1.20.0",
                 "chlo.tan cannot be written for release 1.20.0 of StableHLO: only operations");
  expect_refused(OP("stablehlo.nothing", ""), "1.20.0", "no such operation");
  expect_refused(OP("stablehlo.tan", ""), "1.3.9", "it came with release 1.4");
  expect_refused(OP("stablehlo.tanh", "<{result_accuracy = #stablehlo.result_accuracy<ulps = 3, "
                                      "mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}>"),
                 "1.9.0", "result_accuracy came with a later release");
  expect_refused(GATHER("operand_batching_dims = [0], start_indices_batching_dims = [0], "),
                 "1.0.0", "operand_batching_dims came with a later release");
  expect_refused(OP("stablehlo.tanh", "{a.b = unit}"), "1.20.0", "no form for the attribute unit");
  expect_refused(FUNCTION("%a: tensor<2xf8E4M3>", ""), "1.6.0",
                 "the type f8E4M3 came with release 1.7");
  expect_refused(FUNCTION("%a: vector<2xf32>", ""), "1.20.0", "no form for the type vector<2xf32>");
  expect_refused(FUNCTION("%a: tensor<2xsi8>", ""), "1.20.0", "no form for the type si8");
  expect_refused(FUNCTION("%a: tensor<?xf32, [@S]>", ""), "1.20.0", "no form for the type tensor");
  expect_refused(OP("stablehlo.slice", "<{start_indices = array<i64: 0>}>"), "1.20.0",
                 "its attribute limit_indices is missing");
}

Test(bytecode_writing, defaults_that_are_spelled_out_are_no_reason_to_refuse) {
  expect_part(OP("stablehlo.tanh",
                 "<{result_accuracy = #stablehlo.result_accuracy<atol = 0.000000e+00, "
                 "mode = #stablehlo.result_accuracy_mode<DEFAULT>>}>"),
              "1.0.0", "\"stablehlo.tanh\"(%arg0) :");
  expect_part(GATHER("operand_batching_dims = [], "), "1.0.0",
              "#stablehlo.gather<start_index_map = [0]");
}
