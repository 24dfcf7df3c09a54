// SPDX-License-Identifier: Apache-2.0
// Reads a pretty form as its row says: items in any order, then types. What a row does not know is an error in
// StableHLO, and is passed over in the dialects whose every syntax is not listed.
#include "solver/formats/mlir/pretty.h"

typedef enum item_outcome { ITEM_READ, ITEM_END, ITEM_ERROR, ITEM_UNKNOWN } item_outcome;

typedef struct item_state {
  uint32_t parentheses, words;
  bool separated;  // an operand may follow: a comma or a bracket is before it
  bool operand;    // one is before it: a comma follows where its syntax is known
  bool comma;      // one is before it: something follows where its syntax is known
} item_state;

static item_outcome done(bool ok) { return ok ? ITEM_READ : ITEM_ERROR; }

static const pretty_key *find_key(const mlir_pretty_row *row, mlir_word word) {
  for (const pretty_key *key = row->keys; key && key->word; key++) {
    if (mlir_word_is(word, key->word)) return key;
  }
  return NULL;
}

// A value without its type: a size is an index.
static bool value_item(mlir_parser *p, const mlir_pretty_row *row, attr_id *out) {
  const char *from = p->at;
  if (!mlir_attr_bare(p, out)) return false;
  int64_t size;
  bool is_size = row->types == TYPES_SIZE && graph_attr_int(p->g, *out, &size);
  if (is_size) *out = mlir_make_int(p, size, DTYPE_INDEX, from);
  return true;
}

// key = value; a key that the row does not list is an attribute of that name.
static item_outcome key_item(mlir_parser *p, const mlir_pretty_row *row, mlir_word word) {
  const pretty_key *key = find_key(row, word);
  if (key) return done(mlir_pretty_value(p, key));
  attr_id value;
  if (!mlir_attr_bare(p, &value)) return ITEM_ERROR;
  mlir_push_entry(p, intern_add(&p->g->names, word.text, word.length), value);
  return ITEM_READ;
}

static item_outcome word_item(mlir_parser *p, const mlir_op *op, item_state *state) {
  const mlir_pretty_row *row = op->row;
  const char *from = p->at;
  mlir_word word;
  mlir_word_here(p, &word);
  bool key = mlir_peek(p) == '=' && mlir_char(p, 1) != '=';
  uint32_t words = row->text == TEXT_ENUM ? 2 : row->text == TEXT_CMPI || row->text == TEXT_CMPF;
  if (state->operand && !row->lenient && (key || state->words < words)) {
    p->at = from;
    return done(mlir_expected(p, "','"));
  }
  if (key) {
    p->at++;
    return key_item(p, row, word);
  }
  if (state->words < words) return done(mlir_pretty_text(p, row, state->words++, word));
  if (mlir_peek(p) == '{' && mlir_word_is(word, "attributes")) return done(mlir_attr_dict(p));
  p->at = from;
  if (mlir_word_is(word, "loc") || memchr(word.text, '.', word.length)) return ITEM_END;
  if (row->text == TEXT_VALUE && state->words == 0) {
    attr_id value;
    state->words++;
    if (!value_item(p, row, &value)) return ITEM_ERROR;
    mlir_push_key(p, (mlir_key)row->words[0], value);
    return ITEM_READ;
  }
  if (mlir_statement_begins(p)) return ITEM_END;
  if (!row->braces_are_regions) return ITEM_UNKNOWN;
  mlir_word_here(p, &word);  // such as `inits` in front of a second list of operands
  return ITEM_READ;
}

// @name, "text" or a number, where the row has a slot for one.
static item_outcome text_item(mlir_parser *p, const mlir_op *op, item_state *state) {
  const mlir_pretty_row *row = op->row;
  const char *from = p->at;
  name_id name;
  attr_id value;
  char c = *p->at;
  bool symbol = c == '@' && (row->text == TEXT_SYMBOL || row->text == TEXT_STRING);
  bool string = c == '"' && row->text == TEXT_STRING;
  if (state->words) return mlir_statement_begins(p) ? ITEM_END : ITEM_UNKNOWN;
  state->words++;
  if (symbol || string) {
    if (!(symbol ? mlir_symbol_name(p, &name) : mlir_string(p, &name))) return ITEM_ERROR;
    value = mlir_make_text(p, row->text == TEXT_SYMBOL ? ATTR_SYMBOL : ATTR_STRING, name, from);
    // A composite's operands follow its name without a comma.
    state->separated = string && p->stacks.operands.count == op->operands;
  } else if (row->text == TEXT_VALUE && c != '@' && c != '"') {
    if (!value_item(p, row, &value)) return ITEM_ERROR;
  } else {
    return mlir_statement_begins(p) ? ITEM_END : ITEM_UNKNOWN;
  }
  mlir_push_key(p, (mlir_key)row->words[0], value);
  return ITEM_READ;
}

