// SPDX-License-Identifier: Apache-2.0
// The layout of a text: what is written for some texts, and for any bytes: the same tokens, and nothing left to do.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "clients/lsp/syntax/format.h"
#include "tests/unit/pieces.h"

// In the arena, with a final NUL.
static char *formatted(shape_arena *arena, const char *text, syn_layout layout) {
  syn_edit *edits;
  syn_index *x = syn_make(arena, text, (uint32_t)strlen(text));
  uint32_t count = syn_format(x, arena, layout, &edits), at = 0, length = 0;
  size_t room = x->length + 1;
  for (uint32_t i = 0; i < count; i++) room += edits[i].length;
  char *out = arena_alloc(arena, room);
  for (uint32_t i = 0; i <= count; i++) {
    uint32_t begin = i < count ? edits[i].begin : x->length;
    cr_assert(begin >= at);
    memcpy(out + length, text + at, begin - at);
    length += begin - at;
    if (i == count) break;
    memcpy(out + length, edits[i].text, edits[i].length);
    length += edits[i].length;
    at = edits[i].end;
  }
  out[length] = 0;
  return out;
}

static const syn_layout TWO = {2, false};

Test(lsp_format, texts) {
  static const struct {
    const char *from, *to;
  } ROWS[] = {
      {"func.func@f( %a:tensor< 4 x ? x f32 > )->f32{return %a:f32}",
       "func.func @f(%a: tensor<4x?xf32>) -> f32 {\n  return %a : f32\n}\n"},
      {"%5 :2=\"t.t\" ( %a#1 )({^bb0( %x :f32 ) :\n\"t.e\"(%x):(f32)->()},{}) {a=[1,-2],b} : ( f32 "
       ")->(f32 ,f32)\n",
       "%5:2 = \"t.t\"(%a#1) ({\n^bb0(%x: f32):\n  \"t.e\"(%x) : (f32) -> ()\n}, {}) {a = [1, -2], "
       "b} : (f32) -> (f32, f32)\n"},
      {"// c  \n\n\nmodule{ // d\nmodule @m{}\n // e\n}",
       "// c\n\n\nmodule { // d\n  module @m {}\n  // e\n}\n"},
      {"#m=affine_map<(d0 ,d1)->(d0*2,- d1+1)>\r\n!t=tensor<*xf32>  \r\n",
       "#m = affine_map<(d0, d1) -> (d0 * 2, -d1 + 1)>\r\n!t = tensor<*xf32>\r\n"},
      {"%0 = t.conv(%a) dims = [b,0]x[0 ,i]->[b , f], c = [1]x[0] : f32 loc( \"a\" : 1: 2 )",
       "%0 = t.conv(%a) dims = [b, 0]x[0, i]->[b, f], c = [1] x [0] : f32 loc(\"a\":1:2)\n"},
      {"%0 = t.a array<i64:1,2>, dense<[ -1 ]> : tensor<1xi64> loc(#l)\n%1 = t.b",
       "%0 = t.a array<i64: 1, 2>, dense<[-1]> : tensor<1xi64> loc(#l)\n%1 = t.b\n"},
      {"%0=arith.constant - 1:index\n%1 = t.a(%0 -1) step -1 #m<(d0)[s0]->(d0 -s0, d0 mod - 2)>",
       "%0 = arith.constant -1 : index\n%1 = t.a(%0 - 1) step -1 #m<(d0)[s0] -> (d0 - s0, d0 mod "
       "-2)>\n"},
      {"%0 = t.a : !quant.uniform<i8 : f32,2.0 : 15>",
       "%0 = t.a : !quant.uniform<i8:f32, 2.0:15>\n"},
      {"%0=\"t.t\"()<{a=#t.e <{b = 1}>}> : !t.t <{c=2}>\n%1 = t.u<{d = #t<v <{e}>>}>",
       "%0 = \"t.t\"() <{a = #t.e<{b = 1}>}> : !t.t<{c = 2}>\n%1 = t.u <{d = #t<v<{e}>>}>\n"},
      {"{-# r: { a: \"x\" } #-}", "{-# r: {a: \"x\"} #-}\n"},
      {"", ""},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    shape_arena arena;
    arena_init(&arena, 0);
    const char *got = formatted(&arena, ROWS[i].from, TWO);
    cr_assert_str_eq(got, ROWS[i].to);
    cr_assert_str_eq(formatted(&arena, got, TWO), got);
    arena_destroy(&arena);
  }
}

Test(lsp_format, tabs_and_width) {
  static const char TEXT[] = "module {\nmodule {\nt.a\n}\n}\n";
  shape_arena arena;
  arena_init(&arena, 0);
  cr_assert_str_eq(formatted(&arena, TEXT, (syn_layout){8, true}),
                   "module {\n\tmodule {\n\t\tt.a\n\t}\n}\n");
  cr_assert_str_eq(formatted(&arena, TEXT, (syn_layout){3, false}),
                   "module {\n   module {\n      t.a\n   }\n}\n");
  arena_destroy(&arena);
}

// Without white space between tokens, however they were lexed.
static void squeeze(shape_arena *arena, char *text) {
  const syn_index *x = syn_make(arena, text, (uint32_t)strlen(text));
  uint32_t to = 0;
  for (uint32_t i = 0, c = 0; i <= x->token_count; i++) {
    uint32_t end = i < x->token_count ? x->tokens[i].begin : x->length;
    for (; c < x->comment_count && x->comments[c].begin < end; c++) {
      memmove(text + to, text + x->comments[c].begin, x->comments[c].end - x->comments[c].begin);
      to += x->comments[c].end - x->comments[c].begin;
    }
    if (i == x->token_count) break;
    memmove(text + to, text + x->tokens[i].begin, x->tokens[i].end - x->tokens[i].begin);
    to += x->tokens[i].end - x->tokens[i].begin;
  }
  text[to] = 0;
}

Test(lsp_format, any_text_keeps_its_bytes_and_is_formatted_once) {
  static const char *const PIECES[] = {
      "%a",   "%a = ",      "@f",   "^b",       "!t = ",   "#m",
      "#1",   "{",          "}",    "(",        ")",       "<",
      ">",    "[",          "]",    "\"",       "\"s\"",   "//",
      "\n",   "// -----\n", ":",    "::",       "->",      ",",
      "=",    "func.func ", "t.r ", "scf.for ", "module ", "-",
      "4",    "x",          "x8x",  "?",        "\\",      "\xf0\x9f\x98\x80",
      "\x01", "1.5e",       "0x",   "tensor",   "return ", " ",
      "\r\n"};
  uint32_t seed = 1;
  for (int round = 0; round < 20000; round++) {
    char text[512];
    pieces_join(text, PIECES, sizeof PIECES / sizeof *PIECES, 24, &seed);
    shape_arena arena;
    arena_init(&arena, 0);
    char *once = formatted(&arena, text, TWO);
    cr_assert_str_eq(formatted(&arena, once, TWO), once, "%s", text);
    char *left = arena_strndup(&arena, text, strlen(text));
    squeeze(&arena, left);
    squeeze(&arena, once);
    cr_assert_str_eq(once, left, "%s", text);
    arena_destroy(&arena);
  }
}
