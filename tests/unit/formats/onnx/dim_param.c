// SPDX-License-Identifier: Apache-2.0
// Expressions of exporters: what they are read as, and which texts stay names.
#include "solver/formats/onnx/dim_param.h"

#include <criterion/criterion.h>
#include <string.h>

#include "solver/term/print.h"
#include "tests/unit/world.h"

typedef struct names {
  world *w;
  term_id terms[26];  // of a to z
} names;

static term_id letter(void *data, const char *name, size_t length) {
  names *n = data;
  if (length != 1 || *name < 'a' || *name > 'z') return TERM_NONE;
  term_id *t = &n->terms[*name - 'a'];
  if (!*t) *t = term_symbol(&n->w->terms);
  return *t;
}

static void expect(const char *text, size_t length, const char *value, const char *remainder) {
  world w;
  dim_param found;
  shape_strbuf out;
  world_open_store(&w, 100000, 0, 0);
  names n = {.w = &w};
  memset(n.terms, 0, sizeof n.terms);
  bool read = dim_param_read(&w.terms, text, length, letter, &n, &found);
  cr_expect_eq(read, value != NULL, "%s", text);
  if (read && value) {
    strbuf_init(&out, &w.arena);
    term_print_plain(&w.terms, &out, found.value);
    cr_expect_str_eq(strbuf_text(&out), value, "%s is %s", text, strbuf_text(&out));
    strbuf_init(&out, &w.arena);
    term_print_plain(&w.terms, &out, found.remainder);
    cr_expect_str_eq(strbuf_text(&out), remainder, "%s leaves %s", text, strbuf_text(&out));
  }
  arena_destroy(&w.arena);
}

// The symbols are s0, s1, ... in the order in which the text names them.
Test(dim_param, expressions) {
  static const struct {
    const char *text, *value, *remainder;
  } ROWS[] = {
      {"42", "42", "0"},
      {" a + 1 ", "s0 + 1", "0"},
      {"-a + 9", "9 - s0", "0"},
      {"2 ** 3 ** 2", "512", "0"},
      {"-2 ** 2 + 5", "1", "0"},
      {"a^b + 1", "max(s0, s1 + 1)", "0"},
      {"a&b^1", "min(s0, s1) - min(s0, s1, 1) + 1", "0"},
      {"floor(h/2 - 1/2) + 1", "ceildiv(s0, 2)", "0"},
      {"floor(0.5*h)", "floordiv(s0, 2)", "0"},
      {"Add(Mul(2, n), 1)", "2*s0 + 1", "0"},
      {"CeilToInt(x, 4)*4", "4*ceildiv(s0, 4)", "0"},
      {"(6*a)/:3", "2*s0", "0"},
      {"h/2", "floordiv(s0, 2)", "mod(s0, 2)"},
      {"MAX(x)", "s0", "0"},
      {"h*w/1", "s0*s1", "0"},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
    expect(ROWS[i].text, strlen(ROWS[i].text), ROWS[i].value, ROWS[i].remainder);
}

Test(dim_param, names) {
  static const char *const NAMES[] = {
      "",
      "a b",
      "a +",
      "(a",
      "a)",
      "floor",
      "a**-1",
      "a**65",
      "a**b",
      "f(a)",
      "max()",
      "floor(a, 2)",
      "1.2.3",
      "1e5",
      "a/0",
      "a//0",
      "a % (b - b)",
      "+",
      "a, b",
      "[a]",
      "a!",
      "a**0.5",
      "Abs(a)x",
      "unknown",
      "max(a/b, 1)",
      "1234567890123456789",
  };
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    expect(NAMES[i], strlen(NAMES[i]), NULL, NULL);
  expect("a\0", 2, NULL, NULL);
}

// Nesting ends with a name, not with the stack; so do texts that are longer than any exporter writes.
Test(dim_param, limits) {
  enum { LENGTH = 5000 };
  static char text[LENGTH];
  memset(text, '(', LENGTH);
  expect(text, LENGTH / 2, NULL, NULL);
  memset(text, '-', LENGTH);
  expect(text, LENGTH / 2, NULL, NULL);
  for (size_t i = 0; i + 1 < LENGTH; i += 2) memcpy(text + i, "a+", 2);
  expect(text, LENGTH - 1, NULL, NULL);
  expect(text, 3999, "2000*s0", "0");
}

Test(dim_param, candidates) {
  // The last three are dims that torch.onnx names after an operator and a value.
  static const char *const NAMES[] = {"a",
                                      "batch_size",
                                      "x.0",
                                      "batch-size",
                                      "a-b-c",
                                      "ArgMax/ArgMax_output_0_dim_0",
                                      "Squeeze/m/roi_heads/layer-1/Squeeze_1_output_0_dim_12",
                                      "Gather/m/h.0/onnx::Gather_7_dim_0"};
  static const char *const OTHERS[] = {"",           "1",        "a-1",       "a - b",      "a+b",
                                       "-a",         "a--b",     "a-",        "a b",        "a/b",
                                       "a//b_dim_0", "/b_dim_0", "x_dim_0/2", "2*x/y_dim_0"};
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    cr_expect_not(dim_param_is_candidate(NAMES[i], strlen(NAMES[i])), "%s", NAMES[i]);
  for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
    cr_expect(dim_param_is_candidate(OTHERS[i], strlen(OTHERS[i])), "%s", OTHERS[i]);
}
