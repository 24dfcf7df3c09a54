// SPDX-License-Identifier: Apache-2.0
// session/open, edit, push, pop, analyze and close.
//
// Nothing of the request's arena is allocated while a session works (session.h): the two fail through different exits.
#include "proto/methods/session_method.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json/read.h"
#include "proto/methods/params.h"
#include "proto/methods/program_request.h"
#include "proto/methods/sink.h"

enum { EDITS_MAX = 10000 };

typedef struct session_params {
  json_slice session, edits, assume;
  uint64_t version;
  bool has_version, all, shared, names;
} session_params;

void session_release(method_call *call) {
  if (call->taken) {
    shape_session_set_limits(call->taken, NULL);
    call->host->session_give(call->host->data, call->taken, call->end_session);
  }
  shape_session_free(call->made);
  call->taken = call->made = NULL;
}

static bool to_id(json_slice text, uint64_t most, uint64_t *out) {
  uint64_t value = 0;
  if (!text.length || text.length > 18) return false;
  for (size_t i = 0; i < text.length; i++) {
    if (text.text[i] < '0' || text.text[i] > '9') return false;
    value = value * 10 + (uint64_t)(text.text[i] - '0');
  }
  *out = value;
  return value <= most;
}

static bool read_bool(method_call *call, json_cursor *c, const char *path, bool *out) {
  *out = cursor_word(c, "true");
  return *out || cursor_word(c, "false") || params_refuse(call, path, "expected boolean");
}

static bool read_params(method_call *call, session_params *p) {
  json_cursor c;
  json_slice key, number;
  *p = (session_params){.has_version = false};
  if (!params_open(call, &c)) return false;
  for (bool first = true; cursor_next_key(&c, first, &key); first = false) {
    if (slice_is(key, "session")) {
      if (!cursor_string(&c, &p->session))
        return params_refuse(call, "params.session", "expected string");
    } else if (slice_is(key, "version")) {
      if (!cursor_number(&c, &number) || !to_id(number, UINT64_MAX, &p->version))
        return params_refuse(call, "params.version", "expected a version");
      p->has_version = true;
    } else if (slice_is(key, "all")) {
      if (!read_bool(call, &c, "params.all", &p->all)) return false;
    } else if (slice_is(key, "shared")) {
      if (!read_bool(call, &c, "params.shared", &p->shared)) return false;
    } else if (slice_is(key, "names")) {
      if (!read_bool(call, &c, "params.names", &p->names)) return false;
    } else if (slice_is(key, "edits")) {
      p->edits = params_value(&c);
    } else if (slice_is(key, "assume")) {
      p->assume = params_value(&c);
    } else if (slice_is(key, "progress_token")) {
      if (!params_progress(call, params_value(&c))) return false;
    } else {
      cursor_skip(&c);
    }
  }
  return true;
}

static bool have_host(method_call *call) {
  if (call->host && call->host->session_take) return true;
  rpc_fail(call->failure, RPC_UNSUPPORTED, "this server keeps no sessions");
  return false;
}

static bool take(method_call *call, session_params *p) {
  if (!have_host(call) || !read_params(call, p)) return false;
  if (!p->session.length) return params_refuse(call, "params.session", "expected string");
  call->taken = call->host->session_take(call->host->data, p->session, call->failure);
  if (!call->taken) return false;
  const shape_limits limits = program_request_new(call).limits;
  shape_session_set_limits(call->taken, &limits);
  uint64_t version = shape_session_get_stats(call->taken).version;
  if (!p->has_version || p->version == version) return true;
  rpc_fail(call->failure, RPC_SESSION_STALE,
           "the session is at version %llu by now: ask again with that one",
           (unsigned long long)version);
  return false;
}

bool session_take(method_call *call) {
  session_params p;
  return take(call, &p);
}

// Why the session did not do what it was asked.
static bool fail_with(method_call *call, const shape_session *session) {
  const shape_error *error = shape_session_error(session);
  uint32_t edit = shape_session_failed_edit(session);
  uint64_t value;
  const char *limit = shape_session_limit(session, &value);
  if (edit != SHAPE_NO_ID) {
    rpc_fail(call->failure, rpc_of_status(error->status), "params.edits[%u]: %s", edit,
             error->message);
    snprintf(call->failure->path, sizeof call->failure->path, "params.edits[%u]", edit);
  } else {
    rpc_fail(call->failure, rpc_of_status(error->status), "%s", error->message);
    call->failure->line = error->line;
    call->failure->column = error->column;
    memcpy(call->failure->diagnostic, error->code, sizeof call->failure->diagnostic);
  }
  if (limit) {
    call->failure->limit = limit;
    call->failure->limit_value = value;
  }
  return false;
}

