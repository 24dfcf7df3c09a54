// SPDX-License-Identifier: Apache-2.0
// Tokens to operations, regions and occurrences of names, in one pass with a stack of brackets.
//
// Where an operation ends is not written: it ends where the next one begins, which the words say (begins_op). An
// operation that is half typed leaves brackets open; one that surely begins (is_sure) closes them.
#include <assert.h>
#include <string.h>

#include "clients/lsp/syntax/parser.h"

static frame *top(parser *p) { return &p->stack[p->depth - 1]; }
static frame *base(parser *p) { return &p->stack[top(p)->base]; }
static char char_at(const parser *p, uint32_t token) { return syn_char(p->x, token); }
static bool is_kind(const parser *p, uint32_t token, syn_kind kind) {
  return syn_kind_is(p->x, token, kind);
}
static bool is_char(const parser *p, uint32_t token, char c) {
  return is_kind(p, token, SYN_PUNCT) && char_at(p, token) == c &&
         p->x->tokens[token].end - p->x->tokens[token].begin == 1;
}

// --- making things

static uint32_t add_scope(syn_index *x, uint32_t parent, bool isolated, bool table) {
  x->scopes = arena_grow(x->arena, x->scopes, x->scope_count, (size_t)x->scope_count + 1,
                         &x->scope_capacity, sizeof *x->scopes);
  uint32_t id = x->scope_count++;
  bool root = parent == SYN_NONE;
  x->scopes[id] = (syn_scope){.parent = parent,
                              .table = root || table ? id : x->scopes[parent].table,
                              .root = root ? id : x->scopes[parent].root,
                              .isolated = isolated};
  return id;
}

static uint32_t head_of(parser *p, uint32_t op) {
  syn_index *x = p->x;
  if (x->ops[op].head == SYN_NONE) {
    uint32_t scope = add_scope(x, x->regions[x->ops[op].region].scope,
                               x->ops[op].flags & SYN_ISOLATED, x->ops[op].flags & SYN_TABLE);
    x->ops[op].head = scope;
  }
  return x->ops[op].head;
}

static uint32_t add_name(parser *p, uint32_t token, bool defines, uint32_t scope) {
  syn_index *x = p->x;
  x->names = arena_grow(x->arena, x->names, x->name_count, (size_t)x->name_count + 1,
                        &x->name_capacity, sizeof *x->names);
  const syn_token *t = &x->tokens[token];
  x->names[x->name_count] = (syn_name){.begin = t->begin,
                                       .end = t->end,
                                       .scope = scope,
                                       .op = base(p)->op,
                                       .target = SYN_NONE,
                                       .number = SYN_NONE,
                                       .next = SYN_NONE,
                                       .kind = t->kind,
                                       .defines = defines};
  return x->name_count++;
}

void syn_push(parser *p, frame f) {
  p->stack = arena_grow(p->arena, p->stack, p->depth, (size_t)p->depth + 1, &p->capacity,
                        sizeof *p->stack);
  p->stack[p->depth++] = f;
}

static uint32_t add_op(parser *p, uint32_t name, uint32_t flags) {
  syn_index *x = p->x;
  frame *f = top(p);
  x->ops = arena_grow(x->arena, x->ops, x->op_count, (size_t)x->op_count + 1, &x->op_capacity,
                      sizeof *x->ops);
  uint32_t id = x->op_count++;
  x->ops[id] = (syn_op){.first = p->at,
                        .last = p->at,
                        .name = name,
                        .region = f->region,
                        .first_region = SYN_NONE,
                        .last_region = SYN_NONE,
                        .head = SYN_NONE,
                        .symbol = SYN_NONE,
                        .next = SYN_NONE,
                        .regions = x->region_count,
                        .scopes = x->scope_count,
                        .flags = (uint16_t)flags};
  syn_region *r = &x->regions[f->region];
  if (r->last_op == SYN_NONE) {
    r->first_op = id;
  } else {
    x->ops[r->last_op].next = id;
  }
  r->last_op = id;
  f->op = id;
  f->follows = f->arguments = false;
  return id;
}

