// SPDX-License-Identifier: Apache-2.0
#include "clients/web/glue.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/shape.h"

#define TEXTS_MAX   256                // of one option that is a list
#define REASONS_MAX 64                 // of one answer
#define MEMORY_MAX  ((size_t)2 << 30)  // of one program; memories have at most 4 GiB

// Bytes that are brought at once: heads of fields are close together.
enum { CHUNK = 1 << 14 };

struct web_program {
  uint8_t *bytes;  // the library keeps them
  size_t size;
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

// The same as a list that NULL ends; NULL: there is none, or it is not valid.
static const char *const *read_list(const cJSON *options, const char *name, texts *out) {
  if (!read_texts(options, name, out) || !out->count || out->count == TEXTS_MAX) return NULL;
  out->items[out->count] = NULL;
  return out->items;
}

typedef struct filling {
  uint8_t *bytes;
  size_t length, filled;  // nothing below is brought again
} filling;

static bool need(void *data, size_t begin, size_t end) {
  filling *f = data;
  if (end <= f->filled) return true;
  if (begin < f->filled) begin = f->filled;
  if (end - begin < CHUNK) end = f->length - begin < CHUNK ? f->length : begin + CHUNK;
  f->filled = end;
  return web_bring(f->bytes, begin, end);
}

bool web_fill(uint8_t *bytes, size_t length) {
  filling f = {bytes, length, 0};
  if (!need(&f, 0, length < 4 * CHUNK ? length : 4 * CHUNK)) return false;
  // The second look has every head of a field.
  if (shape_input_of(bytes, length) == SHAPE_INPUT_ONNX) {
    if (!shape_input_scan(bytes, length, need, &f)) return false;
    if (shape_input_of(bytes, length) == SHAPE_INPUT_ONNX) return true;
  }
  return web_bring(bytes, 0, length);
}

web_program *web_open(uint8_t *bytes, size_t length, const char *name) {
  shape_limits limits = SHAPE_STRUCT(shape_limits);
  limits.memory = MEMORY_MAX;
  web_program *p = calloc(1, sizeof *p);
  if (!p || !(p->program = shape_program_new(&limits))) {
    free(p);
    return NULL;
  }
  p->bytes = bytes, p->size = length;
  // What is not a program has a diagnostic that says so.
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
  enum { LISTS_MAX = 8 };
  texts lists[LISTS_MAX];
  uint32_t used = 0;
  bool good = true;
  shape_options options = SHAPE_STRUCT(shape_options);
#define TEXT(name, member, what) options.member = text_of(json, #name);
#define FLAG(name, member, what) options.member = is_true(json, #name);
#define LIST(name, member, size, what)                                                             \
  good &= read_texts(json, #name, &lists[used]);                                                   \
  options.member = lists[used].items, options.size = lists[used++].count;
#define ANALYZE
#include "clients/web/options.def"
  if (!good) return fail(p, "an option that is a list has at most 256 texts, and nothing else");
  shape_analysis_free(p->analysis);
  p->analysis = shape_program_analyze(p->program, &options);
  if (!p->analysis) return fail(p, "out of memory");
  // Errors of the program are part of the answer; an option that is not valid is not.
  const shape_error *error = shape_analysis_error(p->analysis);
  return error->status == SHAPE_INVALID ? fail(p, error->message) : true;
}

// `profiles` is the list that it points to.
static bool read_dims(const cJSON *json, texts *profiles, shape_dims_options *out) {
  shape_dims_options options = SHAPE_STRUCT(shape_dims_options);
#define TEXT(name, member, what)       options.member = text_of(json, #name);
#define FLAG(name, member, what)       options.member = is_true(json, #name);
#define LIST(name, member, size, what) options.member = read_list(json, #name, profiles);
#define DIMS
#include "clients/web/options.def"
  *out = options;
  return options.profiles || !cJSON_HasObjectItem(json, "profiles");
}

static bool emit(web_program *p, const char *format, const cJSON *json) {
  texts profiles;
  shape_dims_options dims;
  p->length = 0, p->no_memory = false;
  if (!p->analysis) return fail(p, "the program was not analysed yet");
  if (!read_dims(json, &profiles, &dims)) {
    return fail(p, "profiles is a list of 1 to 255 texts");
  }
  shape_emit_options options = SHAPE_STRUCT(shape_emit_options);
#define TEXT(name, member, what)   options.member = text_of(json, #name);
#define FLAG(name, member, what)   options.member = is_true(json, #name);
#define NUMBER(name, member, what) options.member = number_of(json, #name);
#define EMIT
#include "clients/web/options.def"
  options.dims = &dims;
  shape_status status = shape_analysis_emit_with(p->analysis, format, &options, take, p);
  if (p->no_memory) return fail(p, "out of memory");
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

static cJSON *reason_json(const shape_reason *r) {
  cJSON *item = cJSON_CreateObject();
  if (r->origin) cJSON_AddStringToObject(item, "rule", r->origin);
  cJSON_AddStringToObject(item, "message", r->text);
  if (r->line) {
    cJSON_AddNumberToObject(item, "line", r->line);
    cJSON_AddNumberToObject(item, "column", r->column);
  }
  return item;
}

static bool value_at(web_program *p, const char *address, shape_value *out) {
  shape_dim dim;
  if (shape_analysis_address(p->analysis, address, &dim) != SHAPE_OK) {
    return fail(p, shape_analysis_error(p->analysis)->message);
  }
  *out = dim.value;
  return dim.axis == SHAPE_NO_ID || fail(p, "the address of a value is needed, not of a dim");
}

// The answer to the last query of the analysis.
static bool write_reply(web_program *p, const char *that, shape_answer answer) {
  static const char *const NAMES[] = {"no", "yes", "unknown",
                                      "yes"};  // of a contradiction all holds
  shape_reason reasons[REASONS_MAX];
  uint32_t count = 0;
  cJSON *reply = cJSON_CreateObject(), *because = cJSON_AddArrayToObject(reply, "because");
  cJSON_AddStringToObject(reply, "that", that);
  cJSON_AddStringToObject(reply, "answer", NAMES[answer]);
  if (answer != SHAPE_UNKNOWN) shape_analysis_why(p->analysis, reasons, REASONS_MAX, &count);
  for (uint32_t i = 0; i < count && i < REASONS_MAX; i++) {
    cJSON_AddItemToArray(because, reason_json(&reasons[i]));
  }
  char *text = cJSON_PrintUnformatted(reply);
  cJSON_Delete(reply);
  p->length = 0, p->no_memory = !text;
  if (text) take(p, text, strlen(text));
  cJSON_free(text);
  return !p->no_memory || fail(p, "out of memory");
}

bool web_same(web_program *p, bool elements, const char *a, const char *b) {
  shape_value x, y;
  char that[256];
  if (!p->analysis) return fail(p, "the program was not analysed yet");
  if (!value_at(p, a, &x) || !value_at(p, b, &y)) return false;
  snprintf(that, sizeof that, "same %s %s %s", elements ? "elements" : "shape", a, b);
  return write_reply(p, that,
                     elements ? shape_analysis_same_element_count(p->analysis, x, y)
                              : shape_analysis_same_shape(p->analysis, x, y));
}

const char *web_format(const web_program *p) {
  shape_input_format format;
  shape_input input = shape_input_of(p->bytes, p->size);
  for (uint32_t i = 0; shape_input_at(i, &format); i++) {
    if (format.input == input) return format.name;
  }
  return "";
}

const char *web_text(const web_program *p) { return p->text; }
size_t web_length(const web_program *p) { return p->length; }
const char *web_error(const web_program *p) { return p->error; }
