// SPDX-License-Identifier: Apache-2.0
// An FX graph that is analysed, for tests of the reader: what the answer says of its values by name.
#ifndef TESTS_UNIT_FORMATS_FX_READING_H
#define TESTS_UNIT_FORMATS_FX_READING_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/shape.h"

typedef struct fx_answer {
  char *text;
  size_t length;
} fx_answer;

static inline void fx_answer_add(void *to, const char *data, size_t length) {
  fx_answer *a = to;
  a->text = realloc(a->text, a->length + length + 1);
  memcpy(a->text + a->length, data, length);
  a->length += length;
  a->text[a->length] = 0;
}

// inputs: texts such as x:f32[B,3], NULL at the end.
static inline fx_answer fx_analyze(const char *text, const char *const *inputs, const char *json) {
  fx_answer out = {calloc(1, 1), 0};
  shape_program *p = shape_program_new(NULL);
  shape_options options = SHAPE_STRUCT(shape_options);
  options.inputs = json;
  options.input_texts = inputs;
  while (inputs && inputs[options.input_text_count]) options.input_text_count++;
  (void)shape_program_load(p, text, strlen(text), "model.py");
  shape_analysis *a = shape_program_analyze(p, &options);
  shape_emit_options emit = SHAPE_STRUCT(shape_emit_options);
  cr_expect_eq(shape_analysis_emit_with(a, "json", &emit, fx_answer_add, &out), SHAPE_OK);
  shape_analysis_free(a);
  shape_program_free(p);
  return out;
}

// A forward with the parameters x, y, z, n and these statements.
static inline char *fx_program(const char *body) {
  static const char HEAD[] =
      "import torch\nfrom torch import device\n\nclass GraphModule(torch.nn.Module):\n"
      "    def forward(self, x, y, z, n: torch.SymInt):\n";
  char *text = malloc(sizeof HEAD + 9 * strlen(body) + 64);
  char *to = stpcpy(text, HEAD);
  for (const char *line = body; *line;) {
    size_t length = strcspn(line, "\n");
    to += sprintf(to, "        %.*s\n", (int)length, line);
    line += length + (line[length] == '\n');
  }
  return text;
}

static const char *const FX_INPUTS[] = {"x:f32[B,6,H,8]", "y:f32[8,5]", "z:si64[N]", "n=B", NULL};

// What the answer says of a value: "[B, 3]", or the expression of an integer; "" where it does not have it.
static inline void fx_said(const fx_answer *a, const char *name, char out[256]) {
  char key[128];
  *out = 0;
  snprintf(key, sizeof key, "\"%s\": {", name);
  const char *at = strstr(a->text, "\"values\": {");
  at = at ? strstr(at, key) : NULL;
  if (!at) return;
  const char *end = strchr(at, '}'), *dims = strstr(at, "\"dims\": "),
             *value = strstr(at, "\"value\": ");
  const char *from = dims && dims < end ? dims + 8 : value && value < end ? value + 9 : NULL;
  for (size_t n = 0; from && from < end && n < 255; from++) {
    if (*from == '"') continue;
    out[n++] = *from;
    out[n] = 0;
  }
}

// After these statements the value is that; "error: TEXT": the answer has that error.
static inline void fx_expect(int line, const char *body, const char *name, const char *expected) {
  char *text = fx_program(body), said[256];
  fx_answer a = fx_analyze(text, FX_INPUTS, NULL);
  if (strncmp(expected, "error: ", 7) == 0) {
    cr_expect(strstr(a.text, "\"severity\": \"error\"") && strstr(a.text, expected + 7),
              "line %d: %s: %s\n%s", line, body, expected, a.text);
  } else {
    fx_said(&a, name, said);
    cr_expect_str_eq(said, expected, "line %d: %s: %s is %s\n%s", line, body, name, said, a.text);
  }
  free(a.text);
  free(text);
}
#define FX(body, name, expected) fx_expect(__LINE__, body, name, expected)

// Lines "STATEMENTS => NAME: EXPECTED", each for a program that returns the value.
static inline void fx_expect_lines(int line, const char *lines) {
  while (*lines) {
    char body[512], name[32], expected[128];
    const char *end = strchr(lines, '\n'), *arrow = strstr(lines, " => ");
    cr_assert(end && arrow && arrow < end, "line %d: %s", line, lines);
    const char *colon = strstr(arrow, ": ");
    cr_assert(colon && colon < end, "line %d: %s", line, lines);
    snprintf(name, sizeof name, "%.*s", (int)(colon - arrow - 4), arrow + 4);
    snprintf(body, sizeof body, "%.*s\nreturn %s", (int)(arrow - lines), lines, name);
    snprintf(expected, sizeof expected, "%.*s", (int)(end - colon - 2), colon + 2);
    fx_expect(line, body, name, expected);
    lines = end + 1;
  }
}
#define FX_LINES(lines) fx_expect_lines(__LINE__, lines)

#endif
