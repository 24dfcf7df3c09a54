// SPDX-License-Identifier: Apache-2.0
// The program as a page: view_page.html and view_page.js, embedded at build time, with its data in place of a marker.
//
//   {"name": of the input, "answer": that of `check` without operations, "program": {
//     "functions": [{"name", "reached", "rows": [first, end], "arguments": [VALUE...], "argument_bytes", "constant_bytes"}],
//     "ops": [[name, parent row or -1, line, column, node, [operand...], [VALUE...], [block argument...], flops, moved,
//              callee or -1, constant]...],
//     "shapes": [[type, dims or null]...], "texts": [...]}}
//   VALUE: [number, name, shape, bytes, row of its last use]
//
// Names, nodes and expressions are indices in `texts`, shapes in `shapes`; -1: not known. Operations that reducers apply
// to elements are left out. Rows are in the order of the text, an operation before those in its regions.
#include <assert.h>
#include <string.h>

#include "solver/emit/encoder.h"
#include "solver/emit/emitter.h"
#include "solver/emit/page.h"
#include "solver/cost/cost.h"
#include "solver/ops/registry.h"

static const unsigned char PAGE[] = {
#include <view_page.html.inc>
};
static const unsigned char CODE[] = {
#include <view_page.js.inc>
};
static const char DATA[] = "/*DATA*/", SCRIPT[] = "/*SCRIPT*/";

typedef struct view {
  encoder e;
  const shape_graph *g;
  const cost_answer *cost;
  cost_sizes sizes;
  shape_imap callees;  // (frame, op) -> function
  shape_intern texts;
  uint32_t *rows;  // by op; ID_NONE: left out
  uint32_t row_count;
  uint32_t *shapes;  // by shape of the report: 1 + index in the list; 0: not in it
  uint32_t *listed, listed_count;
} view;

// A function that is written, and what is known of its cost; made: NULL: the entry does not reach it.
typedef struct view_function {
  const report_function *f;
  const cost_function *made;
  frame_sizes sizes;
} view_function;

static void put_index(view *v, uint32_t index) {
  json_int(v->e.w, index == ID_NONE ? -1 : (int64_t)index);
}

static void put_text(view *v, const char *text, uint32_t length) {
  put_index(v, length ? intern_add(&v->texts, text, length) : ID_NONE);
}

static void put_term(view *v, term_id term) {
  report_text text = {NULL, 0};
  if (term != TERM_NONE) text = report_term(v->e.report, term);
  put_text(v, text.text, text.length);
}

static void put_shape(view *v, value_id value) {
  uint32_t shape = v->e.report->value_shapes[value];
  assert(shape != ID_NONE);
  if (!v->shapes[shape]) {
    v->listed[v->listed_count++] = shape;
    v->shapes[shape] = v->listed_count;
  }
  put_index(v, v->shapes[shape] - 1);
}

static void put_value(view *v, view_function *f, value_id value) {
  uint32_t length;
  const char *name = graph_value_text(v->g, value, &length);
  op_id last = v->cost->live.last ? v->cost->live.last[value] : ID_NONE;
  json_begin_array(v->e.w);
  json_int(v->e.w, value);
  put_text(v, name, length);
  put_shape(v, value);
  put_term(v, f->made ? sizes_bytes(&f->sizes, value) : TERM_NONE);
  assert(last == ID_NONE || last < v->g->op_count);
  put_index(v, last == ID_NONE ? ID_NONE : v->rows[last]);
  json_end_array(v->e.w);
}

static void put_values(view *v, view_function *f, value_id first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) put_value(v, f, first + i);
}

// Whether what is in the regions of an operation is applied to elements, and is no part of the program.
static bool applies(const view *v, op_id op) {
  name_id name = v->g->ops[op].name;
  const op_row *row = registry_find(intern_text(&v->g->names, name),
                                    intern_length(&v->g->names, name), v->g->onnx_opset);
  return v->g->ops[op].region_count && row && row->structure == OP_APPLY;
}

static op_id holder(const view *v, op_id op) {
  return v->g->regions[v->g->blocks[v->g->ops[op].parent].region].op;
}

static void number_rows(view *v, const report_function *f) {
  uint8_t *hidden = arena_zalloc(v->g->arena, f->end_op - f->first_op + 1);
  for (op_id op = f->first_op; op < f->end_op; op++) {
    op_id outer = holder(v, op);
    budget_take(v->g->budget, 1);
    assert(outer == ID_NONE || (outer >= f->first_op && outer < op));
    bool inside = outer != ID_NONE && hidden[outer - f->first_op];
    hidden[op - f->first_op] = inside || applies(v, op);
    v->rows[op] = inside ? ID_NONE : v->row_count++;
  }
  assert(v->row_count <= v->g->op_count);
}

