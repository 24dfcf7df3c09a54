// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/legalize_shape.h"

#include <assert.h>
#include <string.h>

enum { UNKNOWN = UINT32_MAX };

static bool is_shape_op(const legalize_shape *l, op_id op) {
  static const char PREFIX[] = "shape.";
  return strncmp(graph_op_name(l->d->graph, op), PREFIX, sizeof PREFIX - 1) == 0;
}

static void stays(legalize_shape *l, op_id op, const char *why) {
  if (l->stays != ID_NONE && l->stays <= op) return;
  l->stays = op;
  l->why = why;
}

static void legalize_op(legalize_shape *l, op_id op) {
  const char *before = l->why;
  bool done = legal_write(l, op);
  const char *why = l->why;
  l->why = before;
  if (!done) stays(l, op, why);
}

// --- what runs under a witness

static uint64_t name_key(legalize_shape *l, func_id func, value_id value) {
  shape_graph *g = l->d->graph;
  uint32_t length;
  const char *name = graph_value_text(g, value, &length);
  return (uint64_t)func << 32 | intern_add(&g->names, name, length);
}

// In the block around them, results get new names where another value of the function has theirs.
static void rename_results(legalize_shape *l, op_id op, func_id func) {
  dims *d = l->d;
  const graph_op *o = &d->graph->ops[op];
  for (uint32_t i = 0; i < o->result_count; i++) {
    value_id value = o->results + i;
    uint32_t length, count, at = d->graph->values[value].at, group = 0;
    graph_value_text(d->graph, value, &length);
    if (!length || !imap_get(&l->named, name_key(l, func, value), &count) || count < 2) continue;
    while (i + group + 1 < o->result_count && d->graph->values[value + group + 1].at == at) group++;
    assert(i + group < o->result_count);
    const char *name = legal_line_text(l, d->next++);
    edits_add(d->edits, &d->graph->source, (source_span){at, at + 1 + length}, name,
              (uint32_t)strlen(name));
    for (uint32_t k = 0; k <= group; k++) {
      shape_strbuf text;
      strbuf_init(&text, d->graph->arena);
      strbuf_printf(&text, group ? "%s#%u" : "%s", name, k);
      if (!legal_name_instead(l, value + k, strbuf_text(&text))) stays(l, op, l->why);
    }
    i += group;
  }
}

static uint32_t line_begin(const source_text *source, uint32_t at) {
  uint32_t begin = at;
  while (begin && (source->text[begin - 1] == ' ' || source->text[begin - 1] == '\t')) begin--;
  return !begin || source->text[begin - 1] == '\n' ? begin : at;
}

// The lines of comments in front of one.
static uint32_t comments_begin(const source_text *source, uint32_t line) {
  assert(line <= source->length);
  for (;;) {
    uint32_t begin = line ? line - 1 : 0, text;
    if (!begin || source->text[begin] != '\n') return line;
    while (begin && source->text[begin - 1] != '\n') begin--;
    for (text = begin; source->text[text] == ' '; text++) continue;
    if (source->text[text] != '/' || source->text[text + 1] != '/') return line;
    line = begin;
  }
}

static void legalize_block(legalize_shape *l, block_id block, func_id func);

static bool write_assuming(legalize_shape *l, op_id op, func_id func) {
  dims *d = l->d;
  const shape_graph *g = d->graph;
  const graph_op *o = &g->ops[op];
  const source_text *source = &g->source;
  if (o->region_count != 1 || g->regions[o->regions].block_count != 1)
    return legal_fail(l, "it has more than one block");
  block_id block = g->regions[o->regions].first_block;
  op_id end = graph_terminator(g, block), first = g->blocks[block].first;
  if (end == ID_NONE || !dims_is_named(d, end, "shape.assuming_yield") ||
      g->ops[end].operand_count != o->result_count)
    return legal_fail(l, "it yields another number of values");
  for (op_id inner = first; inner != end; inner = g->ops[inner].next)
    rename_results(l, inner, func);
  legalize_block(l, block, func);
  assert(!d->replaced[op] && !d->replaced[end]);
  d->op = op;
  d->failed = false;
  for (uint32_t i = 0; i < o->result_count; i++) {
    value_id value = graph_operand(g, end, i), made = o->results + i;
    if (value == VALUE_NONE) return legal_fail(l, "what it yields is not known");
    if (legal_is_extents(l, made) && l->counts[made] == UNKNOWN) l->counts[made] = l->counts[value];
    if (strcmp(legal_type_now(l, value), legal_type_now(l, made)) != 0)
      return legal_fail(l, "what it yields has another type");
    if (!legal_name_instead(l, made, dims_value_text(d, value))) return false;
  }
  d->replaced[op] = d->replaced[end] = true;
  if (first == end) {
    dims_remove_line(d, op);
    return true;
  }
  uint32_t head = line_begin(source, g->ops[op].span.begin), inner = g->ops[first].span.begin;
  uint32_t tail = line_begin(source, g->ops[end].span.begin), after = g->ops[op].span.end;
  bool line = after < source->length && source->text[after] == '\n';
  inner = comments_begin(source, line_begin(source, inner));
  if (inner == g->ops[first].span.begin) head = g->ops[op].span.begin;
  assert(head <= inner && inner <= tail && tail <= after);
  edits_add(d->edits, source, (source_span){head, inner}, "", 0);
  bool alone = tail != g->ops[end].span.begin && line;
  edits_add(d->edits, source, (source_span){tail, alone ? after + 1 : after}, "", 0);
  return true;
}