static void push_region(parser *p, uint32_t op, uint32_t open) {
  syn_index *x = p->x;
  bool root = op == SYN_NONE;
  uint32_t flags = root ? 0 : x->ops[op].flags;
  uint32_t head = root ? SYN_NONE : x->ops[op].head;
  uint32_t parent = root ? SYN_NONE : head != SYN_NONE ? head : base(p)->scope;
  uint32_t scope = add_scope(x, parent, flags & SYN_ISOLATED && head == SYN_NONE,
                             flags & SYN_TABLE && head == SYN_NONE);
  x->regions = arena_grow(x->arena, x->regions, x->region_count, (size_t)x->region_count + 1,
                          &x->region_capacity, sizeof *x->regions);
  uint32_t id = x->region_count++;
  x->regions[id] = (syn_region){.op = op,
                                .open = open,
                                .close = SYN_NONE,
                                .scope = scope,
                                .first_op = SYN_NONE,
                                .last_op = SYN_NONE,
                                .next = SYN_NONE,
                                .around = root ? 0 : p->depth - 1 - top(p)->base};
  if (!root) {
    syn_op *o = &x->ops[op];
    if (o->last_region == SYN_NONE) {
      o->first_region = id;
    } else {
      x->regions[o->last_region].next = id;
    }
    o->last_region = id;
  }
  bool inner = !root && (base(p)->in_function || flags & SYN_FUNCTION);
  syn_push(p, (frame){.kind = REGION,
                      .base = p->depth,
                      .region = id,
                      .op = SYN_NONE,
                      .scope = scope,
                      .in_function = inner});
}

// --- what begins here

// The name of an operation after results `%a, %b:2 =` that begin at the token; SYN_NONE: there are none. *last: the last
// of the results.
static uint32_t name_after_results(const parser *p, uint32_t at, uint32_t *last) {
  while (is_kind(p, at, SYN_VALUE)) {
    *last = at++;
    if (is_char(p, at, ':') && is_kind(p, at + 1, SYN_NUMBER)) at += 2;
    if (is_char(p, at, '=')) {
      if (is_kind(p, at + 1, SYN_WORD)) return at + 1;
      return is_kind(p, at + 1, SYN_STRING) && is_char(p, at + 2, '(') ? at + 1 : SYN_NONE;
    }
    if (!is_char(p, at, ',')) return SYN_NONE;
    at++;
  }
  return SYN_NONE;
}

static bool has_dot(const parser *p, uint32_t token) {
  const syn_token *t = &p->x->tokens[token];
  return memchr(p->x->text + t->begin, '.', t->end - t->begin) != NULL;
}

static bool is_op_word(const parser *p, uint32_t token) {
  return is_kind(p, token, SYN_WORD) &&
         (has_dot(p, token) || syn_word_flags(p->x, token) & SYN_PLAIN);
}

// `for %i =`, `for unsigned %i =`
static bool is_loop_argument(const parser *p, uint32_t op) {
  if (op == SYN_NONE || !(p->x->ops[op].flags & SYN_LOOP)) return false;
  uint32_t name = p->x->ops[op].name;
  return name == p->at - 1 || (name == p->at - 2 && is_kind(p, p->at - 1, SYN_WORD));
}

// Results that begin an operation here though another one is being read. What follows a comma or the name of the
// other one belongs to it, but for the last: `add %a,` is half typed where `%b = ...` follows.
static bool results_begin(const parser *p, uint32_t op, bool sure) {
  uint32_t last, name = name_after_results(p, p->at, &last);
  if (name == SYN_NONE) return false;
  bool operand = is_char(p, p->at - 1, ',') || is_char(p, p->at - 1, '(') ||
                 (op != SYN_NONE && p->x->ops[op].name == p->at - 1);
  if (operand && last != p->at) return false;
  if (is_loop_argument(p, op)) return false;
  return !sure || is_kind(p, name, SYN_STRING) || has_dot(p, name);
}

static bool function_begins(const parser *p) {
  uint32_t next = p->at + 1;
  if (!is_kind(p, p->at, SYN_WORD)) return false;
  if (is_kind(p, next, SYN_WORD)) next++;
  return is_kind(p, next, SYN_SYMBOL) && is_op_word(p, p->at) &&
         syn_word_flags(p->x, p->at) & SYN_FUNCTION;
}

