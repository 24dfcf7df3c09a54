// SPDX-License-Identifier: Apache-2.0
#include "proto/json/read.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct validate_call {
  shape_arena *arena;
  const json_limits *limits;
  const char *text, *clean;
  size_t length, clean_length;
  json_error *error;
  bool passed;
} validate_call;

static void run_validate(void *data) {
  validate_call *c = data;
  c->passed =
      json_validate(c->arena, c->limits, c->text, c->length, &c->clean, &c->clean_length, c->error);
}

bool json_parse(shape_arena *arena, const json_limits *limits, const char *text, size_t length,
                cJSON **tree, json_error *error) {
  validate_call call = {
      .arena = arena, .limits = limits, .text = text, .length = length, .error = error};
  *tree = NULL;
  memset(error, 0, sizeof *error);
  shape_status status = arena_protect(arena, run_validate, &call);
  if (status == SHAPE_OK && !call.passed) return false;
  if (status == SHAPE_OK) {
    *tree = cJSON_ParseWithLength(call.clean, call.clean_length);
    if (*tree) return true;
    // What json_validate lets through is what cJSON reads, so only malloc can have failed.
    status = SHAPE_MEMORY;
  }
  error->status = status;
  snprintf(error->message, sizeof error->message, "%s", shape_status_message(status));
  return false;
}

void json_reader_init(json_reader *r, shape_budget *budget, json_error *error) {
  memset(error, 0, sizeof *error);
  *r = (json_reader){budget, error, false};
}

// The path from the root, as far as it fits; long ones lose their beginning.
static void json_path(const json_at *at, char *out, size_t size) {
  enum { DEEPEST = 64 };
  const json_at *way[DEEPEST];
  int count = 0;
  for (; at && count < DEEPEST; at = at->parent) way[count++] = at;
  size_t used = 0;
  out[0] = 0;
  if (at) used = (size_t)snprintf(out, size, "...");
  while (count-- && used < size) {
    int n = way[count]->key
                ? snprintf(out + used, size - used, "%s%.60s", used ? "." : "", way[count]->key)
            : way[count]->parent ? snprintf(out + used, size - used, "[%u]", way[count]->index)
                                 : 0;
    used += n > 0 ? (size_t)n : 0;
  }
}

static const char *kind_of(const cJSON *node) {
  if (!node) return "nothing";
  switch (node->type & 0xff) {
  case cJSON_False:
  case cJSON_True: return "boolean";
  case cJSON_NULL: return "null";
  case cJSON_Number: return "number";
  case cJSON_String: return "string";
  case cJSON_Array: return "array";
  case cJSON_Object: return "object";
  default: return "something else";
  }
}

bool json_fail(json_reader *r, const json_at *at, const char *format, ...) {
  if (r->failed) return false;
  r->failed = true;
  char path[120], text[110];
  json_path(at, path, sizeof path);
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (strncmp(text, "expected ", 9) == 0 && !strstr(text, "found") && length > 0 &&
      (size_t)length < sizeof text)
    snprintf(text + length, sizeof text - (size_t)length, ", found %s", kind_of(at->node));
  r->error->status = SHAPE_INVALID;
  snprintf(r->error->message, sizeof r->error->message, "%s%s%s", path, *path ? ": " : "", text);
  return false;
}

static bool expect(json_reader *r, const json_at *at, bool is, const char *what) {
  if (r->failed) return false;
  return is || json_fail(r, at, "expected %s", what);
}

bool json_get(json_reader *r, const json_at *object, const char *key, json_at *out) {
  *out = (json_at){object, key, 0, NULL};
  if (!expect(r, object, cJSON_IsObject(object->node), "object")) return false;
  out->node = cJSON_GetObjectItemCaseSensitive(object->node, key);
  return true;
}

bool json_first(json_reader *r, const json_at *array, json_at *item) {
  if (!expect(r, array, cJSON_IsArray(array->node), "array")) return false;
  *item = (json_at){array, NULL, 0, array->node->child};
  return item->node != NULL;
}

bool json_first_member(json_reader *r, const json_at *object, json_at *member) {
  if (!expect(r, object, cJSON_IsObject(object->node), "object")) return false;
  const cJSON *child = object->node->child;
  *member = (json_at){object, child ? child->string : "", 0, child};
  return child != NULL;
}

bool json_next(json_at *item) {
  item->node = item->node->next;
  item->index++;
  if (item->node && item->key) item->key = item->node->string;
  return item->node != NULL;
}

uint32_t json_length(const json_at *array) { return (uint32_t)cJSON_GetArraySize(array->node); }

bool json_get_text(json_reader *r, const json_at *at, const char **text, size_t *length) {
  if (!expect(r, at, cJSON_IsString(at->node), "string")) return false;
  *text = at->node->valuestring;
  if (length) *length = strlen(*text);
  return true;
}

bool json_get_bool(json_reader *r, const json_at *at, bool *value) {
  if (!expect(r, at, cJSON_IsBool(at->node), "boolean")) return false;
  *value = cJSON_IsTrue(at->node);
  return true;
}

static bool json_get_num(json_reader *r, const json_at *at, num *value) {
  if (r->failed) return false;
  if (cJSON_IsString(at->node)) {
    const char *text = at->node->valuestring;
    return num_parse(r->budget, text, strlen(text), value) ||
           json_fail(r, at, "expected integer, found string");
  }
  if (!expect(r, at, cJSON_IsNumber(at->node), "integer")) return false;
  double d = at->node->valuedouble;
  // json_validate hands integers beyond 2^53 on as strings: a larger one here was written with a point or an exponent.
  if (!(d >= -9007199254740992.0 && d <= 9007199254740992.0) || d != (double)(int64_t)d) {
    return json_fail(r, at, "expected integer, found %.17g", d);
  }
  *value = num_from_int((int64_t)d);
  return true;
}

bool json_get_int(json_reader *r, const json_at *at, int64_t least, int64_t most, int64_t *value) {
  num n;
  if (!json_get_num(r, at, &n)) return false;
  if (!num_to_int(n, value) || *value < least || *value > most) {
    return json_fail(r, at, "is not between %lld and %lld", (long long)least, (long long)most);
  }
  return true;
}