static void put_block_arguments(view *v, view_function *f, op_id op) {
  const graph_op *o = &v->g->ops[op];
  json_begin_array(v->e.w);
  for (uint32_t i = 0; i < o->region_count && !applies(v, op); i++) {
    const graph_region *r = &v->g->regions[o->regions + i];
    for (uint32_t k = 0; k < r->block_count; k++) {
      const graph_block *b = &v->g->blocks[r->first_block + k];
      put_values(v, f, b->arguments, b->argument_count);
    }
  }
  json_end_array(v->e.w);
}

static uint32_t callee_of(const view *v, const view_function *f, op_id op) {
  uint32_t callee;
  uint64_t frame = f->made ? f->made->frame : 0;
  return f->made && imap_get(&v->callees, frame << 32 | op, &callee) ? callee : ID_NONE;
}

static void put_op(view *v, view_function *f, op_id op, const cost_op *cost) {
  json_writer *w = v->e.w;
  const graph_op *o = &v->g->ops[op];
  const work_row *work = work_row_of(v->g, op);
  uint32_t length;
  source_position at = {0, 0};
  op_id outer = holder(v, op);
  if (graph_is_text(v->g) && !span_is_none(o->span)) at = graph_position(v->g, o->span);
  json_begin_array(w);
  put_text(v, intern_text(&v->g->names, o->name), intern_length(&v->g->names, o->name));
  put_index(v, outer == ID_NONE ? ID_NONE : v->rows[outer]);
  json_int(w, at.line);
  json_int(w, at.column);
  const char *node = graph_node_name(v->g, op, &length);
  put_text(v, node, length);
  json_begin_array(w);
  for (uint32_t i = 0; i < o->operand_count; i++) put_index(v, graph_operand(v->g, op, i));
  json_end_array(w);
  json_begin_array(w);
  put_values(v, f, o->results, o->result_count);
  json_end_array(w);
  put_block_arguments(v, f, op);
  put_term(v, cost ? cost->work.flops : TERM_NONE);
  put_term(v, cost ? cost->work.moved : TERM_NONE);
  put_index(v, callee_of(v, f, op));
  json_int(w, work && work->kind == WORK_CONSTANT);
  json_end_array(w);
}

static void put_ops(view *v, view_function *f) {
  uint32_t next = 0;
  for (op_id op = f->f->first_op; op < f->f->end_op; op++) {
    if (v->rows[op] == ID_NONE) continue;
    const cost_op *cost = NULL;
    if (f->made && next < f->made->op_count && f->made->ops[next].op == op)
      cost = &f->made->ops[next++];
    put_op(v, f, op, cost);
  }
  assert(!f->made || next == f->made->op_count);
}

static view_function open_function(view *v, const report_function *f) {
  view_function out = {.f = f};
  for (uint32_t i = 0; i < v->cost->function_count && !out.made; i++) {
    if (v->cost->functions[i].id == f->id) out.made = &v->cost->functions[i];
  }
  if (out.made) sizes_of_frame(&v->sizes, out.made->frame, &out.sizes);
  return out;
}

static void put_function(view *v, view_function *f) {
  json_writer *w = v->e.w;
  uint32_t first = ID_NONE, count = 0;
  for (op_id op = f->f->first_op; op < f->f->end_op; op++) {
    if (v->rows[op] == ID_NONE) continue;
    if (first == ID_NONE) first = v->rows[op];
    count++;
  }
  if (first == ID_NONE) first = 0;
  json_begin_object(w);
  json_key(w, "name");
  encode_report_text(w, report_function_name(v->e.report, f->f->id));
  json_put_bool(w, "reached", f->made != NULL);
  json_key_array(w, "rows");
  json_int(w, first);
  json_int(w, first + count);
  json_end_array(w);
  json_key_array(w, "arguments");
  put_values(v, f, f->f->arguments, f->f->argument_count);
  json_end_array(w);
  json_key(w, "argument_bytes");
  put_term(v, f->made ? f->made->argument_bytes : TERM_NONE);
  json_key(w, "constant_bytes");
  put_term(v, f->made ? f->made->constant_bytes : TERM_NONE);
  json_end_object(w);
}

