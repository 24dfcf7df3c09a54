// SPDX-License-Identifier: Apache-2.0
#include "solver/api/session.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/formats/json/validate.h"

#define X(kind) _Static_assert((int)SHAPE_##kind == (int)kind, #kind " has another value");
X(EDIT_INSERT)
X(EDIT_REMOVE)
X(EDIT_REPLACE)
X(EDIT_RETYPE)
X(EDIT_REWIRE)
X(EDIT_SYMBOL)
X(EDIT_REMOVE_SYMBOL)
X(EDIT_INSERT_ARGUMENT)
X(EDIT_REMOVE_ARGUMENT)
X(EDIT_ASSUME)
X(EDIT_RETRACT)
#undef X
_Static_assert((int)EDIT_KINDS == (int)SHAPE_EDIT_RETRACT + 1, "a kind is missing in the header");

// --- calls

bool session_begin(shape_session *s) {
  s->changes = (session_changes){0};
  s->counts = (shape_changes){0};
  s->failed_edit = SHAPE_NO_ID;
  s->excess = (program_excess){0};
  arena_rewind(&s->texts, s->empty);
  if (!s->open) api_fail(&s->error, SHAPE_INVALID, "the session is not open");
  return s->open;
}

shape_status session_fail(shape_session *s, const session_failure *f) {
  assert(f->status != SHAPE_OK);
  if (s->excess.limit || !program_nodes_within(&s->limits, f->ops, &s->excess) ||
      !program_rank_within(&s->limits, f->rank, &s->excess)) {
    api_fail_with(&s->error, SHAPE_SIZE, s->excess.message);
  } else {
    s->failed_edit = f->edit;
    api_fail_with(&s->error, f->status, f->message);
    s->error.line = f->line;
    s->error.column = f->column;
    snprintf(s->error.code, sizeof s->error.code, "%s", f->code ? f->code : "");
  }
  return s->error.status;
}

shape_status session_with_texts(shape_session *s, void (*body)(void *data), void *data) {
  shape_status status = arena_protect(&s->texts, body, data);
  if (status != SHAPE_OK) api_fail_with(&s->error, status, "");
  return status;
}

static shape_status changed(shape_session *s, bool good, const session_failure *failure) {
  if (!good) {
    s->changes = (session_changes){0};
    return session_fail(s, failure);
  }
  const session_changes *c = &s->changes;
  assert(s->open && (c->values || !c->value_count));
  s->counts = (shape_changes){c->value_count,    c->appeared.count, c->vanished.count,
                              c->inserted_count, c->visited,        c->whole};
  return SHAPE_OK;
}

void shape_session_set_limits(shape_session *s, const shape_limits *given) {
  shape_limits limits;
  api_read_struct(&limits, sizeof limits, given);
  shape_token *token = limits.token;
  s->texts.stop = token ? &token->stop : (const atomic_int *)limits.stop;
  session_watch(s->core, s->texts.stop,
                token ? &token->steps : (atomic_uint_least64_t *)limits.progress);
  s->limits = (program_limits){limits.nodes, limits.rank};
  session_bound(s->core, limits.nodes, limits.rank);
}

const shape_error *shape_session_error(const shape_session *s) { return &s->error; }
uint32_t shape_session_failed_edit(const shape_session *s) { return s->failed_edit; }
const shape_changes *shape_session_changes(const shape_session *s) { return &s->counts; }

const char *shape_session_limit(const shape_session *s, uint64_t *value) {
  *value = s->excess.value;
  return s->excess.limit;
}

// --- opening

static bool takes(const shape_options *o) {
  return !o->argument_types && !o->bound_count && !o->bound_text_count && !o->binding_text_count &&
         !o->warnings_are_errors && !o->refinable && !o->certify && !o->find_bounds;
}

typedef struct opening {
  shape_session *session;
  const shape_options *options;
  infer_binding *bindings;
  session_edit *assumptions;
} opening;

static void take_options(void *data) {
  opening *x = data;
  const shape_options *o = x->options;
  shape_arena *arena = &x->session->texts;
  x->bindings = arena_alloc(arena, ((size_t)o->binding_count + 1) * sizeof *x->bindings);
  for (uint32_t i = 0; i < o->binding_count; i++) {
    const shape_binding *b = &o->bindings[i];
    x->bindings[i] = (infer_binding){
        .name = b->name, .name_length = (uint32_t)strlen(b->name), .value = b->value};
  }
  x->assumptions = arena_alloc(arena, ((size_t)o->assumption_count + 1) * sizeof *x->assumptions);
  for (uint32_t i = 0; i < o->assumption_count; i++) {
    const char *text = o->assumptions[i];
    x->assumptions[i] = (session_edit){.kind = EDIT_ASSUME, .text = text, .length = strlen(text)};
  }
}

static void open_program(shape_session *s, shape_program *p, const shape_options *o) {
  opening x = {.session = s, .options = o};
  session_failure failure;
  if (session_with_texts(s, take_options, &x) != SHAPE_OK) return;
  session_source source = {
      .text = p->bytes, .length = p->length, .validated = p->validated, .limits = s->limits};
  const session_start start = {.read = session_read_program,
                               .data = &source,
                               .entry = o->entry,
                               .bindings = x.bindings,
                               .binding_count = o->binding_count};
  if (!session_open(s->core, &start, &failure)) {
    if (source.unsupported) failure.status = SHAPE_UNSUPPORTED;
    s->excess = source.excess;
    session_fail(s, &failure);
    return;
  }
  if (o->assumption_count && !session_edit_all(s->core, x.assumptions, o->assumption_count,
                                               session_read_fragment, &s->changes, &failure)) {
    changed(s, false, &failure);
    return;
  }
  s->changes = (session_changes){.appeared = session_diagnostics(s->core),
                                 .visited = session_get_stats(s->core).ops,
                                 .whole = true};
  s->open = true;
  changed(s, true, NULL);
}

