// SPDX-License-Identifier: Apache-2.0
#include "solver/report/report.h"

#include <assert.h>
#include <string.h>

#include "solver/ops/destinations.h"
#include "solver/ops/registry.h"
#include "solver/ops/traits.h"
#include "solver/report/work.h"

static bool location_before(const diag *a, const diag *b) { return a->span.begin < b->span.begin; }

static const char *unknown_results(uint32_t count, uint32_t with_destinations) {
  if (!with_destinations) return "unknown shapes";
  return with_destinations == count ? "the shapes of their destinations (outs)"
                                    : "unknown shapes, or those of their destinations (outs)";
}

// There is one note for all operations of a name: it says how many they are.
static void count_unknown(shape_report *r) {
  const shape_graph *g = r->graph;
  uint32_t *counts = NULL,
           *tied = NULL;  // by name; tied: those whose results are as their destinations
  for (uint32_t i = 0; i < r->diag_count; i++) {
    const diag *d = r->diags[i];
    name_id name = d->no_rule;
    if (name == NAME_NONE) continue;
    if (!counts) {
      counts = arena_zalloc(g->arena, (g->names.count + 1) * sizeof *counts);
      tied = arena_zalloc(g->arena, (g->names.count + 1) * sizeof *tied);
      for (op_id op = 0; op < g->op_count; op++) {
        counts[g->ops[op].name]++;
        tied[g->ops[op].name] += op_destinations(g, op) > 0;
      }
    }
    assert(name < g->names.count);
    if (counts[name] < 2) continue;
    diag *all = arena_alloc(g->arena, sizeof *all);
    shape_strbuf text;
    strbuf_init(&text, g->arena);
    strbuf_printf(&text, "%s: %u operations have no rule: their results have %s",
                  intern_text(&g->names, name), counts[name],
                  unknown_results(counts[name], tied[name]));
    *all = *d;
    all->message = strbuf_text(&text);
    r->diags[i] = all;
  }
}

// In order of location; those of one location in the order in which they were found. There are at most a hundred.
void report_sort_diags(shape_report *r) {
  const diag_list *list = &r->graph->diags;
  r->diag_count = list->count;
  r->diags = arena_alloc(r->graph->arena, (list->count + 1) * sizeof *r->diags);
  for (uint32_t i = 0; i < list->count; i++) {
    uint32_t at = i;
    for (; at && location_before(&list->items[i], r->diags[at - 1]); at--)
      r->diags[at] = r->diags[at - 1];
    r->diags[at] = &list->items[i];
  }
  count_unknown(r);
}

void report_locate(shape_report *r, const report_locations *of_diagnostics) {
  r->work->answer.locations = of_diagnostics;
}

report_locations report_locations_of(const shape_report *r, const diag *d) {
  uint32_t index = 0;
  while (index < r->diag_count && r->diags[index] != d) index++;
  if (!r->work->answer.locations || index == r->diag_count) return (report_locations){NULL, 0};
  return r->work->answer.locations[index];
}

static void index_frames(shape_report *r) {
  report_work *w = r->work;
  uint32_t funcs = r->graph->func_count, frames = r->infer->frame_count;
  w->frame_first = arena_alloc(w->arena, (funcs + 1) * sizeof *w->frame_first);
  w->frame_next = arena_alloc(w->arena, (frames + 1) * sizeof *w->frame_next);
  for (uint32_t i = 0; i < funcs; i++) w->frame_first[i] = ID_NONE;
  for (uint32_t i = frames; i-- > 0;) {
    func_id func = r->infer->frames[i].func;
    w->frame_next[i] = w->frame_first[func];
    w->frame_first[func] = i;
  }
}

static void add_function(shape_report *r, func_id id) {
  assert(id < r->graph->func_count);
  const shape_graph *g = r->graph;
  const graph_func *f = &g->funcs[id];
  if (f->body == ID_NONE) return;
  const graph_region *body = &g->regions[f->body];
  report_function made = {.id = id, .first_op = ID_NONE};
  if (body->block_count) {
    const graph_block *block = &g->blocks[body->first_block];
    made.arguments = block->arguments;
    made.argument_count = block->argument_count;
  }
  uint32_t frame = r->work->frame_first[id];
  if (frame != ID_NONE && r->infer->frames[frame].results) {
    made.results = r->infer->frames[frame].results;
    made.result_count = r->infer->frames[frame].result_count;
  } else if (f->type !=
             TYPE_NONE) {  // several blocks return, or none does: what it declares is left
    const graph_type *type = type_get(&g->types, f->type);
    made.result_count = type->param_count - type->split;
    value_id *none = arena_alloc(g->arena, (made.result_count + 1) * sizeof *none);
    for (uint32_t i = 0; i < made.result_count; i++) none[i] = VALUE_NONE;
    made.results = none;
  }
  r->functions[r->function_count++] = made;
}

