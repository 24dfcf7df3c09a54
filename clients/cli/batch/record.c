// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/batch/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json/write.h"
#include "solver/shape.h"

static const struct {
  const char *name;
  int exit;
} STATUSES[] = {
#define X(name, text, exit) {text, exit},
#include "clients/cli/batch/status.def"
#undef X
};

const char *batch_status_name(batch_status status) { return STATUSES[status].name; }
int batch_status_exit(batch_status status) { return STATUSES[status].exit; }

batch_status batch_status_named(const char *name) {
  unsigned i = 0;
  while (i < BATCH_STATUS_COUNT && strcmp(STATUSES[i].name, name) != 0) i++;
  return (batch_status)i;
}

typedef struct writing {
  const batch_record *r;
  shape_arena arena;
  shape_strbuf text;
} writing;

static void put(json_writer *w, const char *key, const char *text) {
  json_key_string(w, key);
  json_string(w, text);
}

static void put_raw(json_writer *w, const char *key, const char *json) {
  json_key_string(w, key);
  json_raw(w, json, strlen(json));
}

static void write_members(void *data) {
  writing *to = data;
  const batch_record *r = to->r;
  json_writer w;
  strbuf_init(&to->text, &to->arena);
  json_writer_init(&w, &to->text);
  json_begin_object(&w);
  put(&w, "path", r->path);
  put(&w, "status", batch_status_name(r->status));
  put(&w, "hash", r->hash);
  put(&w, "tool", SHAPE_VERSION);
  put(&w, "options", r->options);
  put(&w, "format", r->format);
  json_put_int(&w, "bytes", (int64_t)r->bytes);
  put(&w, "message", r->message);
  if (r->external) {
    json_put_bool(&w, "external", true);
  }
  json_key(&w, "summary");
  if (r->summary) {
    json_raw(&w, r->summary, r->summary_length);
  } else {
    json_null(&w);
  }
  if (r->extra.peak_bytes) put_raw(&w, "peak_bytes", r->extra.peak_bytes);
  if (r->extra.flops) put_raw(&w, "flops", r->extra.flops);
  if (r->extra.free_dims >= 0) json_put_int(&w, "free_dims", r->extra.free_dims);
  if (r->ms >= 0) {
    char text[32];
    int n = snprintf(text, sizeof text, "%.3f", r->ms);
    json_key(&w, "ms");
    json_raw(&w, text, (size_t)n);
  }
  json_end_object(&w);
}

static char *copy_out(const shape_strbuf *text, size_t *length) {
  char *out = malloc((size_t)text->length + 1);
  if (!out) return NULL;
  memcpy(out, text->data, text->length);
  out[text->length] = 0;
  *length = text->length;
  return out;
}

// A name in a model may hold U+0000, which readers of records refuse (see json/validate.h): it becomes U+FFFD, of the same length.
static void replace_zeros(char *json, size_t length) {
  static const char zero[] = "\\u0000";
  char *end = json + length;
  for (char *at = json; (at = memchr(at, '\\', (size_t)(end - at))); at += 2) {
    // What a backslash escapes is none itself, and there is always something.
    if ((size_t)(end - at) < sizeof zero - 1) break;
    if (memcmp(at, zero, sizeof zero - 1) == 0) memcpy(at, "\\ufffd", sizeof zero - 1);
  }
}

char *record_write(const batch_record *r, size_t *length) {
  writing to = {.r = r};
  arena_init(&to.arena, 0);
  char *out = NULL;
  if (arena_protect(&to.arena, write_members, &to) == SHAPE_OK) out = copy_out(&to.text, length);
  if (out) replace_zeros(out, *length);
  arena_destroy(&to.arena);
  return out;
}

typedef struct renaming {
  const char *text, *path;
  size_t length;
  shape_arena arena;
  shape_strbuf out;
} renaming;

static void rename_members(void *data) {
  renaming *r = data;
  static const char begin[] = "{\"path\": ";
  size_t at = sizeof begin;  // after the opening quote
  while (at < r->length && r->text[at] != '"') at += 1 + (r->text[at] == '\\');
  at = at < r->length ? at + 1 : r->length;
  json_writer w;
  strbuf_init(&r->out, &r->arena);
  json_writer_init(&w, &r->out);
  strbuf_puts(&r->out, begin);
  json_text(&w, r->path, strlen(r->path));
  strbuf_add(&r->out, r->text + at, r->length - at);
}

char *record_with_path(const char *text, size_t length, const char *path, size_t *new_length) {
  renaming r = {.text = text, .path = path, .length = length};
  arena_init(&r.arena, 0);
  char *out = NULL;
  if (arena_protect(&r.arena, rename_members, &r) == SHAPE_OK) out = copy_out(&r.out, new_length);
  arena_destroy(&r.arena);
  return out;
}
