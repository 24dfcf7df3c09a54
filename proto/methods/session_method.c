// SPDX-License-Identifier: Apache-2.0
// session/open, edit, push, pop, analyze and close.
//
// Nothing of the request's arena is allocated while a session works (session.h): the two fail through different exits.
#include "proto/methods/session_method.h"

#include <stdio.h>
#include <string.h>

#include "proto/json/read.h"
#include "proto/methods/params.h"
#include "proto/methods/program_request.h"

enum { EDITS_MAX = 10000 };

typedef struct session_params {
  json_slice session, edits, assume;
  uint64_t version;
  bool has_version, all, shared;
} session_params;

void session_release(method_call *call) {
  if (call->taken) {
    session_watch(call->taken, NULL, NULL);
    call->host->session_give(call->host->data, call->taken, call->end_session);
  }
  session_free(call->made);
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
      p->all = cursor_word(&c, "true");
      if (!p->all && !cursor_word(&c, "false"))
        return params_refuse(call, "params.all", "expected boolean");
    } else if (slice_is(key, "shared")) {
      p->shared = cursor_word(&c, "true");
      if (!p->shared && !cursor_word(&c, "false"))
        return params_refuse(call, "params.shared", "expected boolean");
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

static atomic_uint_least64_t *progress_of(const method_call *call) {
  return call->control ? &call->control->steps : NULL;
}

static bool take(method_call *call, session_params *p) {
  if (!have_host(call) || !read_params(call, p)) return false;
  if (!p->session.length) return params_refuse(call, "params.session", "expected string");
  call->taken = call->host->session_take(call->host->data, p->session, call->failure);
  if (!call->taken) return false;
  session_watch(call->taken, call->stop, progress_of(call));
  if (!p->has_version || p->version == session_version(call->taken)) return true;
  rpc_fail(call->failure, RPC_SESSION_STALE, "the session has version %llu",
           (unsigned long long)session_version(call->taken));
  return false;
}

bool session_take(method_call *call) {
  session_params p;
  return take(call, &p);
}

static bool fail_with(method_call *call, const session_failure *f) {
  const char *why = *f->message ? f->message : shape_status_message(f->status);
  if (f->edit != ID_NONE) {
    rpc_fail(call->failure, rpc_of_status(f->status), "params.edits[%u]: %s", f->edit, why);
    snprintf(call->failure->path, sizeof call->failure->path, "params.edits[%u]", f->edit);
  } else {
    rpc_fail(call->failure, rpc_of_status(f->status), "%s", why);
  }
  return false;
}

static bool over_limit(method_call *call, const program_excess *excess) {
  rpc_fail(call->failure, RPC_SIZE, "%s", excess->message);
  call->failure->limit = excess->limit;
  call->failure->limit_value = excess->value;
  return false;
}

// --- edits

// What is where an edit needs the text of something: a string as what it says, anything else as JSON.
static json_slice edit_text(json_cursor *c, bool plain) {
  json_slice text;
  if (plain && cursor_peek(c) == '"' && cursor_string(c, &text)) return text;
  return params_value(c);
}

static bool read_number(method_call *call, json_cursor *c, const char *path, uint32_t *out) {
  json_slice number;
  uint64_t value;
  if (!cursor_number(c, &number) || !to_id(number, UINT32_MAX - 1, &value))
    return params_refuse(call, path, "expected the id of an operation or a value");
  *out = (uint32_t)value;
  return true;
}

static bool read_edit(method_call *call, json_cursor *c, session_edit *e) {
  static const char *const KINDS[EDIT_KINDS] = {
      "insert",        "remove",          "replace",         "retype", "rewire", "symbol",
      "remove_symbol", "insert_argument", "remove_argument", "assume", "retract"};
  json_slice key;
  bool has_position = false, has_with = false;
  *e = (session_edit){.kind = EDIT_KINDS, .op = ID_NONE, .value = VALUE_NONE, .with = VALUE_NONE};
  if (!cursor_enter(c, '{')) return params_refuse(call, "params.edits", "expected objects");
  json_slice with = {0}, name = {0};
  for (bool first = true; cursor_next_key(c, first, &key); first = false) {
    unsigned kind = 0;
    while (kind < EDIT_KINDS && !slice_is(key, KINDS[kind])) kind++;
    if (kind < EDIT_KINDS) {
      if (e->kind != EDIT_KINDS) return params_refuse(call, "params.edits", "one thing at a time");
      e->kind = (session_edit_kind)kind;
    }
    bool good = true;
    if (slice_is(key, "remove") || slice_is(key, "replace")) {
      good = read_number(call, c, "params.edits", &e->op);
    } else if (slice_is(key, "before") || slice_is(key, "after")) {
      e->after = slice_is(key, "after");
      has_position = true;
      good = read_number(call, c, "params.edits", &e->op);
    } else if (slice_is(key, "retype") || slice_is(key, "rewire") ||
               slice_is(key, "remove_argument")) {
      good = read_number(call, c, "params.edits", &e->value);
    } else if (slice_is(key, "name")) {
      if (!cursor_string(c, &name))
        return params_refuse(call, "params.edits", "a name is a string");
    } else if (slice_is(key, "with")) {
      with = params_value(c);
      has_with = true;
    } else if (kind < EDIT_KINDS) {
      json_slice text = edit_text(c, kind >= EDIT_REMOVE_SYMBOL && kind != EDIT_INSERT_ARGUMENT);
      e->text = text.text;
      e->length = text.length;
    } else {
      cursor_skip(c);
    }
    if (!good) return false;
  }
  if (e->kind == EDIT_KINDS) return params_refuse(call, "params.edits", "an edit without a kind");
  e->name = name.text;
  e->name_length = name.length;
  if (e->kind == EDIT_INSERT_ARGUMENT && has_position) {
    e->value = e->op;
    e->op = ID_NONE;
  }
  if (e->kind == EDIT_INSERT && !has_position)
    return params_refuse(call, "params.edits", "insert needs \"before\" or \"after\"");
  bool needs_with = e->kind == EDIT_REPLACE || e->kind == EDIT_RETYPE || e->kind == EDIT_REWIRE;
  if (needs_with != has_with)
    return params_refuse(call, "params.edits",
                         "replace, retype and rewire have a \"with\", and no others");
  uint64_t value;
  if (e->kind == EDIT_REWIRE) {
    if (!to_id(with, UINT32_MAX - 1, &value))
      return params_refuse(call, "params.edits", "rewire with a value's id");
    e->with = (value_id)value;
  } else if (needs_with) {
    e->text = with.text;
    e->length = with.length;
  }
  return true;
}

static bool read_edits(method_call *call, json_slice text, session_edit **out, uint32_t *count) {
  json_cursor c;
  uint32_t capacity = 0;
  *out = NULL;
  *count = 0;
  cursor_init(&c, call->arena, text.text, text.length);
  if (!text.length || !cursor_enter(&c, '['))
    return params_refuse(call, "params.edits", "expected array");
  for (bool first = true; cursor_next_item(&c, first); first = false) {
    if (*count == EDITS_MAX) return params_refuse(call, "params.edits", "more than 10000 edits");
    *out = arena_grow(call->arena, *out, *count, *count + 1u, &capacity, sizeof **out);
    if (!read_edit(call, &c, &(*out)[(*count)++])) return false;
  }
  return *count || params_refuse(call, "params.edits", "there is none");
}

bool method_session_edit(method_call *call) {
  session_params p;
  session_edit *edits;
  uint32_t count;
  session_changes changes;
  session_failure failure;
  if (!take(call, &p) || !read_edits(call, p.edits, &edits, &count)) return false;
  const program_limits *limits = &call->limits->program;
  session_bound(call->taken, limits->nodes, limits->rank);
  if (!session_edit_all(call->taken, edits, count, session_read_fragment, &changes, &failure)) {
    program_excess excess;
    bool within = program_nodes_within(limits, failure.ops, &excess) &&
                  program_rank_within(limits, failure.rank, &excess);
    return within ? fail_with(call, &failure) : over_limit(call, &excess);
  }
  session_write_changes(call, NULL, &changes);
  return true;
}

// --- assumptions for a while

static bool read_texts(method_call *call, json_slice text, graph_assumption **out,
                       uint32_t *count) {
  json_cursor c;
  json_slice item;
  uint32_t capacity = 0;
  *out = NULL;
  *count = 0;
  cursor_init(&c, call->arena, text.text, text.length);
  if (!text.length || !cursor_enter(&c, '['))
    return params_refuse(call, "params.assume", "expected array");
  for (bool first = true; cursor_next_item(&c, first); first = false) {
    if (!cursor_string(&c, &item) || item.length > UINT16_MAX)
      return params_refuse(call, "params.assume", "expected texts of at most 65535 bytes");
    *out = arena_grow(call->arena, *out, *count, *count + 1u, &capacity, sizeof **out);
    (*out)[(*count)++] =
        (graph_assumption){item.text, (uint32_t)item.length, SPAN_NONE, false, false};
  }
  return true;
}

bool method_session_push(method_call *call) {
  session_params p;
  graph_assumption *assumptions;
  uint32_t count;
  session_changes changes;
  session_failure failure;
  if (!take(call, &p) || !read_texts(call, p.assume, &assumptions, &count)) return false;
  if (!session_push(call->taken, assumptions, count, &changes, &failure))
    return fail_with(call, &failure);
  session_write_changes(call, NULL, &changes);
  return true;
}

bool method_session_pop(method_call *call) {
  session_params p;
  session_changes changes;
  session_failure failure;
  if (!take(call, &p)) return false;
  if (!session_pop(call->taken, &changes, &failure)) return fail_with(call, &failure);
  session_write_changes(call, NULL, &changes);
  return true;
}

// --- opening and closing

static infer_binding *read_bindings(method_call *call, const shape_options *q) {
  shape_budget budget;
  budget_init(&budget, call->arena, UINT64_MAX, call->stop);
  infer_binding *list =
      arena_alloc(call->arena, ((size_t)q->binding_text_count + 1) * sizeof *list);
  for (uint32_t i = 0; i < q->binding_text_count; i++) {
    const char *text = q->binding_texts[i], *equals = strrchr(text, '=');
    num value;
    list[i] = (infer_binding){.name = text};
    if (!equals || !num_parse(&budget, equals + 1, strlen(equals + 1), &value) ||
        !num_to_int(value, &list[i].value)) {
      params_refuse(call, "params.options.bind", "expected NAME=N");
      return NULL;
    }
    list[i].name_length = (uint32_t)(equals - text);
  }
  return list;
}

// What the caller assumes from the start becomes part of the program.
static bool assume_all(method_call *call, shape_session *s, const shape_options *q) {
  session_changes changes;
  session_failure failure;
  uint32_t count = q->assumption_count;
  if (!count) return true;
  session_edit *edits = arena_alloc(call->arena, count * sizeof *edits);
  for (uint32_t i = 0; i < count; i++)
    edits[i] = (session_edit){
        .kind = EDIT_ASSUME, .text = q->assumptions[i], .length = strlen(q->assumptions[i])};
  return session_edit_all(s, edits, count, session_read_fragment, &changes, &failure) ||
         fail_with(call, &failure);
}

bool method_session_open(method_call *call) {
  program_request q;
  session_failure failure;
  session_changes changes = {0};
  session_params p;
  if (!have_host(call) || !read_params(call, &p) || !program_request_read(call, &q)) return false;
  if (q.options.argument_types || q.options.bound_text_count)
    return params_refuse(call, "params.options", "a session takes entry, bind and assume");
  infer_binding *bindings = read_bindings(call, &q.options);
  if (!bindings) return false;
  session_source source = {q.text, q.length, q.validated, .limits = call->limits->program};
  session_start start = {.read = session_read_program,
                         .data = &source,
                         .entry = q.options.entry,
                         .bindings = bindings,
                         .binding_count = q.options.binding_text_count};
  session_limits limits = {q.limits.memory, q.limits.steps, call->limits->bits,
                           call->limits->elements};
  call->made = session_new(&limits);
  if (!call->made) {
    rpc_fail(call->failure, RPC_MEMORY, "the server is out of memory");
    return false;
  }
  session_watch(call->made, call->stop, progress_of(call));
  if (!session_open(call->made, &start, &failure)) {
    fail_with(call, &failure);
    if (source.unsupported) call->failure->code = RPC_UNSUPPORTED;
    return source.excess.limit ? over_limit(call, &source.excess) : false;
  }
  if (!assume_all(call, call->made, &q.options)) return false;
  char id[SESSION_ID_SIZE];
  if (!call->host->session_add(call->host->data, call->made, p.shared, id, call->failure))
    return false;
  call->taken = call->made;
  call->made = NULL;
  call->end_session = true;  // where its owner never hears of it
  if (q.all && !session_all(call->taken, &changes, &failure)) return fail_with(call, &failure);
  changes.appeared = session_diagnostics(call->taken);
  changes.visited = session_get_stats(call->taken).ops;
  changes.whole = true;
  session_write_changes(call, id, &changes);
  call->end_session = false;
  return true;
}

bool method_session_close(method_call *call) {
  session_params p;
  if (!take(call, &p)) return false;
  session_stats stats = session_get_stats(call->taken);
  call->end_session = true;
  json_writer w;
  json_writer_init(&w, call->out);
  json_begin_object(&w);
  json_key(&w, "edits");
  json_int(&w, (int64_t)stats.edits);
  json_key(&w, "incremental");
  json_int(&w, (int64_t)stats.incremental);
  json_key(&w, "whole");
  json_int(&w, (int64_t)stats.whole);
  json_key(&w, "visited");
  json_int(&w, (int64_t)stats.visited);
  json_end_object(&w);
  return true;
}

// --- the whole answer

bool method_session_analyze(method_call *call) {
  session_params p;
  shape_strbuf text;
  uint32_t count, binding_count;
  if (!take(call, &p)) return false;
  const shape_session *s = call->taken;
  strbuf_init(&text, call->arena);
  session_write_program(s, &text);
  const graph_assumption *pushed = session_pushed(s, &count);
  const char **assumptions = arena_alloc(call->arena, ((size_t)count + 1) * sizeof *assumptions);
  for (uint32_t i = 0; i < count; i++)
    assumptions[i] = arena_strndup(call->arena, pushed[i].text, pushed[i].length);
  const infer_binding *bound = session_bindings(s, &binding_count);
  const char **bindings = arena_alloc(call->arena, ((size_t)binding_count + 1) * sizeof *bindings);
  for (uint32_t i = 0; i < binding_count; i++) {
    shape_strbuf item;
    strbuf_init(&item, call->arena);
    strbuf_printf(&item, "%.*s=%lld", (int)bound[i].name_length, bound[i].name,
                  (long long)bound[i].value);
    bindings[i] = strbuf_text(&item);
  }
  program_request q = program_request_new(call);
  q.text = text.data;
  q.length = text.length;
  q.validated = true;
  q.limits.nodes = q.limits.rank = 0;  // it was within them when it was made
  q.options.entry = session_get_stats(s).entry;
  q.options.binding_texts = bindings;
  q.options.binding_text_count = binding_count;
  q.options.assumptions = assumptions;
  q.options.assumption_count = count;
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