// The entry comes first; operations of a function have consecutive ids, as functions do not nest. Those that are in a
// module count as a function without a name; of them only the first stretch is reported.
static void list_functions(shape_report *r) {
  const shape_graph *g = r->graph;
  report_work *w = r->work;
  r->functions = arena_alloc(w->arena, (g->func_count + 1) * sizeof *r->functions);
  if (r->infer->entry < g->func_count) add_function(r, r->infer->entry);
  for (func_id i = 0; i < g->func_count; i++) {
    if (i != r->infer->entry) add_function(r, i);
  }
  uint32_t *position = arena_alloc(w->arena, (g->func_count + 1) * sizeof *position);
  for (func_id i = 0; i < g->func_count; i++) position[i] = ID_NONE;
  for (uint32_t i = 0; i < r->function_count; i++) position[r->functions[i].id] = i;
  for (op_id i = 0, end; i < g->op_count; i = end) {
    const block_id block = g->ops[i].parent;
    assert(block < g->block_count);  // readers put what is in no function into one of its own
    const func_id func = g->regions[g->blocks[block].region].func;
    arena_poll_at(w->arena, i);
    for (end = i + 1; end % 4096 && end < g->op_count && g->ops[end].parent == block;) end++;
    if (func >= g->func_count || position[func] == ID_NONE) continue;
    report_function *f = &r->functions[position[func]];
    if (f->first_op == ID_NONE) {
      f->first_op = i;
    } else if (f->end_op != i) {
      continue;  // of a module, after a function: those in between are not its own
    }
    f->end_op = end;
  }
  for (uint32_t i = 0; i < r->function_count; i++) {
    if (r->functions[i].first_op == ID_NONE) r->functions[i].first_op = r->functions[i].end_op = 0;
  }
}

bool report_is_function(const shape_report *r, const report_function *f) {
  const shape_graph *g = r->graph;
  if (f == r->functions || g->funcs[f->id].name != NAME_NONE || f->argument_count) return true;
  for (op_id op = f->first_op; op < f->end_op; op++) {
    if (g->ops[op].result_count) return true;
  }
  return false;
}

static uint32_t count_functions(const shape_report *r) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < r->function_count; i++) count += report_is_function(r, &r->functions[i]);
  return count;
}

static void text_elements(shape_report *r, report_elements e) {
  for (uint32_t i = 0; e.items && i < e.count; i++) {
    if (e.items[i] != TERM_NONE) report_term(r, e.items[i]);
  }
}

static bool is_integer(const shape_graph *g, value_id v) {
  const graph_type *type = graph_value_type(g, v);
  return !type || ((type->kind <= TYPE_UNRANKED) && dtype_is_integer((shape_dtype)type->dtype));
}

static void describe_arguments(shape_report *r, report_function *f, uint32_t *shapes) {
  for (uint32_t i = 0; i < f->argument_count; i++) {
    uint32_t shape = shapes_of_value(r, f->id, f->arguments + i);
    shapes[f->arguments + i] = shape;
    const report_shape *s = &r->shapes[shape];
    for (uint32_t axis = 0; s->ranked && axis < s->rank; axis++) {
      if (s->dims[axis] == TERM_NONE || term_kind_of(r->infer->terms, s->dims[axis]) == TERM_CONST)
        continue;
      names_bind(r, s->dims[axis], (symbol_origin){f->id, i, axis, false});
    }
  }
  report_elements *values = arena_zalloc(r->work->arena, (f->argument_count + 1) * sizeof *values);
  for (uint32_t i = 0; i < f->argument_count; i++) {
    if (!is_integer(r->graph, f->arguments + i)) continue;
    values[i] = shapes_elements(r, f->id, f->arguments + i);
    text_elements(r, values[i]);
    bool scalar = r->shapes[shapes[f->arguments + i]].rank == 0;
    for (uint32_t k = 0; values[i].items && k < values[i].count; k++) {
      names_bind(r, values[i].items[k], (symbol_origin){f->id, i, scalar ? ID_NONE : k, true});
    }
  }
  f->argument_values = values;
}

static type_id declared_result(const shape_graph *g, func_id func, uint32_t i) {
  assert(func < g->func_count);
  if (g->funcs[func].type == TYPE_NONE) return TYPE_NONE;
  const graph_type *type = type_get(&g->types, g->funcs[func].type);
  return i < type->param_count - type->split ? type->params[type->split + i] : TYPE_NONE;
}

// An integer that has a name is listed by its value.
static void describe_integer(shape_report *r, const report_function *f, value_id v) {
  const graph_type *type = graph_value_type(r->graph, v);
  f->integers[v] = TERM_NONE;
  if (!type || type->kind != TYPE_SCALAR || r->graph->values[v].name == NAME_NONE) return;
  report_elements e = shapes_elements(r, f->id, v);
  if (e.count != 1) return;
  text_elements(r, e);
  f->integers[v] = e.items[0];
}

