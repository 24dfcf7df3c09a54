// SPDX-License-Identifier: Apache-2.0
// Expressions in Python's grammar, as far as FX graphs have it: no comprehensions, lambdas or assignments within.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "solver/formats/fx/fx.h"

enum { NESTING_MAX = 200, ITEMS_MAX = 1 << 20 };

// Items up to the bracket; *comma: there was one, so that (x,) is a tuple.
static bool items(fx_reader *r, char close, fx_value *out, bool *comma) {
  assert(r->brackets || !close);
  fx_value *made = NULL;
  uint32_t count = 0, room = 0;
  *comma = false;
  while (fx_peek(r) != close && fx_peek(r)) {
    bool star = fx_take(r, "*");
    fx_value one;
    if (!fx_expression(r, &one)) return false;
    uint32_t more = star && one.kind == FX_LIST ? one.count : 1;
    if (count + more > room) {
      room = 2 * (count + more) + 6;
      made = fx_copy(r, made, count, room - count);
    }
    if (star && one.kind == FX_LIST) {
      if (one.count) memcpy(made + count, one.items, one.count * sizeof *made);
      count += one.count;
    } else {
      made[count++] = star ? fx_make(FX_UNKNOWN) : one;
    }
    if (count > ITEMS_MAX) return fx_fail(r, r->at, "the list has too many items");
    if (!fx_take(r, ",")) break;
    *comma = true;
  }
  *out = fx_list(made, count);
  return true;
}

static bool braces(fx_reader *r, fx_value *out) {
  assert(r->brackets);
  fx_value ignored;
  while (fx_peek(r) != '}' && fx_peek(r)) {
    fx_take(r, "**");
    if (!fx_expression(r, &ignored)) return false;
    if (fx_take(r, ":") && !fx_expression(r, &ignored)) return false;
    if (!fx_take(r, ",")) break;
  }
  *out = fx_make(FX_UNKNOWN);
  return fx_close(r, '}');
}

static bool keyword(fx_reader *r, const char *name, uint32_t length, fx_value *out) {
  if (fx_is(name, length, "None")) return *out = fx_make(FX_NONE), true;
  if (fx_is(name, length, "True")) return *out = fx_truth(true), true;
  if (fx_is(name, length, "False")) return *out = fx_truth(false), true;
  if (fx_is(name, length, "Ellipsis")) return *out = fx_make(FX_ELLIPSIS), true;
  if (fx_is(name, length, "self")) {
    *out = fx_make(FX_MODULE);
    out->text = "";
    return true;
  }
  bool infinite = fx_is(name, length, "inf"), nan = fx_is(name, length, "nan");
  (void)r;
  if (!infinite && !nan) return false;
  *out = fx_make(FX_NUMBER);
  out->constant = true;
  out->real = infinite ? INFINITY : NAN;
  return true;
}

static bool is_global(const fx_reader *r, const char *name, uint32_t length) {
  // What the text of GraphModule.code takes from torch.fx, and builtins.
  static const char *const KNOWN[] = {
      "torch", "device",  "math",     "operator", "_operator",  "builtins", "slice", "getattr",
      "int",   "float",   "bool",     "len",      "max",        "min",      "abs",   "round",
      "sum",   "tuple",   "list",     "range",    "isinstance", "str",      "set",   "setattr",
      "all",   "any",     "NoneType", "pytree",   "fx_pytree",  "np",       "numpy", "typing",
      "dict",  "complex", "pow",      "divmod",   "reversed",   "zip",      "print", "type"};
  uint32_t ignored;
  for (unsigned i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
    if (fx_is(name, length, KNOWN[i])) return true;
  }
  name_id id = intern_find(&r->build.g->names, name, length);
  return id != NAME_NONE && imap_get(&r->globals, id, &ignored);
}

static bool name(fx_reader *r, fx_value *out) {
  assert(r->scope);
  const char *from;
  uint32_t length;
  if (!fx_name(r, &from, &length)) return false;
  if (fx_get(r, from, length, out) || keyword(r, from, length, out)) return true;
  if (!is_global(r, from, length))
    return fx_fail(r, from, "'%.*s' is not defined: no statement before assigns it",
                   (int)(length < 100 ? length : 100), from);
  *out = fx_make(FX_PATH);
  out->text = from;
  out->length = length;
  return true;
}

static bool atom(fx_reader *r, fx_value *out) {
  bool comma;
  if (fx_open(r, '(')) {
    if (!items(r, ')', out, &comma) || !fx_close(r, ')')) return false;
    if (out->count == 1 && !comma) {
      fx_value only = out->items[0];
      *out = only;
    } else {
      out->tuple = true;
    }
    return true;
  }
  if (fx_open(r, '[')) return items(r, ']', out, &comma) && fx_close(r, ']');
  if (fx_open(r, '{')) return braces(r, out);
  if (fx_take(r, "...")) return *out = fx_make(FX_ELLIPSIS), true;
  if (fx_text(r, out) || fx_number(r, out) || r->failed) return !r->failed;
  if (name(r, out)) return true;
  fx_peek(r);
  return fx_fail(r, r->at, "expected an expression");
}

