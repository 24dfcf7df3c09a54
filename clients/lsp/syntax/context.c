// SPDX-License-Identifier: Apache-2.0
#include "clients/lsp/syntax/context.h"

#include <string.h>

enum { NESTING_MAX = 64 };

// --- tokens and operations

uint32_t syn_token_before(const syn_index *x, uint32_t offset) {
  uint32_t before = syn_tokens_before(x->tokens, x->token_count, offset);
  return before ? before - 1 : SYN_NONE;
}

uint32_t syn_op_of_token(const syn_index *x, uint32_t token) {
  if (token == SYN_NONE) return SYN_NONE;
  uint32_t count = sorted_before(x->ops, x->op_count, sizeof *x->ops, offsetof(syn_op, first),
                                 (uint64_t)token + 1),
           op = count ? count - 1 : SYN_NONE;
  while (op != SYN_NONE && token > x->ops[op].last) op = x->regions[x->ops[op].region].op;
  return op;
}

uint32_t syn_skip_region(const syn_index *x, uint32_t op, uint32_t token) {
  for (uint32_t r = x->ops[op].first_region; r != SYN_NONE; r = x->regions[r].next) {
    if (x->regions[r].open != token) continue;
    return x->regions[r].close == SYN_NONE ? x->token_count : x->regions[r].close;
  }
  return token;
}

static bool is_char(const syn_index *x, uint32_t token, char c) {
  return syn_kind_is(x, token, SYN_PUNCT) && syn_char(x, token) == c &&
         x->tokens[token].end - x->tokens[token].begin == 1;
}

static bool new_line_before(const syn_index *x, uint32_t token, uint32_t offset) {
  uint32_t from = token == SYN_NONE ? 0 : x->tokens[token].end;
  if (token == SYN_NONE) return true;
  return from < offset && memchr(x->text + from, '\n', offset - from) != NULL;
}

// --- the word that is typed

static bool in_comment(const syn_index *x, uint32_t offset) {
  uint32_t before = syn_tokens_before(x->comments, x->comment_count, offset);
  if (!before) return false;
  const syn_token *c = &x->comments[before - 1];
  if (offset <= c->end) return true;
  // White space at the end of its line belongs to it.
  return !memchr(x->text + c->end, '\n', offset - c->end) && offset <= x->length;
}

static bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$';
}

// Whether a string is the name of an operation, whole or half: it follows results, or begins a line.
static bool names_op(const syn_index *x, uint32_t token, uint32_t before) {
  if (before == SYN_NONE) return true;
  if (is_char(x, before, '=')) {
    uint32_t at = before ? before - 1 : SYN_NONE;
    if (syn_kind_is(x, at, SYN_NUMBER) && at >= 2 && is_char(x, at - 1, ':')) at -= 2;
    return syn_kind_is(x, at, SYN_VALUE);
  }
  uint32_t op = syn_op_of_token(x, token);
  if (op != SYN_NONE && x->ops[op].name == token) return true;
  return new_line_before(x, before, x->tokens[token].begin) && !is_char(x, before, ',') &&
         !is_char(x, before, '{') && !is_char(x, before, '(');
}

static void take_string(const syn_index *x, syn_context *c, uint32_t token) {
  uint32_t begin = x->tokens[token].begin, end = begin + 1;
  while (end < x->tokens[token].end && is_word_char(x->text[end])) end++;
  if (end < x->length && x->text[end] == '"') end++;
  c->begin = begin;
  c->end = end;
  c->before = token ? token - 1 : SYN_NONE;
  c->quoted = true;
  c->expects = names_op(x, token, c->before) ? SYN_EXPECTS_OP : SYN_EXPECTS_NOTHING;
}

static bool is_open_string(const syn_index *x, const syn_token *t) {
  return t->end - t->begin < 2 || x->text[t->end - 1] != '"';
}

