// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <string.h>

#include "solver/formats/json/decode.h"
#include "solver/formats/json/encode.h"
#include "tests/support/graph_dump.h"
#include "solver/graph/verify.h"

typedef struct fixture {
  shape_arena arena;
  shape_budget budget;
  shape_graph g;
} fixture;

static void decode(fixture *f, const char *text) {
  arena_init(&f->arena, 0);
  budget_init(&f->budget, &f->arena, UINT64_MAX, NULL);
  graph_init(&f->g, &f->arena, GRAPH_JSON, text, strlen(text));
  graph_json_decode(&f->g, &f->budget);
}

static const char *dump(fixture *f) {
  shape_strbuf out;
  strbuf_init(&out, &f->arena);
  graph_dump(&f->g, &out);
  return strbuf_text(&out);
}

// Decodes without errors, keeps the invariants, and survives being encoded.
static void good(fixture *f, const char *text) {
  decode(f, text);
  cr_assert_eq(f->g.diags.errors, 0, "%s", f->g.diags.count ? f->g.diags.items[0].message : "");
  cr_assert_null(graph_verify(&f->g), "%s", graph_verify(&f->g));
  shape_strbuf json;
  strbuf_init(&json, &f->arena);
  graph_json_encode(&f->g, &json);
  fixture again;
  decode(&again, strbuf_text(&json));
  cr_assert_eq(again.g.diags.errors, 0, "%s: %s", again.g.diags.items[0].message, json.data);
  cr_assert_str_eq(dump(f), dump(&again));
  arena_destroy(&again.arena);
}

static void same(const char *a, const char *b) {
  fixture x, y;
  good(&x, a);
  good(&y, b);
  cr_assert_str_eq(dump(&x), dump(&y));
  arena_destroy(&x.arena);
  arena_destroy(&y.arena);
}

static void good_and_gone(const char *text) {
  fixture f;
  good(&f, text);
  arena_destroy(&f.arena);
}

static void refuses(const char *text, const char *message) {
  fixture f;
  decode(&f, text);
  bool found = false;
  for (uint32_t i = 0; i < f.g.diags.count; i++)
    found |= strcmp(f.g.diags.items[i].message, message) == 0;
  cr_assert(found, "%s: %s", text, f.g.diags.count ? f.g.diags.items[0].message : "no error");
  arena_destroy(&f.arena);
}

#define MAIN(ops)                                                                                  \
  "{\"functions\":[{\"name\":\"main\",\"arguments\":[[\"x\",\"tensor<?xf32>\"]],\"ops\":[" ops     \
  "]}]}"

Test(graph_json, long_and_short_forms_are_the_same) {
  same(MAIN("{\"name\":\"a.b\",\"operands\":[\"x\"],\"results\":[{\"name\":\"y\",\"type\":\"f32\"},"
            "{\"name\":\"z\",\"type\":\"f32\"}],"
            "\"attributes\":{\"k\":1},\"regions\":[{\"arguments\":[{\"name\":\"r\",\"type\":"
            "\"f32\"}],\"ops\":[{\"name\":\"a.c\","
            "\"operands\":[\"r\"]}]}]}"),
       MAIN("[\"a.b\",[\"x\"],[\"y\",\"f32\",\"z\",\"f32\"],{\"k\":1},[[[\"r\",\"f32\"],[\"a.c\",["
            "\"r\"]]]]]"));
  same(MAIN("[\"a.b\",[\"x\"],[[\"y\",\"f32\"]]]"),
       MAIN("[\"a.b\",[\"x\"],[\"y\",\"f32\"],{},[],[],\"more\"]"));
}

Test(graph_json, versions_of_operators) {
  fixture f;
  good(&f, "{\"functions\":[{\"ops\":[[\"onnx.Foo\"]]}],\"opset\":13}");
  cr_assert_eq(f.g.onnx_opset, 13);
  shape_strbuf json;
  strbuf_init(&json, &f.arena);
  graph_json_encode(&f.g, &json);
  cr_assert_not_null(strstr(strbuf_text(&json), "\"opset\":13"));
  arena_destroy(&f.arena);
  refuses("{\"opset\":0,\"functions\":[]}", "opset: \"opset\" is a version, from 1 on");
  refuses("{\"opset\":65536,\"functions\":[]}", "opset: \"opset\" is a version, from 1 on");
}

