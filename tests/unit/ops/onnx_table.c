// SPDX-License-Identifier: Apache-2.0
// One row per case of an ONNX operator: its inputs, its attributes, and the dims of its results by the specification.
//
//   inputs      words: f:N,3 is a float tensor of dims N and 3, f: a scalar, f an unknown shape (also i int64, j int32, b bool,
//               u uint8, s string); =1,2 an int64 constant, =#1 a scalar one, =1.5,2.0 a float one; - is absent
//   attributes  words: axis=1 pads=[1,1] alpha=0.5 scales=[1.0,2.0] mode=linear
//   expected    what sizes_of says of each result, separated by "; "; "~" is not asked about; "error"
// A chain is several nodes, "s = Shape a; y = Resize a - - s mode=linear": words with = inside are attributes; its
// inputs are those above with a name, "a=f:N,3 k==1.0,2.0"; what is expected is that of y.
#include "tests/support/onnx_model.h"

typedef struct onnx_row {
  const char *op;  // with its domain where that is not ai.onnx
  int64_t opset;
  const char *inputs, *attributes, *expected;
} onnx_row;

static const onnx_row rows[] = {
#define ROW(op, opset, inputs, attributes, expected) {op, opset, inputs, attributes, expected},
#include "tests/unit/ops/onnx_rows.def"
#undef ROW
};

typedef struct onnx_chain {
  int64_t opset;
  const char *inputs, *nodes, *expected;
} onnx_chain;

static const onnx_chain chains[] = {
#define CHAIN(opset, inputs, nodes, expected) {opset, inputs, nodes, expected},
#include "tests/unit/ops/onnx_chains.def"
#undef CHAIN
};

// The same; expected is what needs_of says.
static const onnx_chain needs[] = {
#define NEEDS(opset, inputs, nodes, expected) {opset, inputs, nodes, expected},
#include "tests/unit/ops/onnx_needs.def"
#undef NEEDS
};

static void put_float(wire_out *w, uint32_t field, float value) {
  put_varint(w, (uint64_t)field << 3 | 5);
  memcpy(w->data + w->size, &value, sizeof value);
  w->size += sizeof value;
}

// The numbers of "[1,2]" or "1,2".
static int numbers(const char *text, double *out, int room) {
  int count = 0;
  for (const char *p = text; *p && count < room;) {
    char *end;
    double value = strtod(p, &end);
    if (end == p) {
      p++;
    } else {
      out[count++] = value;
      p = end;
    }
  }
  return count;
}

static void put_attribute(wire_out *node, const char *word) {
  char name[64];
  const char *value = strchr(word, '=');
  cr_assert_not_null(value, "%s", word);
  snprintf(name, sizeof name, "%.*s", (int)(value - word), word);
  value++;
  double items[16];
  bool list = value[0] == '[', real = strchr(value, '.') != NULL;
  if (!list && !strchr("-0123456789", value[0])) {
    attr_text(node, name, value);
    return;
  }
  int count = numbers(value, items, 16);
  wire_out attr = {.size = 0};
  put_text(&attr, 1, name);
  for (int i = 0; i < count; i++) {
    if (real) {
      put_float(&attr, list ? 7 : 2, (float)items[i]);
    } else {
      put_int(&attr, list ? 8 : 3, (int64_t)items[i]);
    }
  }
  put_int(&attr, 20, list ? (real ? 6 : 7) : (real ? 1 : 2));
  put_message(node, 5, &attr);
}

static void put_constant(wire_out *graph, const char *name, const char *text) {
  double items[32];
  int count = numbers(text, items, 32);
  bool scalar = text[0] == '#', real = strchr(text, '.') != NULL;
  wire_out tensor = {.size = 0};
  if (!scalar) put_int(&tensor, 1, count);
  put_int(&tensor, 2, real ? 1 : 7);
  for (int i = 0; i < count; i++) {
    if (real) {
      put_float(&tensor, 4, (float)items[i]);
    } else {
      put_int(&tensor, 7, (int64_t)items[i]);
    }
  }
  put_text(&tensor, 8, name);
  put_message(graph, 5, &tensor);
}

static void put_operand(wire_out *graph, const char *name, const char *word) {
  static const char letters[] = "fijbus";
  static const int64_t types[] = {1, 7, 6, 9, 2, 8};
  const char *letter = strchr(letters, word[0]);
  cr_assert_not_null(letter, "%s", word);
  char dims[64];
  snprintf(dims, sizeof dims, "%s", word[1] ? word + 2 : "");
  for (char *p = dims; *p; p++) {
    if (*p == ',') *p = ' ';
  }
  put_value(graph, 11, name, types[letter - letters], word[1] ? dims : NULL);
}

static int count_of(const char *expected) {
  int count = 1;
  for (const char *p = expected; (p = strchr(p, ';')) != NULL; p++) count++;
  return count;
}

static void put_result(wire_out *graph, const char *name) {
  wire_out result = {.size = 0};  // of any type
  put_text(&result, 1, name);
  put_message(graph, 12, &result);
}

