// SPDX-License-Identifier: Apache-2.0
// The whole program analysed anew, and what incremental edits may rely on afterwards.
#include <assert.h>
#include <string.h>

#include "solver/ops/traits.h"
#include "solver/session/state.h"

static void make_graph(session_core *s) {
  session_run *r = &s->run;
  graph_init(&r->graph, run_arena(s), GRAPH_JSON, "", 0);
  copier_init(&r->copier, &s->doc.graph, &r->graph, run_arena(s));
  r->copier.arguments = s->doc.arguments;
  r->copier.argument_lists = s->doc.graph.func_count;
  copy_program(&r->copier, s->doc.symbol_gone, s->doc.assumption_gone);
}

bool run_is_own(const session_core *s, op_id op) {
  assert(op < s->run.graph.op_count);
  const shape_graph *g = &s->run.graph;
  const graph_region *region = &g->regions[g->blocks[g->ops[op].parent].region];
  return region->op == ID_NONE && region->func == s->run.infer->entry && region->block_count == 1;
}

static void mark_late_results(session_core *s, op_id own) {
  assert(own < s->doc.graph.op_count);
  const graph_op *o = &s->doc.graph.ops[own];
  s->doc.ops[own].flags |= STICKY;
  for (uint32_t i = 0; i < o->result_count; i++) s->doc.values[o->results + i].late = true;
}

typedef struct made_by {
  const infer_result *infer;
  op_id op;
} made_by;

static bool is_made_by(void *data, term_id atom) {
  const made_by *m = data;
  const term_node *node = term_get(m->infer->terms, atom);
  if (node->kind != TERM_SYMBOL || node->as.symbol >= m->infer->origin_count) return false;
  const infer_origin *o = &m->infer->origins[node->as.symbol];
  return o->kind == ORIGIN_OPAQUE && o->op == m->op;
}

// Whether an operation made dims or elements for one of its operands; that shows in no other way.
static void mark_given_operands(session_core *s, op_id op) {
  session_run *r = &s->run;
  const infer_frame *f = &r->infer->frames[0];
  for (uint32_t i = 0; i < r->graph.ops[op].operand_count; i++) {
    value_id v = graph_operand(&r->graph, op, i);
    if (v == VALUE_NONE || v < f->value_base || v >= f->value_end) continue;
    const value_info *info = &f->values[v - f->value_base];
    made_by made = {r->infer, op};
    bool found = false;
    for (uint32_t k = 0; k < info->rank && info->dims && !found; k++)
      found = term_any_atom(r->infer->terms, info->dims[k], is_made_by, &made);
    for (uint32_t k = 0; k < info->element_count && info->elements && !found; k++)
      found = term_any_atom(r->infer->terms, info->elements[k], is_made_by, &made);
    if (!found) continue;
    s->doc.ops[r->graph.ops[op].span.begin].flags |= STICKY;
    s->doc.values[r->graph.values[v].at].late = true;
  }
}

static void mark_makers(session_core *s) {
  const infer_result *infer = s->run.infer;
  op_id last = ID_NONE;
  for (uint32_t i = 0; i < infer->origin_count; i++) {
    const infer_origin *o = &infer->origins[i];
    if (o->kind != ORIGIN_OPAQUE || o->op == ID_NONE || o->op == last || o->frame) continue;
    last = o->op;
    mark_given_operands(s, last);
  }
}

bool run_names_symbols(const session_core *s, name_id name) {
  return traits_of_name(&s->run.graph, name) & TRAIT_NAMES_SYMBOLS;
}

static void mark_ops(session_core *s) {
  session_run *r = &s->run;
  const shape_graph *g = &r->graph;
  // A call that ended while it followed an edit left what it had not visited in a queue that is gone.
  for (op_id i = 0; i < s->doc.graph.op_count; i++)
    s->doc.ops[i].flags &= (uint8_t) ~(STICKY | QUEUED);
  for (value_id i = 0; i < s->doc.graph.value_count; i++) s->doc.values[i].late = false;
  uint8_t *special =
      arena_alloc(&s->scratch, g->names.count + 1);  // by name: 0 not inspected, 3 not known
  memset(special, 0, g->names.count + 1);
  for (op_id i = 0; i < g->op_count; i++) {
    name_id name = g->ops[i].name;
    arena_poll_at(&s->arena, i);
    if (!special[name]) {
      const op_row *row =
          registry_find(intern_text(&g->names, name), intern_length(&g->names, name), 0);
      special[name] = row && op_row_is_own(row) ? 1 : row ? 2 : 3;
      r->names_symbols |= run_names_symbols(s, name);
    }
    bool special_op = special[name] == 2 || (special[name] == 3 && g->ops[i].region_count);
    if (special_op || r->infer->late.ops[i]) mark_late_results(s, g->ops[i].span.begin);
  }
}

static void mark_all(session_core *s) {
  session_run *r = &s->run;
  const infer_result *infer = r->infer;
  bool loose = false;  // a diagnostic of no operation: nothing says when it goes
  mark_ops(s);
  for (uint32_t i = 0; i < r->diags.count; i++) {
    const run_diag *d = &r->diags.items[i];
    loose |= d->subject == DIAG_OF_NONE;
    if (d->subject == DIAG_OF_OP && !run_is_own(s, copy_of(&r->copier.ops, d->id)))
      s->doc.ops[d->id].flags |= STICKY;
  }
  mark_makers(s);
  r->plain = infer->entry != ID_NONE && infer->frame_count &&
             infer->frames[0].func == infer->entry && r->names.next_frame[0] == ID_NONE &&
             !r->graph.diags.dropped && !r->graph.onnx_opset && !loose;
}

