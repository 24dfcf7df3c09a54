// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/address.h"
#include "solver/infer/where.h"
#include "solver/session/session.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "solver/base/utf8.h"
#include "solver/session/state.h"

session_core *session_new(const session_limits *limits) {
  session_core *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->limits = *limits;
  arena_init(&s->arena, limits->memory);
  arena_init_child(&s->run_arenas[0], &s->arena);
  arena_init_child(&s->run_arenas[1], &s->arena);
  arena_init_child(&s->scratch, &s->arena);
  for (int i = 0; i < 2; i++) {
    arena_init_child(&s->reported.arenas[i], &s->arena);
    s->reported.starts[i] = arena_get_mark(&s->reported.arenas[i]);
  }
  s->scratch_start = arena_get_mark(&s->scratch);
  return s;
}

void session_free(session_core *s) {
  if (!s) return;
  arena_destroy(&s->arena);
  free(s);
}

size_t session_bytes(const session_core *s) {
  return sizeof *s + s->arena.bytes + s->run_arenas[0].bytes + s->run_arenas[1].bytes +
         s->scratch.bytes + s->reported.arenas[0].bytes + s->reported.arenas[1].bytes;
}

void session_watch(session_core *s, const atomic_int *stop, atomic_uint_least64_t *progress) {
  s->budget.stop = s->arena.stop = stop;
  s->budget.progress = progress;
}

void session_bound(session_core *s, uint64_t ops, uint64_t rank) {
  s->ops_max = ops;
  s->rank_max = rank;
}

// --- calls: a body under protection, with a budget of its own

typedef struct session_call {
  session_core *s;
  bool (*body)(struct session_call *call);
  const session_start *start;
  const session_edit *edits;
  uint32_t count;
  session_fragment_reader *read;
  const graph_assumption *assumptions;
  session_changes *out;
  session_query_kind kind;
  const char *text;
  size_t length;
  session_reply *reply;
  const char **where;
  session_failure *failure;
  bool good;
} session_call;

static void run_body(void *data) {
  session_call *call = data;
  if (call->s->doc.open) document_room(&call->s->doc);  // where a call ended in the middle of it
  call->good = call->body(call);
}

// Whatever way a call fails, the program is what it was; a run that may be half changed is made anew by the next call.
// A call that reports what changes.
static session_call changing(session_core *s, bool (*body)(session_call *call),
                             session_changes *out, session_failure *failure) {
  *out = (session_changes){0};
  return (session_call){.s = s, .body = body, .out = out, .failure = failure};
}

static bool run_call(session_call *call) {
  session_core *s = call->s;
  const atomic_int *stop = s->budget.stop;
  atomic_uint_least64_t *progress = s->budget.progress;
  session_failure ignored;
  if (!call->failure) call->failure = &ignored;
  *call->failure = (session_failure){.status = SHAPE_OK, .edit = ID_NONE};
  arena_rewind(&s->scratch, s->scratch_start);
  uint64_t steps = s->limits.steps ? s->limits.steps : UINT64_MAX;
  budget_init(&s->budget, &s->arena, steps, stop);
  if (s->limits.bits) s->budget.max_bits = s->limits.bits;
  if (s->limits.elements) s->budget.max_elements = s->limits.elements;
  s->budget.progress = progress;
  transaction_begin(&s->change);
  shape_status status = arena_protect(&s->arena, run_body, call);
  if (status != SHAPE_OK) {
    call->good = false;
    if (call->failure->status == SHAPE_OK) call->failure->status = status;
    s->run.valid = false;
    run_forget_aside(s);
    if (s->doc.open) stable_recover(s);
  }
  if (!call->good) transaction_roll_back(&s->change, &s->doc, &s->pushes);
  transaction_end(&s->change, &s->doc);
  return call->good;
}

// --- answers

static void keep_changes(session_core *s, const change_list *list) {
  for (uint32_t i = 0; i < list->count; i++)
    s->doc.values[list->items[i].value].shape = list->items[i].after;
}

static int by_value(const void *a, const void *b) {
  value_id x = ((const session_change *)a)->value, y = ((const session_change *)b)->value;
  return x < y ? -1 : x > y;
}

// A value that is noted twice, as two paths lead to it, has its last shape.
static void sort_changes(change_list *list) {
  if (!list->count) return;
  for (uint32_t i = 0; i + 1 < list->count; i++) {
    if (list->items[i].value > list->items[i + 1].value) {
      qsort(list->items, list->count, sizeof *list->items, by_value);
      break;
    }
  }
}

