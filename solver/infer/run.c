// SPDX-License-Identifier: Apache-2.0
// The entry point: which function is analysed how, and in what order.
#include "solver/infer/infer.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "solver/graph/dim_names.h"
#include "solver/infer/repeat.h"
#include "solver/ops/constraint_graph.h"
#include "solver/ops/traits.h"

static const infer_options no_options = {0};
enum {
  VISITS_PER_OP = 64,
  VISITS_MIN = 100000
};  // calls in calls may double; this is where it ends

// Its position among the arguments as they are now.
static uint32_t argument_position(const infer_result *r, const infer_origin *o) {
  if (!r->arguments || o->frame) return o->argument;
  const shape_graph *g = r->graph;
  const graph_block *b = &g->blocks[g->regions[g->funcs[r->entry].body].first_block];
  uint32_t at = 0;
  while (at < r->argument_count && r->arguments[at] != b->arguments + o->argument) at++;
  return at;
}

// Names for messages, before the report has given any: those of users, and argK.A for arguments.
static void name_symbol(void *data, shape_strbuf *out, uint32_t symbol) {
  infer_state *s = data;
  const infer_result *r = s->r;
  const infer_origin *o = symbol < r->origin_count ? &r->origins[symbol] : NULL;
  if (o && o->kind == ORIGIN_DECLARED) {
    strbuf_puts(out, intern_text(&s->g->names, s->g->declared.symbols[o->graph_symbol].name));
  } else if (o && o->kind == ORIGIN_ARGUMENT_SIZE) {
    strbuf_printf(out, "arg%u.%u", argument_position(r, o), o->axis);
  } else if (o && o->kind == ORIGIN_ARGUMENT_VALUE) {
    strbuf_printf(out, "arg%u[%u]", argument_position(r, o), o->axis);
  } else {
    strbuf_puts(out, "?");
  }
}

static infer_state *state_new(shape_graph *graph, shape_budget *budget,
                              const infer_options *options) {
  infer_state *s = arena_zalloc(graph->arena, sizeof *s);
  infer_result *r = arena_zalloc(graph->arena, sizeof *r);
  term_table *terms = arena_zalloc(graph->arena, sizeof *terms);
  term_table_init(terms, graph->arena, budget);
  s->r = r;
  r->state = s;
  r->late.ops = arena_zalloc(graph->arena, graph->op_count + 1);
  r->late.count = graph->op_count;
  s->g = r->graph = graph;
  s->terms = r->terms = terms;
  s->arena = graph->arena;
  s->budget = budget;
  s->store = r->store = store_new(graph->arena, terms, budget);
  s->options = options ? options : &no_options;
  s->understood = s->options->understood;
  if (s->options->log) store_keep_log(s->store, &s->options->log->store);
  s->row.count = graph->names.count;
  s->row.of = arena_zalloc(s->arena, (s->row.count + 1) * sizeof(*s->row.of));
  repeat_init(s);
  s->calls.endless = arena_zalloc(s->arena, graph->func_count + 1);
  s->calls.open = arena_zalloc(s->arena, graph->func_count + 1);
  s->calls.left = arena_zalloc(s->arena, graph->func_count + 1);
  s->calls.met = arena_zalloc(s->arena, graph->op_count + 1);
  s->calls.met_count = graph->op_count;
  s->namer = (term_namer){.symbol = name_symbol, .functions = &graph->names, .data = s};
  s->visit_limit = (uint64_t)graph->op_count * VISITS_PER_OP + VISITS_MIN;
  s->context = (rule_context){.graph = graph,
                              .terms = terms,
                              .store = s->store,
                              .budget = budget,
                              .arena = s->arena,
                              .log = &s->log,
                              .blamed = ID_NONE,
                              .namer = &s->namer,
                              .infer = s};
  r->scopes = arena_grow(s->arena, NULL, 0, 1, &r->capacity.scopes, sizeof(*r->scopes));
  r->scopes[0] = (infer_scope){ID_NONE, ID_NONE, 0, 0, TERM_NONE};
  r->scope_count = 1;
  return s;
}

bool state_is_constraints(infer_state *s, func_id func) {
  if (!s->calls.constraints) s->calls.constraints = constraint_graphs(s->g, s->arena);
  return s->calls.constraints[func];
}

// A function's values are one range: its entry block's arguments come first, and everything inside is in order.
void state_value_range(infer_state *s, func_id func, value_id *base, value_id *end) {
  assert(func < s->g->func_count);
  *base = s->calls.func_values[func];
  *end = s->calls.func_ends[func];
}

static void block_values(const shape_graph *g, block_id block, value_id *low, value_id *high);

static void region_values(const shape_graph *g, region_id region, value_id *low, value_id *high) {
  const graph_region *r = &g->regions[region];
  for (uint32_t i = 0; i < r->block_count; i++) block_values(g, r->first_block + i, low, high);
}

static void include(value_id first, uint32_t count, value_id *low, value_id *high) {
  if (!count) return;
  if (first < *low) *low = first;
  if (first + count > *high) *high = first + count;
}

