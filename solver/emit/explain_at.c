// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/explain_at.h"

#include <assert.h>
#include <string.h>

#include "solver/decide/store_query.h"
#include "solver/emit/slice.h"
#include "solver/ops/registry.h"

enum { EXPLAIN_DIMS_MAX = 16, RUNS_MAX = 2000 };
// Operations analysed to reduce one chain: about a second.
static const uint64_t WORK_MAX = 2000000;

typedef struct searcher {
  const analysis *a;
  shape_report *report;
  shape_cell cell;
  cell_expression size;
  uint8_t *understood;  // by op_id: what the next run may use
  uint64_t work;
  uint32_t runs;
  bool exhausted;
  shape_status status;  // of a run that was ended: cancelled, or late
} searcher;

// --- does the size follow from these operations alone?

typedef struct trial {
  const searcher *s;
  bool holds;
} trial;

static void try_claim(shape_run *p, void *data) {
  trial *t = data;
  const infer_result *from = t->s->report->infer, *to = shape_run_report(p)->infer;
  if (!to) return;
  shape_cell cell = t->s->cell;
  if (!cell_move(from, to, &cell)) return;
  term_id left = cell_term(to, cell), right = cell_give(&t->s->size, from, to);
  if (left == TERM_NONE || right == TERM_NONE) return;
  t->holds = store_ask(to->store, predicate_make(REL_EQ, left, right)).answer == SHAPE_YES;
}

static bool suffices(searcher *s) {
  if (s->runs++ >= RUNS_MAX || s->work > WORK_MAX || s->status != SHAPE_OK) {
    s->exhausted = true;
    return false;
  }
  s->work += s->report->graph->op_count;
  analysis_request request = *s->a->request;
  analysis_reply reply = {0};
  request.mode.suggested = false;
  request.werror = request.refinable = request.certify = false;
  request.understood = s->understood;
  analysis a;
  trial t = {s, false};
  if (analysis_open(&a, &request, false, &reply))
    reply.status = shape_run_protect(a.program, try_claim, &t);
  if (reply.status == SHAPE_CANCELLED || reply.status == SHAPE_DEADLINE) s->status = reply.status;
  analysis_close(&a);
  return t.holds;
}

// --- an irreducible set of them

// QuickXplain (Junker 2004): of ops[0..count) those are kept, in `understood`, that are needed besides what is
// understood already. changed: something was added since the last run.
static void reduce(searcher *s, const op_id *ops, uint32_t count, bool changed) {
  if (s->exhausted || !count || (changed && suffices(s))) return;
  if (count == 1) {
    s->understood[*ops] = 1;
    return;
  }
  uint32_t half = count / 2;
  for (uint32_t i = 0; i < half; i++) s->understood[ops[i]] = 1;
  reduce(s, ops + half, count - half, true);
  for (uint32_t i = 0; i < half; i++) s->understood[ops[i]] = 0;
  bool kept = false;
  for (uint32_t i = half; i < count; i++) kept |= s->understood[ops[i]];
  reduce(s, ops, half, kept);
}

// What is known may grow when an operation is left out (another term represents a class), so each one is tried again.
static void leave_out(searcher *s, const op_slice *slice) {
  for (uint32_t i = 0; i < slice->op_count && !s->exhausted; i++) {
    op_id op = slice->ops[i];
    if (!s->understood[op]) continue;
    s->understood[op] = 0;
    if (!suffices(s)) s->understood[op] = 1;
  }
}

// In s->understood; false: no set was found that is enough.
static bool find_set(searcher *s, op_slice *slice) {
  const shape_graph *g = s->report->graph;
  s->understood = arena_zalloc(g->arena, g->op_count + 1);
  bool enough = false;
  for (int wider = 0; !enough && wider < 3; wider++) {
    if (wider) slice_widen(slice, wider == 2);
    memcpy(s->understood, slice->in, g->op_count);
    enough = suffices(s);
  }
  if (!enough) return false;
  for (uint32_t i = 0; i < slice->op_count; i++) s->understood[slice->ops[i]] = 0;
  reduce(s, slice->ops, slice->op_count, true);
  if (!s->exhausted) leave_out(s, slice);
  if (s->exhausted) memcpy(s->understood, slice->in, g->op_count);
  return true;
}

