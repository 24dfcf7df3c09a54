// SPDX-License-Identifier: Apache-2.0
// Which operations have a static form now, and its text.
#include <assert.h>
#include <string.h>

#include "solver/transform/rewrite.h"

typedef enum static_kind {
  FORM_PLAIN,
  FORM_DIMS,
  FORM_IOTA,
  FORM_PAD,
  FORM_SLICE,
  FORM_CONV,
  FORM_QUOTED
} static_kind;

enum { LISTS_MAX = 3 };

typedef struct static_row {
  const char *dynamic, *name;
  uint8_t kept;
  int8_t shape;
  const char *lists[LISTS_MAX + 1];
  static_kind form;
  const char *dropped;
} static_row;

#define LISTS(...)                                                                                 \
  { __VA_ARGS__ }
static const static_row ROWS[] = {
#define X(dynamic, name, kept, shape, lists, form, dropped)                                        \
  {dynamic, name, kept, shape, lists, form, dropped},
#include "solver/ops/static_forms.def"
#undef X
};
#undef LISTS

typedef struct static_form {
  refine_rewrite *r;
  const static_row *row;
  op_id op;
  const constant_value *lists[LISTS_MAX];
  mlir_writer w;
} static_form;

static const static_row *row_of(const shape_graph *g, op_id op) {
  const char *point = op_has(g, op, TRAIT_HLO) ? strchr(graph_op_name(g, op), '.') : NULL;
  for (unsigned i = 0; point && i < sizeof ROWS / sizeof *ROWS; i++) {
    if (strcmp(ROWS[i].dynamic, point + 1) == 0) return &ROWS[i];
  }
  return NULL;
}

static bool is_shape_of(const refine_rewrite *r, value_id shape, value_id result) {
  assert(r->value_types[result] != TYPE_NONE);
  const graph_type *type = type_get(&r->graph->types, r->value_types[result]);
  const constant_value *sizes = rewrite_constant(r, shape);
  if (!sizes || type->kind != TYPE_TENSOR || sizes->count != type->rank) return false;
  for (uint32_t i = 0; i < type->rank; i++) {
    if (type->dims[i] != sizes->items[i] || !dim_is_static(type->dims[i])) return false;
  }
  return true;
}

static bool is_static_now(static_form *f) {
  refine_rewrite *r = f->r;
  const graph_op *o = &r->graph->ops[f->op];
  uint32_t lists = 0;
  while (f->row->lists[lists]) lists++;
  assert(lists <= LISTS_MAX);
  uint32_t want = f->row->kept + lists + (f->row->shape >= 0);
  if (o->operand_count != want || o->result_count != 1 || !mlir_op_end(r->uses, f->op))
    return false;
  for (uint32_t i = 0; i < want; i++) {
    if (graph_operand(r->graph, f->op, i) == VALUE_NONE) return false;
  }
  if (f->row->shape >= 0) {
    return is_shape_of(r, graph_operand(r->graph, f->op, (uint32_t)f->row->shape), o->results);
  }
  for (uint32_t i = 0; i < lists; i++) {
    f->lists[i] = rewrite_constant(r, graph_operand(r->graph, f->op, f->row->kept + i));
    if (!f->lists[i]) return false;
    if (f->row->form == FORM_CONV && f->lists[i]->count % 2) return false;
  }
  return true;
}

// --- text

static void write_items(shape_strbuf *out, const int64_t *items, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_puts(out, ", ");
    strbuf_int(out, items[i]);
  }
}

// [[0, 1], [2, 3]]
static void write_pairs(shape_strbuf *out, const constant_value *list) {
  assert(list->count % 2 == 0);
  strbuf_putc(out, '[');
  for (uint32_t i = 0; i + 1 < list->count; i += 2) {
    strbuf_puts(out, i ? ", [" : "[");
    write_items(out, list->items + i, 2);
    strbuf_putc(out, ']');
  }
  strbuf_putc(out, ']');
}

static bool is_dropped(const static_form *f, const char *name) {
  if (f->row->dropped && strncmp(name, f->row->dropped, strlen(f->row->dropped)) == 0) return true;
  for (uint32_t i = 0; f->row->lists[i]; i++) {
    if (strcmp(name, f->row->lists[i]) == 0) return true;
  }
  return false;
}

static bool ints_of(const static_form *f, const char *name, const int64_t **items,
                    uint32_t *count) {
  return graph_attr_ints(f->r->graph, graph_attr_named(f->r->graph, f->op, name), items, count);
}