static void describe_body(shape_report *r, report_function *f, uint32_t *shapes) {
  const shape_graph *g = r->graph;
  report_elements *values = arena_zalloc(r->work->arena, (f->result_count + 1) * sizeof *values);
  uint32_t *results = arena_alloc(r->work->arena, (f->result_count + 1) * sizeof *results);
  for (uint32_t i = 0; i < f->result_count; i++) {
    results[i] = ID_NONE;
    if (f->results[i] == VALUE_NONE) {
      type_id declared = declared_result(g, f->id, i);
      if (declared != TYPE_NONE) results[i] = shapes_of_type(r, declared);
      continue;
    }
    results[i] = shapes[f->results[i]] = shapes_of_value(r, f->id, f->results[i]);
  }
  for (uint32_t i = 0; i < f->result_count; i++) {
    if (f->results[i] == VALUE_NONE || !is_integer(g, f->results[i])) continue;
    values[i] = shapes_elements(r, f->id, f->results[i]);
    text_elements(r, values[i]);
  }
  f->result_values = values;
  f->result_shapes = results;
  const graph_op *o = f->first_op < f->end_op ? g->ops + f->first_op : NULL;
  const func_id id = f->id;
  const bool integers = f->integers != NULL;
  for (op_id op = f->first_op; op < f->end_op; op++, o++) {
    arena_poll_at(r->work->arena, op);
    value_id v = o->results;
    for (uint32_t left = o->result_count; left; left--, v++) {
      shapes[v] = shapes_of_value(r, id, v);
      if (integers) describe_integer(r, f, v);
    }
  }
}

// Every value has a shape, also arguments of inner blocks and values that no function of the list holds. An answer does not
// speak of them: their shapes are not counted, and have no text.
static void describe_rest(shape_report *r, uint32_t *shapes) {
  const shape_graph *g = r->graph;
  uint32_t named = r->shape_count;
  r->work->named = true;
  for (value_id v = 0; v < g->value_count; v++) {
    arena_poll_at(r->work->arena, v);
    if (shapes[v] != ID_NONE) continue;
    const graph_value *value = &g->values[v];
    block_id block = value->is_argument ? value->def : g->ops[value->def].parent;
    func_id func = g->regions[g->blocks[block].region].func;
    shapes[v] = func < g->func_count ? shapes_of_value(r, func, v) : shapes_of_type(r, value->type);
  }
  r->shape_count = named;
}

bool report_determined(shape_report *r, term_id term) { return names_determined(r, term, ID_NONE); }

static void judge_shapes(shape_report *r) {
  for (uint32_t i = 0; i < r->shape_count; i++) {
    if (r->shapes[i].ranked) names_judge(r, &r->shapes[i]);
  }
  refinable_judge(r);
}

static void describe(shape_report *r) {
  report_work *w = r->work;
  uint32_t *shapes = arena_alloc(w->arena, (r->graph->value_count + 1) * sizeof *shapes);
  memset(shapes, 0xff, r->graph->value_count * sizeof *shapes);  // ID_NONE
  r->value_shapes = shapes;
  names_prepare(r);
  index_frames(r);
  list_functions(r);
  answer_find_quotients(r);
  for (uint32_t i = 0; i < r->function_count; i++) describe_arguments(r, &r->functions[i], shapes);
  term_id *integers = NULL;
  if (GRAPH_FORMATS[r->graph->format].flags & FORMAT_INTEGERS) {
    integers = arena_alloc(w->arena, (r->graph->value_count + 1) * sizeof *integers);
    for (value_id v = 0; v < r->graph->value_count; v++) integers[v] = TERM_NONE;
  }
  for (uint32_t i = 0; i < r->function_count; i++) r->functions[i].integers = integers;
  for (uint32_t i = 0; i < r->function_count; i++) describe_body(r, &r->functions[i], shapes);
  select_constraints(r);
  names_declared(r);
  names_finish(r);
  likely_finish(r);
  judge_shapes(r);
  describe_rest(r, shapes);
  r->assumptions = r->infer->log->assumptions;
  r->assumption_count = r->infer->log->assumption_count;
}

shape_report *report_make(shape_graph *graph, infer_result *infer, shape_budget *budget) {
  shape_report *r = arena_zalloc(graph->arena, sizeof *r);
  r->graph = graph;
  r->infer = infer;
  r->ok = graph->diags.errors == 0;
  r->work = arena_zalloc(graph->arena, sizeof *r->work);
  r->work->arena = r->work->texts.arena = graph->arena;
  arena_init_child(&r->work->scratch, graph->arena);
  r->work->budget = budget;
  r->work->infer = infer;
  report_sort_diags(r);
  if (infer) describe(r);
  r->stats = (report_stats){.functions = count_functions(r),
                            .ops = graph->op_count,
                            .values = graph->value_count,
                            .symbols = r->symbol_count,
                            .facts = infer ? store_fact_count(infer->store) : 0,
                            .steps = budget->steps_used - budget->steps_read,
                            .unsimplified = r->stats.unsimplified,
                            .unsuggested = r->stats.unsuggested};
  return r;
}
