// SPDX-License-Identifier: Apache-2.0
// Attributes of an operation: of its dictionary, of its properties, and of segments of operands.
#include "tests/unit/formats/bytecode/reading.h"

// %1 = NAME(%arg0) with these properties, or with a dictionary where `dictionary` is an attribute.
static bytes with_properties(sample *s, const char *dialect, const char *name, bool registered,
                             uint32_t blob, uint32_t dictionary) {
  bytes body = {.length = 0};
  uint32_t op = add_op(&s->w, dialect, name, registered);
  begin_op(s, &body, op,
           MASK_RESULTS | MASK_OPERANDS | (blob == UINT32_MAX ? 0 : MASK_PROPERTIES) |
               (dictionary == UINT32_MAX ? 0 : MASK_ATTRS));
  if (dictionary != UINT32_MAX) put(&body, dictionary);
  if (blob != UINT32_MAX) put(&body, blob);
  bytes rest = FIELDS(1, s->tensor, 1, 0);
  put_all(&body, &rest);
  put_return(s, &body, 1);
  return end_sample(s, &body, 2, 2, false);
}

static void expect_op(const char *dialect, const char *name, bool registered, bytes blob,
                      bool has_blob, const char *text, const char *error) {
  sample s;
  begin_sample(&s, 6, false);
  bytes file = with_properties(&s, dialect, name, registered,
                               has_blob ? add_blob(&s.w, blob) : UINT32_MAX, UINT32_MAX);
  if (text)
    expect_text(&file, text);
  else
    expect_error(&file, 0, file.length, error);
}

// By name, in the order of fields.def; what is absent is left out.
Test(bytecode_op, properties_have_names) {
  expect_op("stablehlo", "transpose", true, FIELDS(A_STRING), true,
            "\"stablehlo.transpose\"(%arg0) <{permutation = \"main\"}>", NULL);
  expect_op("stablehlo", "transpose", true, FIELDS(A_STRING, A_STRING), true, NULL,
            "expected the properties permutation of 'stablehlo.transpose', found 2");
  expect_op("stablehlo", "transpose", true, FIELDS(99), true, NULL, "index 99");
  expect_op("mine", "op", true, FIELDS(1, 2, 3), true, "\"mine.op\"(%arg0) :", NULL);
}

// An operation that is not registered has one attribute, a dictionary.
Test(bytecode_op, properties_of_what_is_not_registered) {
  sample s;
  begin_sample(&s, 6, false);
  uint32_t all = add_attr(&s.w, "builtin", FIELDS(1, 1, A_STRING, A_STRING));
  bytes file = with_properties(&s, "mine", "op", false, add_blob(&s.w, FIELDS(all)), UINT32_MAX);
  expect_text(&file, "\"mine.op\"(%arg0) <{main = \"main\"}>");
  expect_op("mine", "op", false, FIELDS(A_STRING), true, NULL,
            "expected a dictionary of attributes, found attribute 1, which is none");
  expect_op("mine", "op", false, FIELDS(A_STRING, 0), true, NULL, "expected the end after");
}

// What belongs to the operation is in front, what is only discardable comes after it.
Test(bytecode_op, a_dictionary_is_taken_apart) {
  sample s;
  begin_sample(&s, 6, false);
  uint32_t key = add_string_attr(&s.w, "permutation");
  uint32_t all = add_attr(&s.w, "builtin", FIELDS(1, 2, key, A_STRING, A_STRING, A_STRING));
  bytes file = with_properties(&s, "stablehlo", "transpose", true, UINT32_MAX, all);
  expect_text(&file, "<{permutation = \"main\"}> {main = \"main\"}");
  begin_sample(&s, 6, false);
  bytes wrong = with_properties(&s, "stablehlo", "transpose", true, UINT32_MAX, A_STRING);
  expect_error(&wrong, 0, wrong.length, "expected a dictionary of attributes, found attribute 1");
  begin_sample(&s, 6, false);
  all = add_attr(&s.w, "builtin", FIELDS(1, 1, AN_UNKNOWN, A_STRING));
  bytes key_wrong = with_properties(&s, "stablehlo", "transpose", true, UINT32_MAX, all);
  expect_error(&key_wrong, 0, key_wrong.length,
               "expected the name of an attribute, found attribute 0, which is no string");
}

// All numbers, or pairs of a number and its index where most are 0.
Test(bytecode_op, segments_are_dense_or_sparse) {
  static const struct {
    uint64_t fields[4];
    size_t count;
    const char *text, *error;
  } cases[] = {{{3 << 1, 0, 1, 0}, 4, "array<i32: 0, 1, 0>", NULL},
               {{0}, 1, "array<i32>", NULL},
               // One of a value at index 2, in 2 bits: 1 << 2 | 2.
               {{1 << 1 | 1, 2, 1 << 2 | 2}, 3, "array<i32: 0, 0, 1>", NULL},
               {{9 << 1}, 1, NULL, "9 numbers of operands, 0 bytes are left"},
               {{1 << 1 | 1, 33, 0}, 3, NULL, "expected indices of at most 32 bits, found 33"},
               {{1 << 1, UINT64_C(1) << 31}, 2, NULL, "expected at most 2^31 - 1 operands"},
               {{1 << 1 | 1, 32, UINT32_MAX}, 3, NULL, "at an index within the operation"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[128] = "";
    if (cases[i].text) snprintf(text, sizeof text, "<{operandSegmentSizes = %s}>", cases[i].text);
    expect_op("scf", "parallel", true, fields_of(cases[i].fields, cases[i].count), true,
              cases[i].text ? text : NULL, cases[i].error);
  }
}
