// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/mlir/reading.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/graph_dump.h"
#include "solver/graph/verify.h"

static void read_body(void *data) {
  reading *r = data;
  mlir_read(&r->graph);
}

typedef struct init_data {
  reading *r;
  const char *text;
  size_t length;
} init_data;

static void init_body(void *data) {
  init_data *d = data;
  graph_init(&d->r->graph, &d->r->arena, GRAPH_MLIR, d->text, d->length);
}

void reading_init(reading *r, const char *text, size_t length, size_t limit) {
  arena_init(&r->arena, limit);
  reading_run(r, text, length);
}

void reading_run(reading *r, const char *text, size_t length) {
  init_data data = {r, text, length};
  r->status = arena_protect(&r->arena, init_body, &data);
  if (r->status == SHAPE_OK) r->status = arena_protect(&r->arena, read_body, r);
  if (r->status != SHAPE_OK) return;
  r->arena.limit = SIZE_MAX;
  r->arena.fault.fail_at = 0;
  const char *violation = graph_verify(&r->graph);
  cr_assert_null(violation, "%s", violation);
}

void reading_of(reading *r, const char *text) { reading_init(r, text, strlen(text), 0); }

void reading_destroy(reading *r) { arena_destroy(&r->arena); }

const char *reading_dump(reading *r) {
  shape_strbuf buf;
  strbuf_init(&buf, &r->arena);
  graph_dump(&r->graph, &buf);
  return strbuf_text(&buf);
}

const char *reading_errors(reading *r) {
  shape_strbuf buf;
  strbuf_init(&buf, &r->arena);
  for (uint32_t i = 0; i < r->graph.diags.count; i++) {
    const diag *d = &r->graph.diags.items[i];
    source_position at = graph_position(&r->graph, d->span);
    strbuf_printf(&buf, "%u:%u: %s\n", at.line, at.column, d->message);
  }
  return strbuf_text(&buf);
}

void expect_reads(const char *text) {
  reading r;
  reading_of(&r, text);
  cr_assert_eq(r.status, SHAPE_OK);
  cr_assert_str_empty(reading_errors(&r), "%s\n%s", text, reading_errors(&r));
  reading_destroy(&r);
}

void expect_mlir_error(const char *text, uint32_t line, uint32_t column, const char *part) {
  reading r;
  reading_of(&r, text);
  cr_assert_eq(r.status, SHAPE_OK);
  cr_assert(r.graph.diags.count > 0, "no error in\n%s", text);
  const diag *first = &r.graph.diags.items[0];
  source_position at = graph_position(&r.graph, first->span);
  cr_expect(strstr(first->message, part), "'%s' has no '%s'", first->message, part);
  cr_expect(at.line == line && at.column == column, "%u:%u: %s\n%s", at.line, at.column,
            first->message, text);
  reading_destroy(&r);
}

void expect_same(const char *pretty, const char *generic) {
  reading a, b;
  reading_of(&a, pretty);
  reading_of(&b, generic);
  cr_assert_str_empty(reading_errors(&a), "%s\n%s", pretty, reading_errors(&a));
  cr_assert_str_empty(reading_errors(&b), "%s\n%s", generic, reading_errors(&b));
  cr_expect_str_eq(reading_dump(&a), reading_dump(&b));
  reading_destroy(&a);
  reading_destroy(&b);
}

void expect_dump(const char *text, const char *part) {
  reading r;
  reading_of(&r, text);
  cr_assert_str_empty(reading_errors(&r), "%s\n%s", text, reading_errors(&r));
  cr_expect(strstr(reading_dump(&r), part), "no '%s' in\n%s", part, reading_dump(&r));
  reading_destroy(&r);
}
