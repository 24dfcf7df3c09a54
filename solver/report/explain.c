// SPDX-License-Identifier: Apache-2.0
// Reasons and scopes in the words of the source.
#include <assert.h>

#include "solver/report/work.h"

static source_span point(uint32_t at) { return (source_span){at, at}; }

// The node of a model by its name, else by that of its first result; of length 0 in text, where lines say it.
static report_text name_of_op(const shape_graph *g, op_id op) {
  report_text name;
  name.text = graph_node_name(g, op, &name.length);
  if (!name.length && !graph_is_text(g) && g->ops[op].result_count)
    name.text = graph_value_text(g, g->ops[op].results, &name.length);
  return name;
}

report_because report_reason(const shape_report *r, const reason *why) {
  const shape_graph *g = r->graph;
  report_because made = {.span = SPAN_NONE, .rule = why->rule, .message = why->what};
  switch ((reason_kind)why->kind) {
  case REASON_OP:
    if (why->subject >= g->op_count) break;
    made.span = g->ops[why->subject].span;
    made.node = name_of_op(g, why->subject);
    break;
  case REASON_TYPE:
    if (why->subject < g->value_count) made.span = point(g->values[why->subject].at);
    if (!made.message) made.message = "the type says so";
    break;
  case REASON_SYMBOL:
    if (why->subject < g->declared.symbol_count) made.span = g->declared.symbols[why->subject].span;
    if (!made.message) made.message = "the symbol is declared so";
    break;
  case REASON_ASSUMPTION:
    if (why->subject < g->declared.assumption_count)
      made.span = g->declared.assumptions[why->subject].span;
    if (!made.message) made.message = "it is assumed";
    break;
  case REASON_BINDING:
    if (!made.message) made.message = "the caller gave the size or type";
    break;
  case REASON_SIZE:
    if (!made.message) made.message = "dims are not negative";
    break;
  case REASON_NONE: break;
  }
  if (!made.message) made.message = "the operation requires it";
  return made;
}

void explain_candidate(shape_report *r, const candidate *c, report_constraint *out) {
  shape_arena *arena = r->work->arena;
  if (c->why.kind != REASON_NONE) {
    out->because = arena_alloc(arena, sizeof *out->because);
    out->because[0] = report_reason(r, &c->why);
    out->because_count = 1;
    return;
  }
  fact_id facts[BECAUSE_MAX];
  uint32_t count = store_because(r->infer->store, c->asked, facts, BECAUSE_MAX, &out->truncated);
  out->because = arena_alloc(arena, (count + 1) * sizeof *out->because);
  for (uint32_t i = 0; i < count; i++) {
    out->because[i] = report_reason(r, &store_fact(r->infer->store, facts[i])->why);
  }
  out->because_count = count;
}

report_text report_function_name(const shape_report *r, func_id function) {
  const shape_graph *g = r->graph;
  if (function >= g->func_count || g->funcs[function].name == NAME_NONE)
    return (report_text){"", 0};
  name_id name = g->funcs[function].name;
  return (report_text){intern_text(&g->names, name), intern_length(&g->names, name)};
}

static const char *func_name(const shape_report *r, uint32_t frame) {
  const infer_result *infer = r->infer;
  return report_function_name(r,
                              frame < infer->frame_count ? infer->frames[frame].func : infer->entry)
      .text;
}

// Which operation it is: its line, or in a model its node's name, else the name of its first result.
static void put_which(const shape_graph *g, op_id op, shape_strbuf *out) {
  const report_text node = name_of_op(g, op);
  if (node.length) {
    strbuf_add(out, node.text, node.length);
  } else {
    strbuf_int(out, graph_position(g, g->ops[op].span).line);
  }
}

// "main", or "main/stablehlo.while@12.1" for region 1 of the loop on line 12; of a model "graph/onnx.Loop@/decoder/Loop.0".
const char *explain_scope(shape_report *r, uint32_t scope) {
  enum { DEEPEST = 32 };
  const infer_result *infer = r->infer;
  if (scope == 0 || scope >= infer->scope_count) return report_function_name(r, infer->entry).text;
  uint32_t way[DEEPEST], count = 0;
  while (scope < infer->scope_count && scope != 0 && count < DEEPEST) {
    assert(infer->scopes[scope].parent == ID_NONE || infer->scopes[scope].parent < scope);
    way[count++] = scope;
    scope = infer->scopes[scope].parent;
  }
  shape_strbuf buf;
  strbuf_init(&buf, r->work->arena);
  strbuf_puts(&buf, func_name(r, infer->scopes[way[count - 1]].frame));
  while (count--) {
    const infer_scope *s = &infer->scopes[way[count]];
    if (s->op == ID_NONE || s->op >= r->graph->op_count) continue;
    strbuf_printf(&buf, "/%s@", graph_op_name(r->graph, s->op));
    put_which(r->graph, s->op, &buf);
    strbuf_printf(&buf, ".%u", s->region);
  }
  return strbuf_text(&buf);
}
