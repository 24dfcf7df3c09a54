// SPDX-License-Identifier: Apache-2.0
#include "clients/lsp/syntax/format.h"

#include <string.h>

typedef struct bracket {
  char open;
  bool dims;      // of a type, as far as it was read: 4x?x
  bool has_word;  // [b, 0, 1, f]
  bool type;      // !quant.uniform<i8:f32, 2.0:15>
} bracket;

typedef struct formatter {
  const syn_index *x;
  shape_arena *arena;
  syn_layout layout;
  uint32_t *lines;  // by token: 1 + the indent of the line that it begins; 0: it begins none
  bracket *stack;
  uint32_t depth, capacity;
  bool word_list;  // the list that was closed last has words
  bool tight;      // there is nothing in front of the token before
  uint32_t name;   // the next occurrence
  const char *line_end;
  syn_edit *edits;
  uint32_t edit_count, edit_capacity;
} formatter;

static bool is(const formatter *f, uint32_t token, const char *text) {
  return syn_is(f->x, token, text);
}
static bool kind_is(const formatter *f, uint32_t token, syn_kind kind) {
  return syn_kind_is(f->x, token, kind);
}
static bool is_open(const formatter *f, char c) {
  return f->depth && f->stack[f->depth - 1].open == c;
}

// --- where lines begin

static void find_lines(formatter *f) {
  const syn_index *x = f->x;
  f->lines = arena_zalloc(f->arena, ((size_t)x->token_count + 1) * sizeof *f->lines);
  uint32_t *indent = arena_zalloc(f->arena, ((size_t)x->region_count + 1) * sizeof *indent);
  for (uint32_t r = 0; r < x->region_count; r++) {
    const syn_region *region = &x->regions[r];
    // Regions have ids in the order of their text: that around is known.
    if (region->op != SYN_NONE) indent[r] = indent[x->ops[region->op].region] + 1;
    if (region->close != SYN_NONE && region->first_op != SYN_NONE)
      f->lines[region->close] = indent[r];
    for (uint32_t op = region->first_op; op != SYN_NONE; op = x->ops[op].next) {
      bool label = x->ops[op].flags & SYN_LABEL && indent[r];
      f->lines[x->ops[op].first] = 1 + indent[r] - label;
    }
  }
}

// --- between two tokens of a line

static bool is_dim(const formatter *f, uint32_t token) {
  const syn_token *t = &f->x->tokens[token];
  if (t->kind == SYN_NUMBER || is(f, token, "?") || is(f, token, "*")) return true;
  if (t->kind != SYN_WORD || t->c != 'x') return false;
  for (uint32_t i = t->begin; i < t->end; i++) {
    if (f->x->text[i] != 'x' && !(f->x->text[i] >= '0' && f->x->text[i] <= '9')) return false;
  }
  return true;
}

static bool ends_in_x(const formatter *f, uint32_t token) {
  return f->x->text[f->x->tokens[token].end - 1] == 'x';
}

// Whether the token goes on with dims of a type: 4 x? xf32.
static bool goes_on(const formatter *f, uint32_t token) {
  if (!f->depth || !f->stack[f->depth - 1].dims || !token) return false;
  const syn_token *t = &f->x->tokens[token];
  bool list = is(f, token - 1, "]");
  if (!list && !is_dim(f, token - 1)) return false;
  if (t->kind == SYN_WORD && t->c == 'x') return true;
  return !list && ends_in_x(f, token - 1) &&
         (t->kind == SYN_WORD || t->kind == SYN_TYPE || is_dim(f, token) || is(f, token, "["));
}

// Two characters that are one token where nothing is between them.
static bool would_join(const formatter *f, uint32_t token) {
  static const char *const PAIRS[] = {"->", "::", "==", ">=", "<=", "=>", "//"};
  const syn_token *a = &f->x->tokens[token - 1], *b = a + 1;
  // The - of ^b- is part of the name, but not in ^b->.
  if (b->c == '>' && f->x->text[a->end - 1] == '-') return true;
  if (a->kind != SYN_PUNCT || b->kind != SYN_PUNCT || a->end - a->begin != 1) return false;
  char pair[3] = {a->c, b->c, 0};
  for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
    if (strcmp(pair, PAIRS[i]) == 0) return true;
  }
  return false;
}

