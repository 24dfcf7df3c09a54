// SPDX-License-Identifier: Apache-2.0
// Building a graph and reading it back; the verifier sees what is wrong.
#include "solver/graph/graph.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/graph_dump.h"
#include "solver/graph/verify.h"

typedef struct built {
  shape_arena arena;
  shape_graph graph;
} built;

static void init(built *w) {
  arena_init(&w->arena, 0);
  graph_init(&w->graph, &w->arena, GRAPH_JSON, "", 0);
}

static name_id name(built *w, const char *text) {
  return intern_add(&w->graph.names, text, strlen(text));
}

// A function with an empty body.
static block_id func_body(built *w, const char *text, func_id *func) {
  *func = graph_add_func(&w->graph, name(w, text), 0, SPAN_NONE);
  return graph_add_block(&w->graph, graph_add_body(&w->graph, *func));
}

static op_id add(built *w, block_id block, const char *text) {
  return graph_add_op(&w->graph, name(w, text), block, SPAN_NONE);
}

static void expect_valid(built *w) {
  const char *violation = graph_verify(&w->graph);
  cr_assert_null(violation, "%s", violation);
}

Test(graph, chain) {
  built w;
  init(&w);
  func_id func;
  block_id block = func_body(&w, "main", &func);
  value_id argument = graph_add_block_arguments(&w.graph, block, 1);
  int64_t dims[] = {2, DIM_DYNAMIC};
  w.graph.values[argument].type = type_tensor(&w.graph.types, DTYPE_F32, dims, 2);
  value_id last = argument;
  for (int i = 0; i < 100; i++) {
    op_id op = add(&w, block, "a.b");
    graph_set_operands(&w.graph, op, &last, 1);
    last = graph_add_results(&w.graph, op, 1);
  }
  expect_valid(&w);
  cr_expect_eq(w.graph.op_count, 100u);
  cr_expect_eq(graph_terminator(&w.graph, block), 99u);
  cr_expect_eq(graph_operand(&w.graph, 5, 0), graph_result(&w.graph, 4, 0));
  cr_expect_eq(graph_operand(&w.graph, 5, 1), VALUE_NONE);
  cr_expect_null(graph_value_type(&w.graph, last));
  cr_expect_eq(graph_value_type(&w.graph, argument)->rank, 2u);
  cr_expect_eq(graph_find_func(&w.graph, 0, "main", 4), func);
  cr_expect_eq(graph_find_func(&w.graph, 1, "main", 4), ID_NONE);
  cr_expect_eq(graph_find_func(&w.graph, 0, "other", 5), ID_NONE);
  arena_destroy(&w.arena);
}

// Blocks between which others came end up consecutive, with their operations and arguments.
Test(graph, blocks_move_together) {
  built w;
  init(&w);
  func_id func;
  block_id body = func_body(&w, "main", &func);
  op_id outer = add(&w, body, "a.outer");
  region_id region = graph_add_regions(&w.graph, outer, func, 2);
  block_id first = graph_add_block(&w.graph, region);
  graph_add_block_arguments(&w.graph, first, 2);
  op_id inner = add(&w, first, "a.inner");
  graph_add_block(&w.graph, region + 1);
  block_id second = graph_add_block(&w.graph, region);
  add(&w, second, "a.inner");
  expect_valid(&w);
  const graph_region *r = &w.graph.regions[region];
  cr_expect_eq(r->block_count, 2u);
  cr_expect_eq(r->first_block + 1, second);
  cr_expect_eq(w.graph.ops[inner].parent, r->first_block);
  cr_expect_eq(w.graph.blocks[r->first_block].argument_count, 2u);
  arena_destroy(&w.arena);
}

Test(graph, blocks_in_nested_order) {
  built w;
  init(&w);
  func_id func = graph_add_func(&w.graph, name(&w, "f"), 0, SPAN_NONE);
  block_id blocks[3];
  for (int i = 0; i < 3; i++) {
    blocks[i] = graph_add_block(&w.graph, ID_NONE);
    op_id op = add(&w, blocks[i], "a.b");
    block_id nested = graph_add_block(&w.graph, ID_NONE);
    graph_set_region_blocks(&w.graph, graph_add_regions(&w.graph, op, func, 1), &nested, 1);
  }
  region_id body = graph_add_body(&w.graph, func);
  graph_set_region_blocks(&w.graph, body, blocks, 3);
  expect_valid(&w);
  cr_expect_eq(w.graph.regions[body].block_count, 3u);
  cr_expect_eq(w.graph.ops[1].parent, w.graph.regions[body].first_block + 1);
  arena_destroy(&w.arena);
}