// A cast keeps the number of extents.
static void follow_cast(legalize_shape *l, op_id op) {
  const graph_op *o = &l->d->graph->ops[op];
  if (!dims_is_named(l->d, op, "tensor.cast") || !o->result_count || !o->operand_count) return;
  value_id from = graph_operand(l->d->graph, op, 0);
  if (from != VALUE_NONE && legal_is_extents(l, from) && legal_is_extents(l, o->results) &&
      l->counts[o->results] == UNKNOWN)
    l->counts[o->results] = l->counts[from];
}

static void legalize_block(legalize_shape *l, block_id block, func_id func) {
  const shape_graph *g = l->d->graph;
  for (op_id op = g->blocks[block].first; op != ID_NONE; op = g->ops[op].next) {
    const graph_op *o = &g->ops[op];
    if (dims_is_named(l->d, op, "shape.assuming")) {
      const char *before = l->why;
      bool done = write_assuming(l, op, func);
      if (!done) {
        const char *why = l->why;
        l->why = before;
        stays(l, op, why);
      }
    } else if (dims_is_named(l->d, op, "shape.assuming_yield")) {
      continue;
    } else if (is_shape_op(l, op)) {
      legalize_op(l, op);
    } else {
      follow_cast(l, op);
      for (uint32_t r = 0; r < o->region_count; r++) {
        const graph_region *region = &g->regions[o->regions + r];
        for (uint32_t b = 0; b < region->block_count; b++)
          legalize_block(l, region->first_block + b, func);
      }
    }
  }
}

static func_id func_of(const shape_graph *g, block_id block) {
  return g->regions[g->blocks[block].region].func;
}

// Extents that other operations take or make are vectors of any length.
static void find_crossing(legalize_shape *l) {
  const shape_graph *g = l->d->graph;
  for (op_id op = 0; op < g->op_count; op++) {
    const graph_op *o = &g->ops[op];
    if (is_shape_op(l, op)) continue;
    for (uint32_t i = 0; i < o->operand_count; i++) {
      value_id value = graph_operand(g, op, i);
      if (value != VALUE_NONE) l->crosses[value] = true;
    }
  }
}

void legalize_shape_init(legalize_shape *l, dims *d) {
  const shape_graph *g = d->graph;
  *l = (legalize_shape){.d = d, .stays = ID_NONE, .all_understood = true};
  l->crosses = arena_zalloc(g->arena, g->value_count + 1);
  find_crossing(l);
  l->counts = arena_alloc(g->arena, (g->value_count + 1) * sizeof *l->counts);
  d->names = arena_zalloc(g->arena, (g->value_count + 1) * sizeof *d->names);
  for (value_id v = 0; v < g->value_count; v++) {
    const graph_value *value = &g->values[v];
    uint32_t length;
    bool fresh, group = v && g->values[v - 1].at == value->at;
    if (!dims_index_count(d, v, &l->counts[v])) l->counts[v] = UNKNOWN;
    graph_value_text(g, v, &length);
    if (!length || group) continue;
    block_id block = value->is_argument ? value->def : g->ops[value->def].parent;
    uint32_t *count = imap_slot(&l->named, g->arena, name_key(l, func_of(g, block), v), &fresh);
    *count = fresh ? 1 : *count + 1;
  }
}