// What happens in here can not be taken back, so it keeps nothing until it is certain of everything.
static void finish(session_call *call, change_list *list, uint32_t visited, bool whole) {
  session_core *s = call->s;
  session_changes *out = call->out;
  sort_changes(list);
  keep_changes(s, list);
  s->stats.visited += visited;
  transaction_commit(&s->change);
  out->version = ++s->doc.version;
  out->values = list->items;
  out->value_count = list->count;
  out->visited = visited;
  out->whole = whole;
}

// Analyses what changed, the rest of a call. keep: the run is worth keeping for what takes the change back.
static bool settle(session_call *call, bool keep) {
  session_core *s = call->s;
  change_list list = {0};
  uint32_t visited = 0;
  bool affected = affected_follow(s, &list, &visited);
  if (affected) {
    s->stats.incremental++;
  } else {
    list.count = 0;
    if (keep && !s->run.spoiled) run_put_aside(s);
    run_whole(s);
    run_compare(s, &list);
    visited = s->run.graph.op_count;
    s->stats.whole++;
  }
  // With the first edit it has become that of another program.
  if (s->aside.there && s->aside.version) run_forget_aside(s);
  sort_changes(&list);
  run_keep_changes(s, &list);
  diags_report(s, call->out);
  finish(call, &list, visited, !affected);
  assert(document_in_step(&s->doc) && run_in_step(s));
  return true;
}

// The run is made anew where a failure left none; it says what was reported already.
static void need_run(session_core *s) {
  if (!s->run.valid) run_whole(s);
}

// --- opening

static void copy_bindings(session_core *s, const session_start *start) {
  uint32_t count = start->binding_count;
  s->doc.bindings = arena_alloc(&s->arena, ((size_t)count + 1) * sizeof *s->doc.bindings);
  s->doc.binding_count = count;
  for (uint32_t i = 0; i < count; i++) {
    s->doc.bindings[i] = start->bindings[i];
    s->doc.bindings[i].name =
        arena_strndup(&s->arena, start->bindings[i].name, start->bindings[i].name_length);
  }
  if (start->entry) s->doc.entry = arena_strndup(&s->arena, start->entry, strlen(start->entry));
}

static bool program_fails(const shape_graph *g, session_failure *failure) {
  const diag *d = NULL;
  for (uint32_t i = 0; i < g->diags.count && !d; i++)
    if (g->diags.items[i].severity == DIAG_ERROR) d = &g->diags.items[i];
  if (d && g->source.length && !span_is_none(d->span)) {
    source_position at = source_position_by_scan(&g->source, d->span.begin);
    failure->line = at.line;
    failure->column = at.column;
  }
  failure->code = d ? d->code : NULL;
  return edit_fail(failure, SHAPE_SYNTAX, "%s", d ? d->message : "the program has errors");
}

static bool open_body(session_call *call) {
  session_core *s = call->s;
  const session_start *start = call->start;
  graph_init(&s->doc.graph, &s->arena, GRAPH_JSON, "", 0);
  start->read(&s->doc.graph, &s->budget, start->data);
  if (s->doc.graph.diags.errors) {
    return program_fails(&s->doc.graph, call->failure);
  }
  document_adopt(&s->doc);
  copy_bindings(s, start);
  stable_open(s);
  s->doc.open = true;
  s->change.structural = true;
  session_changes changes = {0};
  call->out = &changes;
  return settle(call, false);
}

bool session_open(session_core *s, const session_start *start, session_failure *failure) {
  session_call call = {.s = s, .body = open_body, .start = start, .failure = failure};
  return run_call(&call);
}

// --- editing

static bool edit_body(session_call *call) {
  session_core *s = call->s;
  need_run(s);
  op_id *inserted = arena_alloc(&s->scratch, ((size_t)call->count + 1) * sizeof *inserted);
  value_id *arguments = arena_alloc(&s->scratch, ((size_t)call->count + 1) * sizeof *arguments);
  for (uint32_t i = 0; i < call->count; i++) {
    inserted[i] = ID_NONE;
    arguments[i] = VALUE_NONE;
    call->failure->edit = i;
    if (!edit_apply(s, &call->edits[i], call->read, &inserted[i], &arguments[i], call->failure))
      return false;
    assert(document_in_step(&s->doc) && run_in_step(s));
  }
  call->failure->edit = ID_NONE;
  if (s->ops_max && s->doc.op_count > s->ops_max) {
    call->failure->ops = s->doc.op_count;
    return edit_fail(call->failure, SHAPE_SIZE, "%s", "too many operations");
  }
  if (!edit_validate(s, call->failure)) return false;
  if (!settle(call, false)) return false;
  call->out->inserted = inserted;
  call->out->arguments = arguments;
  call->out->inserted_count = call->count;
  s->stats.edits++;
  return true;
}

