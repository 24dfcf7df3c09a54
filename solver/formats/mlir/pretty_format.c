// SPDX-License-Identifier: Apache-2.0
// Custom syntax by a format, as MLIR's own tables have it (assemblyFormat), so that what is read has the operands, the
// attributes and the segments of the generic form. The language is in pretty.h, the formats are in pretty_formats.def.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/mlir/pretty.h"

enum { SEGMENTS_MAX = 8 };

typedef struct format_state {
  mlir_op *op;
  const char *at;  // in the format
  int64_t segments[SEGMENTS_MAX];
  uint32_t segment_count;
  bool has_segments;
} format_state;

// The next word of the format; false at its end or before another alternative.
static bool next_token(format_state *f, mlir_word *token) {
  while (*f->at == ' ') f->at++;
  const char *from = f->at;
  while (*f->at && *f->at != ' ') f->at++;
  *token = (mlir_word){from, (uint32_t)(f->at - from)};
  return token->length && *from != '|';
}

static void end_segment(mlir_parser *p, format_state *f, uint32_t height) {
  assert(height <= p->stacks.operands.count);
  if (f->segment_count < SEGMENTS_MAX)
    f->segments[f->segment_count++] = p->stacks.operands.count - height;
}

static name_id token_name(mlir_parser *p, mlir_word token, uint32_t skip, uint32_t cut) {
  assert(token.length >= skip + cut);
  return intern_add(&p->g->names, token.text + skip, token.length - skip - cut);
}

static bool operands(mlir_parser *p, format_state *f, char how) {
  assert(f->segment_count <= SEGMENTS_MAX);
  uint32_t height = p->stacks.operands.count;
  bool ok = true;
  if (how == '*') {
    while (ok && mlir_peek(p) == '%') {
      ok = mlir_push_operand(p);
      if (!mlir_accept(p, ',')) break;
      if (mlir_peek(p) != '%') return mlir_expected(p, "an operand such as %0");
    }
  } else if (mlir_peek(p) == '%') {
    ok = mlir_push_operand(p);
  } else if (how != '?') {
    return mlir_expected(p, "an operand such as %0");
  }
  end_segment(p, f, height);
  return ok;
}

bool mlir_mixed_list(mlir_parser *p, name_id name, char open) {
  const char *from = (mlir_skip(p), p->at);
  char close = open == '(' ? ')' : ']';
  assert(open == '(' || open == '[');
  int64_t *values = NULL;
  uint32_t count = 0, capacity = 0;
  if (!mlir_expect(p, open)) return false;
  while (!mlir_accept(p, close)) {
    if (count && !mlir_expect(p, ',')) return false;
    values = arena_grow(p->g->arena, values, count, (size_t)count + 1, &capacity, sizeof *values);
    values[count] = DIM_DYNAMIC;
    char c = mlir_peek(p);
    if (c == '[') {  // [4] is a size of a scalable vector
      if (!mlir_skip_balanced(p)) return false;
    } else if (c == '%' ? !mlir_push_operand(p) : !mlir_int(p, &values[count])) {
      return false;
    }
    count++;
  }
  mlir_push_entry(p, name, mlir_make_ints(p, values, count, from));
  return true;
}

// (d0, d1) -> (d1, d0), as memref.transpose has it: an affine map without its word.
static bool bare_map(mlir_parser *p, name_id name) {
  const char *from = (mlir_skip(p), p->at);
  if (mlir_peek(p) != '(' || !mlir_skip_balanced(p) || !mlir_accept_arrow(p) ||
      mlir_peek(p) != '(' || !mlir_skip_balanced(p))
    return mlir_expected(p, "an affine map");
  shape_strbuf text;
  strbuf_init(&text, p->g->arena);
  strbuf_puts(&text, "affine_map<");
  strbuf_add(&text, from, (size_t)(p->at - from));
  strbuf_putc(&text, '>');
  name_id kept = intern_add(&p->g->names, strbuf_text(&text), text.length);
  mlir_push_entry(p, name, mlir_make_text(p, ATTR_OPAQUE, kept, from));
  return true;
}