Test(graph_json, keys_come_in_any_order) {
  same(MAIN("{\"regions\":[[[\"r\",\"f32\"],[\"a.c\",[\"r\"]]]],\"results\":[\"y\",\"f32\"],"
            "\"operands\":[\"x\"],\"name\":\"a.b\"}"),
       MAIN("[\"a.b\",[\"x\"],[\"y\",\"f32\"],{},[[[\"r\",\"f32\"],[\"a.c\",[\"r\"]]]]]"));
  same(MAIN("{\"results\":[\"y\",\"f32\"],\"regions\":[[[\"r\",\"f32\"],[\"a.c\",[\"r\",\"r\"]]]],"
            "\"operands\":[\"x\"],\"name\":\"a.b\"}"),
       MAIN("[\"a.b\",[\"x\"],[\"y\",\"f32\"],{},[[[\"r\",\"f32\"],[\"a.c\",[\"r\",\"r\"]]]]]"));
  same("{\"functions\":[{\"returns\":[\"y\"],\"ops\":[[\"a.b\",[\"x\"],[\"y\",\"f32\"]]],"
       "\"results\":[\"f32\"],"
       "\"arguments\":[\"x\",\"f32\"],\"name\":\"main\"}]}",
       "{\"functions\":[{\"name\":\"main\",\"arguments\":[\"x\",\"f32\"],\"results\":[\"f32\"],"
       "\"ops\":[[\"a.b\",[\"x\"],[\"y\",\"f32\"]],[\"func.return\",[\"y\"]]]}]}");
}

Test(graph_json, results_default_to_what_is_returned) {
  same("{\"functions\":[{\"name\":\"f\",\"arguments\":[\"x\",\"f32\"],\"returns\":[\"x\",\"x\"]}]}",
       "{\"functions\":[{\"name\":\"f\",\"arguments\":[\"x\",\"f32\"],\"results\":[\"f32\",\"f32\"]"
       ",\"returns\":[\"x\",\"x\"]}]}");
}

static const char *name_of(fixture *f, value_id v) {
  uint32_t length;
  const char *text = graph_value_text(&f->g, v, &length);
  return arena_strndup(&f->arena, text, length);
}

// Numbers are kept apart from other names and not in the table of names; what does not look like one is a name.
Test(graph_json, numbers_as_names_of_values) {
  fixture f;
  good(&f, MAIN("[\"a\",[\"x\"],[\"0\",\"f32\",\"00\",\"f32\",\"7\",\"f32\",\"99999999\",\"f32\"]],"
                "[\"b\",[\"7\",\"00\",\"0\",\"99999999\"],[\"-7\",\"f32\",\"7 \",\"f32\"]]"));
  static const char *const NAMES[] = {"x", "0", "00", "7", "99999999", "-7", "7 "};
  for (value_id v = 0; v < 7; v++) cr_expect_str_eq(name_of(&f, v), NAMES[v]);
  for (uint32_t i = 0; i < 4; i++) {
    static const value_id USED[] = {3, 2, 1, 4};
    cr_expect_eq(graph_operand(&f.g, 1, i), USED[i]);
  }
  cr_expect_eq(f.g.values[1].name, NAME_NONE);
  graph_name_values(&f.g);
  for (value_id v = 0; v < 7; v++) cr_expect_str_eq(name_of(&f, v), NAMES[v]);
  cr_expect_str_eq(intern_text(&f.g.names, f.g.values[1].name), "0");
  arena_destroy(&f.arena);
}

