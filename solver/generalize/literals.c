// SPDX-License-Identifier: Apache-2.0
// The program without the dims that its types state: what discovery analyses.
#include <assert.h>
#include <string.h>

#include "solver/generalize/work.h"
#include "solver/ops/registry.h"
#include "solver/ops/traits.h"

static const literal_row ROWS[] = {
#define X(name, kind, operand, dynamic) {name, LITERAL_##kind, operand, dynamic, false},
#define LIST(name, kind, operand)       {name, LITERAL_##kind, operand, NULL, true},
#include "solver/generalize/literals.def"
#undef LIST
#undef X
};

// An operation without a rule: its results are what their types say.
static const char SITE[] = "shape.literal";

int64_t original_dim(const original *o, value_id value, uint32_t axis) {
  const shape_report *r = shape_run_report(o->a.program);
  num n;
  int64_t dim;
  assert(value < r->graph->value_count);
  const report_shape *s = &r->shapes[r->value_shapes[value]];
  if (!s->ranked || axis >= s->rank || s->dims[axis] == TERM_NONE) return -1;
  return report_constant(r, s->dims[axis], &n) && num_to_int(n, &dim) && dim >= 0 ? dim : -1;
}

int64_t original_argument_dim(const original *o, uint32_t argument, uint32_t axis) {
  const graph_type *t = graph_value_type(shape_run_graph(o->a.program), o->arguments + argument);
  assert(argument < o->argument_count);
  return t && t->kind == TYPE_TENSOR && axis < t->rank && dim_is_static(t->dims[axis])
             ? t->dims[axis]
             : -1;
}

bool original_is_freed(const original *o, uint32_t argument, uint32_t axis) {
  const graph_type *t = graph_value_type(shape_run_graph(o->a.program), o->arguments + argument);
  assert(argument < o->argument_count);
  return t && t->kind == TYPE_TENSOR && axis < t->rank && o->freed[argument][axis];
}

static bool is_entry_argument(const original *o, value_id v) {
  return v >= o->arguments && v < o->arguments + o->argument_count;
}

// --- what is written anew

static const literal_row *row_of(const shape_graph *g, op_id op) {
  const char *name = graph_op_name(g, op);
  for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    if (strcmp(ROWS[i].name, name) == 0) return &ROWS[i];
  }
  return NULL;
}

static func_id function_of(const shape_graph *g, op_id op) {
  assert(op < g->op_count && g->ops[op].parent < g->block_count);
  return g->regions[g->blocks[g->ops[op].parent].region].func;
}

// Whether the operation can be written anew.
static bool is_reached(const shape_graph *g, const loosening *x, op_id op) {
  if (!x->rewrites || function_of(g, op) != x->from->entry || g->ops[op].result_count != 1)
    return false;
  if (g->format == GRAPH_MLIR)
    return x->uses && mlir_op_end(x->uses, op) && !mlir_op_is_opaque(x->uses, op);
  if (g->format == GRAPH_FX) return x->statements && x->statements->indent.end;
  uint32_t at = g->ops[op].span.begin;
  return at >= x->nodes.begin && at < x->nodes.end;
}

// --- types

static bool keeps_type(const shape_graph *g, const loosening *x, value_id v) {
  const graph_value *value = &g->values[v];
  if (value->is_argument) return false;
  if (op_has(g, value->def, (op_trait)(TRAIT_CONSTANT | TRAIT_ONNX_CONSTANT))) return true;
  const literal_row *row = row_of(g, value->def);
  if (row && row->operand == LITERAL_TYPE && !x->drops_literals && !is_reached(g, x, value->def))
    return true;
  const char *name = graph_op_name(g, value->def);
  return !registry_find(name, strlen(name), g->onnx_opset);
}

// argument: ID_NONE where the value is none of the entry, or its type is that of a function's result.
static type_id loose_type(shape_graph *g, const original *o, type_id id, uint32_t argument) {
  if (id == TYPE_NONE) return id;
  const graph_type *t = type_get(&g->types, id);
  if (t->kind != TYPE_TENSOR || t->has_bounds || !t->rank) return id;
  int64_t *dims = arena_alloc(g->arena, t->rank * sizeof *dims);
  assert(argument == ID_NONE || argument < o->argument_count);
  for (uint32_t i = 0; i < t->rank; i++) {
    bool drop = argument == ID_NONE || (dim_is_static(t->dims[i]) && o->freed[argument][i]);
    dims[i] = drop ? DIM_DYNAMIC : t->dims[i];
  }
  return type_with_dims(&g->types, id, dims, NULL, t->rank);
}