// --- steps

static report_text equation(const infer_result *infer, shape_cell cell) {
  shape_strbuf out;
  strbuf_init(&out, infer->graph->arena);
  cell_print(infer->graph, &out, cell);
  term_id t = cell_term(infer, cell);
  if (t != TERM_NONE) {
    report_text text = cell_term_text(infer, t);
    strbuf_puts(&out, " == ");
    strbuf_add(&out, text.text, text.length);
  }
  const char *text = strbuf_text(&out);
  return (report_text){text, out.length};
}

// The first cell of its results that says something.
static shape_cell any_cell(const infer_result *infer, uint32_t frame, op_id op) {
  assert(op < infer->graph->op_count && frame < infer->frame_count);
  const graph_op *o = &infer->graph->ops[op];
  for (uint32_t i = 0; i < 2 * o->result_count; i++) {
    shape_cell c = {frame, o->results + i / 2, 0, i % 2 == 0};
    uint32_t count = cell_count(infer, frame, c.value, c.element);
    for (; c.index < count; c.index++) {
      term_id t = cell_term(infer, c);
      if (t != TERM_NONE && (c.element || term_kind_of(infer->terms, t) != TERM_CONST)) return c;
    }
  }
  return (shape_cell){frame, o->result_count ? o->results : VALUE_NONE, 0, false};
}

static uint32_t frame_with(const infer_result *infer, op_id op) {
  assert(op < infer->graph->op_count);
  const graph_op *o = &infer->graph->ops[op];
  for (uint32_t f = 0; f < infer->frame_count; f++) {
    const infer_frame *frame = &infer->frames[f];
    if (o->result_count && frame->values && o->results >= frame->value_base &&
        o->results < frame->value_end)
      return f;
  }
  return 0;
}

static void fill_fact(const infer_result *infer, const op_slice *path, op_id op, at_step *step) {
  const shape_graph *g = infer->graph;
  for (uint32_t i = 0; i < path->fact_count; i++) {
    if (path->facts[i].op != op) continue;
    step->fact = cell_predicate_text(infer, path->facts[i].p);
    step->message = path->facts[i].why.what;
    return;
  }
  for (uint32_t i = 0; i < path->cell_count; i++) {
    value_id v = path->cells[i].value;
    if (g->values[v].is_argument || g->values[v].def != op) continue;
    step->fact = equation(infer, path->cells[i]);
    return;
  }
  for (fact_id f = 0; f < store_fact_count(infer->store); f++) {
    const fact *said = store_fact(infer->store, f);
    if (said->why.kind != REASON_OP || said->why.subject != op || !said->why.required) continue;
    step->fact = cell_predicate_text(infer, said->p);
    step->message = said->why.what;
    return;
  }
  shape_cell c = any_cell(infer, frame_with(infer, op), op);
  if (c.value != VALUE_NONE) step->fact = equation(infer, c);
}

static void fill_step(const infer_result *infer, const op_slice *path, op_id op, at_step *step) {
  const shape_graph *g = infer->graph;
  const op_row *row =
      registry_find(graph_op_name(g, op), intern_length(&g->names, g->ops[op].name), g->onnx_opset);
  assert(op < g->op_count);
  *step = (at_step){.op = op,
                    .span = g->ops[op].span,
                    .rule = row ? row->rule_name : NULL,
                    .source = row ? row->source : NULL};
  fill_fact(infer, path, op, step);
}

