// SPDX-License-Identifier: Apache-2.0
// Compressed programs have the answers of what is in them, and what holds none says so.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "solver/shape.h"
#include "tests/support/stored_zip.h"

static const char TEXT[] =
    "func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {\n"
    "  %y = stablehlo.add %x, %x : tensor<?x4xf32>\n  return %y : tensor<?x4xf32>\n}\n";

static void add(void *to, const char *data, size_t length) { strncat(to, data, length); }

static size_t gzip(const char *text, size_t length, unsigned char *out, size_t room) {
  z_stream z = {0};
  cr_assert_eq(deflateInit2(&z, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY), Z_OK);
  z.next_in = (Bytef *)(uintptr_t)text;
  z.avail_in = (uInt)length;
  z.next_out = out;
  z.avail_out = (uInt)room;
  cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
  cr_assert_eq(deflateEnd(&z), Z_OK);
  return room - z.avail_out;
}

typedef struct outcome {
  char text[1 << 14], refined[1024];
  shape_input loaded, read;
} outcome;

static const outcome *outcome_of(const void *bytes, size_t length, shape_options *options) {
  static outcome o;
  shape_program *p = shape_program_new(NULL);
  memset(&o, 0, sizeof o);
  o.loaded = shape_input_of(bytes, length);
  cr_assert_eq(shape_program_load(p, bytes, length, "program"), SHAPE_OK);
  shape_analysis *a = shape_program_analyze(p, options);
  shape_emit_options emit = SHAPE_STRUCT(shape_emit_options);
  o.read = shape_analysis_input(a);
  shape_analysis_emit_with(a, "json", &emit, add, o.text);
  emit = SHAPE_STRUCT(shape_emit_options);
  if (shape_analysis_emit_with(a, "mlir", &emit, add, o.refined) != SHAPE_OK)
    add(o.text, shape_analysis_error(a)->message, strlen(shape_analysis_error(a)->message));
  shape_analysis_free(a);
  shape_program_free(p);
  return &o;
}

Test(compressed, the_answer_is_that_of_the_program_inside) {
  static outcome plain;
  unsigned char bytes[1024];
  plain = *outcome_of(TEXT, sizeof TEXT - 1, NULL);
  cr_expect_eq(plain.read, SHAPE_INPUT_MLIR);
  cr_expect(strstr(plain.refined, "stablehlo.add"));
  for (int zip = 0; zip < 2; zip++) {
    size_t length = zip ? stored_zip_as("folder/p.mlir", TEXT, sizeof TEXT - 1, bytes)
                        : gzip(TEXT, sizeof TEXT - 1, bytes, sizeof bytes);
    const outcome *o = outcome_of(bytes, length, NULL);
    cr_expect_eq(o->loaded, SHAPE_INPUT_COMPRESSED);
    cr_expect_eq(o->read, SHAPE_INPUT_MLIR);
    cr_expect_str_eq(o->text, plain.text);
    cr_expect_str_eq(o->refined, plain.refined);
  }
}

Test(compressed, what_holds_no_program_says_so) {
  unsigned char bytes[1024], twice[1024];
  size_t length = gzip("\1\2\3", 3, bytes, sizeof bytes);
  cr_expect(strstr(outcome_of(bytes, length, NULL)->text, "this is a binary file"));
  length = gzip((const char *)bytes, length, twice, sizeof twice);
  cr_expect(strstr(outcome_of(twice, length, NULL)->text, "compressed twice"));
  length = gzip("", 0, bytes, sizeof bytes);
  cr_expect(strstr(outcome_of(bytes, length, NULL)->text, "the input is empty"));
  length = stored_zip_as("p.onnx", "abc", 3, bytes);
  bytes[30 + 6] = 'x';
  cr_expect(strstr(outcome_of(bytes, length, NULL)->text, "checksum"));
  length = stored_zip_as("p.txt", "abc", 3, bytes);
  cr_expect_eq(outcome_of(bytes, length, NULL)->loaded, SHAPE_INPUT_TORCH);
  cr_expect(strstr(outcome_of(bytes, length, NULL)->text, "the zip archive has no program"));
}

Test(compressed, inputs_are_those_of_what_is_inside) {
  static const char *const INPUTS[] = {"x:f32[2]"};
  unsigned char bytes[1024];
  shape_options options = SHAPE_STRUCT(shape_options);
  options.input_texts = INPUTS;
  options.input_text_count = 1;
  size_t length = gzip(TEXT, sizeof TEXT - 1, bytes, sizeof bytes);
  cr_expect(
      strstr(outcome_of(bytes, length, &options)->text, "of an FX graph, the program is mlir"));
}

Test(compressed, an_archive_without_a_program_is_refused) {
  unsigned char bytes[1024];
  size_t length = stored_zip_as("p.mlir", TEXT, sizeof TEXT - 1, bytes);
  cr_expect(strstr(outcome_of(bytes, length, NULL)->refined, "stablehlo.add"));
  bytes[length - 22 + 10] = 0;  // the number of members in the end record
  cr_expect(strstr(outcome_of(bytes, length, NULL)->text, "has no program"));
  // What macOS keeps of a file beside it.
  length = stored_zip_as("__MACOSX/._p.mlir", TEXT, sizeof TEXT - 1, bytes);
  cr_expect(strstr(outcome_of(bytes, length, NULL)->text, "has no program"));
}