// Inside of brackets.
static bool is_sure(const parser *p, uint32_t op, frame_kind around) {
  if (is_kind(p, p->at, SYN_VALUE)) return results_begin(p, op, true);
  if (!is_kind(p, p->at, SYN_WORD)) return false;
  if (function_begins(p)) return true;
  return around != BRACE && is_kind(p, p->at + 1, SYN_VALUE) && is_op_word(p, p->at) &&
         syn_word_flags(p->x, p->at) & SYN_TERMINATOR;
}

static bool label_begins(const parser *p, uint32_t op) {
  if (is_char(p, p->at + 1, ':')) return true;
  if (!is_char(p, p->at + 1, '(')) return op == SYN_NONE;
  if (op == SYN_NONE || p->x->ops[op].flags & SYN_TERMINATOR) return true;
  return p->x->ops[op].name != p->at - 1 && !is_char(p, p->at - 1, ',');
}

static bool word_begins(const parser *p, uint32_t op) {
  if (!is_op_word(p, p->at) || is_char(p, p->at + 1, '=')) return false;
  return op == SYN_NONE || (!is_char(p, p->at - 1, '=') && !syn_is(p->x, p->at - 1, "applies"));
}

// Directly in a region, while `op` is read.
static bool begins_op(const parser *p, uint32_t op) {
  if (op == SYN_NONE) return true;
  const syn_op *o = &p->x->ops[op];
  if (o->flags & SYN_LABEL && is_char(p, p->at - 1, ':')) return true;
  switch ((syn_kind)p->x->tokens[p->at].kind) {
  case SYN_VALUE: return results_begin(p, op, false);
  case SYN_WORD: return word_begins(p, op);
  case SYN_STRING:
    return is_char(p, p->at + 1, '(') && o->name != p->at - 1 && !is_char(p, p->at - 1, '=') &&
           !is_char(p, p->at - 1, ',');
  case SYN_BLOCK: return label_begins(p, op);
  case SYN_TYPE:
  case SYN_ATTR: return is_char(p, p->at + 1, '=') && !is_char(p, p->at - 1, ',');
  default: return false;
  }
}

// --- braces

// A word, alone or with others, is the name of an attribute.
static bool is_attribute(const parser *p, uint32_t word) {
  if (is_char(p, word + 1, '=') || is_char(p, word + 1, ':') || is_char(p, word + 1, ','))
    return true;
  return is_char(p, word + 1, '}') && !(syn_word_flags(p->x, word) & SYN_TERMINATOR);
}

static bool opens_region(parser *p) {
  syn_index *x = p->x;
  uint32_t op = base(p)->op, next = p->at + 1, before = p->at - 1, last;
  if (op == SYN_NONE || !p->at) return false;
  frame_kind around = top(p)->kind;
  bool generic =
      around == PAREN && x->ops[op].name != SYN_NONE && is_kind(p, x->ops[op].name, SYN_STRING);
  if (around != REGION && !generic) return false;
  if (is_char(p, before, '<') || syn_is(x, before, "attributes")) return false;
  bool holds = x->ops[op].flags & (SYN_FUNCTION | SYN_TABLE);
  bool named = x->ops[op].name != SYN_NONE && is_kind(p, x->ops[op].name, SYN_WORD);
  if (next >= x->token_count || (around == REGION && holds && named)) return around == REGION;
  switch ((syn_kind)x->tokens[next].kind) {
  case SYN_BLOCK: return true;
  case SYN_VALUE:
    return name_after_results(p, next, &last) != SYN_NONE ||
           !(is_char(p, next + 1, ',') || is_char(p, next + 1, '}'));
  case SYN_STRING: return is_char(p, next + 1, '(');
  case SYN_WORD: return !is_attribute(p, next) && is_op_word(p, next);
  case SYN_TYPE:
  case SYN_ATTR: return is_char(p, next + 1, '=');
  default: break;
  }
  if (!is_char(p, next, '}')) return false;
  return generic;
}

static void define_group(parser *p, frame *f) {
  uint32_t head = head_of(p, f->op);
  for (uint32_t i = f->group; i < f->end; i++) {
    syn_name *n = &p->x->names[i];
    if (n->kind != SYN_VALUE || n->defines) continue;
    n->defines = true;
    n->scope = head;
  }
}

