// SPDX-License-Identifier: Apache-2.0
// A graph that is read from that of an earlier text is the one that reading the text makes, for random edits.
#include <criterion/criterion.h>
#include <stdio.h>

#include "solver/formats/mlir/uses.h"
#include "solver/graph/verify.h"
#include "tests/support/graph_dump.h"
#include "tests/unit/formats/mlir/reading.h"
#include "tests/unit/pieces.h"

static const char PROGRAM[] =
    "#map = affine_map<(d0) -> (d0)>\n"
    "!t = tensor<?x4xf32>\n"
    "module @m attributes {a.b = 1 : i32} {\n"
    "  func.func private @g(%a: tensor<4xf32> {x.y = [1, \"z\"]}) -> tensor<4xf32> {\n"
    "    return %a : tensor<4xf32>\n"
    "  }\n"
    "  func.func @main(%a: !t, %b: tensor<?x4xf32> {a.c = \"%a\"}) -> !t {\n"
    "    %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>\n"
    "    %c = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "    %1 = stablehlo.add %a, %b : !t // the sum\n"
    "    %s = stablehlo.add %1, %b : !t\n"
    "    %2:2 = \"stablehlo.case\"(%i0) ({\n"
    "      %3 = stablehlo.abs %1 : !t\n"
    "      stablehlo.return %3, %1 : !t, !t\n"
    "    }, {\n"
    "      \"stablehlo.return\"(%a, %b) : (!t, !t) -> ()\n"
    "    }) {k = [1, {l = \"m\"}]} : (tensor<i32>) -> (!t, !t)\n"
    "    %4 = stablehlo.reduce(%2#1 init: %c) applies stablehlo.add across dimensions = [0] : "
    "(!t, tensor<f32>) -> tensor<4xf32>\n"
    "    %5 = \"x.y\"(%4, %s) {map = #map, list = [1, 2], z} : (tensor<4xf32>, !t) -> !t\n"
    "    %6 = stablehlo.dot_general %5, %a, contracting_dims = [1] x [1] : (!t, !t) -> "
    "tensor<?x?xf32>\n"
    "    %7:2 = stablehlo.while(%i = %1, %j = %5) : !t, !t\n"
    "    cond {\n"
    "      %8 = \"x.c\"(%i) : (!t) -> tensor<i1>\n"
    "      stablehlo.return %8 : tensor<i1>\n"
    "    } do {\n"
    "      %9 = stablehlo.add %i, %s : !t\n"
    "      stablehlo.return %9, %j : !t, !t\n"
    "    }\n"
    "    %d = func.call @g(%4) : (tensor<4xf32>) -> tensor<4xf32>\n"
    "    %10 = stablehlo.add %7#1, %5 : !t\n"
    "    %11 = stablehlo.add %10, %1 {u.v = 3 : i64} : !t\n"
    "    return %11 : !t\n"
    "  }\n"
    "  \"func.func\"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = \"k\"}> ({\n"
    "  ^bb0(%p: tensor<4xf32>):\n"
    "    %0 = stablehlo.abs %p : tensor<4xf32>\n"
    "    %r = stablehlo.add %0, %p : tensor<4xf32>\n"
    "    %t = stablehlo.add %r, %0 : tensor<4xf32>\n"
    "    \"func.return\"(%t) : (tensor<4xf32>) -> ()\n"
    "  }) {s.t = [3, {u = 4 : i8}]} : () -> ()\n"
    "  // a comment\n"
    "  func.func private @f(index, !t) -> !t\n"
    "  func.func @h(%a: tensor<4xf32>) -> (tensor<4xf32> {p.q = \"r\"}) {\n"
    "    %0 = stablehlo.abs %a : tensor<4xf32>\n"
    "    %e = stablehlo.reduce(%0 init: %w) applies stablehlo.add across dimensions = [0] : "
    "(tensor<4xf32>, tensor<f32>) -> tensor<f32>\n"
    "    return %0 : tensor<4xf32>\n"
    "  }\n"
    "}\n";