// The token that is typed; SYN_NONE: none, or one that nothing completes. False: nothing is expected, or all is known.
static bool find_word(const syn_index *x, uint32_t offset, syn_context *c, uint32_t *word) {
  uint32_t t = syn_token_before(x, offset);
  c->begin = c->end = offset;
  c->before = t;
  *word = SYN_NONE;
  if (t == SYN_NONE) return true;
  const syn_token *token = &x->tokens[t];
  if (token->kind == SYN_STRING && offset <= token->end) {
    if (offset == token->end && !is_open_string(x, token)) return true;
    take_string(x, c, t);
    return false;
  }
  if (offset > token->end || token->kind == SYN_PUNCT || token->kind == SYN_STRING) return true;
  if (token->kind == SYN_NUMBER) return false;
  bool glued = t && x->tokens[t - 1].kind == SYN_VALUE && x->tokens[t - 1].end == token->begin;
  uint32_t first = glued && syn_char(x, t) == '#' ? t - 1 : t;
  bool numbered = first == t && token->kind == SYN_VALUE && t + 1 < x->token_count &&
                  x->tokens[t + 1].kind == SYN_RESULT;
  c->begin = x->tokens[first].begin;
  c->end = numbered ? x->tokens[t + 1].end : token->end;
  c->before = first ? first - 1 : SYN_NONE;
  *word = first;
  return true;
}

// --- brackets of the operation

typedef struct nesting {
  uint32_t open[NESTING_MAX];
  uint32_t depth;
  uint32_t colon;   // the last one outside of brackets, or ->; SYN_NONE
  uint32_t commas;  // since the innermost bracket, or that colon
  uint32_t values;  // likewise, in parts with a value that are over
  bool value;       // in the part that is not
} nesting;

static char closes(char open) {
  return open == '(' ? ')' : open == '[' ? ']' : open == '<' ? '>' : '}';
}

static void clear_counts(nesting *n) {
  n->commas = n->values = 0;
  n->value = false;
}

// The brackets that are open after the tokens of the operation up to `last`. False: too many.
static bool scan(const syn_index *x, uint32_t op, uint32_t last, nesting *n) {
  struct {
    uint32_t commas, values;
    bool value;
  } saved[NESTING_MAX];
  memset(n, 0, sizeof *n);
  n->colon = SYN_NONE;
  for (uint32_t t = x->ops[op].first; t <= last && t < x->token_count; t++) {
    uint32_t after = syn_skip_region(x, op, t);
    if (after != t) {
      t = after;
      continue;
    }
    const syn_token *token = &x->tokens[t];
    if (token->kind == SYN_VALUE && t > x->ops[op].name) n->value = true;
    if (token->kind != SYN_PUNCT) continue;
    bool one = token->end - token->begin == 1;
    char c = token->c;
    if (one && strchr("([{<", c)) {
      if (n->depth == NESTING_MAX) return false;
      saved[n->depth].commas = n->commas;
      saved[n->depth].values = n->values;
      saved[n->depth].value = n->value;
      n->open[n->depth++] = t;
      clear_counts(n);
    } else if (one && strchr(")]}>", c)) {
      uint32_t d = n->depth;
      while (d && closes(syn_char(x, n->open[d - 1])) != c) d--;
      if (!d) continue;
      n->depth = d - 1;
      n->commas = saved[d - 1].commas;
      n->values = saved[d - 1].values;
      n->value = saved[d - 1].value;
    } else if (one && c == ',') {
      n->commas++;
      n->values += n->value;
      n->value = false;
    } else if (!n->depth && (c == ':' || !one) && t > x->ops[op].name && (c == ':' || c == '-')) {
      n->colon = t;
      clear_counts(n);
    } else if (n->depth == 1 && one && c == ':' && syn_is(x, t - 1, "init")) {
      n->values += n->value;
      n->value = false;
    }
  }
  return true;
}

// --- what is expected within an operation

static uint8_t kind_of(const syn_index *x, uint32_t word) {
  return word == SYN_NONE ? SYN_WORD : x->tokens[word].kind;
}

static bool in_type(const syn_index *x, const nesting *n) {
  for (uint32_t d = 0; d < n->depth; d++) {
    uint32_t open = n->open[d];
    if (syn_char(x, open) == '<' && open && !syn_kind_is(x, open - 1, SYN_ATTR) &&
        !is_char(x, open + 1, '{'))
      return true;
  }
  return false;
}