Test(graph_json, numbers_with_escapes) {
  fixture f;
  good(&f, MAIN("[\"a\",[],[\"1\\u0032\",\"f32\",\"\\u0031\",\"f32\"]],[\"b\",[\"12\",\"1\"]]"));
  cr_expect_str_eq(name_of(&f, 1), "12");
  cr_expect_str_eq(name_of(&f, 2), "1");
  cr_expect_eq(graph_operand(&f.g, 1, 0), 1);
  cr_expect_eq(graph_operand(&f.g, 1, 1), 2);
  arena_destroy(&f.arena);
}

// Letters before a number make a series of their own, the first few of them; others have names.
Test(graph_json, numbers_behind_letters) {
  static const char *const NAMES[] = {"x", "1", "v1", "a_1", "b1", "c1", "v01", "w1x", "eightlet1"};
  fixture f;
  good(&f,
       MAIN("[\"a\",[],[\"1\",\"f32\",\"v1\",\"f32\",\"a_1\",\"f32\",\"b1\",\"f32\",\"c1\","
            "\"f32\",\"v01\",\"f32\",\"w1x\",\"f32\",\"eightlet1\",\"f32\"]],[\"b\",[\"1\",\"v1\","
            "\"a_1\",\"b1\",\"c1\",\"v01\",\"w1x\",\"eightlet1\",\"\\u0076\\u0031\"]]"));
  for (uint32_t i = 0; i < 8; i++) {
    cr_expect_eq(graph_operand(&f.g, 1, i), i + 1, "%s", NAMES[i + 1]);
  }
  cr_expect_eq(graph_operand(&f.g, 1, 8), 2);
  cr_expect_eq(f.g.values[2].name, NAME_NONE);
  cr_expect_neq(f.g.values[5].name, NAME_NONE);
  graph_name_values(&f.g);
  for (value_id v = 0; v < 9; v++) cr_expect_str_eq(name_of(&f, v), NAMES[v]);
  arena_destroy(&f.arena);
  good(&f,
       MAIN("[\"a\",[],[\"v\\u0031\",\"f32\",\"\\u0061b2\",\"f32\"]],[\"b\",[\"v1\",\"ab2\"]]"));
  cr_expect_str_eq(name_of(&f, 1), "v1");
  cr_expect_str_eq(name_of(&f, 2), "ab2");
  arena_destroy(&f.arena);
  refuses(MAIN("[\"a\",[],[\"v1\",\"f32\",\"v1\",\"f32\"]]"),
          "functions[0].ops[0][2]: value \"v1\" is defined already");
  refuses(
      MAIN("[\"a\",[],[\"v1\",\"f32\"]],[\"b\",[\"w1\"]]"),
      "functions[0].ops[1][1][0]: value \"w1\" is not defined here (a value is defined before it "
      "is used)");
  refuses(
      MAIN("[\"a\",[],[],{},[[[],[\"b\",[],[\"v5\",\"f32\"]]]]],[\"c\",[\"v5\"]]"),
      "functions[0].ops[1][1][0]: value \"v5\" is not defined here (a value is defined before it "
      "is "
      "used)");
}

// An escape spells the same name, and a scope that ends takes its numbers with it.
Test(graph_json, numbers_in_scopes) {
  good_and_gone(MAIN("[\"a\",[],[\"1\",\"f32\"]],[\"b\",[\"\\u0031\"]]"));
  good_and_gone(
      MAIN("[\"a\",[],[],{},[[[],[\"b\",[],[\"5\",\"f32\"]]]]],[\"c\",[],[\"5\",\"f32\"]]"));
  refuses(MAIN("[\"a\",[],[\"1\",\"f32\",\"1\",\"f32\"]]"),
          "functions[0].ops[0][2]: value \"1\" is defined already");
  refuses(MAIN("[\"a\",[\"1\"]]"), "functions[0].ops[0][1][0]: value \"1\" is not defined here "
                                   "(a value is defined before it is used)");
  refuses(
      MAIN("[\"a\",[],[\"1\",\"f32\"]],[\"b\",[\"01\"]]"),
      "functions[0].ops[1][1][0]: value \"01\" is not defined here (a value is defined before it "
      "is used)");
  refuses(
      MAIN("[\"a\",[],[],{},[[[],[\"b\",[],[\"5\",\"f32\"]]]]],[\"c\",[\"5\"]]"),
      "functions[0].ops[1][1][0]: value \"5\" is not defined here (a value is defined before it is "
      "used)");
}

