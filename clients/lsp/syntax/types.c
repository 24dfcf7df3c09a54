// SPDX-License-Identifier: Apache-2.0
// Types as they are written, found by brackets and commas: no operation's own syntax is known here.
#include "clients/lsp/syntax/context.h"

static const syn_type NO_TYPE = {SYN_NONE, SYN_NONE};

static bool is_char(const syn_index *x, uint32_t token, char c) {
  return syn_kind_is(x, token, SYN_PUNCT) && syn_char(x, token) == c &&
         x->tokens[token].end - x->tokens[token].begin == 1;
}

// The token that closes the bracket; the last token of the text where none does.
static uint32_t close_of(const syn_index *x, uint32_t open) {
  uint32_t depth = 0;
  for (uint32_t t = open; t < x->token_count; t++) {
    if (!syn_kind_is(x, t, SYN_PUNCT)) continue;
    char c = syn_char(x, t);
    bool one = x->tokens[t].end - x->tokens[t].begin == 1;
    if (one && (c == '(' || c == '[' || c == '{' || c == '<')) depth++;
    if (one && (c == ')' || c == ']' || c == '}' || c == '>') && --depth == 0) return t;
  }
  return x->token_count - 1;
}

uint32_t syn_type_end(const syn_index *x, uint32_t first) {
  uint32_t last = first;
  if (is_char(x, first, '(')) last = close_of(x, first);
  if (is_char(x, last + 1, '<') && x->tokens[last + 1].begin == x->tokens[last].end)
    last = close_of(x, last + 1);
  if (is_char(x, first, '(') && syn_is(x, last + 1, "->") && last + 2 < x->token_count)
    return syn_type_end(x, last + 2);
  return last;
}

static bool begins_type(const syn_index *x, uint32_t token) {
  return syn_kind_is(x, token, SYN_WORD) || syn_kind_is(x, token, SYN_TYPE) ||
         is_char(x, token, '(');
}

static syn_type type_at(const syn_index *x, uint32_t first, uint32_t last) {
  if (first > last || !begins_type(x, first)) return NO_TYPE;
  uint32_t end = syn_type_end(x, first);
  return end > last ? NO_TYPE : (syn_type){first, end};
}

// Type `index` of a list with commas that begins there and ends at `last` at the latest.
static syn_type type_of_list(const syn_index *x, uint32_t first, uint32_t last, uint32_t index) {
  syn_type type = type_at(x, first, last);
  while (index-- && type.last != SYN_NONE) {
    if (!is_char(x, type.last + 1, ',')) return NO_TYPE;
    type = type_at(x, type.last + 2, last);
  }
  return type;
}

uint32_t syn_colon_of(const syn_index *x, uint32_t op) {
  const syn_op *o = &x->ops[op];
  uint32_t colon = SYN_NONE, depth = 0;
  for (uint32_t t = o->name == SYN_NONE ? o->first : o->name + 1; t <= o->last; t++) {
    uint32_t after = syn_skip_region(x, op, t);
    if (after != t) {
      t = after;
      continue;
    }
    if (!syn_kind_is(x, t, SYN_PUNCT) || x->tokens[t].end - x->tokens[t].begin != 1) continue;
    char c = syn_char(x, t);
    if (c == '(' || c == '[' || c == '{' || c == '<') depth++;
    if ((c == ')' || c == ']' || c == '}' || c == '>') && depth) depth--;
    if (c == ':' && !depth) colon = t;
  }
  return colon;
}

// Types of the results: after the arrow, or all that follow the colon.
static syn_type result_type(const syn_index *x, uint32_t op, uint32_t index, uint32_t count) {
  uint32_t colon = syn_colon_of(x, op), last = x->ops[op].last;
  if (colon == SYN_NONE) return NO_TYPE;
  uint32_t first = colon + 1;
  uint32_t end = is_char(x, first, '(') ? close_of(x, first) : SYN_NONE;
  if (end != SYN_NONE && syn_is(x, end + 1, "->")) {
    first = end + 2;
    bool list = is_char(x, first, '(') && !syn_is(x, close_of(x, first) + 1, "->");
    return type_of_list(x, first + list, last, index);
  }
  syn_type type = type_at(x, first, last), found = type;
  uint32_t number = 0;
  while (type.last != SYN_NONE) {
    found = type;
    if (count > 1 && number++ == index) return found;
    bool more = is_char(x, type.last + 1, ',') || syn_is(x, type.last + 1, "->") ||
                syn_is(x, type.last + 1, "to") || syn_is(x, type.last + 1, "into");
    if (!more) break;
    type = type_at(x, type.last + 2, last);
  }
  return found;
}

