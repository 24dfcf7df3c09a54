// SPDX-License-Identifier: Apache-2.0
// MLIR bytecode as text: programs of each version of the format, operations of VHLO, and what is said of invalid bytes.
#include <criterion/criterion.h>

#include "solver/formats/bytecode/bytecode.h"
#include "tests/unit/formats/bytecode/writer.h"

enum {
  NAME = 1,
  MASK_ATTRS = 1,
  MASK_RESULTS = 2,
  MASK_OPERANDS = 4,
  MASK_REGIONS = 16,
  MASK_BLOB = 64
};
enum { STRING = 2, TYPE = 6, INTEGER = 8, UNKNOWN_LOC = 15, DENSE = 18 };  // builtin attributes
enum { FUNCTION = 2, F32 = 5, TENSOR = 13 };                               // builtin types

typedef struct printed {
  shape_arena arena;
  const bytes *from;
  bytecode_text text;
  bytecode_error error;
  bool whole, ok;
} printed;

static void print(void *data) {
  printed *p = data;
  const bytecode_options options = {.whole = p->whole};
  p->ok =
      bytecode_print(&p->arena, NULL, p->from->at, p->from->length, &options, &p->text, &p->error);
}

static printed *open_print(const bytes *from, bool whole) {
  printed *p = calloc(1, sizeof *p);
  arena_init(&p->arena, 0);
  p->from = from;
  p->whole = whole;
  cr_assert_eq(arena_protect(&p->arena, print, p), SHAPE_OK);
  return p;
}

static void close_print(printed *p) {
  arena_destroy(&p->arena);
  free(p);
}

static void expect_text(const bytes *from, const char *part) {
  printed *p = open_print(from, false);
  cr_assert(p->ok, "%s", p->error.message);
  cr_expect(strstr(p->text.text, part), "%s\nis not in\n%s", part, p->text.text);
  close_print(p);
}

// The bytes are refused, with a message that names a byte from `low` to `high`.
static void expect_error(const bytes *from, size_t low, size_t high, const char *part) {
  for (int whole = 0; whole < 2; whole++) {
    printed *p = open_print(from, whole);
    cr_assert_not(p->ok);
    cr_expect(strstr(p->error.message, part), "%s", p->error.message);
    cr_expect(p->error.offset >= low && p->error.offset <= high, "%s", p->error.message);
    close_print(p);
  }
}

// --- a program: one function of one operation

typedef struct sample {
  writer w;
  uint32_t tensor, function, loc, sym_name, function_type;
  uint32_t func, ret, op;
} sample;

static void begin_sample(sample *s, uint32_t version, bool vhlo) {
  memset(s, 0, sizeof *s);
  writer *w = &s->w;
  w->version = version;
  const char *types = vhlo ? "vhlo" : "builtin";
  uint32_t f32 = add_type(w, types, vhlo ? FIELDS(4) : FIELDS(F32));
  bytes dims = vhlo ? FIELDS(20, 1) : FIELDS(TENSOR, 1);
  put_signed(&dims, INT64_MIN);
  put(&dims, f32);
  s->tensor = add_type(w, types, dims);
  s->function = add_type(w, types, FIELDS(vhlo ? 8 : FUNCTION, 1, s->tensor, 1, s->tensor));
  s->loc = add_attr(w, "builtin", FIELDS(UNKNOWN_LOC));
  add_op(w, "builtin", "module", true);
  s->func = add_op(w, vhlo ? "vhlo" : "func", vhlo ? "func_v1" : "func", true);
  s->ret = add_op(w, vhlo ? "vhlo" : "func", vhlo ? "return_v1" : "return", true);
  if (vhlo) {
    s->sym_name = add_attr(w, "vhlo", FIELDS(14, add_string(w, "main")));
    s->function_type = add_attr(w, "vhlo", FIELDS(17, s->function));
  } else {
    s->sym_name = add_string_attr(w, "main");
    s->function_type = add_attr(w, "builtin", FIELDS(TYPE, s->function));
  }
}

// The attributes of an operation, as names and values: one blob from version 5 on, else a dictionary.
static void put_attributes(sample *s, bytes *op, const char *const *names, const uint32_t *attrs,
                           unsigned count) {
  bytes data = FIELDS(1, count);
  for (unsigned i = 0; i < count; i++) {
    put(&data, add_string_attr(&s->w, names[i]));
    put(&data, attrs[i]);
  }
  put(op, add_attr(&s->w, "builtin", data));
}