bool session_edit_all(session_core *s, const session_edit *edits, uint32_t count,
                      session_fragment_reader *read, session_changes *out,
                      session_failure *failure) {
  session_call call = changing(s, edit_body, out, failure);
  call.edits = edits;
  call.count = count;
  call.read = read;
  return run_call(&call);
}

static bool push_body(session_call *call) {
  session_core *s = call->s;
  SESSION_GROW(&s->arena, s->pushes.levels, s->pushes.level_count, s->pushes.level_count + 1u,
               s->pushes.level_capacity);
  SESSION_GROW(&s->arena, s->pushes.items, s->pushes.count, s->pushes.count + call->count,
               s->pushes.capacity);
  transaction_step(&s->change, &s->arena, UNDO_LEVELS, s->pushes.count)->was =
      s->pushes.level_count;
  s->change.pushed_from = s->pushes.count;
  s->pushes.levels[s->pushes.level_count++] = s->pushes.count;
  for (uint32_t i = 0; i < call->count; i++) {
    const graph_assumption *a = &call->assumptions[i];
    graph_assumption *own = &s->pushes.items[s->pushes.count++];
    *own = *a;
    own->text = arena_strndup(&s->arena, a->text, a->length);
    own->span = SPAN_NONE;
  }
  return settle(call, true);
}

bool session_push(session_core *s, const graph_assumption *assumptions, uint32_t count,
                  session_changes *out, session_failure *failure) {
  session_call call = changing(s, push_body, out, failure);
  call.assumptions = assumptions;
  call.count = count;
  return run_call(&call);
}

static bool pop_body(session_call *call) {
  session_core *s = call->s;
  if (!s->pushes.level_count) return edit_fail(call->failure, SHAPE_INVALID, "nothing was pushed");
  transaction_step(&s->change, &s->arena, UNDO_LEVELS, s->pushes.count)->was =
      s->pushes.level_count;
  s->pushes.count = s->change.popped_to = s->pushes.levels[--s->pushes.level_count];
  change_list list = {0};
  if (!run_take_up(s, &list)) return settle(call, false);
  diags_report(s, call->out);
  finish(call, &list, 0, false);
  s->stats.incremental++;
  return true;
}

bool session_pop(session_core *s, session_changes *out, session_failure *failure) {
  session_call call = changing(s, pop_body, out, failure);
  return run_call(&call);
}

static bool all_body(session_call *call) {
  session_core *s = call->s;
  change_list list = {0};
  for (value_id v = 0; v < s->doc.graph.value_count; v++) {
    if (!s->doc.values[v].there) continue;
    SESSION_GROW(&s->scratch, list.items, list.count, list.count + 1u, list.capacity);
    list.items[list.count++] = (session_change){v, SHAPE_NONE, s->doc.values[v].shape};
  }
  *call->out = (session_changes){.version = s->doc.version,
                                 .values = list.items,
                                 .value_count = list.count,
                                 .appeared = {s->reported.diags, s->reported.count},
                                 .whole = true};
  return true;
}

bool session_all(session_core *s, session_changes *out, session_failure *failure) {
  session_call call = {.s = s, .body = all_body, .out = out, .failure = failure};
  return run_call(&call);
}

// --- reading

const session_shape *session_shape_of(const session_core *s, shape_key key) {
  return key == SHAPE_NONE ? NULL : &s->names.shapes[key];
}
bool session_has_op(const session_core *s, op_id op) {
  return op < s->doc.graph.op_count && op < s->doc.op_capacity && s->doc.ops[op].there;
}
bool session_has_value(const session_core *s, value_id v) {
  return v < s->doc.graph.value_count && v < s->doc.value_capacity && s->doc.values[v].there;
}
shape_key session_value_shape(const session_core *s, value_id v) {
  return session_has_value(s, v) ? s->doc.values[v].shape : SHAPE_NONE;
}
const shape_graph *session_graph(const session_core *s) { return &s->doc.graph; }
uint64_t session_version(const session_core *s) { return s->doc.version; }
uint32_t session_depth(const session_core *s) { return s->pushes.level_count; }
session_diags session_diagnostics(const session_core *s) {
  return (session_diags){s->reported.diags, s->reported.count};
}

