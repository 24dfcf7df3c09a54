// SPDX-License-Identifier: Apache-2.0
// Passing over what is not understood: bracketed text, operations of unknown dialects in their own syntax, and the rest
// of a statement with an error.
#include "solver/formats/mlir/parser.h"
#include "solver/ops/absent.h"

// --- brackets

static char partner(char c) {
  switch (c) {
  case '(': return ')';
  case '[': return ']';
  case '{': return '}';
  case '<': return '>';
  default: return 0;
  }
}

// `->`, `>=` and `<=` hold no brackets; `<` and `>` may also be alone as comparisons inside others.
static bool is_operator(const mlir_parser *p) {
  char c = *p->at, next = mlir_char(p, 1);
  return (c == '-' && next == '>') || ((c == '<' || c == '>') && next == '=');
}

static bool begins_line(const mlir_parser *p) {
  const char *at = p->at;
  while (at > p->text && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\r')) at--;
  return at > p->text && at[-1] == '\n';
}

static bool is_open(const char *const *opened, uint32_t depth, char close) {
  for (uint32_t i = 0; i < depth; i++) {
    if (partner(*opened[i]) == close) return true;
  }
  return false;
}

// A bracket at the begin of a line closes one that a line before ends in: that one is missing.
static bool expected_open(mlir_parser *p) {
  char close = *p->at, what = close == ')' ? '(' : close == ']' ? '[' : '{';
  source_span at = mlir_opener_of(p);
  return mlir_wrong(p, p->text + at.begin, p->text + at.end, "expected '%c' at the end of the line",
                    what);
}

static bool expected_bracket(mlir_parser *p, const char *open, const char *what) {
  source_span end;
  // Lists and dictionaries have several lines, `(d0, d1)` and `x<y>` one.
  if (p->errors.quiet || !mlir_unclosed(p, open, *open == '(' || *open == '<', &end))
    return mlir_expected(p, what);
  return mlir_wrong(p, p->text + end.begin, p->text + end.end,
                    "expected %s before the end of the line", what);
}

bool mlir_skip_balanced(mlir_parser *p) {
  char closers[MLIR_DEPTH];
  const char *opened[MLIR_DEPTH], *from = p->at;
  uint32_t depth = 0;
  while (mlir_peek(p)) {
    char c = *p->at, close = partner(c);
    mlir_step(p);
    if (c == '"') {
      if (!mlir_skip_string(p)) return false;
      continue;
    }
    if (depth && is_operator(p)) {  // the first one opens, whatever follows it: <=4>
      p->at += 2;
      continue;
    }
    // No type holds operations.
    if (c == '%' && depth && closers[depth - 1] == '>' && begins_line(p) &&
        mlir_statement_begins(p))
      return expected_bracket(p, opened[depth - 1], "'>'");
    if (close) {
      if (depth + p->depth >= MLIR_DEPTH) {
        uint32_t before = p->depth;
        p->depth = MLIR_DEPTH;
        mlir_enter(p);  // reports
        p->depth = before;
        return false;
      }
      opened[depth] = p->at;
      closers[depth++] = close;
    } else if (c == ')' || c == ']' || c == '}') {
      while (depth && closers[depth - 1] == '>' && c != '>') depth--;
      if (!depth || closers[depth - 1] != c) {
        char what[4] = {'\'', depth ? closers[depth - 1] : partner(*from), '\'', 0};
        return expected_bracket(p, depth ? opened[depth - 1] : from, what);
      }
      depth--;
    } else if (c == '>' && depth && closers[depth - 1] == '>') {
      depth--;
    }
    p->at++;
    if (!depth) return true;
  }
  p->at = p->end;
  char what[] = "'?' to close the bracket";
  what[1] = partner(*from);
  return expected_bracket(p, from, what);
}

// --- where statements begin

static void scan_name(mlir_parser *p) {
  mlir_word name;
  p->at++;
  mlir_suffix_id(p, &name);
}

// %a, %b:2 =
static bool find_equals(mlir_parser *p) {
  for (;;) {
    mlir_step(p);
    scan_name(p);
    if (mlir_accept(p, ':')) {
      if (!mlir_is_digit(mlir_peek(p))) return false;
      while (mlir_is_digit(mlir_char(p, 0))) p->at++;
    }
    if (mlir_accept(p, '=')) return mlir_char(p, 0) != '=';
    if (!mlir_accept(p, ',') || mlir_peek(p) != '%') return false;
  }
}

// Each line of a long list may be asked about, and all go on to one end.
static bool results_begin(mlir_parser *p) {
  if (p->at >= p->recovery.listed && p->at < p->recovery.listed_end) return p->recovery.has_equals;
  p->recovery.listed = p->at;
  p->recovery.has_equals = find_equals(p);
  p->recovery.listed_end = p->at;
  return p->recovery.has_equals;
}

static bool statement_begins(mlir_parser *p) {
  static const char *const WORDS[] = {"return", "call", "module", "func", "constant"};
  char c = mlir_peek(p);
  mlir_word word;
  switch (c) {
  case '%': return results_begin(p);
  case '}':
  case '^': return true;
  case '"': return mlir_skip_string(p) && mlir_peek(p) == '(';
  default: break;
  }
  if (!mlir_word_here(p, &word)) return false;
  bool known = memchr(word.text, '.', word.length) != NULL;
  for (unsigned i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
    known |= mlir_word_is(word, WORDS[i]);
  }
  char next = mlir_peek(p);
  return known && next != '=' && next != ',' && next != '>';
}

typedef bool ahead(mlir_parser *p);

// Looks ahead: the cursor stays where it is, and nothing is reported.
static bool look(mlir_parser *p, ahead *what) {
  const char *at = p->at, *gap = p->gap.begin, *gap_end = p->gap.end, *end = p->end;
  p->errors.quiet++;
  bool result = what(p);
  p->errors.quiet--;
  p->at = at, p->gap.begin = gap, p->gap.end = gap_end, p->end = end;
  return result;
}

bool mlir_statement_begins(mlir_parser *p) { return look(p, statement_begins); }

bool mlir_begins_next(mlir_parser *p) {
  if (p->at != p->gap.end || !memchr(p->gap.begin, '\n', (size_t)(p->at - p->gap.begin)))
    return false;
  return mlir_statement_begins(p);
}

// --- recovery

// Functions do not nest: a line that begins one ends whatever was left open before it, so that a bracket that is missing
// costs the rest of its own function only.
bool mlir_function_begins(const mlir_parser *p) {
  static const char WORD[] = "func.func";
  if ((size_t)(p->end - p->at) <= sizeof WORD || memcmp(p->at, WORD, sizeof WORD - 1) != 0) {
    return false;
  }
  char next = p->at[sizeof WORD - 1];
  return (next == ' ' || next == '\t') && begins_line(p);
}

// The next line at the bracket depth of the statement where another one begins, or the bracket that ends its region.
// After the location of the error, because what is before it was read.
static bool find_next(mlir_parser *p, const char *begin, const char *error) {
  // The whole text twice, then lines only: many errors in a large file must not each scan all of it.
  enum { ALWAYS = 1 << 20 };
  size_t allowed = 2 * (size_t)(p->text_end - p->text) + ALWAYS;
  uint32_t depth = 0;
  bool line_start = false;
  p->at = begin;
  while (p->at < p->end && p->recovery.bytes++ < allowed) {
    char c = *p->at;
    mlir_step(p);
    if (c == '\n') line_start = true;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      p->at++;
      continue;
    }
    if (c == '/') {
      const char *before = p->at;
      mlir_skip_comment(p);
      if (p->at != before || p->at >= p->end) continue;
    }
    if (p->at >= error && line_start && mlir_function_begins(p)) return true;
    if (depth == 0 && p->at >= error && (c == '}' || (line_start && mlir_statement_begins(p)))) {
      return true;
    }
    line_start = false;
    if (c == '"') {
      if (!mlir_skip_string(p)) continue;
      continue;
    }
    // Angle brackets are left out: an error in a type must not hide the rest of the program.
    if (c == '(' || c == '[' || c == '{') depth++;
    if ((c == ')' || c == ']' || c == '}') && depth) depth--;
    p->at++;
  }
  return depth == 0 && p->at >= p->end;
}

