// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stddef.h>

#include "solver/base/sorted.h"
#include "solver/formats/bytecode/reader.h"

// The text with the types that were not known where they are written.
static void complete(bc_reader *r, bytecode_text *out) {
  size_t length = r->out.length;
  for (uint32_t i = 0; i < r->patches.count; i++) length += r->patches.items[i].type.length;
  if (length >= UINT32_MAX / 2) arena_fail(r->arena, SHAPE_SIZE);
  shape_strbuf all;
  strbuf_init_room(&all, r->arena, (uint32_t)length + 1);
  uint32_t from = 0, position = 0;
  for (uint32_t i = 0; i <= r->patches.count; i++) {
    uint32_t to = i < r->patches.count ? r->patches.items[i].text : r->out.length;
    assert(to >= from && all.length >= from);
    uint32_t moved = all.length - from;
    for (; position < r->statements.count && r->statements.items[position].at <= to; position++)
      r->statements.items[position].at += moved;
    strbuf_add(&all, r->out.data + from, to - from);
    if (i < r->patches.count)
      strbuf_add(&all, r->patches.items[i].type.text, r->patches.items[i].type.length);
    from = to;
  }
  out->text = strbuf_text(&all);
  out->length = all.length;
}

bool bytecode_print(shape_arena *arena, struct shape_budget *budget, const void *bytes,
                    size_t length, const bytecode_options *options, bytecode_text *out,
                    bytecode_error *error) {
  if (length > UINT32_MAX - 16) arena_fail(arena, SHAPE_SIZE);  // offsets have 32 bits
  bc_reader *r = arena_zalloc(arena, sizeof *r);
  r->bytes = bytes;
  r->length = length;
  r->arena = arena;
  r->budget = budget;
  r->error = error;
  r->whole = options->whole;
  // An operation of a few bytes may have types of many characters.
  r->text_limit = (UINT64_C(64) << 20) + 256 * (uint64_t)length;
  if (r->text_limit > UINT32_MAX / 2) r->text_limit = UINT32_MAX / 2;
  *out = (bytecode_text){.text = ""};
  *error = (bytecode_error){0};
  enum { ROOM_MAX = 1 << 24 };
  strbuf_init_room(&r->out, arena,
                   length < ROOM_MAX / 8 ? (uint32_t)(8 * length + 1024) : ROOM_MAX);
  bc_cursor ir;
  if (!bc_open(r, &ir) || !bc_program(r, &ir) || r->failed) return false;
  if (r->patches.count) {
    complete(r, out);
  } else {
    out->text = strbuf_text(&r->out);
    out->length = r->out.length;
  }
  out->statements = (mlir_printing){
      .items = r->statements.items,
      .names = r->statements.names,
      .count = r->statements.count,
      .kinds = r->kinds.count,
      .plain = !r->assembled,
  };
  return true;
}

uint32_t bytecode_byte_of(const bytecode_text *text, uint32_t at) {
  const mlir_printing *all = &text->statements;
  assert(!all->count || all->items);
  uint32_t count = sorted_before(all->items, all->count, sizeof *all->items,
                                 offsetof(mlir_printed, at), (uint64_t)at + 1);
  return count ? all->items[count - 1].from : 0;
}
