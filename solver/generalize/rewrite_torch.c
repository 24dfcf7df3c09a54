// SPDX-License-Identifier: Apache-2.0
// torch-mlir text with free dims: items of lists become integers that are computed from the dims of the arguments.
#include <assert.h>

#include "solver/generalize/rewrite.h"

static uint32_t put_number(void *to, int64_t n) {
  return rewrite_line(to, "torch.constant.int %lld", (long long)n);
}

static uint32_t put_argument(void *to, uint32_t argument, uint32_t axis) {
  mlir_rewriter *w = to;
  value_id v = w->x->loose->from->arguments + argument;
  assert(v < w->graph->value_count);
  uint32_t number = put_number(to, axis);
  mlir_writer m = rewrite_writer(w, w->out);
  strbuf_add(w->out, w->indent, w->indent_length);
  strbuf_printf(w->out, "%%%s%u = torch.aten.size.int ", w->prefix, w->next);
  mlir_write_value(&m, v);
  strbuf_printf(w->out, ", %%%s%u : ", w->prefix, number);
  mlir_write_value_type(&m, v);
  strbuf_puts(w->out, ", !torch.int -> !torch.int\n");
  return w->next++;
}

static uint32_t put_step(void *to, dim_step step, uint32_t a, uint32_t b) {
  static const char *const OPS[DIM_STEPS] = {"aten.add.int", "aten.sub.int", "aten.mul.int",
                                             "aten.floordiv.int", "prim.min.int"};
  mlir_rewriter *w = to;
  return rewrite_line(w, "torch.%s %%%s%u, %%%s%u : !torch.int, !torch.int -> !torch.int",
                      OPS[step], w->prefix, a, w->prefix, b);
}

static const dim_forms FORMS = {
    .number = put_number, .argument = put_argument, .step = put_step, .floors = true};

void rewrite_torch_init(mlir_rewriter *w) { dim_writer_init(&w->dims, w->x, &FORMS, w); }

void rewrite_torch_site(mlir_rewriter *w, const literal_site *s) {
  const graph_op *list = &w->graph->ops[s->list];
  const source_text *source = &w->graph->source;
  uint32_t hole = literal_hole(w->x, s);
  assert(list->operand_count == s->rank);
  for (uint32_t i = 0; i < s->rank; i++) {
    int64_t number;
    uint32_t at = w->uses->operands[list->operands + i];
    if (s->stays[i] || term_int_value(w->x->terms, s->now[i], &number)) continue;
    term_id term = i == hole ? term_int(w->x->terms, -1) : s->now[i];
    shape_strbuf text;
    strbuf_init(&text, w->graph->arena);
    strbuf_printf(&text, "%%%s%u", w->prefix, dim_put(&w->dims, term));
    edits_add(&w->edits, source, edit_value_span(source, at), text.data, text.length);
  }
}
