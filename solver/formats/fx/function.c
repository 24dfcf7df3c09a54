// SPDX-License-Identifier: Apache-2.0
// The forward of a class: its parameters and statements.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/fx/fx.h"
#include "solver/formats/fx/uses.h"

enum { PARAMETERS_MAX = 1 << 20, CALLS_MAX = 32 };

typedef struct fx_parameter {
  const char *name, *annotation;
  uint32_t length, annotation_length;
  fx_value as;  // what its annotation says that it is
} fx_parameter;

typedef struct parameter_list {
  fx_parameter *items;
  uint32_t count, capacity;
} parameter_list;

static void skip_default(fx_reader *r) {
  fx_value ignored;
  if (fx_take(r, "=")) fx_expression(r, &ignored);
}

// Text of an annotation, without its quotes.
static fx_value annotated(const char *text, uint32_t length) {
  static const struct {
    const char *name;
    fx_kind kind;
    bool truth;
  } KINDS[] = {{"torch.SymInt", FX_INT, false},
               {"int", FX_INT, false},
               {"Sym", FX_INT, false},
               {"torch.SymBool", FX_INT, true},
               {"bool", FX_INT, true},
               {"torch.SymFloat", FX_NUMBER, false},
               {"float", FX_NUMBER, false},
               {"torch.Tensor", FX_TENSOR, false},
               {"torch.nn.Parameter", FX_TENSOR, false},
               {"Tensor", FX_TENSOR, false},
               {"torch.nn.parameter.Parameter", FX_TENSOR, false},
               {"Parameter", FX_TENSOR, false}};
  fx_value out = fx_make(FX_UNKNOWN);
  for (unsigned i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
    if (!fx_is(text, length, KINDS[i].name)) continue;
    out.kind = (uint8_t)KINDS[i].kind;
    out.truth = KINDS[i].truth;
  }
  return out;
}

static bool annotation(fx_reader *r, const char **text, uint32_t *length, fx_value *as) {
  fx_value v;
  *length = 0;
  *as = fx_make(FX_TENSOR);
  if (fx_text(r, &v)) {
    *text = v.text;
    *length = v.length;
    as->literal = v.literal;
    return true;
  }
  if (r->failed) return false;
  fx_peek(r);
  const char *from = r->at;
  uint32_t before = r->brackets;
  while (r->at < r->end) {
    char c = fx_peek(r);
    if (!c || (r->brackets == before && (c == ',' || c == ')' || c == '='))) break;
    if (c == '[' || c == '(') r->brackets++;
    if ((c == ']' || c == ')') && r->brackets > before) r->brackets--;
    r->at++;
  }
  r->brackets = before;
  uint32_t size = (uint32_t)(r->at - from);
  while (size && (from[size - 1] == ' ' || from[size - 1] == '\n')) size--;
  *as = annotated(from, size);
  as->literal = (source_span){(uint32_t)(from - r->begin), (uint32_t)(from - r->begin) + size};
  return true;
}

static bool read_parameters(fx_reader *r, parameter_list *out) {
  assert(r->brackets == 1);
  *out = (parameter_list){NULL, 0, 0};
  while (fx_peek(r) != ')' && fx_peek(r)) {
    fx_parameter p = {.name = NULL, .as = fx_make(FX_TENSOR)};
    if (fx_take(r, "/")) {
      if (!fx_take(r, ",")) break;
      continue;
    }
    bool star = fx_take(r, "**") || fx_take(r, "*");
    if (!fx_name(r, &p.name, &p.length)) {
      if (star && fx_take(r, ",")) continue;
      return fx_fail(r, r->at, "expected the name of a parameter");
    }
    if (fx_take(r, ":") && !annotation(r, &p.annotation, &p.annotation_length, &p.as)) return false;
    skip_default(r);
    if (r->failed) return false;
    bool is_self = !out->count && fx_is(p.name, p.length, "self");
    out->items = arena_grow(r->build.g->arena, out->items, out->count, out->count + 1u,
                            &out->capacity, sizeof *out->items);
    if (!is_self) out->items[out->count++] = p;
    if (out->count > PARAMETERS_MAX) return fx_fail(r, p.name, "there are too many parameters");
    if (!fx_take(r, ",")) break;
  }
  return fx_close(r, ')');
}

