// SPDX-License-Identifier: Apache-2.0
// Boxes that overlap are moved apart, and keep their order.
#include "solver/emit/graph_spread.h"

#include <criterion/criterion.h>
#include <math.h>

enum { MANY = 60 };

static bool overlap(const graph_spot *a, const graph_spot *b) {
  return fabs(a->x - b->x) < (a->width + b->width) / 2 &&
         fabs(a->y - b->y) < (a->height + b->height) / 2;
}

static void spread(graph_spot *spots, uint32_t count) {
  shape_arena arena;
  arena_init(&arena, 1u << 20);
  graph_spread(spots, count, &arena);
  arena_destroy(&arena);
}

Test(graph_spread, boxes_on_one_another_are_moved_apart) {
  graph_spot spots[MANY], again[MANY];
  uint32_t random = 1;
  for (int i = 0; i < MANY; i++) {
    double part[4];
    for (int k = 0; k < 4; k++) {
      random = random * 1664525u + 1013904223u;
      part[k] = random >> 24;
    }
    again[i] = spots[i] = (graph_spot){part[0], part[1], 40 + part[2], 30 + part[3] / 16};
  }
  spread(spots, MANY);
  spread(again, MANY);
  for (int i = 0; i < MANY; i++) {
    cr_expect(spots[i].x >= spots[i].width / 2 - 1e-6 && spots[i].y >= spots[i].height / 2 - 1e-6);
    cr_expect(spots[i].x == again[i].x && spots[i].y == again[i].y, "not the same twice");
    for (int k = 0; k < i; k++) cr_expect_not(overlap(&spots[i], &spots[k]), "%d and %d", i, k);
  }
}

// Three boxes of a row around the middle of where they were; one that is far away does not move.
Test(graph_spread, boxes_of_a_row_keep_their_order) {
  graph_spot spots[] = {{1001, 0, 20, 20}, {1000, 0, 20, 20}, {1002, 0, 20, 20}, {0, 0, 20, 20}};
  spread(spots, 4);
  cr_expect_float_eq(spots[0].x - spots[3].x, 1001, 1e-6);
  cr_expect_float_eq(spots[0].x - spots[1].x, 20 + GRAPH_SPREAD_GAP, 1e-6);
  cr_expect_float_eq(spots[2].x - spots[0].x, 20 + GRAPH_SPREAD_GAP, 1e-6);
}

Test(graph_spread, boxes_at_one_point_are_in_the_order_in_which_they_come) {
  graph_spot spots[] = {{5, 5, 20, 20}, {5, 5, 30, 20}, {5, 5, 20, 20}};
  spread(spots, 3);
  cr_expect(spots[0].x < spots[1].x && spots[1].x < spots[2].x);
  spread(spots, 0);
}
