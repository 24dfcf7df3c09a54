// SPDX-License-Identifier: Apache-2.0
#include "solver/cost/cost.h"

#include <assert.h>

enum { REGIONS_IN_ONE_ANOTHER = 150, ASK_AMONG = 16 };

typedef struct callee_list {
  uint32_t *frames;
  uint32_t count, capacity;
} callee_list;

typedef struct frame_cost {
  cost_function made;
  term_id own_constants;
  callee_list callees;
  uint32_t op_capacity, uncounted_capacity;
  bool begun;
} frame_cost;

typedef struct cost_run {
  cost_answer *answer;
  cost_sizes sizes;
  shape_imap callee;    // (frame, op) -> frame
  frame_cost **frames;  // by frame; NULL: not reached
  uint32_t depth;
} cost_run;

// A frame that is being inspected.
typedef struct walker {
  cost_run *run;
  frame_sizes sizes;
  frame_cost *out;
  const shape_graph *g;
  term_table *t;
} walker;

static shape_arena *arena_of(const cost_run *r) { return r->answer->report->graph->arena; }

static void *grown(cost_run *r, void *items, uint32_t count, uint32_t *capacity, size_t size) {
  return arena_grow(arena_of(r), items, count, (size_t)count + 1, capacity, size);
}

// --- maxima

static void not_known(cost_peak *p, op_id because) {
  if (p->unknown) return;
  p->unknown = true;
  p->because = because;
  p->count = 0;
}

static void add_member(cost_run *r, cost_peak *p, cost_member m) {
  shape_report *report = r->answer->report;
  uint32_t kept = 0;
  if (p->unknown) return;
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->items[i].bytes == m.bytes) return;
  }
  for (uint32_t i = 0; i < p->count; i++) {
    if (sizes_at_most(report, m.bytes, p->items[i].bytes, false)) return;
  }
  for (uint32_t i = 0; i < p->count; i++) {
    if (!sizes_at_most(report, p->items[i].bytes, m.bytes, false)) p->items[kept++] = p->items[i];
  }
  p->count = kept;
  assert(p->count <= COST_MEMBERS);
  if (!p->items) p->items = arena_alloc(arena_of(r), COST_MEMBERS * sizeof *p->items);
  if (p->count == COST_MEMBERS) {
    not_known(p, ID_NONE);
  } else {
    p->items[p->count++] = m;
  }
}

// What is left once the decision procedure was asked as well; it is for few members only.
static void settle(cost_run *r, cost_peak *p) {
  shape_report *report = r->answer->report;
  if (p->count > ASK_AMONG) return;
  for (uint32_t i = 0; i < p->count;) {
    bool dominated = false;
    for (uint32_t k = 0; k < p->count && !dominated; k++)
      dominated = k != i && sizes_at_most(report, p->items[i].bytes, p->items[k].bytes, true);
    if (dominated) {
      for (uint32_t k = i + 1; k < p->count; k++) p->items[k - 1] = p->items[k];
      p->count--;
    } else {
      i++;
    }
  }
}

term_id cost_peak_term(shape_report *report, const cost_peak *p) {
  term_id all[COST_MEMBERS];
  if (p->unknown) return TERM_NONE;
  if (!p->count) return TERM_ZERO;
  for (uint32_t i = 0; i < p->count; i++) all[i] = p->items[i].bytes;
  return p->count == 1 ? all[0] : term_max_of(report->infer->terms, all, p->count);
}

// --- operations

static const op_row *row_of(const walker *w, op_id op) {
  name_id name = w->g->ops[op].name;
  return registry_find(intern_text(&w->g->names, name), intern_length(&w->g->names, name),
                       w->g->onnx_opset);
}

static void leave_uncounted(walker *w, name_id name) {
  frame_cost *f = w->out;
  for (uint32_t i = 0; i < f->made.uncounted_count; i++) {
    if (f->made.uncounted[i] == name) return;
  }
  f->made.uncounted = grown(w->run, f->made.uncounted, f->made.uncounted_count,
                            &f->uncounted_capacity, sizeof name);
  f->made.uncounted[f->made.uncounted_count++] = name;
}

static term_id bytes_of_results(walker *w, op_id op) {
  const graph_op *o = &w->g->ops[op];
  term_id sum = TERM_ZERO;
  for (uint32_t i = 0; i < o->result_count; i++)
    sum = sizes_add(w->t, sum, sizes_bytes(&w->sizes, o->results + i));
  return sum;
}

static const op_work UNKNOWN_WORK = {TERM_NONE, TERM_NONE, TERM_NONE, TERM_NONE};

static frame_cost *frame_make(cost_run *r, uint32_t frame);

