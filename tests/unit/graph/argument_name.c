// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <string.h>

#include "solver/graph/argument_name.h"

typedef struct named {
  shape_arena arena;
  shape_graph graph;
  argument_list list;
} named;

static void init(named *w, const char *const *names, uint32_t count) {
  arena_init(&w->arena, 0);
  graph_init(&w->graph, &w->arena, GRAPH_JSON, "", 0);
  func_id f = graph_add_func(&w->graph, NAME_NONE, 0, SPAN_NONE);
  block_id block = graph_add_block(&w->graph, graph_add_body(&w->graph, f));
  w->list = (argument_list){NULL, graph_add_block_arguments(&w->graph, block, count), count};
  for (uint32_t i = 0; i < count; i++)
    w->graph.values[w->list.first + i].name =
        intern_add(&w->graph.names, names[i], strlen(names[i]));
}

static const char *found(named *w, const char *text) {
  argument_name n;
  shape_strbuf out;
  if (!argument_name_find(&w->graph, w->list, text, strlen(text), &n)) return "none";
  strbuf_init(&out, &w->arena);
  strbuf_printf(&out, "%u%s%u", n.argument, n.whole ? "!" : n.element ? "[" : ".", n.index);
  return strbuf_text(&out);
}

Test(argument_name, is_a_position_or_the_name_of_the_source) {
  static const char *const NAMES[] = {"x", "input.1", "arg0", "input"};
  static const char *const ROWS[][2] = {{"x", "0!0"},
                                        {"x.1", "0.1"},
                                        {"%x.1", "0.1"},
                                        {"x[12]", "0[12"},
                                        {"arg1.2", "1.2"},
                                        {"arg1", "1!0"},
                                        {"arg3[0]", "3[0"},
                                        {"arg0.0", "0.0"},
                                        {"%arg0.0", "2.0"},
                                        {"input.1", "1!0"},
                                        {"input.1.0", "1.0"},
                                        {"input.2", "3.2"},
                                        {"arg4.0", "none"},
                                        {"y.0", "none"},
                                        {"x.", "none"},
                                        {".1", "none"},
                                        {"", "none"},
                                        {"%", "none"},
                                        {"x.1.2", "none"},
                                        {"x]", "none"},
                                        {"x[]", "none"},
                                        {"[1]", "none"},
                                        {"x.1234567890", "none"},
                                        {"arg", "none"},
                                        {"arg99999999999", "none"}};
  named w;
  init(&w, NAMES, 4);
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
    cr_expect_str_eq(found(&w, ROWS[i][0]), ROWS[i][1], "%s", ROWS[i][0]);
  arena_destroy(&w.arena);
}

Test(argument_name, that_two_have_is_none) {
  static const char *const NAMES[] = {"x", "x"};
  named w;
  init(&w, NAMES, 2);
  cr_expect_str_eq(found(&w, "x.0"), "none");
  arena_destroy(&w.arena);
}

Test(argument_name, is_shown_where_an_expression_can_hold_it) {
  static const char *const NAMES[] = {"tokens.1", "arg1", "0", "a/b", "a b"};
  named w;
  uint32_t length;
  init(&w, NAMES, 5);
  const char *text = argument_name_of(&w.graph, w.list, 0, &length);
  cr_assert(text && length == 8 && memcmp(text, "tokens.1", 8) == 0);
  for (uint32_t i = 1; i < 5; i++)
    cr_expect_null(argument_name_of(&w.graph, w.list, i, &length), "%s", NAMES[i]);
  arena_destroy(&w.arena);
}