static bool extend(fx_reader *r, const fx_value *of, const char *name, uint32_t length,
                   fx_value *out) {
  assert(of->kind == FX_PATH || of->kind == FX_MODULE);
  *out = *of;
  size_t all = (size_t)of->length + 1 + length;
  if (all > 2000) return fx_fail(r, name, "the name is too long");
  if (of->length && of->text + of->length + 1 == name && name[-1] == '.') {  // as it is written
    out->length = (uint32_t)all;
    return true;
  }
  char *text = arena_alloc(r->build.g->arena, all + 1);
  bool empty = !of->length;
  if (!empty) memcpy(text, of->text, of->length);
  if (!empty) text[of->length] = '.';
  memcpy(text + of->length + !empty, name, length);
  out->length = (uint32_t)(all - empty);
  text[out->length] = 0;
  out->text = text;
  return true;
}

// torch.float32, math.inf, torch.strided
static void constant_path(fx_value *v) {
  assert(v->kind == FX_PATH);
  static const char TORCH[] = "torch.";
  if (fx_is(v->text, v->length, "math.inf") || fx_is(v->text, v->length, "torch.inf")) {
    *v = fx_make(FX_NUMBER);
    v->constant = true;
    v->real = INFINITY;
    return;
  }
  if (v->length < sizeof TORCH || memcmp(v->text, TORCH, sizeof TORCH - 1) != 0 ||
      memchr(v->text + sizeof TORCH, '.', v->length - sizeof TORCH))
    return;
  shape_dtype dtype =
      fx_dtype_named(v->text + sizeof TORCH - 1, v->length - (uint32_t)(sizeof TORCH - 1));
  if (dtype == DTYPE_NONE) return;
  *v = fx_make(FX_DTYPE);
  v->dtype = (uint8_t)dtype;
}

bool fx_attribute(fx_reader *r, const fx_value *of, fx_value *out) {
  const char *from;
  uint32_t length;
  if (!fx_name(r, &from, &length)) return fx_fail(r, r->at, "expected a name after the point");
  if (of->kind == FX_PATH || of->kind == FX_MODULE) {
    if (!extend(r, of, from, length, out)) return false;
    if (of->kind == FX_PATH) constant_path(out);
    char next = fx_peek(r);
    if (of->kind == FX_MODULE && next != '(' && next != '.' && !fx_is_module(r, out))
      *out = fx_weight(r, out);
    return true;
  }
  if (fx_peek(r) != '(') return fx_member(r, of, from, length, out);
  *out = fx_make(FX_METHOD);
  out->items = fx_copy(r, of, 1, 0);
  out->count = 1;
  out->text = from;
  out->length = length;
  return true;
}

static bool call(fx_reader *r, fx_value *v) {
  assert(fx_peek(r) == '(');
  fx_argument *args;
  uint32_t count;
  fx_value callee = *v;
  return fx_open(r, '(') && fx_arguments(r, &args, &count) && fx_close(r, ')') &&
         fx_apply(r, &callee, args, count, v);
}

static bool primary(fx_reader *r, fx_value *out) {
  if (!atom(r, out)) return false;
  for (;;) {
    char c = fx_peek(r);
    fx_value of = *out, index;
    if (c == '.' && !(r->end - r->at > 2 && r->at[1] == '.')) {
      r->at++;
      if (!fx_attribute(r, &of, out)) return false;
    } else if (c == '(') {
      if (!call(r, out)) return false;
    } else if (c == '[') {
      fx_open(r, '[');
      if (!fx_subscript(r, &index) || !fx_close(r, ']')) return false;
      *out = fx_item(r, &of, &index);
    } else {
      return true;
    }
  }
}

// --- operators, by how tightly they bind

static bool unary(fx_reader *r, fx_value *out);

static bool power(fx_reader *r, fx_value *out) {
  fx_value exponent;
  if (!primary(r, out)) return false;
  if (fx_peek(r) != '*' || r->end - r->at < 2 || r->at[1] != '*') return true;
  if (r->end - r->at > 2 && r->at[2] == '=') return true;
  r->at += 2;
  if (!unary(r, &exponent)) return false;
  *out = fx_binary(r, "pow", out, &exponent);
  return true;
}

static bool unary(fx_reader *r, fx_value *out) {
  static const char *const SIGNS[] = {"-", "+", "~"}, *const NAMES[] = {"neg", "pos", "invert"};
  if (++r->nesting > NESTING_MAX) return fx_fail(r, r->at, "the expression is nested too deep");
  for (unsigned i = 0; i < 3; i++) {
    if (!fx_take(r, SIGNS[i])) continue;
    if (!unary(r, out)) return false;
    *out = fx_unary(r, NAMES[i], out);
    r->nesting--;
    return true;
  }
  bool ok = power(r, out);
  r->nesting--;
  return ok;
}

typedef struct infix {
  const char *sign, *name;
  uint8_t level;
} infix;

