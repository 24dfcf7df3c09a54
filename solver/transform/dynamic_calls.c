// SPDX-License-Identifier: Apache-2.0
// Custom calls of dynamic operations (ops/rules/stablehlo/dynamic_call.c) as the static operations that they are of.
// The reducer of a reduce_window is a function, which its region calls.
#include <assert.h>
#include <string.h>

#include "solver/ops/dynamic.h"
#include "solver/ops/rules/common/rules.h"
#include "solver/transform/rewrite.h"

typedef struct dynamic_form {
  refine_rewrite *r;
  op_id op;
  dynamic_call kind;
  func_id reducer;  // of a window
  const constant_value *lists[DYNAMIC_WINDOW_LISTS];
  mlir_writer w;
} dynamic_form;

static bool is_static(const refine_rewrite *r, value_id value) {
  type_id id = value == VALUE_NONE ? TYPE_NONE : r->value_types[value];
  const graph_type *type = id == TYPE_NONE ? NULL : type_get(&r->graph->types, id);
  for (uint32_t i = 0; type && type->kind == TYPE_TENSOR && i < type->rank; i++) {
    if (!dim_is_static(type->dims[i])) return false;
  }
  return type && type->kind == TYPE_TENSOR;
}

// The operands that are lists of numbers, from the first on.
static uint32_t first_list(const graph_op *o, dynamic_call kind) {
  return kind == DYNAMIC_CALL_WINDOW ? 2 * o->result_count : 1;
}

// The function of called_computations, whose arguments are one pair for each result; ID_NONE: there is none.
static func_id find_reducer(const dynamic_form *f) {
  const shape_graph *g = f->r->graph;
  const graph_op *o = &g->ops[f->op];
  const graph_attr *list = graph_attr_get(g, graph_attr_named(g, f->op, "called_computations"));
  if (!list || list->kind != ATTR_ARRAY || list->count != 1) return ID_NONE;
  const graph_attr *item = graph_attr_get(g, attr_item_at(list, 0));
  if (!item || item->kind != ATTR_SYMBOL) return ID_NONE;
  func_id around = g->regions[g->blocks[o->parent].region].func;
  func_id func = graph_find_func(g, g->funcs[around].module, intern_text(&g->names, item->text),
                                 intern_length(&g->names, item->text));
  if (func == ID_NONE || g->funcs[func].type == TYPE_NONE) return ID_NONE;
  const graph_type *type = type_get(&g->types, g->funcs[func].type);
  bool fits = type->kind == TYPE_FUNCTION && type->split == 2 * o->result_count &&
              type->param_count == 3 * o->result_count;
  return fits ? func : ID_NONE;
}

static bool is_known(dynamic_form *f) {
  const shape_graph *g = f->r->graph;
  const graph_op *o = &g->ops[f->op];
  uint32_t first = first_list(o, f->kind);
  for (uint32_t i = 0; i < o->result_count; i++) {
    if (!is_static(f->r, o->results + i)) return false;
  }
  assert(o->operand_count - first <= DYNAMIC_WINDOW_LISTS);
  for (uint32_t i = first; i < o->operand_count; i++) {
    f->lists[i - first] = rewrite_constant(f->r, graph_operand(g, f->op, i));
    if (!f->lists[i - first]) return false;
  }
  const graph_type *made = type_get(&g->types, f->r->value_types[o->results + o->result_count - 1]);
  const constant_value *list = f->lists[0];
  if (f->kind == DYNAMIC_CALL_TOP_K)
    return list->count == 1 && made->rank && made->dims[made->rank - 1] == list->items[0];
  if (f->kind == DYNAMIC_CALL_WINDOW) {
    f->reducer = find_reducer(f);
    return f->reducer != ID_NONE && f->lists[4]->count == 2 * list->count;
  }
  bool same = list->count == made->rank;
  for (uint32_t i = 0; same && i < made->rank; i++) same = made->dims[i] == list->items[i];
  return same;
}

// --- text

static void write_operands(dynamic_form *f, uint32_t count) {
  strbuf_putc(f->w.out, '(');
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_puts(f->w.out, ", ");
    mlir_write_value(&f->w, graph_operand(f->r->graph, f->op, i));
  }
  strbuf_putc(f->w.out, ')');
}

static void write_signature(dynamic_form *f, uint32_t count) {
  const graph_op *o = &f->r->graph->ops[f->op];
  strbuf_puts(f->w.out, " : (");
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_puts(f->w.out, ", ");
    mlir_write_value_type(&f->w, graph_operand(f->r->graph, f->op, i));
  }
  strbuf_puts(f->w.out, o->result_count > 1 ? ") -> (" : ") -> ");
  for (uint32_t i = 0; i < o->result_count; i++) {
    if (i) strbuf_puts(f->w.out, ", ");
    mlir_write_value_type(&f->w, o->results + i);
  }
  if (o->result_count > 1) strbuf_putc(f->w.out, ')');
}

static void write_list(shape_strbuf *out, const char *name, const constant_value *list, bool mhlo) {
  strbuf_printf(out, mhlo ? "%s = dense<[" : "%s = array<i64", name);
  for (uint32_t i = 0; i < list->count; i++)
    strbuf_printf(out, i ? ", %lld" : mhlo ? "%lld" : ": %lld", (long long)list->items[i]);
  if (mhlo) {
    strbuf_printf(out, "]> : tensor<%uxi64>, ", list->count);
  } else {
    strbuf_puts(out, ">, ");
  }
}

static void write_types(dynamic_form *f, const type_id *types, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_puts(f->w.out, ", ");
    mlir_write_type(&f->w, types[i]);
  }
}

