// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/json/form.h"

#include <assert.h>
#include <string.h>

#include "solver/facts/store.h"
#include "solver/formats/json/decode.h"

// --- names

typedef struct naming {
  shape_graph *g;
  shape_imap visible;  // name -> 1: a value that is visible has it; 0: one had it
  name_id *names;      // of the regions around, in order of definition
  uint32_t count, capacity;
} naming;

// In MLIR results of an operation share a name, some values have none, and a region that is isolated from above may use
// the names around it again.
static void name_value(naming *n, value_id v) {
  shape_graph *g = n->g;
  graph_value *value = &g->values[v];
  uint32_t length, taken = 0;
  const char *name = graph_value_text(g, v, &length);
  shape_strbuf text;
  strbuf_init(&text, g->arena);
  strbuf_add(&text, name, length);
  bool shared = !value->is_argument && g->ops[value->def].result_count > 1;
  if (length && shared) strbuf_printf(&text, "#%u", graph_value_index(g, v));
  name_id made = length ? intern_add(&g->names, text.data, text.length) : NAME_NONE;
  if (!length || (imap_get(&n->visible, made, &taken) && taken)) {
    text.length = 0;
    strbuf_printf(&text, "%%%u", v);  // no name of MLIR has a '%'
    made = intern_add(&g->names, text.data, text.length);
  }
  value->name = made;
  imap_put(&n->visible, g->arena, made, 1);
  n->names = arena_grow(g->arena, n->names, n->count, (size_t)n->count + 1, &n->capacity,
                        sizeof *n->names);
  n->names[n->count++] = made;
}

static void name_region(naming *n, region_id region) {
  const shape_graph *g = n->g;
  const graph_region *r = &g->regions[region];
  uint32_t outside = n->count;
  for (uint32_t b = 0; b < r->block_count; b++) {
    const graph_block *block = &g->blocks[r->first_block + b];
    for (uint32_t i = 0; i < block->argument_count; i++) name_value(n, block->arguments + i);
    for (op_id op = block->first; op != ID_NONE; op = g->ops[op].next) {
      const graph_op *o = &g->ops[op];
      // What is inside does not see the results.
      for (uint32_t i = 0; i < o->region_count; i++) name_region(n, o->regions + i);
      for (uint32_t i = 0; i < o->result_count; i++) name_value(n, o->results + i);
    }
  }
  assert(outside <= n->count);
  while (n->count > outside) imap_put(&n->visible, g->arena, n->names[--n->count], 0);
}

// --- attributes

static bool fail(shape_graph *g, const char *code, const char *why) {
  diag_add(&g->diags, DIAG_ERROR, code, (source_span){0, 0}, "%s", why);
  return false;
}

static void list_of_ints(shape_graph *g, graph_attr *a) {
  uint32_t count;
  const attr_id *items = attr_items(a, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (items[i] == ATTR_NONE || g->attributes.items[items[i]].kind != ATTR_INT) return;
  }
  int64_t *ints = arena_alloc(g->arena, ((size_t)count + 1) * sizeof *ints);
  for (uint32_t i = 0; i < count; i++) ints[i] = attr_one_int(&g->attributes.items[items[i]]);
  a->kind = ATTR_INTS;
  attr_set_ints(a, ints, count);
}

static bool form_dense(shape_graph *g, graph_attr *a) {
  const graph_type *t = a->type == TYPE_NONE ? NULL : type_get(&g->types, a->type);
  bool known = t && t->kind == TYPE_TENSOR;
  for (uint32_t i = 0; known && i < t->rank; i++) known = dim_is_static(t->dims[i]);
  if (!known) return fail(g, "dense", "\"dense\" needs a tensor type of known dims");
  if (!dtype_is_integer(t->dtype) && !dtype_is_float(t->dtype)) {
    a->holds = HOLDS_NOTHING;
    a->count = 0;
    a->splat = false;
    return true;
  }
  uint32_t count;
  const int64_t *given = attr_held_ints(a, &count);
  if (t->dtype != DTYPE_I1 || !count) return true;
  // Readers of MLIR have true as -1 where they sign-extend.
  int64_t *ints = arena_alloc(g->arena, count * sizeof *ints);
  for (uint32_t i = 0; i < count; i++) ints[i] = given[i] != 0;
  attr_set_ints(a, ints, count);
  return true;
}