static void begin_op(sample *s, bytes *out, uint32_t name, unsigned mask) {
  put(out, name);
  put_byte(out, mask);
  put(out, s->loc);
}

// Puts `body` into module { func @main(%arg0) { body } }; version 6 of the format, or 0.
static bytes end_sample(sample *s, const bytes *body, unsigned ops, unsigned values, bool vhlo) {
  bool blobs = s->w.version >= 5;
  bytes region = {.length = 0}, func = region, module = region, top = region;
  put(&region, 1);  // blocks
  put(&region, values);
  put(&region, (uint64_t)ops << 1 | 1);
  put(&region, 1);  // argument
  if (s->w.version >= 4) {
    put(&region, s->tensor << 1);
  } else {
    put(&region, s->tensor);
    put(&region, s->loc);
  }
  if (s->w.version >= 3) put_byte(&region, 0);
  put_all(&region, body);
  begin_op(s, &func, s->func, MASK_REGIONS | (blobs ? MASK_BLOB : MASK_ATTRS));
  if (blobs && vhlo) {
    uint32_t none = add_attr(&s->w, "vhlo", FIELDS(1, 0));
    uint32_t empty = add_attr(&s->w, "vhlo", FIELDS(14, add_string(&s->w, "")));
    put(&func, add_blob(&s->w, FIELDS(none, s->function_type, none, s->sym_name, empty)));
  } else if (blobs) {
    put(&func, add_blob(&s->w, FIELDS(0, s->function_type, 0, 0, s->sym_name, 0)));
  } else {
    put_attributes(s, &func, (const char *const[]){"function_type", "sym_name"},
                   (const uint32_t[]){s->function_type, s->sym_name}, 2);
  }
  put(&func, 1 << 1 | 1);
  if (s->w.version >= 2) {
    put_section(&func, 4, &region);
  } else {
    put_all(&func, &region);
  }
  put(&module, 1);
  put(&module, 0);
  put(&module, 1 << 1);
  put_all(&module, &func);
  put(&top, 1 << 1);
  begin_op(s, &top, 0, MASK_REGIONS);
  put(&top, 1 << 1 | 1);
  if (s->w.version >= 2) {
    put_section(&top, 4, &module);
  } else {
    put_all(&top, &module);
  }
  s->w.ir = top;
  return finish(&s->w);
}

static void put_return(sample *s, bytes *body, uint32_t value) {
  begin_op(s, body, s->ret, MASK_OPERANDS);
  put(body, 1);
  put(body, value);
}

// %1 = NAME(%arg0), return %1
static void put_unary(sample *s, bytes *body, uint32_t op, uint32_t blob, uint32_t operand) {
  begin_op(s, body, op, MASK_RESULTS | MASK_OPERANDS | (blob == UINT32_MAX ? 0 : MASK_BLOB));
  if (blob != UINT32_MAX) put(body, blob);
  put(body, 1);
  put(body, s->tensor);
  put(body, 1);
  put(body, operand);
}

static bytes unary(uint32_t version, const char *dialect, const char *name, uint32_t operand,
                   uint32_t returned) {
  sample s;
  bytes body = {.length = 0};
  bool vhlo = strcmp(dialect, "vhlo") == 0;
  begin_sample(&s, version, vhlo);
  put_unary(&s, &body, add_op(&s.w, dialect, name, true), UINT32_MAX, operand);
  put_return(&s, &body, returned);
  return end_sample(&s, &body, 2, 2, vhlo);
}

Test(bytecode, every_version_reads_the_same) {
  for (uint32_t version = 0; version <= 6; version++) {
    bytes file = unary(version, "stablehlo", "tanh", 0, 1);
    expect_text(&file, "^bb0(%arg0: tensor<?xf32>):\n"
                       "    %1 = \"stablehlo.tanh\"(%arg0) : (tensor<?xf32>) -> tensor<?xf32>\n"
                       "    \"func.return\"(%1) : (tensor<?xf32>) -> ()\n");
    expect_text(&file, "function_type = (tensor<?xf32>) -> tensor<?xf32>");
    expect_text(&file, "sym_name = \"main\"");
  }
}

Test(bytecode, vhlo_is_read_as_stablehlo) {
  bytes file = unary(6, "vhlo", "abs_v1", 0, 1);
  expect_text(&file, "%1 = \"stablehlo.abs\"(%arg0) : (tensor<?xf32>) -> tensor<?xf32>\n");
  expect_text(&file, "\"func.return\"(%1)");
  expect_text(&file, "<{function_type = (tensor<?xf32>) -> tensor<?xf32>, sym_name = \"main\"}>");
  bytes unknown = unary(6, "vhlo", "no_such_v1", 0, 1);
  expect_error(&unknown, 0, unknown.length, "'vhlo.no_such_v1' is not known");
}