Test(graph_json, types_as_objects) {
  fixture f;
  good(&f, "{\"functions\":[{\"name\":\"f\",\"arguments\":[[\"a\",{\"dtype\":\"float32\",\"dims\":["
           "2,\"12\",null,\"?\",\"N\"]}],"
           "[\"b\",{\"dtype\":\"i1\"}],[\"c\",{\"dtype\":\"i1\",\"dims\":null}],"
           "[\"d\",{\"dtype\":\"f32\",\"dims\":[null,3],\"bounds\":[8,null]}],[\"e\",{\"sequence\":"
           "\"f32\"}]]}]}");
  const graph_type *t = type_get(&f.g.types, f.g.funcs[0].type);
  const graph_type *a = type_get(&f.g.types, t->params[0]);
  cr_assert(a->rank == 5 && a->dims[0] == 2 && a->dims[1] == 12 && a->dims[2] == DIM_DYNAMIC &&
            a->dims[3] == DIM_DYNAMIC);
  cr_assert(dim_is_symbol(a->dims[4]) && f.g.declared.symbol_count == 1);
  cr_assert_eq(type_get(&f.g.types, t->params[1])->kind, TYPE_SCALAR);
  cr_assert_eq(type_get(&f.g.types, t->params[2])->kind, TYPE_UNRANKED);
  const graph_type *d = type_get(&f.g.types, t->params[3]);
  cr_assert(d->has_bounds && d->bounds[0] == 8 && d->bounds[1] == DIM_DYNAMIC);
  arena_destroy(&f.arena);
}

Test(graph_json, attributes) {
  fixture f;
  good(&f, MAIN("[\"a.b\",[],[],{\"i\":-9223372036854775808,\"l\":[1,2],\"e\":[],\"m\":[1,\"x\"],"
                "\"d\":{\"dense\":[[1,2],[3,4]],"
                "\"type\":\"tensor<2x2xi8>\"},\"s\":{\"dense\":7,\"type\":\"tensor<3xi64>\"},\"b\":"
                "{\"dense\":[true,false],"
                "\"type\":\"tensor<2xi1>\"},\"n\":{\"float\":\"nan\",\"type\":\"f32\"},\"t\":{"
                "\"type\":\"f32\"},\"w\":{\"enum\":\"LT\"},"
                "\"x\":{\"dict\":{\"type\":\"f32\"}},\"g\":{\"#a.g\":{\"k\":[1]}},\"o\":{\"type\":"
                "1,\"other\":2}}]"));
  int64_t value;
  const int64_t *values;
  uint32_t count;
  cr_assert(graph_attr_int(&f.g, graph_attr_named(&f.g, 0, "i"), &value) && value == INT64_MIN);
  cr_assert(graph_attr_ints(&f.g, graph_attr_named(&f.g, 0, "d"), &values, &count) && count == 4 &&
            values[3] == 4);
  cr_assert(graph_attr_ints(&f.g, graph_attr_named(&f.g, 0, "s"), &values, &count) && count == 3 &&
            values[2] == 7);
  cr_assert_str_eq(graph_attr_text(&f.g, graph_attr_named(&f.g, 0, "w")), "LT");
  attr_id o = graph_attr_named(&f.g, 0, "o");
  cr_assert_eq(graph_attr_get(&f.g, o)->kind, ATTR_DICT);
  cr_assert_neq(graph_attr_entry(&f.g, o, "type"), ATTR_NONE);
  arena_destroy(&f.arena);
}

