// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <string.h>

#include "solver/session/state.h"

static void add(session_core *s, diag_subject subject, uint32_t id, const diag *d) {
  run_diags *all = &s->run.diags;
  SESSION_GROW(run_arena(s), all->items, all->count, all->count + 1u, all->capacity);
  bool unknown = subject == DIAG_OF_OP && d->no_rule != NAME_NONE;
  all->items[all->count++] =
      (run_diag){subject, id,         d->severity,
                 d->code, d->message, unknown ? s->doc.graph.ops[id].name : NAME_NONE};
  all->changed = true;
}

// The run's graph has none from here on but those that are new.
static void empty_graph(session_core *s) {
  diag_list *list = &s->run.graph.diags;
  list->count = list->errors = 0;
}

static void note_unknown_outside(session_core *s) {
  session_run *r = &s->run;
  for (op_id op = 0; op < r->graph.op_count && !r->diags.unknown_outside; op++) {
    name_id name = r->graph.ops[op].name;
    arena_poll_at(&s->arena, op);
    if (run_is_own(s, op) ||
        registry_find(intern_text(&r->graph.names, name), intern_length(&r->graph.names, name), 0))
      continue;
    r->diags.unknown_outside = true;
  }
}

void diags_build(session_core *s) {
  session_run *r = &s->run;
  const diag_list *list = &r->graph.diags;
  r->diags = (run_diags){.changed = true};
  for (uint32_t i = 0; i < list->count; i++) {
    uint32_t label = ID_NONE, op = list->items[i].span.begin;
    for (uint32_t k = 0; k < r->log.given_count; k++) {
      if (r->log.given[k].diag == i) label = k;  // labels of a new run are the rows of its log
    }
    if (label != ID_NONE) {
      add(s, DIAG_OF_GIVEN, label, &list->items[i]);
    } else if (op < s->doc.graph.op_count) {
      add(s, DIAG_OF_OP, op, &list->items[i]);
    } else {
      add(s, DIAG_OF_NONE, ID_NONE, &list->items[i]);
    }
  }
  empty_graph(s);
  note_unknown_outside(s);
}

name_id diags_drop(session_core *s, diag_subject subject, uint32_t id) {
  run_diags *all = &s->run.diags;
  uint32_t kept = 0;
  name_id unknown = NAME_NONE;
  for (uint32_t i = 0; i < all->count; i++) {
    const run_diag d = all->items[i];
    if (d.subject == subject && d.id == id) {
      if (d.name != NAME_NONE) unknown = d.name;
    } else {
      all->items[kept++] = d;
    }
  }
  all->changed |= kept != all->count;
  all->count = kept;
  return unknown;
}

bool diags_take(session_core *s, diag_subject subject, uint32_t id) {
  diag_list *list = &s->run.graph.diags;
  bool own = true;
  for (uint32_t i = 0; i < list->count; i++) {
    own &= subject != DIAG_OF_OP || list->items[i].span.begin == id;
    add(s, subject, id, &list->items[i]);
  }
  bool fits = s->run.diags.count <= list->limit && !list->dropped;
  empty_graph(s);
  return own && fits;
}

// --- operations without a rule

bool diags_note_unknown(session_core *s, name_id name) {
  const shape_graph *g = &s->doc.graph;
  const run_diags *all = &s->run.diags;
  if (all->unknown_outside ||
      registry_find(intern_text(&g->names, name), intern_length(&g->names, name), 0))
    return false;
  op_id noted = ID_NONE,
        first = g->blocks[g->regions[g->funcs[s->run.infer->entry].body].first_block].first;
  for (uint32_t i = 0; i < all->count; i++) {
    if (all->items[i].name == name) noted = all->items[i].id;
  }
  while (first != ID_NONE && g->ops[first].name != name) first = g->ops[first].next;
  if (first == noted) return true;
  if (noted != ID_NONE) diags_drop(s, DIAG_OF_OP, noted);
  if (first == ID_NONE) return true;
  infer_note_unknown(s->run.infer, copy_of(&s->run.copier.ops, first));
  return diags_take(s, DIAG_OF_OP, first);
}

// --- as they are reported

typedef struct diag_position {
  uint32_t part, block;  // given, of the entry, of others
  uint64_t order;
} diag_position;

