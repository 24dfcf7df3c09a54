// SPDX-License-Identifier: Apache-2.0
#include "proto/rpc/rpc.h"

#include <stdio.h>
#include <string.h>

#include "proto/json/read.h"

typedef struct code_row {
  const char *name, *message;
  int number, retry;
} code_row;

static const code_row ROWS[RPC_CODE_COUNT] = {
#define X(name, code, retry, text) {#name, text, code, retry},
#include "proto/errors.def"
#undef X
};

_Static_assert((int)RPC_INTERNAL == (int)SHAPE_INTERNAL, "the outcomes of the library come first");

static const code_row *row_of(rpc_code code) {
  return &ROWS[(unsigned)code < RPC_CODE_COUNT ? code : RPC_INTERNAL];
}

int rpc_code_number(rpc_code code) { return row_of(code)->number; }
const char *rpc_code_message(rpc_code code) { return row_of(code)->message; }
static bool rpc_code_retry_helps(rpc_code code) { return row_of(code)->retry != 0; }

const char *rpc_code_name(rpc_code code, char *to) {
  const char *name = row_of(code)->name;
  size_t i = 0;
  for (; name[i] && i < 47; i++) {
    char c = name[i];
    to[i] = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
  }
  to[i] = 0;
  return to;
}

void rpc_fail(rpc_failure *failure, rpc_code code, const char *format, ...) {
  *failure = (rpc_failure){.code = code};
  va_list args;
  va_start(args, format);
  vsnprintf(failure->message, sizeof failure->message, format, args);
  va_end(args);
}

// The value at the cursor, as its text.
static json_slice value_text(json_cursor *c, const rpc_request *r) {
  cursor_peek(c);
  const char *from = c->at;
  size_t end = r->members ? json_member_end(r->members, (size_t)(from - r->text.text)) : 0;
  if (end) {
    c->at = r->text.text + end;
  } else {
    cursor_skip(c);
  }
  return (json_slice){from, c->failed ? 0 : (size_t)(c->at - from)};
}

// Ids are handed back as they came, in replies to invalid requests as well: they have to be JSON on their own.
static bool id_is_valid(shape_arena *arena, json_slice id, bool validated) {
  const char *clean;
  size_t clean_length;
  json_error error;
  if (!id.length || id.length > RPC_ID_MAX || strchr("[{tf", id.text[0])) return false;
  return validated || json_validate(arena, NULL, id.text, id.length, &clean, &clean_length, &error);
}

static void read_request(json_cursor *c, const json_members *members, rpc_request *r) {
  json_slice key, version = {0};
  bool has_method = false, has_id = false;
  *r = (rpc_request){.members = members};
  cursor_peek(c);
  r->text.text = c->at;
  if (!cursor_enter(c, '{')) {
    r->text = value_text(c, r);
    r->wrong = "a request is an object";
    return;
  }
  for (bool first = true; cursor_next_key(c, first, &key); first = false) {
    if (slice_is(key, "id")) {
      has_id = true;
      r->id = value_text(c, r);
    } else if (slice_is(key, "method")) {
      has_method = cursor_string(c, &r->method);
      if (!has_method) cursor_skip(c);
    } else if (slice_is(key, "params")) {
      r->params = value_text(c, r);
    } else if (slice_is(key, "jsonrpc")) {
      if (!cursor_string(c, &version)) cursor_skip(c);
    } else {
      cursor_skip(c);
    }
  }
  r->text.length = (size_t)(c->at - r->text.text);
  if (has_id && !id_is_valid(c->arena, r->id, members != NULL)) {
    r->id = (json_slice){"null", 4};
    r->wrong = "\"id\" is a string, a number or null, of at most 256 bytes";
  } else if (!slice_is(version, "2.0")) {
    r->wrong = "\"jsonrpc\" is not \"2.0\"";
  } else if (!has_method) {
    r->wrong = "\"method\" is not a string";
  } else if (r->params.length && r->params.text[0] != '{' && r->params.text[0] != '[') {
    r->wrong = "\"params\" is neither an object nor an array";
  }
}

static bool read_batch(shape_arena *arena, json_cursor *c, uint32_t most, rpc_message *out,
                       rpc_failure *failure) {
  uint32_t capacity = 0;
  out->is_batch = true;
  cursor_enter(c, '[');
  for (bool first = true; cursor_next_item(c, first); first = false) {
    if (out->count == most) {
      rpc_fail(failure, RPC_SIZE, "a batch has at most %u requests", most);
      failure->limit = "max-batch";
      failure->limit_value = most;
      return false;
    }
    out->requests = arena_grow(arena, out->requests, out->count, (size_t)out->count + 1, &capacity,
                               sizeof *out->requests);
    read_request(c, NULL, &out->requests[out->count++]);
  }
  if (c->failed || out->count) return true;
  rpc_fail(failure, RPC_INVALID_REQUEST, "the batch is empty");
  return false;
}