// After the parameters: `-> T:` and the end of the line.
static bool read_colon(fx_reader *r) {
  const char *text;
  uint32_t length;
  fx_value as;
  if (fx_take(r, "->")) {
    while (r->at < r->end && fx_peek(r) && fx_peek(r) != ':') {
      if (fx_peek(r) == '\'' || fx_peek(r) == '"') {
        if (!annotation(r, &text, &length, &as)) return false;
      } else {
        r->at++;
      }
    }
  }
  return fx_need(r, ":");
}

// --- the arguments of the program

// written: the annotation of the name, without its colon; empty where there is none.
static void note_annotation(fx_reader *r, value_id value, uint32_t name_end, source_span written) {
  fx_uses *u = r->uses;
  if (!u || !r->scope->is_main) return;
  assert(written.begin <= written.end && value < r->build.g->value_count);
  u->annotations = arena_grow(r->build.g->arena, u->annotations, u->count, (size_t)u->count + 1,
                              &u->capacity, sizeof *u->annotations);
  u->annotations[u->count++] =
      (fx_annotation){value, {name_end, written.end > name_end ? written.end : name_end}};
}

static bool declare(fx_reader *r, const fx_parameter *p, value_id value) {
  assert(value < r->build.g->value_count && r->scope->is_main);
  fx_value v;
  shape_graph *g = r->build.g;
  uint32_t at = (uint32_t)(p->name - r->begin);
  r->build.span = (source_span){at, at + p->length};
  g->values[value].at = at;
  g->values[value].name = intern_add(&g->names, p->name, p->length);
  note_annotation(r, value, at + p->length, p->as.literal);
  if (!fx_input(r, p->name, p->length, value, &v) &&
      !(p->annotation && fx_annotate(r, value, p->annotation, p->annotation_length, true, &v))) {
    char own[128];
    bool is_int = p->as.kind == FX_INT && !p->as.truth;
    v = fx_of(r, (fx_kind)p->as.kind, value, DTYPE_NONE);
    v.truth = p->as.truth;
    // An integer is the symbol of its own name.
    const char *text = own;
    if (is_int && p->length < sizeof own) {
      snprintf(own, sizeof own, "%.*s", (int)p->length, p->name);
      text = arena_strndup(g->arena, own, p->length);
      if (build_knows(g, text, false)) build_bind(&r->build, value, &text, 1);
    }
  }
  if (r->failed) return false;
  fx_set(r, p->name, p->length, &v);
  return true;
}

static bool declare_all(fx_reader *r, const parameter_list *list) {
  shape_graph *g = r->build.g;
  value_id first = graph_add_block_arguments(g, r->build.block, list->count);
  for (uint32_t i = 0; i < list->count; i++) g->values[first + i].at = UINT32_MAX;
  // Symbols are declared by dims before integers name them.
  for (uint32_t i = 0; i < list->count; i++) {
    if (list->items[i].as.kind != FX_INT && !declare(r, &list->items[i], first + i)) return false;
  }
  for (uint32_t i = 0; i < list->count; i++) {
    if (list->items[i].as.kind == FX_INT && !declare(r, &list->items[i], first + i)) return false;
  }
  return true;
}

// --- statements

typedef struct fx_target {
  const char *name;  // a variable; NULL: an item, or an attribute, which is left alone
  uint32_t length;
  bool is_item, is_data, is_rest;  // of.data; *name
  fx_value of, index;
  struct fx_target *parts;  // of a tuple
  uint32_t count;
} fx_target;