// Room for `need` values of frame 0 and a quarter more, so that it is made seldom.
static void make_room(session_core *s, uint32_t need) {
  assert(need >= s->run.value_room);
  session_run *r = &s->run;
  infer_frame *f = &r->infer->frames[0];
  uint32_t room = need + need / 4 + 64;
  value_info *values = arena_zalloc(run_arena(s), room * sizeof *values);
  memcpy(values, f->values, r->value_room * sizeof *values);
  f->values = values;
  r->value_room = room;
}

static uint32_t values_needed(const session_run *r) {
  return r->graph.value_count - r->infer->frames[0].value_base;
}

void run_make_room(session_core *s) {
  uint32_t need = values_needed(&s->run);
  if (need > s->run.value_room) make_room(s, need);
}

bool run_in_step(const session_core *s) {
  const session_run *r = &s->run;
  return !r->valid || !r->plain || r->rows.count == r->graph.declared.symbol_count;
}

void run_whole(session_core *s) {
  session_run *r = &s->run;
  arena_destroy(run_arena(s));  // with the children that stores have in it; it is as new then
  memset(r, 0, sizeof *r);
  make_graph(s);
  r->options = (infer_options){.bindings = s->doc.bindings,
                               .binding_count = s->doc.binding_count,
                               .assumptions = s->pushes.items,
                               .assumption_count = s->pushes.count,
                               .entry = s->doc.entry,
                               .steps = s->limits.steps,
                               .log = &r->log};
  r->infer = infer_run(&r->graph, &s->budget, &r->options);
  store_keep_log(r->infer->store, NULL);
  if (r->infer->frame_count) {
    r->value_room = r->infer->frames[0].value_end - r->infer->frames[0].value_base;
    // Now, so that the first edit does not wait for it.
    if (r->infer->frames[0].values) make_room(s, values_needed(r));
  }
  stable_begin(s);
  diags_build(s);
  mark_all(s);
  classes_build(s);
  if (r->plain) {
    given_build(s);
    ages_build(s);
  }
  r->bytes_at_start = run_arena(s)->bytes;
  r->valid = true;
}

// --- a run for later

void run_put_aside(session_core *s) {
  session_aside *a = &s->aside;
  run_forget_aside(s);
  if (!s->run.valid) return;
  uint32_t ops = s->doc.graph.op_count, values = s->doc.graph.value_count;
  a->op_flags = arena_alloc(run_arena(s), (size_t)ops + 1);
  a->value_late = arena_alloc(run_arena(s), (size_t)values + 1);
  for (uint32_t i = 0; i < ops; i++) a->op_flags[i] = s->doc.ops[i].flags & STICKY;
  for (uint32_t i = 0; i < values; i++) a->value_late[i] = s->doc.values[i].late;
  a->op_count = ops;
  a->value_count = values;
  a->run = s->run;
  s->run.valid = false;
  s->run_side = 1 - s->run_side;
  a->there = true;
  a->version = 0;  // until the push is done
}

// Swapped, as taking it up again is the way back.
void run_keep_changes(session_core *s, const change_list *list) {
  session_aside *a = &s->aside;
  if (!a->there) return;
  a->version = s->doc.version + 1;  // when the push is done
  a->change_count = list->count;
  a->changes =
      arena_alloc(&s->run_arenas[1 - s->run_side], ((size_t)list->count + 1) * sizeof *a->changes);
  for (uint32_t i = 0; i < list->count; i++) {
    const session_change *c = &list->items[i];
    a->changes[i] = (session_change){c->value, c->after, c->before};
  }
}

void run_forget_aside(session_core *s) {
  if (!s->aside.there) return;
  arena_destroy(&s->run_arenas[1 - s->run_side]);
  s->aside.there = false;
}

static void change_note(session_core *s, change_list *list, value_id value, shape_key now) {
  if (s->doc.values[value].shape == now) return;
  SESSION_GROW(&s->scratch, list->items, list->count, list->count + 1u, list->capacity);
  list->items[list->count++] = (session_change){value, s->doc.values[value].shape, now};
}

bool run_take_up(session_core *s, change_list *out) {
  session_aside *a = &s->aside;
  if (!a->there || a->version != s->doc.version) return false;
  arena_destroy(run_arena(s));
  s->run_side = 1 - s->run_side;
  s->run = a->run;
  for (uint32_t i = 0; i < a->op_count; i++)
    s->doc.ops[i].flags = (uint8_t)((s->doc.ops[i].flags & ~STICKY) | a->op_flags[i]);
  for (uint32_t i = 0; i < a->value_count; i++) s->doc.values[i].late = a->value_late[i];
  for (uint32_t i = 0; i < a->change_count; i++)
    change_note(s, out, a->changes[i].value, a->changes[i].after);
  s->run.diags.changed = true;
  a->there = false;
  return true;
}

// --- comparing

void run_compare(session_core *s, change_list *out) {
  for (value_id v = 0; v < s->doc.graph.value_count; v++) {
    arena_mark mark = arena_get_mark(&s->scratch);
    shape_key now = s->doc.values[v].there ? stable_shape(s, v) : SHAPE_NONE;
    arena_rewind(&s->scratch, mark);
    change_note(s, out, v, now);
    arena_poll_at(&s->arena, v);
  }
}