// What a call hands back has the type that the function says: of functions with bodies it is loose too.
static void loosen_functions(shape_graph *g, loosening *x) {
  const original *o = x->from;
  type_id *functions = arena_alloc(g->arena, (g->func_count + 1) * sizeof *functions);
  for (func_id f = 0; f < g->func_count; f++) functions[f] = g->funcs[f].type;
  x->functions = functions;
  for (func_id f = 0; f < g->func_count; f++) {
    if (g->funcs[f].type == TYPE_NONE || g->funcs[f].body == ID_NONE) continue;
    graph_type type = *type_get(&g->types, g->funcs[f].type);
    if (type.kind != TYPE_FUNCTION) continue;
    type_id *params = arena_alloc(g->arena, (type.param_count + 1) * sizeof *params);
    for (uint32_t i = 0; i < type.param_count; i++) {
      bool own = f == o->entry && i < type.split && i < o->argument_count;
      params[i] = loose_type(g, o, type.params[i], own ? i : ID_NONE);
    }
    type.params = params;
    g->funcs[f].type = type_intern(&g->types, &type);
  }
}

static void loosen_types(shape_graph *g, loosening *x) {
  const original *o = x->from;
  type_id *types = arena_alloc(g->arena, (g->value_count + 1) * sizeof *types);
  bool *kept = arena_zalloc(g->arena, g->value_count + 1);
  for (value_id v = 0; v < g->value_count; v++) {
    types[v] = g->values[v].type;
    kept[v] = keeps_type(g, x, v);
    if (kept[v]) continue;
    uint32_t argument = is_entry_argument(o, v) ? v - o->arguments : ID_NONE;
    g->values[v].type = loose_type(g, o, types[v], argument);
  }
  x->types = types;
  x->kept = kept;
  loosen_functions(g, x);
}

// --- literals

static bool dims_of(const shape_graph *g, const loosening *x, value_id v, const int64_t **out,
                    uint32_t *rank) {
  const shape_report *r = shape_run_report(x->from->a.program);
  const report_shape *s = &r->shapes[r->value_shapes[v]];
  assert(r->graph->value_count == g->value_count);  // of the same bytes
  if (!s->ranked || !s->rank) return false;
  int64_t *dims = arena_alloc(g->arena, s->rank * sizeof *dims);
  for (uint32_t i = 0; i < s->rank; i++) {
    dims[i] = original_dim(x->from, v, i);
    if (dims[i] < 0) return false;
  }
  *out = dims;
  *rank = s->rank;
  return true;
}

static bool ints_of(const shape_graph *g, op_id op, const int64_t **out, uint32_t *count) {
  return graph_attr_ints(g, graph_attr_named(g, op, "value"), out, count);
}

// The elements of an operand that a constant gives.
static bool written_of(const shape_graph *g, op_id def, literal_site *s) {
  uint32_t count;
  return op_has(g, def, TRAIT_ONNX_CONSTANT) && ints_of(g, def, &s->written, &count) &&
         count == s->rank;
}

// Whether an item of a list can be written anew: in Python, it is written in the statement that has the list, and has a span
// of its own.
static bool item_is_reached(const shape_graph *g, const loosening *x, op_id list, uint32_t item) {
  uint32_t operand = g->ops[list].operands + item;
  if (g->format == GRAPH_MLIR)
    return operand < x->uses->operand_count && x->uses->operands[operand] != UINT32_MAX;
  return g->ops[g->values[graph_operand(g, list, item)].def].span.begin > g->ops[list].span.begin;
}

// The items of a list, of which some constant can be written anew.
static bool items_of(const shape_graph *g, const loosening *x, op_id list, literal_site *s) {
  if (!op_has(g, list, TRAIT_SEQUENCE) || g->ops[list].operand_count != s->rank) return false;
  int64_t *written = arena_alloc(g->arena, s->rank * sizeof *written);
  bool any = false;
  for (uint32_t i = 0; i < s->rank; i++) {
    value_id v = graph_operand(g, list, i);
    const int64_t *value;
    uint32_t count;
    bool made = v != VALUE_NONE && !g->values[v].is_argument;
    bool constant = made && op_has(g, g->values[v].def, TRAIT_CONSTANT) &&
                    ints_of(g, g->values[v].def, &value, &count) && count == 1;
    written[i] = constant ? *value : LITERAL_COMPUTED;
    s->stays[i] = !constant || !item_is_reached(g, x, list, i);
    any |= !s->stays[i];
  }
  s->list = list;
  s->written = written;
  return any;
}