static const char *const PIECES[] = {
    MLIR_PIECES,
    "%q = ",
    "0",
    "1",
    "4x",
    "f",
    "%5",
    "%1",
    "    %30 = stablehlo.add %1, %1 : !t\n",
    "%e",
    "tensor<",
    "f64",
    "    %n = \"x.y\"() {a = [1, [2]]} : () -> !t\n",
    "?",
    "%0 = ",
    "%a = ",
    "    %0 = stablehlo.add %1, %1 : !t\n",
    "    %5 = stablehlo.add %a, %a : !t\n",
    "    %h = stablehlo.add %h, %6 : !t\n",
    "    \"x.z\"(%a) ({\n      %k = stablehlo.abs %a : !t\n"
    "      \"x.e\"() : () -> ()\n    }) : (!t) -> ()\n",
};

typedef struct edited {
  shape_arena arena;
  const mlir_earlier *earlier;
  char text[8192];
  uint32_t length;
  uint32_t taken, whole;
  uint32_t wrong;  // of those taken: with an error of syntax
} edited;

typedef struct used {
  shape_arena arena;
  shape_graph graph;
  mlir_uses uses;
  edited *e;
  bool from_earlier, ok;
} used;

static void earlier_body(void *data) {
  edited *e = data;
  const char *text = arena_strndup(&e->arena, e->text, e->length);
  e->earlier = mlir_read_earlier(&e->arena, text, e->length);
}

static void begin(edited *e, const char *text, uint32_t length) {
  arena_init(&e->arena, 0);
  memmove(e->text, text, length);
  e->length = length;
  cr_assert_eq(arena_protect(&e->arena, earlier_body, e), SHAPE_OK);
}

static void read_body(void *data) {
  used *u = data;
  graph_init(&u->graph, &u->arena, GRAPH_MLIR, u->e->text, u->e->length);
  u->ok = u->from_earlier && u->e->earlier && mlir_read_edited(&u->graph, &u->uses, u->e->earlier);
  if (!u->ok) mlir_read_uses(&u->graph, &u->uses);
}

static void read_used(used *u, edited *e, bool from_earlier) {
  *u = (used){.e = e, .from_earlier = from_earlier};
  arena_init(&u->arena, 0);
  cr_assert_eq(arena_protect(&u->arena, read_body, u), SHAPE_OK);
}

static const char *dump_of(used *u) {
  shape_strbuf out;
  strbuf_init(&out, &u->arena);
  graph_dump(&u->graph, &out);
  const shape_graph *g = &u->graph;
  for (uint32_t i = 0; i < g->diags.count; i++) {
    const diag *d = &g->diags.items[i];
    strbuf_printf(&out, "%u-%u: %s\n", d->span.begin, d->span.end, d->message);
    for (uint32_t k = 0; k < d->related_count; k++)
      strbuf_printf(&out, "  %u-%u: %s\n", d->related[k].span.begin, d->related[k].span.end,
                    d->related[k].message);
  }
  for (op_id op = 0; op < g->op_count; op++) {
    const graph_op *o = &g->ops[op];
    mlir_op_use use = op < u->uses.op_count ? u->uses.ops[op] : (mlir_op_use){0};
    strbuf_printf(&out, "op %u %u-%u %u-%u %u %d %u %d %d %u: %u %u %u %u %u %u\n", op,
                  o->span.begin, o->span.end, o->name_span.begin, o->name_span.end, o->next,
                  o->unread, use.end, use.opaque, use.hides, use.properties, o->operands,
                  o->results, o->attrs, o->region_count ? o->regions : 0, o->parent,
                  o->operand_count);
  }
  for (value_id v = 0; v < g->value_count; v++) {
    const graph_value *value = &g->values[v];
    strbuf_printf(&out, "value %u %u %u %u %u\n", v, value->def, graph_value_index(g, v),
                  value->is_argument, value->at);
  }
  for (uint32_t i = 0; i < g->operand_count; i++) {
    uint32_t at = i < u->uses.operand_count ? u->uses.operands[i] : UINT32_MAX;
    strbuf_printf(&out, "operand %u %u\n", g->operands[i], at);
  }
  for (uint32_t i = 0; i < u->uses.count; i++) {
    const mlir_type_use *row = &u->uses.items[i];
    strbuf_printf(&out, "use %u-%u %u %u %u\n", row->span.begin, row->span.end, row->kind,
                  row->subject, row->index);
  }
  for (attr_id i = 0; i < g->attributes.count; i++) {
    const graph_attr *a = &g->attributes.items[i];
    strbuf_printf(&out, "attr %u-%u %u %u", a->span.begin, a->span.end, a->kind, a->count);
    for (uint32_t k = 0; k < a->count; k++) strbuf_printf(&out, " %u", attr_item_at(a, k));
    strbuf_puts(&out, "\n");
  }
  for (func_id f = 0; f < g->func_count; f++) {
    const graph_func *func = &g->funcs[f];
    const graph_type *type = type_get(&g->types, func->type);
    strbuf_printf(&out, "func %u-%u %u-%u %u %u", func->span.begin, func->span.end,
                  func->name_span.begin, func->name_span.end, func->body, func->attrs);
    for (uint32_t k = type->split; func->result_spans && k < type->param_count; k++)
      strbuf_printf(&out, " %u", func->result_spans[k - type->split].begin);
    for (uint32_t k = 0; func->argument_attrs && k < type->split; k++)
      strbuf_printf(&out, " %u", func->argument_attrs[k]);
    for (uint32_t k = type->split; func->result_attrs && k < type->param_count; k++)
      strbuf_printf(&out, " %u", func->result_attrs[k - type->split]);
    strbuf_puts(&out, "\n");
  }
  for (uint32_t i = 0; i < u->uses.module_count; i++) {
    const mlir_module_use *m = &u->uses.modules[i];
    strbuf_printf(&out, "module %u-%u %u-%u %u-%u %u\n", m->head.begin, m->head.end, m->name.begin,
                  m->name.end, m->attrs.begin, m->attrs.end, m->close);
  }
  strbuf_printf(&out, "%d %u\n", u->uses.whole, g->diags.errors);
  return strbuf_text(&out);
}

