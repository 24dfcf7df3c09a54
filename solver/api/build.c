// SPDX-License-Identifier: Apache-2.0
// Programs built in memory, part by part in the order of a text.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/api/program.h"
#include "solver/base/utf8.h"
#include "solver/formats/mlir/mlir.h"
#include "solver/ops/traits.h"

typedef struct build_call {
  shape_program *program;
  const char *name, *text;
  int64_t min, max, multiple_of;
  const int64_t *dims;
  const shape_type *types, *results;
  uint32_t count, result_count;
  block_id block;
  op_id op;
  uint32_t region;
  const shape_op_spec *spec;
  uint32_t out;
} build_call;

static shape_status read_nothing(struct shape_graph *g, struct shape_budget *budget, void *data) {
  (void)g;
  (void)budget;
  (void)data;
  return SHAPE_OK;
}

static bool fail(shape_program *p, shape_status status, const char *message) {
  api_fail(&p->error, status, "%s", message);
  return false;
}

// The JSON form of the program has other characters for what is not valid, so two names could become one.
static bool is_text(shape_program *p, const char *text) {
  if (utf8_is_text(text, strlen(text))) return true;
  return fail(p, SHAPE_INVALID, "a name or text is not valid UTF-8");
}

static bool begin(shape_program *p) {
  if (p->built) {
    p->bytes = NULL;  // its JSON form is of what there was before
    return true;
  }
  if (p->bytes) return fail(p, SHAPE_INVALID, "a program that was loaded is not built upon");
  p->built = shape_run_new("", 0, NULL);
  if (!p->built || shape_run_read(p->built, GRAPH_JSON, read_nothing, NULL) != SHAPE_OK) {
    return fail(p, SHAPE_MEMORY, shape_status_message(SHAPE_MEMORY));
  }
  p->graph = shape_run_graph(p->built);
  assert(p->graph);
  return true;
}

static uint32_t call(shape_program *p, void (*body)(shape_run *run, void *data), build_call *x) {
  x->program = p;
  x->out = SHAPE_NO_ID;
  if (!begin(p)) return SHAPE_NO_ID;
  shape_status status = shape_run_protect(p->built, body, x);
  if (status != SHAPE_OK) {
    fail(p, status, shape_status_message(status));
    return SHAPE_NO_ID;
  }
  return x->out;
}

static name_id named(shape_graph *g, const char *text) {
  return intern_add(&g->names, text, strlen(text));
}

// --- types and symbols

static void add_symbol(shape_run *run, void *data) {
  build_call *x = data;
  shape_graph *g = shape_run_graph(run);
  name_id name = named(g, x->name);
  if (graph_find_symbol(g, name) != ID_NONE) return;
  x->out = graph_add_symbol(g, name, SPAN_NONE);
  graph_symbol *s = &g->declared.symbols[x->out];
  s->min = x->min;
  s->max = x->max;
  s->multiple_of = x->multiple_of;
}

int64_t shape_program_symbol(shape_program *p, const char *name, int64_t min, int64_t max,
                             int64_t multiple_of) {
  build_call x = {.name = name, .min = min, .max = max, .multiple_of = multiple_of};
  if (!name || !*name || min > max || min < 0 || multiple_of < 1) {
    fail(p, SHAPE_INVALID, "a dimension has a name, 0 <= min <= max, and multiple_of >= 1");
    return SHAPE_DYNAMIC;
  }
  if (!is_text(p, name)) return SHAPE_DYNAMIC;
  uint32_t symbol = call(p, add_symbol, &x);
  if (symbol != SHAPE_NO_ID) return dim_of_symbol(symbol);
  if (p->graph) fail(p, SHAPE_INVALID, "the dimension is declared already");
  return SHAPE_DYNAMIC;
}

static void add_assumption(shape_run *run, void *data) {
  build_call *x = data;
  shape_graph *g = shape_run_graph(run);
  size_t length = strlen(x->text);
  x->out =
      graph_add_assumption(g, (graph_assumption){.text = arena_strndup(g->arena, x->text, length),
                                                 .length = (uint32_t)length,
                                                 .span = SPAN_NONE});
}