static void write_list_attr(static_form *f, const char *name, const constant_value *list) {
  shape_strbuf *out = f->w.out;
  bool mhlo = op_has(f->r->graph, f->op, TRAIT_MHLO);
  strbuf_printf(out, "%s = ", name);
  if (f->row->form == FORM_CONV) {
    strbuf_puts(out, "dense<");
    if (list->count) write_pairs(out, list);
    strbuf_printf(out, "> : tensor<%ux2xi64>", list->count / 2);
  } else if (mhlo) {
    strbuf_puts(out, list->count ? "dense<[" : "dense<");
    write_items(out, list->items, list->count);
    strbuf_printf(out, list->count ? "]> : tensor<%uxi64>" : "> : tensor<%uxi64>", list->count);
  } else {
    strbuf_puts(out, list->count ? "array<i64: " : "array<i64");
    write_items(out, list->items, list->count);
    strbuf_putc(out, '>');
  }
}

// Attributes that have no position of their own in the form: {...}, or nothing.
static void write_dict(static_form *f, const char *const *placed, bool lists) {
  const shape_graph *g = f->r->graph;
  const graph_op *o = &g->ops[f->op];
  const char *before = " {";
  for (uint32_t i = 0; lists && f->row->lists[i]; i++) {
    strbuf_puts(f->w.out, before);
    write_list_attr(f, f->row->lists[i], f->lists[i]);
    before = ", ";
  }
  for (uint32_t i = 0; i < o->attr_count; i++) {
    const char *name = intern_text(&g->names, g->attributes.entries[o->attrs + i].name);
    bool skip = is_dropped(f, name);
    for (uint32_t k = 0; placed && placed[k]; k++) skip |= strcmp(placed[k], name) == 0;
    if (skip) continue;
    strbuf_puts(f->w.out, before);
    mlir_write_entry(&f->w, f->op, g->attributes.entries[o->attrs + i]);
    before = ", ";
  }
  if (*before == ',') strbuf_putc(f->w.out, '}');
}

static void write_operands(static_form *f) {
  for (uint32_t i = 0; i < f->row->kept; i++) {
    if (i) strbuf_puts(f->w.out, ", ");
    mlir_write_value(&f->w, graph_operand(f->r->graph, f->op, i));
  }
}

static void write_types(static_form *f) {
  shape_strbuf *out = f->w.out;
  strbuf_puts(out, " : (");
  for (uint32_t i = 0; i < f->row->kept; i++) {
    if (i) strbuf_puts(out, ", ");
    mlir_write_value_type(&f->w, graph_operand(f->r->graph, f->op, i));
  }
  strbuf_puts(out, ") -> ");
  mlir_write_value_type(&f->w, f->r->graph->ops[f->op].results);
}

static bool write_int_list(static_form *f, const char *word, const char *attr) {
  const int64_t *items;
  uint32_t count;
  if (!ints_of(f, attr, &items, &count)) return false;
  strbuf_printf(f->w.out, ", %s = [", word);
  write_items(f->w.out, items, count);
  strbuf_putc(f->w.out, ']');
  return true;
}

static void write_pad(static_form *f) {
  static const char *const WORDS[] = {"low", "high", "interior"};
  for (int i = 0; i < 3; i++) {
    strbuf_printf(f->w.out, ", %s = [", WORDS[i]);
    write_items(f->w.out, f->lists[i]->items, f->lists[i]->count);
    strbuf_putc(f->w.out, ']');
  }
}

// [start:limit:stride, ...]; a stride of 1 is not written (AssemblyFormat.cpp, printSliceRanges).
static bool write_ranges(static_form *f) {
  uint32_t count = f->lists[0]->count;
  if (f->lists[1]->count != count || f->lists[2]->count != count) return false;
  strbuf_puts(f->w.out, " [");
  for (uint32_t i = 0; i < count; i++) {
    strbuf_printf(f->w.out, "%s%lld:%lld", i ? ", " : "", (long long)f->lists[0]->items[i],
                  (long long)f->lists[1]->items[i]);
    if (f->lists[2]->items[i] != 1) {
      strbuf_printf(f->w.out, ":%lld", (long long)f->lists[2]->items[i]);
    }
  }
  strbuf_putc(f->w.out, ']');
  return true;
}

static bool write_iota(static_form *f) {
  static const char *const PLACED[] = {"iota_dimension", NULL};
  int64_t dim;
  if (!graph_attr_int(f->r->graph, graph_attr_named(f->r->graph, f->op, PLACED[0]), &dim))
    return false;
  strbuf_printf(f->w.out, "dim = %lld", (long long)dim);
  write_dict(f, PLACED, false);
  strbuf_puts(f->w.out, " : ");
  mlir_write_value_type(&f->w, f->r->graph->ops[f->op].results);
  return true;
}