static item_outcome brace_item(mlir_parser *p, const mlir_op *op) {
  bool region = op->row->lenient ? mlir_region_begins(p) : op->row->braces_are_regions;
  if (region) return done(mlir_region_here(p));
  if (!op->row->bare_words) return done(mlir_attr_dict(p));
  p->at++;
  return done(mlir_key_values(p, '}'));
}

static item_outcome one_item(mlir_parser *p, const mlir_op *op, item_state *state) {
  char c = mlir_peek(p);
  bool separated = state->separated;
  state->separated = false;
  bool ends = c == ':' || c == ')' || c == '}' || (c == '{' && !op->row->braces_are_regions);
  if (!op->row->lenient && ((c == ',' && separated) || (ends && state->comma)))
    return done(mlir_expected(p, "an operand such as %0"));
  state->comma = c == ',';
  switch (c) {
  case '%':
    if (!separated || mlir_begins_next(p)) return ITEM_END;
    state->operand = true;
    return done(mlir_push_operand(p));
  case ',':
    p->at++;
    state->separated = true;
    state->operand = false;
    return ITEM_READ;
  case '(':
    p->at++;
    state->parentheses++;
    state->separated = true;
    return ITEM_READ;
  case ')':
    if (!state->parentheses) return ITEM_END;
    state->operand = false;
    p->at++;
    state->parentheses--;
    return ITEM_READ;
  case '[':
    if (op->row->lenient && op->row->brackets == BRACKETS_NONE) return ITEM_UNKNOWN;
    return done(mlir_pretty_brackets(p, op->row));
  case '{': return brace_item(p, op);
  case '<':
    if (mlir_char(p, 1) != '{') return ITEM_UNKNOWN;
    p->at++;
    return done(mlir_attr_dict(p) && mlir_expect(p, '>'));
  case '@':
  case '"':
  case '-': return text_item(p, op, state);
  case ':':
  case '}':
  case '^':
  case 0: return ITEM_END;
  default: break;
  }
  if (mlir_is_letter(c)) return word_item(p, op, state);
  return mlir_is_digit(c) ? text_item(p, op, state) : ITEM_UNKNOWN;
}

static bool items(mlir_parser *p, mlir_op *op) {
  item_state state = {.separated = true};
  item_outcome outcome;
  while ((outcome = one_item(p, op, &state)) == ITEM_READ) continue;
  if (outcome == ITEM_ERROR) return false;
  if (outcome == ITEM_UNKNOWN && op->row->lenient) return mlir_opaque_op(p, op);
  if (state.parentheses) return mlir_expected(p, "')'");
  if (op->row->has_dot_dims) mlir_finish_dot(p, op);
  if (mlir_accept(p, ':')) {
    if (!mlir_pretty_types(p, op)) return false;
    return !op->row->braces_are_regions || mlir_peek(p) != '{' || mlir_region_here(p);
  }
  if (mlir_pretty_fixed(p, op)) return true;
  if (!op->bound && (op->row->lenient || p->stacks.operands.count == op->operands)) return true;
  return op->row->lenient ? mlir_opaque_op(p, op) : mlir_expected(p, "':' and the types");
}

// --- constants: the type is that of the attribute

static bool constant(mlir_parser *p, mlir_op *op) {
  if (mlir_accept(p, '(')) {  // constant() {value = ...} : () -> type
    if (!mlir_expect(p, ')')) return false;
    if (mlir_accept(p, '<')) {
      if (mlir_peek(p) != '{') return mlir_expected(p, "'{'");
      if (!mlir_attr_dict(p) || !mlir_expect(p, '>')) return false;
    }
    if (mlir_peek(p) == '{' && !mlir_attr_dict(p)) return false;
    return mlir_expect(p, ':') && mlir_signature(p, op);
  }
  if (mlir_peek(p) == '{' && !mlir_attr_dict(p)) return false;
  attr_id value;
  if (!mlir_attr(p, &value)) return false;
  mlir_push_key(p, KEY_value, value);
  const graph_attr *attr = &p->g->attributes.items[value];
  type_id type = attr->type;
  if (type == TYPE_NONE && attr->kind == ATTR_BOOL) type = type_scalar(&p->g->types, DTYPE_I1);
  if (type == TYPE_NONE && attr->kind == ATTR_INT) type = type_scalar(&p->g->types, DTYPE_I64);
  if (type == TYPE_NONE && attr->kind == ATTR_FLOAT) type = type_scalar(&p->g->types, DTYPE_F64);
  mlir_push_type(p, type);
  return true;
}

// --- operands [-> types] { region } [else { region }]