// The first line after the error where a statement begins, at whatever depth.
static void find_line(mlir_parser *p, const char *error) {
  p->at = error;
  if (begins_line(p) && mlir_statement_begins(p)) return;
  while (p->at < p->end) {
    const char *newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
    if (!newline) break;
    p->at = newline + 1;
    mlir_step(p);
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\r')) p->at++;
    if (p->at < p->end && *p->at != '\n' && *p->at != '/' && mlir_statement_begins(p)) return;
  }
  p->at = p->end;
}

void mlir_recover(mlir_parser *p, const char *begin) {
  const char *error = p->at > begin ? p->at : begin + 1;
  graph_text(p->g);
  p->recovery.bytes++;
  p->errors.quiet++;
  if (error > p->end) error = p->end;
  if (p->recovery.lines) {
    mlir_skip_lines(p, begin);
  } else if (!find_next(p, begin, error)) {
    find_line(p, error);
  }
  p->errors.quiet--;
}

// --- operations in a syntax that is not known

// `{` begins a region when what follows looks like operations, and a dictionary otherwise.
static bool region_begins(mlir_parser *p) {
  p->at++;
  return mlir_peek(p) != '}' && statement_begins(p);
}

bool mlir_region_begins(mlir_parser *p) { return look(p, region_begins); }