static void fill_steps(searcher *s, const op_slice *slice, term_id size, at_size *out) {
  const shape_graph *g = s->report->graph;
  op_slice path;
  slice_make(s->report->infer, s->cell, size, s->understood, &path);
  out->steps = arena_alloc(g->arena, (slice->op_count + 1) * sizeof *out->steps);
  assert(slice->op_count <= g->op_count);
  uint8_t *listed = arena_zalloc(g->arena, g->op_count + 1);
  for (uint32_t i = 0; i < slice->op_count; i++)
    listed[slice->ops[i]] = s->understood[slice->ops[i]];
  for (op_id op = 0; op < g->op_count; op++) {
    if (listed[op]) fill_step(s->report->infer, &path, op, &out->steps[out->count++]);
  }
}

// --- one size

static report_text what_text(const shape_graph *g, shape_cell c) {
  shape_strbuf out;
  strbuf_init(&out, g->arena);
  const graph_type *t = graph_value_type(g, c.value);
  if (!c.element) {
    strbuf_printf(&out, "dim %u of ", c.index);
  } else if (!t || t->kind != TYPE_TENSOR || t->rank) {
    strbuf_printf(&out, "element %u of ", c.index);
  }
  cell_print_value(g, &out, c.value);
  const char *text = strbuf_text(&out);
  return (report_text){text, out.length};
}

static report_text name_text(const shape_graph *g, shape_cell c) {
  shape_strbuf out;
  strbuf_init(&out, g->arena);
  cell_print(g, &out, c);
  const char *text = strbuf_text(&out);
  return (report_text){text, out.length};
}

static bool is_declared(const shape_graph *g, shape_cell c) {
  const graph_type *t = graph_value_type(g, c.value);
  return !c.element && t && t->kind == TYPE_TENSOR && c.index < t->rank && t->dims[c.index] >= 0;
}

// The cell that made the size, where the size is one symbol.
static bool made_by(const infer_result *infer, term_id size, shape_cell *out) {
  const term_node *node = term_get(infer->terms, size);
  return node->kind == TERM_SYMBOL && cell_of_symbol(infer, node->as.symbol, out);
}

static bool same_cell(shape_cell a, shape_cell b) {
  return a.frame == b.frame && a.value == b.value && a.index == b.index && a.element == b.element;
}

static at_kind kind_of(const infer_result *infer, shape_cell c, term_id size) {
  const shape_graph *g = infer->graph;
  shape_cell maker;
  if (!made_by(infer, size, &maker)) return AT_DERIVED;
  bool argument = maker.value == VALUE_NONE || g->values[maker.value].is_argument;
  if (argument)
    return same_cell(c, maker) || g->values[c.value].is_argument ? AT_ARGUMENT : AT_DERIVED;
  return AT_DATA;
}

static void explain_cell(const analysis *a, shape_report *report, shape_cell c, at_size *out) {
  infer_result *infer = report->infer;
  shape_graph *g = report->graph;
  term_id made = cell_term(infer, c);
  *out = (at_size){
      .index = c.index, .element = c.element, .what = what_text(g, c), .kind = AT_UNKNOWN};
  if (made == TERM_NONE) return;
  term_id size = store_express(infer->store, store_canon(infer->store, made));
  out->size = cell_term_text(infer, size);
  out->reduced = true;
  if (is_declared(g, c)) {
    out->kind = AT_DECLARED;
    return;
  }
  out->kind = kind_of(infer, c, size);
  searcher s = {.a = a, .report = report, .cell = c, .status = SHAPE_OK};
  cell_take(infer, size, &s.size);
  op_slice slice;
  slice_make(infer, c, size, NULL, &slice);
  shape_cell maker;
  bool own = s.size.failed && term_kind_of(infer->terms, size) == TERM_SYMBOL;
  own |= out->kind == AT_DATA && made_by(infer, size, &maker) && same_cell(c, maker);
  if (own) {
    out->kind = AT_DATA;
    out->size = name_text(g, c);
    s.understood = arena_zalloc(g->arena, g->op_count + 1);
    if (!g->values[c.value].is_argument) s.understood[g->values[c.value].def] = 1;
  } else if (s.size.failed || !find_set(&s, &slice)) {
    // The size rests on what only the whole program says: all that may matter is listed.
    s.understood = slice.in;
    out->reduced = false;
  }
  if (s.status != SHAPE_OK) arena_fail(g->arena, s.status);
  out->reduced &= !s.exhausted;
  if (out->kind == AT_ARGUMENT && slice.op_count) {
    bool any = false;
    for (uint32_t i = 0; i < slice.op_count; i++) any |= s.understood[slice.ops[i]];
    if (any) out->kind = AT_DERIVED;
  }
  fill_steps(&s, &slice, size, out);
}

