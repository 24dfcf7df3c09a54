// SPDX-License-Identifier: Apache-2.0
// Errors and warnings as SARIF 2.1.0, the form that code hosts and editors read.
#include <stdlib.h>
#include <string.h>

#include "clients/cli/batch/output.h"
#include "proto/json/write.h"
#include "solver/shape.h"

typedef struct sarif_state {
  shape_arena arena;
  shape_strbuf text;
  json_writer w;
} sarif_state;

static void to_file(void *to, const char *data, size_t length) { fwrite(data, 1, length, to); }

static void put(json_writer *w, const char *key, const char *text) {
  json_key_string(w, key);
  json_string(w, text);
}

// What each code means: those of the table, whether or not a result has it.
static void put_rules(json_writer *w, const char *manual) {
  shape_code row;
  json_key_array(w, "rules");
  for (uint32_t i = 0; shape_code_at(i, &row); i++) {
    json_begin_object(w);
    put(w, "id", row.code);
    json_key_object(w, "fullDescription");
    put(w, "text", row.cause);
    json_end_object(w);
    json_key_object(w, "help");
    put(w, "text", row.remedy);
    json_end_object(w);
    if (manual) {
      shape_strbuf uri;
      strbuf_init(&uri, w->out->arena);
      strbuf_printf(&uri, "%s/reference/diagnostics/%s.html", manual, row.code);
      put(w, "helpUri", strbuf_text(&uri));
    }
    json_end_object(w);
  }
  json_end_array(w);
}

static void write_head(void *data) {
  const output *o = data;
  json_writer *w = &((sarif_state *)o->state)->w;
  json_begin_object(w);
  put(w, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  put(w, "version", "2.1.0");
  json_key_array(w, "runs");
  json_begin_object(w);
  json_key_object(w, "tool");
  json_key_object(w, "driver");
  put(w, "name", "shape");
  put(w, "version", SHAPE_VERSION);
  put_rules(w, o->manual);
  json_end_object(w);
  json_end_object(w);
  json_key_array(w, "results");
}

static bool begin(output *o) {
  sarif_state *s = calloc(1, sizeof *s);
  if (!s) return false;
  arena_init(&s->arena, 0);
  strbuf_init_sink(&s->text, &s->arena, to_file, o->file);
  json_writer_init(&s->w, &s->text);
  o->state = s;
  return arena_protect(&s->arena, write_head, o) == SHAPE_OK;
}

// A path as a relative URI reference (RFC 3986): bytes outside of the unreserved ones are escaped.
static void put_uri(json_writer *w, const char *path) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  shape_strbuf text;
  strbuf_init(&text, w->out->arena);
  if (*path == '/') strbuf_puts(&text, "file://");
  for (; *path; path++) {
    if (strchr(plain, *path)) {
      strbuf_putc(&text, *path);
    } else {
      strbuf_printf(&text, "%%%02X", (unsigned char)*path);
    }
  }
  json_key(w, "uri");
  json_text(w, text.data, text.length);
}

// Locations are lines and columns; else offsets. Of what was compressed the location says which.
static bool is_text(const char *name) {
  shape_input_format format;
  for (uint32_t i = 0; shape_input_at(i, &format); i++) {
    if (strcmp(format.name, name) == 0)
      return format.is_text || format.input == SHAPE_INPUT_COMPRESSED;
  }
  return true;
}

// message: NULL where the result itself says it.
static void put_location(json_writer *w, const cJSON *record, const cJSON *at,
                         const char *message) {
  const cJSON *offset = field(at, "offset");
  bool binary = offset || !is_text(field_text(record, "format"));
  int64_t line = (int64_t)field_number(at, "line"), column = (int64_t)field_number(at, "column");
  // Earlier versions said line 1 of bytes, and the byte from 1 as the column.
  int64_t byte = offset ? (int64_t)field_number(at, "offset") : column - 1;
  json_begin_object(w);
  json_key_object(w, "physicalLocation");
  json_key_object(w, "artifactLocation");
  put_uri(w, field_text(record, "path"));
  json_end_object(w);
  if (binary ? at && byte >= 0 : line >= 1 && column >= 1) {
    json_key_object(w, "region");
    json_key_string(w, binary ? "byteOffset" : "startLine");
    json_int(w, binary ? byte : line);
    if (!binary) {
      json_put_int(w, "startColumn", column);
    }
    json_end_object(w);
  }
  json_end_object(w);
  if (message) {
    json_key_object(w, "message");
    put(w, "text", message);
    json_end_object(w);
  }
  json_end_object(w);
}