static void list_is(const fixture *f, const char *name, uint32_t want, int64_t last) {
  const int64_t *values;
  uint32_t count;
  cr_assert(graph_attr_ints(&f->g, graph_attr_named(&f->g, 0, name), &values, &count), "%s", name);
  cr_assert_eq(count, want, "%s has %u", name, count);
  for (uint32_t i = 0; i + 1 < count; i++) cr_expect_eq(values[i], (int64_t)i, "%s[%u]", name, i);
  cr_expect_eq(values[count - 1], last, "%s", name);
}

// Around the lengths that short lists and short numbers have, and with blanks, which end a number as commas do.
Test(graph_json, lists_of_integers) {
  fixture f;
  good(&f, MAIN("[\"a.b\",[],[],{\"a\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,-15],"
                "\"b\":[ 0 , 1 ,2,3,4,5,6,7,8,9,10,11,12,13,14,15 , 99 ],"
                "\"c\":{\"dense\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,-16],"
                "\"type\":\"tensor<17xi64>\"},\"d\":[0,999999999999999999],"
                "\"e\":[0,-9223372036854775808],\"f\":[0,\"x\"],"
                "\"g\":{\"dense\":[[0],[-0]],\"type\":\"tensor<2x1xi64>\"}}]"));
  list_is(&f, "a", 16, -15);
  list_is(&f, "b", 17, 99);
  list_is(&f, "c", 17, -16);
  list_is(&f, "d", 2, 999999999999999999);
  list_is(&f, "e", 2, INT64_MIN);
  list_is(&f, "g", 2, 0);
  cr_expect_eq(graph_attr_get(&f.g, graph_attr_named(&f.g, 0, "f"))->kind, ATTR_ARRAY);
  arena_destroy(&f.arena);
  refuses(MAIN("[\"a\",[],[],{\"v\":{\"dense\":[1.5],\"type\":\"tensor<1xi8>\"}}]"),
          "functions[0].ops[0][3].v.dense[0]: not an element of type i8");
  refuses(MAIN("[\"a\",[],[],{\"v\":{\"dense\":[0,2],\"type\":\"tensor<2xi1>\"}}]"),
          "functions[0].ops[0][3].v.dense[1]: not an element of type i1");
}

#define RICH                                                                                       \
  "\"i\":7,\"l\":[1,2],\"m\":[1,[2,\"x\"],{\"k\":[3]}],\"d\":{\"dense\":[4,5],\"type\":"           \
  "\"tensor<2xi8>\"},\"o\":{\"opaque\":\"a.b\"},\"g\":{\"#a.g\":{\"k\":[1],\"e\":{\"enum\":"       \
  "\"LT\"}}},"                                                                                     \
  "\"z\":{},\"u\":null}"

// The text of attributes that is not read again: a blank in it makes another text of the same meaning.
Test(graph_json, repeated_attributes) {
  same(MAIN("[\"a\",[],[],{" RICH "],[\"a\",[],[],{" RICH "],[\"a\",[],[],{" RICH "]"),
       MAIN("[\"a\",[],[],{" RICH "],[\"a\",[],[],{ " RICH "],[\"a\",[],[],{  " RICH "]"));
  same(MAIN("[\"a\",[],[],{\"k\":1}],[\"a\",[],[],{\"k\":12}],[\"b\",[],[],{\"k\":12}],[\"a\",[],[]"
            ",{}]"),
       MAIN("[\"a\",[],[],{\"k\": 1}],[\"a\",[],[],{\"k\": 12}],[\"b\",[],[],{\"k\": "
            "12}],[\"a\",[],[],{ "
            "}]"));
  fixture f;
  good(&f, MAIN("[\"a\",[],[],{" RICH "],[\"b\",[]],[\"a\",[],[],{" RICH "]"));
  cr_expect_eq(f.g.ops[2].attrs, f.g.ops[0].attrs);
  cr_expect_eq(f.g.ops[2].attr_count, f.g.ops[0].attr_count);
  arena_destroy(&f.arena);
  // Those of symbols say where each is.
  good(&f,
       MAIN("[\"a\",[],[],{\"f\":{\"symbol\":\"g\"}}],[\"a\",[],[],{\"f\":{\"symbol\":\"g\"}}]"));
  cr_expect_neq(f.g.ops[1].attrs, f.g.ops[0].attrs);
  arena_destroy(&f.arena);
  // What is wrong is said of each.
  const char *wrong = MAIN("[\"b\",[]],[\"a\",[],[],{\"v\":{\"dense\":[3],\"type\":\"f32\"}}],"
                           "[\"a\",[],[],{\"v\":{\"dense\":[3],\"type\":\"f32\"}}]");
  refuses(wrong, "functions[0].ops[1][3].v.dense: \"dense\" needs a tensor type of known dims");
  refuses(wrong, "functions[0].ops[2][3].v.dense: \"dense\" needs a tensor type of known dims");
}