// Where two texts begin to differ.
static int difference(const char *a, const char *b) {
  int at = 0, line = 0;
  for (; a[at] && a[at] == b[at]; at++) {
    if (a[at] == '\n') line = at + 1;
  }
  return line;
}

static bool check(edited *e) {
  used a, b;
  read_used(&a, e, true);
  read_used(&b, e, false);
  if (a.ok) {
    const char *violation = graph_verify(&a.graph);
    cr_assert_null(violation, "%s\n%.*s", violation, (int)e->length, e->text);
    const char *x = dump_of(&a), *y = dump_of(&b);
    int at = difference(x, y);
    cr_assert_str_eq(x, y, "%.80s\nbut\n%.80s\nof\n%.*s", x + at, y + at, (int)e->length, e->text);
    e->taken++;
    for (uint32_t i = 0; i < a.graph.diags.count; i++)
      e->wrong += strcmp(a.graph.diags.items[i].code, "syntax") == 0;
  } else {
    e->whole++;
  }
  arena_destroy(&a.arena);
  arena_destroy(&b.arena);
  return a.ok && !b.graph.diags.count;
}

static void replace(edited *e, uint32_t begin, uint32_t end, const char *with, uint32_t length) {
  if (e->length - (end - begin) + length > sizeof e->text) return;
  memmove(e->text + begin + length, e->text + end, e->length - end);
  memcpy(e->text + begin, with, length);
  e->length += length - (end - begin);
}

static uint32_t pick(uint64_t *state, uint32_t below) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33) % below;
}

static void random_edit(edited *e, uint64_t *random) {
  uint32_t at = pick(random, e->length + 1), end = at;
  if (pick(random, 3) == 0) end += pick(random, 12);
  if (pick(random, 20) == 0) end += pick(random, 300);
  if (end > e->length) end = e->length;
  const char *with = pick(random, 3) ? PIECES[pick(random, sizeof PIECES / sizeof *PIECES)] : "";
  replace(e, at, end, with, (uint32_t)strlen(with));
}

// The program defines what its operations use but for these two names.
static void whole(char *text) {
  char *i = strstr(text, "%i0"), *w = strstr(text, "%w)");
  memcpy(i, "%i1", 3);
  memcpy(w, "%0)", 3);
}

static const char *program(void) {
  static char text[sizeof PROGRAM + 200];
  strcpy(text, PROGRAM);
  whole(text);
  char *at = strstr(text, "    %c = "), rest[sizeof PROGRAM];
  strcpy(rest, at);
  strcpy(at, "    %i1 = stablehlo.constant dense<0> : tensor<i32>\n");
  strcat(at, rest);
  at = strstr(text, "    %e = ");
  strcpy(rest, at);
  strcpy(at, "    %w = stablehlo.constant dense<0.0> : tensor<f32>\n");
  strcat(at, rest);
  memcpy(strstr(text, "init: %0)"), "init: %w)", 9);
  return text;
}

