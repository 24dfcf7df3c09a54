// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/batch/kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "solver/shape.h"

static bool ends_in(const char *path, const char *ending) {
  size_t length = strlen(path), n = strlen(ending);
  return length > n && path[length - n - 1] != '/' && strcmp(path + length - n, ending) == 0;
}

// Where a reader of JSON text is: a program is an object with the member "functions".
typedef struct json_scan {
  unsigned depth;
  bool string, escaped, begun, key;  // key: the string is one of the outermost object
  size_t matched;                    // characters of the member's name; SIZE_MAX: another name
} json_scan;

static const char MEMBER[] = "functions";

static bool in_string(json_scan *s, char c) {
  if (s->escaped) {
    s->escaped = false;
  } else if (c == '\\') {
    s->escaped = true;
    s->matched = SIZE_MAX;
  } else if (c == '"') {
    s->string = false;
    return s->key && s->matched == sizeof MEMBER - 1;
  } else if (s->matched < sizeof MEMBER - 1 && MEMBER[s->matched] == c) {
    s->matched++;
  } else {
    s->matched = SIZE_MAX;
  }
  return false;
}

// True at the end of the member's name.
static bool step(json_scan *s, char c) {
  if (s->string) return in_string(s, c);
  if (c == '{' || c == '[') s->key = ++s->depth == 1 && c == '{';
  if ((c == '}' || c == ']') && s->depth) s->depth--;
  if (c == ',' && s->depth == 1) s->key = true;
  if (c == ':' && s->depth == 1) s->key = false;
  if (c == '"') {
    s->string = true;
    s->matched = 0;
  }
  return false;
}

static bool has_functions(FILE *file) {
  json_scan scan = {0};
  char chunk[1 << 14];
  size_t length;
  while ((length = fread(chunk, 1, sizeof chunk, file)) > 0) {
    for (size_t i = 0; i < length; i++) {
      if (step(&scan, chunk[i])) return true;
    }
  }
  return ferror(file) != 0;
}

static bool begins_as(FILE *file, shape_input expected) {
  enum { LOOK = 1 << 16 };
  char *text = malloc(LOOK);
  size_t length = text ? fread(text, 1, LOOK, file) : 0;
  bool is = text && shape_input_of(text, length) == expected;
  free(text);
  return is || ferror(file);
}

// Of a regular file; of any other its ending is all there is.
static bool holds(const char *path, shape_input expected) {
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return expected != SHAPE_INPUT_FX;
  FILE *file = fopen(path, "rb");
  if (!file) return true;
  bool found = expected == SHAPE_INPUT_JSON ? has_functions(file) : begins_as(file, expected);
  fclose(file);
  return found;
}

// Endings of other files, too, besides those of the formats.
static const struct {
  const char *ending;
  shape_input input;
} SHARED[] = {{".bc", SHAPE_INPUT_BYTECODE},   {".pbtxt", SHAPE_INPUT_ONNX},
              {".prototxt", SHAPE_INPUT_ONNX}, {".textproto", SHAPE_INPUT_ONNX},
              {".onnxtxt", SHAPE_INPUT_ONNX},  {".onnxtext", SHAPE_INPUT_ONNX}};

// By its name alone, model.onnx.gz: many a compressed file is none of a program.
static bool is_compressed_program(const char *path) {
  static const char *const PACKED[] = {".gz", ".zip"};
  shape_input_format format;
  char inner[32];
  for (size_t k = 0; k < sizeof PACKED / sizeof *PACKED; k++) {
    snprintf(inner, sizeof inner, ".mlir.bc%s", PACKED[k]);
    bool is = ends_in(path, inner);
    for (uint32_t i = 0; !is && shape_input_at(i, &format); i++) {
      bool clear = format.input == SHAPE_INPUT_MLIR || format.input == SHAPE_INPUT_BYTECODE ||
                   format.input == SHAPE_INPUT_ONNX;
      snprintf(inner, sizeof inner, "%s%s", format.ending, PACKED[k]);
      is = clear && ends_in(path, inner);
    }
    if (is) return true;
  }
  return false;
}

bool kind_is_program(const char *path) {
  shape_input_format format;
  for (size_t i = 0; i < sizeof SHARED / sizeof *SHARED; i++) {
    if (ends_in(path, SHARED[i].ending)) return holds(path, SHARED[i].input);
  }
  for (uint32_t i = 0; shape_input_at(i, &format); i++) {
    if (format.input == SHAPE_INPUT_COMPRESSED || !ends_in(path, format.ending)) continue;
    bool ambiguous = format.input == SHAPE_INPUT_JSON || format.input == SHAPE_INPUT_FX;
    return !ambiguous || holds(path, format.input);
  }
  return is_compressed_program(path);
}