// Words and attributes, then ins(...) or outs(...).
static bool destinations_follow(mlir_parser *p) {
  const char *from = p->at;
  for (;;) {
    char c = mlir_peek(p);
    mlir_word word;
    mlir_step(p);
    if (mlir_is_letter(c)) {
      if ((p->at != from && begins_line(p) && mlir_statement_begins(p)) ||
          !mlir_word_here(p, &word) || mlir_word_is(word, "loc"))
        return false;
      if ((mlir_word_is(word, "ins") || mlir_word_is(word, "outs")) && mlir_peek(p) == '(')
        return true;
    } else if (c == '"') {
      if (!mlir_skip_string(p)) return false;
    } else if (c == '{' || c == '[' || c == '(' || c == '<') {
      if ((c == '{' && mlir_region_begins(p)) || !mlir_skip_balanced(p)) return false;
    } else if (c == '=' || c == '#' || mlir_is_digit(c)) {
      p->at++;
    } else {
      return false;
    }
  }
}

bool mlir_destinations_follow(mlir_parser *p) { return look(p, destinations_follow); }

// Types after a ':' or "->" outside of brackets; the last ones that can be read are the operation's.
static bool opaque_types(mlir_parser *p, mlir_op *op, bool results_only) {
  bool sure = results_only;
  const char *before = p->at;
  uint32_t height = p->stacks.types.count;
  if (!mlir_type_follows(p)) return false;
  p->errors.quiet++;
  bool ok = true;
  if (results_only) {
    ok = mlir_result_types(p, TYPE_NONE);
  } else if (mlir_peek(p) == '(') {
    p->at++;
    ok = mlir_type_list(p, ')') && mlir_accept_arrow(p);
    p->stacks.types.count = height;
    ok = ok && mlir_result_types(p, TYPE_NONE);
    sure = true;
  } else {
    do {
      type_id type;
      ok = mlir_type_follows(p) && mlir_type(p, &type);
      if (ok) mlir_push_type(p, type);
    } while (ok && mlir_accept(p, ','));
    if (ok && (mlir_accept_arrow(p) || mlir_accept_word(p, "to") || mlir_accept_word(p, "into"))) {
      p->stacks.types.count = height;
      ok = mlir_result_types(p, TYPE_NONE);
      sure = true;
    }
  }
  // `-> A{%d} in B`: which of them are results is not known. Of `-> A attributes {`, they are.
  mlir_word word;
  const char *end = p->at;
  if (ok && sure && mlir_peek(p) == '{' && !mlir_region_begins(p)) mlir_skip_balanced(p);
  if (ok && sure && mlir_is_letter(mlir_peek(p)) && !begins_line(p))
    sure = mlir_word_here(p, &word) && (mlir_word_is(word, "loc") ||
                                        memchr(word.text, '.', word.length) || mlir_peek(p) == '{');
  p->at = end;
  // Types without an arrow are those of operands as often as those of results: only the number may be right.
  for (uint32_t i = height; !sure && i < p->stacks.types.count; i++)
    p->stacks.types.items[i] = TYPE_NONE;
  p->errors.quiet--;
  if (!ok) {
    p->stacks.types.count = height;
    p->at = before;
    return false;
  }
  // Only the last signature counts.
  uint32_t count = p->stacks.types.count - height;
  memmove(p->stacks.types.items + op->types, p->stacks.types.items + height,
          count * sizeof *p->stacks.types.items);
  p->stacks.types.count = op->types + count;
  return true;
}