static bool defines_symbol(const syn_index *x, const syn_context *c, uint32_t word) {
  const syn_op *o = &x->ops[c->op];
  if (o->flags & SYN_TARGET && o->name == c->before) return true;
  return o->symbol != SYN_NONE && x->names[o->symbol].begin == x->tokens[word].begin;
}

// Among operands: in front of the types, in the outermost parentheses or in none, and not in `word = ...`.
static bool operands_at(const syn_index *x, const syn_context *c, const nesting *n, uint32_t word) {
  uint32_t t = c->before;
  if (n->colon != SYN_NONE || n->depth > 1) return false;
  if (n->depth && syn_char(x, n->open[0]) != '(') return false;
  if (word != SYN_NONE && x->tokens[word].kind != SYN_VALUE) return false;
  if (!n->depth && x->ops[c->op].name != SYN_NONE && syn_kind_is(x, x->ops[c->op].name, SYN_STRING))
    return false;
  uint32_t from = n->depth ? n->open[0] : x->ops[c->op].name;
  for (; t != SYN_NONE && t > from && !is_char(x, t, ','); t--) {
    // `%i = %n` of a loop is an operand.
    if (is_char(x, t, '=') && !syn_kind_is(x, t - 1, SYN_VALUE)) return false;
    if (is_char(x, t, ')') || is_char(x, t, ']') || is_char(x, t, '}')) return false;
  }
  return true;
}

static syn_expects expects_in_op(const syn_index *x, syn_context *c, const nesting *n,
                                 uint32_t word) {
  const syn_op *o = &x->ops[c->op];
  uint8_t kind = kind_of(x, word);
  char open = n->depth ? syn_char(x, n->open[n->depth - 1]) : 0;
  uint32_t before = c->before;
  bool types = n->colon != SYN_NONE;
  bool arguments = o->flags & (SYN_FUNCTION | SYN_LABEL) && n->depth == 1 && !types;
  c->open = n->depth ? n->open[n->depth - 1] : SYN_NONE;
  c->operand = types || !n->depth || open != '(' ? n->values : n->commas;
  if (types) c->operand = n->commas;
  if (open == '(' && !types) c->operand = n->values;
  c->in_parens = open == '(';
  c->operands = operands_at(x, c, n, word);
  switch (kind) {
  case SYN_SYMBOL:
    if (defines_symbol(x, c, word)) return SYN_EXPECTS_NOTHING;
    return in_type(x, n) ? SYN_EXPECTS_DIM : SYN_EXPECTS_SYMBOL;
  case SYN_BLOCK: return SYN_EXPECTS_BLOCK;
  case SYN_TYPE: return SYN_EXPECTS_TYPE;
  case SYN_ATTR: return SYN_EXPECTS_ALIAS;
  case SYN_VALUE:
    return arguments || open == '{' || open == '<' ? SYN_EXPECTS_NOTHING : SYN_EXPECTS_OPERAND;
  default: break;
  }
  bool assigned = is_char(x, before, '=') && before;
  if (assigned) c->key = before - 1;
  if (open == '{') {
    bool nested = false;
    for (uint32_t d = 0; d + 1 < n->depth; d++) nested |= syn_char(x, n->open[d]) == '{';
    if (assigned) return nested ? SYN_EXPECTS_NOTHING : SYN_EXPECTS_SETTING;
    bool begins = is_char(x, before, '{') || is_char(x, before, ',');
    return begins && !nested ? SYN_EXPECTS_ATTRIBUTE : SYN_EXPECTS_NOTHING;
  }
  if (open == '[' || open == '<') {
    uint32_t at = c->open;
    if (open == '<' && at && syn_kind_is(x, at - 1, SYN_ATTR)) at--;
    if (at >= 2 && is_char(x, at - 1, '[')) at--;
    if (at < 2 || !is_char(x, at - 1, '=')) return SYN_EXPECTS_NOTHING;
    c->key = at - 2;
    return SYN_EXPECTS_SETTING;
  }
  if (assigned) return SYN_EXPECTS_SETTING;
  if (types) {
    bool begins = before == n->colon || is_char(x, before, ',') || is_char(x, before, '(') ||
                  syn_is(x, before, "->");
    c->types = true;
    return begins ? SYN_EXPECTS_TYPE : SYN_EXPECTS_NOTHING;
  }
  if (arguments || o->flags & SYN_FUNCTION) {
    return is_char(x, before, ':') || syn_is(x, before, "->") ? SYN_EXPECTS_TYPE
                                                              : SYN_EXPECTS_NOTHING;
  }
  bool begins = before == o->name || is_char(x, before, ',') || is_char(x, before, '(');
  return begins ? SYN_EXPECTS_OPERAND : SYN_EXPECTS_NOTHING;
}