shape_status shape_program_assume(shape_program *p, const char *text) {
  build_call x = {.text = text};
  bool given = text || fail(p, SHAPE_INVALID, "no predicate is given");
  if (!given || !is_text(p, text)) return SHAPE_INVALID;
  return call(p, add_assumption, &x) == SHAPE_NO_ID ? p->error.status : SHAPE_OK;
}

static void add_tensor(shape_run *run, void *data) {
  build_call *x = data;
  shape_graph *g = shape_run_graph(run);
  shape_dtype dtype;
  if (!dtype_from_name(x->text, strlen(x->text), &dtype)) return;
  for (uint32_t i = 0; i < x->count; i++) {
    if (dim_is_symbol(x->dims[i]) && -1 - x->dims[i] >= (int64_t)g->declared.symbol_count) return;
  }
  assert(x->dims || !x->count);
  x->out = type_tensor(&g->types, dtype, x->dims, x->count);
}

shape_type shape_program_tensor(shape_program *p, const char *element, const int64_t *dims,
                                uint32_t rank) {
  build_call x = {.text = element, .dims = dims, .count = rank};
  bool given = element && (dims || !rank);
  shape_type type = given ? call(p, add_tensor, &x) : SHAPE_NO_ID;
  if (type == SHAPE_NO_ID) {
    fail(p, SHAPE_INVALID, "an element type in MLIR's spelling, and dims >= 0, dynamic or named");
  }
  return type;
}

static void add_type(shape_run *run, void *data) {
  build_call *x = data;
  shape_graph *g = shape_run_graph(run);
  const char *error;
  size_t at;
  if (mlir_parse_type(g, x->text, strlen(x->text), &x->out, &error, &at)) return;
  x->out = TYPE_NONE;
  api_fail(&x->program->error, SHAPE_SYNTAX, "%s", error);
  x->program->error.line = 1;
  x->program->error.column = (uint32_t)at + 1;
}

shape_type shape_program_type(shape_program *p, const char *text) {
  build_call x = {.text = text ? text : ""};
  return is_text(p, x.text) ? call(p, add_type, &x) : SHAPE_NO_ID;
}

static bool are_types(shape_program *p, const shape_type *types, uint32_t count, bool may_be_none) {
  if (count && !types) return fail(p, SHAPE_INVALID, "no types are given");
  for (uint32_t i = 0; i < count; i++) {
    bool none = types[i] == SHAPE_NO_ID;
    if (none ? !may_be_none : !p->graph || types[i] >= p->graph->types.count)
      return fail(p, SHAPE_INVALID, "no type of this program");
  }
  return true;
}

// --- functions and blocks

// Values get names, as there is no text to find any in.
static void name_values(shape_graph *g, value_id first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    char text[16];
    snprintf(text, sizeof text, "v%u", first + i);
    g->values[first + i].name = named(g, text);
  }
}

static void add_arguments(shape_graph *g, block_id block, const build_call *x) {
  assert(block < g->block_count && (x->types || !x->count));
  value_id first = graph_add_block_arguments(g, block, x->count);
  for (uint32_t i = 0; i < x->count; i++) g->values[first + i].type = x->types[i];
  name_values(g, first, x->count);
}

static void set_function_type(shape_graph *g, func_id f, const value_id *results, uint32_t count) {
  assert(f < g->func_count && g->funcs[f].body < g->region_count);
  const graph_block *body = &g->blocks[g->regions[g->funcs[f].body].first_block];
  uint32_t inputs = body->argument_count;
  type_id *params = arena_alloc(g->arena, (inputs + count + 1) * sizeof *params);
  for (uint32_t i = 0; i < inputs; i++) params[i] = g->values[body->arguments + i].type;
  for (uint32_t i = 0; i < count; i++)
    params[inputs + i] = results[i] == VALUE_NONE ? TYPE_NONE : g->values[results[i]].type;
  g->funcs[f].type = type_function(&g->types, params, inputs, count);
}

static void add_function(shape_run *run, void *data) {
  build_call *x = data;
  shape_graph *g = shape_run_graph(run);
  name_id name = named(g, x->name);
  if (graph_find_func(g, 0, x->name, strlen(x->name)) != ID_NONE) return;
  x->out = graph_add_func(g, name, 0, SPAN_NONE);
  block_id block = graph_add_block(g, graph_add_body(g, x->out));
  add_arguments(g, block, x);
  set_function_type(g, x->out, NULL, 0);
}

