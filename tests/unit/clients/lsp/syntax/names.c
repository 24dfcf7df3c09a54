// SPDX-License-Identifier: Apache-2.0
// The index of a text: tokens that cover it, names and what they mean, and no read beyond the end whatever the bytes are.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "clients/lsp/syntax/syntax.h"
#include "tests/unit/pieces.h"

typedef struct indexed {
  shape_arena arena;
  syn_index *x;
} indexed;

static void make(indexed *i, const char *text) {
  arena_init(&i->arena, 0);
  i->x = syn_make(&i->arena, text, (uint32_t)strlen(text));
}

// The definition of the n-th occurrence of the piece of text, as an offset; -1: none.
static long target(const syn_index *x, const char *piece, int skip) {
  const char *at = x->text;
  for (; (at = strstr(at, piece)) && skip--; at++) {}
  cr_assert(at, "%s", piece);
  uint32_t name = syn_name_at(x, (uint32_t)(at - x->text));
  if (name == SYN_NONE || x->names[name].target == SYN_NONE) return -1;
  return x->names[x->names[name].target].begin;
}

static long offset(const syn_index *x, const char *piece) {
  return strstr(x->text, piece) - x->text;
}

// A name at that occurrence of a text, and the text where it is defined.
typedef struct named {
  const char *use;
  int which;
  const char *definition;
} named;

static void expect_targets(const syn_index *x, const named *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    cr_assert_eq(target(x, names[i].use, names[i].which), offset(x, names[i].definition), "%s, %d",
                 names[i].use, names[i].which);
}

Test(lsp_syntax, tokens) {
  static const char *const KINDS = "wnsvybtarp";
  static const struct {
    const char *text, *kinds;
  } ROWS[] = {
      {"a.b 1 \"x\\\"y\" %a-b @f @\"g h\" ^bb0 !t #m", "wnsvyybta"},
      {"%5#1", "vr"},
      {"%5:2", "vpn"},
      {"a #1", "wa"},
      {"%a->b", "vpw"},
      {"1.5e-3 0x1F 4x", "nnnw"},
      {"\"no end\nx", "sw"},
      {"a::b // c\nd", "wpww"},
      {"", ""},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    indexed t;
    make(&t, ROWS[i].text);
    cr_assert_eq(t.x->token_count, strlen(ROWS[i].kinds), "%s", ROWS[i].text);
    for (uint32_t k = 0; k < t.x->token_count; k++) {
      syn_kind kind = t.x->tokens[k].kind;
      char letter = kind == SYN_PUNCT ? 'p' : KINDS[kind];
      cr_assert_eq(letter, ROWS[i].kinds[k], "%s: %u", ROWS[i].text, k);
    }
    arena_destroy(&t.arena);
  }
}

Test(lsp_syntax, values_are_those_of_their_region) {
  indexed t;
  make(&t,
       "func.func @f(%a: f32) {\n  %b = t.t %a : f32\n  t.r %b {\n    %c = t.t %b : f32\n  } {\n"
       "    %c = t.t %a : f32\n    t.t %c : f32\n  }\n  t.t %c, %z : f32\n}\n"
       "func.func @g(%a: f32) {\n  t.t %a, %b : f32\n}\n");
  cr_assert_eq(target(t.x, "%a", 1), offset(t.x, "%a: f32"));
  cr_assert_eq(target(t.x, "%a", 3), offset(t.x, "@g(") + 3);
  cr_assert_eq(target(t.x, "%b : f32", 0), offset(t.x, "%b ="));
  cr_assert_eq(target(t.x, "%c : f32", 0), offset(t.x, "} {") + 8);
  cr_assert_eq(target(t.x, "%c, %z", 0), -1);
  cr_assert_eq(target(t.x, "%b : f32", 1), -1, "isolated");
  arena_destroy(&t.arena);
}

Test(lsp_syntax, what_a_loop_and_a_reducer_name_belongs_to_all_their_regions) {
  indexed t;
  make(&t,
       "func.func @f(%n: f32) {\n  %r = t.while(%i = %n) : f32 cond {\n    t.a %i : f32\n  } do {\n"
       "    t.b %i : f32\n  }\n  scf.for %k = %n to %n step %n {\n    t.c %k : f32\n  }\n"
       "  %s = t.reduce(%n init: %n) : f32 reducer(%p: f32, %q: f32) {\n    t.d %p : f32\n  }\n  "
       "t.e %i : f32\n}\n");
  static const named NAMES[] = {{"%i : f32", 0, "%i = "},
                                {"%i : f32", 1, "%i = "},
                                {"%k : f32", 0, "%k = "},
                                {"%p : f32", 0, "%p: "}};
  expect_targets(t.x, NAMES, sizeof NAMES / sizeof *NAMES);
  cr_assert_eq(target(t.x, "%i : f32", 2), -1);
  arena_destroy(&t.arena);
}