void legalize_shape_function(legalize_shape *l, func_id func, bool understood) {
  l->understood = understood;
  l->all_understood &= understood;
  const graph_region *body = &l->d->graph->regions[l->d->graph->funcs[func].body];
  assert(body->block_count);
  for (uint32_t b = 0; b < body->block_count; b++) legalize_block(l, body->first_block + b, func);
}

static bool stays_typed(const legalize_shape *l, value_id value) {
  return legal_is_shape_type(l, value) && !legal_has_form(l, value);
}

// The types that other operations and functions write.
static void retype(legalize_shape *l, source_span span, const char *type) {
  edits_add(l->d->edits, &l->d->graph->source, span, type, (uint32_t)strlen(type));
}

// The value that a row is the type of; VALUE_NONE: of none, or of several.
static value_id value_of_row(const shape_graph *g, const mlir_type_use *use) {
  if (use->kind == MLIR_USE_VALUE) return use->subject;
  if (use->kind == MLIR_USE_DECLARED || use->kind == MLIR_USE_FUNCTION ||
      use->kind == MLIR_USE_BODY)
    return VALUE_NONE;
  const graph_op *o = &g->ops[use->subject];
  bool made = use->kind == MLIR_USE_RESULT || use->kind == MLIR_USE_MADE,
       select = use->kind == MLIR_USE_SELECT && use->index != 2;
  if (use->kind == MLIR_USE_TAKEN && use->index < o->operand_count)
    return graph_operand(g, use->subject, use->index);
  if ((made || use->kind == MLIR_USE_SAME) && use->index < o->result_count)
    return o->results + use->index;
  return select && o->result_count ? o->results : VALUE_NONE;
}

static void retype_parameter(legalize_shape *l, func_id func, uint32_t index, source_span span) {
  const shape_graph *g = l->d->graph;
  const graph_type *type = type_get(&g->types, g->funcs[func].type);
  if (index >= type->param_count) return;
  uint32_t kind = type_get(&g->types, type->params[index])->kind;
  if (kind == TYPE_SHAPE) retype(l, span, "tensor<?xindex>");
  if (kind == TYPE_SIZE) retype(l, span, "index");
}

static void retype_all(legalize_shape *l) {
  const shape_graph *g = l->d->graph;
  for (uint32_t i = 0; i < l->d->uses->count; i++) {
    const mlir_type_use *use = &l->d->uses->items[i];
    value_id value = value_of_row(g, use);
    if (value != VALUE_NONE && legal_has_form(l, value))
      retype(l, use->span, legal_type_now(l, value));
    if (use->kind == MLIR_USE_DECLARED) retype_parameter(l, use->subject, use->index, use->span);
  }
  for (func_id f = 0; f < g->func_count; f++) {
    const graph_func *func = &g->funcs[f];
    if (!func->result_spans || func->is_declaration) continue;
    const graph_type *type = type_get(&g->types, func->type);
    for (uint32_t i = 0; i + type->split < type->param_count; i++)
      retype_parameter(l, f, type->split + i, func->result_spans[i]);
  }
}

op_id legalize_shape_end(legalize_shape *l, const char **why) {
  const shape_graph *g = l->d->graph;
  l->understood = l->all_understood;
  retype_all(l);
  for (value_id v = 0; v < g->value_count; v++) {
    if (l->d->names[v]) dims_use_instead(l->d, v, l->d->names[v]);
  }
  for (op_id op = 0; op < g->op_count && op < l->stays; op++) {
    const graph_op *o = &g->ops[op];
    const graph_block *block = &g->blocks[o->parent];
    bool typed = false, argument = false;
    for (uint32_t i = 0; block->first == op && i < block->argument_count; i++)
      argument |= stays_typed(l, block->arguments + i);
    *why = "an argument of its block has a type of the shape dialect";
    if (argument) return op;
    *why = NULL;
    if (l->d->replaced[op]) continue;
    if (is_shape_op(l, op)) return op;
    for (uint32_t i = 0; i < o->result_count; i++) typed |= stays_typed(l, o->results + i);
    for (uint32_t i = 0; i < o->operand_count; i++)
      typed |= stays_typed(l, graph_operand(g, op, i));
    *why = "it has a type of the shape dialect";
    if (typed) return op;
  }
  *why = l->why;
  return l->stays;
}