static void declare_function(shape_run *run, void *data) {
  build_call *x = data;
  shape_graph *g = shape_run_graph(run);
  if (graph_find_func(g, 0, x->name, strlen(x->name)) != ID_NONE) return;
  x->out = graph_add_func(g, named(g, x->name), 0, SPAN_NONE);
  assert((x->types || !x->count) && (x->results || !x->result_count));
  type_id *params = arena_alloc(g->arena, (x->count + x->result_count + 1) * sizeof *params);
  if (x->count) memcpy(params, x->types, x->count * sizeof *params);
  if (x->result_count) memcpy(params + x->count, x->results, x->result_count * sizeof *params);
  g->funcs[x->out].type = type_function(&g->types, params, x->count, x->result_count);
  g->funcs[x->out].is_private = g->funcs[x->out].is_declaration = true;
}

static shape_function make_function(shape_program *p, void (*body)(shape_run *run, void *data),
                                    build_call *x) {
  if (!x->name || !*x->name) {
    fail(p, SHAPE_INVALID, "a function has a name");
    return SHAPE_NO_ID;
  }
  if (!is_text(p, x->name) || !are_types(p, x->types, x->count, false) ||
      !are_types(p, x->results, x->result_count, false))
    return SHAPE_NO_ID;
  shape_function f = call(p, body, x);
  if (f == SHAPE_NO_ID && p->graph) fail(p, SHAPE_INVALID, "the function is defined already");
  return f;
}

shape_function shape_program_add_function(shape_program *p, const char *name,
                                          const shape_type *arguments, uint32_t count) {
  build_call x = {.name = name, .types = arguments, .count = count};
  return make_function(p, add_function, &x);
}

shape_function shape_program_declare_function(shape_program *p, const char *name,
                                              const shape_type *arguments, uint32_t count,
                                              const shape_type *results, uint32_t result_count) {
  build_call x = {.name = name,
                  .types = arguments,
                  .count = count,
                  .results = results,
                  .result_count = result_count};
  return make_function(p, declare_function, &x);
}

shape_block shape_program_body(const shape_program *p, shape_function f) {
  if (!p->graph || f >= p->graph->func_count) return SHAPE_NO_ID;
  if (p->graph->funcs[f].body == ID_NONE) return SHAPE_NO_ID;  // a declaration
  return p->graph->regions[p->graph->funcs[f].body].first_block;
}

shape_value shape_program_argument(const shape_program *p, shape_block block, uint32_t index) {
  if (!p->graph || block >= p->graph->block_count) return SHAPE_NO_ID;
  const graph_block *b = &p->graph->blocks[block];
  return index < b->argument_count ? b->arguments + index : SHAPE_NO_ID;
}

// --- operations

static attr_id add_attribute(shape_graph *g, const shape_attribute *a);

static const attr_entry *add_entries(shape_graph *g, const shape_attribute *items, uint32_t count) {
  attr_entry *entries = arena_alloc(g->arena, (count + 1) * sizeof *entries);
  for (uint32_t i = 0; i < count; i++) {
    attr_id value = add_attribute(g, &items[i]);
    entries[i] = (attr_entry){named(g, items[i].name ? items[i].name : ""), value};
  }
  return entries;
}

static void hold_ints(shape_graph *g, graph_attr *out, const int64_t *ints, uint32_t count) {
  int64_t *copy = arena_alloc(g->arena, (count + 1) * sizeof *copy);
  if (count) memcpy(copy, ints, count * sizeof *copy);
  attr_set_ints(out, copy, count);
}