session_stats session_get_stats(const session_core *s) {
  session_stats stats = s->stats;
  stats.ops = s->doc.op_count;
  stats.values = s->run.graph.value_count;
  stats.symbols = s->names.symbols.keys.count;
  stats.entry = s->doc.entry;
  return stats;
}

// A call that ended in the middle of an edit may have left rows of the graph that no table knows yet: they are gone.
static const uint8_t *gone_of(shape_arena *arena, const uint8_t *known, uint32_t capacity,
                              uint32_t rows) {
  if (capacity >= rows) return known;
  uint8_t *gone = arena_alloc(arena, rows);
  memset(gone, 1, rows);
  if (capacity) memcpy(gone, known, capacity);
  return gone;
}

void session_program(const session_core *s, shape_graph *graph) {
  graph_copier copier;
  copier_init(&copier, &s->doc.graph, graph, graph->arena);
  copier.arguments = s->doc.arguments;
  copier.argument_lists = s->doc.graph.func_count;
  copy_program(&copier,
               gone_of(graph->arena, s->doc.symbol_gone, s->doc.symbol_gone_capacity,
                       s->doc.graph.declared.symbol_count),
               gone_of(graph->arena, s->doc.assumption_gone, s->doc.assumption_gone_capacity,
                       s->doc.graph.declared.assumption_count));
}

const infer_binding *session_bindings(const session_core *s, uint32_t *count) {
  *count = s->doc.binding_count;
  return s->doc.bindings;
}

const graph_assumption *session_pushed(const session_core *s, uint32_t *count) {
  *count = s->pushes.count;
  return s->pushes.items;
}

// --- queries

// A dim, or the integer that the value holds.
static term_id value_term(session_core *s, value_id v, uint32_t axis) {
  if (!session_has_value(s, v)) return TERM_NONE;
  value_id own = copy_of(&s->run.copier.values, v);
  const infer_frame *f = s->run.infer->frame_count ? &s->run.infer->frames[0] : NULL;
  if (own == ID_NONE || !f || own < f->value_base || own >= f->value_base + s->run.value_room)
    return TERM_NONE;
  return infer_term_of(&f->values[own - f->value_base], axis);
}

// v17.0
static term_id value_size(session_core *s, const char *name, size_t length) {
  uint64_t number[2] = {0, 0};
  int part = 0;
  bool digits = false;
  if (length < 4 || *name != 'v') return TERM_NONE;
  for (size_t i = 1; i < length; i++) {
    if (name[i] == '.' && !part && digits) {
      part = 1;
      digits = false;
      continue;
    }
    if (name[i] < '0' || name[i] > '9' || number[part] > UINT32_MAX) return TERM_NONE;
    number[part] = number[part] * 10 + (uint64_t)(name[i] - '0');
    digits = true;
  }
  if (!part || !digits || number[0] >= VALUE_NONE || number[1] >= ID_NONE) return TERM_NONE;
  return value_term(s, (value_id)number[0], (uint32_t)number[1]);
}

static bool has_value(const void *data, value_id v) { return session_has_value(data, v); }

static func_id entry_of(const session_core *s) {
  const char *name = s->doc.entry ? s->doc.entry : "main";
  func_id found = graph_find_func(&s->doc.graph, 0, name, strlen(name));
  return found == ID_NONE && s->doc.graph.func_count == 1 ? 0 : found;
}

const char *session_address(const session_core *s, const char *text, size_t length, value_id *value,
                            uint32_t *axis) {
  graph_address found;
  const char *error =
      graph_address_read(&s->doc.graph, text, length, entry_of(s), has_value, s, &found);
  *value = error ? VALUE_NONE : found.value;
  *axis = error ? ID_NONE : found.axis;
  return error;
}

op_id session_address_op(const session_core *s, const char *text, size_t length) {
  op_id op = graph_address_op(&s->doc.graph, text, length, entry_of(s), has_value, s);
  return op != ID_NONE && session_has_op(s, op) ? op : ID_NONE;
}

static term_id name_term(void *data, const char *name, size_t length) {
  session_core *s = data;
  value_id value;
  uint32_t axis;
  if (*name == '%' && !session_address(s, name, length, &value, &axis))
    return value_term(s, value, axis);
  term_id size = value_size(s, name, length);
  if (size != TERM_NONE) return size;
  uint32_t symbol = stable_find(s, name, length);
  if (symbol != ID_NONE) return store_symbol_term(s->run.infer->store, symbol);
  const infer_result *infer = s->run.infer;
  return infer->frame_count ? infer_argument_term(infer, &s->run.graph, 0, name, length)
                            : TERM_NONE;
}