static bool find_literals(const shape_graph *g, const loosening *x, literal_site *s) {
  s->written = s->was;
  if (s->row->operand == LITERAL_TYPE) return true;
  value_id v = graph_operand(g, s->op, s->row->operand);
  if (v == VALUE_NONE || g->values[v].is_argument) return false;
  op_id def = g->values[v].def;
  return s->row->is_list ? items_of(g, x, def, s) : written_of(g, def, s);
}

static bool find_site(const shape_graph *g, const loosening *x, op_id op, literal_site *s) {
  *s = (literal_site){.op = op, .row = row_of(g, op), .list = ID_NONE};
  if (!s->row || !is_reached(g, x, op) || x->from->tracked[g->ops[op].results])
    return false;  // it computes dims itself: its literals say how
  // What is written has the dims of one dialect.
  if (x->sites.count && x->sites.items[0].row->is_list != s->row->is_list) return false;
  value_id result = g->ops[op].results;
  if (!dims_of(g, x, result, &s->was, &s->rank)) return false;
  s->stays = arena_zalloc(g->arena, s->rank * sizeof *s->stays);
  if (s->row->operand != LITERAL_TYPE && s->row->operand >= g->ops[op].operand_count) return false;
  if (!find_literals(g, x, s)) return false;
  for (uint32_t i = 0; i < s->rank; i++) s->stays[i] |= s->written[i] != s->was[i];
  return true;
}

// As the analysis of the program as it is found it.
static shape_dtype element_of(const loosening *x, value_id v) {
  const shape_report *r = shape_run_report(x->from->a.program);
  type_id type = r->shapes[r->value_shapes[v]].type;
  return type == TYPE_NONE ? DTYPE_OTHER : (shape_dtype)type_get(&r->graph->types, type)->dtype;
}

static void free_result(shape_graph *g, const loosening *x, literal_site *s) {
  value_id v = g->ops[s->op].results;
  assert(v < g->value_count && s->rank);
  int64_t *dims = arena_alloc(g->arena, s->rank * sizeof *dims);
  for (uint32_t i = 0; i < s->rank; i++) {
    shape_strbuf name;
    strbuf_init(&name, g->arena);
    strbuf_printf(&name, "literal %u.%u", s->op,
                  i);  // no name that a program spells without quotes
    uint32_t row = graph_add_symbol(g, intern_add(&g->names, name.data, name.length), SPAN_NONE);
    g->declared.symbols[row].rank = SYMBOL_OPAQUE;
    if (!i) s->first_symbol = row;
    dims[i] = dim_of_symbol(row);
  }
  g->values[v].type = type_tensor(&g->types, element_of(x, v), dims, s->rank);
  g->ops[s->op].name = intern_add(&g->names, SITE, sizeof SITE - 1);
}

static void free_literals(shape_graph *g, loosening *x) {
  literal_sites *sites = &x->sites;
  sites->of_op = arena_alloc(g->arena, (g->op_count + 1) * sizeof *sites->of_op);
  for (op_id op = 0; op < g->op_count; op++) {
    literal_site s;
    sites->of_op[op] = ID_NONE;
    if (!find_site(g, x, op, &s)) continue;
    free_result(g, x, &s);
    s.now = arena_alloc(g->arena, s.rank * sizeof *s.now);
    for (uint32_t i = 0; i < s.rank; i++) s.now[i] = TERM_NONE;
    sites->items = arena_grow(g->arena, sites->items, sites->count, (size_t)sites->count + 1,
                              &sites->capacity, sizeof *sites->items);
    sites->of_op[op] = sites->count;
    sites->items[sites->count++] = s;
  }
}

void loosen(shape_graph *g, void *data) {
  loosening *x = data;
  assert(x->from->entry < g->func_count);
  x->sites = (literal_sites){0};
  loosen_types(g, x);
  if (x->rewrites) free_literals(g, x);
}

void restore_types(shape_graph *g, const loosening *loose) {
  assert(loose->types && loose->functions);
  for (value_id v = 0; v < g->value_count; v++) g->values[v].type = loose->types[v];
  for (func_id f = 0; f < g->func_count; f++) g->funcs[f].type = loose->functions[f];
}