static attr_id add_attribute(shape_graph *g, const shape_attribute *a) {
  static const attr_kind KINDS[] = {ATTR_UNIT,  ATTR_BOOL,  ATTR_INT,   ATTR_FLOAT,  ATTR_STRING,
                                    ATTR_INTS,  ATTR_DENSE, ATTR_TYPE,  ATTR_SYMBOL, ATTR_ENUM,
                                    ATTR_ARRAY, ATTR_DICT,  ATTR_OPAQUE};
  if (a->kind == SHAPE_ATTRIBUTE_MLIR) return mlir_parse_attr(g, a->text, strlen(a->text));
  assert((size_t)a->kind < sizeof KINDS / sizeof *KINDS);
  graph_attr out = {.kind = (uint8_t)KINDS[a->kind],
                    .type = TYPE_NONE,
                    .text = a->text ? named(g, a->text) : NAME_NONE,
                    .span = SPAN_NONE};
  switch (a->kind) {
  case SHAPE_ATTRIBUTE_BOOL:
  case SHAPE_ATTRIBUTE_INT: hold_ints(g, &out, a->ints, 1); break;
  case SHAPE_ATTRIBUTE_INTS: hold_ints(g, &out, a->ints, a->count); break;
  case SHAPE_ATTRIBUTE_DENSE:
    out.type = a->type;
    out.splat = a->count == 1;
    if (a->count) hold_ints(g, &out, a->ints, a->count);
    break;
  case SHAPE_ATTRIBUTE_FLOAT: {
    double *copy = arena_alloc(g->arena, sizeof *copy);
    *copy = a->number;
    attr_set_floats(&out, copy, 1);
    break;
  }
  case SHAPE_ATTRIBUTE_TYPE: out.type = a->type; break;
  case SHAPE_ATTRIBUTE_ARRAY: {
    attr_id *items = arena_alloc(g->arena, (a->item_count + 1) * sizeof *items);
    for (uint32_t i = 0; i < a->item_count; i++) items[i] = add_attribute(g, &a->items[i]);
    attr_set_items(&out, items, a->item_count);
    break;
  }
  case SHAPE_ATTRIBUTE_DICT:
    attr_set_entries(&out, add_entries(g, a->items, a->item_count), a->item_count);
    break;
  default: break;
  }
  return graph_add_attr(g, &out);
}

static bool is_text_or_none(const char *text) { return !text || utf8_is_text(text, strlen(text)); }

static bool is_attribute(const shape_program *p, const shape_attribute *a, uint32_t depth) {
  bool typed = a->kind == SHAPE_ATTRIBUTE_DENSE || a->kind == SHAPE_ATTRIBUTE_TYPE;
  bool numbers = a->kind == SHAPE_ATTRIBUTE_BOOL || a->kind == SHAPE_ATTRIBUTE_INT;
  bool texts = a->kind == SHAPE_ATTRIBUTE_STRING || a->kind == SHAPE_ATTRIBUTE_SYMBOL ||
               a->kind == SHAPE_ATTRIBUTE_ENUM || a->kind == SHAPE_ATTRIBUTE_MLIR;
  if ((unsigned)a->kind > SHAPE_ATTRIBUTE_MLIR || depth > 100) return false;
  if (!is_text_or_none(a->name) || !is_text_or_none(a->text)) return false;
  if (typed && a->type >= p->graph->types.count) return false;
  if (a->kind == SHAPE_ATTRIBUTE_DENSE && a->count &&
      !dtype_is_integer((shape_dtype)type_get(&p->graph->types, a->type)->dtype))
    return false;
  if ((numbers && !a->ints) || (texts && !a->text) || (a->count && !a->ints)) return false;
  if (a->item_count && !a->items) return false;
  for (uint32_t i = 0; i < a->item_count; i++) {
    if (!is_attribute(p, &a->items[i], depth + 1)) return false;
  }
  return true;
}

static void keep_location(shape_program *p, op_id op, const shape_op_spec *spec) {
  p->locations = arena_grow(p->graph->arena, p->locations, p->location_count, (size_t)op + 1,
                            &p->location_capacity, sizeof *p->locations);
  assert(op < p->location_capacity);
  p->locations[op] = (program_location){spec->line, spec->column};
  p->location_count = op + 1;
}

static void add_op(shape_run *run, void *data) {
  build_call *x = data;
  const shape_op_spec *spec = x->spec;
  shape_graph *g = shape_run_graph(run);
  assert(x->block < g->block_count);
  op_id op = graph_add_op(g, named(g, spec->name), x->block, SPAN_NONE);
  keep_location(x->program, op, spec);
  graph_set_operands(g, op, spec->operands, spec->operand_count);
  if (spec->result_count) {
    value_id first = graph_add_results(g, op, spec->result_count);
    for (uint32_t i = 0; i < spec->result_count; i++) g->values[first + i].type = spec->results[i];
    name_values(g, first, spec->result_count);
  }
  const attr_entry *entries = add_entries(g, spec->attributes, spec->attribute_count);
  graph_set_attrs(g, op, entries, spec->attribute_count);
  region_id region = g->blocks[x->block].region;
  func_id f = g->regions[region].func;
  for (uint32_t i = 0; i < spec->successor_count; i++) {
    shape_successor to = spec->successors[i];
    assert(to.count == SHAPE_NO_ID || to.count <= spec->operand_count - to.first);
    graph_add_successor(g, (graph_successor){op, to.block, to.first, to.count});
  }
  if (spec->region_count) graph_add_regions(g, op, f, spec->region_count);
  bool ends = op_has(g, op, TRAIT_RETURN) && g->funcs[f].body == region;
  if (ends) set_function_type(g, f, spec->operands, spec->operand_count);
  x->out = op;
}