static void find_reasons(session_core *s, predicate p, session_reply *out) {
  shape_store *store = s->run.infer->store;
  shape_answer answer = out->answer.answer;
  fact_id facts[SESSION_REASONS_MAX];
  uint32_t count = 0;
  if (answer == SHAPE_UNKNOWN || out->conflict) return;
  if (answer == SHAPE_NO && p.rel == REL_DIVISIBLE) return;
  if (answer == SHAPE_NO) p = predicate_make(relation_not(p.rel), p.left, p.right);
  if (!store_explain(store, p, facts, SESSION_REASONS_MAX, &count)) return;
  if (count > SESSION_REASONS_MAX) count = SESSION_REASONS_MAX;
  session_reason *list = arena_alloc(&s->scratch, (count + 1) * sizeof *list);
  for (uint32_t i = 0; i < count; i++) {
    const reason *why = &store_fact(store, facts[i])->why;
    bool own = why->kind == REASON_OP && why->subject < s->run.graph.op_count && !why->frame &&
               run_is_own(s, why->subject);
    list[i] = (session_reason){own ? s->run.graph.ops[why->subject].span.begin : ID_NONE, why->rule,
                               why->what ? why->what : "it is declared so"};
  }
  out->reasons = list;
  out->reason_count = count;
}

static bool ask_body(session_call *call) {
  session_core *s = call->s;
  need_run(s);
  term_parser parser = {.terms = s->run.infer->terms, .symbol = name_term, .data = s};
  predicate p;
  term_id t = TERM_NONE;
  bool holds = call->kind == ASK_HOLDS || call->kind == ASK_WHY;
  bool good =
      holds ? term_parse_predicate(&parser, call->text, call->length, &p.rel, &p.left, &p.right)
            : term_parse_expr(&parser, call->text, call->length, &t);
  if (!good && parser.unknown)
    return edit_fail(call->failure, SHAPE_INVALID, "unknown symbol '%.*s'",
                     (int)utf8_cut(parser.unknown, parser.unknown_length, 60), parser.unknown);
  if (!good)
    return edit_fail(call->failure, SHAPE_INVALID, "at %zu: %s", parser.error_at + 1,
                     parser.error ? parser.error : "not understood");
  shape_store *store = s->run.infer->store;
  session_reply *out = call->reply;
  switch (call->kind) {
  case ASK_HOLDS:
  case ASK_WHY:
    out->answer = store_ask(store, p);
    out->conflict = out->answer.conflict;
    if (call->kind == ASK_WHY) find_reasons(s, p, out);
    break;
  case ASK_BOUNDS: out->conflict = !store_bounds(store, t, &out->bounds); break;
  case ASK_SIMPLIFY: out->text = stable_text(s, stable_term(s, store_simplify(store, t))); break;
  }
  return true;
}

bool session_ask(session_core *s, session_query_kind kind, const char *text, size_t length,
                 session_reply *out, session_failure *failure) {
  *out = (session_reply){0};
  session_call call = {.s = s,
                       .body = ask_body,
                       .kind = kind,
                       .text = text,
                       .length = length,
                       .reply = out,
                       .failure = failure};
  return run_call(&call);
}

// --- checking

static bool verify_body(session_call *call) {
  session_core *s = call->s;
  run_whole(s);
  change_list list = {0};
  run_compare(s, &list);
  shape_strbuf text;
  strbuf_init(&text, &s->scratch);
  if (!diags_differ(s, &text) && !list.count) return true;
  for (uint32_t i = 0; i < list.count && i < 4; i++) {
    const session_shape *a = session_shape_of(s, list.items[i].before);
    const session_shape *b = session_shape_of(s, list.items[i].after);
    strbuf_printf(&text, "value %u: kept %s", list.items[i].value, a ? a->type : "-");
    for (uint32_t k = 0; a && k < a->rank; k++)
      strbuf_printf(&text, " %s", a->dims[k] ? a->dims[k] : "?");
    strbuf_printf(&text, ", fresh %s", b ? b->type : "-");
    for (uint32_t k = 0; b && k < b->rank; k++)
      strbuf_printf(&text, " %s", b->dims[k] ? b->dims[k] : "?");
    strbuf_puts(&text, "\n");
  }
  *call->where = strbuf_text(&text);
  return false;
}

bool session_verify(session_core *s, const char **where) {
  session_call call = {.s = s, .body = verify_body, .where = where};
  *where = "the analysis failed";
  return run_call(&call);
}