// Longer signs are before those that they begin with.
static const infix INFIX[] = {{"<<", "lshift", 4}, {">>", "rshift", 4},   {"==", "eq", 0},
                              {"!=", "ne", 0},     {"<=", "le", 0},       {">=", "ge", 0},
                              {"<", "lt", 0},      {">", "gt", 0},        {"|", "or_", 1},
                              {"^", "xor", 2},     {"&", "and_", 3},      {"+", "add", 5},
                              {"-", "sub", 5},     {"//", "floordiv", 6}, {"*", "mul", 6},
                              {"/", "truediv", 6}, {"%", "mod", 6},       {"@", "matmul", 6}};
enum { LEVELS = 7 };

// The operator that is next, where it binds as tightly as that.
static const infix *next_infix(fx_reader *r, uint32_t level) {
  assert(level < LEVELS);
  char c = fx_peek(r);
  if (!c || !strchr("<>=!|^&+-/*%@", c)) return NULL;
  for (unsigned i = 0; i < sizeof INFIX / sizeof *INFIX; i++) {
    size_t length = strlen(INFIX[i].sign);
    if (!fx_begins(r->at, (uint32_t)(r->end - r->at), INFIX[i].sign)) continue;
    // += and the like are statements.
    bool augmented = INFIX[i].level && (size_t)(r->end - r->at) > length && r->at[length] == '=';
    if (augmented || INFIX[i].level < level) return NULL;
    r->at += length;
    return &INFIX[i];
  }
  return NULL;
}

static bool infix_level(fx_reader *r, uint32_t level, fx_value *out) {
  assert(level <= LEVELS);
  fx_value right, left, one;
  if (!unary(r, out)) return false;
  if (level == LEVELS) return true;
  left = *out;
  bool chained = false;  // a < b < c is (a < b) and (b < c)
  for (const infix *row = next_infix(r, level); row; row = next_infix(r, level)) {
    if (!infix_level(r, row->level + 1u, &right)) return false;
    one = fx_binary(r, row->name, &left, &right);
    *out = chained ? fx_logical(r, true, out, &one) : one;
    chained = !row->level;
    left = chained ? right : *out;
  }
  return true;
}

// is, is not, in, not in: known of None alone.
static bool identity(fx_reader *r, fx_value *out) {
  fx_value right;
  if (!infix_level(r, 0, out)) return false;
  bool is = fx_word(r, "is"), in = !is && fx_word(r, "in");
  if (!is && !in) return true;
  bool negated = fx_word(r, "not");
  if (!infix_level(r, 0, &right)) return false;
  bool known = is && right.kind == FX_NONE && out->kind != FX_UNKNOWN;
  bool same = out->kind == FX_NONE;
  *out = known ? fx_truth(same != negated) : fx_fresh(r, FX_INT);
  out->truth = true;
  return true;
}

static bool inverse(fx_reader *r, fx_value *out) {
  bool negated = fx_word(r, "not");
  if (++r->nesting > NESTING_MAX) return fx_fail(r, r->at, "the expression is nested too deep");
  if (!(negated ? inverse(r, out) : identity(r, out))) return false;
  r->nesting--;
  if (negated) *out = fx_unary(r, "not_", out);
  return true;
}

static bool conjunction(fx_reader *r, fx_value *out) {
  fx_value other;
  if (!inverse(r, out)) return false;
  while (fx_word(r, "and")) {
    if (!inverse(r, &other)) return false;
    *out = fx_logical(r, true, out, &other);
  }
  return true;
}

bool fx_expression(fx_reader *r, fx_value *out) {
  fx_value other;
  if (++r->nesting > NESTING_MAX) return fx_fail(r, r->at, "the expression is nested too deep");
  if (!conjunction(r, out)) return false;
  while (fx_word(r, "or")) {
    if (!conjunction(r, &other)) return false;
    *out = fx_logical(r, false, out, &other);
  }
  if (fx_word(r, "if")) {
    fx_value condition;
    if (!fx_expression(r, &condition)) return false;
    if (!fx_word(r, "else")) return fx_fail(r, r->at, "expected 'else'");
    if (!fx_expression(r, &other)) return false;
    if (condition.kind != FX_INT || !condition.constant) {
      *out = fx_make(FX_UNKNOWN);
    } else if (!condition.number) {
      *out = other;
    }
  }
  r->nesting--;
  return true;
}

bool fx_expressions(fx_reader *r, fx_value *out) {
  fx_value first, rest;
  bool comma;
  bool star = fx_peek(r) == '*';
  if (!star) {
    if (!fx_expression(r, &first)) return false;
    if (!fx_take(r, ",")) return *out = first, true;
  }
  if (!items(r, 0, &rest, &comma)) return false;
  fx_value *all = fx_copy(r, NULL, 0, rest.count + 1);
  if (!star) all[0] = first;
  if (rest.count) memcpy(all + !star, rest.items, rest.count * sizeof *all);
  *out = fx_list(all, rest.count + !star);
  out->tuple = true;
  return true;
}