Test(bytecode, defaults_of_vhlo_are_left_out_and_groups_put_together) {
  sample s;
  bytes body = {.length = 0};
  begin_sample(&s, 6, true);
  uint32_t i64 = add_type(&s.w, "vhlo", FIELDS(14));
  bytes shape = FIELDS(20, 1);
  put_signed(&shape, 1);
  put(&shape, i64);
  uint32_t list_type = add_type(&s.w, "vhlo", shape);
  bytes one = FIELDS(15, list_type, 8), number = FIELDS(9, i64);
  put_raw(&one, "\1\0\0\0\0\0\0\0", 8);
  put_signed(&number, -7);
  uint32_t list = add_attr(&s.w, "vhlo", one), no = add_attr(&s.w, "vhlo", FIELDS(2, 0));
  uint32_t value = add_attr(&s.w, "vhlo", number);
  uint32_t gather = add_op(&s.w, "vhlo", "gather_v1", true);
  // collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims slice_sizes start_index_map
  put_unary(&s, &body, gather, add_blob(&s.w, FIELDS(list, value, no, list, list, list)), 0);
  put_return(&s, &body, 1);
  bytes file = end_sample(&s, &body, 2, 2, true);
  expect_text(
      &file,
      "\"stablehlo.gather\"(%arg0) <{slice_sizes = array<i64: 1>, dimension_numbers = "
      "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [1], "
      "index_vector_dim = -7>}>");
}

Test(bytecode, casts_between_equal_types_vanish) {
  sample s;
  bytes body = {.length = 0};
  begin_sample(&s, 6, true);
  uint32_t cast = add_op(&s.w, "builtin", "unrealized_conversion_cast", true);
  uint32_t abs = add_op(&s.w, "vhlo", "abs_v1", true);
  put_unary(&s, &body, cast, UINT32_MAX, 0);
  put_unary(&s, &body, abs, UINT32_MAX, 1);
  put_return(&s, &body, 2);
  bytes file = end_sample(&s, &body, 3, 3, true);
  expect_text(&file, "%2 = \"stablehlo.abs\"(%arg0)");
}

Test(bytecode, a_use_may_come_before_the_definition) {
  sample s;
  bytes body = {.length = 0};
  begin_sample(&s, 6, false);
  uint32_t op = add_op(&s.w, "stablehlo", "abs", true);
  put_unary(&s, &body, op, UINT32_MAX, 2);  // %1 = abs %2
  put_unary(&s, &body, op, UINT32_MAX, 0);  // %2 = abs %arg0
  put_return(&s, &body, 1);
  bytes file = end_sample(&s, &body, 3, 3, false);
  expect_text(&file, "%1 = \"stablehlo.abs\"(%2) : (tensor<?xf32>) -> tensor<?xf32>\n");
  bytes none = unary(6, "stablehlo", "abs", 1, 1);
  expect_text(&none, "%1 = \"stablehlo.abs\"(%1)");
  sample t;
  bytes short_body = {.length = 0};
  begin_sample(&t, 6, false);
  put_return(&t, &short_body, 1);
  bytes missing = end_sample(&t, &short_body, 1, 2, false);
  expect_error(&missing, 0, missing.length, "value 1 is used and never defined");
}

// --- attributes

typedef struct attr_case {
  bytes data;
  const char *text;
} attr_case;

// The attribute as `value` of a stablehlo.constant of version 6.
static bytes with_attr(sample *s, uint32_t attr) {
  bytes body = {.length = 0};
  uint32_t op = add_op(&s->w, "stablehlo", "constant", true);
  put_unary(s, &body, op, add_blob(&s->w, FIELDS(attr)), 0);
  put_return(s, &body, 1);
  return end_sample(s, &body, 2, 2, false);
}

static void expect_attr(const char *dialect, bytes data, const char *text) {
  sample s;
  char part[256];
  begin_sample(&s, 6, false);
  bytes file = with_attr(&s, add_attr(&s.w, dialect, data));
  snprintf(part, sizeof part, "<{value = %s}>", text);
  expect_text(&file, part);
}