// --- edits

enum { KINDS = SHAPE_EDIT_RETRACT + 1 };

static const char *own_text(method_call *call, json_slice text) {
  return arena_strndup(call->arena, text.length ? text.text : "", text.length);
}

// What is where an edit needs the text of something: a string as what it says, anything else as JSON.
static const char *edit_text(method_call *call, json_cursor *c, bool plain) {
  json_slice text;
  if (plain && cursor_peek(c) == '"' && cursor_string(c, &text)) return own_text(call, text);
  return own_text(call, params_value(c));
}

static const char EXPECTED[] = "expected the id or the address of an operation or a value";

const char *session_value_of(method_call *call, json_cursor *c, shape_value *out) {
  json_slice text;
  uint64_t id;
  shape_dim dim;
  if (cursor_peek(c) != '"') {
    if (!cursor_number(c, &text) || !to_id(text, UINT32_MAX - 1, &id)) return EXPECTED;
    *out = (shape_value)id;
    return NULL;
  }
  if (!cursor_string(c, &text)) return EXPECTED;
  if (shape_session_address(call->taken, own_text(call, text), &dim) != SHAPE_OK)
    return shape_session_error(call->taken)->message;
  *out = dim.value;
  return dim.axis == SHAPE_NO_ID ? NULL : "expected a value, not a dim";
}

static bool read_value(method_call *call, json_cursor *c, shape_value *out) {
  const char *wrong = session_value_of(call, c, out);
  return !wrong || params_refuse(call, "params.edits", wrong);
}

static bool read_op(method_call *call, json_cursor *c, shape_op *out) {
  json_slice text;
  if (cursor_peek(c) != '"') return read_value(call, c, out);
  if (!cursor_string(c, &text)) return params_refuse(call, "params.edits", EXPECTED);
  *out = shape_session_address_op(call->taken, own_text(call, text));
  return *out != SHAPE_NO_ID ||
         params_refuse(call, "params.edits", "there is no operation with this address");
}

// An argument is beside another one, anything else beside an operation.
static bool read_beside(method_call *call, json_slice text, shape_edit *e) {
  json_cursor at;
  cursor_init(&at, call->arena, text.text, text.length);
  return e->kind == SHAPE_EDIT_INSERT_ARGUMENT ? read_value(call, &at, &e->value)
                                               : read_op(call, &at, &e->op);
}

static bool read_edit(method_call *call, json_cursor *c, shape_edit *e) {
  static const char *const NAMES[KINDS] = {
      "insert",        "remove",          "replace",         "retype", "rewire", "symbol",
      "remove_symbol", "insert_argument", "remove_argument", "assume", "retract"};
  json_slice key;
  bool has_kind = false, has_position = false, has_with = false;
  *e = (shape_edit){.op = SHAPE_NO_ID, .value = SHAPE_NO_ID, .with = SHAPE_NO_ID};
  if (!cursor_enter(c, '{')) return params_refuse(call, "params.edits", "expected objects");
  json_slice with = {0}, name = {0}, beside = {0};
  for (bool first = true; cursor_next_key(c, first, &key); first = false) {
    unsigned kind = 0;
    while (kind < KINDS && !slice_is(key, NAMES[kind])) kind++;
    if (kind < KINDS) {
      if (has_kind)
        return params_refuse(call, "params.edits", "expected one kind of edit in an object");
      e->kind = (shape_edit_kind)kind;
      has_kind = true;
    }
    bool good = true;
    if (slice_is(key, "remove") || slice_is(key, "replace")) {
      good = read_op(call, c, &e->op);
    } else if (slice_is(key, "before") || slice_is(key, "after")) {
      e->after = slice_is(key, "after");
      has_position = true;
      beside = params_value(c);
    } else if (slice_is(key, "retype") || slice_is(key, "rewire") ||
               slice_is(key, "remove_argument")) {
      good = read_value(call, c, &e->value);
    } else if (slice_is(key, "name")) {
      if (!cursor_string(c, &name))
        return params_refuse(call, "params.edits", "expected a name as a string");
    } else if (slice_is(key, "with")) {
      with = params_value(c);
      has_with = true;
    } else if (kind < KINDS) {
      e->text = edit_text(call, c,
                          kind >= SHAPE_EDIT_REMOVE_SYMBOL && kind != SHAPE_EDIT_INSERT_ARGUMENT);
    } else {
      cursor_skip(c);
    }
    if (!good) return false;
  }
  if (!has_kind)
    return params_refuse(call, "params.edits", "expected a kind of edit, such as \"insert\"");
  if (name.length) e->name = own_text(call, name);
  if (has_position && !read_beside(call, beside, e)) return false;
  if (e->kind == SHAPE_EDIT_INSERT && !has_position)
    return params_refuse(call, "params.edits", "insert needs \"before\" or \"after\"");
  bool needs_with =
      e->kind == SHAPE_EDIT_REPLACE || e->kind == SHAPE_EDIT_RETYPE || e->kind == SHAPE_EDIT_REWIRE;
  if (needs_with != has_with)
    return params_refuse(call, "params.edits",
                         "replace, retype and rewire have a \"with\", and no others");
  if (e->kind == SHAPE_EDIT_REWIRE) {
    json_cursor at;
    cursor_init(&at, call->arena, with.text, with.length);
    if (!read_value(call, &at, &e->with)) return false;
  } else if (needs_with) {
    e->text = own_text(call, with);
  }
  return true;
}