static op_work call_work(walker *w, op_id op, cost_peak *inside) {
  uint32_t callee;
  const uint64_t key = (uint64_t)w->sizes.frame << 32 | op;
  frame_cost *f = imap_get(&w->run->callee, key, &callee) ? frame_make(w->run, callee) : NULL;
  if (!f) {
    not_known(inside, op);
    w->out->own_constants = TERM_NONE;  // it may hold some
    return UNKNOWN_WORK;
  }
  callee_list *list = &w->out->callees;
  list->frames = grown(w->run, list->frames, list->count, &list->capacity, sizeof callee);
  list->frames[list->count++] = callee;
  for (uint32_t i = 0; i < f->made.uncounted_count; i++) leave_uncounted(w, f->made.uncounted[i]);
  if (f->made.live.unknown) not_known(inside, f->made.live.because);
  for (uint32_t i = 0; i < f->made.live.count; i++)
    add_member(w->run, inside, f->made.live.items[i]);
  return f->made.work;
}

static op_work walk_region(walker *w, region_id region, cost_peak *out);

static op_work regions_work(walker *w, op_id op, bool one_of_them, cost_peak *inside) {
  const graph_op *o = &w->g->ops[op];
  op_work all = work_none();
  for (uint32_t i = 0; i < o->region_count; i++) {
    op_work one = walk_region(w, o->regions + i, inside);
    all = one_of_them ? work_max(w->run->answer->report, all, one) : work_add(w->t, all, one);
  }
  return all;
}

// What it computes, and what is live in what it runs.
static op_work walk_op(walker *w, op_id op, const op_row *row, const work_row *work,
                       cost_peak *inside) {
  switch (row && !work ? row->structure : OP_PLAIN) {
  case OP_IF:
  case OP_CASE: return regions_work(w, op, true, inside);
  case OP_WHILE:
  case OP_ONNX_LOOP:
  case OP_ONNX_SCAN:
  case OP_ONNX_MAP:
  case OP_ASSUMING:
  case OP_ASYNC: return regions_work(w, op, false, inside);
  case OP_CALL: return call_work(w, op, inside);
  case OP_RETURN: return work_none();
  default: break;
  }
  if (!work) leave_uncounted(w, w->g->ops[op].name);
  return work_of_op(&w->sizes, op, work);
}

static void add_row(walker *w, op_id op) {
  frame_cost *f = w->out;
  f->made.ops = grown(w->run, f->made.ops, f->made.op_count, &f->op_capacity, sizeof *f->made.ops);
  f->made.ops[f->made.op_count] = (cost_op){.op = op};
  f->made.op_count++;
}

// The bytes that are live in a region before the operation that is inspected.
typedef struct live_bytes {
  term_id known;     // sum of those that are known
  uint32_t unknown;  // how many are not
  op_id because;     // made one of those
} live_bytes;

static void change_live(walker *w, live_bytes *live, value_id v, bool more) {
  term_id bytes = sizes_bytes(&w->sizes, v);
  if (bytes == TERM_NONE) {
    live->unknown = more ? live->unknown + 1 : live->unknown - 1;
    assert(more || live->unknown != UINT32_MAX);
    if (more) live->because = w->g->values[v].def;
  } else {
    live->known = more ? term_add(w->t, live->known, bytes) : term_sub(w->t, live->known, bytes);
  }
}

static void add_live(walker *w, const live_bytes *live, op_id op, const cost_peak *inside,
                     cost_peak *out) {
  if (live->unknown) not_known(out, live->because);
  if (inside->unknown) not_known(out, inside->because);
  if (!inside->count) add_member(w->run, out, (cost_member){live->known, op});
  for (uint32_t i = 0; i < inside->count; i++) {
    cost_member m = inside->items[i];
    add_member(w->run, out, (cost_member){term_add(w->t, live->known, m.bytes), m.op});
  }
}

static void end_values(walker *w, op_id op, live_bytes *live) {
  const live_map *map = &w->run->answer->live;
  for (value_id v = map->dying[op]; v != VALUE_NONE; v = map->sibling[v]) {
    const work_row *maker = work_row_of(w->g, w->g->values[v].def);
    if (!maker || maker->kind != WORK_CONSTANT) change_live(w, live, v, false);
  }
}

