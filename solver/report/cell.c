// SPDX-License-Identifier: Apache-2.0
#include "solver/report/cell.h"

#include <assert.h>

#include "solver/term/parse.h"
#include "solver/term/print.h"

static const value_info *info_of(const infer_result *infer, uint32_t frame, value_id value) {
  if (frame >= infer->frame_count || value == VALUE_NONE) return NULL;
  const infer_frame *f = &infer->frames[frame];
  if (!f->values || value < f->value_base || value >= f->value_end) return NULL;
  const value_info *v = &f->values[value - f->value_base];
  return v->visited ? v : NULL;
}

// A symbol of the graph, wherever the analysis put it. Declared symbols are few and are made first.
static term_id declared_term(const infer_result *infer, uint32_t declared) {
  for (term_id t = 0; t < infer->terms->count; t++) {
    const term_node *node = term_get(infer->terms, t);
    if (node->kind != TERM_SYMBOL || node->as.symbol >= infer->origin_count) continue;
    const infer_origin *o = &infer->origins[node->as.symbol];
    if (o->kind == ORIGIN_DECLARED && o->graph_symbol == declared) return t;
  }
  return TERM_NONE;
}

term_id cell_term(const infer_result *infer, shape_cell c) {
  if (c.value == VALUE_NONE) return declared_term(infer, c.index);
  const value_info *v = info_of(infer, c.frame, c.value);
  if (!v) return TERM_NONE;
  if (c.element)
    return v->elements && c.index < v->element_count ? v->elements[c.index] : TERM_NONE;
  return v->ranked && c.index < v->rank ? v->dims[c.index] : TERM_NONE;
}

uint32_t cell_count(const infer_result *infer, uint32_t frame, value_id value, bool elements) {
  const value_info *v = info_of(infer, frame, value);
  if (!v) return 0;
  if (elements) return v->elements ? v->element_count : 0;
  return v->ranked ? v->rank : 0;
}

uint32_t cell_callee(const infer_result *infer, uint32_t frame, op_id call) {
  for (uint32_t i = infer->call_count; i-- > 0;) {
    const infer_call *c = &infer->calls[i];
    if (c->frame == frame && c->op == call) return c->callee;
  }
  return ID_NONE;
}

static value_id argument_of(const infer_result *infer, uint32_t frame, uint32_t argument) {
  assert(frame < infer->frame_count);
  const shape_graph *g = infer->graph;
  const graph_func *f = &g->funcs[infer->frames[frame].func];
  if (f->body == ID_NONE || !g->regions[f->body].block_count) return VALUE_NONE;
  const graph_block *b = &g->blocks[g->regions[f->body].first_block];
  return argument < b->argument_count ? b->arguments + argument : VALUE_NONE;
}

static bool find_in_results(const infer_result *infer, const infer_origin *o, uint32_t symbol,
                            shape_cell *out) {
  assert(o->op < infer->graph->op_count);
  const graph_op *op = &infer->graph->ops[o->op];
  for (uint32_t i = 0; i < 2 * op->result_count; i++) {
    shape_cell c = {o->frame, op->results + i / 2, 0, i % 2};
    uint32_t count = cell_count(infer, c.frame, c.value, c.element);
    for (; c.index < count; c.index++) {
      term_id t = cell_term(infer, c);
      if (t == TERM_NONE || term_kind_of(infer->terms, t) != TERM_SYMBOL) continue;
      if (term_get(infer->terms, t)->as.symbol != symbol) continue;
      *out = c;
      return true;
    }
  }
  return false;
}

bool cell_of_symbol(const infer_result *infer, uint32_t symbol, shape_cell *out) {
  if (symbol >= infer->origin_count) return false;
  const infer_origin *o = &infer->origins[symbol];
  switch (o->kind) {
  case ORIGIN_ARGUMENT_SIZE:
  case ORIGIN_ARGUMENT_VALUE:
    if (o->frame >= infer->frame_count) return false;
    *out = (shape_cell){o->frame, argument_of(infer, o->frame, o->argument), o->axis,
                        o->kind == ORIGIN_ARGUMENT_VALUE};
    return out->value != VALUE_NONE;
  case ORIGIN_DECLARED: *out = (shape_cell){0, VALUE_NONE, o->graph_symbol, false}; return true;
  case ORIGIN_OPAQUE:
    return o->op < infer->graph->op_count && o->frame < infer->frame_count &&
           find_in_results(infer, o, symbol, out);
  default: return false;
  }
}

// --- text

void cell_print_value(const shape_graph *g, shape_strbuf *out, value_id value) {
  assert(value < g->value_count);
  uint32_t length;
  const char *name = graph_value_text(g, value, &length);
  const graph_value *v = &g->values[value];
  if (!length) {
    strbuf_puts(out, "a value");
    return;
  }
  if (g->format == GRAPH_MLIR) strbuf_putc(out, '%');
  strbuf_add(out, name, length);
  // One name for several results.
  if (!v->is_argument && g->format == GRAPH_MLIR && g->ops[v->def].result_count > 1 &&
      !memchr(name, '#', length)) {
    strbuf_printf(out, "#%u", graph_value_index(g, value));
  }
}

static bool is_scalar(const shape_graph *g, value_id value) {
  const graph_type *t = graph_value_type(g, value);
  return t && (t->kind != TYPE_TENSOR || t->rank == 0);
}

