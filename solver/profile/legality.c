// SPDX-License-Identifier: Apache-2.0
#include "solver/profile/legality.h"

#include <assert.h>
#include <stdio.h>

#include "solver/graph/address.h"
#include "solver/ops/registry.h"
#include "solver/report/checks.h"

uint64_t box_points(const dim_range *box, uint32_t count) {
  uint64_t all = 1;
  for (uint32_t i = 0; i < count; i++) {
    assert(box[i].min <= box[i].max);
    if (__builtin_mul_overflow(all, (uint64_t)(box[i].max - box[i].min) + 1, &all))
      return UINT64_MAX;
  }
  return all;
}

bool box_next(const dim_range *box, uint32_t count, int64_t *point) {
  for (uint32_t i = count; i-- > 0;) {
    if (point[i] < box[i].max) {
      point[i]++;
      return true;
    }
    point[i] = box[i].min;
  }
  return false;
}

legality *legality_of(const analysis *a, const free_dims *dims) {
  legality *l = arena_zalloc(dims->report->graph->arena, sizeof *l);
  l->a = a;
  l->dims = dims;
  if (analysis_is_valid(a)) l->conditions = conditions_of(dims);
  return l;
}

// --- one more analysis

typedef struct bound_run {
  shape_arena *arena;  // of the first one
  point_answer answer;
  point_error error;
  uint64_t steps;
} bound_run;

// Whether nothing is left to be checked but dims, which are bound: an element of an argument may be any.
static bool is_checked(const report_checks *checks) {
  bool all = !checks->open_count;
  for (uint32_t i = 0; i < checks->check_count && all; i++)
    all = checks->checks[i].kind == CHECK_OPERAND && !checks->checks[i].operand.value;
  return all;
}

// --- errors that every run meets

// A branch that is known to run has no scope of its own.
static bool may_be_left_out(const infer_result *infer, op_id op, uint32_t region) {
  assert(region < infer->graph->ops[op].region_count);
  const shape_graph *g = infer->graph;
  const char *name = graph_op_name(g, op);
  const op_row *row = registry_find(name, intern_length(&g->names, g->ops[op].name), g->onnx_opset);
  if (!row || op_row_is_own(row) || row->structure == OP_CALL || row->structure == OP_ASSUMING ||
      row->structure == OP_ASYNC)
    return false;
  for (uint32_t i = 0; i < infer->scope_count; i++) {
    if (infer->scopes[i].op == op && infer->scopes[i].region == region) return true;
  }
  return false;
}

// Whether every run of the entry gets to the operation, or ends before. *func: whose operation it is.
static bool is_reached(const infer_result *infer, op_id op, func_id *func) {
  assert(op < infer->graph->op_count);
  const shape_graph *g = infer->graph;
  while (g->ops[op].parent != ID_NONE) {
    region_id at = g->blocks[g->ops[op].parent].region;
    const graph_region *region = &g->regions[at];
    *func = region->func;
    if (region->block_count > 1) return false;
    if (region->op == ID_NONE) return true;
    op = region->op;
    if (may_be_left_out(infer, op, at - g->ops[op].regions)) return false;
  }
  return false;
}

// The operation, and each call that leads to its function.
static bool ends_every_run(const infer_result *infer, op_id op) {
  func_id func;
  if (op == ID_NONE || !is_reached(infer, op, &func)) return false;
  if (func == infer->entry) return true;
  bool called = false;
  for (uint32_t i = 0; i < infer->frame_count; i++) {
    const infer_frame *f = &infer->frames[i];
    if (f->func != func) continue;
    for (uint32_t at = i; at != 0; at = infer->frames[at].parent) {
      func_id ignored;
      if (infer->frames[at].parent == ID_NONE ||
          !is_reached(infer, infer->frames[at].caller, &ignored))
        return false;
    }
    called = true;
  }
  return called;
}

// A binding that no declaration allows is an error of no operation.
static bool is_certain(const shape_report *r, const diag *d) {
  if (span_is_none(d->span) || !r->infer) return true;
  op_id op = graph_op_at(r->graph, d->inner.begin);
  if (op == ID_NONE || r->graph->ops[op].span.end < d->inner.begin) return true;
  return ends_every_run(r->infer, op);
}

static void inspect(shape_run *p, void *data) {
  bound_run *b = data;
  shape_report *r = shape_run_report(p);
  b->steps = shape_run_budget(p)->steps_used;
  b->answer = POINT_UNKNOWN;
  bool errors = false;
  for (uint32_t i = 0; r && i < r->diag_count; i++) {
    const diag *d = r->diags[i];
    if (d->severity != DIAG_ERROR) continue;
    errors = true;
    if (!is_certain(r, d)) continue;
    b->answer = POINT_ILLEGAL;
    uint32_t length = 0;
    op_id op = graph_op_of_span(r->graph, d->inner);
    const char *node = op == ID_NONE ? NULL : graph_node_name(r->graph, op, &length);
    if (length) b->error.node = arena_strndup(b->arena, node, length);
    b->error.line = graph_line(r->graph, d->span);
    if (graph_is_text(r->graph) && !b->error.line) b->error.line = 1;
    b->error.message = arena_strndup(b->arena, d->message, strlen(d->message));
    return;
  }
  if (r && r->infer && !errors && !r->guards.count && is_checked(report_checks_make(r)))
    b->answer = POINT_LEGAL;
}