static void block_values(const shape_graph *g, block_id block, value_id *low, value_id *high) {
  const graph_block *b = &g->blocks[block];
  include(b->arguments, b->argument_count, low, high);
  for (op_id op = b->first; op != ID_NONE; op = g->ops[op].next) {
    include(g->ops[op].results, g->ops[op].result_count, low, high);
    for (uint32_t i = 0; i < g->ops[op].region_count; i++)
      region_values(g, g->ops[op].regions + i, low, high);
  }
}

static bool is_named(const shape_graph *g, func_id f, const char *name) {
  return g->funcs[f].name != NAME_NONE && !strcmp(graph_func_name(g, f), name);
}

// The less the better: public functions, private ones, the operations of a module. Declarations of symbols and their facts
// say something of the program and are no part of it.
static int entry_rank(infer_state *s, func_id f) {
  const shape_graph *g = s->g;
  const graph_func *func = &g->funcs[f];
  assert(f < g->func_count && func->body != ID_NONE);
  if (func->name != NAME_NONE) return state_is_constraints(s, f) ? 4 : func->is_private ? 2 : 0;
  const graph_region *body = &g->regions[func->body];
  for (op_id op = body->block_count ? g->blocks[body->first_block].first : ID_NONE; op != ID_NONE;
       op = g->ops[op].next) {
    if (!op_has(g, op, TRAIT_DECLARES_SYMBOL)) return 1;
  }
  return 3;
}

static func_id find_entry(infer_state *s) {
  const shape_graph *g = s->g;
  const char *name = s->options->entry ? s->options->entry : "main";
  func_id best = ID_NONE;
  int best_rank = INT_MAX;
  for (func_id f = 0; f < g->func_count; f++) {
    if (g->funcs[f].body == ID_NONE) continue;
    if (is_named(g, f, name)) return f;
    int rank = entry_rank(s, f);
    if (rank >= best_rank) continue;
    best = f;
    best_rank = rank;
  }
  if (s->options->entry) {
    const char *other = best != ID_NONE ? graph_func_name(g, best) : "";
    diag_add(&s->g->diags, DIAG_ERROR, "entry", SPAN_NONE, "no function @%s has a body%s%s",
             s->options->entry, *other ? "; there is @" : "", other);
  }
  assert(best == ID_NONE || g->funcs[best].body != ID_NONE);
  return best;
}

static bool has_bounds(const shape_graph *g) {
  for (uint32_t i = 0; i < g->types.count; i++) {
    if (type_get(&g->types, i)->has_bounds) return true;
  }
  // Its results have bounds by inference (bounded dynamism RFC).
  return traits_name_size_setter(g);
}

static void run_entry(infer_state *s) {
  region_scope outer = {0};
  uint32_t frame = frame_new(s, s->r->entry, ID_NONE, ID_NONE);
  arguments_make(s, frame, true);
  assumptions_add(s, frame);
  for (func_id f = 0; f < s->g->func_count; f++) {
    if (f == s->r->entry || !state_is_constraints(s, f) || s->g->funcs[f].body == ID_NONE) continue;
    uint32_t constraints = frame_new(s, f, ID_NONE, ID_NONE);
    s->frame = constraints;
    arguments_make(s, constraints, false);
    frame_run(s, constraints);
  }
  s->frame = frame;
  frame_run(s, frame);
  s->r->walked = s->terms->symbol_count;
  scope_complete(s, outer);
  assert(s->scope == 0 && s->left.pending_count == 0 && s->left.deferred_count == 0);
  claims_collect(s, 0);
}

infer_result *infer_run(shape_graph *graph, shape_budget *budget, const infer_options *options) {
  graph_show_own(graph);
  infer_state *s = state_new(graph, budget, options);
  infer_result *r = s->r;
  s->log.strict = s->options->strict;
  r->uses_bounds = s->options->bound_count || s->options->find_bounds || has_bounds(graph);
  s->calls.func_values = arena_alloc(s->arena, (graph->func_count + 1) * sizeof(value_id));
  s->calls.func_ends = arena_alloc(s->arena, (graph->func_count + 1) * sizeof(value_id));
  for (func_id f = 0; f < graph->func_count; f++) {
    value_id low = VALUE_NONE, high = 0;
    if (graph->funcs[f].body != ID_NONE) region_values(graph, graph->funcs[f].body, &low, &high);
    s->calls.func_values[f] = low == VALUE_NONE ? 0 : low;
    s->calls.func_ends[f] = high;
  }
  r->entry = find_entry(s);
  if (r->entry != ID_NONE) graph_name_dims(graph, r->entry);
  names_of_arguments(s);
  symbols_make(s);
  if (s->options->alone) {
    alone_run(s);
  } else {
    if (r->entry != ID_NONE) run_entry(s);
    roots_run(s);
  }
  walk_origins(s, ID_NONE);
  r->log = &s->log;
  assert(s->depth == 0 && r->origin_count == s->terms->symbol_count);
  return r;
}