static op_work step(walker *w, op_id op, live_bytes *live, cost_peak *out) {
  const graph_op *o = &w->g->ops[op];
  const work_row *work = work_row_of(w->g, op);
  const op_row *row = row_of(w, op);
  bool constant = work && work->kind == WORK_CONSTANT;
  cost_peak inside = {.because = ID_NONE};
  op_work done = work_none();
  budget_take(w->t->budget, 1);
  if (!row || row->structure != OP_RETURN) {
    uint32_t index = w->out->made.op_count;
    add_row(w, op);
    term_id bytes = bytes_of_results(w, op);
    if (constant) w->out->own_constants = sizes_add(w->t, w->out->own_constants, bytes);
    for (uint32_t i = 0; !constant && i < o->result_count; i++)
      change_live(w, live, o->results + i, true);
    done = walk_op(w, op, row, work, &inside);
    assert(index < w->out->made.op_count && w->out->made.ops[index].op == op);
    w->out->made.ops[index] = (cost_op){op, bytes, done};
    add_live(w, live, op, &inside, out);
  }
  end_values(w, op, live);
  return done;
}

// Blocks that branch to one another run in no order that the text says.
static op_work walk_region(walker *w, region_id region, cost_peak *out) {
  const graph_region *r = &w->g->regions[region];
  work_sum sum = {0};
  if (r->block_count != 1 || w->run->depth >= REGIONS_IN_ONE_ANOTHER) {
    not_known(out, r->op);
    w->out->own_constants = TERM_NONE;
    return UNKNOWN_WORK;
  }
  w->run->depth++;
  live_bytes live = {TERM_ZERO, 0, ID_NONE};
  for (op_id op = w->g->blocks[r->first_block].first; op != ID_NONE; op = w->g->ops[op].next)
    work_sum_add(w->t, &sum, step(w, op, &live, out));
  w->run->depth--;
  assert(live.unknown || out->unknown || live.known == TERM_ZERO);
  return work_sum_total(w->t, &sum);
}

// --- functions

static term_id bytes_of_arguments(walker *w, region_id body) {
  const graph_block *b = &w->g->blocks[w->g->regions[body].first_block];
  size_sum sum = {0};
  for (uint32_t i = 0; i < b->argument_count; i++)
    size_sum_add(w->t, &sum, sizes_bytes(&w->sizes, b->arguments + i));
  return size_sum_total(w->t, &sum);
}

static term_id bytes_returned(walker *w, const infer_frame *f) {
  size_sum sum = {0};
  for (uint32_t i = 0; f->results && i < f->result_count; i++)
    size_sum_add(w->t, &sum, sizes_bytes(&w->sizes, f->results[i]));
  return f->results ? size_sum_total(w->t, &sum) : TERM_NONE;
}

// NULL: the function has no body, or calls itself.
static frame_cost *frame_make(cost_run *r, uint32_t frame) {
  shape_report *report = r->answer->report;
  const infer_frame *f = &report->infer->frames[frame];
  assert(frame < report->infer->frame_count);
  const graph_func *func = &report->graph->funcs[f->func];
  if (r->frames[frame]) return r->frames[frame]->begun ? NULL : r->frames[frame];
  if (func->body == ID_NONE || !report->graph->regions[func->body].block_count) return NULL;
  frame_cost *made = arena_zalloc(arena_of(r), sizeof *made);
  r->frames[frame] = made;
  made->begun = true;
  made->own_constants = TERM_ZERO;
  walker w = {.run = r, .out = made, .g = report->graph, .t = report->infer->terms};
  sizes_of_frame(&r->sizes, frame, &w.sizes);
  made->made = (cost_function){.id = f->func, .frame = frame, .live = {.because = ID_NONE}};
  made->made.work = walk_region(&w, func->body, &made->made.live);
  made->made.argument_bytes = bytes_of_arguments(&w, func->body);
  made->made.result_bytes = bytes_returned(&w, f);
  made->begun = false;
  return made;
}

// Constants of a function and of all that it calls, each function once.
static term_id constants_of(cost_run *r, uint32_t frame, uint8_t *seen) {
  const shape_report *report = r->answer->report;
  uint32_t *stack = arena_alloc(arena_of(r), (report->infer->frame_count + 1) * sizeof *stack);
  uint32_t count = 0;
  size_sum sum = {0};
  memset(seen, 0, report->graph->func_count);
  stack[count++] = frame;
  seen[report->infer->frames[frame].func] = 1;
  while (count) {
    const frame_cost *f = r->frames[stack[--count]];
    budget_take(report->infer->terms->budget, 1);
    size_sum_add(report->infer->terms, &sum, f->own_constants);
    for (uint32_t i = 0; i < f->callees.count; i++) {
      uint8_t *known = &seen[report->infer->frames[f->callees.frames[i]].func];
      if (*known) continue;
      *known = 1;
      stack[count++] = f->callees.frames[i];
    }
  }
  return size_sum_total(report->infer->terms, &sum);
}

