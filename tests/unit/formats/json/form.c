// SPDX-License-Identifier: Apache-2.0
// A program of MLIR in the form that JSON gives it, made in the graph: the same as by way of the text.
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/formats/formats.h"
#include "solver/formats/json/decode.h"
#include "solver/formats/json/encode.h"
#include "solver/formats/json/form.h"
#include "solver/formats/json/validate.h"
#include "solver/graph/dominance.h"

typedef struct forms {
  shape_arena arena;
  shape_budget budget;
  const char *text;
  size_t length;
  shape_graph mlir, direct, by_text;
  bool readable, has_form;
  const char *why;
} forms;

static void read_mlir(forms *f, shape_graph *g) {
  graph_init(g, &f->arena, GRAPH_MLIR, f->text, f->length);
  g->budget = &f->budget;
  FORMAT_READERS[GRAPH_MLIR]->read(g, &(format_options){0});
}

static void make(void *data) {
  forms *f = data;
  budget_init(&f->budget, &f->arena, UINT64_MAX, NULL);
  read_mlir(f, &f->mlir);
  read_mlir(f, &f->direct);
  if (f->mlir.diags.errors) return;
  shape_strbuf json;
  strbuf_init(&json, &f->arena);
  graph_json_encode(&f->mlir, &json);
  const char *clean;
  size_t length;
  json_error error;
  if (json_validate(&f->arena, &(json_limits){0, GRAPH_JSON_DEPTH}, json.data, json.length, &clean,
                    &length, &error)) {
    // Not what is clean: integers beyond 2^53 are strings in that, for readers that have doubles.
    graph_init(&f->by_text, &f->arena, GRAPH_JSON, json.data, json.length);
    graph_json_decode(&f->by_text, &f->budget);
    f->readable = !f->by_text.diags.errors;
    f->why = f->readable ? "" : f->by_text.diags.items[0].message;
    graph_name_values(&f->by_text);
  } else {
    f->why = arena_strndup(&f->arena, error.message, strlen(error.message));
  }
  f->has_form = graph_json_form(&f->direct);
}

// --- everything that a graph says, but for locations, as text

static void show_name(shape_strbuf *out, const shape_graph *g, name_id name) {
  if (name == NAME_NONE) {
    strbuf_puts(out, " -");
  } else {
    strbuf_printf(out, " '%.*s'", (int)intern_length(&g->names, name),
                  intern_text(&g->names, name));
  }
}

static void show_type(shape_strbuf *out, const shape_graph *g, type_id id) {
  if (id == TYPE_NONE) {
    strbuf_puts(out, " none");
    return;
  }
  const graph_type *t = type_get(&g->types, id);
  uint32_t dtype = t->kind == TYPE_FUNCTION ? 0 : t->dtype;  // it has none
  strbuf_printf(out, " %u.%u.%u.%u(", t->kind, dtype, t->sparse, t->has_bounds);
  type_print(&g->types, out, id);
  for (uint32_t i = 0; i < t->rank; i++) {
    if (dim_is_symbol(t->dims[i]))
      show_name(out, g, g->declared.symbols[dim_symbol(t->dims[i])].name);
    if (t->has_bounds) strbuf_printf(out, " %lld", (long long)t->bounds[i]);
  }
  for (uint32_t i = 0; i < t->param_count; i++) show_type(out, g, t->params[i]);
  show_name(out, g, t->text);
  show_name(out, g, t->encoding);
  strbuf_puts(out, ")");
}

static void show_attr(shape_strbuf *out, const shape_graph *g, attr_id id) {
  uint32_t count;
  const graph_attr *a = graph_attr_get(g, id);
  if (!a) return;
  strbuf_printf(out, " <%u %u %u %u", a->kind, a->splat, a->holds, a->count);
  show_type(out, g, a->type);
  show_name(out, g, a->text);
  const int64_t *ints = attr_held_ints(a, &count);
  for (uint32_t i = 0; i < count; i++) strbuf_printf(out, " %lld", (long long)ints[i]);
  const double *floats = attr_held_floats(a, &count);
  for (uint32_t i = 0; i < count; i++) strbuf_printf(out, " %.17g", floats[i]);
  const attr_id *items = attr_items(a, &count);
  for (uint32_t i = 0; i < count; i++) show_attr(out, g, items[i]);
  const attr_entry *entries = attr_entries(a, &count);
  for (uint32_t i = 0; i < count; i++) {
    show_name(out, g, entries[i].name);
    show_attr(out, g, entries[i].value);
  }
  strbuf_puts(out, ">");
}