shape_session *shape_session_open(shape_program *p, const shape_options *given) {
  shape_options o;
  api_read_struct(&o, sizeof o, given);
  shape_session *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  const session_limits limits = {p->limits.memory, p->limits.steps, p->limits.bits,
                                 p->limits.elements};
  s->core = session_new(&limits);
  if (!s->core) {
    free(s);
    return NULL;
  }
  arena_init(&s->texts, p->limits.memory);
  s->empty = arena_get_mark(&s->texts);
  s->failed_edit = SHAPE_NO_ID;
  shape_session_set_limits(s, &p->limits);
  if (!takes(&o)) {
    api_fail(&s->error, SHAPE_INVALID,
             "expected no other options than entry, bindings and assumptions");
  } else if (!program_has_bytes(p)) {
    s->error = p->error;
  } else {
    open_program(s, p, &o);
  }
  return s;
}

void shape_session_free(shape_session *s) {
  if (!s) return;
  session_free(s->core);
  arena_destroy(&s->texts);
  free(s);
}

// --- editing

// Whether the text of an edit is JSON; else it is a name or a predicate.
static bool has_json(session_edit_kind kind) {
  return kind == EDIT_INSERT || kind == EDIT_REPLACE || kind == EDIT_RETYPE ||
         kind == EDIT_SYMBOL || kind == EDIT_INSERT_ARGUMENT;
}

typedef struct edit_call {
  shape_session *session;
  const shape_edit *given;
  uint32_t count, failed;
  session_edit *edits;
  json_error error;
} edit_call;

static bool take_edit(edit_call *x, const shape_edit *e, session_edit *out) {
  shape_arena *arena = &x->session->texts;
  const char *text = e->text ? e->text : "", *name = e->name ? e->name : "";
  *out = (session_edit){.kind = (session_edit_kind)e->kind,
                        .op = e->op,
                        .after = e->after,
                        .value = e->value,
                        .with = e->with,
                        .text = text,
                        .length = strlen(text),
                        .name = name,
                        .name_length = strlen(name)};
  if ((unsigned)e->kind >= EDIT_KINDS) {
    x->error.status = SHAPE_INVALID;
    memcpy(x->error.message, "there is no such edit", sizeof "there is no such edit");
    return false;
  }
  return !has_json(out->kind) ||
         json_validate(arena, NULL, text, out->length, &out->text, &out->length, &x->error);
}

static void take_edits(void *data) {
  edit_call *x = data;
  x->edits = arena_alloc(&x->session->texts, ((size_t)x->count + 1) * sizeof *x->edits);
  while (x->failed < x->count && take_edit(x, &x->given[x->failed], &x->edits[x->failed]))
    x->failed++;
}

shape_status shape_session_edit(shape_session *s, const shape_edit *edits, uint32_t count) {
  edit_call x = {.session = s, .given = edits, .count = count};
  session_failure failure;
  if (!session_begin(s)) return s->error.status;
  shape_status status = session_with_texts(s, take_edits, &x);
  if (status != SHAPE_OK) return status;
  if (x.failed < count) {
    api_fail_with(&s->error, x.error.status, x.error.message);
    s->error.line = x.error.line;
    s->error.column = x.error.column;
    s->failed_edit = x.failed;
    return s->error.status;
  }
  bool good =
      session_edit_all(s->core, x.edits, count, session_read_fragment, &s->changes, &failure);
  return changed(s, good, &failure);
}

typedef struct push_call {
  shape_session *session;
  const char *const *given;
  uint32_t count;
  graph_assumption *assumptions;
} push_call;

static void take_predicates(void *data) {
  push_call *x = data;
  x->assumptions = arena_alloc(&x->session->texts, ((size_t)x->count + 1) * sizeof *x->assumptions);
  for (uint32_t i = 0; i < x->count; i++) {
    size_t length = strlen(x->given[i]);
    if (length > UINT16_MAX) arena_fail(&x->session->texts, SHAPE_SIZE);
    x->assumptions[i] =
        (graph_assumption){.text = x->given[i], .length = (uint32_t)length, .span = SPAN_NONE};
  }
}

shape_status shape_session_push(shape_session *s, const char *const *predicates, uint32_t count) {
  push_call x = {s, predicates, count, NULL};
  session_failure failure;
  if (!session_begin(s)) return s->error.status;
  shape_status status = session_with_texts(s, take_predicates, &x);
  if (status != SHAPE_OK) return status;
  return changed(s, session_push(s->core, x.assumptions, count, &s->changes, &failure), &failure);
}

shape_status shape_session_pop(shape_session *s) {
  session_failure failure;
  if (!session_begin(s)) return s->error.status;
  return changed(s, session_pop(s->core, &s->changes, &failure), &failure);
}

shape_status shape_session_all(shape_session *s) {
  session_failure failure;
  if (!session_begin(s)) return s->error.status;
  bool good = session_all(s->core, &s->changes, &failure);
  s->changes.visited = session_get_stats(s->core).ops;
  return changed(s, good, &failure);
}