static const char *reason_of(const cost_run *r, const cost_function *f) {
  shape_strbuf out;
  const shape_graph *g = r->answer->report->graph;
  if (!f->live.unknown) return NULL;
  if (f->live.because == ID_NONE) return "too many operations may be the peak";
  strbuf_init(&out, g->arena);
  strbuf_puts(&out, "what ");
  graph_print_op(g, f->live.because, &out);
  strbuf_puts(&out, " makes has a size that the dims of the arguments do not determine");
  return strbuf_text(&out);
}

// Peak with what is live throughout.
static void finish(cost_run *r, frame_cost *f, uint8_t *seen) {
  cost_function *m = &f->made;
  term_table *t = r->answer->report->infer->terms;
  m->constant_bytes = constants_of(r, m->frame, seen);
  term_id throughout = sizes_add(t, m->argument_bytes, m->constant_bytes);
  m->peak = (cost_peak){.because = ID_NONE};
  settle(r, &m->live);
  m->unknown = reason_of(r, m);
  if (m->live.unknown || throughout == TERM_NONE) {
    not_known(&m->peak, m->live.because);
    return;
  }
  uint32_t count = m->live.count ? m->live.count : 1;
  m->peak.items = arena_alloc(arena_of(r), count * sizeof *m->peak.items);
  m->peak.count = count;
  m->peak.items[0] = (cost_member){throughout, ID_NONE};
  for (uint32_t i = 0; i < m->live.count; i++) {
    cost_member from = m->live.items[i];
    m->peak.items[i] = (cost_member){term_add(t, throughout, from.bytes), from.op};
  }
}

static term_id common(term_id a, term_id b) { return a == b ? a : TERM_NONE; }

static op_work common_work(op_work a, op_work b) {
  return (op_work){common(a.flops, b.flops), common(a.transcendentals, b.transcendentals),
                   common(a.int_ops, b.int_ops), common(a.moved, b.moved)};
}

static bool same_peak(const cost_peak *a, const cost_peak *b) {
  bool same = a->count == b->count && a->unknown == b->unknown;
  for (uint32_t i = 0; same && i < a->count; i++) same = a->items[i].bytes == b->items[i].bytes;
  return same;
}

// What two frames of one function have in common; rows of operations are in the same order in both.
static void join(cost_function *a, const cost_function *b) {
  a->argument_bytes = common(a->argument_bytes, b->argument_bytes);
  a->result_bytes = common(a->result_bytes, b->result_bytes);
  a->work = common_work(a->work, b->work);
  if (!same_peak(&a->peak, &b->peak)) {
    not_known(&a->peak, ID_NONE);
    a->unknown = "calls of it have different dims";
  }
  for (uint32_t i = 0; i < a->op_count && i < b->op_count; i++) {
    a->ops[i].result_bytes = common(a->ops[i].result_bytes, b->ops[i].result_bytes);
    a->ops[i].work = common_work(a->ops[i].work, b->ops[i].work);
  }
}

static void list_functions(cost_run *r) {
  cost_answer *a = r->answer;
  const infer_result *infer = a->report->infer;
  uint8_t *seen = arena_alloc(arena_of(r), a->report->graph->func_count + 1);
  uint32_t *first = arena_alloc(arena_of(r), (a->report->graph->func_count + 1) * sizeof *first);
  memset(first, 0xff, (a->report->graph->func_count + 1) * sizeof *first);
  a->functions = arena_alloc(arena_of(r), (a->report->function_count + 1) * sizeof *a->functions);
  for (uint32_t i = 0; i < infer->frame_count; i++) {
    if (!r->frames[i]) continue;
    finish(r, r->frames[i], seen);
    uint32_t *head = &first[infer->frames[i].func];
    if (*head == ID_NONE) {
      *head = i;
    } else {
      join(&r->frames[*head]->made, &r->frames[i]->made);
    }
  }
  for (uint32_t i = 0; i < a->report->function_count; i++) {
    uint32_t frame = first[a->report->functions[i].id];
    if (frame != ID_NONE) a->functions[a->function_count++] = r->frames[frame]->made;
  }
}

cost_answer *cost_make(shape_report *report) {
  shape_arena *arena = report->graph->arena;
  const infer_result *infer = report->infer;
  cost_answer *a = arena_zalloc(arena, sizeof *a);
  cost_run run = {.answer = a};
  a->report = report;
  if (!infer->frame_count) return a;
  live_make(report->graph, &a->live);
  sizes_init(&run.sizes, report);
  for (uint32_t i = 0; i < infer->call_count; i++) {
    const infer_call *c = &infer->calls[i];
    imap_put(&run.callee, arena, (uint64_t)c->frame << 32 | c->op, c->callee);
  }
  run.frames = arena_zalloc(arena, infer->frame_count * sizeof *run.frames);
  frame_make(&run, 0);
  list_functions(&run);
  return a;
}