static void put_times(shape_strbuf *out, const char *text, int times) {
  while (times--) strbuf_puts(out, text);
}

// Attributes that were not too deep where they were first are where regions hold them.
Test(graph_json, repeated_attributes_deeper) {
  for (int regions = 0; regions <= 2; regions++) {
    fixture f;
    shape_arena arena;
    shape_strbuf text;
    arena_init(&arena, 0);
    strbuf_init(&text, &arena);
    strbuf_puts(&text, "{\"functions\":[{\"name\":\"f\",\"arguments\":[],\"ops\":[");
    for (int op = 0; op < 2; op++) {
      int inside = op ? regions : 0;
      put_times(&text, "[\"r\",[],[],{},[[[],", inside);
      strbuf_puts(&text, "[\"a\",[],[],{\"k\":");
      // An operation of the function's is in 5 levels, its attributes in 6, a region's operations in 3 more.
      put_times(&text, "[", GRAPH_JSON_DEPTH - 9);
      put_times(&text, "]", GRAPH_JSON_DEPTH - 9);
      strbuf_puts(&text, "}]");
      put_times(&text, "]]]", inside);
      strbuf_puts(&text, op ? "]}]}" : ",");
    }
    decode(&f, strbuf_text(&text));
    cr_expect_eq(f.g.diags.errors, regions == 2, "%d: %u", regions, f.g.diags.errors);
    arena_destroy(&f.arena);
    arena_destroy(&arena);
  }
}

Test(graph_json, symbols) {
  fixture f;
  good(&f, "{\"functions\":[],\"constraints\":[\"N > "
           "1\"],\"symbols\":[\"B\",{\"name\":\"N\",\"min\":\"1\",\"max\":64,\"divisible_by\":4,"
           "\"ranges\":[[1,8],[16,null]],\"likely\":[8,64]},{\"name\":\"v\",\"value\":true},{"
           "\"name\":\"w\",\"min\":null}]}");
  const graph_symbol *s = f.g.declared.symbols;
  cr_assert(f.g.declared.symbol_count == 4 && s[0].min == 0 && s[0].max == INT64_MAX);
  cr_assert(s[1].min == 1 && s[1].max == 64 && s[1].multiple_of == 4 && s[1].range_count == 2 &&
            s[1].likely_count == 2);
  cr_assert(s[1].ranges[3] == 64 && s[2].is_value && s[2].min == INT64_MIN &&
            s[3].min == INT64_MIN);
  cr_assert_str_eq(f.g.declared.assumptions[0].text, "N > 1");
  arena_destroy(&f.arena);
}