static void open_brace(parser *p) {
  if (!opens_region(p)) {
    syn_push(p, (frame){.kind = BRACE, .base = top(p)->base});
    return;
  }
  frame *f = base(p);
  if (top(p) == f && f->follows && f->arguments) define_group(p, f);
  f->arguments = f->bare = false;  // a list that holds a region holds no arguments
  push_region(p, f->op, p->at);
}

// --- parentheses

static void open_paren(parser *p) {
  frame *f = base(p);
  if (top(p) == f && f->op != SYN_NONE) {
    bool goes_on = f->follows && f->arguments;
    bool word = is_kind(p, p->at - 1, SYN_WORD) && !syn_is(p->x, p->at - 1, "reducer");
    bool function = p->x->ops[f->op].flags & (SYN_FUNCTION | SYN_LABEL);
    if (!goes_on) f->group = p->x->name_count;
    f->arguments = !word || function;
    f->follows = false;
    f->bare = true;
  }
  syn_push(p, (frame){.kind = PAREN, .base = top(p)->base});
}

static void close_group(parser *p) {
  frame *f = base(p);
  if (top(p) != f || f->op == SYN_NONE) return;
  syn_op *o = &p->x->ops[f->op];
  f->end = p->x->name_count;
  f->follows = true;
  bool in = syn_is(p->x, p->at + 1, "in") || is_char(p, p->at + 1, '=');
  bool function = o->flags & SYN_FUNCTION && o->first_region == SYN_NONE;
  if ((f->arguments && function) || (f->bare && in)) define_group(p, f);
}

static void close_bracket(parser *p, frame_kind kind) {
  uint32_t depth = p->depth;
  while (depth > 1 && p->stack[depth - 1].kind != kind) {
    frame_kind k = p->stack[depth - 1].kind;
    if (k == REGION || k == BRACE) return;  // a bracket that nothing opened
    depth--;
  }
  if (p->stack[depth - 1].kind != kind) return;
  p->depth = depth - 1;
  if (kind == PAREN) close_group(p);
}

static void end_region(parser *p, uint32_t close) {
  frame *f = top(p);
  assert(f->kind == REGION);
  p->x->regions[f->region].close = close;
  p->depth--;
}

static void close_brace(parser *p) {
  uint32_t depth = p->depth;
  while (depth > 1 && p->stack[depth - 1].kind != REGION && p->stack[depth - 1].kind != BRACE) {
    depth--;
  }
  if (depth == 1) return;  // nothing opened it
  p->depth = depth;
  if (top(p)->kind == REGION) {
    end_region(p, p->at);
  } else {
    p->depth--;
  }
  base(p)->follows = false;
}

// --- names

static bool is_target(const parser *p, uint32_t op) {
  if (op == SYN_NONE) return false;
  const syn_op *o = &p->x->ops[op];
  return o->flags & SYN_TARGET && o->name == p->at - 1;
}

static void take_symbol(parser *p) {
  frame *f = base(p);
  uint32_t op = f->op;
  if (is_target(p, op)) return;
  syn_op *o = op == SYN_NONE ? NULL : &p->x->ops[op];
  bool own = o && o->flags & SYN_DEFINES && o->symbol == SYN_NONE && top(p) == f;
  uint32_t name = add_name(p, p->at, own, f->scope);
  if (own) o->symbol = name;
  p->x->names[name].nested = p->at && syn_is(p->x, p->at - 1, "::");
}

// The digits of a token from a byte on; more than a program can have mean many.
static uint32_t number_in(const syn_index *x, const syn_token *t, uint32_t from) {
  uint32_t number = 0;
  for (uint32_t i = from; i < t->end && number < 100000000; i++) {
    number = number * 10 + (uint32_t)(x->text[i] - '0');
  }
  return number;
}

static void take_value(parser *p) {
  frame *f = base(p);
  bool direct = p->depth >= 2 && top(p)->kind == PAREN && p->depth - 2 == top(p)->base;
  bool label = f->op != SYN_NONE && p->x->ops[f->op].flags & SYN_LABEL;
  bool head = f->op != SYN_NONE && is_char(p, p->at + 1, '=') &&
              (direct || (top(p) == f && is_loop_argument(p, f->op)));
  if (direct && label) {
    add_name(p, p->at, true, f->scope);
    return;
  }
  uint32_t scope = head ? head_of(p, f->op) : base(p)->scope;
  uint32_t name = add_name(p, p->at, head, scope);
  f = base(p);
  f->arguments &= direct && is_char(p, p->at + 1, ':');
  f->bare &= direct && (is_char(p, p->at + 1, ',') || is_char(p, p->at + 1, ')'));
  if (!is_kind(p, p->at + 1, SYN_RESULT)) return;
  const syn_token *t = &p->x->tokens[p->at + 1];
  p->x->names[name].number = number_in(p->x, t, t->begin + 1);
}