static bool form_attr(shape_graph *g, graph_attr *a) {
  if (a->kind != ATTR_TYPE && a->kind != ATTR_DENSE) a->type = TYPE_NONE;
  switch ((attr_kind)a->kind) {
  case ATTR_ARRAY: list_of_ints(g, a); return true;
  case ATTR_DENSE: return form_dense(g, a);
  case ATTR_OPAQUE:
    if (a->text != NAME_NONE) return true;
    if (a->span.begin <= a->span.end && a->span.end <= g->source.length) {
      a->text = intern_add(&g->names, g->source.text + a->span.begin, a->span.end - a->span.begin);
    } else {
      a->kind = ATTR_UNIT;
    }
    return true;
  case ATTR_UNIT:
  case ATTR_BOOL:
  case ATTR_INT:
  case ATTR_FLOAT:
  case ATTR_STRING:
  case ATTR_TYPE:
  case ATTR_DICT:
  case ATTR_INTS:
  case ATTR_SYMBOL:
  case ATTR_ENUM: return true;
  }
  return true;
}

// --- keys

typedef struct keys {
  shape_graph *g;
  shape_imap seen;  // name -> the number of the last list that has it
  uint32_t lists;
} keys;

static bool has_twice(keys *k, const attr_entry *entries, uint32_t count) {
  enum { FEW = 8 };
  bool twice = false;
  for (uint32_t i = 0; count <= FEW && i < count; i++) {
    for (uint32_t j = 0; j < i; j++) twice |= entries[i].name == entries[j].name;
  }
  if (count > FEW) k->lists++;
  for (uint32_t i = 0; count > FEW && i < count; i++) {
    uint32_t list = 0;
    twice |= imap_get(&k->seen, entries[i].name, &list) && list == k->lists;
    imap_put(&k->seen, k->g->arena, entries[i].name, k->lists);
  }
  return twice;
}

static bool keys_differ(shape_graph *g) {
  keys k = {.g = g};
  bool twice = false;
  for (op_id op = 0; op < g->op_count; op++)
    twice |= has_twice(&k, graph_attr_entries(g, g->ops[op].attrs), g->ops[op].attr_count);
  for (func_id f = 0; f < g->func_count; f++)
    twice |= has_twice(&k, graph_attr_entries(g, g->funcs[f].attrs), g->funcs[f].attr_count);
  for (attr_id a = 0; a < g->attributes.count; a++) {
    uint32_t count;
    const attr_entry *entries = attr_entries(&g->attributes.items[a], &count);
    twice |= has_twice(&k, entries, count);
  }
  return !twice;
}

// --- how deep objects and arrays are in one another

static void at_least(uint32_t *depth, uint32_t other) {
  if (*depth < other) *depth = other;
}

static uint32_t type_depth(const shape_graph *g, type_id id) {
  uint32_t depth = 0;
  const graph_type *t = id == TYPE_NONE ? NULL : type_get(&g->types, id);
  if (!t) return 0;
  for (uint32_t i = 0; i < t->param_count; i++) at_least(&depth, type_depth(g, t->params[i]));
  return depth + 2;  // an object with a list, unless it is a text
}

static uint32_t attr_depth(const shape_graph *g, attr_id id) {
  uint32_t depth = 0, count;
  const graph_attr *a = graph_attr_get(g, id);
  if (!a) return 0;
  const attr_id *items = attr_items(a, &count);
  for (uint32_t i = 0; i < count; i++) at_least(&depth, attr_depth(g, items[i]));
  const attr_entry *entries = attr_entries(a, &count);
  for (uint32_t i = 0; i < count; i++) at_least(&depth, attr_depth(g, entries[i].value));
  at_least(&depth, type_depth(g, a->type));
  return depth + 2;  // an object that names its form around it
}