static bool enter_list(method_call *call, json_cursor *c, json_slice text, const char *path) {
  cursor_init(c, call->arena, text.text, text.length);
  return (text.length && cursor_enter(c, '[')) || params_refuse(call, path, "expected array");
}

static bool read_edits(method_call *call, json_slice text, shape_edit **out, uint32_t *count) {
  json_cursor c;
  uint32_t capacity = 0;
  *out = NULL;
  *count = 0;
  if (!enter_list(call, &c, text, "params.edits")) return false;
  for (bool first = true; cursor_next_item(&c, first); first = false) {
    if (*count == EDITS_MAX) return params_refuse(call, "params.edits", "more than 10000 edits");
    *out = arena_grow(call->arena, *out, *count, *count + 1u, &capacity, sizeof **out);
    if (!read_edit(call, &c, &(*out)[(*count)++])) return false;
  }
  return *count || params_refuse(call, "params.edits", "expected at least one edit");
}

static bool answer_changes(method_call *call, shape_status status) {
  if (status != SHAPE_OK) return fail_with(call, call->taken);
  session_write_changes(call, NULL, false);
  return true;
}

bool method_session_edit(method_call *call) {
  session_params p;
  shape_edit *edits;
  uint32_t count;
  if (!take(call, &p) || !read_edits(call, p.edits, &edits, &count)) return false;
  return answer_changes(call, shape_session_edit(call->taken, edits, count));
}

// --- assumptions for a while

static bool read_texts(method_call *call, json_slice text, const char ***out, uint32_t *count) {
  json_cursor c;
  json_slice item;
  uint32_t capacity = 0;
  *out = NULL;
  *count = 0;
  if (!enter_list(call, &c, text, "params.assume")) return false;
  for (bool first = true; cursor_next_item(&c, first); first = false) {
    if (!cursor_string(&c, &item) || item.length > UINT16_MAX)
      return params_refuse(call, "params.assume", "expected texts of at most 65535 bytes");
    *out = arena_grow(call->arena, *out, *count, *count + 1u, &capacity, sizeof **out);
    (*out)[(*count)++] = own_text(call, item);
  }
  return true;
}

bool method_session_push(method_call *call) {
  session_params p;
  const char **assumptions;
  uint32_t count;
  if (!take(call, &p) || !read_texts(call, p.assume, &assumptions, &count)) return false;
  return answer_changes(call, shape_session_push(call->taken, assumptions, count));
}

bool method_session_pop(method_call *call) {
  session_params p;
  if (!take(call, &p)) return false;
  return answer_changes(call, shape_session_pop(call->taken));
}

// --- opening and closing

static bool to_integer(const char *text, int64_t *out) {
  const char *digits = text + (*text == '-');
  if (!*digits || digits[strspn(digits, "0123456789")]) return false;
  errno = 0;
  *out = strtoll(text, NULL, 10);
  return errno == 0;
}

