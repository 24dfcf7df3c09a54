// SPDX-License-Identifier: Apache-2.0
// The table of formats: which row the bytes of a file are of, and what is said of bytes of none.
#include "solver/formats/formats.h"

#include <criterion/criterion.h>
#include <string.h>

#define MODEL "\x08\x08\x12\x04test:\x0b\x12\x09main_name"

typedef struct sample {
  const char *bytes;
  size_t length;
  graph_format format;  // GRAPH_FORMATS_END: none
  const char *advice;   // a part of it
} sample;

#define BYTES(text) text, sizeof text - 1

static const sample SAMPLES[] = {
    {BYTES("{\"functions\": []}"), GRAPH_JSON, NULL},
    {BYTES(" \r\n\t[1]"), GRAPH_JSON, NULL},
    {BYTES("{"), GRAPH_JSON, NULL},
    {BYTES("{-# dialect_resources: {} #-}"), GRAPH_MLIR, NULL},
    {BYTES("module {}"), GRAPH_MLIR, NULL},
    {BYTES("\"func.func\"() ({}) : () -> ()"), GRAPH_MLIR, NULL},
    {BYTES("\"func.func\"(\x01"), GRAPH_MLIR, NULL},
    {BYTES("\"func.func\" (\x01"), GRAPH_FORMATS_END, "binary file"},
    {BYTES("any text\f"), GRAPH_MLIR, NULL},
    {BYTES("0123456789abcde\x01"), GRAPH_FORMATS_END, "binary file"},
    {BYTES("{\x01}"), GRAPH_FORMATS_END, "binary file"},
    {BYTES(MODEL), GRAPH_ONNX, NULL},
    {BYTES("ML\xefR\x0dtest"), GRAPH_BYTECODE, NULL},
    {BYTES("\0"), GRAPH_FORMATS_END, "binary file"},
    {BYTES(""), GRAPH_FORMATS_END, "empty"},
    {BYTES(" \n\r\t"), GRAPH_FORMATS_END, "empty"},
};

Test(formats, bytes_have_one_format) {
  for (size_t i = 0; i < sizeof SAMPLES / sizeof *SAMPLES; i++) {
    const sample *s = &SAMPLES[i];
    graph_format found;
    const char *advice;
    cr_expect_eq(format_of(s->bytes, s->length, &found, &advice), !s->advice, "sample %zu", i);
    cr_expect_eq(found, s->format, "sample %zu", i);
    cr_expect(s->advice ? advice && strstr(advice, s->advice) : !advice, "sample %zu", i);
  }
}

// Control characters are looked for in words of eight bytes.
Test(formats, control_bytes_are_found_anywhere) {
  char text[64];
  for (size_t length = 1; length < sizeof text; length++) {
    for (size_t at = 0; at < length; at++) {
      graph_format found;
      const char *advice;
      memset(text, 'x', sizeof text);
      text[at] = '\t';
      cr_expect(length == 1 || format_of(text, length, &found, &advice), "tab at %zu", at);
      text[at] = '\x1f';
      cr_expect_not(format_of(text, length, &found, &advice), "byte %zu of %zu", at, length);
    }
  }
}

Test(formats, each_row_has_a_reader) {
  for (graph_format f = 0; f < GRAPH_FORMATS_END; f++) {
    cr_expect(FORMAT_READERS[f] && FORMAT_READERS[f]->match && FORMAT_READERS[f]->read);
    cr_expect(*GRAPH_FORMATS[f].name && *GRAPH_FORMATS[f].ending == '.');
  }
}