static uint32_t entries_depth(const shape_graph *g, uint32_t attrs, uint32_t count) {
  uint32_t depth = 0;
  const attr_entry *entries = graph_attr_entries(g, attrs);
  for (uint32_t i = 0; i < count; i++) at_least(&depth, attr_depth(g, entries[i].value));
  return depth + 1;
}

static uint32_t list_depth(const shape_graph *g, const attr_id *list, uint32_t count) {
  uint32_t depth = 0;
  for (uint32_t i = 0; list && i < count; i++) at_least(&depth, attr_depth(g, list[i]));
  return depth + 2;
}

static uint32_t slots_depth(const shape_graph *g, value_id first, uint32_t count) {
  uint32_t depth = 0;
  for (uint32_t i = 0; i < count; i++) at_least(&depth, type_depth(g, g->values[first + i].type));
  return depth + 2;
}

static uint32_t region_depth(const shape_graph *g, region_id region);

static uint32_t op_depth(const shape_graph *g, op_id id) {
  const graph_op *op = &g->ops[id];
  uint32_t depth = slots_depth(g, op->results, op->result_count);
  at_least(&depth, entries_depth(g, op->attrs, op->attr_count));
  for (uint32_t i = 0; i < op->region_count; i++)
    at_least(&depth, region_depth(g, op->regions + i) + 1);
  return depth + 1;
}

static uint32_t region_depth(const shape_graph *g, region_id region) {
  const graph_region *r = &g->regions[region];
  uint32_t depth = 0;
  for (uint32_t b = 0; b < r->block_count; b++) {
    const graph_block *block = &g->blocks[r->first_block + b];
    at_least(&depth, slots_depth(g, block->arguments, block->argument_count));
    for (op_id op = block->first; op != ID_NONE; op = g->ops[op].next)
      at_least(&depth, op_depth(g, op));
  }
  return depth + (r->block_count == 1 ? 1 : 3);
}

static uint32_t func_depth(const shape_graph *g, const graph_func *f) {
  uint32_t depth = entries_depth(g, f->attrs, f->attr_count);
  const graph_type *type = f->type == TYPE_NONE ? NULL : type_get(&g->types, f->type);
  if (type) {
    at_least(&depth, type_depth(g, f->type));
    at_least(&depth, list_depth(g, f->argument_attrs, type->split) + 2);
    at_least(&depth, list_depth(g, f->result_attrs, type->param_count - type->split) + 2);
  }
  if (f->body != ID_NONE) at_least(&depth, region_depth(g, f->body));
  return depth + 1;
}

static bool is_shallow(const shape_graph *g) {
  for (func_id f = 0; f < g->func_count; f++) {
    if (func_depth(g, &g->funcs[f]) + 2 > GRAPH_JSON_DEPTH) return false;
  }
  return true;
}

bool graph_json_form(shape_graph *g) {
  naming n = {.g = g};
  assert(!g->diags.errors);
  for (func_id f = 0; f < g->func_count; f++) {
    if (g->funcs[f].body != ID_NONE) name_region(&n, g->funcs[f].body);
  }
  for (uint32_t i = 0; i < g->declared.symbol_count; i++) {
    graph_symbol *symbol = &g->declared.symbols[i];
    symbol->rank = symbol->rank >= SYMBOL_OPAQUE ? SYMBOL_OPAQUE : 0;  // "computed", or nothing
  }
  for (attr_id a = 0; a < g->attributes.count; a++) {
    if (!form_attr(g, &g->attributes.items[a])) return false;
  }
  if (!keys_differ(g)) return fail(g, "json", "an attribute is given twice");
  if (!is_shallow(g))
    return fail(g, "json",
                "the program is nested too deep: its JSON form has more than 200 levels");
  g->format = GRAPH_JSON;
  return true;
}