Test(bytecode, attributes_are_written_as_text) {
  expect_attr("builtin", FIELDS(7), "unit");
  expect_attr("builtin", FIELDS(0, 0), "[]");
  expect_attr("builtin", FIELDS(6, 0), "f32");
  expect_attr("stablehlo", FIELDS(2, 5), "#stablehlo<comparison_direction LT>");
  expect_attr("stablehlo", FIELDS(3, 1), "#stablehlo<comparison_type FLOAT>");
  expect_attr("stablehlo", FIELDS(8, 2), "#stablehlo<precision HIGHEST>");
  expect_attr("chlo", FIELDS(0, 1), "#chlo<comparison_direction NE>");
  expect_attr("stablehlo", FIELDS(1, 2, 4), "#stablehlo.channel_handle<handle = 1, type = 2>");
  expect_attr("stablehlo", FIELDS(5, 0, 0, 1, 2, 1, 0),
              "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>");
  // Five lists, and three as writers before the batching dims had them.
  expect_attr("stablehlo", FIELDS(7, 1, 2, 0, 0, 0, 0, 2),
              "#stablehlo.gather<offset_dims = [1], index_vector_dim = 1>");
  expect_attr("stablehlo", FIELDS(7, 1, 2, 0, 1, 4, 2),
              "#stablehlo.gather<offset_dims = [1], start_index_map = [2], index_vector_dim = 1>");
  expect_attr("stablehlo", FIELDS(4, 0, 2, 1, 4, 0, 2, 1, 4, 4, 0, 1, 2),
              "#stablehlo.conv<[b, f, 0]x[i, o, 0]->[f, 0, b]>");
  expect_attr("mine", FIELDS(1, 2, 3), "#mine.e<3>");
}

static void expect_dense(uint64_t width, int64_t dim, const char *data, size_t length,
                         const char *text) {
  sample s;
  char part[256];
  begin_sample(&s, 6, false);
  uint32_t element = add_type(&s.w, "builtin", width ? FIELDS(0, width << 2) : FIELDS(F32));
  bytes tensor = FIELDS(TENSOR, 1), dense = {.length = 0};
  put_signed(&tensor, dim);
  put(&tensor, element);
  put(&dense, DENSE);
  put(&dense, add_type(&s.w, "builtin", tensor));
  put(&dense, length);
  put_raw(&dense, data, length);
  bytes file = with_attr(&s, add_attr(&s.w, "builtin", dense));
  if (!text) {
    expect_error(&file, 0, file.length, "elements of");
    return;
  }
  snprintf(part, sizeof part, "<{value = dense<%s> : tensor<%lldx", text, (long long)dim);
  expect_text(&file, part);
}

Test(bytecode, dense_elements) {
  expect_dense(32, 2, "\1\0\0\0\377\377\377\377", 8, "[1, -1]");
  expect_dense(32, 3, "\7\0\0\0", 4, "7");
  expect_dense(32, 3, "\7\0\0", 3, NULL);
  expect_dense(8, 2, "\200\177", 2, "[-128, 127]");
  expect_dense(4, 2, "\7\17", 2, "[7, -1]");
  expect_dense(1, 3, "\5", 1, "[true, false, true]");
  expect_dense(1, 9, "\377", 1, "true");
  expect_dense(1, 9, "\377\1", 2, "[true, true, true, true, true, true, true, true, true]");
  expect_dense(0, 2, "\0\0\300\77\0\0\200\177", 8, "[1.500000e+00, 0x7F800000]");
  expect_dense(0, 1, "\315\314\314\75", 4, "[1.000000e-01]");
  expect_dense(32, 0, "", 0, "");
  expect_dense(32, 1000000, "\1\0\0\0\2\0\0\0", 8, NULL);
}

// What an analysis does not keep is not written, unless the program is.
Test(bytecode, large_constants_are_elided) {
  enum { COUNT = 2000 };
  static char data[2 * COUNT];
  sample s;
  begin_sample(&s, 6, false);
  uint32_t element = add_type(&s.w, "builtin", FIELDS(0, 2 << 2));
  bytes tensor = FIELDS(TENSOR, 1), dense = {.length = 0};
  put_signed(&tensor, 2 * COUNT);
  put(&tensor, element);
  put(&dense, DENSE);
  put(&dense, add_type(&s.w, "builtin", tensor));
  data[1] = 1;
  put(&dense, 2 * COUNT);
  put_raw(&dense, data, 64);
  bytes file = with_attr(&s, add_attr(&s.w, "builtin", dense));
  expect_error(&file, 0, file.length, "bytes are announced");
}