// Whether the statement assigns: a `=` of its own outside of brackets.
static bool assigns(const fx_reader *r) {
  uint32_t depth = 0;
  char quote = 0;
  for (const char *p = r->at; p < r->end; p++) {
    char c = *p;
    if (quote) {
      if (c == '\\') p++;
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '\'' || c == '"') quote = c;
    if (c == '#') {
      while (p < r->end && *p != '\n') p++;
      if (p >= r->end || !depth) return false;
    }
    if (c == '(' || c == '[' || c == '{') depth++;
    if ((c == ')' || c == ']' || c == '}') && depth) depth--;
    if (depth) continue;
    if (c == '\n' && p > r->at && p[-1] == '\\') continue;
    if (c == '\n' || c == ';') return false;
    if (c != '=') continue;
    if (p + 1 < r->end && p[1] == '=') {
      p++;
      continue;
    }
    char before = p > r->at ? p[-1] : 0;
    if (before != '!' && before != '<' && before != '>') return true;
    if (p - r->at > 1 && (before == '<' || before == '>') && p[-2] == before) return true;  // <<=
  }
  return false;
}

static bool read_target(fx_reader *r, fx_target *out);

static bool target_parts(fx_reader *r, char close, fx_target *first, fx_target *out) {
  assert(out);
  enum { ROOM = 256 };
  fx_target *parts = arena_alloc(r->build.g->arena, ROOM * sizeof *parts);
  uint32_t count = 0;
  if (first) parts[count++] = *first;
  while (fx_peek(r) && fx_peek(r) != close && fx_peek(r) != '=') {
    if (count == ROOM) return fx_fail(r, r->at, "there are too many targets");
    bool rest = fx_take(r, "*");
    if (!read_target(r, &parts[count++])) return false;
    parts[count - 1].is_rest = rest;
    if (!fx_take(r, ",")) break;
  }
  *out = (fx_target){.parts = parts, .count = count};
  return true;
}

static bool read_target(fx_reader *r, fx_target *out) {
  *out = (fx_target){.name = NULL};
  if (++r->nesting > 50) return fx_fail(r, r->at, "the target is nested too deep");
  char c = fx_peek(r);
  if (c == '(' || c == '[') {
    fx_open(r, c);
    fx_target inner;
    char close = c == '(' ? ')' : ']';
    if (!target_parts(r, close, NULL, &inner) || !fx_close(r, close)) return false;
    bool comma = false;
    for (const char *p = r->at - 2; p > r->begin && *p != c; p--) {
      if (*p == ',') comma = true;
      if (*p != ' ' && *p != '\n') break;
    }
    *out = inner.count == 1 && !comma && c == '(' ? inner.parts[0] : inner;
    r->nesting--;
    return true;
  }
  const char *name;
  uint32_t length;
  if (!fx_name(r, &name, &length)) return fx_fail(r, r->at, "expected what is assigned to");
  r->nesting--;
  c = fx_peek(r);
  if (c != '.' && c != '[') {
    out->name = name;
    out->length = length;
    return true;
  }
  r->at = name;
  fx_value of, index;
  if (fx_is(name, length, "self")) {
    of = fx_make(FX_UNKNOWN);
    r->at += length;
  } else if (fx_get(r, name, length, &of)) {
    r->at += length;
  } else {
    return fx_fail(r, name, "'%.*s' is not defined: no statement before assigns it",
                   (int)(length < 100 ? length : 100), name);
  }
  for (;;) {
    c = fx_peek(r);
    if (c == '.') {
      r->at++;
      fx_value next;
      const char *from = r->at, *attribute;
      uint32_t size = 0;
      fx_name(r, &attribute, &size);
      out->is_data = of.kind == FX_TENSOR && size && fx_is(attribute, size, "data");
      r->at = from;
      if (!fx_attribute(r, &of, &next)) return false;
      out->of = of;
      of = next;
      out->is_item = false;
    } else if (c == '[') {
      if (out->is_item) of = fx_item(r, &out->of, &out->index);
      fx_open(r, '[');
      if (!fx_subscript(r, &index) || !fx_close(r, ']')) return false;
      out->of = of;
      out->index = index;
      out->is_item = true;
      out->is_data = false;
    } else {
      return true;
    }
  }
}

