// SPDX-License-Identifier: Apache-2.0
// Tables of graphs in JSON: what is wrong with each. What is right is written and read again as the same.
#ifndef SHAPE_TESTS_UNIT_FORMATS_JSON_ROWS_H
#define SHAPE_TESTS_UNIT_FORMATS_JSON_ROWS_H

#include <criterion/criterion.h>
#include <string.h>

#include "solver/formats/json/decode.h"
#include "solver/formats/json/encode.h"
#include "solver/graph/verify.h"
#include "tests/support/graph_dump.h"

typedef struct json_row {
  const char *text, *error;  // error: one of the diagnostics; NULL: there is none
} json_row;

#define MAIN(ops)                                                                                  \
  "{\"functions\":[{\"name\":\"main\",\"arguments\":[[\"x\",\"tensor<?xf32>\"]],\"ops\":[" ops     \
  "]}]}"

typedef struct json_graph {
  shape_arena arena;
  shape_budget budget;
  shape_graph graph;
} json_graph;

static inline void json_graph_read(json_graph *g, const char *text) {
  arena_init(&g->arena, 0);
  budget_init(&g->budget, &g->arena, UINT64_MAX, NULL);
  graph_init(&g->graph, &g->arena, GRAPH_JSON, text, strlen(text));
  graph_json_decode(&g->graph, &g->budget);
}

static inline const char *json_graph_text(json_graph *g,
                                          void (*write)(const shape_graph *, shape_strbuf *)) {
  shape_strbuf out;
  strbuf_init(&out, &g->arena);
  write(&g->graph, &out);
  return strbuf_text(&out);
}

static inline void expect_json(const json_row *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    json_graph g, again;
    json_graph_read(&g, rows[i].text);
    const char *error = g.graph.diags.count ? g.graph.diags.items[0].message : "no error";
    if (rows[i].error) {
      bool found = false;
      for (uint32_t k = 0; k < g.graph.diags.count; k++)
        found |= strcmp(g.graph.diags.items[k].message, rows[i].error) == 0;
      cr_expect(found, "%s: %s", rows[i].text, error);
    } else {
      cr_assert_eq(g.graph.diags.errors, 0, "%s: %s", rows[i].text, error);
      cr_expect_null(graph_verify(&g.graph), "%s", rows[i].text);
      json_graph_read(&again, json_graph_text(&g, graph_json_encode));
      cr_expect_str_eq(json_graph_text(&g, graph_dump), json_graph_text(&again, graph_dump));
      arena_destroy(&again.arena);
    }
    arena_destroy(&g.arena);
  }
}

#define EXPECT_JSON(rows) expect_json((rows), sizeof(rows) / sizeof *(rows))

#endif