// --- invalid bytes

Test(bytecode, what_is_invalid_is_refused_with_its_byte) {
  bytes good = unary(6, "stablehlo", "tanh", 0, 1), invalid = good;
  for (size_t length = 4; length < good.length; length++) {
    invalid.length = length;
    expect_error(&invalid, 0, length, "byte ");
  }
  invalid = good;
  invalid.at[4] = 7 << 1 | 1;
  expect_error(&invalid, 4, 4, "expected a version of the format of at most 6, found 7");
  invalid = good;
  put_byte(&invalid, 9);
  put(&invalid, 0);
  expect_error(&invalid, good.length, good.length + 1, "expected a section of 0 to 8, found 9");
  invalid = good;
  put_byte(&invalid, 4);
  put(&invalid, 0);
  expect_error(&invalid, good.length, good.length + 1, "section 4 (operations) is there twice");
  bytes operand = unary(6, "stablehlo", "tanh", 2, 1);
  expect_error(&operand, 0, operand.length, "index 2 of 2 values");
}

Test(bytecode, entries_that_hold_themselves) {
  sample s;
  begin_sample(&s, 6, false);
  uint32_t self = s.w.attr_count;
  bytes circle = with_attr(&s, add_attr(&s.w, "builtin", FIELDS(0, 1, self)));
  expect_error(&circle, 0, circle.length, "holds itself");
  begin_sample(&s, 6, false);
  uint32_t type = s.w.type_count;
  add_type(&s.w, "builtin", FIELDS(15, 1, type));
  bytes tuple = with_attr(&s, add_attr(&s.w, "builtin", FIELDS(TYPE, type)));
  expect_error(&tuple, 0, tuple.length, "holds itself");
}

// Each holds the one before twice: the text would double at every step.
Test(bytecode, entries_that_grow_are_bounded) {
  sample s;
  begin_sample(&s, 6, false);
  uint32_t last = add_attr(&s.w, "builtin", FIELDS(7));
  for (int i = 0; i < 40; i++) last = add_attr(&s.w, "builtin", FIELDS(0, 2, last, last));
  bytes file = with_attr(&s, last);
  printed *p = open_print(&file, false);
  cr_expect_not(p->ok);
  cr_expect(strstr(p->error.message, "too long"), "%s", p->error.message);
  cr_expect(p->arena.peak < (64u << 20));
  close_print(p);
}

Test(bytecode, assembly_text_stays_in_its_brackets) {
  static const char *const INVALID[] = {"#mine.a<", "#mine.a>",    "1, x = 2",
                                        "\"",       "#mine.a<(>)", ""};
  for (size_t i = 0; i < sizeof INVALID / sizeof *INVALID; i++) {
    sample s;
    begin_sample(&s, 6, false);
    bytes file = with_attr(&s, add_text(&s.w, "mine", INVALID[i]));
    expect_error(&file, 0, file.length, "assembly text");
  }
  sample s;
  begin_sample(&s, 6, false);
  bytes file = with_attr(&s, add_text(&s.w, "mine", "#mine.a<\"<\", (d0) -> (d0)>"));
  expect_text(&file, "value = #mine.a<\"<\", (d0) -> (d0)>");
}

// --- the graph

static void read_graph(void *data) {
  printed *p = data;
  shape_graph *g = arena_zalloc(&p->arena, sizeof *g);
  graph_init(g, &p->arena, GRAPH_BYTECODE, (const char *)p->from->at, p->from->length);
  bytecode_read(g, NULL);
  if (p->whole) {
    cr_assert_eq(g->diags.count, 1u);
    cr_expect(strstr(g->diags.items[0].message, "byte "), "%s", g->diags.items[0].message);
    return;
  }
  cr_assert_eq(g->diags.count, 0u);
  cr_assert_eq(g->func_count, 1u);
  cr_expect_eq(g->op_count, 2u);
  cr_expect_str_eq(graph_op_name(g, 0), "stablehlo.tanh");
}

Test(bytecode, a_graph_is_made_of_the_text) {
  bytes good = unary(6, "stablehlo", "tanh", 0, 1), cut = good;
  cut.length--;
  for (int invalid = 0; invalid < 2; invalid++) {
    printed p = {.from = invalid ? &cut : &good, .whole = invalid};
    arena_init(&p.arena, 0);
    cr_assert_eq(arena_protect(&p.arena, read_graph, &p), SHAPE_OK);
    arena_destroy(&p.arena);
  }
}