static void show_entries(shape_strbuf *out, const shape_graph *g, uint32_t attrs, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    show_name(out, g, graph_attr_entries(g, attrs)[i].name);
    show_attr(out, g, graph_attr_entries(g, attrs)[i].value);
  }
  strbuf_puts(out, "\n");
}

static void show_value(shape_strbuf *out, const shape_graph *g, value_id v) {
  const graph_value *value = &g->values[v];
  strbuf_printf(out, "v%u %u %u", v, graph_value_index(g, v), value->is_argument);
  show_name(out, g, value->name);
  show_type(out, g, value->type);
  strbuf_puts(out, "\n");
}

static void show_region(shape_strbuf *out, const shape_graph *g, region_id region) {
  const graph_region *r = &g->regions[region];
  uint32_t count;
  strbuf_printf(out, "region of %u\n", r->op);
  for (uint32_t b = 0; b < r->block_count; b++) {
    const graph_block *block = &g->blocks[r->first_block + b];
    strbuf_puts(out, "block\n");
    for (uint32_t i = 0; i < block->argument_count; i++) show_value(out, g, block->arguments + i);
    for (op_id op = block->first; op != ID_NONE; op = g->ops[op].next) {
      const graph_op *o = &g->ops[op];
      strbuf_printf(out, "op %u %s", op, graph_op_name(g, op));
      for (uint32_t i = 0; i < o->operand_count; i++)
        strbuf_printf(out, " %u", graph_operand(g, op, i));
      show_entries(out, g, o->attrs, o->attr_count);
      for (uint32_t i = 0; i < o->result_count; i++) show_value(out, g, o->results + i);
      const graph_successor *rows = graph_successors(g, op, &count);
      for (uint32_t i = 0; i < count; i++)
        strbuf_printf(out, "to %u %u %u\n", rows[i].block, rows[i].first, rows[i].count);
      for (uint32_t i = 0; i < o->region_count; i++) show_region(out, g, o->regions + i);
    }
  }
}

static void show_attrs(shape_strbuf *out, const shape_graph *g, const attr_id *list,
                       uint32_t count) {
  for (uint32_t i = 0; list && i < count; i++) show_attr(out, g, list[i]);
}

static const char *shown(shape_arena *arena, const shape_graph *g) {
  shape_strbuf out;
  strbuf_init(&out, arena);
  for (uint32_t i = 0; i < g->declared.symbol_count; i++) {
    const graph_symbol *s = &g->declared.symbols[i];
    show_name(&out, g, s->name);
    strbuf_printf(&out, " %lld %lld %lld %u %u %u %u %s\n", (long long)s->min, (long long)s->max,
                  (long long)s->multiple_of, s->range_count, s->likely_count, s->is_value, s->rank,
                  s->definition ? s->definition : "");
  }
  for (uint32_t i = 0; i < g->declared.assumption_count; i++) {
    const graph_assumption *a = &g->declared.assumptions[i];
    strbuf_printf(&out, "%.*s %u %u\n", (int)a->length, a->text, a->found, a->required);
  }
  for (func_id f = 0; f < g->func_count; f++) {
    const graph_func *func = &g->funcs[f];
    const graph_type *t = func->type == TYPE_NONE ? NULL : type_get(&g->types, func->type);
    strbuf_printf(&out, "func %u %u %u", func->module, func->is_private, func->is_declaration);
    show_name(&out, g, func->name);
    show_type(&out, g, func->type);
    if (t) show_attrs(&out, g, func->argument_attrs, t->split);
    if (t) show_attrs(&out, g, func->result_attrs, t->param_count - t->split);
    show_entries(&out, g, func->attrs, func->attr_count);
    if (func->body != ID_NONE) show_region(&out, g, func->body);
  }
  return strbuf_text(&out);
}

// The text has the blocks of a body in the order in which they dominate one another; the form has them as they are.
static bool in_order(shape_graph *g) {
  for (region_id r = 0; r < g->region_count; r++) {
    uint32_t count = g->regions[r].block_count;
    const uint32_t *dominators = graph_dominators(g, r, g->arena, NULL);
    const uint32_t *order = graph_block_order(dominators, count, g->arena);
    for (uint32_t i = 0; i < count; i++) {
      if (order[i] != i) return false;
    }
  }
  return true;
}

