// SPDX-License-Identifier: Apache-2.0
// Every integer operation on every pair of values of the small types, against a model that knows bit patterns only.
#include <stdio.h>
#include <string.h>

#include "tests/unit/ops/rules.h"

typedef struct small_type {
  const char *name;
  int bits;
  bool has_sign;
} small_type;

static const small_type types[] = {
    {"i2", 2, true}, {"i4", 4, true}, {"ui2", 2, false}, {"ui4", 4, false}};

// The number that the lowest bits of a pattern are.
static int number(const small_type *t, int pattern) {
  int kept = pattern & ((1 << t->bits) - 1);
  return t->has_sign && kept >> (t->bits - 1) ? kept - (1 << t->bits) : kept;
}

static int pattern(const small_type *t, int value) { return value & ((1 << t->bits) - 1); }

enum { OPEN = 1000 };  // the specification leaves the result to the implementation

static int quotient(int a, int b) {
  int up = (a < 0 ? -a : a) / (b < 0 ? -b : b);
  return (a < 0) == (b < 0) ? up : -up;
}

static int power_of(const small_type *t, int a, int b) {
  int result = 1;
  if (b < 0) return OPEN;
  for (int i = 0; i < b; i++) result = number(t, result * a);
  return result;
}

static int binary_of(const small_type *t, const char *op, int a, int b) {
  int p = pattern(t, a), q = pattern(t, b);
  bool inside = b >= 0 && b < t->bits;
  if (!strcmp(op, "add")) return a + b;
  if (!strcmp(op, "subtract")) return a - b;
  if (!strcmp(op, "multiply")) return a * b;
  if (!strcmp(op, "maximum")) return a > b ? a : b;
  if (!strcmp(op, "minimum")) return a < b ? a : b;
  if (!strcmp(op, "divide")) return b ? quotient(a, b) : OPEN;
  if (!strcmp(op, "remainder")) return b ? a - b * quotient(a, b) : OPEN;
  if (!strcmp(op, "power")) return power_of(t, a, b);
  if (!strcmp(op, "and")) return p & q;
  if (!strcmp(op, "or")) return p | q;
  if (!strcmp(op, "xor")) return p ^ q;
  if (!strcmp(op, "shift_left")) return inside ? p << b : 0;
  if (!strcmp(op, "shift_right_logical")) return inside ? p >> b : 0;
  // shift_right_arithmetic: the highest bit fills, whatever the type's sign is
  for (int i = 0; i < (inside ? b : t->bits); i++) p = p >> 1 | (p & 1 << (t->bits - 1));
  return p;
}

static int unary_of(const small_type *t, const char *op, int a) {
  int p = pattern(t, a), count = 0;
  if (!strcmp(op, "abs")) return a < 0 ? -a : a;
  if (!strcmp(op, "negate")) return -a;
  if (!strcmp(op, "sign")) return a < 0 ? -1 : a > 0;
  if (!strcmp(op, "not")) return ~p;
  if (!strcmp(op, "popcnt")) {
    for (int i = 0; i < t->bits; i++) count += p >> i & 1;
    return count;
  }
  while (count < t->bits && !(p >> (t->bits - 1 - count) & 1)) count++;  // count_leading_zeros
  return count;
}

typedef struct list {
  char text[256];
  int count;
} list;

static void put(list *l, int value) {
  size_t used = strlen(l->text);
  snprintf(l->text + used, sizeof l->text - used, "%s%d", l->count++ ? ", " : "[", value);
}

static const char *ended(list *l) {
  strcat(l->text, "]");
  return l->text;
}

static int lowest(const small_type *t) { return t->has_sign ? -(1 << (t->bits - 1)) : 0; }

static void check_binary(const small_type *t, const char *op, int a) {
  list right = {0}, expected = {0};
  char body[1024];
  for (int b = lowest(t); b < lowest(t) + (1 << t->bits); b++) {
    int result = binary_of(t, op, a, b);
    if (result == OPEN) continue;
    put(&right, b);
    put(&expected, number(t, result));
  }
  int n = right.count;
  const char *name = t->name;
  snprintf(body, sizeof body,
           "%%x = stablehlo.constant dense<%d> : tensor<%dx%s>\n"
           "%%y = stablehlo.constant dense<%s> : tensor<%dx%s>\n"
           "%%r = stablehlo.%s %%x, %%y : tensor<%dx%s>",
           a, n, name, ended(&right), n, name, op, n, name);
  expect_elements("", body, ended(&expected));
}

