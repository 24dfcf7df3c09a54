// SPDX-License-Identifier: Apache-2.0
// Expressions of a context: built, parsed, printed.
#include <assert.h>
#include <string.h>

#include "solver/api/context.h"
#include "solver/base/utf8.h"

typedef struct build_call {
  shape_operator op;
  term_id a, b;
  const term_id *list;
  num value;
  uint32_t count;
  term_id out;
} build_call;

static void build(shape_context *c, void *data) {
  build_call *x = data;
  term_table *t = c->terms;
  assert(context_has(c, x->a) && context_has(c, x->b));
  switch (x->op) {
  case SHAPE_ADD: x->out = term_add(t, x->a, x->b); return;
  case SHAPE_SUB: x->out = term_sub(t, x->a, x->b); return;
  case SHAPE_MUL: x->out = term_mul(t, x->a, x->b); return;
  case SHAPE_FLOORDIV: x->out = term_floordiv(t, x->a, x->b); return;
  case SHAPE_CEILDIV: x->out = term_ceildiv(t, x->a, x->b); return;
  case SHAPE_MOD: x->out = term_mod(t, x->a, x->b); return;
  case SHAPE_MIN: x->out = term_min(t, x->a, x->b); return;
  case SHAPE_MAX: x->out = term_max(t, x->a, x->b); return;
  case SHAPE_BCAST: x->out = term_bcast(t, x->a, x->b); return;
  }
}

shape_expr shape_context_binary(shape_context *c, shape_operator op, shape_expr a, shape_expr b) {
  build_call x = {.op = op, .a = a, .b = b, .out = TERM_NONE};
  if (a == SHAPE_NO_EXPR || b == SHAPE_NO_EXPR) return SHAPE_NO_EXPR;
  if (!context_has(c, a) || !context_has(c, b)) {
    context_invalid(c, "an operand is no expression of this context");
  } else if ((unsigned)op > SHAPE_BCAST) {
    context_invalid(c, "there is no such operator");
  } else if ((op == SHAPE_FLOORDIV || op == SHAPE_CEILDIV || op == SHAPE_MOD) && b == TERM_ZERO) {
    context_invalid(c, "division by 0");
  } else {
    context_run(c, build, &x);
  }
  return x.out;
}

static void build_constant(shape_context *c, void *data) {
  build_call *x = data;
  x->out = term_const(c->terms, x->value);
}

shape_expr shape_context_integer(shape_context *c, int64_t value) {
  build_call x = {.value = NUM(value), .out = TERM_NONE};
  context_run(c, build_constant, &x);
  return x.out;
}

static void build_power(shape_context *c, void *data) {
  build_call *x = data;
  assert(context_has(c, x->a));
  x->out = term_pow(c->terms, x->a, x->count);
}

shape_expr shape_context_power(shape_context *c, shape_expr a, uint32_t exponent) {
  build_call x = {.a = a, .count = exponent, .out = TERM_NONE};
  if (a == SHAPE_NO_EXPR) return SHAPE_NO_EXPR;
  if (!context_has(c, a)) {
    context_invalid(c, "the base is no expression of this context");
  } else if (exponent > 64) {
    context_invalid(c, "an exponent is at most 64");
  } else {
    context_run(c, build_power, &x);
  }
  return x.out;
}

static void build_product(shape_context *c, void *data) {
  build_call *x = data;
  x->out = x->count ? term_product_of(c->terms, x->list, x->count) : TERM_ONE;
}

shape_expr shape_context_product(shape_context *c, const shape_expr *factors, uint32_t count) {
  build_call x = {.list = factors, .count = count, .out = TERM_NONE};
  for (uint32_t i = 0; i < count; i++) {
    if (factors[i] == SHAPE_NO_EXPR) return SHAPE_NO_EXPR;
    if (!context_has(c, factors[i])) {
      context_invalid(c, "a factor is no expression of this context");
      return SHAPE_NO_EXPR;
    }
  }
  context_run(c, build_product, &x);
  return x.out;
}

// --- text

typedef struct parse_call {
  const char *text;
  shape_context *context;
  bool declare;
  divisor_list *divisors;  // NULL: not wanted
  term_parser parser;
  predicate p;
  term_id out;
  bool ok;
} parse_call;

static term_id symbol_named(void *data, const char *name, size_t length) {
  parse_call *x = data;
  shape_context *c = x->context;
  name_id id = intern_find(&c->symbols.names, name, length);
  uint32_t index;
  if (id != NAME_NONE && imap_get(&c->symbols.by_name, id, &index))
    return c->symbols.items[index].term;
  if (!x->declare || memchr(name, '\0', length)) return TERM_NONE;
  char *copy = arena_strndup(c->arena, name, length);
  return shape_context_dim(c, copy);
}

static void meet_divisor(void *data, term_id divisor) {
  parse_call *x = data;
  if (x->divisors) divisors_add(x->divisors, divisor);
}

static void parse_body(shape_context *c, void *data) {
  parse_call *x = data;
  x->parser =
      (term_parser){.terms = c->terms, .symbol = symbol_named, .divisor = meet_divisor, .data = x};
  x->ok = x->divisors ? term_parse_predicate(&x->parser, x->text, strlen(x->text), &x->p.rel,
                                             &x->p.left, &x->p.right)
                      : term_parse_expr(&x->parser, x->text, strlen(x->text), &x->out);
}

// Where in the text: lines and columns count from 1.
static void say_where(shape_error *error, const char *text, size_t at) {
  error->line = 1;
  error->column = 1;
  for (size_t i = 0; i < at && text[i]; i++) {
    error->column++;
    if (text[i] != '\n') continue;
    error->line++;
    error->column = 1;
  }
}

