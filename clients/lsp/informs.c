// SPDX-License-Identifier: Apache-2.0
// Which hints inform: dims that are not those of an operand, and that the written type does not say, in functions of which
// more is known than a symbol for each `?`.
#include <string.h>

#include "clients/lsp/call.h"
#include "clients/lsp/syntax/context.h"

static bool same_text(report_text a, report_text b) {
  return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static bool same_dims(const lsp_shape *a, const lsp_shape *b) {
  if (a == b) return true;
  if (!a || !b || !a->ranked || !b->ranked || a->rank != b->rank) return false;
  for (uint32_t i = 0; i < a->rank; i++) {
    if (!same_text(a->dims[i], b->dims[i])) return false;
  }
  return true;
}

// The operation whose operands a value may have the dims of: that which makes it, or that whose block it is an argument of.
static op_id maker_of(const shape_graph *g, value_id value) {
  const graph_value *v = &g->values[value];
  if (!v->is_argument) return v->def;
  region_id region = v->def < g->block_count ? g->blocks[v->def].region : ID_NONE;
  return region < g->region_count ? g->regions[region].op : ID_NONE;
}

static bool has_dims_of_operand(lsp_model *m, value_id value, const lsp_shape *shape) {
  op_id op = maker_of(m->graph, value);
  if (op == ID_NONE || op >= m->graph->op_count) return false;
  for (uint32_t i = 0; i < m->graph->ops[op].operand_count; i++) {
    value_id operand = graph_operand(m->graph, op, i);
    if (operand != VALUE_NONE && same_dims(shape, lsp_model_shape(m, operand))) return true;
  }
  return false;
}

// Whether the dim is a number, or a symbol that the type names.
static bool says(const graph_type *type, report_text dim, uint32_t axis, report_text written) {
  if (type && type->kind == TYPE_TENSOR && axis < type->rank && dim_is_static(type->dims[axis]))
    return true;
  for (uint32_t at = 0; at + dim.length < written.length; at++) {
    bool found =
        written.text[at] == '@' && memcmp(written.text + at + 1, dim.text, dim.length) == 0;
    if (found && lsp_word_end(written, at + 1) == at + 1 + dim.length) return true;
  }
  return false;
}

// As the text has it, with the symbols of its dims.
static report_text written_type(lsp_call *call, value_id value) {
  const shape_graph *g = call->model->graph;
  shape_strbuf out;
  uint32_t at = g->values[value].at, number = 0;
  while (number < value && g->values[value - number - 1].at == at) number++;
  strbuf_init(&out, call->arena);
  uint32_t name = syn_name_at(call->syntax, at);
  if (name != SYN_NONE && call->syntax->names[name].begin == at)
    syn_type_text(call->syntax, syn_type_of(call->syntax, name, number), &out);
  return (report_text){out.data ? out.data : "", out.length};
}

// In Python, `x: "f32[B, 3]"`.
static bool python_says(lsp_call *call, value_id value, const lsp_shape *shape) {
  const source_text *source = &call->model->graph->source;
  uint32_t from = lsp_name_span(call->model, call->model->graph->values[value].at).end, to = from;
  shape_strbuf dims;
  if (source->length - from < 3 || memcmp(source->text + from, ": \"", 3) != 0) return false;
  from += 3;
  for (to = from; to < source->length && source->text[to] != '"';) to++;
  strbuf_init(&dims, call->arena);
  for (uint32_t i = 0; i < shape->rank; i++) {
    strbuf_puts(&dims, i ? ", " : "[");
    strbuf_add(&dims, shape->dims[i].text, shape->dims[i].length);
  }
  strbuf_putc(&dims, ']');
  return to - from > dims.length &&
         memcmp(source->text + to - dims.length, dims.data, dims.length) == 0;
}

// Whether a dim is known that the written type does not say.
static bool adds(lsp_call *call, value_id value, const lsp_shape *shape) {
  const graph_type *type = graph_value_type(call->model->graph, value);
  if (!shape || !shape->ranked || !shape->dynamic) return false;
  if (call->document->python) return !python_says(call, value, shape);
  report_text written = written_type(call, value);
  for (uint32_t i = 0; i < shape->rank; i++) {
    if (*shape->dims[i].text != '?' && !says(type, shape->dims[i], i, written)) return true;
  }
  return false;
}

// --- functions of which something is known

// A symbol that nothing else than this dim is.
static bool is_fresh(const lsp_model *m, report_text dim) {
  const lsp_symbol *s = lsp_model_symbol(m, dim.text, dim.length);
  return s && s->argument == ID_NONE && strcmp(s->origin, "declared") != 0;
}

static bool is_dynamic(const graph_type *type, uint32_t axis) {
  bool number =
      type && type->kind == TYPE_TENSOR && axis < type->rank && dim_is_static(type->dims[axis]);
  return !number;
}

// An argument says more than a symbol for each `?`: a number, an expression, or one symbol twice.
static bool argument_informs(lsp_call *call, value_id value, shape_intern *seen) {
  lsp_model *m = call->model;
  const lsp_shape *shape = lsp_model_shape(m, value);
  const graph_type *type = graph_value_type(m->graph, value);
  for (uint32_t i = 0; shape && shape->ranked && i < shape->rank; i++) {
    report_text dim = shape->dims[i];
    if (!is_dynamic(type, i) || *dim.text == '?') continue;
    uint32_t known = seen->count;
    if (intern_add(seen, dim.text, dim.length) < known) return true;
    if (!lsp_model_symbol(m, dim.text, dim.length)) return true;
  }
  return false;
}

static bool result_informs(lsp_call *call, value_id value) {
  lsp_model *m = call->model;
  const lsp_shape *shape = lsp_model_shape(m, value);
  if (!adds(call, value, shape) || has_dims_of_operand(m, value, shape)) return false;
  const graph_type *type = graph_value_type(m->graph, value);
  for (uint32_t i = 0; i < shape->rank; i++) {
    if (is_dynamic(type, i) && *shape->dims[i].text != '?' && !is_fresh(m, shape->dims[i]))
      return true;
  }
  return false;
}

// Functions with constraints or guards are known to inform.
static void mark_constraints(lsp_model *m, const lsp_constraint *list, uint32_t count,
                             const shape_imap *by_name) {
  for (uint32_t i = 0; i < count; i++) {
    name_id name = intern_find(&m->graph->names, list[i].function.text, list[i].function.length);
    uint32_t f;
    if (name != NAME_NONE && imap_get(by_name, name, &f)) m->judged.informs[f] = 2;
  }
}

static void mark_functions(lsp_call *call) {
  lsp_model *m = call->model;
  shape_imap by_name = {0};
  m->judged.informs = arena_zalloc(m->graph->arena, m->graph->func_count + 1);
  for (func_id f = 0; f < m->graph->func_count; f++) {
    if (m->graph->funcs[f].name != NAME_NONE)
      imap_put(&by_name, call->arena, m->graph->funcs[f].name, f);
  }
  mark_constraints(m, m->facts.constraints, m->facts.constraint_count, &by_name);
  mark_constraints(m, m->facts.guards, m->facts.guard_count, &by_name);
}

// The first operation that does not begin before the byte: they are in the order of their text.
static op_id first_op(const shape_graph *g, uint32_t offset) {
  return sorted_before(g->ops, g->op_count, sizeof *g->ops, offsetof(graph_op, span.begin), offset);
}

static bool find_out(lsp_call *call, func_id f) {
  lsp_model *m = call->model;
  const shape_graph *g = m->graph;
  shape_intern seen;
  region_id body = g->funcs[f].body;
  if (body == ID_NONE || !g->regions[body].block_count) return false;
  const graph_block *entry = &g->blocks[g->regions[body].first_block];
  intern_init(&seen, call->arena);
  for (uint32_t i = 0; i < entry->argument_count; i++) {
    if (argument_informs(call, entry->arguments + i, &seen)) return true;
  }
  for (op_id op = first_op(g, g->funcs[f].span.begin);
       op < g->op_count && g->ops[op].span.begin < g->funcs[f].span.end; op++) {
    for (uint32_t k = 0; k < g->ops[op].result_count; k++) {
      if (result_informs(call, g->ops[op].results + k)) return true;
    }
  }
  return false;
}

static bool function_informs(lsp_call *call, func_id f) {
  lsp_model *m = call->model;
  if (f >= m->graph->func_count) return true;
  if (!m->judged.informs) mark_functions(call);
  if (!m->judged.informs[f]) m->judged.informs[f] = find_out(call, f) ? 2 : 1;
  return m->judged.informs[f] == 2;
}

bool lsp_hint_informs(lsp_call *call, value_id first, uint32_t count) {
  lsp_model *m = call->model;
  bool any = false;
  for (uint32_t i = 0; i < count; i++) {
    const lsp_shape *shape = lsp_model_shape(m, first + i);
    any |= adds(call, first + i, shape) && !has_dims_of_operand(m, first + i, shape);
  }
  // The dims of arguments have names in Python: each function says something.
  return any && (call->document->python || function_informs(call, lsp_model_function_of(m, first)));
}
