// SPDX-License-Identifier: Apache-2.0
// Operations that go or are written anew, as edits of the text.
#include "solver/transform/rewrite.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/unit/transform/refine.h"

enum { ABS, LINE, REST };

#define F32 " : tensor<?xf32>"
static const char TEXT[] = "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
                           "  %x = stablehlo.abs %a" F32 "\n"
                           "  %y = stablehlo.sine %a" F32 " %z = stablehlo.cosine %a" F32 "\n"
                           "  return %a" F32 "\n}\n";

typedef struct rewritten {
  refined_program program;
  text_edits edits;
  refine_rewrite r;
} rewritten;

static void open(rewritten *w, const char *text) {
  refined_open(&w->program, text, NULL);
  w->edits = (text_edits){.arena = w->program.types->graph->arena};
  rewrite_init(&w->r, w->program.types, &w->program.a.uses, &w->edits);
}

// What the body is between its first and its last line.
static void expect_body(rewritten *w, const char *want) {
  static const char HEAD[] = "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n";
  static const char TAIL[] = "  return %a" F32 "\n}\n";
  shape_strbuf out, all;
  strbuf_init(&out, w->edits.arena);
  strbuf_init(&all, w->edits.arena);
  edits_apply(&w->edits, &w->r.graph->source, &out);
  strbuf_printf(&all, "%s%s%s", HEAD, want, TAIL);
  cr_expect_str_eq(strbuf_text(&out), strbuf_text(&all));
  refined_close(&w->program);
}

// Alone on its line it leaves an empty one, or none; beside others only its own text goes.
Test(transform_rewrite, what_is_removed_takes_its_line) {
  static const struct {
    op_id op;
    bool cleanup;
    const char *want;
  } cases[] = {{ABS, false, "\n  %y = stablehlo.sine %a" F32 " %z = stablehlo.cosine %a" F32 "\n"},
               {ABS, true, "  %y = stablehlo.sine %a" F32 " %z = stablehlo.cosine %a" F32 "\n"},
               {LINE, true, "  %x = stablehlo.abs %a" F32 "\n   %z = stablehlo.cosine %a" F32 "\n"},
               {REST, true, "  %x = stablehlo.abs %a" F32 "\n  %y = stablehlo.sine %a" F32 " \n"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rewritten w;
    open(&w, TEXT);
    w.r.cleanup = cases[i].cleanup;
    rewrite_remove(&w.r, cases[i].op);
    cr_expect(w.r.removed[cases[i].op] && !w.r.removed[REST + 1]);
    expect_body(&w, cases[i].want);
  }
}

Test(transform_rewrite, the_last_text_of_an_operation_counts) {
  rewritten w;
  open(&w, TEXT);
  shape_strbuf text;
  strbuf_init(&text, w.edits.arena);
  strbuf_puts(&text, "my.first %a");
  rewrite_replace(&w.r, LINE, &text);
  text.length = 0;
  strbuf_puts(&text, "my.second");
  rewrite_replace(&w.r, LINE, &text);
  cr_expect_eq(w.edits.count, 1);
  expect_body(&w,
              "  %x = stablehlo.abs %a" F32 "\n  %y = my.second %z = stablehlo.cosine %a" F32 "\n");
}

// The same text is no edit, and a later one is all the same.
Test(transform_rewrite, a_text_that_is_there_is_no_edit) {
  rewritten w;
  open(&w, TEXT);
  shape_strbuf text;
  strbuf_init(&text, w.edits.arena);
  strbuf_puts(&text, "stablehlo.abs %a" F32);
  rewrite_replace(&w.r, ABS, &text);
  cr_expect_eq(w.edits.count, 0);
  text.length = 0;
  strbuf_puts(&text, "my.abs");
  rewrite_replace(&w.r, ABS, &text);
  expect_body(&w,
              "  %x = my.abs\n  %y = stablehlo.sine %a" F32 " %z = stablehlo.cosine %a" F32 "\n");
}

Test(transform_rewrite, what_a_kept_operation_reads_is_fed) {
  rewritten w;
  open(&w, TEXT);
  cr_expect_not(rewrite_keeps(&w.r, ABS) || rewrite_feeds(&w.r, 0));
  const uint8_t kept[REST + 2] = {[LINE] = KEEP_FORM};
  rewrite_keep(&w.r, kept);
  cr_expect(rewrite_keeps(&w.r, LINE) && !rewrite_keeps(&w.r, ABS));
  cr_expect(rewrite_feeds(&w.r, 0) && !rewrite_feeds(&w.r, 1));
  rewrite_keep(&w.r, NULL);
  cr_expect_not(rewrite_keeps(&w.r, LINE));
  refined_close(&w.program);
}

// Values of a function that holds what no reader understands may be used in there.
Test(transform_rewrite, a_function_with_an_unknown_syntax_is_open) {
  static const struct {
    const char *op;
    bool open;
  } cases[] = {{"%b = my.op %a with odd syntax" F32, true},
               {"%b = \"my.op\"(%a) : (tensor<?xf32>) -> tensor<?xf32>", false}};
  char text[512];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rewritten w;
    snprintf(text, sizeof text,
             "func.func @main(%%a: tensor<?xf32>) -> tensor<?xf32> {\n  %s\n"
             "  return %%a : tensor<?xf32>\n}\n",
             cases[i].op);
    open(&w, text);
    cr_expect_eq(rewrite_is_open(&w.r, 0), cases[i].open, "%s", cases[i].op);
    refined_close(&w.program);
  }
}

Test(transform_rewrite, a_constant_is_one_that_never_varies) {
  static const int64_t ITEMS[] = {-1, INT64_MAX};
  static const constant_value VALUES[] = {{ITEMS, 2, false}, {ITEMS, 2, true}, {NULL, 0, false}};
  const refine_rewrite r = {.graph = &(shape_graph){.value_count = 3}, .constants = VALUES};
  cr_expect_eq(rewrite_constant(&r, 0), &VALUES[0]);
  cr_expect_null(rewrite_constant(&r, 1));
  cr_expect_null(rewrite_constant(&r, 2));
  cr_expect_null(rewrite_constant(&r, VALUE_NONE));
}
