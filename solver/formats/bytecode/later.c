// SPDX-License-Identifier: Apache-2.0
// A text in which lines are left out: it has room for them, and where its lines begin is known. To complete it is to write
// all of it once more, where it is.
#include <assert.h>

#include "solver/formats/bytecode/reader.h"

static void add_line(bc_reader *r, uint32_t start) {
  bc_lines *all = &r->statements.lines;
  if (all->count == all->capacity)
    all->starts = arena_grow(r->arena, all->starts, all->count, (size_t)all->count + 1,
                             &all->capacity, sizeof *all->starts);
  all->starts[all->count++] = start;
}

void bc_count_lines(bc_reader *r) {
  const char *text = r->out.data, *at = text + r->statements.lines.to, *end = text + r->out.length;
  if (!r->statements.lines.count) add_line(r, 0);
  while (at < end && (at = memchr(at, '\n', (size_t)(end - at))))
    add_line(r, (uint32_t)(++at - text));
  r->statements.lines.to = r->out.length;
}

// Where a written line is in front, its reader looks for more of it in this one: up to the first character that is no blank.
void bc_leave_out(bc_reader *r, const bc_kind *kind, uint32_t length) {
  assert(r->statements.later && length > kind->indent && length <= r->out.capacity - r->out.length);
  if (r->statements.lines.end != r->out.length) {
    bc_count_lines(r);
    memcpy(r->out.data + r->out.length, r->out.data + kind->text, kind->indent + 1);
  }
  r->out.length += length;
  r->statements.lines.to = r->statements.lines.end = r->out.length;
  add_line(r, r->statements.lines.end);
}

void bc_end_gap(bc_reader *r) {
  if (r->statements.later && r->statements.lines.end == r->out.length && r->out.length)
    r->out.data[r->out.length - 1] = '\n';
}