// Whether the program could be read.
static bool compare(const char *what, const char *text, size_t length) {
  forms f = {.text = text, .length = length};
  arena_init(&f.arena, 0);
  cr_assert_eq(arena_protect(&f.arena, make, &f), SHAPE_OK);
  bool reads = !f.mlir.diags.errors;
  if (reads) {
    cr_assert(!f.readable || f.has_form, "%s: %s", what,
              f.has_form ? "" : f.direct.diags.items[0].message);
  }
  if (reads && f.readable && in_order(&f.mlir)) {
    const char *a = shown(&f.arena, &f.direct), *b = shown(&f.arena, &f.by_text);
    size_t at = 0;
    while (a[at] && a[at] == b[at]) at++;
    size_t from = at < 60 ? 0 : at - 60;
    cr_expect(!a[at] && !b[at], "%s: at %zu\n%.200s\n----- by text\n%.200s", what, at, a + from,
              b + from);
  } else if (reads && f.has_form && getenv("FORMS_SHOW")) {
    fprintf(stderr, "%s: only direct: %s\n", what, f.why);
  }
  arena_destroy(&f.arena);
  return reads;
}

static char *contents(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  cr_assert_not_null(file, "%s", path);
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  char *text = calloc(1, *length + 1);
  cr_assert_eq(fread(text, 1, *length, file), *length);
  fclose(file);
  return text;
}

Test(json_form, is_that_of_the_text) {
  const char *pattern = getenv("FORMS");
  glob_t found;
  uint32_t read = 0;
  cr_assert_eq(glob(pattern ? pattern : "tests/golden/*/*/*.mlir", 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    size_t length;
    char *text = contents(found.gl_pathv[i], &length);
    read += compare(found.gl_pathv[i], text, length);
    free(text);
  }
  cr_expect(read > 0 && (pattern || read >= 80), "%u of %zu", read, found.gl_pathc);
  globfree(&found);
}

static const char *why_not(const char *text) {
  static char why[200];
  forms f = {.text = text, .length = strlen(text)};
  arena_init(&f.arena, 0);
  cr_assert_eq(arena_protect(&f.arena, make, &f), SHAPE_OK);
  cr_assert_eq(f.mlir.diags.errors, 0, "%s",
               f.mlir.diags.count ? f.mlir.diags.items[0].message : "");
  cr_expect(f.has_form || !f.readable, "%s", text);
  snprintf(why, sizeof why, "%s", f.has_form ? "" : f.direct.diags.items[0].message);
  arena_destroy(&f.arena);
  return why;
}

Test(json_form, has_no_more_than_can_be_read) {
  cr_expect_str_eq(why_not("func.func @main() { return }"), "");
  char deep[4000] = "func.func @main() {\n", *end = deep + strlen(deep);
  for (int i = 0; i < 70; i++) end += sprintf(end, "\"x.y\"() ({\n");
  for (int i = 0; i < 70; i++) end += sprintf(end, "}) : () -> ()\n");
  strcpy(end, "return\n}");
  cr_expect(strstr(why_not(deep), "nested too deep"), "%s", why_not(deep));
}

Test(json_form, attributes_are_given_once) {
  char many[2000] = "func.func @main() {\n  \"x.y\"() <{k0 = 1 : i8", *end = many + strlen(many);
  for (int i = 1; i < 20; i++) end += sprintf(end, ", k%d = 2", i);
  char once[2100], twice[2100];
  snprintf(once, sizeof once, "%s}> {k20 = 1} : () -> ()\n  return\n}", many);
  snprintf(twice, sizeof twice, "%s}> {k7 = 1} : () -> ()\n  return\n}", many);
  cr_expect_str_eq(why_not(once), "");
  cr_expect_str_eq(why_not(twice), "an attribute is given twice");
}

Test(json_form, names_differ_where_they_are_visible) {
  static const char TEXT[] = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                             "  %x:2 = \"y.two\"(%a) ({\n"
                             "  ^bb0(%x: tensor<4xf32>):\n"
                             "    %0 = stablehlo.abs %x : tensor<4xf32>\n"
                             "    \"y.end\"(%0) : (tensor<4xf32>) -> ()\n"
                             "  }) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)\n"
                             "  %0 = stablehlo.add %x#0, %x#1 : tensor<4xf32>\n"
                             "  return %0 : tensor<4xf32>\n}\n";
  cr_expect(compare("names", TEXT, strlen(TEXT)));
}