void cell_print(const shape_graph *g, shape_strbuf *out, shape_cell c) {
  if (c.value == VALUE_NONE) {
    name_id name = g->declared.symbols[c.index].name;
    term_print_name(out, intern_text(&g->names, name), intern_length(&g->names, name));
    return;
  }
  cell_print_value(g, out, c.value);
  if (!c.element) {
    strbuf_printf(out, ".%u", c.index);
  } else if (!is_scalar(g, c.value)) {
    strbuf_printf(out, "[%u]", c.index);
  }
}

static void print_symbol(void *data, shape_strbuf *out, uint32_t symbol) {
  const infer_result *infer = data;
  shape_cell c;
  if (!cell_of_symbol(infer, symbol, &c)) {
    strbuf_printf(out, "_%u", symbol);
    return;
  }
  assert(symbol < infer->origin_count);
  const infer_origin *o = &infer->origins[symbol];
  bool argument = o->kind == ORIGIN_ARGUMENT_SIZE || o->kind == ORIGIN_ARGUMENT_VALUE;
  if (!argument || o->frame != 0) {
    cell_print(infer->graph, out, c);
  } else if (!c.element) {
    strbuf_printf(out, "arg%u.%u", o->argument, o->axis);
  } else if (is_scalar(infer->graph, c.value)) {
    strbuf_printf(out, "arg%u", o->argument);
  } else {
    strbuf_printf(out, "arg%u[%u]", o->argument, o->axis);
  }
}

// For a text of the analysis.
static term_namer open_text(const infer_result *infer, shape_strbuf *out) {
  strbuf_init(out, infer->graph->arena);
  return (term_namer){
      .symbol = print_symbol, .functions = &infer->graph->names, .data = (void *)infer};
}

static report_text text_of(shape_strbuf *out) {
  const char *text = strbuf_text(out);
  return (report_text){text, out->length};
}

report_text cell_term_text(const infer_result *infer, term_id term) {
  shape_strbuf out;
  const term_namer names = open_text(infer, &out);
  term_print(infer->terms, &out, term, &names);
  return text_of(&out);
}

report_text cell_predicate_text(const infer_result *infer, predicate p) {
  shape_strbuf out;
  const term_namer names = open_text(infer, &out);
  predicate_print(infer->terms, &out, p, &names);
  return text_of(&out);
}

// --- from one analysis to another

typedef struct taking {
  const infer_result *from;
  cell_expression *e;
} taking;

static void take_symbol(void *data, shape_strbuf *out, uint32_t symbol) {
  taking *t = data;
  cell_expression *e = t->e;
  shape_cell c;
  if (!cell_of_symbol(t->from, symbol, &c)) {
    e->failed = true;
    return;
  }
  e->cells = arena_grow(t->from->graph->arena, e->cells, e->count, (size_t)e->count + 1,
                        &e->capacity, sizeof *e->cells);
  assert(e->count < e->capacity);
  strbuf_printf(out, "c%u", e->count);
  e->cells[e->count++] = c;
}

void cell_take(const infer_result *from, term_id term, cell_expression *out) {
  taking t = {from, out};
  shape_strbuf text;
  const term_namer names = {.symbol = take_symbol, .functions = &from->graph->names, .data = &t};
  *out = (cell_expression){0};
  strbuf_init(&text, from->graph->arena);
  term_print(from->terms, &text, term, &names);
  out->text = strbuf_text(&text);
  out->length = text.length;
}

static uint32_t root_of(const infer_result *infer, func_id func) {
  for (uint32_t i = 0; i < infer->frame_count; i++) {
    if (infer->frames[i].func == func && infer->frames[i].parent == ID_NONE) return i;
  }
  return ID_NONE;
}

// The frame that the same calls lead to; where they are not followed, what holds of the function for all callers.
static uint32_t move_frame(const infer_result *from, const infer_result *to, uint32_t frame) {
  assert(frame < from->frame_count);
  enum { DEEPEST = 256 };
  op_id path[DEEPEST];
  uint32_t depth = 0, at = frame;
  for (; from->frames[at].parent != ID_NONE; at = from->frames[at].parent) {
    if (depth == DEEPEST) return ID_NONE;
    path[depth++] = from->frames[at].caller;
  }
  uint32_t moved = at ? root_of(to, from->frames[at].func) : 0;
  while (depth && moved != ID_NONE) moved = cell_callee(to, moved, path[--depth]);
  return moved != ID_NONE ? moved : root_of(to, from->frames[frame].func);
}

bool cell_move(const infer_result *from, const infer_result *to, shape_cell *cell) {
  if (cell->value == VALUE_NONE) return true;
  if (cell->frame >= from->frame_count) return false;
  cell->frame = move_frame(from, to, cell->frame);
  return cell->frame != ID_NONE;
}

typedef struct giving {
  const cell_expression *e;
  const infer_result *from, *to;
} giving;

static term_id give_symbol(void *data, const char *name, size_t length) {
  giving *g = data;
  uint32_t index = 0;
  for (size_t i = 1; i < length; i++) index = index * 10 + (uint32_t)(name[i] - '0');
  if (index >= g->e->count) return TERM_NONE;
  shape_cell c = g->e->cells[index];
  return cell_move(g->from, g->to, &c) ? cell_term(g->to, c) : TERM_NONE;
}

term_id cell_give(const cell_expression *e, const infer_result *from, const infer_result *to) {
  giving g = {e, from, to};
  term_parser parser = {.terms = to->terms, .symbol = give_symbol, .data = &g};
  term_id out;
  return !e->failed && term_parse_expr(&parser, e->text, e->length, &out) ? out : TERM_NONE;
}