// sym_name = "S0" in the attributes of an operation.
static void take_string(parser *p) {
  syn_index *x = p->x;
  uint32_t op = base(p)->op;
  if (p->at < 2 || op == SYN_NONE || top(p)->kind != BRACE || x->ops[op].symbol != SYN_NONE) return;
  if (!is_char(p, p->at - 1, '=') || !syn_is(x, p->at - 2, "sym_name")) return;
  if (x->tokens[p->at].end - x->tokens[p->at].begin < 2) return;
  uint32_t name = add_name(p, p->at, true, base(p)->scope);
  x->names[name].kind = SYN_SYMBOL;
  x->names[name].begin++;
  x->names[name].end--;
  x->ops[op].symbol = name;
}

static void take_token(parser *p) {
  const syn_token *t = &p->x->tokens[p->at];
  uint32_t op = base(p)->op;
  bool group_ends = base(p)->follows && !is_char(p, p->at, '(') && !is_char(p, p->at, '{');
  if (group_ends && top(p) == base(p)) base(p)->follows = false;
  switch ((syn_kind)t->kind) {
  case SYN_VALUE: take_value(p); break;
  case SYN_SYMBOL: take_symbol(p); break;
  case SYN_BLOCK: add_name(p, p->at, false, base(p)->scope); break;
  case SYN_TYPE:
  case SYN_ATTR: add_name(p, p->at, false, base(p)->scope); break;
  case SYN_STRING: take_string(p); break;
  case SYN_PUNCT:
    if (t->end - t->begin != 1) break;
    switch (t->c) {
    case '{': open_brace(p); break;
    case '}': close_brace(p); break;
    case '(': open_paren(p); break;
    case ')': close_bracket(p, PAREN); break;
    case '[': syn_push(p, (frame){.kind = BRACKET, .base = top(p)->base}); break;
    case ']': close_bracket(p, BRACKET); break;
    case '<': syn_push(p, (frame){.kind = ANGLE, .base = top(p)->base}); break;
    case '>': close_bracket(p, ANGLE); break;
    default: break;
    }
    break;
  default: break;
  }
  if (op != SYN_NONE && !is_char(p, p->at, '}')) p->x->ops[op].last = p->at;
  uint32_t now = base(p)->op;
  if (now != SYN_NONE) p->x->ops[now].last = p->at;
}

// --- operations

static void take_results(parser *p, uint32_t name) {
  for (; p->at < name; p->at++) {
    if (!is_kind(p, p->at, SYN_VALUE)) continue;
    uint32_t made = add_name(p, p->at, true, base(p)->scope);
    if (!is_char(p, p->at + 1, ':')) continue;
    const syn_token *t = &p->x->tokens[p->at + 2];
    p->x->names[made].number = number_in(p->x, t, t->begin);
  }
}

static void begin_op(parser *p) {
  syn_index *x = p->x;
  uint32_t last, name = name_after_results(p, p->at, &last);
  bool results = name != SYN_NONE;
  syn_kind kind = x->tokens[p->at].kind;
  if (!results && (kind == SYN_WORD || (kind == SYN_STRING && is_char(p, p->at + 1, '(')))) {
    name = p->at;
  }
  bool alias = (kind == SYN_TYPE || kind == SYN_ATTR) && is_char(p, p->at + 1, '=');
  bool label = kind == SYN_BLOCK;
  uint32_t flags = alias ? SYN_ALIAS : label ? SYN_LABEL : 0;
  if (name != SYN_NONE) flags |= syn_word_flags(x, name) & ~(uint32_t)(SYN_LABEL | SYN_ALIAS);
  if (results || (name != SYN_NONE && is_kind(p, name, SYN_STRING)))
    flags &= ~(uint32_t)SYN_DEFINES;
  if (name != SYN_NONE && is_kind(p, name, SYN_STRING))
    flags &= ~(uint32_t)(SYN_LOOP | SYN_FUNCTION);
  uint32_t op = add_op(p, name, flags);
  if (results) take_results(p, name);
  if (alias || label)
    add_name(p, p->at, true, alias ? x->scopes[base(p)->scope].root : base(p)->scope);
  if (name == SYN_NONE && !alias && !label) {
    take_token(p);
  } else {
    x->ops[op].last = p->at;
  }
}

