// SPDX-License-Identifier: Apache-2.0
// Requirements that no guard covers: those that rules could not state. Only those of the entry and of what it calls, as
// a guard speaks of the entry's arguments.
#include "solver/report/work.h"

// Whether the scope is one of the entry, of regions in it, or of functions that it calls.
static bool is_of_entry(const infer_result *infer, uint32_t scope) {
  while (scope != 0 && scope < infer->scope_count) scope = infer->scopes[scope].parent;
  return scope == 0;
}

static bool is_before(const shape_report *r, const report_unchecked *a, const report_unchecked *b) {
  source_span x = r->graph->ops[a->op].span, y = r->graph->ops[b->op].span;
  return x.begin != y.begin ? x.begin < y.begin : a->op < b->op;
}

// Stable, by place: rows of one operation stay in the order in which its rule recorded them.
static void sort_rows(const shape_report *r, report_unchecked *rows, report_unchecked *room,
                      uint32_t count) {
  if (count < 2) return;
  uint32_t half = count / 2, i = 0, k = half;
  sort_rows(r, rows, room, half);
  sort_rows(r, rows + half, room, count - half);
  for (uint32_t to = 0; to < count; to++) {
    bool right = i == half || (k < count && is_before(r, &rows[k], &rows[i]));
    room[to] = right ? rows[k++] : rows[i++];
  }
  memcpy(rows, room, count * sizeof *rows);
}

static bool is_repeat(const report_unchecked *rows, uint32_t count, const report_unchecked *row) {
  for (uint32_t i = count; i-- > 0 && rows[i].op == row->op;) {
    if (strcmp(rows[i].requirement, row->requirement) == 0) return true;
  }
  return false;
}

void unchecked_make(shape_report *r) {
  const infer_result *infer = r->infer;
  if (!infer->unchecked_count) return;
  size_t bytes = infer->unchecked_count * sizeof *r->unchecked;
  report_unchecked *rows = arena_alloc(r->work->arena, bytes);
  uint32_t count = 0, kept = 0;
  for (uint32_t i = 0; i < infer->unchecked_count; i++) {
    const unchecked_row *row = &infer->unchecked[i];
    if (row->stated || !is_of_entry(infer, row->scope)) continue;
    rows[count++] = (report_unchecked){row->op, row->requirement, row->reason};
  }
  sort_rows(r, rows, arena_alloc(r->work->arena, bytes), count);
  for (uint32_t i = 0; i < count; i++) {
    if (!is_repeat(rows, kept, &rows[i])) rows[kept++] = rows[i];
  }
  r->unchecked = rows;
  r->unchecked_count = kept;
}