static void parse_failed(shape_context *c, const parse_call *x) {
  assert(!x->ok && x->parser.error);
  const char *message = x->parser.error;
  if (x->parser.unknown) {
    api_fail(&c->error, SHAPE_SYNTAX, "%s '%.*s'", message,
             (int)utf8_cut(x->parser.unknown, x->parser.unknown_length, 60), x->parser.unknown);
  } else {
    api_fail(&c->error, SHAPE_SYNTAX, "%s", message);
  }
  say_where(&c->error, x->text, x->parser.error_at);
}

shape_expr shape_context_parse(shape_context *c, const char *text, bool declare) {
  parse_call x = {.text = text, .context = c, .declare = declare, .out = TERM_NONE};
  if (!context_run(c, parse_body, &x)) return SHAPE_NO_EXPR;
  if (x.ok) return x.out;
  parse_failed(c, &x);
  return SHAPE_NO_EXPR;
}

bool context_read_predicate(shape_context *c, const char *text, predicate *out,
                            divisor_list *divisors) {
  parse_call x = {.text = text, .context = c, .divisors = divisors};
  parse_body(c, &x);
  *out = x.p;
  if (!x.ok) parse_failed(c, &x);
  return x.ok;
}

bool shape_context_number(const shape_context *c, shape_expr e, int64_t *value) {
  return context_has(c, e) && term_int_value(c->terms, e, value);
}

static void write_symbol(void *data, shape_strbuf *out, uint32_t number) {
  const shape_context *c = data;
  uint32_t index;
  if (!imap_get(&c->symbols.by_number, number, &index)) {
    strbuf_printf(out, "_%u", number);  // made by the solver: no answer holds any
    return;
  }
  assert(index < c->symbols.count);
  name_id name = c->symbols.items[index].name;
  term_print_name(out, intern_text(&c->symbols.names, name),
                  intern_length(&c->symbols.names, name));
}

// Symbols that the caller declared in the context of an analysis are none of the report.
static bool is_own(void *data, term_id atom) {
  const shape_context *c = data;
  const term_node *node = term_get(c->terms, atom);
  return node->kind == TERM_SYMBOL && node->as.symbol >= c->given;
}

void context_print(shape_context *c, shape_strbuf *out, term_id t) {
  assert(context_has(c, t));
  const term_namer namer = {.symbol = write_symbol, .data = c};
  if (c->source && !term_any_atom(c->terms, t, is_own, c)) {
    c->source->print(c->source, out, t);
  } else {
    term_print(c->terms, out, t, &namer);
  }
}

typedef struct text_call {
  term_id e;
  char *buffer;
  size_t room, length;
} text_call;

// The text is made in memory that is rewound, so that asking for texts costs none for good.
static void text_body(shape_context *c, void *data) {
  text_call *x = data;
  shape_strbuf out;
  strbuf_init(&out, &c->scratch);
  context_print(c, &out, x->e);
  x->length = out.length;
  if (x->room) {
    size_t fits = x->length < x->room ? x->length : x->room - 1;
    memcpy(x->buffer, out.data, fits);
    x->buffer[fits] = '\0';
  }
}

size_t shape_context_text(shape_context *c, shape_expr e, char *buffer, size_t room) {
  text_call x = {e, buffer, room, 0};
  if (room) *buffer = '\0';
  if (!context_has(c, e)) {
    context_invalid(c, "no expression of this context");
    return 0;
  }
  return context_run(c, text_body, &x) ? x.length : 0;
}

const char *context_predicate_text(shape_context *c, predicate p) {
  static const char *const SIGNS[] = {"==", "!=", "<", "<=", ">", ">="};
  shape_strbuf out;
  strbuf_init(&out, c->arena);
  if (p.rel == REL_DIVISIBLE) strbuf_puts(&out, "divisible(");
  context_print(c, &out, p.left);
  if (p.rel == REL_DIVISIBLE) {
    strbuf_puts(&out, ", ");
  } else {
    assert((size_t)p.rel < sizeof SIGNS / sizeof *SIGNS);
    strbuf_printf(&out, " %s ", SIGNS[p.rel]);
  }
  context_print(c, &out, p.right);
  if (p.rel == REL_DIVISIBLE) strbuf_putc(&out, ')');
  return strbuf_text(&out);
}

// --- divisors

void divisors_add(divisor_list *list, term_id divisor) {
  shape_context *c = list->context;
  for (uint32_t i = 0; i < list->count; i++) {
    if (list->items[i] == divisor) return;
  }
  if (term_kind_of(c->terms, divisor) == TERM_CONST && divisor != TERM_ZERO) return;
  list->items = arena_grow(list->arena, list->items, list->count, list->count + 1u, &list->capacity,
                           sizeof *list->items);
  assert(list->count < list->capacity);
  list->items[list->count++] = divisor;
}

static void visit_atom(void *data, term_id atom) {
  divisor_list *list = data;
  const term_node *node = term_get(list->context->terms, atom);
  if (node->kind == TERM_FLOORDIV) divisors_add(list, node->as.args[1]);
}

void divisors_of(divisor_list *list, term_id t) {
  assert(context_has(list->context, t));
  term_visit_atoms(list->context->terms, t, visit_atom, list);
}

void divisors_of_predicate(divisor_list *list, predicate p) {
  divisors_of(list, p.left);
  divisors_of(list, p.right);
  if (p.rel == REL_DIVISIBLE) divisors_add(list, p.right);
}