static bool defines(const formatter *f, uint32_t token) {
  uint32_t name = f->name;
  const syn_index *x = f->x;
  while (name && x->names[name - 1].begin >= x->tokens[token].begin) name--;
  return name < x->name_count && x->names[name].begin == x->tokens[token].begin &&
         x->names[name].defines;
}

// %a:2, "model.py":12:7, 0:4
static bool is_number_after(const formatter *f, uint32_t colon) {
  const syn_token *a = &f->x->tokens[colon - 1];
  bool before = a->kind == SYN_STRING || a->kind == SYN_NUMBER || a->kind == SYN_VALUE;
  return before && kind_is(f, colon + 1, SYN_NUMBER);
}

static bool space_before_colon(const formatter *f, uint32_t colon) {
  uint32_t a = colon - 1, next = colon + 1;
  if (is_number_after(f, colon)) return false;
  if (kind_is(f, a, SYN_VALUE) && is_open(f, '(') && defines(f, a)) return false;
  if (!f->depth && f->lines[next] && (kind_is(f, a, SYN_BLOCK) || is(f, a, ")"))) return false;
  if (kind_is(f, next, SYN_BLOCK)) return false;
  if (!kind_is(f, a, SYN_WORD)) return true;
  return !(is_open(f, '<') || kind_is(f, next, SYN_VALUE) || kind_is(f, next, SYN_STRING) ||
           is(f, next, "{"));
}

static bool space_before_paren(const formatter *f, uint32_t token) {
  static const char *const WORDS[] = {"in", "to", "step", "from", "by"};
  switch ((syn_kind)f->x->tokens[token - 1].kind) {
  case SYN_WORD:
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
      if (is(f, token - 1, WORDS[i])) return true;
    }
    return false;
  case SYN_STRING:
  case SYN_SYMBOL:
  case SYN_BLOCK:
  case SYN_TYPE:
  case SYN_ATTR:
  case SYN_VALUE:
  case SYN_RESULT: return false;
  default: return true;
  }
}

static bool space_before_list(const formatter *f, uint32_t token) {
  if (is(f, token - 1, ")")) return false;
  if (is(f, token - 1, "x")) return !f->tight;
  if (!kind_is(f, token - 1, SYN_VALUE) && !kind_is(f, token - 1, SYN_RESULT)) return true;
  return is(f, token + 1, "[") || is(f, token + 2, ":");
}

// The minus sign of `d0 - 1`, not that of `arith.constant -1` and `step -1`.
static bool is_binary(const formatter *f, uint32_t minus) {
  static const char *const WORDS[] = {"mod", "floordiv", "ceildiv"};
  if (!minus) return false;
  const syn_token *t = &f->x->tokens[minus - 1];
  if (t->kind == SYN_PUNCT) return t->c == ')' || t->c == ']' || t->c == '>';
  if (t->kind != SYN_WORD) return true;
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
    if (is(f, minus - 1, WORDS[i])) return false;
  }
  return is_open(f, '(') || is_open(f, '[') || is_open(f, '<');
}

// "t.t"(%a) <{a = 1}>, but #t.t<{a = 1}>.
static bool space_before_angle(const formatter *f, uint32_t token) {
  if (kind_is(f, token - 1, SYN_TYPE) || kind_is(f, token - 1, SYN_ATTR)) return false;
  bool word = kind_is(f, token - 1, SYN_WORD);
  return !word || (is(f, token + 1, "{") && !is_open(f, '<'));
}

static bool space_before_punct(const formatter *f, uint32_t i) {
  const syn_token *t = &f->x->tokens[i];
  if (is(f, i, "->")) return !(is(f, i - 1, "]") && is(f, i + 1, "[") && f->word_list);
  if (t->end - t->begin != 1) return !is(f, i, "::");
  switch (t->c) {
  case ',':
  case ')':
  case ']':
  case '>':
  case '}': return false;
  case ':': return space_before_colon(f, i);
  case '(': return space_before_paren(f, i);
  case '[': return is(f, i - 1, "->") ? !f->tight : space_before_list(f, i);
  case '<': return space_before_angle(f, i);
  default: return true;
  }
}

