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

enum {
  ROOM_MAX = 1 << 24,
  ROOM_LEFT = 64  // what may be asked for in front of a number or a name, which needs less
};

static bc_reader *reader_of(shape_arena *arena, const void *bytes, size_t length) {
  if (length > UINT32_MAX - 16) arena_fail(arena, SHAPE_SIZE);  // offsets have 32 bits
  bc_reader *r = arena_zalloc(arena, sizeof *r);
  r->bytes = bytes;
  r->length = length;
  r->arena = arena;
  // An operation of a few bytes may have types of many characters.
  r->text_limit = (UINT64_C(64) << 20) + 256 * (uint64_t)length;
  if (r->text_limit > UINT32_MAX / 2) r->text_limit = UINT32_MAX / 2;
  return r;
}

static void take_later(bc_reader *r, bytecode_text *out) {
  bc_count_lines(r);
  strbuf_reserve(&r->out, ROOM_LEFT);
  out->lines = r->statements.lines.starts;
  out->line_count = r->statements.lines.count;
  out->room = r->out.capacity;
}

bool bytecode_print(shape_arena *arena, struct shape_budget *budget, const void *bytes,
                    size_t length, const bytecode_options *options, bytecode_text *out,
                    bytecode_error *error) {
  bc_reader *r = reader_of(arena, bytes, length);
  bc_cursor ir;
  r->budget = budget;
  r->error = error;
  r->whole = options->whole;
  r->statements.later = options->later && !options->whole;
  *out = (bytecode_text){.text = ""};
  *error = (bytecode_error){0};
  strbuf_init_room(&r->out, arena,
                   length < ROOM_MAX / 8 ? (uint32_t)(8 * length + 1024) : ROOM_MAX);
  if (!bc_open(r, &ir) || !bc_program(r, &ir) || r->failed) return false;
  const bool gaps = r->statements.lines.end != 0;
  // Text that is put into it moves what is after it, and what may be any has to be validated.
  if (gaps && (r->patches.count || r->assembled)) {
    const bytecode_options all = {.whole = options->whole};
    return bytecode_print(arena, NULL, bytes, length, &all, out, error);
  }
  if (gaps) take_later(r, out);
  if (r->patches.count) {
    complete(r, out);
  } else {
    out->text = strbuf_text(&r->out);
    out->length = r->out.length;
  }
  out->from = r->statements.from;
  out->statements = (mlir_printing){
      .items = r->statements.items,
      .names = r->statements.names,
      .count = r->statements.count,
      .kinds = r->kinds.count,
      .plain = !r->assembled,
  };
  return true;
}

void bytecode_complete(shape_arena *arena, const void *bytes, size_t length, bytecode_text *text) {
  bc_reader *r = reader_of(arena, bytes, length);
  bytecode_error error;
  bc_cursor ir;
  assert(text->lines && text->room > text->length);
  r->error = &error;
  r->out = (shape_strbuf){.arena = arena, .data = (char *)text->text, .capacity = text->room};
  bool same = bc_open(r, &ir) && bc_program(r, &ir) && r->out.data == text->text &&
              r->out.length == text->length;
  assert(same);
  (void)same;
}

uint32_t bytecode_byte_of(const bytecode_text *text, uint32_t at) {
  const mlir_printing *all = &text->statements;
  assert(!all->count || (all->items && text->from));
  uint32_t count = sorted_before(all->items, all->count, sizeof *all->items,
                                 offsetof(mlir_printed, at), (uint64_t)at + 1);
  return count ? text->from[count - 1] : 0;
}
