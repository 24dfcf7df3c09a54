// SPDX-License-Identifier: Apache-2.0
#include "solver/api/context.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 1 << 15 };

static void make_store(shape_context *c, void *call) {
  (void)call;
  arena_init_child(&c->scratch, c->arena);
  arena_alloc(&c->scratch, 16);
  c->empty = arena_get_mark(&c->scratch);
  c->terms = arena_alloc(c->arena, sizeof *c->terms);
  term_table_init(c->terms, c->arena, c->budget);
  c->store = store_new(c->arena, c->terms, c->budget);
  intern_init(&c->symbols.names, c->arena);
  c->probe = TERM_NONE;
}

shape_context *shape_context_new(const shape_limits *given) {
  shape_limits limits;
  api_read_struct(&limits, sizeof limits, given);
  shape_context *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->arena = &c->own_arena;
  c->budget = &c->own_budget;
  c->steps = limits.steps ? limits.steps : CONTEXT_STEPS;
  arena_init(c->arena, limits.memory ? limits.memory : ARENA_LIMIT_DEFAULT);
  c->arena->block_size = FIRST_BLOCK;
  const atomic_int *stop = limits.token ? &limits.token->stop : NULL;
  budget_init(c->budget, c->arena, c->steps, stop);
  if (limits.bits) c->budget->max_bits = limits.bits;
  c->budget->progress = limits.token ? &limits.token->steps : NULL;
  if (context_run(c, make_store, NULL)) {
    c->arena->stop = stop;  // not before: the context is whole whenever a call is cancelled
    return c;
  }
  shape_context_free(c);
  return NULL;
}

void shape_context_free(shape_context *c) {
  if (!c) return;
  arena_destroy(&c->own_arena);
  free(c);
}

const shape_error *shape_context_error(const shape_context *c) { return &c->error; }
void shape_context_clear_error(shape_context *c) { c->error = (shape_error){.status = SHAPE_OK}; }

// --- in and out

typedef struct running {
  shape_context *context;
  context_body *body;
  void *call;
} running;

// States again what is assumed, in a store without facts; scopes are opened where they were.
static void state_again(shape_context *c) {
  c->store = store_without_facts(c->store);
  for (uint32_t i = 0; i < c->symbols.count; i++) c->symbols.items[i].scoped = false;
  uint32_t scopes = c->scopes;
  c->scopes = 0;
  for (uint32_t i = 0, mark = 0; i <= c->assumption_count; i++) {
    for (; mark < c->mark_count && c->marks[mark].assumptions == i; mark++) {
      store_push(c->store, CONTEXT_SCOPE);
      c->marks[mark].scopes = c->scopes++;
    }
    if (i == c->assumption_count) break;
    context_assumption *a = &c->assumptions[i];
    divisor_list divisors = {c, c->arena, (term_id *)a->divisors, a->divisor_count,
                             a->divisor_count};
    context_state(c, a->p, &divisors, i);
    a->scopes = c->scopes;
  }
  assert(c->scopes <= scopes);
  (void)scopes;  // without asserts
  c->stale = false;
}

static void run_body(void *data) {
  running *r = data;
  if (r->context->stale) state_again(r->context);
  assert(!r->context->stale);
  r->body(r->context, r->call);
}

bool context_run(shape_context *c, context_body *body, void *call) {
  assert(c->arena && c->budget);
  running r = {c, body, call};
  if (c->stale && c->source) {
    api_fail(&c->error, SHAPE_INVALID,
             "an earlier call ended in the middle of the analysis' facts");
    return false;
  }
  budget_allow(c->budget, c->steps);
  shape_status status = arena_protect(c->arena, run_body, &r);
  if (c->scratch.next != c->empty.next || c->scratch.large) arena_rewind(&c->scratch, c->empty);
  if (status == SHAPE_OK) return true;
  api_fail(&c->error, status, "%s", shape_status_message(status));
  if (c->terms) term_table_recover(c->terms);
  c->stale = true;
  return false;
}

bool context_has(const shape_context *c, shape_expr e) { return e < c->terms->count; }

bool context_invalid(shape_context *c, const char *message) {
  api_fail(&c->error, SHAPE_INVALID, "%s", message);
  return false;
}

// --- symbols