// The token that the name is.
static uint32_t token_of(const syn_index *x, uint32_t name) {
  return syn_token_before(x, x->names[name].begin + 1);
}

static syn_type argument_type(const syn_index *x, uint32_t name, uint32_t token) {
  const syn_op *o = &x->ops[x->names[name].op];
  if (is_char(x, token + 1, ':')) return type_at(x, token + 2, o->last);
  // `%i = %n` of a loop: the types are listed after the parentheses, in the order of the names.
  uint32_t index = 0;
  for (uint32_t i = name; i-- > 0 && x->names[i].op == x->names[name].op;) {
    index += x->names[i].defines && x->names[i].kind == SYN_VALUE && x->names[i].scope == o->head;
  }
  uint32_t colon = SYN_NONE;
  for (uint32_t t = token; t <= o->last && colon == SYN_NONE; t++) {
    if (is_char(x, t, '{')) break;
    if (is_char(x, t, ')') && is_char(x, t + 1, ':')) colon = t + 1;
  }
  return colon == SYN_NONE ? NO_TYPE : type_of_list(x, colon + 1, o->last, index);
}

syn_type syn_type_of(const syn_index *x, uint32_t name, uint32_t number) {
  const syn_name *n = &x->names[name];
  if (n->op == SYN_NONE) return NO_TYPE;
  const syn_op *o = &x->ops[n->op];
  uint32_t token = token_of(x, name);
  bool result = !(o->flags & SYN_LABEL) && o->name != SYN_NONE && token < o->name;
  if (!result) return argument_type(x, name, token);
  uint32_t index = 0, count = 0;
  for (uint32_t i = name;; i--) {
    if (x->names[i].op != n->op) break;
    if (i != name) index += x->names[i].number == SYN_NONE ? 1 : x->names[i].number;
    if (!i) break;
  }
  for (uint32_t i = name; i < x->name_count && x->names[i].op == n->op && x->names[i].defines &&
                          x->names[i].begin < x->tokens[o->name].begin;
       i++) {
    count += x->names[i].number == SYN_NONE ? 1 : x->names[i].number;
  }
  return result_type(x, n->op, index + number, index + count);
}

syn_type syn_operand_type(const syn_index *x, uint32_t op, uint32_t operand) {
  const syn_op *o = &x->ops[op];
  uint32_t colon = syn_colon_of(x, op);
  if (o->flags & SYN_TERMINATOR && colon == SYN_NONE) return NO_TYPE;
  if (colon == SYN_NONE) return NO_TYPE;
  uint32_t first = colon + 1;
  if (is_char(x, first, '(')) {
    return type_of_list(x, first + 1, o->last, operand);
  }
  syn_type type = type_of_list(x, first, o->last, operand);
  return type.first != SYN_NONE ? type : type_at(x, first, o->last);
}

void syn_type_text(const syn_index *x, syn_type type, shape_strbuf *out) {
  enum { DEPTH = 4 };
  if (type.first == SYN_NONE) return;
  for (uint32_t t = type.first; t <= type.last; t++) {
    const syn_token *token = &x->tokens[t];
    uint32_t name = token->kind == SYN_TYPE ? syn_name_at(x, token->begin) : SYN_NONE;
    uint32_t target = name == SYN_NONE ? SYN_NONE : x->names[name].target;
    uint32_t at = target == SYN_NONE ? SYN_NONE : token_of(x, target);
    // An alias is defined before it is used: so this ends.
    if (at != SYN_NONE && at < t && is_char(x, at + 1, '=') && begins_type(x, at + 2)) {
      syn_type_text(x, (syn_type){at + 2, syn_type_end(x, at + 2)}, out);
    } else {
      strbuf_add(out, x->text + token->begin, token->end - token->begin);
    }
  }
}