Test(rules_integers, binary_operations_on_all_pairs) {
  static const char *const ops[] = {"add",
                                    "subtract",
                                    "multiply",
                                    "maximum",
                                    "minimum",
                                    "divide",
                                    "remainder",
                                    "power",
                                    "and",
                                    "or",
                                    "xor",
                                    "shift_left",
                                    "shift_right_logical",
                                    "shift_right_arithmetic"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
      for (int a = lowest(&types[i]); a < lowest(&types[i]) + (1 << types[i].bits); a++)
        check_binary(&types[i], ops[k], a);
    }
  }
}

static void check_unary(const small_type *t, const char *op) {
  list in = {0}, expected = {0};
  char body[1024];
  for (int a = lowest(t); a < lowest(t) + (1 << t->bits); a++) {
    put(&in, a);
    put(&expected, number(t, unary_of(t, op, a)));
  }
  snprintf(body, sizeof body,
           "%%x = stablehlo.constant dense<%s> : tensor<%dx%s>\n"
           "%%r = stablehlo.%s %%x : tensor<%dx%s>",
           ended(&in), in.count, t->name, op, in.count, t->name);
  expect_elements("", body, ended(&expected));
}

Test(rules_integers, unary_operations_on_all_values) {
  static const char *const of_all[] = {"not", "popcnt", "count_leading_zeros"};
  static const char *const of_signed[] = {"abs", "negate", "sign"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    for (size_t k = 0; k < 3; k++) check_unary(&types[i], of_all[k]);
    for (size_t k = 0; k < 3 && types[i].has_sign; k++) check_unary(&types[i], of_signed[k]);
  }
}

Test(rules_integers, conversions_of_all_values) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
      const small_type *from = &types[i], *to = &types[k];
      list in = {0}, expected = {0};
      char body[1024];
      for (int a = lowest(from); a < lowest(from) + (1 << from->bits); a++) {
        put(&in, a);
        put(&expected, number(to, a));
      }
      int n = in.count;
      snprintf(body, sizeof body,
               "%%x = stablehlo.constant dense<%s> : tensor<%dx%s>\n"
               "%%r = stablehlo.convert %%x : (tensor<%dx%s>) -> tensor<%dx%s>",
               ended(&in), n, from->name, n, from->name, n, to->name);
      expect_elements("", body, ended(&expected));
    }
  }
}

#define SIZE_IN(type)                                                                              \
  "%n0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"              \
  "%n = stablehlo.convert %n0 : (tensor<i32>) -> tensor<" type ">\n"                               \
  "%k = stablehlo.constant dense<3> : tensor<" type ">\n"
#define OF_SIZE(type, op)                                                                          \
  "%a: tensor<?xf32>", SIZE_IN(type) "%r = stablehlo." op " %n, %k : tensor<" type ">"

// What the type keeps of an expression: two's complement is a remainder.
Test(rules_integers, expressions_wrap_as_a_remainder) {
  expect_elements(OF_SIZE("ui8", "add"), "[mod(S0 + 3, 256)]");
  expect_elements(OF_SIZE("ui8", "subtract"), "[mod(S0 + 253, 256)]");
  expect_elements(OF_SIZE("i8", "add"), "[mod(S0 + 131, 256) - 128]");
  expect_elements(OF_SIZE("ui32", "subtract"), "[mod(S0 + 4294967293, 4294967296)]");
  expect_elements(OF_SIZE("ui64", "subtract"),
                  "[mod(S0 + 18446744073709551613, 18446744073709551616)]");
  expect_elements(OF_SIZE("i32", "subtract"), "[S0 - 3]");
}

// StableHLO spec, compare, C3: the comparison has the sign of the type; what another would say is not known.
Test(rules_integers, comparisons_of_another_sign_have_no_value) {
#define LESS(type, how)                                                                            \
  "", "%x = stablehlo.constant dense<1> : tensor<" type ">\n"                                      \
      "%r = stablehlo.compare LT, %x, %x, " how " : (tensor<" type ">, tensor<" type               \
      ">) -> tensor<i1>"
  expect_elements(LESS("i32", "SIGNED"), "[0]");
  expect_elements(LESS("ui32", "UNSIGNED"), "[0]");
  expect_elements(LESS("i1", "UNSIGNED"), "[0]");
  expect_elements(LESS("i32", "UNSIGNED"), "[S0]");
  expect_elements(LESS("ui8", "SIGNED"), "[S0]");
  expect_elements(LESS("i32", "FLOAT"), "[S0]");
}