Test(graph, verifier_sees_errors) {
  built w;
  init(&w);
  func_id func;
  block_id block = func_body(&w, "main", &func);
  op_id a = add(&w, block, "a.b"), b = add(&w, block, "a.b");
  value_id result = graph_add_results(&w.graph, a, 1);
  graph_set_operands(&w.graph, b, &result, 1);
  expect_valid(&w);
  w.graph.operands[0] = 7;
  cr_expect_not_null(graph_verify(&w.graph));
  w.graph.operands[0] = result;
  w.graph.values[result].def = b;
  cr_expect_not_null(graph_verify(&w.graph));
  w.graph.values[result].def = a;
  w.graph.ops[b].next = a;
  cr_expect_not_null(graph_verify(&w.graph));
  w.graph.ops[b].next = ID_NONE;
  w.graph.blocks[block].last = a;
  cr_expect_not_null(graph_verify(&w.graph));
  w.graph.blocks[block].last = b;
  w.graph.regions[0].func = 3;
  cr_expect_not_null(graph_verify(&w.graph));
  w.graph.regions[0].func = func;
  w.graph.ops[a].result_count = 2;
  cr_expect_not_null(graph_verify(&w.graph));
  w.graph.ops[a].result_count = 1;
  expect_valid(&w);
  arena_destroy(&w.arena);
}

Test(graph, symbols) {
  built w;
  init(&w);
  uint32_t s = graph_add_symbol(&w.graph, name(&w, "batch"), SPAN_NONE);
  cr_expect_eq(graph_find_symbol(&w.graph, name(&w, "batch")), s);
  cr_expect_eq(graph_find_symbol(&w.graph, name(&w, "other")), ID_NONE);
  cr_expect_eq(w.graph.declared.symbols[s].min, 0);
  cr_expect_eq(w.graph.declared.symbols[s].max, INT64_MAX);
  cr_expect_eq(dim_symbol(dim_of_symbol(s)), s);
  cr_expect(dim_is_symbol(dim_of_symbol(UINT32_MAX - 1)));
  cr_expect_not(dim_is_symbol(DIM_DYNAMIC));
  arena_destroy(&w.arena);
}

static attr_id int_attr(built *w, int64_t value) {
  int64_t *kept = arena_alloc(&w->arena, sizeof *kept);
  *kept = value;
  graph_attr attr = {.kind = ATTR_INT, .type = TYPE_NONE, .text = NAME_NONE};
  attr_set_ints(&attr, kept, 1);
  return graph_add_attr(&w->graph, &attr);
}

static attr_id dense_attr(built *w, int64_t value, bool splat, const int64_t *dims, uint32_t rank) {
  attr_id id = int_attr(w, value);
  graph_attr attr = {.kind = ATTR_DENSE,
                     .splat = splat,
                     .type = type_tensor(&w->graph.types, DTYPE_I64, dims, rank),
                     .text = NAME_NONE};
  uint32_t count;
  attr_set_ints(&attr, attr_held_ints(graph_attr_get(&w->graph, id), &count), 1);
  return graph_add_attr(&w->graph, &attr);
}

Test(graph, attributes) {
  built w;
  init(&w);
  const int64_t *values;
  int64_t value, dims[] = {3, 2}, huge[] = {1 << 20, 1 << 20}, none[] = {5, 0};
  uint32_t count;
  cr_assert(graph_attr_ints(&w.graph, dense_attr(&w, 7, true, dims, 2), &values, &count));
  cr_expect(count == 6 && values[0] == 7 && values[5] == 7);
  cr_assert(graph_attr_ints(&w.graph, dense_attr(&w, 7, true, none, 2), &values, &count));
  cr_expect_eq(count, 0u);
  cr_expect_not(graph_attr_ints(&w.graph, dense_attr(&w, 7, true, huge, 2), &values, &count));
  cr_expect(graph_attr_int(&w.graph, dense_attr(&w, 7, true, NULL, 0), &value) && value == 7);
  cr_expect_not(graph_attr_int(&w.graph, dense_attr(&w, 7, true, dims, 2), &value));
  attr_id one = int_attr(&w, -3);
  cr_expect(graph_attr_int(&w.graph, one, &value) && value == -3);
  cr_assert(graph_attr_ints(&w.graph, one, &values, &count));
  cr_expect(count == 1 && values[0] == -3);
  cr_expect_not(graph_attr_ints(&w.graph, ATTR_NONE, &values, &count));
  cr_expect_not(graph_attr_int(&w.graph, ATTR_NONE, &value));
  cr_expect_null(graph_attr_text(&w.graph, one));
  cr_expect_null(graph_attr_text(&w.graph, ATTR_NONE));
  cr_expect_eq(graph_attr_entry(&w.graph, one, "x"), ATTR_NONE);
  func_id func;
  op_id op = add(&w, func_body(&w, "f", &func), "a.b");
  graph_set_attrs(&w.graph, op, (attr_entry[]){{name(&w, "z"), one}, {name(&w, "a"), one}}, 2);
  cr_expect_eq(graph_attr_named(&w.graph, op, "a"), one);
  cr_expect_eq(graph_attr_named(&w.graph, op, "b"), ATTR_NONE);
  shape_strbuf buf;
  strbuf_init(&buf, &w.arena);
  graph_dump(&w.graph, &buf);
  cr_expect_str_eq(strbuf_text(&buf), "func 0:@f {\n^bb0():\n  a.b() {a = -3, z = -3}\n}\n");
  expect_valid(&w);
  arena_destroy(&w.arena);
}