static void name_value(fx_reader *r, value_id value, const char *name) {
  if (value != VALUE_NONE && r->scope->is_main && !r->build.g->values[value].is_argument &&
      r->build.g->values[value].at == UINT32_MAX)
    r->build.g->values[value].at = (uint32_t)(name - r->begin);
}

// What a starred target takes.
static fx_value rest_of(fx_reader *r, uint32_t from, int64_t to) {
  assert(to <= 0);
  fx_value parts[3] = {fx_int(from), to ? fx_int(to) : fx_make(FX_NONE), fx_make(FX_NONE)};
  fx_value out = fx_make(FX_SLICE);
  out.items = fx_copy(r, parts, 3, 0);
  out.count = 3;
  return out;
}

static void assign(fx_reader *r, const fx_target *t, const fx_value *v) {
  assert(t->name || t->is_item || t->is_data || t->parts || !t->count);
  if (t->name) {
    name_value(r, v->value, t->name);
    fx_set(r, t->name, t->length, v);
  } else if (t->is_item) {
    fx_set_item(r, &t->of, &t->index, v);
  } else if (t->is_data) {
    fx_changed(r, &t->of, v);
  } else if (t->parts) {
    bool after = false;  // a starred target, counted from the end
    for (uint32_t i = 0; i < t->count; i++) {
      int64_t from_end = (int64_t)i - t->count;
      fx_value at =
          t->parts[i].is_rest ? rest_of(r, i, from_end + 1) : fx_int(after ? from_end : i);
      fx_value one = fx_item(r, v, &at);
      after |= t->parts[i].is_rest;
      assign(r, &t->parts[i], &one);
    }
  }
}

static const char *augmented(fx_reader *r) {
  static const char *const SIGNS[][2] = {
      {"+=", "add"}, {"-=", "sub"},     {"*=", "mul"},    {"//=", "floordiv"}, {"/=", "truediv"},
      {"%=", "mod"}, {"**=", "pow"},    {"@=", "matmul"}, {"|=", "or_"},       {"&=", "and_"},
      {"^=", "xor"}, {"<<=", "lshift"}, {">>=", "rshift"}};
  for (unsigned i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++) {
    if (fx_take(r, SIGNS[i][0])) return SIGNS[i][1];
  }
  return NULL;
}

// x += y: a tensor keeps its dims, to which the other broadcasts.
static fx_value in_place(fx_reader *r, const char *op, const fx_value *a, const fx_value *b) {
  assert(op && a && b);
  if (a->kind != FX_TENSOR || strcmp(op, "matmul") == 0) return fx_binary(r, op, a, b);
  value_id operands[2] = {fx_operand(r, a), fx_operand(r, b)};
  fx_changed(r, a, NULL);
  // Two operands, of which the second is read where it is a tensor.
  value_id made =
      build_op(&r->build,
               b->kind == FX_TENSOR || b->kind == FX_UNKNOWN ? "torch.aten.add_.Tensor"
                                                             : "torch.fx.in_place",
               operands, b->kind == FX_TENSOR || b->kind == FX_UNKNOWN ? 2 : 1, NULL, 1);
  fx_value out = fx_of(r, FX_TENSOR, made, (shape_dtype)a->dtype);
  out.root = a->root;
  return out;
}