// Subscripts such as [%i + 1, symbol(%n)]: their operands, up to the bracket.
static bool subscripts(mlir_parser *p, format_state *f) {
  uint32_t height = p->stacks.operands.count, depth = 0;
  for (char c; (c = mlir_peek(p)) != 0; mlir_step(p)) {
    if (c == '%') {
      if (!mlir_push_operand(p)) return false;
      continue;
    }
    if (c == ']' && !depth) break;
    depth += c == '(' || c == '[';
    if ((c == ')' || c == ']') && !depth--) break;
    p->at++;
  }
  end_segment(p, f, height);
  return true;
}

// --- types

static type_id operand_type(const mlir_parser *p, const mlir_op *op, uint32_t i) {
  if (op->operands + i >= p->stacks.operands.count) return TYPE_NONE;
  value_id value = p->stacks.operands.items[op->operands + i].value;
  return value == VALUE_NONE ? TYPE_NONE : p->g->values[value].type;
}

static void check_operand(mlir_parser *p, const mlir_op *op, uint32_t i, type_id type) {
  if (op->operands + i < p->stacks.operands.count)
    mlir_check_use(p, p->stacks.operands.items[op->operands + i], type);
}

static bool type_list(mlir_parser *p, uint32_t *count) {
  *count = 0;
  do {
    type_id type;
    if (!mlir_type(p, &type)) return false;
    mlir_push_type(p, type);
    ++*count;
  } while (mlir_accept(p, ','));
  return true;
}

// Of the last operands, which results do not have.
static bool last_types(mlir_parser *p, const mlir_op *op) {
  do {
    const char *from = (mlir_skip(p), p->at);
    type_id type;
    if (!mlir_type(p, &type)) return false;
    mlir_use_listed(p, op, 0, from);
  } while (mlir_accept(p, ','));
  return true;
}

static type_id element_type_of(mlir_parser *p, type_id shaped) {
  const graph_type *type = type_get(&p->g->types, shaped);
  if (type->kind != TYPE_TENSOR && type->kind != TYPE_UNRANKED) return TYPE_NONE;
  if (type->dtype == DTYPE_OTHER) return TYPE_NONE;  // a memref of vectors is one of text
  graph_type scalar = {.kind = TYPE_SCALAR,
                       .dtype = type->dtype,
                       .text = type->text,
                       .encoding = NAME_NONE,
                       .params = type->params,
                       .param_count = type->param_count};
  return type_intern(&p->g->types, &scalar);
}

// A -> B, A to B or A into B: the first is that of the operand, the others those of results.
static bool from_to(mlir_parser *p, const mlir_op *op) {
  assert(p->stacks.types.count == op->types);
  type_id type;
  uint32_t count;
  if (!mlir_type_like(p, operand_type(p, op, 0), &type)) return false;
  check_operand(p, op, 0, type);
  if (!mlir_accept_arrow(p) && !mlir_accept_word(p, "to") && !mlir_accept_word(p, "into"))
    return mlir_expected(p, "'->', 'to' or 'into'");
  if (mlir_peek(p) == '(') return mlir_result_types(p, TYPE_NONE);
  return type_list(p, &count);
}

// The names of pretty.h: what is between the types, and which of them are of results.
static bool types(mlir_parser *p, format_state *f, char how) {
  const mlir_op *op = f->op;
  uint32_t count;
  switch (how) {
  case 'r': return type_list(p, &count);
  case 'b': return from_to(p, op);
  case 's':
    if (!from_to(p, op)) return false;
    for (uint32_t i = 0; op->types + i < p->stacks.types.count; i++)
      check_operand(p, op, 1 + i, p->stacks.types.items[op->types + i]);
    return true;
  case 'f': return mlir_signature(p, f->op);
  case 'x':
    if (!from_to(p, op)) return false;
    p->stacks.types.count = op->types;
    return true;
  case 'v': {  // (A, B) -> R, whatever they are the types of
    type_id type;
    if (!mlir_expect(p, '(') || !mlir_type_list(p, ')')) return false;
    p->stacks.types.count = op->types;
    if (!mlir_accept_arrow(p)) return mlir_expected(p, "'->'");
    if (!mlir_type(p, &type)) return false;
    mlir_push_type(p, type);
    return true;
  }
  default: break;
  }
  if (how == 'o' && p->uses) {
    uint32_t rows = p->uses->count;
    if (!last_types(p, op)) return false;
    mlir_use_last(p, op, rows);
    return true;
  }
  if (!type_list(p, &count)) return false;
  assert(count > 0 && p->stacks.types.count == op->types + count);
  type_id first = p->stacks.types.items[op->types],
          last = p->stacks.types.items[op->types + count - 1];
  p->stacks.types.count = op->types;
  switch (how) {
  case 'p':
    for (uint32_t i = 0; i < count; i++)
      check_operand(p, op, i, p->stacks.types.items[op->types + i]);
    p->stacks.types.count = op->types + count;
    break;
  case 'o':
  case '0': break;
  case 'l': mlir_push_type(p, last); break;
  case '2':
    mlir_push_type(p, first);
    mlir_push_type(p, first);
    break;
  case 'i':
    check_operand(p, op, 0, first);
    mlir_push_type(p, type_scalar(&p->g->types, DTYPE_INDEX));
    break;
  case 'e':
    check_operand(p, op, 0, first);
    mlir_push_type(p, element_type_of(p, first));
    break;
  default: assert(false);
  }
  return true;
}