// A character comes and goes at each byte.
Test(mlir_reread, each_byte) {
  static edited e;
  const char *text = program();
  uint32_t length = (uint32_t)strlen(text);
  static const char KEYS[] = "x0,\n";
  begin(&e, text, length);
  cr_assert(e.earlier);
  for (uint32_t at = 0; at <= length; at++) {
    for (const char *key = KEYS; *key; key++) {
      replace(&e, at, at, key, 1);
      check(&e);
      replace(&e, at, at + 1, "", 0);
    }
    if (at == length) break;
    char lost = text[at];
    replace(&e, at, at + 1, "", 0);
    check(&e);
    replace(&e, at, at, &lost, 1);
  }
  cr_assert_gt(4 * e.taken, e.whole, "%u of %u", e.taken, e.taken + e.whole);
  cr_assert_gt(e.wrong, 300, "%u", e.wrong);
  arena_destroy(&e.arena);
}

static void expect_read(const char *text, const char *at, const char *with, bool read) {
  static edited e;
  begin(&e, text, (uint32_t)strlen(text));
  cr_assert(e.earlier, "%s", text);
  uint32_t where = (uint32_t)(strstr(text, at) - text), wrong = e.wrong;
  replace(&e, where, where + 1, with, (uint32_t)strlen(with));
  check(&e);
  cr_expect_eq(e.wrong - wrong, read, "%s\n%s", text, with);
  arena_destroy(&e.arena);
}

// Where lines are as they are printed, a statement with an error of syntax is read alone; where it is not certain that they
// say what is inside of what, the text is read as a whole.
Test(mlir_reread, lines) {
  static const char HEAD[] = "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n";
  static const struct {
    const char *body;
    bool read;
  } ROWS[] = {
      {"  %0 = stablehlo.abs %a : tensor<4xf32>\n  %1 = stablehlo.abs %0 : tensor<4xf32>\n"
       "  %2 = stablehlo.abs %1 : tensor<4xf32>\n  %3 = stablehlo.abs %2 : tensor<4xf32>\n",
       true},
      {"  %0 = stablehlo.abs %a : tensor<4xf32>\n  %1 = stablehlo.abs %0 : tensor<4xf32>\n"
       "  %2 = stablehlo.abs\n    %1 : tensor<4xf32>\n  %3 = stablehlo.abs %2 : tensor<4xf32>\n",
       false},
      {"  %0 = stablehlo.abs %a : tensor<4xf32>\n  %1 = stablehlo.abs %0 : tensor<4xf32>\n"
       "   %2 = stablehlo.abs %1 : tensor<4xf32>\n  %3 = stablehlo.abs %2 : tensor<4xf32>\n",
       false},
      {"    %0 = stablehlo.abs %a : tensor<4xf32>\n  %1 = stablehlo.abs %0 : tensor<4xf32>\n"
       "  %2 = stablehlo.abs %1 : tensor<4xf32>\n  %3 = stablehlo.abs %2 : tensor<4xf32>\n",
       false},
      {"  %0 = stablehlo.abs %a : tensor<4xf32>\n  %1 = stablehlo.abs %0 : tensor<4xf32>\n"
       "  %2 = stablehlo.abs %1 : tensor<4xf32>  %3 = stablehlo.abs %2 : tensor<4xf32>\n",
       false},
  };
  char text[1024];
  for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    snprintf(text, sizeof text, "%s%s  return %%3 : tensor<4xf32>\n}\n", HEAD, ROWS[i].body);
    expect_read(text, "%1 : ", "", ROWS[i].read);
    expect_read(text, "%1 : ", ")", ROWS[i].read);
  }
}

Test(mlir_reread, random_edits) {
  static edited e;
  uint64_t random = 7;
  const char *text = program();
  for (uint32_t round = 0; round < 1500; round++) {
    begin(&e, text, (uint32_t)strlen(text));
    for (uint32_t k = 0; k < 6; k++) {
      random_edit(&e, &random);
      // The earlier text is then this one.
      if (check(&e) && pick(&random, 2)) {
        arena_destroy(&e.arena);
        begin(&e, e.text, e.length);
      }
    }
    arena_destroy(&e.arena);
  }
  cr_assert_gt(e.taken, 500, "%u of %u", e.taken, e.taken + e.whole);
}