// A line of the file that the program was made from: what its author can go to.
static void put_source(json_writer *w, const cJSON *at) {
  json_begin_object(w);
  json_key_object(w, "physicalLocation");
  json_key_object(w, "artifactLocation");
  put_uri(w, field_text(at, "file"));
  json_end_object(w);
  json_key_object(w, "region");
  json_key(w, "startLine");
  json_int(w, (int64_t)field_number(at, "line"));
  if (field_number(at, "column") >= 1) {
    json_key(w, "startColumn");
    json_int(w, (int64_t)field_number(at, "column"));
  }
  json_end_object(w);
  json_end_object(w);
  json_key_object(w, "message");
  put(w, "text", "the operation comes from here");
  json_end_object(w);
  json_end_object(w);
}

static void put_related(json_writer *w, const cJSON *record, const cJSON *d) {
  const cJSON *related = field(d, "related"), *sources = field(d, "locations"), *r;
  if (!cJSON_GetArraySize(related) && !cJSON_GetArraySize(sources)) return;
  json_key_array(w, "relatedLocations");
  cJSON_ArrayForEach(r, sources) {
    if (*field_text(r, "file") && field_number(r, "line") >= 1) put_source(w, r);
  }
  cJSON_ArrayForEach(r, related) put_location(w, record, r, field_text(r, "message"));
  json_end_array(w);
}

static void put_result(json_writer *w, const cJSON *record, const cJSON *d, const char *rule,
                       const char *level, const char *message) {
  json_begin_object(w);
  put(w, "ruleId", rule);
  put(w, "level", level);
  json_key_object(w, "message");
  put(w, "text", message);
  json_end_object(w);
  json_key_array(w, "locations");
  put_location(w, record, d, NULL);
  json_end_array(w);
  put_related(w, record, d);
  json_end_object(w);
}

typedef struct adding {
  json_writer *w;
  const cJSON *record;
} adding;

static void write_results(void *data) {
  adding *a = data;
  const char *status = field_text(a->record, "status"), *message = field_text(a->record, "message");
  bool ended = strcmp(status, "ok") == 0 || strcmp(status, "error") == 0;
  if (!ended || *message)
    put_result(a->w, a->record, NULL, status, "error", *message ? message : "no answer");
  const cJSON *d;
  cJSON_ArrayForEach(d, field(field(a->record, "summary"), "diagnostics")) {
    const char *severity = field_text(d, "severity");
    if (strcmp(severity, "error") != 0 && strcmp(severity, "warning") != 0) continue;
    put_result(a->w, a->record, d, field_text(d, "code"), severity, field_text(d, "message"));
  }
}

static bool add(output *o, const char *text, size_t length, const cJSON *record) {
  (void)text, (void)length;
  sarif_state *s = o->state;
  adding a = {&s->w, record};
  return arena_protect(&s->arena, write_results, &a) == SHAPE_OK;
}

static void write_tail(void *data) {
  json_writer *w = data;
  json_end_array(w);
  json_end_object(w);
  json_end_array(w);
  json_end_object(w);
  strbuf_putc(w->out, '\n');
  strbuf_flush(w->out);
}

static bool end(output *o, bool complete) {
  sarif_state *s = o->state;
  bool ok = !complete || arena_protect(&s->arena, write_tail, &s->w) == SHAPE_OK;
  arena_destroy(&s->arena);
  free(s);
  return ok;
}

const output_form OUTPUT_SARIF = {"sarif", true, false, begin, add, end};