static bool read_assignment(fx_reader *r) {
  enum { TARGETS_MAX = 64 };
  fx_target targets[TARGETS_MAX], tuple;
  uint32_t count = 0;
  fx_value v = fx_make(FX_NONE);
  const char *text = NULL;
  uint32_t length = 0, name_end = 0;
  fx_value as;
  do {
    if (count == TARGETS_MAX) return fx_fail(r, r->at, "there are too many targets");
    fx_target *t = &targets[count++];
    bool rest = fx_take(r, "*");
    if (!read_target(r, t)) return false;
    t->is_rest = rest;
    if (fx_take(r, ",")) {
      if (!target_parts(r, 0, t, &tuple)) return false;
      *t = tuple;
    }
    if (fx_take(r, ":")) {
      name_end = (uint32_t)(t->name ? t->name + t->length - r->begin : r->at - r->begin);
      if (!annotation(r, &text, &length, &as)) return false;
      if (fx_peek(r) != '=') return true;  // a name alone
    }
    const char *op = count == 1 ? augmented(r) : NULL;
    if (op) {
      fx_value old = fx_make(FX_UNKNOWN);
      if (t->name && !fx_get(r, t->name, t->length, &old))
        return fx_fail(r, t->name, "'%.*s' is not defined: no statement before assigns it",
                       (int)(t->length < 100 ? t->length : 100), t->name);
      if (t->is_item) old = fx_item(r, &t->of, &t->index);
      if (!fx_expressions(r, &v)) return false;
      fx_value now = in_place(r, op, &old, &v);
      if (t->is_item) fx_changed(r, &t->of, NULL);
      if (t->name) assign(r, t, &now);
      return !r->failed;
    }
    if (!fx_need(r, "=")) return false;
  } while (assigns(r));
  if (!fx_expressions(r, &v)) return false;
  if (text && length && v.value != VALUE_NONE) {
    fx_value declared;
    if (!r->hop.in_loop && r->build.g->values[v.value].name == NAME_NONE &&
        !r->build.g->values[v.value].is_argument &&
        fx_annotate(r, v.value, text, length, false, &declared)) {
      note_annotation(r, v.value, name_end, as.literal);
      declared.root = v.root;
      v = declared;
    }
  }
  for (uint32_t i = 0; i < count; i++) assign(r, &targets[i], &v);
  return !r->failed;
}

static bool read_return(fx_reader *r, fx_value *out) {
  *out = fx_make(FX_NONE);
  char c = fx_peek(r);
  return !c || c == ';' || fx_expressions(r, out);
}

static bool read_assert(fx_reader *r) {
  fx_value condition, ignored;
  if (!fx_expression(r, &condition) || (fx_take(r, ",") && !fx_expression(r, &ignored)))
    return false;
  value_id operand = fx_operand(r, &condition);
  build_op(&r->build, "torch.check", &operand, 1, NULL, 0);
  return true;
}

static bool read_delete(fx_reader *r) {
  fx_target ignored;
  do {
    if (!read_target(r, &ignored)) return false;
  } while (fx_take(r, ","));
  return true;
}

// One statement of a line. *returned: it was the last.
static bool read_statement(fx_reader *r, fx_value *result, bool *returned) {
  static const char *const COMPOUND[] = {"if",    "for",   "while",  "with",     "try",
                                         "async", "raise", "global", "nonlocal", "yield"};
  fx_value ignored;
  for (unsigned i = 0; i < sizeof COMPOUND / sizeof *COMPOUND; i++) {
    const char *at = r->at;
    if (fx_word(r, COMPOUND[i]))
      return fx_fail(r, at,
                     "expected a statement of an FX graph (an assignment, a call or return)");
  }
  if (fx_word(r, "return")) return *returned = true, read_return(r, result);
  if (fx_word(r, "pass")) return true;
  if (fx_word(r, "import") || fx_word(r, "from")) return fx_skip_line(r), true;
  if (fx_word(r, "assert")) return read_assert(r);
  if (fx_word(r, "del")) return read_delete(r);
  if (assigns(r)) return read_assignment(r);
  const char *at = r->at, *name;
  uint32_t length;
  if (fx_name(r, &name, &length) && fx_take(r, ":")) {  // `x: T`
    fx_skip_line(r);
    return true;
  }
  r->at = at;
  return fx_expressions(r, &ignored);
}

static void set_span(fx_reader *r) {
  if (!r->scope->is_main) return;
  const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
  if (!end) end = r->end;
  r->build.span = (source_span){(uint32_t)(r->at - r->begin), (uint32_t)(end - r->begin)};
}

// Where the line of a statement ends, for its span.
static bool read_line(fx_reader *r, fx_value *result, bool *returned) {
  do {
    if (!fx_peek(r)) break;
    set_span(r);
    r->nesting = 0;
    if (!read_statement(r, result, returned)) return false;
  } while (fx_take(r, ";"));
  return !fx_peek(r) || fx_fail(r, r->at, "expected the end of the line");
}