typedef struct splitting {
  shape_arena *arena;
  const char *text;
  size_t length;
  uint32_t most;
  const json_limits *limits;  // NULL: nothing is validated here
  rpc_message *out;
  rpc_failure *failure;
  bool good;
} splitting;

// The members of the object at `from`, which the rest of the text is; NULL: it is not valid, which is said later.
static const json_members *validated(const splitting *s, const char *from) {
  json_members *members = arena_alloc(s->arena, sizeof *members);
  const char *clean;
  size_t clean_length, length = s->length - (size_t)(from - s->text);
  json_error error;
  members->depth = JSON_MEMBERS_DEPTH;
  bool good = json_validate_members(s->arena, s->limits, from, length, members, &clean,
                                    &clean_length, &error);
  return good ? members : NULL;
}

static void split(void *data) {
  splitting *s = data;
  json_cursor c;
  cursor_init(&c, s->arena, s->text, s->length);
  char head = (char)cursor_peek(&c);
  if (head == '[') {
    if (!read_batch(s->arena, &c, s->most, s->out, s->failure)) return;
  } else {
    s->out->requests = arena_alloc(s->arena, sizeof *s->out->requests);
    s->out->count = 1;
    read_request(&c, s->limits && head == '{' ? validated(s, c.at) : NULL, s->out->requests);
  }
  // A word that is no JSON at all has been skipped so far; objects meet json_validate with their method.
  const char *clean;
  size_t clean_length;
  json_error error;
  bool word = head != '[' && head != '{';
  s->good =
      !c.failed && !cursor_peek(&c) && c.at == c.end &&
      (!word || json_validate(s->arena, NULL, s->text, s->length, &clean, &clean_length, &error));
  if (!s->good) rpc_fail(s->failure, RPC_PARSE_ERROR, "%s", rpc_code_message(RPC_PARSE_ERROR));
}

bool rpc_split(shape_arena *arena, const char *text, size_t length, uint32_t most,
               const json_limits *limits, rpc_message *out, rpc_failure *failure) {
  splitting s = {.arena = arena,
                 .text = text,
                 .length = length,
                 .most = most,
                 .limits = limits,
                 .out = out,
                 .failure = failure};
  *out = (rpc_message){0};
  if (arena_protect(arena, split, &s) == SHAPE_OK) return s.good;
  rpc_fail(failure, RPC_MEMORY, "the server is out of memory");
  return false;
}

void rpc_begin_result(shape_strbuf *out, json_slice id) {
  strbuf_puts(out, "{\"jsonrpc\": \"2.0\", \"id\": ");
  if (id.length) {
    strbuf_add(out, id.text, id.length);
  } else {
    strbuf_puts(out, "null");
  }
  strbuf_puts(out, ", \"result\": ");
}

void rpc_end_result(shape_strbuf *out) { strbuf_putc(out, '}'); }

void rpc_write_error(shape_strbuf *out, json_slice id, const rpc_failure *failure) {
  char name[48];
  json_writer w;
  json_writer_init(&w, out);
  json_begin_object(&w);
  json_put_string(&w, "jsonrpc", "2.0");
  json_key(&w, "id");
  if (id.length) {
    json_raw(&w, id.text, id.length);
  } else {
    json_null(&w);
  }
  json_key(&w, "error");
  json_begin_object(&w);
  json_put_int(&w, "code", rpc_code_number(failure->code));
  json_put_string(&w, "message",
                  failure->message[0] ? failure->message : rpc_code_message(failure->code));
  json_key(&w, "data");
  json_begin_object(&w);
  json_put_string(&w, "code", rpc_code_name(failure->code, name));
  if (failure->path[0]) {
    json_put_string(&w, "path", failure->path);
  }
  json_put_bool(&w, "retryable", rpc_code_retry_helps(failure->code));
  if (failure->limit) {
    json_put_string(&w, "limit", failure->limit);
    json_put_int(&w, "value", (int64_t)failure->limit_value);
  }
  if (failure->diagnostic[0]) json_put_string(&w, "diagnostic", failure->diagnostic);
  if (failure->line) {
    json_put_int(&w, "line", failure->line);
    json_put_int(&w, "column", failure->column);
  }
  json_end_object(&w);
  json_end_object(&w);
  json_end_object(&w);
}