// --- all dims of a location

static uint32_t frame_of_value(const infer_result *infer, value_id v) {
  for (uint32_t f = 0; f < infer->frame_count; f++) {
    const infer_frame *frame = &infer->frames[f];
    if (frame->values && v >= frame->value_base && v < frame->value_end &&
        frame->values[v - frame->value_base].visited)
      return f;
  }
  return ID_NONE;
}

static void add_cells(const infer_result *infer, const source_location *location, uint32_t frame,
                      shape_cell *cells, uint32_t *count) {
  uint32_t sizes = cell_count(infer, frame, location->value, false);
  uint32_t elements = cell_count(infer, frame, location->value, true);
  assert(frame < infer->frame_count && location->value < infer->graph->value_count);
  for (uint32_t i = 0; i < sizes && *count < EXPLAIN_DIMS_MAX; i++) {
    shape_cell c = {frame, location->value, i, false};
    if (location->axis == ID_NONE ? !is_declared(infer->graph, c) : location->axis == i)
      cells[(*count)++] = c;
  }
  for (uint32_t i = 0; i < elements && location->axis == ID_NONE && *count < EXPLAIN_DIMS_MAX; i++)
    cells[(*count)++] = (shape_cell){frame, location->value, i, true};
  // All dims are given as numbers: that is the answer.
  for (uint32_t i = 0; !*count && i < sizes && i < EXPLAIN_DIMS_MAX; i++)
    cells[(*count)++] = (shape_cell){frame, location->value, i, false};
}

bool explain_at(const analysis *a, uint32_t offset, at_explanation *out) {
  shape_report *report = shape_run_report(a->program);
  const infer_result *infer = report->infer;
  source_location location;
  if (!infer || !location_find(report->graph, &a->uses, offset, &location)) return false;
  shape_cell cells[EXPLAIN_DIMS_MAX];
  uint32_t count = 0, frame = frame_of_value(infer, location.value);
  if (frame != ID_NONE) add_cells(infer, &location, frame, cells, &count);
  if (!count) return false;
  *out = (at_explanation){.span = location.span, .value = location.value, .count = count};
  out->sizes = arena_alloc(report->graph->arena, count * sizeof *out->sizes);
  for (uint32_t i = 0; i < count; i++) explain_cell(a, report, cells[i], &out->sizes[i]);
  return true;
}

// --- in one go

typedef struct one_go {
  const analysis *a;
  uint32_t offset;
  at_taker *take;
  void *to;
} one_go;

static void explain_and_give(shape_run *p, void *data) {
  one_go *job = data;
  at_explanation e;
  bool found = analysis_is_valid(job->a) && explain_at(job->a, job->offset, &e);
  job->take(job->to, shape_run_report(p), found ? &e : NULL);
}

shape_status explain_at_text(const analysis_request *request, uint32_t offset, at_taker *take,
                             void *to) {
  analysis a;
  analysis_reply reply = {0};
  one_go job = {&a, offset, take, to};
  if (analysis_open(&a, request, true, &reply))
    reply.status = shape_run_protect(a.program, explain_and_give, &job);
  analysis_close(&a);
  return reply.status;
}
