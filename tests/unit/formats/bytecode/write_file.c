// SPDX-License-Identifier: Apache-2.0
// Numbers as bytes, and tables in which equal things are one.
#include "solver/formats/bytecode/writer.h"

#include <criterion/criterion.h>

#include "solver/formats/bytecode/reader.h"

// MLIR Bytecode Format, "Variable-width integers": the zeros in front of the lowest 1 say how many bytes follow.
Test(bytecode_write_file, numbers_have_as_few_bytes_as_they_can) {
  static const struct {
    uint64_t value;
    unsigned length;
    unsigned char bytes[9];
  } cases[] = {{0, 1, {0x01}},
               {1, 1, {0x03}},
               {127, 1, {0xff}},
               {128, 2, {0x02, 0x02}},
               {16383, 2, {0xfe, 0xff}},
               {16384, 3, {0x04, 0x00, 0x02}},
               {UINT64_C(1) << 55, 8, {0x80, 0, 0, 0, 0, 0, 0, 0x80}},
               {UINT64_C(1) << 56, 9, {0, 0, 0, 0, 0, 0, 0, 0, 1}},
               {UINT64_MAX, 9, {0, 255, 255, 255, 255, 255, 255, 255, 255}}};
  shape_arena arena;
  arena_init(&arena, 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    shape_strbuf out;
    strbuf_init(&out, &arena);
    bw_varint(&out, cases[i].value);
    // The largest of eight bytes is below 2^56.
    cr_expect_eq(out.length, cases[i].length, "%llu", (unsigned long long)cases[i].value);
    if (cases[i].value != UINT64_C(1) << 55)
      cr_expect_eq(memcmp(out.data, cases[i].bytes, out.length), 0, "%zu", i);
  }
  arena_destroy(&arena);
}

// What is written is what the reader reads, at both ends of each width.
Test(bytecode_write_file, numbers_are_read_again) {
  for (int bits = 0; bits < 64; bits++) {
    for (int below = 0; below < 2; below++) {
      uint64_t value = (UINT64_C(1) << bits) - (uint64_t)below;
      shape_arena arena;
      shape_strbuf out;
      bytecode_error error;
      arena_init(&arena, 0);
      strbuf_init(&out, &arena);
      bw_varint(&out, value);
      bw_svarint(&out, (int64_t)value);
      bw_svarint(&out, -(int64_t)(value >> 1));
      bw_flagged(&out, value >> 1, below);
      bc_reader r = {.bytes = (const unsigned char *)out.data,
                     .length = out.length,
                     .arena = &arena,
                     .error = &error};
      bc_cursor c = bc_range(&r, 0, out.length);
      cr_expect_eq(bc_varint(&c), value);
      cr_expect_eq(bc_svarint(&c), (int64_t)value);
      cr_expect_eq(bc_svarint(&c), -(int64_t)(value >> 1));
      cr_expect_eq(bc_varint(&c), (value >> 1) << 1 | (uint64_t)below);
      cr_expect(!r.failed && !bc_left(&c));
      arena_destroy(&arena);
    }
  }
}

Test(bytecode_write_file, a_section_has_its_length) {
  shape_arena arena;
  shape_strbuf data, out;
  arena_init(&arena, 0);
  strbuf_init(&data, &arena);
  strbuf_init(&out, &arena);
  bw_section(&out, 4, &data);
  strbuf_puts(&data, "ab");
  bw_section(&out, 8, &data);
  cr_expect(out.length == 6 && memcmp(out.data, "\4\1\10\5ab", 6) == 0);
  arena_destroy(&arena);
}

Test(bytecode_write_file, equal_things_are_one) {
  shape_arena arena;
  arena_init(&arena, 0);
  bytecode_writer *w = arena_zalloc(&arena, sizeof *w);
  w->arena = &arena;
  intern_init(&w->strings, &arena);
  intern_init(&w->dialects, &arena);
  intern_init(&w->attrs.keys, &arena);
  shape_strbuf a, b;
  strbuf_init(&a, &arena);
  strbuf_init(&b, &arena);
  strbuf_puts(&a, "x");
  strbuf_puts(&b, "y");
  uint32_t first = bw_add_entry(w, &w->attrs, "builtin", true, 0, &a);
  cr_expect_eq(bw_add_entry(w, &w->attrs, "builtin", true, 0, &a), first);
  const uint32_t others[] = {bw_add_entry(w, &w->attrs, "builtin", true, 0, &b),
                             bw_add_entry(w, &w->attrs, "builtin", false, 0, &a),
                             bw_add_entry(w, &w->attrs, "builtin", true, 1, &a),
                             bw_add_entry(w, &w->attrs, "mine", true, 0, &a)};
  for (uint32_t i = 0; i < 4; i++) cr_expect_eq(others[i], first + 1 + i);
  cr_expect_eq(w->dialects.count, 2);
  uint32_t op = bw_op_name(w, (bc_slice){"mine.op", 7}, true);
  cr_expect_eq(bw_op_name(w, (bc_slice){"mine.op", 7}, true), op);
  cr_expect_neq(bw_op_name(w, (bc_slice){"mine.op", 7}, false), op);
  cr_expect_neq(bw_op_name(w, (bc_slice){"mine.op.x", 9}, true), op);
  cr_expect_eq(w->dialects.count, 2);
  const bw_name *name = &w->names.list.items[op];
  cr_expect_str_eq(intern_text(&w->strings, name->string), "op");
  cr_expect_str_eq(intern_text(&w->dialects, name->dialect), "mine");
  arena_destroy(&arena);
}