// `:r` and the like; `!i` and `!1` are results whose types are not written.
static bool type_token(mlir_parser *p, format_state *f, mlir_word token) {
  if (token.text[0] == '!') {
    mlir_push_type(p, type_scalar(&p->g->types, token.text[1] == '1' ? DTYPE_I1 : DTYPE_INDEX));
    return true;
  }
  bool optional = token.length > 2 && token.text[2] == '?';
  if (optional && mlir_peek(p) != ':') return true;
  return mlir_expect(p, ':') && types(p, f, token.text[1]);
}

// --- tokens

// The words of a group that is not there: its operands are none.
static void skip_group(format_state *f) {
  mlir_word token;
  while (next_token(f, &token) && token.text[0] != ';') {
    bool is_operand = token.text[0] == '%' || token.text[0] == '&';
    if (is_operand && f->segment_count < SEGMENTS_MAX) f->segments[f->segment_count++] = 0;
  }
}

static bool literal(mlir_parser *p, mlir_word token, bool required) {
  if (mlir_is_letter(token.text[0])) {
    const char *at = (mlir_skip(p), p->at);
    mlir_word word;
    if (mlir_word_here(p, &word) && word.length == token.length &&
        memcmp(word.text, token.text, word.length) == 0)
      return true;
    p->at = at;
  } else if (mlir_accept(p, token.text[0])) {
    return true;
  }
  char what[40];
  snprintf(what, sizeof what, "'%.*s'", (int)token.length, token.text);
  return required && mlir_expected(p, what);
}

bool mlir_ints_attr(mlir_parser *p, name_id name) {
  const char *from = (mlir_skip(p), p->at);
  const int64_t *values;
  uint32_t count;
  attr_id value;
  if (!mlir_attr_bare(p, &value)) return false;
  if (graph_attr_ints(p->g, value, &values, &count)) value = mlir_make_ints(p, values, count, from);
  mlir_push_entry(p, name, value);
  return true;
}

// =name or =name:kind
static bool attribute(mlir_parser *p, mlir_word token) {
  const char *colon = memchr(token.text, ':', token.length);
  uint32_t kind = colon ? token.length - (uint32_t)(colon - token.text) : 0;
  name_id name = token_name(p, token, 1, kind);
  attr_id value;
  if (kind && mlir_word_is((mlir_word){colon, kind}, ":ints")) return mlir_ints_attr(p, name);
  if (!mlir_attr_bare(p, &value)) return false;
  graph_attr *attr = &p->g->attributes.items[value];
  if (kind && attr->kind == ATTR_INT && attr->type == TYPE_NONE) {
    bool index = mlir_word_is((mlir_word){colon, kind}, ":index");
    attr->type = type_scalar(&p->g->types, index ? DTYPE_INDEX : DTYPE_I32);
  }
  mlir_push_entry(p, name, value);
  return true;
}