// --- the whole

static bool goes_on(const syn_index *x, uint32_t token) {
  if (!syn_kind_is(x, token, SYN_PUNCT)) return false;
  return strchr(",(=:[<-", syn_char(x, token)) != NULL;
}

static uint32_t opened_by(const syn_index *x, uint32_t op, uint32_t token) {
  for (uint32_t r = op == SYN_NONE ? SYN_NONE : x->ops[op].first_region; r != SYN_NONE;
       r = x->regions[r].next) {
    if (x->regions[r].open == token) return r;
  }
  return SYN_NONE;
}

// The part of the file that the byte is in.
static uint32_t part_at(const syn_index *x, uint32_t offset) {
  uint32_t part = 0;
  for (uint32_t r = 0; r < x->region_count; r++) {
    if (x->regions[r].op != SYN_NONE || x->regions[r].first_op == SYN_NONE) continue;
    uint32_t first = x->ops[x->regions[r].first_op].first;
    if (x->tokens[first].begin <= offset) part = r;
  }
  return part;
}

static bool in_first_word(const syn_index *x, const syn_context *c, uint32_t word) {
  if (word == SYN_NONE || c->op == SYN_NONE) return false;
  return x->ops[c->op].name == word || x->ops[c->op].first == word;
}

static syn_expects expects_at_start(const syn_index *x, uint32_t word) {
  return kind_of(x, word) == SYN_WORD ? SYN_EXPECTS_OP : SYN_EXPECTS_NOTHING;
}

syn_context syn_context_at(const syn_index *x, uint32_t offset) {
  syn_context c = {.begin = offset,
                   .end = offset,
                   .op = SYN_NONE,
                   .open = SYN_NONE,
                   .key = SYN_NONE,
                   .before = SYN_NONE};
  uint32_t word;
  if (in_comment(x, offset)) return c;
  bool open = find_word(x, offset, &c, &word);
  uint32_t anchor = word != SYN_NONE ? word : c.before;
  c.op = syn_op_of_token(x, c.quoted ? syn_token_before(x, offset) : anchor);
  uint32_t opened = word == SYN_NONE ? opened_by(x, c.op, c.before) : SYN_NONE;
  c.region = opened != SYN_NONE ? opened
             : c.op == SYN_NONE ? part_at(x, offset)
                                : x->ops[c.op].region;
  c.opened = opened != SYN_NONE;
  if (!open) return c;
  if (in_first_word(x, &c, word)) {
    c.expects = expects_at_start(x, word);
    return c;
  }
  bool results = is_char(x, c.before, '=') && names_op(x, c.before, c.before);
  nesting n;
  bool known = c.op != SYN_NONE && c.before != SYN_NONE && opened == SYN_NONE;
  if (known && !scan(x, c.op, c.before, &n)) return c;
  bool outside = !known || !n.depth;
  bool label = known && x->ops[c.op].flags & SYN_LABEL && outside && is_char(x, c.before, ':');
  bool fresh = outside && new_line_before(x, c.before, c.begin) && !goes_on(x, c.before);
  if (opened != SYN_NONE || !known || results || label || fresh) {
    c.expects = expects_at_start(x, word);
    return c;
  }
  c.expects = expects_in_op(x, &c, &n, word);
  return c;
}