static const char **bindings_at(const legality *l, const int64_t *point, uint32_t *count) {
  shape_arena *arena = l->dims->report->graph->arena;
  const analysis_request *q = l->a->request;
  const char **all = arena_alloc(arena, (q->binding_count + l->dims->count + 1) * sizeof *all);
  for (uint32_t i = 0; i < q->binding_count; i++) all[i] = q->bindings[i];
  for (uint32_t i = 0; i < l->dims->count; i++) {
    const free_dim *d = &l->dims->items[i];
    shape_strbuf text;
    strbuf_init(&text, arena);
    strbuf_printf(&text, "arg%u.%u=%lld", d->argument, d->axis, (long long)point[i]);
    all[q->binding_count + i] = strbuf_text(&text);
  }
  *count = q->binding_count + l->dims->count;
  return all;
}

static bound_run run_at(legality *l, const int64_t *point) {
  shape_budget *budget = l->dims->report->infer->terms->budget;
  bound_run b = {.arena = l->dims->report->graph->arena, .answer = POINT_UNKNOWN};
  analysis_request request = *l->a->request;
  analysis_reply reply = {0};
  analysis again;
  if (l->runs >= LEGALITY_RUNS || !budget_left(budget)) l->spent = true;
  if (l->spent) return b;
  l->runs++;
  request.bindings = bindings_at(l, point, &request.binding_count);
  request.refinable = request.certify = false;
  request.mode.suggested = request.mode.whole_regions = false;
  request.limits.steps = budget_left(budget);
  bool opened = analysis_open(&again, &request, false, &reply);
  if (!opened || shape_run_protect(again.program, inspect, &b) != SHAPE_OK)
    b.answer = POINT_UNKNOWN;
  analysis_close(&again);
  // Steps of a run, and of making it.
  uint64_t steps = b.steps + request.length / 16 + 64;
  budget_spend(budget, steps < UINT32_MAX ? (uint32_t)steps : UINT32_MAX);
  return b;
}

// --- points

static struct known_point *find(legality *l, const int64_t *point, uint64_t *key) {
  size_t bytes = l->dims->count * sizeof *point;
  uint32_t index;
  // Another point of the same hash is not found: then it is run again.
  *key = hash_bytes(point, bytes) & ~UINT64_C(1);
  if (!imap_get(&l->known, *key, &index)) return NULL;
  assert(index < l->count);
  struct known_point *known = &l->items[index];
  return memcmp(known->point, point, bytes) == 0 ? known : NULL;
}

point_answer legality_run(legality *l, const int64_t *point, point_error *error) {
  shape_arena *arena = l->dims->report->graph->arena;
  uint64_t key;
  struct known_point *known = find(l, point, &key);
  if (!known) {
    bound_run b = run_at(l, point);
    size_t bytes = l->dims->count * sizeof *point;
    int64_t *copy = arena_alloc(arena, bytes + sizeof *copy);
    memcpy(copy, point, bytes);
    l->items =
        arena_grow(arena, l->items, l->count, (size_t)l->count + 1, &l->capacity, sizeof *l->items);
    l->items[l->count] = (struct known_point){copy, b.answer, b.error};
    imap_put(&l->known, arena, key, l->count);
    known = &l->items[l->count++];
  }
  if (error) *error = known->error;
  return known->answer;
}

point_answer legality_at(legality *l, const int64_t *point, point_error *error) {
  uint32_t which;
  if (error) *error = (point_error){0};
  if (l->conditions && conditions_at(l->conditions, point, &which) == CONDITIONS_HOLD)
    return POINT_LEGAL;
  return legality_run(l, point, error);
}

// --- boxes

static point_answer enumerate(legality *l, const dim_range *box, int64_t *point) {
  uint32_t count = l->dims->count;
  point_answer all = POINT_LEGAL;
  for (uint32_t i = 0; i < count; i++) point[i] = box[i].min;
  do {
    point_answer one = legality_at(l, point, NULL);
    if (one == POINT_ILLEGAL) return one;
    if (one == POINT_UNKNOWN) all = one;
    if (l->spent) return POINT_UNKNOWN;
  } while (box_next(box, count, point));
  return all;
}

// Both ends of every range, all others typical; and all at one end.
static bool try_ends(legality *l, const dim_range *box, int64_t *point) {
  uint32_t count = l->dims->count;
  for (uint32_t i = 0; i < 2 * count + 2; i++) {
    for (uint32_t k = 0; k < count; k++) {
      bool at_end = i >= 2 * count || k == i / 2;
      point[k] = !at_end ? box[k].typical : i % 2 ? box[k].max : box[k].min;
    }
    if (legality_at(l, point, NULL) == POINT_ILLEGAL) return true;
  }
  return false;
}

point_answer legality_over(legality *l, const dim_range *box, int64_t *point) {
  assert(l->conditions);
  uint32_t which;
  if (box_points(box, l->dims->count) <= LEGALITY_POINTS) return enumerate(l, box, point);
  condition_answer answer = conditions_over(l->conditions, box, &which, point);
  if (answer == CONDITIONS_HOLD) return POINT_LEGAL;
  if (answer == CONDITIONS_VIOLATED && legality_run(l, point, NULL) == POINT_ILLEGAL)
    return POINT_ILLEGAL;
  return try_ends(l, box, point) ? POINT_ILLEGAL : POINT_UNKNOWN;
}