// Leaves what is open for an operation that surely begins.
static void recover(parser *p) {
  bool function = function_begins(p);
  p->depth = top(p)->base + 1;
  while (function && p->depth > 1 && base(p)->in_function) {
    end_region(p, SYN_NONE);
    p->depth = top(p)->base + 1;
  }
}

// Whether an operation begins at the token; what is open is left for one that surely does.
static bool begins(parser *p) {
  bool in_brackets = top(p)->kind != REGION;
  uint32_t op = base(p)->op;
  if (in_brackets ? is_sure(p, op, top(p)->kind) : base(p)->in_function && function_begins(p)) {
    recover(p);
    return true;
  }
  bool closes = is_kind(p, p->at, SYN_PUNCT) && char_at(p, p->at) == '}';
  return !in_brackets && !closes && begins_op(p, op);
}

static void next_part(parser *p) {
  p->depth = 0;
  push_region(p, SYN_NONE, SYN_NONE);
}

// "// -----" alone at the start of a line, as for mlir-opt --split-input-file.
static bool splits(const syn_index *x, const syn_token *comment) {
  static const char MARK[] = "// -----";
  return comment->end - comment->begin >= sizeof MARK - 1 &&
         memcmp(x->text + comment->begin, MARK, sizeof MARK - 1) == 0 &&
         (comment->begin == 0 || x->text[comment->begin - 1] == '\n');
}

// The last token that is read where an operation begins.
static uint32_t begin_end(const parser *p) {
  uint32_t last, name = name_after_results(p, p->at, &last);
  return name == SYN_NONE ? p->at : name;
}

bool syn_parse(parser *p, syn_stop *stop, void *data) {
  syn_index *x = p->x;
  for (; p->at < x->token_count; p->at++) {
    arena_poll_at(x->arena, p->at);
    for (; p->comment < x->comment_count && x->comments[p->comment].begin < x->tokens[p->at].begin;
         p->comment++) {
      if (splits(x, &x->comments[p->comment])) next_part(p);
    }
    bool here = p->begins || begins(p);
    if (here && !p->begins && stop && stop(p, data)) return true;
    p->begins = false;
    if ((here ? begin_end(p) : p->at) >= p->limit) return false;
    if (here) {
      begin_op(p);
    } else {
      take_token(p);
    }
  }
  return true;
}

static void parse(syn_index *x) {
  parser p = {.x = x, .arena = x->arena, .limit = SYN_NONE};
  next_part(&p);
  (void)syn_parse(&p, NULL, NULL);
}

static void lex_all(syn_index *x) {
  uint32_t at = 0;
  syn_token t;
  while (syn_lex(x->text, x->length, &at,
                 x->token_count && x->tokens[x->token_count - 1].kind == SYN_VALUE, &t)) {
    arena_poll_at(x->arena, x->token_count);
    bool comment = t.kind == SYN_COMMENT;
    syn_token **list = comment ? &x->comments : &x->tokens;
    uint32_t *count = comment ? &x->comment_count : &x->token_count;
    *list = arena_grow(x->arena, *list, *count, (size_t)*count + 1,
                       comment ? &x->comment_capacity : &x->token_capacity, sizeof **list);
    (*list)[(*count)++] = t;
  }
}

syn_index *syn_make(shape_arena *arena, const char *text, uint32_t length) {
  syn_index *x = arena_zalloc(arena, sizeof *x);
  x->text = text;
  x->length = length;
  x->arena = arena;
  x->kept.scratch = arena_alloc(arena, sizeof *x->kept.scratch);
  arena_init_child(x->kept.scratch, arena);
  for (uint32_t k = 0; k < SYN_PUNCT; k++) intern_init(&x->kept.texts[k], arena);
  lex_all(x);
  parse(x);
  syn_intern(x, 0, x->name_count);
  syn_resolve(x);
  return x;
}