// A name before '=' or ':' is one that the operation defines; what cannot be looked up is left out.
static bool opaque_operand(mlir_parser *p) {
  uint32_t height = p->stacks.operands.count;
  if (!mlir_push_operand(p)) return false;
  char next = mlir_peek(p);
  if (p->stacks.operands.items[height].value == VALUE_NONE ||
      (next == '=' && mlir_char(p, 1) != '=')) {
    p->stacks.operands.count = height;
  }
  return true;
}

static void set_opaque_results(mlir_parser *p, mlir_op *op) {
  uint32_t count = p->stacks.types.count - op->types;
  if (op->name_count ? count == op->bound : count == 0) return;
  p->stacks.types.count = op->types;
  for (uint32_t i = 0; i < op->bound; i++) mlir_push_type(p, TYPE_NONE);
}

// Brackets of an operation whose syntax is not known: they need not have partners of their kind, as in [0, 8).
enum { KEPT = 16 };
typedef struct opaque_brackets {
  const char *opened[KEPT];  // the outer ones
  uint32_t depth;
  const char *odd;      // the first one that another kind of bracket closes
  const char *surplus;  // the first that closes where none of its kind is open
  const char
      *early;  // the first that closes one at the end of a line before, and does not begin its own
} opaque_brackets;

static void close_bracket(mlir_parser *p, opaque_brackets *b) {
  if (b->depth-- > KEPT) return;
  const char *open = b->opened[b->depth], *after = open + 1;
  while (after < p->at && (*after == ' ' || *after == '\t' || *after == '\r')) after++;
  if (*after == '\n' && !b->early && !begins_line(p)) b->early = p->at;
  if (partner(*open) == *p->at) return;
  if (!b->odd) b->odd = open;
  if (!b->surplus && !is_open(b->opened, b->depth, *p->at)) b->surplus = p->at;
}

static bool ends_in(const char *text, uint32_t length, const char *end) {
  size_t n = strlen(end);
  return length > n && memcmp(text + length - n, end, n) == 0;
}

static bool opaque_region(mlir_parser *p, const mlir_op *op) {
  const mlir_word outer = p->scope.dialect;
  const char *name = intern_text(&p->g->names, op->name);
  uint32_t length = intern_length(&p->g->names, op->name);
  bool defaults = ends_in(name, length, ".func") || ends_in(name, length, ".module");
  const char *point = defaults ? memchr(name, '.', length) : NULL;
  p->scope.dialect = (mlir_word){name, point ? (uint32_t)(point - name) : 0};
  bool ok = mlir_region_here(p);
  p->scope.dialect = outer;
  return ok;
}

static bool opaque_step(mlir_parser *p, mlir_op *op, opaque_brackets *b, bool *end) {
  char c = mlir_peek(p);
  switch (c) {
  case '%': return opaque_operand(p);
  case '"': return mlir_skip_string(p);
  case '{':
    if (!mlir_region_begins(p)) return mlir_skip_balanced(p);
    // Names in it may be defined by what was passed over: operands are absent there, as in a region of an unknown operation.
    p->g->ops[op->id].unread |= !op_is_unknown(p->g, op->id);
    return opaque_region(p, op);
  case '(':
  case '[':
    if (b->depth < KEPT) b->opened[b->depth] = p->at;
    b->depth++;
    break;
  case ')':
  case ']':
  case '}':
    if (!b->depth || c == '}') {
      *end = true;
      return true;
    }
    close_bracket(p, b);
    break;
  case '-':
    if (mlir_char(p, 1) != '>') break;
    p->at += 2;
    if (!b->depth) opaque_types(p, op, true);
    return true;
  case ':':
    p->at++;
    if (!b->depth && mlir_char(p, 0) != ':') opaque_types(p, op, false);
    return true;
  default: break;
  }
  mlir_word word;
  if (!mlir_word_here(p, &word)) p->at++;
  return true;
}

// No operation ends in a token that something follows.
static bool ends_short(const mlir_parser *p, const char *from) {
  const char *last = p->text + mlir_last_offset(p, from);
  if (last <= from) return false;
  char c = last[-1], before = last - from > 1 ? last[-2] : 0;
  return c == ',' || c == '=' || c == ':' || c == '(' || c == '[' || c == '<' ||
         (c == '>' && before == '-');
}