static const shape_binding *read_bindings(method_call *call, const shape_options *q) {
  shape_binding *list =
      arena_alloc(call->arena, ((size_t)q->binding_text_count + 1) * sizeof *list);
  for (uint32_t i = 0; i < q->binding_text_count; i++) {
    const char *text = q->binding_texts[i], *equals = strrchr(text, '=');
    if (!equals || !to_integer(equals + 1, &list[i].value)) {
      params_refuse(call, "params.options.bind", "expected NAME=N");
      return NULL;
    }
    list[i].name = arena_strndup(call->arena, text, (size_t)(equals - text));
  }
  return list;
}

// False after filling the failure. Nothing of the request's arena is allocated while there is a program.
static bool open_session(method_call *call, const program_request *q,
                         const shape_options *options) {
  shape_program *program = shape_program_new(&q->limits);
  if (program) {
    if (q->validated) {
      shape_program_load_json(program, q->text, q->length, q->name);
    } else {
      shape_program_load(program, q->text, q->length, q->name);
    }
    call->made = shape_session_open(program, options);
  }
  shape_program_free(program);
  if (!call->made) {
    rpc_fail(call->failure, RPC_MEMORY, "the server is out of memory");
    return false;
  }
  return shape_session_error(call->made)->status == SHAPE_OK || fail_with(call, call->made);
}

bool method_session_open(method_call *call) {
  program_request q;
  session_params p;
  shape_options options = SHAPE_STRUCT(shape_options);
  if (!have_host(call) || !read_params(call, &p) || !program_request_read(call, &q)) return false;
  if (q.options.argument_types || q.options.bound_text_count)
    return params_refuse(call, "params.options",
                         "expected no other options than entry, bind and assume");
  options.entry = q.options.entry;
  options.bindings = read_bindings(call, &q.options);
  options.binding_count = q.options.binding_text_count;
  options.assumptions = q.options.assumptions;
  options.assumption_count = q.options.assumption_count;
  if (!options.bindings || !open_session(call, &q, &options)) return false;
  char id[SESSION_ID_SIZE];
  if (!call->host->session_add(call->host->data, call->made, p.shared, id, call->failure))
    return false;
  call->taken = call->made;
  call->made = NULL;
  call->end_session = true;  // where its owner never hears of it
  if (q.all && shape_session_all(call->taken) != SHAPE_OK) return fail_with(call, call->taken);
  session_write_changes(call, id, p.names);
  call->end_session = false;
  return true;
}

bool method_session_close(method_call *call) {
  session_params p;
  if (!take(call, &p)) return false;
  shape_session_stats stats = shape_session_get_stats(call->taken);
  call->end_session = true;
  json_writer w;
  json_writer_init(&w, call->out);
  json_begin_object(&w);
  json_put_int(&w, "edits", (int64_t)stats.edits);
  json_put_int(&w, "incremental", (int64_t)stats.updates);
  json_put_int(&w, "whole", (int64_t)stats.whole);
  json_put_int(&w, "visited", (int64_t)stats.visited);
  json_end_object(&w);
  return true;
}

// --- the whole answer

bool method_session_analyze(method_call *call) {
  session_params p;
  shape_strbuf text;
  if (!take(call, &p)) return false;
  strbuf_init(&text, call->arena);
  text_sink sink = {.out = &text};
  if (shape_session_write(call->taken, sink_write, &sink) != SHAPE_OK)
    return fail_with(call, call->taken);
  sink_end(&sink);
  const shape_options *options = shape_session_options(call->taken);
  if (!options) return fail_with(call, call->taken);
  program_request q = program_request_new(call);
  q.text = text.data;
  q.length = text.length;
  q.validated = true;
  q.limits.nodes = q.limits.rank = 0;  // it was within them when it was made
  q.options = *options;
  q.emit_options.big_as_text = true;
  strbuf_puts(call->out, "{\"answer\": ");
  if (!program_request_emit(&q, SHAPE_FORMAT_ANSWER, "json", false)) return false;
  json_writer w;
  json_writer_init(&w, call->out);
  if (p.all) {
    strbuf_puts(call->out, ", \"program\": ");
    json_text(&w, text.data, text.length);
  }
  strbuf_putc(call->out, '}');
  return true;
}
