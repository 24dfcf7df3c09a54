// SPDX-License-Identifier: Apache-2.0
// How old symbols are: in the order in which a fresh analysis of the program, as it is now, would make them.
//
// That order decides which of two equal symbols represents the other, and which way products are reduced. A fresh
// analysis declares symbols, makes those of arguments, states what is given, then visits the operations in order; so the
// age of a symbol is that phase, the row, argument, predicate or operation in it (its position), and a count. Positions are
// compared by where they are in the program now. Two symbols that something speaks of never change their order: edits
// of the program remove positions and insert new ones. So terms that were built stay canonical.
// Cost: O(symbols + visits) for a new run, O(arguments) where their list was edited.
#include <assert.h>

#include "solver/session/state.h"

static uint64_t position_of(const void *data, term_age age) {
  const session_core *s = data;
  switch (age.phase) {
  case AGE_DECLARED: return s->run.rows.items[age.position].rank;
  case AGE_ARGUMENT: return s->doc.values[age.position].position;
  case AGE_OP: return s->doc.ops[age.position].order;
  default: return age.position;
  }
}

void ages_order_arguments(session_core *s) {
  func_id entry = s->run.infer->entry;
  const copy_arguments *list = &s->doc.arguments[entry];
  const graph_block *b =
      &s->doc.graph.blocks[s->doc.graph.regions[s->doc.graph.funcs[entry].body].first_block];
  uint32_t count = list->ids ? list->count : b->argument_count;
  for (uint32_t i = 0; i < count; i++)
    s->doc.values[list->ids ? list->ids[i] : b->arguments + i].position = i;
}

void ages_begin(session_core *s, age_phase phase, uint32_t position) {
  s->run.ages->next = (term_age){phase, position, 0};
}

// What came before the first predicate was given: declared symbols, arguments, and what the store made for these.
static term_age declared_age(session_core *s, uint32_t symbol, term_age before) {
  session_run *r = &s->run;
  assert(symbol < r->infer->origin_count);
  const infer_origin *o = &r->infer->origins[symbol];
  term_age age = before;
  if (o->kind == ORIGIN_DECLARED) {
    age = (term_age){AGE_DECLARED, o->graph_symbol, 0};
  } else if (o->kind == ORIGIN_ARGUMENT_SIZE || o->kind == ORIGIN_ARGUMENT_VALUE) {
    const infer_frame *f = &r->infer->frames[0];
    const graph_block *b =
        &r->graph.blocks[r->graph.regions[r->graph.funcs[f->func].body].first_block];
    age = (term_age){AGE_ARGUMENT, r->graph.values[b->arguments + o->argument].at, 0};
  } else if (o->kind == ORIGIN_OPAQUE) {
    r->odd_arguments = true;
  }
  bool same = age.phase == before.phase && age.position == before.position;
  age.serial = same ? before.serial + 1 : 0;
  return age;
}

// Symbols are numbered in the order in which they are made, so each phase ends where the next one begins.
static void tell_ages(session_core *s, term_age *of, uint32_t count) {
  const session_run *r = &s->run;
  const infer_log *log = &r->log;
  term_age age = {AGE_DECLARED, ID_NONE, 0};
  uint32_t given = 0, step = 0;
  for (uint32_t i = 0; i < count; i++) {
    term_age before = age;
    for (; given < log->given_count && log->given[given].symbols <= i; given++) {
      assert(given < r->index.given_count);
      const run_given *g = &r->index.given[given];
      age = (term_age){AGE_GIVEN + g->kind, g->label, 0};
    }
    for (; step < log->step_count && log->steps[step].symbols <= i; step++) {
      const infer_step *t = &log->steps[step];
      bool own = t->op != ID_NONE && !t->frame && run_is_own(s, t->op);
      op_id op = own ? r->graph.ops[t->op].span.begin : ID_NONE;
      if (age.phase < AGE_OTHERS) age = (term_age){AGE_OTHERS, 0, 0};
      if (own && (age.phase != AGE_OP || age.position != op)) age = (term_age){AGE_OP, op, 0};
    }
    if (i >= r->infer->walked && age.phase != AGE_END) age = (term_age){AGE_END, 0, 0};
    if (age.phase <= AGE_ARGUMENT) {
      age = declared_age(s, i, age);
    } else if (age.phase == before.phase && age.position == before.position) {
      age.serial = before.serial + 1;
    }
    of[i] = age;
    arena_poll_at(&s->arena, i);
  }
}

void ages_build(session_core *s) {
  session_run *r = &s->run;
  term_table *terms = r->infer->terms;
  term_ages *ages = arena_zalloc(run_arena(s), sizeof *ages);
  uint32_t count = terms->symbol_count;
  SESSION_GROW(run_arena(s), ages->of, 0, count + 1u, ages->capacity);
  ages->count = count;
  ages_order_arguments(s);
  tell_ages(s, ages->of, count);
  ages->position = position_of;
  ages->data = s;
  ages->next = (term_age){AGE_END, 0, 0};
  terms->ages = r->ages = ages;
}