static bool space_before(const formatter *f, uint32_t i) {
  const syn_token *a = &f->x->tokens[i - 1], *t = &f->x->tokens[i];
  if (would_join(f, i)) return true;
  if (t->kind == SYN_RESULT || goes_on(f, i)) return false;
  if (a->kind == SYN_PUNCT && strchr("([<{", a->c) && a->end - a->begin == 1) return false;
  if (is(f, i - 1, "::")) return false;
  if (is(f, i - 1, ":") && i >= 2 && t->kind == SYN_NUMBER && is_number_after(f, i - 1))
    return false;
  if (is(f, i - 1, ":") && is_open(f, '<') && f->stack[f->depth - 1].type) return false;
  if (is(f, i - 1, "-") && (t->kind == SYN_ATTR || !is_binary(f, i - 1))) return false;
  if (is(f, i, "x") && is(f, i - 1, "]") && is(f, i + 1, "[")) return !f->word_list;
  return t->kind != SYN_PUNCT || space_before_punct(f, i);
}

static void pass_token(formatter *f, uint32_t i) {
  const syn_token *t = &f->x->tokens[i];
  bracket *top = f->depth ? &f->stack[f->depth - 1] : NULL;
  bool dims = is_dim(f, i) || is(f, i, "[") || is(f, i, "]");
  while (f->name < f->x->name_count && f->x->names[f->name].begin < t->end) f->name++;
  if (top && t->kind == SYN_WORD) top->has_word = true;
  if (top && !dims) top->dims = false;
  if (t->kind != SYN_PUNCT || t->end - t->begin != 1) return;
  if (strchr("([{<", t->c) && t->c) {
    f->stack = arena_grow(f->arena, f->stack, f->depth, (size_t)f->depth + 1, &f->capacity,
                          sizeof *f->stack);
    bool word = i && (kind_is(f, i - 1, SYN_WORD) || kind_is(f, i - 1, SYN_TYPE));
    f->stack[f->depth++] = (bracket){
        .open = t->c, .dims = t->c == '<' && word, .type = i && kind_is(f, i - 1, SYN_TYPE)};
  } else if (f->depth && strchr(")]}>", t->c) && t->c) {
    static const char OPEN[] = "([{<", CLOSE[] = ")]}>";
    if (f->stack[f->depth - 1].open != OPEN[strchr(CLOSE, t->c) - CLOSE]) return;
    f->word_list = f->stack[--f->depth].has_word;
  }
}

// --- gaps

static void add_edit(formatter *f, uint32_t begin, uint32_t end, const char *text,
                     uint32_t length) {
  while (begin < end && length && f->x->text[begin] == *text) begin++, text++, length--;
  while (begin < end && length && f->x->text[end - 1] == text[length - 1]) end--, length--;
  if (begin == end && !length) return;
  f->edits = arena_grow(f->arena, f->edits, f->edit_count, (size_t)f->edit_count + 1,
                        &f->edit_capacity, sizeof *f->edits);
  f->edits[f->edit_count++] = (syn_edit){begin, end, text, length};
}

static uint32_t count_lines(const char *text, uint32_t length) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < length; i++) n += text[i] == '\n';
  return n;
}

// White space [begin, end) becomes `lines` line ends and an indent; each line that stays is an edit of its own.
static void put_lines(formatter *f, uint32_t begin, uint32_t end, uint32_t lines, uint32_t indent) {
  const char *text = f->x->text;
  uint32_t width = f->layout.tabs ? indent : indent * f->layout.indent;
  uint32_t had = count_lines(text + begin, end - begin);
  size_t eol = strlen(f->line_end);
  char *made = arena_alloc(f->arena, lines * eol + width + 1);
  if (had != lines) {
    for (uint32_t i = 0; i < lines; i++) memcpy(made + i * eol, f->line_end, eol);
    memset(made + lines * eol, f->layout.tabs ? '\t' : ' ', width);
    add_edit(f, begin, end, made, (uint32_t)(lines * eol) + width);
    return;
  }
  while (had--) {
    const char *line = memchr(text + begin, '\n', end - begin);
    uint32_t at = (uint32_t)(line - text), stop = at;
    if (stop > begin && text[stop - 1] == '\r') stop--;
    add_edit(f, begin, stop, "", 0);
    begin = at + 1;
  }
  memset(made, f->layout.tabs ? '\t' : ' ', width);
  add_edit(f, begin, end, made, width);
}