shape_op shape_program_add_op(shape_program *p, shape_block block, const shape_op_spec *given) {
  shape_op_spec spec;
  api_read_struct(&spec, sizeof spec, given);
  build_call x = {.block = block, .spec = &spec};
  bool good = p->graph && block < p->graph->block_count && spec.name && *spec.name;
  if (!good) fail(p, SHAPE_INVALID, "an operation has a name, and a block of this program");
  if (good && p->graph->blocks[block].region == ID_NONE)
    good = fail(p, SHAPE_INVALID, "a later block of the region was added: this one is finished");
  good = good && is_text(p, spec.name);
  bool lists = (!spec.operand_count || spec.operands) &&
               (!spec.attribute_count || spec.attributes) &&
               (!spec.successor_count || spec.successors);
  if (good && !lists)
    good = fail(p, SHAPE_INVALID, "no operands, attributes or successors are given");
  for (uint32_t i = 0; good && i < spec.operand_count; i++) {
    bool there = spec.operands[i] < p->graph->value_count || spec.operands[i] == SHAPE_NO_ID;
    if (!there) good = fail(p, SHAPE_INVALID, "an operand is no value of this program");
  }
  for (uint32_t i = 0; good && i < spec.successor_count; i++) {
    const shape_successor *to = &spec.successors[i];
    bool all = to->count == SHAPE_NO_ID;
    if (!all && (to->first > spec.operand_count || to->count > spec.operand_count - to->first))
      good = fail(p, SHAPE_INVALID, "a successor takes operands of its operation");
  }
  good = good && are_types(p, spec.results, spec.result_count, true);
  for (uint32_t i = 0; good && i < spec.attribute_count; i++) {
    if (!spec.attributes[i].name || !is_attribute(p, &spec.attributes[i], 0))
      good = fail(p, SHAPE_INVALID,
                  "an attribute has a name, a kind, what its kind holds, and texts in UTF-8");
  }
  return good ? call(p, add_op, &x) : SHAPE_NO_ID;
}

shape_value shape_program_result(const shape_program *p, shape_op op, uint32_t index) {
  if (!p->graph || op >= p->graph->op_count) return SHAPE_NO_ID;
  const graph_op *o = &p->graph->ops[op];
  return index < o->result_count ? o->results + index : SHAPE_NO_ID;
}

static void add_block(shape_run *run, void *data) {
  build_call *x = data;
  shape_graph *g = shape_run_graph(run);
  assert(x->region < g->region_count);
  x->out = graph_add_block(g, x->region);
  add_arguments(g, x->out, x);
}

static shape_block append_block(shape_program *p, region_id region, const shape_type *arguments,
                                uint32_t count) {
  build_call x = {.region = region, .types = arguments, .count = count};
  if (count && !are_types(p, arguments, count, true)) return SHAPE_NO_ID;
  return call(p, add_block, &x);
}

shape_block shape_program_add_block(shape_program *p, shape_op op, uint32_t region,
                                    const shape_type *arguments, uint32_t count) {
  if (!p->graph || op >= p->graph->op_count || region >= p->graph->ops[op].region_count) {
    fail(p, SHAPE_INVALID, "the operation has no such region");
    return SHAPE_NO_ID;
  }
  return append_block(p, p->graph->ops[op].regions + region, arguments, count);
}

shape_block shape_program_add_body_block(shape_program *p, shape_function f,
                                         const shape_type *arguments, uint32_t count) {
  if (shape_program_body(p, f) == SHAPE_NO_ID) {
    fail(p, SHAPE_INVALID, "no function with a body");
    return SHAPE_NO_ID;
  }
  return append_block(p, p->graph->funcs[f].body, arguments, count);
}