// The printer leaves a terminator without operands out (MLIR, SingleBlockImplicitTerminator).
bool mlir_region_ended(mlir_parser *p, const mlir_argument *arguments, uint32_t count,
                       mlir_word terminator) {
  uint32_t first = p->stacks.blocks.count;
  if (mlir_peek(p) != '{') return mlir_expected(p, "'{'");
  if (!mlir_region_with(p, arguments, count)) return false;
  if (p->stacks.blocks.count == first) {
    p->stacks.regions.items[p->stacks.regions.count - 1].block_count = 1;
    mlir_push_block(p);
  }
  block_id block = p->stacks.blocks.items[p->stacks.blocks.count - 1];
  op_id last = p->g->blocks[block].last;
  name_id name = intern_add(&p->g->names, terminator.text, terminator.length);
  if (last != ID_NONE && p->g->ops[last].name == name) return true;
  if (last != ID_NONE && p->stacks.regions.items[p->stacks.regions.count - 1].block_count > 1)
    return true;
  source_span brace = mlir_span(p, p->at - 1, p->at);
  graph_add_op(p->g, name, block, brace);
  return true;
}

static bool region_op(mlir_parser *p, const mlir_op *op) {
  bool is_if = mlir_word_is((mlir_word){op->row->name, 3}, "scf");
  mlir_word yield = is_if ? (mlir_word){"scf.yield", 9} : (mlir_word){"shape.assuming_yield", 20};
  if (!mlir_region_ended(p, NULL, 0, yield)) return false;
  if (!is_if) return true;
  if (mlir_accept_word(p, "else")) return mlir_region_ended(p, NULL, 0, yield);
  mlir_push_region(p, p->stacks.blocks.count);  // both regions are always there
  return true;
}

static bool regions(mlir_parser *p, const mlir_op *op) {
  if (mlir_peek(p) == '%') {
    do {
      if (mlir_peek(p) != '%') return mlir_expected(p, "an operand such as %0");
      if (!mlir_push_operand(p)) return false;
    } while (mlir_accept(p, ','));
  }
  if (mlir_accept_arrow(p) && !mlir_results_of(p, op, TYPE_NONE)) return false;
  if (mlir_peek(p) != '{') return mlir_expected(p, "'{'");
  return region_op(p, op) && (mlir_peek(p) != '{' || mlir_attr_dict(p));
}

// Whether what its own syntax says is all that its generic form has.
static bool says_all(const mlir_pretty_row *row) {
  if (!row) return false;
  if (row->form == FORM_FORMAT) return !strpbrk(row->format, "$~");
  return row->form == FORM_OWN && row->whole;
}

// What does not read as its operation is written is passed over: no rule applies to it, as nothing says which operand
// is which.
static bool tried(mlir_parser *p, mlir_op *op, mlir_own_form *read) {
  mlir_mark mark = mlir_mark_here(p);
  uint32_t errors = p->g->diags.errors;
  p->recovery.trying++;
  bool ok = read(p, op);
  p->recovery.trying--;
  if (ok) {
    if (p->uses && read != items) (says_all(op->row) ? mlir_use_whole : mlir_use_opaque)(p, op->id);
    return true;
  }
  if (p->errors.stop) {
    if (p->g->diags.errors != errors) mlir_read_again(p);
    return false;
  }
  if (!mlir_go_back(p, &mark) && p->g->diags.errors != errors) {
    mlir_read_again(p);
    return false;
  }
  p->g->ops[op->id].unread = op->row != NULL;
  return mlir_opaque_op(p, op);
}

static bool unknown(mlir_parser *p, mlir_op *op) {
  if (mlir_destinations_follow(p)) return tried(p, op, mlir_pretty_destinations);
  return mlir_opaque_op(p, op);
}

bool mlir_pretty(mlir_parser *p, mlir_op *op) {
  if (!op->row) return unknown(p, op);
  switch ((pretty_form)op->row->form) {
  case FORM_ITEMS: return op->row->guessed ? tried(p, op, items) : items(p, op);
  case FORM_CONSTANT: return constant(p, op);
  case FORM_REDUCE: return mlir_pretty_reduce(p, op);
  case FORM_WHILE: return mlir_pretty_while(p, op);
  case FORM_FORMAT: return tried(p, op, mlir_pretty_format);
  case FORM_OWN: return tried(p, op, op->row->own);
  case FORM_BRANCH: return mlir_pretty_branch(p, op);
  case FORM_REGIONS: return regions(p, op);
  case FORM_TORCH: return mlir_pretty_torch(p, op);
  case FORM_DISC: return mlir_pretty_disc(p, op);
  case FORM_OPAQUE: break;
  }
  return mlir_opaque_op(p, op);
}