// Operations in regions are where the outermost operation around them is.
static diag_position position_of(const session_core *s, const run_diag *d) {
  const shape_graph *g = &s->doc.graph;
  if (d->subject == DIAG_OF_NONE) return (diag_position){0};
  if (d->subject == DIAG_OF_GIVEN) {
    for (uint32_t i = 0; i < s->run.index.given_count; i++) {
      if (s->run.index.given[i].label == d->id) return (diag_position){1, 0, i};
    }
    return (diag_position){1, 1, 0};
  }
  op_id op = d->id;
  const graph_region *region = &g->regions[g->blocks[g->ops[op].parent].region];
  while (region->op != ID_NONE) {
    op = region->op;
    region = &g->regions[g->blocks[g->ops[op].parent].region];
  }
  bool entry = region->func == s->run.infer->entry;
  return (diag_position){entry ? 2 : 3, g->ops[op].parent, s->doc.ops[op].order};
}

static bool comes_before(diag_position a, diag_position b) {
  if (a.part != b.part) return a.part < b.part;
  return a.block != b.block ? a.block < b.block : a.order < b.order;
}

// In an arena of their own: the last ones are still to be compared with.
static session_diags list_diags(session_core *s) {
  session_reported *reported = &s->reported;
  uint32_t side = 1 - reported->side, count = s->run.diags.count;
  shape_arena *arena = &reported->arenas[side];
  arena_rewind(arena, reported->starts[side]);
  session_diag *made = arena_alloc(arena, ((size_t)count + 1) * sizeof *made);
  diag_position *at = arena_alloc(&s->scratch, ((size_t)count + 1) * sizeof *at);
  for (uint32_t i = 0; i < count; i++) {
    const run_diag *d = &s->run.diags.items[i];
    diag_position position = position_of(s, d);
    uint32_t k = i;
    for (; k && comes_before(position, at[k - 1]); k--) {
      made[k] = made[k - 1];
      at[k] = at[k - 1];
    }
    at[k] = position;
    made[k] = (session_diag){d->subject == DIAG_OF_OP ? d->id : ID_NONE, d->severity, d->code,
                             arena_strndup(arena, d->message, strlen(d->message))};
  }
  return (session_diags){made, count};
}

static bool same_diag(const session_diag *a, const session_diag *b) {
  return a->op == b->op && a->severity == b->severity && !strcmp(a->code, b->code) &&
         !strcmp(a->message, b->message);
}

// Those of `a` that are not in `b`. There are at most a hundred of each.
static session_diags diags_without(session_core *s, session_diags a, session_diags b) {
  session_diag *left = arena_alloc(&s->scratch, ((size_t)a.count + 1) * sizeof *left);
  uint32_t count = 0;
  for (uint32_t i = 0; i < a.count; i++) {
    bool found = false;
    for (uint32_t k = 0; k < b.count && !found; k++) found = same_diag(&a.items[i], &b.items[k]);
    if (!found) left[count++] = a.items[i];
  }
  return (session_diags){left, count};
}

static session_diags reported_diags(const session_core *s) {
  return (session_diags){s->reported.diags, s->reported.count};
}

void diags_report(session_core *s, session_changes *out) {
  if (!s->run.diags.changed) return;
  session_diags now = list_diags(s), was = reported_diags(s);
  out->appeared = diags_without(s, now, was);
  out->vanished = diags_without(s, was, now);
  s->reported.diags = (session_diag *)(uintptr_t)now.items;
  s->reported.count = now.count;
  s->reported.side = 1 - s->reported.side;
  s->run.diags.changed = false;
}

static void print_diags(shape_strbuf *out, const char *what, session_diags diags) {
  for (uint32_t i = 0; i < diags.count; i++)
    strbuf_printf(out, "%s: %s\n", what, diags.items[i].message);
}

bool diags_differ(session_core *s, shape_strbuf *out) {
  session_diags now = list_diags(s), was = reported_diags(s);
  session_diags more = diags_without(s, now, was), less = diags_without(s, was, now);
  bool same = now.count == was.count;
  for (uint32_t i = 0; i < now.count && same; i++) same = same_diag(&now.items[i], &was.items[i]);
  print_diags(out, "kept", same || less.count || more.count ? less : was);
  print_diags(out, "fresh", same || less.count || more.count ? more : now);
  return !same;
}