Test(graph_json, errors_are_named_by_path) {
  refuses(MAIN("{\"name\":\"a\",\"results\":[\"z\",\"f32\"],\"operands\":[\"z\"]}"),
          "functions[0].ops[0].operands[0]: value \"z\" is not defined here (a "
          "value is defined before it is used)");
  refuses(MAIN("[\"a.b\",[],[\"z\",\"f32\"],{},[[[],[\"a.b\",[\"z\"]]]]]"),
          "functions[0].ops[0][4][0][1][1][0]: value \"z\" is not defined here (a "
          "value is defined before it is used)");
  refuses("[]", "expected an object, found an array");
  refuses("{}", "a graph needs \"functions\"");
  refuses("{\"functions\":3}", "functions: expected an array, found a number");
  refuses("{\"functions\":[3]}", "functions[0]: expected an object, found a number");
  refuses("{\"functions\":[{\"name\":3}]}", "functions[0].name: expected a string, found a number");
  refuses(MAIN("[\"a.b\",[\"y\"]]"),
          "functions[0].ops[0][1][0]: value \"y\" is not defined here (a "
          "value is defined before it is used)");
  refuses(MAIN("{\"name\":\"a\",\"operands\":[1]}"),
          "functions[0].ops[0].operands[0]: expected the name of a value, or null, found a number");
  refuses(MAIN("[\"a\",[],[\"x\",\"f32\"]]"),
          "functions[0].ops[0][2]: value \"x\" is defined already");
  refuses(MAIN("[\"a\",[],[\"y\"]]"), "functions[0].ops[0][2]: the last name has no type");
  refuses(MAIN("{\"operands\":[]}"), "functions[0].ops[0]: an operation needs a \"name\"");
  refuses(MAIN("[\"a\",[],[\"y\",{\"dtype\":\"f99\"}]]"),
          "functions[0].ops[0][2][1].dtype: \"f99\" is no element type");
  refuses(MAIN("[\"a\",[],[\"y\",{\"dtype\":\"f32\",\"dims\":[-1]}]]"),
          "functions[0].ops[0][2][1].dims[0]: a dim is an integer from 0 to 2^63-1");
  refuses(MAIN("[\"a\",[],[],{\"v\":{\"dense\":[1],\"type\":\"tensor<2xi8>\"}}]"),
          "functions[0].ops[0][3].v.dense: 1 elements for a type that has 2");
  refuses(MAIN("[\"a\",[],[],{\"v\":{\"dense\":[1,128],\"type\":\"tensor<2xi8>\"}}]"),
          "functions[0].ops[0][3].v.dense[1]: not an element of type i8");
  refuses(MAIN("[\"a\",[],[],{\"v\":99999999999999999999}]"),
          "functions[0].ops[0][3].v: the integer does not fit in 64 bits");
  refuses("{\"functions\":[],\"symbols\":[{\"min\":1}]}", "symbols[0]: a symbol needs a \"name\"");
  refuses("{\"functions\":[],\"symbols\":[{\"name\":\"a\",\"min\":3,\"max\":2}]}",
          "symbols[0]: \"min\" is greater than \"max\"");
  refuses("{\"functions\":[],\"symbols\":[\"a\",\"a\"]}",
          "symbols[1]: symbol \"a\" is declared twice");
  refuses("{\"functions\":[],\"symbols\":[{\"name\":\"a\",\"ranges\":[[2,1]]}]}",
          "symbols[0].ranges[0]: a range is [minimum, maximum]");
  refuses("{\"functions\":[],\"constraints\":[1]}",
          "constraints[0]: expected a string, found a number");
}

Test(graph_json, names_of_regions_end_with_them) {
  fixture f;
  good(&f,
       MAIN("[\"a\",[],[],{},[[[\"r\",\"f32\"]],[[\"r\",\"f32\"]]]],[\"b\",[],[\"r\",\"f32\"]]"));
  arena_destroy(&f.arena);
  refuses(
      MAIN("[\"a\",[],[],{},[[[\"r\",\"f32\"]]]],[\"b\",[\"r\"]]"),
      "functions[0].ops[1][1][0]: value \"r\" is not defined here (a value is defined before it is "
      "used)");
}

// Text that was not validated: nothing but an error may come of it.
#define BLOCKS(switch_to, branch_to)                                                               \
  "{\"functions\": [{\"name\": \"main\", \"arguments\": [\"f\", \"i1\", \"a\", "                   \
  "\"tensor<?xf32>\"], "                                                                           \
  "\"blocks\": [[[\"f\", \"i1\", \"a\", \"tensor<?xf32>\"], [\"cf.cond_br\", [\"f\", \"a\"], [], " \
  "{\"operandSegmentSizes\": [1, 1, 0]}, [], " switch_to "]], [[\"x\", \"tensor<?xf32>\"], "       \
  "{\"name\": \"cf.br\", \"successors\": " branch_to ", \"operands\": []}], "                      \
  "[[], [\"func.return\", [\"a\"]]]]}]}"

