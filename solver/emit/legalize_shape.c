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

// The one block of an operation, and what ends it; false: it has no such body.
static bool find_body(legalize_shape *l, op_id op, const char *terminator, block_id *block,
                      op_id *end) {
  const shape_graph *g = l->d->graph;
  const graph_op *o = &g->ops[op];
  if (o->region_count != 1 || g->regions[o->regions].block_count != 1)
    return legal_fail(l, "it has more than one block");
  *block = g->regions[o->regions].first_block;
  *end = graph_terminator(g, *block);
  return (*end != ID_NONE && dims_is_named(l->d, *end, terminator) &&
          g->ops[*end].operand_count == o->result_count) ||
         legal_fail(l, "it yields another number of values");
}

static bool write_assuming(legalize_shape *l, op_id op, func_id func) {
  dims *d = l->d;
  const shape_graph *g = d->graph;
  const graph_op *o = &g->ops[op];
  const source_text *source = &g->source;
  block_id block = ID_NONE;
  op_id end = ID_NONE;
  if (!find_body(l, op, "shape.assuming_yield", &block, &end)) return false;
  op_id first = g->blocks[block].first;
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

// --- shape.reduce: a loop of scf, whose body is that of the operation

static void put_types(legalize_shape *l, shape_strbuf *out, op_id op) {
  const graph_op *o = &l->d->graph->ops[op];
  for (uint32_t i = 0; i < o->result_count; i++)
    strbuf_printf(out, "%s%s", i ? ", " : "", legal_type_now(l, o->results + i));
}

// What an operation takes, or the arguments of a block are, and what is carried has one type.
static bool carry_one_type(legalize_shape *l, op_id op, op_id end, const graph_block *b) {
  const shape_graph *g = l->d->graph;
  const graph_op *o = &g->ops[op];
  for (uint32_t i = 0; i < o->result_count; i++) {
    const char *type = legal_type_now(l, o->results + i);
    value_id all[] = {graph_operand(g, op, 1 + i), graph_operand(g, end, i), b->arguments + 2 + i};
    for (uint32_t k = 0; k < sizeof all / sizeof *all; k++) {
      if (all[k] == VALUE_NONE || strcmp(legal_type_now(l, all[k]), type) != 0)
        return legal_fail(l, "what it carries has another type");
    }
  }
  return true;
}

// How far to the right the lines of the body of the operation that is written are.
static const char *body_indent(legalize_shape *l, op_id first) {
  dims *d = l->d;
  const source_text *source = &d->graph->source;
  uint32_t at = d->graph->ops[first].span.begin, begin = line_begin(source, at);
  if (begin != at) return arena_strndup(d->graph->arena, source->text + begin, at - begin);
  shape_strbuf text;
  strbuf_init(&text, d->graph->arena);
  strbuf_printf(&text, "%s  ", dims_indent(d));
  return strbuf_text(&text);
}

// Up to the body: the loop, and the extent of its trip.
static void put_loop(legalize_shape *l, op_id op, const graph_block *b) {
  dims *d = l->d;
  const graph_op *o = &d->graph->ops[op];
  const char *source = d->graph->source.text;
  value_id shape = graph_operand(d->graph, op, 0);
  const char *from = dims_value_text(d, shape), *type = legal_type_now(l, shape);
  uint32_t zero = dims_constant(d, 0), one = dims_constant(d, 1), begin = o->span.begin,
           end = o->name_span.begin;
  uint32_t rank = l->counts[shape] != UNKNOWN
                      ? dims_constant(d, l->counts[shape])
                      : dims_line(d, "tensor.dim %s, %%%s%u : %s", from, d->stem, zero, type);
  if (end > begin && source[end - 1] == '"') end--;
  strbuf_add(d->out, source + begin, end - begin);
  const char *index = dims_value_text(d, b->arguments);
  strbuf_printf(d->out, "scf.for %s = %%%s%u to %%%s%u step %%%s%u", index, d->stem, zero, d->stem,
                rank, d->stem, one);
  for (uint32_t i = 0; i < o->result_count; i++)
    strbuf_printf(d->out, "%s%s = %s", i ? ", " : " iter_args(",
                  dims_value_text(d, b->arguments + 2 + i),
                  dims_value_text(d, graph_operand(d->graph, op, 1 + i)));
  if (o->result_count) {
    strbuf_puts(d->out, ") -> (");
    put_types(l, d->out, op);
    strbuf_puts(d->out, ")");
  }
  const char *inside = body_indent(l, b->first);
  strbuf_printf(d->out, " {\n%s%s = tensor.extract %s[%s] : %s\n", inside,
                dims_value_text(d, b->arguments + 1), from, index, type);
}

// From what it yields to its end.
static void put_loop_end(legalize_shape *l, op_id op, op_id end) {
  dims *d = l->d;
  const graph_op *o = &d->graph->ops[op];
  strbuf_puts(d->out, "scf.yield");
  for (uint32_t i = 0; i < o->result_count; i++)
    strbuf_printf(d->out, "%s %s", i ? "," : "",
                  dims_value_text(d, graph_operand(d->graph, end, i)));
  if (o->result_count) strbuf_puts(d->out, " : ");
  put_types(l, d->out, op);
  dims_new_line(d);
  strbuf_puts(d->out, "}");
}

static void put_edit(legalize_shape *l, uint32_t begin, uint32_t end) {
  dims *d = l->d;
  assert(begin <= end);
  edits_add(d->edits, &d->graph->source, (source_span){begin, end},
            arena_strndup(d->graph->arena, d->out->data, d->out->length), d->out->length);
}

static bool write_reduce(legalize_shape *l, op_id op, func_id func) {
  dims *d = l->d;
  const shape_graph *g = d->graph;
  const graph_op *o = &g->ops[op];
  block_id block = ID_NONE;
  op_id end = ID_NONE;
  shape_strbuf text;
  if (!l->understood) return legal_fail(l, LEGAL_SYNTAX);
  if (!find_body(l, op, "shape.yield", &block, &end)) return false;
  const graph_block *b = &g->blocks[block];
  value_id shape = graph_operand(g, op, 0);
  if (o->operand_count != 1 + o->result_count || b->argument_count != 2 + o->result_count)
    return legal_fail(l, "it carries another number of values");
  if (shape == VALUE_NONE || !legal_is_extents(l, shape))
    return legal_fail(l, "its operand is no shape");
  if (!legal_is_index(l, b->arguments) || !legal_is_index(l, b->arguments + 1))
    return legal_fail(l, "an extent or its axis has another type");
  legalize_block(l, block, func);
  if (!carry_one_type(l, op, end, b)) return false;
  op_id first = b->first;
  uint32_t inner = comments_begin(&g->source, line_begin(&g->source, g->ops[first].span.begin));
  assert(!d->replaced[op] && !d->replaced[end]);
  dims_begin(d, op, &text);
  put_loop(l, op, b);
  if (inner == g->ops[first].span.begin) strbuf_puts(d->out, body_indent(l, first));
  put_edit(l, o->span.begin, inner);
  dims_begin(d, op, &text);
  put_loop_end(l, op, end);
  put_edit(l, g->ops[end].span.begin, mlir_op_end(d->uses, op));
  d->replaced[op] = d->replaced[end] = true;
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
    bool assuming = dims_is_named(l->d, op, "shape.assuming");
    if (assuming || dims_is_named(l->d, op, "shape.reduce")) {
      const char *before = l->why;
      bool done = assuming ? write_assuming(l, op, func) : write_reduce(l, op, func);
      if (!done) {
        const char *why = l->why;
        l->why = before;
        stays(l, op, why);
      }
    } else if (dims_is_named(l->d, op, "shape.assuming_yield") ||
               dims_is_named(l->d, op, "shape.yield")) {
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

// Extents that other operations take or loops carry are vectors of any length.
static void find_crossing(legalize_shape *l) {
  const shape_graph *g = l->d->graph;
  for (op_id op = 0; op < g->op_count; op++) {
    const graph_op *o = &g->ops[op];
    bool loop = dims_is_named(l->d, op, "shape.reduce");
    if (is_shape_op(l, op) && !loop && !dims_is_named(l->d, op, "shape.yield")) continue;
    for (uint32_t i = loop; i < o->operand_count; i++) {
      value_id value = graph_operand(g, op, i);
      if (value != VALUE_NONE) l->crosses[value] = true;
    }
    for (uint32_t i = 0; loop && i < o->result_count; i++) l->crosses[o->results + i] = true;
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
