// SPDX-License-Identifier: Apache-2.0
// torch-mlir text with free dims: items of lists become integers that are computed from the dims of the arguments.
#include <assert.h>
#include <string.h>

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

static bool is_rewritten(const mlir_rewriter *w, const literal_site *s, uint32_t item) {
  int64_t number;
  return !s->stays[item] && !term_int_value(w->x->terms, s->now[item], &number);
}

static const char *item_name(mlir_rewriter *w, const literal_site *s, uint32_t item) {
  term_id term = item == literal_hole(w->x, s) ? term_int(w->x->terms, -1) : s->now[item];
  shape_strbuf text;
  strbuf_init(&text, w->graph->arena);
  strbuf_printf(&text, "%%%s%u", w->prefix, dim_put(&w->dims, term));
  return strbuf_text(&text);
}

static void rewrite_list(mlir_rewriter *w, const literal_site *s) {
  const source_text *source = &w->graph->source;
  for (uint32_t i = 0; i < s->rank; i++) {
    uint32_t at = w->uses->operands[w->graph->ops[s->list].operands + i];
    if (!is_rewritten(w, s, i)) continue;
    const char *name = item_name(w, s, i);
    edits_add(&w->edits, source, edit_value_span(source, at), name, (uint32_t)strlen(name));
  }
}

// "%dim8 = torch.prim.ListConstruct %dim3, %int6 : (!torch.int, !torch.int) -> !torch.list<int>"; returns 8.
static uint32_t put_list(mlir_rewriter *w, const literal_site *s, shape_strbuf *out) {
  const char **names = arena_zalloc(w->graph->arena, (s->rank + 1) * sizeof *names);
  for (uint32_t i = 0; i < s->rank; i++)
    names[i] = is_rewritten(w, s, i) ? item_name(w, s, i) : NULL;
  mlir_writer m = rewrite_writer(w, out);
  strbuf_printf(out, "%%%s%u = torch.prim.ListConstruct ", w->prefix, w->next);
  for (uint32_t i = 0; i < s->rank; i++) {
    if (i) strbuf_puts(out, ", ");
    if (names[i]) {
      strbuf_puts(out, names[i]);
    } else {
      mlir_write_value(&m, graph_operand(w->graph, s->list, i));
    }
  }
  strbuf_puts(out, " : (");
  for (uint32_t i = 0; i < s->rank; i++) {
    if (i) strbuf_puts(out, ", ");
    if (names[i]) {
      strbuf_puts(out, "!torch.int");
    } else {
      mlir_write_value_type(&m, graph_operand(w->graph, s->list, i));
    }
  }
  strbuf_puts(out, ") -> ");
  mlir_write_value_type(&m, w->graph->ops[s->list].results);
  return w->next++;
}

// In front of the operation, where all that the list had is visible, on a line of its own.
static void add_list(mlir_rewriter *w, const literal_site *s) {
  const source_text *source = &w->graph->source;
  uint32_t begin = w->graph->ops[s->op].span.begin;
  shape_strbuf list, name;
  strbuf_init(&list, w->graph->arena);
  strbuf_init(&name, w->graph->arena);
  strbuf_printf(&name, "%%%s%u", w->prefix, put_list(w, s, &list));
  strbuf_putc(&list, '\n');
  rewrite_indent(w, begin, &list);
  edits_add(&w->edits, source, (source_span){begin, begin}, list.data, list.length);
  uint32_t at = w->uses->operands[w->graph->ops[s->op].operands + s->row->operand];
  edits_add(&w->edits, source, edit_value_span(source, at), name.data, name.length);
}

void rewrite_torch_site(mlir_rewriter *w, const literal_site *s) {
  assert(w->graph->ops[s->list].operand_count == s->rank);
  if (s->own_list) {
    add_list(w, s);
  } else {
    rewrite_list(w, s);
  }
}
