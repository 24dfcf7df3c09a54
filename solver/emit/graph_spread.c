// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/graph_spread.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { COVERED = 3 };  // the area of the picture, to that of its boxes

typedef struct spot_order {
  uint32_t row, index;
  double x;
} spot_order;

static int compare(const void *a, const void *b) {
  const spot_order *x = a, *y = b;
  if (x->row != y->row) return x->row < y->row ? -1 : 1;
  if (x->x != y->x) return x->x < y->x ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

typedef struct spot_sums {
  double left, right, top, bottom;  // of the centres
  double area, width, height;       // of the boxes
  double tallest;
} spot_sums;

static spot_sums sums_of(const graph_spot *spots, uint32_t count) {
  spot_sums s = {spots->x, spots->x, spots->y, spots->y, 0, 0, 0, 0};
  for (uint32_t i = 0; i < count; i++) {
    const graph_spot *b = &spots[i];
    double width = b->width + GRAPH_SPREAD_GAP, height = b->height + GRAPH_SPREAD_GAP;
    s.left = fmin(s.left, b->x);
    s.right = fmax(s.right, b->x);
    s.top = fmin(s.top, b->y);
    s.bottom = fmax(s.bottom, b->y);
    s.area += width * height;
    s.width += width;
    s.height += height;
    s.tallest = fmax(s.tallest, height);
  }
  return s;
}

static void scale(graph_spot *spots, uint32_t count, const spot_sums *s) {
  double width = s->right - s->left + s->width / count,
         height = s->bottom - s->top + s->height / count;
  double grow = fmax(sqrt(COVERED * s->area / (width * height)), 1);
  for (uint32_t i = 0; i < count; i++) {
    spots[i].x = (spots[i].x - s->left) * grow;
    spots[i].y = (spots[i].y - s->top) * grow;
  }
}

// Boxes that push one another are side by side, around the mean of where they were.
typedef struct spot_block {
  double sum;  // of the left end that each member would have the block begin at
  double width;
  uint32_t first, count;
} spot_block;

static double block_begin(const spot_block *b) { return b->sum / b->count; }

static void spread_row(graph_spot *spots, const spot_order *row, uint32_t count,
                       spot_block *blocks) {
  uint32_t used = 0;
  for (uint32_t i = 0; i < count; i++) {
    const graph_spot *s = &spots[row[i].index];
    double width = s->width + GRAPH_SPREAD_GAP;
    blocks[used++] = (spot_block){s->x - width / 2, width, i, 1};
    while (used > 1) {
      spot_block *a = &blocks[used - 2], *b = &blocks[used - 1];
      if (block_begin(a) + a->width <= block_begin(b)) break;
      a->sum += b->sum - b->count * a->width;
      a->width += b->width;
      a->count += b->count;
      used--;
    }
  }
  for (uint32_t k = 0; k < used; k++) {
    double at = block_begin(&blocks[k]);
    for (uint32_t i = 0; i < blocks[k].count; i++) {
      graph_spot *s = &spots[row[blocks[k].first + i].index];
      s->x = at + (s->width + GRAPH_SPREAD_GAP) / 2;
      at += s->width + GRAPH_SPREAD_GAP;
    }
  }
}

void graph_spread(graph_spot *spots, uint32_t count, shape_arena *arena) {
  if (!count) return;
  spot_sums s = sums_of(spots, count);
  assert(s.tallest > 0);
  scale(spots, count, &s);
  spot_order *order = arena_alloc(arena, count * sizeof *order);
  spot_block *blocks = arena_alloc(arena, count * sizeof *blocks);
  for (uint32_t i = 0; i < count; i++) {
    double row = floor(spots[i].y / s.tallest + 0.5);
    order[i] = (spot_order){(uint32_t)row, i, spots[i].x};
    spots[i].y = row * s.tallest;
  }
  qsort(order, count, sizeof *order, compare);
  for (uint32_t first = 0, end; first < count; first = end) {
    for (end = first; end < count && order[end].row == order[first].row;) end++;
    spread_row(spots, order + first, end - first, blocks);
  }
  double left = HUGE_VAL, top = HUGE_VAL;
  for (uint32_t i = 0; i < count; i++) {
    left = fmin(left, spots[i].x - spots[i].width / 2);
    top = fmin(top, spots[i].y - spots[i].height / 2);
  }
  for (uint32_t i = 0; i < count; i++) {
    spots[i].x -= left;
    spots[i].y -= top;
  }
}