static bool is_open_string(const formatter *f, uint32_t token) {
  const syn_token *t = &f->x->tokens[token];
  const char *text = f->x->text;
  uint32_t begin = t->begin + (t->kind == SYN_SYMBOL);
  if (t->kind != SYN_STRING && t->kind != SYN_SYMBOL) return false;
  if (begin >= t->end || text[begin] != '"') return false;
  if (t->end - begin < 2 || text[t->end - 1] != '"') return true;
  uint32_t slashes = 0;
  while (t->end - 2 - slashes > begin && text[t->end - 2 - slashes] == '\\') slashes++;
  return slashes % 2;
}

// Of the line that a comment in front of the token is on.
static uint32_t comment_indent(const formatter *f, uint32_t token) {
  if (token == f->x->token_count) return 0;
  if (!f->lines[token]) return 2;
  bool closes = is(f, token, "}");
  return f->lines[token] - 1 + closes;
}

static void format_gap(formatter *f, uint32_t begin, uint32_t token, bool after_comment) {
  const syn_index *x = f->x;
  bool ends = token == x->token_count;
  uint32_t end = ends ? x->length : x->tokens[token].begin;
  uint32_t lines = count_lines(x->text + begin, end - begin);
  bool first = begin == 0;
  if (ends) {
    put_lines(f, begin, end, first && !lines ? 0 : lines ? lines : 1, 0);
  } else if (f->lines[token] || after_comment) {
    uint32_t least = first ? 0 : 1;
    put_lines(f, begin, end, lines > least ? lines : least,
              f->lines[token] ? f->lines[token] - 1 : comment_indent(f, token));
    f->tight = false;
  } else if (token && is_open_string(f, token - 1)) {
    put_lines(f, begin, end, 1, 2);
    f->tight = false;
  } else {
    f->tight = first || !space_before(f, token);
    add_edit(f, begin, end, f->tight ? "" : " ", !f->tight);
  }
}

static void format_comment(formatter *f, uint32_t begin, const syn_token *comment, uint32_t token,
                           bool after_comment) {
  const syn_index *x = f->x;
  uint32_t lines = count_lines(x->text + begin, comment->begin - begin);
  bool split = comment->begin && x->text[comment->begin - 1] == '\n' &&
               comment->end - comment->begin >= 8 &&
               memcmp(x->text + comment->begin, "// -----", 8) == 0;
  if (lines || begin == 0) {
    uint32_t indent = split ? 0 : comment_indent(f, token);
    put_lines(f, begin, comment->begin, lines, indent);
  } else if (after_comment) {
    put_lines(f, begin, comment->begin, 1, comment_indent(f, token));
  } else {
    add_edit(f, begin, comment->begin, " ", 1);
  }
}

uint32_t syn_format(const syn_index *x, shape_arena *arena, syn_layout layout, syn_edit **edits) {
  const char *newline = memchr(x->text ? x->text : "", '\n', x->length);
  bool crlf = newline && newline > x->text && newline[-1] == '\r';
  formatter f = {.x = x, .arena = arena, .layout = layout, .line_end = crlf ? "\r\n" : "\n"};
  uint32_t at = 0, comment = 0;
  find_lines(&f);
  for (uint32_t i = 0; i <= x->token_count; i++) {
    uint32_t end = i < x->token_count ? x->tokens[i].begin : x->length;
    bool after = false;
    for (; comment < x->comment_count && x->comments[comment].begin < end; comment++) {
      format_comment(&f, at, &x->comments[comment], i, after);
      at = x->comments[comment].end;
      after = true;
    }
    format_gap(&f, at, i, after);
    if (i == x->token_count) break;
    if (f.lines[i]) f.depth = 0;
    pass_token(&f, i);
    at = x->tokens[i].end;
  }
  *edits = f.edits;
  return f.edit_count;
}