typedef struct symbol_call {
  const char *name;
  int64_t min, max, multiple_of;
  term_id found;
} symbol_call;

static interval range_of_call(const symbol_call *s) {
  return (interval){NUM(s->min), NUM(s->max), s->min != INT64_MIN, s->max != INT64_MAX};
}

void context_take_symbol(shape_context *c, name_id name, term_id symbol) {
  assert(term_kind_of(c->terms, symbol) == TERM_SYMBOL);
  c->symbols.items = arena_grow(c->arena, c->symbols.items, c->symbols.count, c->symbols.count + 1u,
                                &c->symbols.capacity, sizeof *c->symbols.items);
  c->symbols.items[c->symbols.count] =
      (context_symbol){.name = name, .term = symbol, .multiple_of = 1};
  imap_put(&c->symbols.by_name, c->arena, name, c->symbols.count);
  imap_put(&c->symbols.by_number, c->arena, term_get(c->terms, symbol)->as.symbol,
           c->symbols.count++);
}

static void declare(shape_context *c, name_id name, symbol_call *s) {
  c->symbols.items = arena_grow(c->arena, c->symbols.items, c->symbols.count, c->symbols.count + 1u,
                                &c->symbols.capacity, sizeof *c->symbols.items);
  symbol_info info = {range_of_call(s), NUM(s->multiple_of), SYMBOL_NAMED};
  s->found = store_symbol(c->store, info);
  uint32_t index = c->symbols.count;
  assert(index < c->symbols.capacity);
  c->symbols.items[index] =
      (context_symbol){name, s->found, s->min, s->max, s->multiple_of, c->scopes > 0};
  imap_put(&c->symbols.by_name, c->arena, name, index);
  imap_put(&c->symbols.by_number, c->arena, term_get(c->terms, s->found)->as.symbol, index);
  c->symbols.count++;
}

static void find_or_declare(shape_context *c, void *call) {
  symbol_call *s = call;
  name_id name = intern_add(&c->symbols.names, s->name, strlen(s->name));
  uint32_t index;
  if (!imap_get(&c->symbols.by_name, name, &index)) {
    declare(c, name, s);
    return;
  }
  assert(index < c->symbols.count);
  const context_symbol *known = &c->symbols.items[index];
  if (known->min == s->min && known->max == s->max && known->multiple_of == s->multiple_of) {
    s->found = known->term;
  } else {
    api_fail(&c->error, SHAPE_INVALID,
             "symbol '%s' is declared already, with another range or divisor: declare it once",
             s->name);
  }
}

shape_expr shape_context_symbol(shape_context *c, const char *name, int64_t min, int64_t max,
                                int64_t multiple_of) {
  symbol_call s = {name, min, max, multiple_of, TERM_NONE};
  if (!name || !*name) {
    context_invalid(c, "a symbol has a name");
  } else if (multiple_of < 1) {
    context_invalid(c, "multiple_of is at least 1");
  } else if (min > max || (min != INT64_MIN && max != INT64_MAX && multiple_of > 1 &&
                           max / multiple_of - (max % multiple_of < 0) <
                               min / multiple_of + (min % multiple_of > 0))) {
    context_invalid(c, "no integer lies in the range of the symbol");
  } else {
    context_run(c, find_or_declare, &s);
  }
  return s.found;
}

shape_expr shape_context_dim(shape_context *c, const char *name) {
  return shape_context_symbol(c, name, 0, INT64_MAX, 1);
}

shape_expr shape_context_find(const shape_context *c, const char *name) {
  name_id id = intern_find(&c->symbols.names, name, strlen(name));
  uint32_t index;
  if (id == NAME_NONE || !imap_get(&c->symbols.by_name, id, &index)) return SHAPE_NO_EXPR;
  return c->symbols.items[index].term;
}

uint32_t shape_context_symbol_count(const shape_context *c) { return c->symbols.count; }

shape_expr shape_context_symbol_at(const shape_context *c, uint32_t index) {
  return index < c->symbols.count ? c->symbols.items[index].term : SHAPE_NO_EXPR;
}

const char *shape_context_symbol_name(const shape_context *c, uint32_t index) {
  return index < c->symbols.count ? intern_text(&c->symbols.names, c->symbols.items[index].name)
                                  : NULL;
}