// A name that nothing in the program has.
static const char *free_stem(shape_graph *g) {
  for (uint32_t k = 0;; k++) {
    shape_strbuf text;
    strbuf_init(&text, g->arena);
    strbuf_printf(&text, "reduced%u_", k);
    bool taken = false;
    for (name_id name = 0; name < g->names.count && !taken; name++) {
      taken = intern_length(&g->names, name) >= text.length &&
              memcmp(intern_text(&g->names, name), text.data, text.length) == 0;
    }
    if (!taken) return strbuf_text(&text);
  }
}

// ({^bb0(%s0: A, ...): %s:N = func.call @reducer(...) : (A, ...) -> (B, ...) stablehlo.return ... })
static void write_region(dynamic_form *f, const char *dialect) {
  shape_graph *g = f->r->graph;
  shape_strbuf *out = f->w.out;
  const graph_type type = *type_get(&g->types, g->funcs[f->reducer].type);
  const char *stem = free_stem(g), *name = graph_func_name(g, f->reducer);
  uint32_t results = type.param_count - type.split, length = (uint32_t)strlen(name);
  strbuf_puts(out, " ({ ^bb0(");
  for (uint32_t i = 0; i < type.split; i++) {
    strbuf_printf(out, "%s%%%s%u: ", i ? ", " : "", stem, i);
    mlir_write_type(&f->w, type.params[i]);
  }
  strbuf_printf(out, results > 1 ? "): %%%sr:%u = func.call @" : "): %%%sr = func.call @", stem,
                results);
  if (mlir_is_bare_name(name, length)) {
    strbuf_puts(out, name);
  } else {
    mlir_write_quoted(&f->w, name, length);
  }
  for (uint32_t i = 0; i < type.split; i++) strbuf_printf(out, "%s%%%s%u", i ? ", " : "(", stem, i);
  strbuf_puts(out, ") : (");
  write_types(f, type.params, type.split);
  strbuf_puts(out, results > 1 ? ") -> (" : ") -> ");
  write_types(f, type.params + type.split, results);
  strbuf_printf(out, "%s %s.return", results > 1 ? ")" : "", dialect);
  for (uint32_t i = 0; i < results; i++)
    strbuf_printf(out, results > 1 ? "%s%%%sr#%u" : "%s%%%sr", i ? ", " : " ", stem, i);
  strbuf_puts(out, " : ");
  write_types(f, type.params + type.split, results);
  strbuf_puts(out, " })");
}

static void write_window(dynamic_form *f, const char *dialect) {
  static const char *const NAMES[] = {"window_dimensions", "window_strides", "base_dilations",
                                      "window_dilations"};
  shape_strbuf *out = f->w.out;
  const constant_value *padding = f->lists[4];
  strbuf_printf(out, "\"%s.reduce_window\"", dialect);
  write_operands(f, 2 * f->r->graph->ops[f->op].result_count);
  write_region(f, dialect);
  strbuf_puts(out, " {");
  for (uint32_t i = 0; i < 4; i++)
    write_list(out, NAMES[i], f->lists[i], op_has(f->r->graph, f->op, TRAIT_MHLO));
  strbuf_puts(out, "padding = dense<");
  for (uint32_t i = 0; i < padding->count; i += 2)
    strbuf_printf(out, "%s[%lld, %lld]", i ? ", " : "[", (long long)padding->items[i],
                  (long long)padding->items[i + 1]);
  strbuf_printf(out, padding->count ? "]> : tensor<%ux2xi64>}" : "> : tensor<%ux2xi64>}",
                padding->count / 2);
}

static void write_random(dynamic_form *f, const char *dialect) {
  static const char ALGORITHM[] = "rng_algorithm";
  const shape_graph *g = f->r->graph;
  const graph_op *o = &g->ops[f->op];
  strbuf_printf(f->w.out, "\"%s.rng_bit_generator\"", dialect);
  write_operands(f, 1);
  for (uint32_t i = 0; i < o->attr_count; i++) {
    attr_entry entry = g->attributes.entries[o->attrs + i];
    if (strcmp(intern_text(&g->names, entry.name), ALGORITHM) != 0) continue;
    strbuf_puts(f->w.out, " {");
    mlir_write_entry(&f->w, f->op, entry);
    strbuf_putc(f->w.out, '}');
  }
}

static void write_top_k(dynamic_form *f) {
  bool mhlo = op_has(f->r->graph, f->op, TRAIT_MHLO);
  strbuf_puts(f->w.out, mhlo ? "\"mhlo.topk\"" : "\"chlo.top_k\"");
  write_operands(f, 1);
  strbuf_printf(f->w.out, mhlo ? " {k = %lld : i64, largest = true}" : " {k = %lld : i64}",
                (long long)f->lists[0]->items[0]);
}

void rewrite_dynamic_call(refine_rewrite *r, op_id op) {
  uint32_t first;
  shape_graph *g = r->graph;
  if (r->removed[op] || !op_is_dynamic_call(g, op, &first) || !mlir_op_end(r->uses, op)) return;
  dynamic_form f = {.r = r, .op = op, .kind = dynamic_call_of(g, op), .reducer = ID_NONE};
  if (!is_known(&f)) return;
  shape_strbuf text;
  strbuf_init(&text, g->arena);
  mlir_writer_init(&f.w, g, r->uses, r->value_types, &text);
  const char *dialect = op_has(g, op, TRAIT_MHLO) ? "mhlo" : "stablehlo";
  if (f.kind == DYNAMIC_CALL_WINDOW) write_window(&f, dialect);
  if (f.kind == DYNAMIC_CALL_RANDOM) write_random(&f, dialect);
  if (f.kind == DYNAMIC_CALL_TOP_K) write_top_k(&f);
  assert(first <= g->ops[op].operand_count);
  write_signature(&f, first);
  rewrite_replace(r, op, &text);
  g->ops[op].operand_count = first;
}
