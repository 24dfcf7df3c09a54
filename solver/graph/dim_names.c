// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/dim_names.h"

#include <assert.h>
#include <string.h>

static void refuse(shape_graph *g, source_span span, uint32_t argument, const char *what) {
  diag_add(&g->diags, DIAG_ERROR, "dim-names", span, "shaped.dims of argument %u: %s", argument,
           what);
}

static uint32_t symbol_named(shape_graph *g, const graph_attr *name) {
  uint32_t known = graph_find_symbol(g, name->text);
  if (known != ID_NONE) return known;
  uint32_t made = graph_add_symbol(g, name->text, name->span);
  g->declared.symbols[made].in_attribute = true;
  return made;
}

// The symbol is a number where the dim is one; false where it is another one already.
static bool fix(graph_symbol *s, int64_t size) {
  assert(size >= 0);
  if (size < s->min || size > s->max) return false;
  s->min = s->max = size;
  return true;
}

static void name_argument(shape_graph *g, value_id value, uint32_t argument, attr_id names) {
  const graph_attr *list = graph_attr_get(g, names);
  const graph_type *type = type_get(&g->types, g->values[value].type);
  uint32_t count = 0;
  const attr_id *items = list && list->kind == ATTR_ARRAY ? attr_items(list, &count) : NULL;
  source_span span = list ? list->span : SPAN_NONE;
  if (type->kind != TYPE_TENSOR || count > type->rank || !list || list->kind != ATTR_ARRAY) {
    refuse(g, span, argument, "expected a list of names, at most one for each axis");
    return;
  }
  int64_t *dims = arena_alloc(g->arena, (type->rank + 1) * sizeof *dims);
  if (type->rank) memcpy(dims, type->dims, type->rank * sizeof *dims);
  bool changed = false;
  for (uint32_t i = 0; i < count; i++) {
    const graph_attr *name = graph_attr_get(g, items[i]);
    if (!name || name->kind != ATTR_STRING) {
      refuse(g, span, argument, "expected texts, \"\" for a dim without a name");
      return;
    }
    if (!intern_length(&g->names, name->text) || dim_is_symbol(dims[i])) continue;
    uint32_t symbol = symbol_named(g, name);
    if (dims[i] == DIM_DYNAMIC) {
      dims[i] = dim_of_symbol(symbol);
      changed = true;
    } else if (!fix(&g->declared.symbols[symbol], dims[i])) {
      refuse(g, name->span, argument, "the name is one of a dim of another size");
    }
  }
  if (!changed) return;
  type = type_get(&g->types, g->values[value].type);
  g->values[value].type = type_with_dims(&g->types, g->values[value].type, dims,
                                         type->has_bounds ? type->bounds : NULL, type->rank);
}

// The type of the function has the types of its arguments.
static void update_signature(shape_graph *g, graph_func *f, const graph_block *entry) {
  graph_type type = *type_get(&g->types, f->type);
  type_id *params = arena_alloc(g->arena, (type.param_count + 1) * sizeof *params);
  for (uint32_t i = 0; i < type.param_count; i++)
    params[i] = i < type.split ? g->values[entry->arguments + i].type : type.params[i];
  type.params = params;
  f->type = type_intern(&g->types, &type);
}

void graph_name_dims(shape_graph *g, func_id func) {
  assert(func < g->func_count && g->funcs[func].body != ID_NONE);
  const graph_func *f = &g->funcs[func];
  const graph_region *body = &g->regions[f->body];
  if (!f->argument_attrs || !body->block_count) return;
  const graph_block *entry = &g->blocks[body->first_block];
  const graph_type *type = f->type == TYPE_NONE ? NULL : type_get(&g->types, f->type);
  uint32_t count = entry->argument_count;
  if (type && type->split < count) count = type->split;
  for (uint32_t i = 0; i < count; i++) {
    if (f->argument_attrs[i] == ATTR_NONE || g->values[entry->arguments + i].type == TYPE_NONE)
      continue;
    attr_id names = graph_attr_entry(g, f->argument_attrs[i], "shaped.dims");
    if (names != ATTR_NONE) name_argument(g, entry->arguments + i, i, names);
  }
  if (type && type->split == entry->argument_count) update_signature(g, &g->funcs[func], entry);
}
