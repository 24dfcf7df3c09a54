// SPDX-License-Identifier: Apache-2.0
#include "clients/web/glue.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "solver/shape.h"

#define TEXTS_MAX 256  // of one option that is a list

struct web_program {
  uint8_t *bytes;  // the library keeps them
  shape_program *program;
  shape_analysis *analysis;  // NULL: not yet
  char *text;
  size_t length, room;
  bool no_memory;
  char error[320];  // of the last call that failed
};

// Texts that stay as long as the JSON they are in.
typedef struct texts {
  const char *items[TEXTS_MAX];
  uint32_t count;
} texts;

static void take(void *to, const char *data, size_t length) {
  web_program *p = to;
  if (p->no_memory) return;
  if (p->length + length + 1 > p->room) {
    size_t room = 2 * p->room + length + 1;
    char *text = realloc(p->text, room);
    if (!text) {
      p->no_memory = true;
      return;
    }
    p->text = text, p->room = room;
  }
  memcpy(p->text + p->length, data, length);
  p->length += length;
  p->text[p->length] = 0;
}

static bool fail(web_program *p, const char *message) {
  strncpy(p->error, message, sizeof p->error - 1);
  return false;
}

static const char *text_of(const cJSON *options, const char *name) {
  return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(options, name));
}

static bool is_true(const cJSON *options, const char *name) {
  return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(options, name));
}

static uint32_t number_of(const cJSON *options, const char *name) {
  double value = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(options, name));
  return value >= 1 && value < UINT32_MAX ? (uint32_t)value : 0;
}

// The texts of a list; false: it is too long, or has another kind of item.
static bool read_texts(const cJSON *options, const char *name, texts *out) {
  const cJSON *item;
  out->count = 0;
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(options, name)) {
    if (!cJSON_IsString(item) || out->count == TEXTS_MAX) return false;
    out->items[out->count++] = item->valuestring;
  }
  return true;
}

web_program *web_open(uint8_t *bytes, size_t length, const char *name) {
  web_program *p = calloc(1, sizeof *p);
  if (!p || !(p->program = shape_program_new(NULL))) {
    free(p);
    return NULL;
  }
  p->bytes = bytes;
  // What is no program has a diagnostic that says so.
  shape_program_load(p->program, bytes, length, name);
  return p;
}

void web_close(web_program *p) {
  shape_analysis_free(p->analysis);
  shape_program_free(p->program);
  free(p->bytes);
  free(p->text);
  free(p);
}

static bool analyze(web_program *p, const cJSON *json) {
  texts assume, bind, bound, input;
  if (!read_texts(json, "assume", &assume) || !read_texts(json, "bind", &bind) ||
      !read_texts(json, "bound", &bound) || !read_texts(json, "input", &input)) {
    return fail(p, "an option that is a list has at most 256 texts, and nothing else");
  }
  shape_options options = SHAPE_STRUCT(shape_options);
  options.entry = text_of(json, "entry");
  options.argument_types = text_of(json, "argumentTypes");
  options.assumptions = assume.items, options.assumption_count = assume.count;
  options.binding_texts = bind.items, options.binding_text_count = bind.count;
  options.bound_texts = bound.items, options.bound_text_count = bound.count;
  options.input_texts = input.items, options.input_text_count = input.count;
  options.inputs = text_of(json, "inputs");
  options.refinable = is_true(json, "refinable");
  options.strict = is_true(json, "strict");
  options.certify = is_true(json, "certify");
  options.assume_suggested = is_true(json, "assumeSuggested");
  shape_analysis_free(p->analysis);
  p->analysis = shape_program_analyze(p->program, &options);
  if (!p->analysis) return fail(p, "no memory");
  // Errors of the program are part of the answer; an option that is not valid is not.
  const shape_error *error = shape_analysis_error(p->analysis);
  return error->status == SHAPE_INVALID ? fail(p, error->message) : true;
}

static bool emit(web_program *p, const char *format, const cJSON *json) {
  texts profiles;
  p->length = 0, p->no_memory = false;
  if (!p->analysis) return fail(p, "the program was not analysed yet");
  if (!read_texts(json, "profiles", &profiles) || profiles.count == TEXTS_MAX) {
    return fail(p, "profiles is a list of fewer than 256 texts");
  }
  profiles.items[profiles.count] = NULL;
  shape_dims_options dims = SHAPE_STRUCT(shape_dims_options);
  dims.profiles = profiles.count ? profiles.items : NULL;
  dims.point = text_of(json, "point");
  dims.reuse = is_true(json, "reuse");
  dims.names = is_true(json, "names");
  shape_emit_options options = SHAPE_STRUCT(shape_emit_options);
  options.that = text_of(json, "that");
  options.line = number_of(json, "line"), options.column = number_of(json, "column");
  options.cleanup = is_true(json, "cleanup"), options.generic = is_true(json, "generic");
  options.require_static = is_true(json, "requireStatic");
  options.passes = text_of(json, "passes"), options.target = text_of(json, "target");
  options.dims = &dims;
  shape_status status = shape_analysis_emit_with(p->analysis, format, &options, take, p);
  if (p->no_memory) return fail(p, "no memory");
  if (status == SHAPE_OK || p->length) return true;  // what is written says how it ended
  return fail(p, shape_analysis_error(p->analysis)->message);
}

bool web_analyze(web_program *p, const char *options) {
  cJSON *json = cJSON_Parse(options);
  bool done = cJSON_IsObject(json) ? analyze(p, json) : fail(p, "the options are no JSON object");
  cJSON_Delete(json);
  return done;
}

bool web_emit(web_program *p, const char *format, const char *options) {
  cJSON *json = cJSON_Parse(options);
  bool done =
      cJSON_IsObject(json) ? emit(p, format, json) : fail(p, "the options are no JSON object");
  cJSON_Delete(json);
  return done;
}

const char *web_text(const web_program *p) { return p->text; }
size_t web_length(const web_program *p) { return p->length; }
const char *web_error(const web_program *p) { return p->error; }