static bool read_body(fx_reader *r, uint32_t outer, fx_value *result) {
  assert(!r->brackets);
  uint32_t indent;
  bool returned = false;
  *result = fx_make(FX_NONE);
  if (fx_peek(r)) return read_line(r, result, &returned);  // on the line of the colon
  if (r->uses && r->scope->is_main && r->at < r->end)
    r->uses->body = (uint32_t)(r->at - r->begin) + 1;
  for (;;) {
    const char *before = r->at;
    if (!fx_line(r, &indent) || indent <= outer) {
      r->at = before;
      return true;
    }
    if (r->build.g->budget) budget_take(r->build.g->budget, 1);
    if (r->uses && r->scope->is_main && !r->uses->indent.end)
      r->uses->indent =
          (source_span){(uint32_t)(r->at - r->begin) - indent, (uint32_t)(r->at - r->begin)};
    if (*r->at == '@' || returned) {
      fx_skip_line(r);
    } else if (!read_line(r, result, &returned)) {
      return false;
    }
  }
}

static void take_arguments(fx_reader *r, const parameter_list *list, const fx_value *args,
                           uint32_t count) {
  fx_value unknown = fx_make(FX_UNKNOWN);
  for (uint32_t i = 0; i < list->count; i++)
    fx_set(r, list->items[i].name, list->items[i].length, i < count ? &args[i] : &unknown);
}

bool fx_forward(fx_reader *r, uint32_t class_index, const fx_value *args, uint32_t count,
                fx_value *out) {
  assert(class_index < r->class_count && r->classes[class_index].body);
  parameter_list list;
  const fx_class *c = &r->classes[class_index];
  fx_scope scope = {.class_index = class_index, .is_main = !r->scope, .outer = r->scope};
  if (++r->calls > CALLS_MAX)
    return fx_fail(r, r->at, "submodules are nested deeper than %d", CALLS_MAX);
  const char *at = r->at;
  uint32_t brackets = r->brackets, nesting = r->nesting;
  r->scope = &scope;
  r->at = c->body;
  r->brackets = 1;
  bool ok = read_parameters(r, &list) && read_colon(r);
  if (ok && scope.is_main) ok = declare_all(r, &list);
  if (ok && !scope.is_main) take_arguments(r, &list, args, count);
  ok = ok && read_body(r, c->body_indent, out);
  r->scope = scope.outer;
  r->at = at;
  r->brackets = brackets;
  r->nesting = nesting;
  r->calls--;
  return ok && !r->failed;
}

// The class of a submodule; ID_NONE: it is not in the text.
static uint32_t class_of(fx_reader *r, const fx_value *module) {
  assert(module->kind == FX_MODULE && r->scope->class_index < r->class_count);
  uint32_t found = r->scope->class_index;
  const char *at = module->text, *end = at + module->length;
  if (at == end) return ID_NONE;
  while (at < end && found != ID_NONE) {
    const char *stop = memchr(at, '.', (size_t)(end - at));
    if (!stop) stop = end;
    uint32_t next = ID_NONE;
    for (uint32_t i = 0; i < r->class_count; i++) {
      const fx_class *c = &r->classes[i];
      if (c->outer == found && c->name_length == (size_t)(stop - at) &&
          memcmp(c->name, at, c->name_length) == 0)
        next = i;
    }
    if (r->build.g->budget) budget_take(r->build.g->budget, r->class_count + 1);
    found = next;
    at = stop + (stop < end);
  }
  return found;
}

bool fx_is_module(fx_reader *r, const fx_value *module) { return class_of(r, module) != ID_NONE; }

bool fx_module(fx_reader *r, const fx_value *module, const fx_argument *args, uint32_t count,
               fx_value *out) {
  uint32_t found = class_of(r, module);
  if (found == ID_NONE || !r->classes[found].body) return false;
  fx_value *values = fx_copy(r, NULL, 0, count);
  for (uint32_t i = 0; i < count; i++) values[i] = args[i].value;
  return fx_forward(r, found, values, count, out);
}