static void put_shapes(view *v) {
  json_writer *w = v->e.w;
  json_begin_array(w);
  for (uint32_t i = 0; i < v->listed_count; i++) {
    assert(v->shapes[v->listed[i]] == i + 1);
    const report_shape *s = &v->e.report->shapes[v->listed[i]];
    shape_strbuf type;
    strbuf_init(&type, v->g->arena);
    if (s->type != TYPE_NONE) type_print(&v->g->types, &type, s->type);
    json_begin_array(w);
    json_text(w, type.data, type.length);
    if (s->ranked) {
      json_begin_array(w);
      for (uint32_t k = 0; k < s->rank; k++) encode_size(&v->e, w, s->dims[k]);
      json_end_array(w);
    } else {
      json_null(w);
    }
    json_end_array(w);
  }
  json_end_array(w);
}

static void open_view(view *v) {
  const shape_report *r = v->e.report;
  const infer_result *infer = r->infer;
  shape_arena *arena = v->g->arena;
  uint32_t *by_func = arena_alloc(arena, (v->g->func_count + 1) * sizeof *by_func);
  v->cost = cost_make(v->e.report);
  sizes_init(&v->sizes, v->e.report);
  intern_init(&v->texts, arena);
  v->rows = arena_alloc(arena, (v->g->op_count + 1) * sizeof *v->rows);
  memset(v->rows, 0xff, (v->g->op_count + 1) * sizeof *v->rows);
  // Shapes of values that the answer does not speak of follow those that are counted.
  uint32_t shapes = r->shape_count;
  for (value_id i = 0; i < v->g->value_count; i++) {
    uint32_t shape = r->value_shapes[i];
    if (shape != ID_NONE && shape >= shapes) shapes = shape + 1;
  }
  v->shapes = arena_zalloc(arena, (shapes + 1) * sizeof *v->shapes);
  v->listed = arena_alloc(arena, (shapes + 1) * sizeof *v->listed);
  uint32_t count = 0;
  for (uint32_t i = 0; i < r->function_count; i++) {
    if (!report_is_function(r, &r->functions[i])) continue;
    by_func[r->functions[i].id] = count++;
    number_rows(v, &r->functions[i]);
  }
  for (uint32_t i = 0; i < infer->call_count; i++) {
    const infer_call *c = &infer->calls[i];
    imap_put(&v->callees, arena, (uint64_t)c->frame << 32 | c->op,
             by_func[infer->frames[c->callee].func]);
  }
}

static void put_program(view *v) {
  json_writer *w = v->e.w;
  const shape_report *r = v->e.report;
  view_function *functions = arena_alloc(v->g->arena, (r->function_count + 1) * sizeof *functions);
  json_begin_object(w);
  json_key_array(w, "functions");
  for (uint32_t i = 0; i < r->function_count; i++) {
    if (!report_is_function(r, &r->functions[i])) continue;
    functions[i] = open_function(v, &r->functions[i]);
    put_function(v, &functions[i]);
  }
  json_end_array(w);
  json_key_array(w, "ops");
  for (uint32_t i = 0; i < r->function_count; i++) {
    if (report_is_function(r, &r->functions[i])) put_ops(v, &functions[i]);
  }
  json_end_array(w);
  json_key(w, "shapes");
  put_shapes(v);
  json_key_array(w, "texts");
  for (uint32_t i = 0; i < v->texts.count; i++)
    json_text(w, intern_text(&v->texts, i), intern_length(&v->texts, i));
  json_end_array(w);
  json_end_object(w);
}

static void put_data(const emission *em, json_writer *w) {
  shape_report *r = em->report;
  view v = {.e = {.report = r, .graph = r->graph, .arena = r->graph->arena, .w = w}, .g = r->graph};
  open_view(&v);
  json_begin_object(w);
  json_put_string(w, "name", em->a->request->name);
  json_key(w, "answer");
  report_encode_without_ops(r, w);
  json_key(w, "program");
  put_program(&v);
  json_end_object(w);
}

void emit_view(const emission *em) {
  const page_text page = {(const char *)PAGE, sizeof PAGE};
  shape_strbuf data;
  json_writer w;
  size_t at = page_put_until(em->out, page, 0, DATA);
  strbuf_init_sink(&data, em->report->graph->arena, page_escape, em->out);
  json_writer_init(&w, &data);
  w.big_as_text = true;
  put_data(em, &w);
  strbuf_flush(&data);
  at = page_put_until(em->out, page, at, SCRIPT);
  strbuf_add(em->out, (const char *)CODE, sizeof CODE);
  page_put_rest(em->out, page, at);
}

void emit_view_json(const emission *em) {
  json_writer w;
  json_writer_init(&w, em->out);
  put_data(em, &w);
  strbuf_putc(em->out, '\n');
}
