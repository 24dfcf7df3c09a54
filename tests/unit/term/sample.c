// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/term/sample.h"

uint64_t sample_random(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static int below(uint64_t *state, int n) { return (int)(sample_random(state) % (uint64_t)n); }

static int leaf(sample *s, uint64_t *state) {
  sample_node *node = &s->nodes[s->count];
  if (below(state, 3)) {
    node->op = S_SYMBOL;
    node->value = below(state, SAMPLE_SYMBOLS - 1);
  } else {
    node->op = S_CONST;
    node->value = below(state, 13) - 4;
  }
  return s->count++;
}

static int arity(sample_op op) {
  if (op == S_MIN3 || op == S_SELECT) return 3;
  return op == S_NEG || op == S_IS_ZERO_OF ? 1 : 2;
}

int sample_make(sample *s, uint64_t *state, int depth, bool linear) {
  static const sample_op LINEAR[] = {S_ADD,     S_SUB, S_ADD, S_NEG, S_FLOORDIV,
                                     S_CEILDIV, S_MOD, S_MIN, S_MAX, S_MIN3};
  if (depth == 0 || s->count > SAMPLE_NODES - 16 || below(state, 6) == 0) return leaf(s, state);
  sample_op op =
      linear ? LINEAR[below(state, 10)] : (sample_op)(S_ADD + below(state, S_OP_COUNT - S_ADD));
  sample_node node = {.op = op};
  for (int i = 0; i < arity(op); i++) {
    bool divisor = i == 1 && (op == S_FLOORDIV || op == S_CEILDIV || op == S_MOD);
    if (divisor && (linear || below(state, 3) == 0)) {
      s->nodes[s->count] = (sample_node){
          .op = S_CONST, .value = below(state, 2) ? 2 + below(state, 5) : -below(state, 5) - 1};
      node.args[i] = s->count++;
    } else if (op == S_SELECT && i == 0) {
      sample_op indicator = (sample_op)(S_EQ + below(state, 3));
      sample_node c = {.op = indicator};
      c.args[0] = leaf(s, state);
      c.args[1] = leaf(s, state);
      s->nodes[s->count] = c;
      node.args[i] = s->count++;
    } else {
      node.args[i] = sample_make(s, state, depth - 1, linear);
    }
  }
  s->nodes[s->count] = node;
  return s->count++;
}

term_id sample_term(const sample *s, int at, term_table *t, const term_id *symbols) {
  const sample_node *node = &s->nodes[at];
  term_id a[3] = {0};
  if (node->op == S_CONST) return term_int(t, node->value);
  if (node->op == S_SYMBOL) return symbols[node->value];
  for (int i = 0; i < arity(node->op); i++) a[i] = sample_term(s, node->args[i], t, symbols);
  switch (node->op) {
  case S_ADD: return term_add(t, a[0], a[1]);
  case S_SUB: return term_sub(t, a[0], a[1]);
  case S_MUL: return term_mul(t, a[0], a[1]);
  case S_NEG: return term_neg(t, a[0]);
  case S_FLOORDIV: return term_floordiv(t, a[0], a[1]);
  case S_CEILDIV: return term_ceildiv(t, a[0], a[1]);
  case S_MOD: return term_mod(t, a[0], a[1]);
  case S_MIN: return term_min(t, a[0], a[1]);
  case S_MAX: return term_max(t, a[0], a[1]);
  case S_MIN3: return term_min_of(t, a, 3);
  case S_BCAST: return term_bcast(t, a[0], a[1]);
  case S_SELECT: return term_select(t, a[0], a[1], a[2]);
  case S_EQ: return term_eq(t, a[0], a[1]);
  case S_LT: return term_lt(t, a[0], a[1]);
  case S_LE: return term_le(t, a[0], a[1]);
  default: return term_eq(t, a[0], TERM_ZERO);
  }
}

static const wide TOO_LARGE = (wide)1 << 120;

static bool multiply(wide x, wide y, wide *out) {
  return !__builtin_mul_overflow(x, y, out) && *out<TOO_LARGE && * out> - TOO_LARGE;
}

static wide floor_quotient(wide x, wide y) {
  wide q = x / y;
  return x % y != 0 && (x < 0) != (y < 0) ? q - 1 : q;
}

static wide least(wide x, wide y) { return x < y ? x : y; }

bool sample_eval(const sample *s, int at, const int *point, wide *out) {
  const sample_node *node = &s->nodes[at];
  wide a[3] = {0};
  if (node->op == S_CONST) return *out = node->value, true;
  if (node->op == S_SYMBOL) return *out = point[node->value], true;
  for (int i = 0; i < arity(node->op); i++) {
    if (!sample_eval(s, node->args[i], point, &a[i])) return false;
  }
  bool divides = node->op == S_FLOORDIV || node->op == S_CEILDIV || node->op == S_MOD;
  if (divides && a[1] == 0) return false;
  switch (node->op) {
  case S_ADD: *out = a[0] + a[1]; break;
  case S_SUB: *out = a[0] - a[1]; break;
  case S_MUL: return multiply(a[0], a[1], out);
  case S_NEG: *out = -a[0]; break;
  case S_FLOORDIV: *out = floor_quotient(a[0], a[1]); break;
  case S_CEILDIV: *out = a[0] / a[1] + (a[0] % a[1] != 0 && (a[0] < 0) == (a[1] < 0)); break;
  case S_MOD:
    *out = a[0] % a[1];
    if (*out != 0 && (*out < 0) != (a[1] < 0)) *out += a[1];
    break;
  case S_MIN: *out = least(a[0], a[1]); break;
  case S_MAX: *out = a[0] > a[1] ? a[0] : a[1]; break;
  case S_MIN3: *out = least(least(a[0], a[1]), a[2]); break;
  case S_BCAST: *out = a[0] == 1 ? a[1] : a[0]; break;
  case S_SELECT: *out = a[0] != 0 ? a[1] : a[2]; break;
  case S_EQ: *out = a[0] == a[1]; break;
  case S_LT: *out = a[0] < a[1]; break;
  case S_LE: *out = a[0] <= a[1]; break;
  default: *out = a[0] == 0; break;
  }
  return *out<TOO_LARGE && * out> - TOO_LARGE;
}

static bool eval_sum(const term_table *t, const term_node *node, const int *point, wide *out,
                     bool *zero) {
  *out = 0;
  for (uint32_t i = 0; i < node->count; i++) {
    wide x;
    int64_t c;
    if (!num_to_int(node->as.parts[i].coefficient, &c)) return false;
    if (!sample_eval_term(t, node->as.parts[i].monomial, point, &x, zero) || !multiply(x, c, &x))
      return false;
    *out += x;
  }
  return *out<TOO_LARGE && * out> - TOO_LARGE;
}

static bool eval_product(const term_table *t, const term_node *node, const int *point, wide *out,
                         bool *zero) {
  *out = 1;
  for (uint32_t i = 0; i < node->count; i++) {
    wide x;
    if (!sample_eval_term(t, node->as.powers[i].atom, point, &x, zero)) return false;
    for (uint32_t e = 0; e < node->as.powers[i].exponent; e++) {
      if (!multiply(*out, x, out)) return false;
    }
  }
  return true;
}

bool sample_eval_term(const term_table *t, term_id id, const int *point, wide *out, bool *zero) {
  const term_node *node = term_get(t, id);
  int64_t c;
  if (node->kind == TERM_CONST) {
    if (!num_to_int(node->as.value, &c)) return false;
    *out = c;
    return true;
  }
  if (node->kind == TERM_SYMBOL) return *out = point[node->as.symbol], true;
  if (node->kind == TERM_SUM) return eval_sum(t, node, point, out, zero);
  if (node->kind == TERM_PRODUCT) return eval_product(t, node, point, out, zero);
  wide first, x;
  if (!sample_eval_term(t, node->as.args[0], point, &first, zero)) return false;
  *out = first;
  for (uint32_t i = 1; i < node->count; i++) {
    if (!sample_eval_term(t, node->as.args[i], point, &x, zero)) return false;
    if (node->kind == TERM_MIN) *out = least(*out, x);
    if (node->kind == TERM_MAX && x > *out) *out = x;
    if (node->kind == TERM_BCAST) *out = first == 1 ? x : first;
    if (node->kind == TERM_SELECT && i == (first != 0 ? 1 : 2)) *out = x;
    if (node->kind == TERM_BIGMUL && !multiply(*out, x, out)) return false;
    if (node->kind == TERM_FLOORDIV) {
      if (x == 0) *zero = true;
      *out = x == 0 ? 0 : floor_quotient(first, x);
    }
  }
  if (node->kind == TERM_IS_ZERO) *out = first == 0;
  if (node->kind == TERM_IS_NEG) *out = first < 0;
  return true;
}
