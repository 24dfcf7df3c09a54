// SPDX-License-Identifier: Apache-2.0
// An index that follows edits is that of the text as it is, for random edits of programs of every form.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "clients/lsp/syntax/syntax.h"
#include "tests/unit/pieces.h"

typedef struct edited {
  shape_arena arena;
  syn_index *x;
  char text[16384];
  uint32_t length;
  syn_damage damage;
  uint32_t updates, made;
} edited;

static const char PROGRAM[] =
    "#map = affine_map<(d0) -> (d0)>\n"
    "!t = tensor<?x4xf32>\n"
    "module @m attributes {a.b = 1 : i32} {\n"
    "  \"shape.sym\"() {sym_name = \"S0\"} : () -> ()\n"
    "  func.func @main(%a: !t, %b: tensor<?x4xf32> {a.c = \"%a\"}) -> !t {\n"
    "    %0 = stablehlo.add %a, %b : !t // the sum\n"
    "    %1:2 = \"stablehlo.case\"(%i) ({\n"
    "      %2 = stablehlo.abs %0 : !t\n"
    "      stablehlo.return %2, %0 : !t, !t\n"
    "    }, {\n"
    "      \"stablehlo.return\"(%a, %b) : (!t, !t) -> ()\n"
    "    }) : (tensor<i32>) -> (!t, !t)\n"
    "    %3 = stablehlo.reduce(%1#1 init: %c) across dimensions = [0] : (!t) -> t\n"
    "     reducer(%x: t, %y: t) {\n"
    "      %4 = stablehlo.add %x, %y : t\n"
    "      stablehlo.return %4 : t\n"
    "    }\n"
    "    %5:2 = stablehlo.while(%i = %0, %j = %1#0) : !t, !t\n"
    "    cond {\n"
    "      %6 = stablehlo.compare LT, %i, %j : (!t, !t) -> tensor<i1>\n"
    "      stablehlo.return %6 : tensor<i1>\n"
    "    } do {\n"
    "      stablehlo.return %i, %j : !t, !t\n"
    "    }\n"
    "    scf.for %k = %l to %u step %s {\n"
    "      %7 = func.call @f(%k, %a) : (index, !t) -> !t\n"
    "    }\n"
    "    cf.cond_br %p, ^bb1(%0 : !t), ^bb2\n"
    "  ^bb1(%8: !t):\n"
    "    cf.br ^bb2\n"
    "  ^bb2:\n"
    "    return %0 : !t\n"
    "  }\n"
    "  // a comment\n"
    "  func.func private @f(index, !t) -> !t\n"
    "}\n"
    "// -----\n"
    "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %0 = stablehlo.custom_call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
    "  return %0 : tensor<4xf32>\n"
    "}\n";

static const char *const PIECES[] = {MLIR_PIECES,
                                     "%a, %b =",
                                     "in",
                                     "reducer",
                                     "::",
                                     "stablehlo.add",
                                     "module",
                                     "for %i = ",
                                     "func.func @g(%q: t) {\n",
                                     "\n// -----\n",
                                     "    %9 = stablehlo.add %0, %0 : !t\n",
                                     "\"a.b\"() ({\n",
                                     "})",
                                     "\r\n",
                                     "sym_name = \"S1\""};

static void body(void *data) {
  edited *e = data;
  if (e->x && e->damage.begin + e->damage.old_end + e->damage.new_end > 0) {
    if (syn_update(e->x, e->text, e->length, &e->damage)) {
      e->updates++;
    } else {
      e->x = NULL;
    }
  }
  if (!e->x) {
    arena_destroy(&e->arena);
    arena_init(&e->arena, 0);
    e->x = syn_make(&e->arena, e->text, e->length);
    e->made++;
  }
  e->damage = (syn_damage){0};
}

static void check(edited *e) {
  shape_arena arena;
  body(e);
  arena_init(&arena, 0);
  const syn_index *fresh = syn_make(&arena, e->text, e->length);
  const char *wrong = syn_equal_check(e->x, fresh);
  cr_assert(!wrong, "%s\n%.*s", wrong, (int)e->length, e->text);
  arena_destroy(&arena);
}

static void replace(edited *e, uint32_t begin, uint32_t end, const char *with, uint32_t length) {
  if (e->length - (end - begin) + length > sizeof e->text) return;
  memmove(e->text + begin + length, e->text + end, e->length - end);
  memcpy(e->text + begin, with, length);
  e->length += length - (end - begin);
  syn_damage_add(&e->damage, begin, end, length);
}

static void begin(edited *e, const char *text) {
  memset(e, 0, sizeof *e);
  arena_init(&e->arena, 0);
  e->length = (uint32_t)strlen(text);
  memcpy(e->text, text, e->length);
}

static uint32_t pick(uint64_t *state, uint32_t below) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33) % below;
}

static void random_edit(edited *e, uint64_t *random) {
  uint32_t at = pick(random, e->length + 1), end = at;
  if (pick(random, 3) == 0) end += pick(random, 12);
  if (pick(random, 40) == 0) end += pick(random, 300);
  if (end > e->length) end = e->length;
  if (pick(random, 100) == 0) at = 0, end = e->length;
  const char *with = pick(random, 3) ? PIECES[pick(random, sizeof PIECES / sizeof *PIECES)] : "";
  replace(e, at, end, with, (uint32_t)strlen(with));
}

// A letter comes and goes after each byte.
Test(lsp_update, each_byte) {
  static edited e;
  begin(&e, PROGRAM);
  check(&e);
  for (uint32_t at = 0; at <= sizeof PROGRAM - 1; at++) {
    replace(&e, at, at, "x", 1);
    check(&e);
    replace(&e, at, at + 1, "", 0);
    check(&e);
  }
  cr_assert_gt(e.updates, 7 * e.made);
  arena_destroy(&e.arena);
}

Test(lsp_update, random_edits) {
  static edited e;
  uint64_t random = 1;
  uint32_t updates = 0;
  for (uint32_t round = 0; round < 300; round++) {
    begin(&e, PROGRAM);
    for (uint32_t i = 0; i < 30; i++) {
      for (uint32_t k = pick(&random, 3) + 1; k-- > 0;) random_edit(&e, &random);
      check(&e);
    }
    updates += e.updates;
    arena_destroy(&e.arena);
  }
  cr_assert_gt(updates, 5000);
}

Test(lsp_update, damage) {
  syn_damage d = {0};
  syn_damage_add(&d, 10, 12, 5);
  cr_assert(d.begin == 10 && d.old_end == 12 && d.new_end == 15);
  syn_damage_add(&d, 14, 20, 0);
  cr_assert(d.begin == 10 && d.old_end == 17 && d.new_end == 14);
  syn_damage_add(&d, 3, 4, 2);
  cr_assert(d.begin == 3 && d.old_end == 17 && d.new_end == 15);
}

// More than is read again at a time: made anew.
Test(lsp_update, far) {
  static edited e;
  begin(&e, PROGRAM);
  check(&e);
  for (uint32_t i = 0; i < 200; i++) replace(&e, e.length, e.length, "\n%x = a.b %y : t", 16);
  check(&e);
  uint32_t made = e.made;
  replace(&e, 600, 600, "%q = a.b (", 10);
  check(&e);
  cr_assert_eq(e.made, made);
  arena_destroy(&e.arena);
}