// A bracket that is open in the end, with what it holds of later lines. What comes after it may be any number of lines.
static bool expected_close(mlir_parser *p, const char *line, const opaque_brackets *b) {
  uint32_t inner = (b->depth < KEPT ? b->depth : KEPT) - 1;
  const char *open = b->odd ? b->odd : b->opened[inner];
  source_span at = mlir_span(p, line, line + 1 > p->end ? p->end : line + 1);
  if (p->recovery.lines && p->at >= p->end && !mlir_unclosed(p, open, b->odd, &at)) {
    const char *last = p->text + mlir_last_offset(p, open);
    bool later = last > open && memchr(open, '\n', (size_t)(last - open));
    at = later ? mlir_span(p, last - 1, last) : mlir_span(p, open, open + 1);
  }
  return mlir_wrong(p, p->text + at.begin, p->text + at.end,
                    "expected ')' or ']' to close a bracket of the operation");
}

// One bracket too many closes: which one is, or where the one was that it closes.
static bool expected_opening(mlir_parser *p, const opaque_brackets *b) {
  const char *found = b->early ? b->early : b->surplus ? b->surplus : p->at;
  p->at = found;
  while (p->at > p->part && strchr(")]}", p->at[-1])) p->at--;  // of ]) either may be it
  bool first = begins_line(p);
  p->at = found;
  if (first) return expected_open(p);
  return mlir_wrong(p, found, found + 1, "no bracket is open that '%c' closes", *found);
}

// At the begin of a line as deep as the operation's: the names of results and an operation without a '=', those
// without the names, or the names alone. No operation goes on so.
static bool half_begins(mlir_parser *p) {
  mlir_word word;
  if (*p->at == '=') {
    p->at++;
    return mlir_word_here(p, &word) && memchr(word.text, '.', word.length);
  }
  do {
    if (mlir_peek(p) != '%') return false;
    scan_name(p);
    if (mlir_accept(p, ':') && !mlir_is_digit(mlir_peek(p))) return false;
    while (mlir_is_digit(mlir_char(p, 0))) p->at++;
  } while (mlir_accept(p, ','));
  if (mlir_peek(p) == '%' || mlir_peek(p) == '}') return begins_line(p);
  return mlir_word_here(p, &word) && memchr(word.text, '.', word.length);
}

static uint32_t blanks_before(const mlir_parser *p, const char *at) {
  const char *begin = at;
  while (begin > p->part && (begin[-1] == ' ' || begin[-1] == '\t')) begin--;
  return (uint32_t)(at - begin);
}

static bool next_begins(mlir_parser *p, const mlir_op *op) {
  if (!begins_line(p)) return false;
  if (mlir_statement_begins(p)) return true;
  if (*p->at != '%' && *p->at != '=') return false;
  uint32_t own = blanks_before(p, p->text + p->g->ops[op->id].span.begin);
  return blanks_before(p, p->at) == own + (*p->at == '=') && look(p, half_begins);
}

// Reads until a line that begins another statement, outside of brackets, and keeps what can be made out on the way.
bool mlir_opaque_op(mlir_parser *p, mlir_op *op) {
  opaque_brackets brackets = {.depth = 0};
  bool end = false, ok = true;
  const char *line = p->at;
  if (p->uses) mlir_use_hidden(p, op->id);
  p->errors.lenient++;
  while (ok && !end && !p->errors.stop) {
    if (!mlir_peek(p)) break;
    mlir_step(p);
    if (!brackets.depth && next_begins(p, op)) break;
    if (brackets.depth >= MLIR_DEPTH) {
      ok = mlir_syntax(p, p->at, "nested deeper than %d", MLIR_DEPTH);
      p->errors.stop = true;
      break;
    }
    if (mlir_peek(p) == 'l' && !brackets.depth) {
      const char *here = p->at;
      if (!mlir_location(p)) ok = false;
      if (p->at != here) break;
    }
    ok = ok && opaque_step(p, op, &brackets, &end);
  }
  p->errors.lenient--;
  // Not the end of a region that began on the line of the operation.
  if (ok && end && brackets.depth && p->recovery.lines && mlir_is_surplus_brace(p))
    ok = mlir_wrong(p, p->at, p->at + 1, "no bracket is open that '%c' closes", *p->at);
  if (ok && brackets.depth) ok = expected_close(p, line, &brackets);
  if (ok && end && p->recovery.lines && (*p->at == ')' || *p->at == ']'))
    ok = expected_opening(p, &brackets);
  if (ok && !p->errors.stop && ends_short(p, line))
    ok = mlir_expected(p, "the rest of the operation");
  // The opaque results are untyped unless the signature has as many types as there are names.
  set_opaque_results(p, op);
  return ok;
}
