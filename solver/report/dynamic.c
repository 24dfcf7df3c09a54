// SPDX-License-Identifier: Apache-2.0
// Why a size is no number: the symbols that it is made of, and where those come from.
#include <string.h>

#include "solver/graph/argument_name.h"
#include "solver/ops/traits.h"
#include "solver/ops/registry.h"
#include "solver/report/report.h"

// What a size depends on, the least helpful first: the last kind that is found is said.
typedef enum source_kind {
  FROM_NOTHING,
  FROM_ARGUMENT,
  FROM_VALUE,
  FROM_DATA,
  FROM_UNKNOWN
} source_kind;

enum { MAX_NAMES = 32 };

typedef struct source {
  const shape_report *report;
  source_kind kind;
  const infer_origin *origin;
  term_id named[MAX_NAMES];  // what names that were met denote: to be inspected as well
  uint32_t named_count;
} source;

static bool is_known_op(const shape_graph *g, op_id op) {
  if (op_has(g, op, TRAIT_CUSTOM_CALL)) return false;
  return registry_find(graph_op_name(g, op), intern_length(&g->names, g->ops[op].name),
                       g->onnx_opset) != NULL;
}

static void look(void *data, term_id atom) {
  source *s = data;
  const infer_result *infer = s->report->infer;
  const term_node *node = term_get(infer->terms, atom);
  if (node->kind != TERM_SYMBOL || node->as.symbol >= infer->origin_count) return;
  term_id named = store_named(infer->store, node->as.symbol);
  if (named != TERM_NONE && s->named_count < MAX_NAMES) {
    s->named[s->named_count++] = named;
    return;
  }
  const infer_origin *origin = &infer->origins[node->as.symbol];
  source_kind kind = FROM_DATA;
  if (origin->kind == ORIGIN_ARGUMENT_SIZE || origin->kind == ORIGIN_DECLARED) {
    kind = FROM_ARGUMENT;
  } else if (origin->kind == ORIGIN_ARGUMENT_VALUE) {
    kind = FROM_VALUE;
  } else if (origin->op != ID_NONE && !is_known_op(s->report->graph, origin->op)) {
    kind = FROM_UNKNOWN;
  }
  if (kind <= s->kind) return;
  s->kind = kind;
  s->origin = origin;
}

static source find_source(const shape_report *r, const report_shape *known) {
  source s = {.report = r};
  for (uint32_t i = 0; known->ranked && known->dims && i < known->rank; i++) {
    if (known->dims[i] != TERM_NONE) term_visit_atoms(r->infer->terms, known->dims[i], look, &s);
  }
  for (uint32_t i = 0; i < s.named_count; i++) {
    term_visit_atoms(r->infer->terms, s.named[i], look, &s);
  }
  return s;
}

// x.1 is a dim, n what a scalar holds, s[1] an element; arg0.1, arg2 and arg2[1] where the source gives no such name.
static void print_argument(const shape_report *r, const infer_origin *from, shape_strbuf *out) {
  const shape_graph *g = r->graph;
  if (from->kind == ORIGIN_DECLARED) {
    strbuf_printf(out, "%s is not given",
                  intern_text(&g->names, g->declared.symbols[from->graph_symbol].name));
    return;
  }
  func_id func = r->infer->frames[from->frame].func;
  const graph_block *entry = &g->blocks[g->regions[g->funcs[func].body].first_block];
  const argument_list list = {NULL, entry->arguments, entry->argument_count};
  uint32_t length;
  const char *name = argument_name_of(g, list, from->argument, &length);
  if (name) {
    strbuf_add(out, name, length);
  } else {
    strbuf_printf(out, "arg%u", (unsigned)from->argument);
  }
  const graph_type *type = graph_value_type(g, entry->arguments + from->argument);
  if (from->kind == ORIGIN_ARGUMENT_SIZE) {
    strbuf_printf(out, ".%u", (unsigned)from->axis);
  } else if (type && type->kind == TYPE_TENSOR && type->rank) {
    strbuf_printf(out, "[%u]", (unsigned)from->axis);
  }
  report_text function = report_function_name(r, func);
  strbuf_printf(out, " of @%.*s is not given", (int)function.length, function.text);
}

void report_dynamic_reason(const shape_report *r, const report_shape *known, shape_strbuf *out) {
  const shape_graph *g = r->graph;
  source s = find_source(r, known);
  if (s.kind == FROM_ARGUMENT || s.kind == FROM_VALUE) {
    print_argument(r, s.origin, out);
  } else if (s.kind == FROM_NOTHING || s.origin->op == ID_NONE) {
    strbuf_puts(out, known->ranked && known->dims ? "calls of its function hand over different dims"
                                                  : "nothing determines it");
  } else {
    const char *name = graph_op_name(g, s.origin->op);
    uint32_t line = graph_position(g, g->ops[s.origin->op].name_span).line;
    strbuf_printf(out,
                  s.kind == FROM_DATA ? "it depends on the data that %s reads in line %u"
                                      : "what %s in line %u makes is not known",
                  name, line);
  }
}