// The operator with its domain before it.
static void operator_begin(wire_out *node, const char *op, const char *inputs,
                           const char *outputs) {
  const char *dot = strrchr(op, '.');
  node_begin(node, dot ? dot + 1 : op, inputs, outputs);
  if (!dot) return;
  char domain[64];
  snprintf(domain, sizeof domain, "%.*s", (int)(dot - op), op);
  put_text(node, 7, domain);
}

static void make_graph(const onnx_row *row, wire_out *graph) {
  char words[256], *rest = words, inputs[256] = "", outputs[64] = "", name[16];
  wire_out node;
  graph->size = 0;
  put_text(graph, 2, "g");
  snprintf(words, sizeof words, "%s", row->inputs);
  int index = 0;
  for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL; index++) {
    snprintf(name, sizeof name, "x%d", index);
    if (word[0] == '=') put_constant(graph, name, word + 1);
    if (word[0] != '=' && word[0] != '-') put_operand(graph, name, word);
    snprintf(inputs + strlen(inputs), sizeof inputs - strlen(inputs), "%s ",
             word[0] == '-' ? "-" : name);
  }
  for (int i = 0; i < count_of(row->expected); i++) {
    snprintf(outputs + strlen(outputs), sizeof outputs - strlen(outputs), "y%d ", i);
  }
  operator_begin(&node, row->op, inputs, outputs);
  snprintf(words, sizeof words, "%s", row->attributes);
  rest = words;
  for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;) put_attribute(&node, word);
  put_message(graph, 1, &node);
  put_result(graph, "y0");
}

// "outputs = Operator inputs attributes".
static void put_chain_node(wire_out *graph, const char *text) {
  char words[512], *rest = words, op[64] = "", inputs[128] = "", outputs[64] = "";
  char *attributes[16];
  int count = 0;
  bool right = false;
  wire_out node;
  cr_assert_lt(snprintf(words, sizeof words, "%s", text), (int)sizeof words);
  for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
    char *list = right ? inputs : outputs;
    if (strcmp(word, "=") == 0) {
      right = true;
    } else if (right && !op[0]) {
      snprintf(op, sizeof op, "%s", word);
    } else if (strchr(word, '=')) {
      cr_assert_lt(count, 16);
      attributes[count++] = word;
    } else {
      snprintf(list + strlen(list), (right ? sizeof inputs : sizeof outputs) - strlen(list), "%s ",
               word);
    }
  }
  cr_assert(op[0] && outputs[0], "%s", text);
  operator_begin(&node, op, inputs, outputs);
  for (int i = 0; i < count; i++) put_attribute(&node, attributes[i]);
  put_message(graph, 1, &node);
}

static void make_chain(const onnx_chain *chain, wire_out *graph) {
  char words[512], *rest = words;
  graph->size = 0;
  put_text(graph, 2, "g");
  cr_assert_lt(snprintf(words, sizeof words, "%s", chain->inputs), (int)sizeof words);
  for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
    char *equals = strchr(word, '=');
    cr_assert_not_null(equals, "%s", word);
    *equals++ = 0;
    if (equals[0] == '=')
      put_constant(graph, word, equals + 1);
    else
      put_operand(graph, word, equals);
  }
  cr_assert_lt(snprintf(words, sizeof words, "%s", chain->nodes), (int)sizeof words);
  rest = words;
  for (char *node; (node = strtok_r(rest, ";", &rest)) != NULL;) put_chain_node(graph, node);
  put_result(graph, "y");
}

Test(onnx_table, every_row) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const onnx_row *row = &rows[i];
    static wire_out graph;
    make_graph(row, &graph);
    char wanted[256], *rest = wanted, name[16];
    snprintf(wanted, sizeof wanted, "%s", row->expected);
    int index = 0;
    for (char *word; (word = strtok_r(rest, ";", &rest)) != NULL; index++) {
      while (*word == ' ') word++;
      if (*word == '~') continue;
      snprintf(name, sizeof name, "y%d", index);
      const char *got = sizes_of(&graph, row->opset, name);
      cr_expect_str_eq(got, word, "row %zu, %s-%d (%s) {%s}, result %d: %s, not %s", i + 1, row->op,
                       (int)row->opset, row->inputs, row->attributes, index, got, word);
    }
  }
}

Test(onnx_table, every_chain) {
  for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
    const onnx_chain *chain = &chains[i];
    static wire_out graph;
    make_chain(chain, &graph);
    const char *got = sizes_of(&graph, chain->opset, "y");
    cr_expect_str_eq(got, chain->expected, "chain %zu (%s) {%s}: %s, not %s", i + 1, chain->inputs,
                     chain->nodes, got, chain->expected);
  }
}

Test(onnx_table, every_requirement) {
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
    const onnx_chain *chain = &needs[i];
    static wire_out graph;
    make_chain(chain, &graph);
    const char *got = needs_of(&graph, chain->opset);
    cr_expect_str_eq(got, chain->expected, "row %zu (%s) {%s}:\n%s, not\n%s", i + 1, chain->inputs,
                     chain->nodes, got, chain->expected);
  }
}
