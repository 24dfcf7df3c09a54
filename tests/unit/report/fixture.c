// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/report/fixture.h"

#include "solver/report/work.h"

static void add_origin(fixture *f, infer_origin origin) {
  infer_result *r = &f->result;
  r->log = &f->log;
  r->origins = arena_grow(&f->arena, r->origins, r->origin_count, (size_t)r->origin_count + 1,
                          &r->capacity.origins, sizeof origin);
  r->origins[r->origin_count++] = origin;
}

static term_id add_symbol(fixture *f, uint8_t rank, infer_origin origin) {
  symbol_info info = {interval_at_least(NUM(0)), NUM(1), rank};
  term_id made = store_symbol(f->result.store, info);
  // The store may have made quotients since the last symbol: they have no origin of their own.
  while (f->result.origin_count < term_get(&f->terms, made)->as.symbol) {
    add_origin(f, (infer_origin){.kind = ORIGIN_FRESH, .op = ID_NONE});
  }
  add_origin(f, origin);
  return made;
}

void fixture_open(fixture *f, uint32_t axes) {
  memset(f, 0, sizeof *f);
  arena_init(&f->arena, 0);
  budget_init(&f->budget, &f->arena, 100000000, NULL);
  term_table_init(&f->terms, &f->arena, &f->budget);
  graph_init(&f->graph, &f->arena, GRAPH_MLIR, "", 0);
  shape_graph *g = &f->graph;
  func_id func = graph_add_func(g, intern_add(&g->names, "main", 4), 0, SPAN_NONE);
  region_id body = graph_add_body(g, func);
  block_id block = graph_add_block(g, body);
  f->arguments = graph_add_block_arguments(g, block, 1);
  int64_t dims[FIXTURE_AXES];
  for (uint32_t i = 0; i < axes; i++) dims[i] = DIM_DYNAMIC;
  g->values[f->arguments].type = type_tensor(&g->types, DTYPE_F32, dims, axes);
  f->axes = axes;
  f->result.graph = g;
  f->result.terms = &f->terms;
  f->result.store = store_new(&f->arena, &f->terms, &f->budget);
  f->result.entry = func;
  for (uint32_t i = 0; i < axes; i++) {
    f->size[i] = add_symbol(f, SYMBOL_ARGUMENT_SIZE,
                            (infer_origin){.kind = ORIGIN_ARGUMENT_SIZE, .axis = i, .op = ID_NONE});
  }
}

void fixture_close(fixture *f) { arena_destroy(&f->arena); }

term_id fixture_declare(fixture *f, const char *name) {
  shape_graph *g = &f->graph;
  uint32_t symbol = graph_add_symbol(g, intern_add(&g->names, name, strlen(name)), SPAN_NONE);
  return add_symbol(f, SYMBOL_NAMED,
                    (infer_origin){.kind = ORIGIN_DECLARED, .graph_symbol = symbol, .op = ID_NONE});
}

term_id fixture_opaque(fixture *f) {
  return add_symbol(f, SYMBOL_OPAQUE, (infer_origin){.kind = ORIGIN_OPAQUE, .op = ID_NONE});
}

static void add_claim(fixture *f, infer_claim claim) {
  infer_result *r = &f->result;
  r->claims = arena_grow(&f->arena, r->claims, r->claim_count, (size_t)r->claim_count + 1,
                         &r->capacity.claims, sizeof claim);
  r->claims[r->claim_count++] = claim;
}

static const reason REQUIRED = {
    .kind = REASON_OP, .required = 1, .subject = ID_NONE, .what = "it is required"};

void fixture_require(fixture *f, relation rel, term_id left, term_id right) {
  predicate p = predicate_make(rel, left, right);
  store_add(f->result.store, p, REQUIRED);
  add_claim(f, (infer_claim){.p = p, .fact = FACT_NONE, .why = REQUIRED, .guard = true});
}

void fixture_claim(fixture *f, relation rel, term_id left, term_id right, bool guard) {
  add_claim(f, (infer_claim){
                   .p = {rel, left, right}, .fact = FACT_NONE, .why = REQUIRED, .guard = guard});
}

shape_report *fixture_report(fixture *f) {
  infer_frame *frame = arena_zalloc(&f->arena, sizeof *frame);
  value_info *info = arena_zalloc(&f->arena, sizeof *info);
  *info = (value_info){.dims = f->size, .rank = f->axes, .ranked = true, .visited = true};
  *frame = (infer_frame){.func = f->result.entry,
                         .caller = ID_NONE,
                         .parent = ID_NONE,
                         .values = info,
                         .value_base = f->arguments,
                         .value_end = f->arguments + 1};
  f->result.frames = frame;
  f->result.frame_count = 1;
  return report_make(&f->graph, &f->result, &f->budget);
}

const char *fixture_text(fixture *f, shape_report *r, term_id t) {
  report_text text = report_term(r, answer_term(r, t));
  return arena_strndup(&f->arena, text.text, text.length);
}

const char *fixture_list(fixture *f, const report_constraints *list) {
  shape_strbuf buf;
  strbuf_init(&buf, &f->arena);
  for (uint32_t i = 0; i < list->count; i++) {
    if (i) strbuf_puts(&buf, "; ");
    strbuf_add(&buf, list->items[i].expr.text, list->items[i].expr.length);
  }
  return strbuf_text(&buf);
}