Test(lsp_syntax, symbols_blocks_and_aliases) {
  indexed t;
  make(&t, "!t = f32\nmodule @m {\n  func.func @f(%a: !t) {\n    cf.br ^b\n  ^b:\n    t.call @g, "
           "@h::@g : !t\n  }\n"
           "  func.func private @g()\n  module @h {\n    \"func.func\"() ({\n    }) {sym_name = "
           "\"g\"} : () -> ()\n  }\n}\n"
           "// -----\nfunc.func @f(%a: !t) {\n  call @g() : () -> ()\n}\n");
  cr_assert_eq(target(t.x, "!t)", 0), 0);
  cr_assert_eq(target(t.x, "!t)", 1), -1, "another part of the file");
  static const named NAMES[] = {
      {"^b\n", 0, "^b:"}, {"@g, ", 0, "@g()"}, {"@g :", 0, "g\"}"}, {"@h::", 0, "@h {"}};
  expect_targets(t.x, NAMES, sizeof NAMES / sizeof *NAMES);
  cr_assert_eq(target(t.x, "@g() :", 0), -1);
  arena_destroy(&t.arena);
}

Test(lsp_syntax, a_rename_is_refused_where_it_changes_what_names_mean) {
  indexed t;
  uint32_t at;
  make(&t, "func.func @f(%a: f32) {\n  %b = \"t.t\"(%a) ({\n    %c = t.t %a : f32\n  }) : (f32) -> "
           "f32\n  %d = "
           "t.t %b : f32\n}\n"
           "func.func @g(%x: f32) {\n  call @k() : () -> ()\n}\n");
  uint32_t c = syn_name_at(t.x, (uint32_t)offset(t.x, "%c"));
  uint32_t a = syn_name_at(t.x, (uint32_t)offset(t.x, "%a"));
  uint32_t f = syn_name_at(t.x, (uint32_t)offset(t.x, "@f"));
  cr_assert(syn_rename_conflict(t.x, c, "a", 1, &at) && at == a);
  cr_assert(!syn_rename_conflict(t.x, c, "%b", 2, &at));
  cr_assert(!syn_rename_conflict(t.x, c, "d", 1, &at));
  cr_assert(!syn_rename_conflict(t.x, a, "x", 1, &at));
  cr_assert(syn_rename_conflict(t.x, a, "c", 1, &at));
  cr_assert(syn_rename_conflict(t.x, a, "1a", 2, &at) && at == SYN_NONE);
  cr_assert(syn_rename_conflict(t.x, f, "g", 1, &at));
  cr_assert(syn_rename_conflict(t.x, f, "k", 1, &at), "a call of what is not there would find it");
  arena_destroy(&t.arena);
}

// Pieces in every order, in a block of just their size: the sanitizer sees a read beyond. Tokens cover all but white space.
Test(lsp_syntax, any_bytes_are_indexed) {
  static const char *const PIECES[] = {"%a",
                                       "%a = ",
                                       "@f",
                                       "^b",
                                       "!t = ",
                                       "#m",
                                       "#1",
                                       "{",
                                       "}",
                                       "(",
                                       ")",
                                       "<",
                                       ">",
                                       "[",
                                       "]",
                                       "\"",
                                       "\"s\"",
                                       "//",
                                       "\n",
                                       "// -----\n",
                                       ":",
                                       "::",
                                       "->",
                                       ",",
                                       "=",
                                       "func.func ",
                                       "t.r ",
                                       "scf.for ",
                                       "module ",
                                       "reducer",
                                       "sym_name = \"x\"",
                                       "\\",
                                       "\xf0\x9f\x98\x80",
                                       "\x01",
                                       "1.5e",
                                       "0x",
                                       "in",
                                       "return ",
                                       " "};
  uint32_t seed = 1;
  for (int round = 0; round < 20000; round++) {
    char text[512];
    pieces_join(text, PIECES, sizeof PIECES / sizeof *PIECES, 24, &seed);
    size_t length = strlen(text);
    char *exact = malloc(length + !length);
    memcpy(exact, text, length);
    shape_arena arena;
    arena_init(&arena, 0);
    const syn_index *x = syn_make(&arena, exact, (uint32_t)length);
    uint32_t at = 0, c = 0;
    for (uint32_t i = 0; i <= x->token_count; i++) {
      uint32_t to = i < x->token_count ? x->tokens[i].begin : (uint32_t)length;
      while (at < to) {
        if (c < x->comment_count && x->comments[c].begin == at) {
          at = x->comments[c++].end;
        } else {
          cr_assert(strchr(" \n", exact[at++]), "%s", text);
        }
      }
      if (i < x->token_count) at = x->tokens[i].end;
    }
    for (uint32_t i = 0; i < x->name_count; i++) {
      cr_assert(!i || x->names[i - 1].begin < x->names[i].begin);
      cr_assert(x->names[i].target == SYN_NONE || x->names[x->names[i].target].defines);
    }
    arena_destroy(&arena);
    free(exact);
  }
}