static bool write_pretty(static_form *f) {
  static const char *const DIMS[] = {"broadcast_dimensions", NULL};
  strbuf_printf(f->w.out, "stablehlo.%s ", f->row->name);
  if (f->row->form == FORM_IOTA) return write_iota(f);
  write_operands(f);
  if (f->row->form == FORM_PAD) write_pad(f);
  if (f->row->form == FORM_SLICE && !write_ranges(f)) return false;
  if (f->row->form == FORM_DIMS && !write_int_list(f, "dims", DIMS[0])) return false;
  write_dict(f, f->row->form == FORM_DIMS ? DIMS : NULL, false);
  write_types(f);
  return true;
}

static void write_quoted(static_form *f) {
  const char *name = graph_op_name(f->r->graph, f->op);
  strbuf_printf(f->w.out, "\"%.*s.%s\"(", (int)(strchr(name, '.') - name), name, f->row->name);
  write_operands(f);
  strbuf_putc(f->w.out, ')');
  write_dict(f, NULL, true);
  write_types(f);
}

static bool has_own_form(const static_form *f) {
  const shape_graph *g = f->r->graph;
  if (f->row->form == FORM_QUOTED || f->row->form == FORM_CONV) return false;
  if (op_has(g, f->op, TRAIT_MHLO)) return false;
  assert(g->ops[f->op].name_span.begin < g->source.length);
  return g->source.text[g->ops[f->op].name_span.begin] != '"';
}

static void make_static(static_form *f) {
  refine_rewrite *r = f->r;
  shape_strbuf text;
  strbuf_init(&text, r->graph->arena);
  mlir_writer_init(&f->w, r->graph, r->uses, r->value_types, &text);
  if (!has_own_form(f)) {
    write_quoted(f);
  } else if (!write_pretty(f)) {
    return;
  }
  rewrite_replace(r, f->op, &text);
  assert(f->row->kept <= r->graph->ops[f->op].operand_count);
  r->graph->ops[f->op].operand_count = f->row->kept;
}

// --- custom_call with indices_of_shape_operands

static bool shapes_are_known(const refine_rewrite *r, op_id op, const int64_t *indices,
                             uint32_t count) {
  const graph_op *o = &r->graph->ops[op];
  if (count != o->result_count || !count) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (indices[i] < 0 || indices[i] >= o->operand_count) return false;
    if (!is_shape_of(r, graph_operand(r->graph, op, (uint32_t)indices[i]), o->results + i))
      return false;
  }
  return true;
}

static void keep_operands(refine_rewrite *r, op_id op, const int64_t *indices, uint32_t count) {
  shape_graph *g = r->graph;
  graph_op *o = &g->ops[op];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < o->operand_count; i++) {
    bool shape = false;
    for (uint32_t k = 0; k < count; k++) shape |= indices[k] == i;
    if (!shape) g->operands[o->operands + kept++] = g->operands[o->operands + i];
  }
  o->operand_count = kept;
}

// Layouts and aliases speak of operands by number: such a call is left alone.
static bool speaks_of_operands(const refine_rewrite *r, op_id op) {
  return graph_attr_named(r->graph, op, "operand_layouts") != ATTR_NONE ||
         graph_attr_named(r->graph, op, "output_operand_aliases") != ATTR_NONE;
}

static void settle_custom_call(refine_rewrite *r, op_id op) {
  static const char SHAPES[] = "indices_of_shape_operands";
  shape_graph *g = r->graph;
  const int64_t *indices;
  uint32_t count;
  attr_id attr = graph_attr_named(g, op, SHAPES);
  if (r->removed[op] || attr == ATTR_NONE || !mlir_op_end(r->uses, op) || speaks_of_operands(r, op))
    return;
  if (!graph_attr_ints(g, attr, &indices, &count) || !shapes_are_known(r, op, indices, count))
    return;
  shape_strbuf text;
  strbuf_init(&text, g->arena);
  mlir_writer w;
  mlir_writer_init(&w, g, r->uses, r->value_types, &text);
  bool quoted = g->source.text[g->ops[op].name_span.begin] == '"' || op_has(g, op, TRAIT_MHLO);
  keep_operands(r, op, indices, count);
  mlir_write_custom_call(&w, op, quoted, SHAPES);
  rewrite_replace(r, op, &text);
}

void rewrite_static_forms(refine_rewrite *r) {
  const shape_graph *g = r->graph;
  for (op_id op = 0; op < g->op_count; op++) {
    if (rewrite_keeps(r, op)) continue;
    static_form f = {.r = r, .op = op, .row = row_of(g, op)};
    if (f.row && is_static_now(&f)) make_static(&f);
    if (op_has(g, op, TRAIT_CUSTOM_CALL)) settle_custom_call(r, op);
    rewrite_dynamic_call(r, op);
  }
}