static bool one_token(mlir_parser *p, format_state *f, mlir_word token) {
  char head = token.text[0];
  uint32_t height = p->stacks.operands.count;
  switch (head) {
  case '#':
    f->has_segments = true;
    return token.length == 1 || one_token(p, f, (mlir_word){token.text + 1, token.length - 1});
  case ';':
  case '~': return true;
  case '%': return operands(p, f, token.length > 1 ? token.text[1] : 0);
  case '&': {
    bool round = token.text[token.length - 1] == ')';
    bool ok = mlir_mixed_list(p, token_name(p, token, 1, round ? 2 : 0), round ? '(' : '[');
    end_segment(p, f, height);
    return ok;
  }
  case '=':
    if (token.length > 1) return attribute(p, token);
    break;
  case '@': return bare_map(p, token_name(p, token, 1, 0));
  case '$': return subscripts(p, f);
  case '_': {
    mlir_word word;
    mlir_skip(p);
    return mlir_word_here(p, &word) || mlir_expected(p, "a word");
  }
  case '{': return mlir_peek(p) != '{' || mlir_attr_dict(p);
  case '?':
    if (!literal(p, (mlir_word){token.text + 1, token.length - 1}, false)) skip_group(f);
    return true;
  case '+': {  // a word that may be there: an attribute without a value
    const char *from = (mlir_skip(p), p->at);
    if (literal(p, (mlir_word){token.text + 1, token.length - 1}, false)) {
      attr_id unit = mlir_new_attr(p, ATTR_UNIT, from);
      mlir_push_entry(p, token_name(p, token, 1, 0), unit);
    }
    return true;
  }
  case 'R':
    if (token.length == 1)
      return mlir_peek(p) == '{' ? mlir_region_here(p) : mlir_expected(p, "'{'");
    break;
  case ':':
    if (token.length > 1) return type_token(p, f, token);
    break;
  case '!': return type_token(p, f, token);
  default: break;
  }
  return literal(p, token, true);
}

static bool alternative(mlir_parser *p, format_state *f) {
  mlir_word token;
  assert(p->stacks.operands.count == f->op->operands);
  f->segment_count = 0;
  f->has_segments = false;
  while (next_token(f, &token)) {
    mlir_step(p);
    if (!one_token(p, f, token)) return false;
  }
  if (f->has_segments) {
    int64_t *kept = arena_alloc(p->g->arena, sizeof f->segments);
    memcpy(kept, f->segments, sizeof f->segments);
    mlir_push_key(p, KEY_operandSegmentSizes, mlir_make_ints(p, kept, f->segment_count, p->at));
  }
  return true;
}

mlir_mark mlir_mark_here(const mlir_parser *p) {
  return (mlir_mark){.at = p->at,
                     .gap = p->gap,
                     .diags = p->g->diags,
                     .operands = p->stacks.operands.count,
                     .entries = p->stacks.entries.count,
                     .types = p->stacks.types.count,
                     .arguments = p->stacks.arguments.count,
                     .missed = p->scope.missing.count,
                     .uses = p->uses ? p->uses->count : 0,
                     .ops = p->g->op_count,
                     .blocks = p->g->block_count,
                     .stop = p->errors.stop};
}

bool mlir_go_back(mlir_parser *p, const mlir_mark *mark) {
  assert(p->g->op_count >= mark->ops && p->stacks.operands.count >= mark->operands &&
         p->stacks.entries.count >= mark->entries && p->stacks.types.count >= mark->types);
  if (p->g->op_count != mark->ops || p->g->block_count != mark->blocks) return false;
  p->at = mark->at;
  p->gap = mark->gap;
  diag_list *diags = &p->g->diags;
  diag *items = diags->items;  // the table may have grown since, and moved
  uint32_t capacity = diags->capacity;
  *diags = mark->diags;
  diags->items = items;
  diags->capacity = capacity;
  p->stacks.operands.count = mark->operands;
  p->stacks.entries.count = mark->entries;
  p->stacks.types.count = mark->types;
  p->stacks.arguments.count = mark->arguments;
  mlir_unmiss(p, mark->missed);
  p->errors.stop = mark->stop;
  if (p->uses) p->uses->count = mark->uses;
  return true;
}

bool mlir_pretty_format(mlir_parser *p, mlir_op *op) {
  assert(op->row->form == FORM_FORMAT && op->row->format);
  const char *format = op->row->format;
  mlir_mark mark = mlir_mark_here(p);
  for (;;) {
    format_state f = {.op = op, .at = format};
    if (alternative(p, &f)) return true;
    format = strchr(format, '|');
    if (!format || !mlir_go_back(p, &mark)) return false;
    format++;
  }
}