Test(graph_json, successors) {
  fixture f;
  good(&f, BLOCKS("[[1, 1, 1], [2]]", "[[2, 0, 0]]"));
  cr_assert_eq(f.g.successors.count, 3);
  cr_assert_eq(f.g.successors.items[0].block, 1);
  cr_assert_eq(f.g.successors.items[0].first, 1);
  cr_assert_eq(f.g.successors.items[0].count, 1);
  cr_assert_eq(f.g.successors.items[1].count, GRAPH_OPERANDS_UNKNOWN);
  cr_assert_eq(f.g.successors.items[2].block, 2);
  arena_destroy(&f.arena);
  static const char *const wrong[] = {
      BLOCKS("[[3, 1, 1], [2]]", "[[2]]"),
      BLOCKS("[[1, 1, 2], [2]]", "[[2]]"),
      BLOCKS("[[-1, 1, 1], [2]]", "[[2]]"),
      BLOCKS("[[1, 1, 1], [2]]", "[[0]]"),
      BLOCKS("[[1, 1], [2]]", "[[2]]"),
      BLOCKS("[[\"x\"], [2]]", "[[2]]"),
      BLOCKS("[1, 2]", "[[2]]"),
      BLOCKS("{}", "[[2]]"),
      BLOCKS("[[1, 1, 4294967295], [2]]", "[[4294967295]]"),
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    decode(&f, wrong[i]);
    cr_assert_gt(f.g.diags.errors, 0, "%s", wrong[i]);
    cr_assert_null(graph_verify(&f.g), "%s: %s", wrong[i], graph_verify(&f.g));
    arena_destroy(&f.arena);
  }
}

Test(graph_json, successors_stand_in_the_order_of_operations) {
  fixture f;
  good(
      &f,
      "{\"functions\": [{\"name\": \"main\", \"blocks\": [[[], {\"name\": \"x.br\", \"regions\": ["
      "{\"blocks\": [[[], [\"x.br\", [], [], {}, [], [[1], [2]]]], [[], [\"x.br\", [], [], {}, [], "
      "[[2]]]], [[], [\"x.y\"]]]}], \"successors\": [[2], [1]]}], [[], [\"x.br\", [], [], {}, [], "
      "[[2]]]], [[], [\"x.y\"]]]}]}");
  static const uint32_t BLOCKS_OF[] = {2, 1, 1, 2, 2, 2};
  cr_assert_eq(f.g.successors.count, 6);
  for (uint32_t i = 0; i < 6; i++)
    cr_expect_eq(f.g.successors.items[i].block, BLOCKS_OF[i], "%u", i);
  cr_assert_null(graph_verify(&f.g), "%s", graph_verify(&f.g));
  arena_destroy(&f.arena);
}

Test(graph_json, invalid_text_and_depth) {
  static const char TEXT[] = MAIN(
      "[\"a.b\",[\"x\"],[\"y\",\"f32\"],{\"k\":{\"dense\":[1],\"type\":\"tensor<1xi8>\"}},[[[]]]]");
  char cut[sizeof TEXT];
  for (size_t n = 0; n < sizeof TEXT - 1; n++) {
    memcpy(cut, TEXT, n);
    cut[n] = 0;
    fixture f;
    decode(&f, cut);
    cr_assert_gt(f.g.diags.errors, 0u, "%s", cut);
    arena_destroy(&f.arena);
  }
  char deep[20000] = "{\"functions\":";
  memset(deep + strlen(deep), '[', 15000);
  fixture f;
  decode(&f, deep);
  cr_assert_gt(f.g.diags.errors, 0u);
  arena_destroy(&f.arena);
}