// A reader that asks for another kind than an attribute is gets nothing, and a splat holds one element.
Test(graph, attributes_are_read_as_their_kind) {
  built w;
  init(&w);
  const int64_t dims[] = {3, 2};
  uint32_t count = 9;
  int64_t integer = 5;
  double real = 5;
  const attr_id one = int_attr(&w, 3), seven = dense_attr(&w, 7, true, dims, 2);
  const graph_attr *splat = graph_attr_get(&w.graph, seven);
  cr_expect_eq(splat->count, 1u);
  for (uint32_t k = 0; k < 6; k++) cr_expect(attr_int_at(splat, k, &integer) && integer == 7);
  cr_expect_not(attr_float_at(splat, 0, &real));
  cr_expect_null(attr_items(splat, &count));
  cr_expect_eq(count, 0u);
  cr_expect_null(attr_entries(splat, &count));
  graph_attr list = {.kind = ATTR_ARRAY, .type = TYPE_NONE, .text = NAME_NONE};
  attr_set_items(&list, &one, 1);
  cr_expect_not(attr_int_at(&list, 0, &integer));
  cr_expect_not(attr_has_numbers(&list));
  cr_expect_eq(attr_item_at(&list, 0), one);
  cr_expect_eq(attr_item_at(&list, 1), ATTR_NONE);
  cr_expect_not(attr_int_at(graph_attr_get(&w.graph, one), 1, &integer));
  cr_expect_not(attr_int_at(NULL, 0, &integer));
  cr_expect(graph_attr_is_whole(&w.graph, &list));
  list.kind = ATTR_INTS;
  cr_expect_not(graph_attr_is_whole(&w.graph, &list));
  graph_attr floats = *splat;
  attr_set_floats(&floats, &real, 1);
  cr_expect_not(graph_attr_is_whole(&w.graph, &floats), "floats in a tensor of integers");
  arena_destroy(&w.arena);
}

// Dims are at least 0, values are any numbers; the ends of 64 bits do not overflow.
Test(graph, symbols_that_no_number_can_be) {
  static const int64_t GAP[] = {-7, -5, 5, 7}, OPEN[] = {5, 7, 9, INT64_MAX};
  static const struct {
    graph_symbol symbol;
    bool possible;
  } ROWS[] = {
      {{.min = 0, .max = INT64_MAX, .multiple_of = 1}, true},
      {{.min = INT64_MIN, .max = 0, .multiple_of = 7}, true},
      {{.min = INT64_MIN, .max = -1, .multiple_of = 1}, false},
      {{.min = INT64_MIN, .max = -1, .multiple_of = INT64_MAX, .is_value = true}, true},
      {{.min = -3, .max = -1, .multiple_of = 4, .is_value = true}, false},
      {{.min = -4, .max = -1, .multiple_of = 4, .is_value = true}, true},
      {{.min = 5, .max = 7, .multiple_of = 4}, false},
      {{.min = 5, .max = 8, .multiple_of = 4}, true},
      {{.min = INT64_MAX - 1, .max = INT64_MAX, .multiple_of = INT64_MAX}, true},
      {{.min = INT64_MAX / 2 + 2, .max = INT64_MAX, .multiple_of = INT64_MAX / 2 + 1}, false},
      {{.multiple_of = 1, .ranges = GAP, .range_count = 1}, false},
      {{.multiple_of = 1, .ranges = GAP, .range_count = 2}, true},
      {{.multiple_of = 4, .ranges = GAP, .range_count = 2}, false},
      {{.multiple_of = 4, .ranges = OPEN, .range_count = 2}, true},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
    cr_expect_eq(graph_symbol_is_possible(&ROWS[i].symbol), ROWS[i].possible, "row %zu", i);
}

Test(graph, what_a_declared_symbol_allows) {
  static const int64_t RANGES[] = {0, 8, 16, 32};
  graph_symbol s = {.min = 0, .max = INT64_MAX, .multiple_of = 4};
  cr_expect(graph_symbol_allows(&s, 0) && graph_symbol_allows(&s, 1 << 20));
  cr_expect(!graph_symbol_allows(&s, -4) && !graph_symbol_allows(&s, 6));
  s.ranges = RANGES;
  s.range_count = 2;
  cr_expect(graph_symbol_allows(&s, 8) && graph_symbol_allows(&s, 16));
  cr_expect(!graph_symbol_allows(&s, 12) && !graph_symbol_allows(&s, 36));
  s = (graph_symbol){.min = INT64_MIN, .max = 3, .multiple_of = 1, .is_value = true};
  cr_expect(graph_symbol_allows(&s, -5) && !graph_symbol_allows(&s, 4));
}
