// SPDX-License-Identifier: Apache-2.0
// The second reading of a text with a syntax error. Brackets cannot be relied on then, but programs are written with an
// operation on a line of its own and what is inside of it deeper: the blanks in front of lines say where a statement ends,
// whatever is missing in it. So an error costs its own statement, and what is missing at its end is reported there.
//
// In a function whose blanks and braces disagree, and whose braces have partners, the braces say it.
//
// A text whose lines do not go deeper after a '{' is not read again: skip.c goes by its brackets.
#include <assert.h>

#include "solver/formats/mlir/parser.h"

// --- the table

static bool is_split(const mlir_parser *p, const char *at) {
  static const char MARK[] = "// -----";
  return (size_t)(p->text_end - at) >= sizeof MARK - 1 && memcmp(at, MARK, sizeof MARK - 1) == 0;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static mlir_line_kind kind_at(mlir_parser *p) {
  switch (*p->at) {
  case '}': return LINE_CLOSE;
  case '^': return LINE_LABEL;
  case '%': return mlir_statement_begins(p) ? LINE_STATEMENT : LINE_NAME;
  case '#':
  case '!':
  case '"': return LINE_STATEMENT;
  default: return mlir_statement_begins(p) ? LINE_STATEMENT : LINE_OTHER;
  }
}

typedef struct line_table {
  const char *end;  // of the part
  mlir_line *items;
  uint32_t count, capacity;
} line_table;

static void add_line(mlir_parser *p, line_table *t, const char *line) {
  mlir_line l = {mlir_offset(p, p->at), (uint32_t)(p->at - line), 0, (uint8_t)kind_at(p)};
  t->items = arena_grow(p->g->arena, t->items, t->count, (size_t)t->count + 1, &t->capacity,
                        sizeof *t->items);
  t->items[t->count++] = l;
}

static void add_lines(mlir_parser *p, line_table *t) {
  const char *line = p->part, *text_end = p->text_end;
  t->end = text_end;
  while (line < text_end) {
    const char *newline = memchr(line, '\n', (size_t)(text_end - line));
    const char *line_end = newline ? newline : text_end, *at = line;
    while (at < line_end && is_blank(*at)) at++;
    mlir_step(p);
    bool comment = line_end - at > 1 && at[0] == '/' && at[1] == '/';
    if (comment && at == line && is_split(p, at)) {
      t->end = at;
      break;
    }
    if (at < line_end && !comment) {
      p->at = at;
      add_line(p, t, line);
    }
    line = line_end + 1;
  }
}

// A name that nothing defines there: the begin of a statement with an error, or of an argument on a line of its own.
static bool ends_statement(const mlir_line *l) {
  return l->kind == LINE_STATEMENT || l->kind == LINE_NAME;
}

// One of these characters is the last in front of the line.
static bool follows(const mlir_parser *p, const mlir_line *l, const char *characters) {
  const char *at = p->text + l->begin;
  while (at > p->part && (is_blank(at[-1]) || at[-1] == '\n')) at--;
  return at > p->part && strchr(characters, at[-1]);
}

static char last_of(const mlir_parser *p, const mlir_line *l) {
  const char *at = p->text + l->begin;
  const char *newline = memchr(at, '\n', (size_t)(p->text_end - at));
  const char *last = newline ? newline : p->text_end;
  while (last > at + 1 && is_blank(last[-1])) last--;
  return last[-1];
}

// In what began on a line before, which ends in a token that something follows.
static bool goes_on(const mlir_parser *p, const mlir_line *l) {
  if (l->kind != LINE_NAME && l->kind != LINE_OTHER) return false;
  return follows(p, l, l->kind == LINE_OTHER ? ",({[<=:" : ",([");
}

// --- functions whose braces say what the blanks do not

static bool begins_or_ends(const mlir_line *l) {
  return l->kind != LINE_OTHER && l->kind != LINE_NAME;
}

// Not deeper than the line `outer` that belongs around it.
static bool is_flat(const mlir_line *l, const mlir_line *outer) {
  return l->kind == LINE_LABEL ? l->indent < outer->indent : l->indent <= outer->indent;
}

// Of a list that began on a line before: an attribute, or a block that a branch goes to.
static bool is_listed(const mlir_parser *p, const mlir_line *l) {
  if (l->kind == LINE_LABEL) return follows(p, l, ",[") && last_of(p, l) != ':';
  return strchr("#!\"", p->text[l->begin]) && follows(p, l, ",([<=:");
}

// The blanks in front of a line say that it is in the statement before it, or not in the one it is in.
static bool is_odd(const mlir_parser *p, const mlir_line *l, const mlir_line *before) {
  if (l->kind != LINE_STATEMENT && l->kind != LINE_LABEL) return false;
  if (last_of(p, l - 1) == '{') return is_flat(l, before);
  if (l->kind == LINE_LABEL && last_of(p, l) != ':') return false;  // what a branch goes to
  return before->kind != LINE_LABEL && l->indent > before->indent && !is_listed(p, l);
}

static bool begins_function(const mlir_parser *p, const mlir_line *l) {
  static const char WORD[] = "func";
  if (l->kind != LINE_STATEMENT) return false;
  const char *from = p->text + l->begin, *at = from;
  while (at < p->text_end && (*at == '"' || *at == '.' || *at == '_' || mlir_is_letter(*at))) at++;
  if (at > from && at[-1] == '"') at--;
  size_t length = sizeof WORD - 1;
  return (size_t)(at - from) >= length && memcmp(at - length, WORD, length) == 0;
}

// Adds the braces from the cursor to the end to the depth; `first`: how deep the first token is. False: too many close.
static bool add_braces(mlir_parser *p, uint32_t *depth, uint32_t *first) {
  *first = *depth;
  for (bool closes = true; mlir_peek(p);) {
    char c = *p->at;
    mlir_step(p);
    closes = closes && c == '}';
    if (c == '"') {
      mlir_skip_string(p);
      continue;
    }
    if (c == '}' && !*depth) return false;
    *depth += c == '{';
    *depth -= c == '}';
    if (closes) *first = *depth;
    p->at++;
  }
  return true;
}

// Fills `next` with how many braces are around each line of a function. The line of its last brace; 0: not all have a
// partner.
static uint32_t find_depths(const mlir_parser *p, const line_table *t, uint32_t function) {
  mlir_parser scan = *p;
  uint32_t depth = 0, blanks = t->items[function].indent;
  bool entered = false;
  for (uint32_t i = function; i < t->count; i++) {
    mlir_line *l = &t->items[i];
    if (i > function && begins_function(p, l)) return 0;
    scan.at = p->text + l->begin;
    scan.end = i + 1 < t->count ? p->text + l[1].begin : t->end;
    if (!add_braces(&scan, &depth, &l->next)) return 0;
    if (entered && !depth) {
      bool ends = l->kind == LINE_CLOSE && l->indent == blanks;
      return ends && (i + 1 == t->count || l[1].indent <= blanks) ? i : 0;
    }
    entered = depth > 0;
  }
  return 0;
}

// What goes on with a line before is as much deeper than that as it was.
static void indent_by_depths(const mlir_parser *p, line_table *t, uint32_t function,
                             uint32_t last) {
  enum { STEP = 2 };
  const mlir_line *outer = &t->items[function];
  uint32_t blanks = outer->indent;  // in front of that
  for (uint32_t i = function + 1; i <= last; i++) {
    mlir_line *l = &t->items[i];
    if (l->kind == LINE_OTHER || goes_on(p, l) || is_listed(p, l)) {
      uint32_t more = l->indent > blanks ? l->indent - blanks : 0;
      l->indent = outer->indent + (more || l->kind == LINE_OTHER ? more : 1);
      continue;
    }
    blanks = l->indent;
    l->indent = t->items[function].indent + STEP * l->next;
    if (l->kind == LINE_LABEL && l->next) l->indent--;
    outer = l;
  }
}

static void mend_indents(mlir_parser *p, line_table *t) {
  const mlir_line *before = NULL;
  uint32_t function = UINT32_MAX;
  for (uint32_t i = 0; i < t->count; i++) {
    const mlir_line *l = &t->items[i];
    if (begins_function(p, l)) {
      function = i;
    } else if (function != UINT32_MAX && is_odd(p, l, before)) {
      uint32_t last = find_depths(p, t, function);
      if (last > i) {
        indent_by_depths(p, t, function, last);
        i = last;
      }
      function = UINT32_MAX;
    }
    if (begins_or_ends(&t->items[i])) before = &t->items[i];
  }
}

// --- what ends where

// Lines go deeper after a '{'.
static bool go_deeper(const mlir_parser *p, const line_table *t) {
  enum { DEEPER_OF_FLAT = 4 };
  uint32_t deeper = 0, flat = 0, labels = 0;
  const mlir_line none = {0}, *before = &none;
  for (uint32_t i = 0; i < t->count; i++) {
    const mlir_line *l = &t->items[i];
    if (i && (l->kind == LINE_STATEMENT || l->kind == LINE_LABEL) && last_of(p, l - 1) == '{') {
      bool is = is_flat(l, before);
      flat += is;
      deeper += !is;
      labels += is && l->kind == LINE_LABEL;
    }
    if (begins_or_ends(l)) before = l;
  }
  // But for an operation that is cut after its '{', which looks flat.
  return flat * DEEPER_OF_FLAT <= deeper || (flat == 1 && deeper && !labels);
}

// For each line the next one that is less deep, or a statement as deep; for a label the next one that begins something.
static void find_ends(mlir_parser *p, line_table *t) {
  uint32_t *open = arena_alloc(p->g->arena, ((size_t)t->count + 1) * sizeof *open), depth = 0;
  for (uint32_t i = 0; i < t->count; i++) {
    const mlir_line *l = &t->items[i];
    assert(!i || l[-1].begin < l->begin);
    if (goes_on(p, l)) {  // however deep
      t->items[i].next = i + 1;
      continue;
    }
    while (depth) {
      const mlir_line *top = &t->items[open[depth - 1]];
      if (top->indent < l->indent || (top->indent == l->indent && !ends_statement(l))) break;
      t->items[open[--depth]].next = i;
    }
    open[depth++] = i;
  }
  while (depth) t->items[open[--depth]].next = t->count;
  for (uint32_t i = t->count, begins = t->count; i-- > 0;) {
    if (t->items[i].kind == LINE_LABEL) t->items[i].next = begins;
    if (t->items[i].kind != LINE_OTHER && !goes_on(p, &t->items[i])) begins = i;
  }
}

bool mlir_lines(mlir_parser *p) {
  assert(!p->recovery.lines);
  const char *at = p->at, *end = p->end;
  line_table t = {0};
  p->end = p->text_end;
  p->errors.quiet++;
  add_lines(p, &t);
  mend_indents(p, &t);
  p->errors.quiet--;
  p->at = at, p->end = end;
  if (!t.count || !go_deeper(p, &t)) return false;
  find_ends(p, &t);
  p->recovery.lines = t.items;
  p->recovery.line_count = t.count;
  p->recovery.lines_end = t.end;
  return true;
}

// True when nothing but blanks is in front of it in its line, as many as `indent`.
static bool begins_at(const mlir_parser *p, uint32_t at, uint32_t indent) {
  uint32_t begin = at;
  while (begin && (p->text[begin - 1] == ' ' || p->text[begin - 1] == '\t')) begin--;
  return at - begin == indent && begin && p->text[begin - 1] == '\n';
}

bool mlir_lines_around(mlir_parser *p, const uint32_t begins[3], uint32_t indent) {
  assert(!p->recovery.lines && begins[0] < begins[1] && begins[1] < begins[2]);
  mlir_line *items = arena_alloc(p->g->arena, 3 * sizeof *items);
  const char *at = p->at;
  bool fit = true;
  for (uint32_t i = 0; i < 3 && fit; i++) {
    p->at = p->text + begins[i];
    items[i] = (mlir_line){begins[i], indent, i + 1, (uint8_t)kind_at(p)};
    fit = *p->at == '%' && begins_at(p, begins[i], indent) &&
          (items[i].kind == LINE_STATEMENT ||
           (i == 1 && items[i].kind == LINE_NAME && !goes_on(p, &items[i])));
    if (i == 2) break;
    const char *end = memchr(p->at, '\n', (size_t)(p->text_end - p->at)), *last = end;
    while (last && last > p->at && (last[-1] == ' ' || last[-1] == '\t' || last[-1] == '\r'))
      last--;
    fit = fit && end && p->text + begins[i + 1] - indent == end + 1 && last[-1] != '{';
  }
  p->at = at;
  if (!fit) return false;
  p->recovery.lines = items;
  p->recovery.line_count = 3;
  p->recovery.lines_end = p->text_end;
  p->recovery.indent = indent;
  return true;
}

// The index of the first line that begins at this offset or after it.
static uint32_t line_from(const mlir_parser *p, uint32_t at) {
  assert(p->recovery.lines);
  return sorted_before(p->recovery.lines, p->recovery.line_count, sizeof *p->recovery.lines,
                       offsetof(mlir_line, begin), at);
}

// The line that begins there; NULL: none does.
static const mlir_line *line_at(const mlir_parser *p, const char *at) {
  uint32_t offset = mlir_offset(p, at), i = line_from(p, offset);
  bool found = i < p->recovery.line_count && p->recovery.lines[i].begin == offset;
  return found ? &p->recovery.lines[i] : NULL;
}

// The index of the line that holds it.
static uint32_t line_of(const mlir_parser *p, const char *at) {
  uint32_t i = line_from(p, mlir_offset(p, at) + 1);
  return i ? i - 1 : 0;
}

static const char *begin_of(const mlir_parser *p, uint32_t line) {
  assert(line <= p->recovery.line_count);
  if (line == p->recovery.line_count) return p->recovery.lines_end;
  const char *at = p->text + p->recovery.lines[line].begin;
  while (at > p->part && is_blank(at[-1])) at--;
  return at;
}

// --- statements

mlir_bound mlir_bind(mlir_parser *p) {
  mlir_bound outer = {p->end, p->recovery.statement, p->recovery.errors};
  p->recovery.errors = p->g->diags.errors;
  if (!p->recovery.lines) return outer;
  mlir_skip(p);
  p->recovery.statement = p->at;
  const mlir_line *line = line_at(p, p->at);
  assert(!line || p->recovery.lines + line->next > line);
  const char *end = line ? begin_of(p, line->next) : p->end;
  if (end < p->end) p->end = end;
  return outer;
}

void mlir_unbind(mlir_parser *p, mlir_bound outer) {
  p->recovery.errors = outer.errors;
  if (!p->recovery.lines) return;
  p->end = outer.end;
  p->recovery.statement = outer.statement;
}

bool mlir_has_line(const mlir_parser *p) {
  const mlir_line *line = line_at(p, p->at);
  if (!line || line->kind != LINE_STATEMENT || line->next >= p->recovery.line_count) return false;
  const mlir_line *next = &p->recovery.lines[line->next];
  return next == line + 1 && next->kind == LINE_STATEMENT && next->indent == line->indent;
}

bool mlir_goes_on(const mlir_parser *p) {
  const mlir_line *line = line_at(p, p->at);
  return line && line->kind == LINE_OTHER;
}

// The last line of the statement closes a brace that is missing: there are more of those in what comes after the cursor.
static bool closes_later(mlir_parser *p) {
  const mlir_line *line = line_at(p, p->recovery.statement);
  const mlir_line *last = &p->recovery.lines[line->next - 1];
  if (last <= line || last->kind != LINE_CLOSE || p->text + last->begin < p->at) return false;
  mlir_parser scan = *p;
  uint32_t open = 0;
  scan.errors.quiet++;
  const size_t allowed = 2 * (size_t)(p->text_end - p->text);  // however deep statements are
  while (mlir_peek(&scan) && p->recovery.bytes++ < allowed) {
    char c = *scan.at;
    mlir_step(&scan);
    if (c == '"') {
      mlir_skip_string(&scan);
      continue;
    }
    if (c == '}' && !open) return true;
    open += c == '{';
    open -= c == '}';
    scan.at++;
  }
  return false;
}

// Nothing but a brace or another statement follows an operation on its line, and nothing is deeper after it.
bool mlir_ends_line(mlir_parser *p) {
  if (!p->recovery.lines || !line_at(p, p->recovery.statement)) return true;
  char c = mlir_peek(p);
  uint32_t end = mlir_last_offset(p, p->text);
  if (c && memchr(p->text + end, '\n', (size_t)(p->at - p->text) - end))
    return !closes_later(p) || mlir_expected(p, "'{'");
  if (!c || c == '}') return true;
  return mlir_statement_begins(p) || mlir_expected(p, "the end of the operation");
}

// The last character of the line in front of a line that is not the first.
static source_span end_before(const mlir_parser *p, const mlir_line *line) {
  assert(line > p->recovery.lines);
  const char *at = p->text + line[-1].begin, *to = p->text + line->begin;
  const char *newline = memchr(at, '\n', (size_t)(to - at));
  if (newline) to = newline;
  while (to > at + 1 && strchr(" \t\r\n", to[-1])) to--;
  return mlir_span(p, to - 1, to);
}

source_span mlir_line_end(const mlir_parser *p, source_span span) {
  const mlir_line *line = line_at(p, p->text + span.begin);
  if (!line || line->kind == LINE_OTHER || line == p->recovery.lines) return span;
  return end_before(p, line);
}

bool mlir_unclosed(const mlir_parser *p, const char *open, bool one_line, source_span *end) {
  if (!p->recovery.lines) return false;
  uint32_t i = line_of(p, open), indent = p->recovery.lines[i].indent;
  const char *after = open + 1;
  while (after < p->end && is_blank(*after)) after++;
  if (after < p->end && *after == '\n') one_line = false;  // what it holds is on later ones
  for (i++; i < p->recovery.line_count; i++) {
    const mlir_line *l = &p->recovery.lines[i];
    if (l->begin > mlir_offset(p, p->at) || p->text + l->begin >= p->end) return false;
    if (l->indent > indent && goes_on(p, l) && !one_line) continue;
    *end = end_before(p, l);
    return true;
  }
  return false;
}

uint32_t mlir_enter_lines(mlir_parser *p) {
  enum { LOOK = 16 };
  uint32_t outer = p->recovery.indent;
  if (!p->recovery.lines) return outer;
  p->recovery.indent = UINT32_MAX;
  uint32_t i = line_from(p, mlir_offset(p, p->at)), last = i + LOOK;
  for (; i < last && i < p->recovery.line_count; i++) {
    const mlir_line *l = &p->recovery.lines[i];
    if (p->text + l->begin >= p->end) break;
    if (l->kind != LINE_STATEMENT) continue;
    p->recovery.indent = l->indent;
    break;
  }
  return outer;
}

// A line whose first word is missing begins a blank deeper than the others do. What a statement that begins within a line
// has read of later ones is not read again.
void mlir_skip_lines(mlir_parser *p, const char *begin) {
  const shape_graph *g = p->g;
  uint32_t read = g->op_count ? g->ops[g->op_count - 1].span.begin : 0;
  uint32_t i = line_of(p, begin), indent = p->recovery.lines[i].indent;
  assert(begin >= p->text && begin <= p->text_end);
  if (indent > p->recovery.indent) indent = p->recovery.indent;
  for (i++; i < p->recovery.line_count; i++) {
    const mlir_line *l = &p->recovery.lines[i];
    mlir_step(p);
    bool ends = l->indent < indent || (l->indent == indent && ends_statement(l));
    if (ends && l->begin > read) break;
  }
  const char *next = begin_of(p, i);
  p->at = next < p->end ? next : p->end;
  assert(p->at > begin || p->at == p->end);
}

bool mlir_body_follows(mlir_parser *p) {
  if (!p->recovery.lines || !p->recovery.statement) return false;
  mlir_skip(p);
  const mlir_line *line = p->at < p->end ? line_at(p, p->at) : NULL;
  if (!line || (line->kind != LINE_STATEMENT && line->kind != LINE_LABEL)) return false;
  uint32_t outer = p->recovery.lines[line_of(p, p->recovery.statement)].indent;
  return line->kind == LINE_LABEL ? line->indent >= outer : line->indent > outer;
}

bool mlir_resume_body(mlir_parser *p, const char *begin) {
  if (!p->recovery.lines || p->errors.stop) return false;
  for (uint32_t i = line_of(p, begin) + 1; i < p->recovery.line_count; i++) {
    const mlir_line *l = &p->recovery.lines[i];
    const char *at = p->text + l->begin;
    mlir_step(p);
    if (at >= p->end) break;
    if (l->kind != LINE_STATEMENT && l->kind != LINE_LABEL) continue;
    while (at > begin && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\r' || at[-1] == '\n'))
      at--;
    p->at = at > begin && at[-1] == '{' ? at - 1 : p->text + l->begin;
    return true;
  }
  return false;
}

// --- braces

bool mlir_brace_is_missing(mlir_parser *p) {
  const mlir_line *line = line_at(p, p->at);
  const mlir_line *outer = &p->recovery.lines[line_of(p, p->recovery.statement)];
  if (!line || line->kind != LINE_OTHER || line->indent > outer->indent + 1) return false;
  const char *at = p->at;
  bool missing = *at == ')' || *at == ',' || mlir_take_word(p, "do") || mlir_take_word(p, "else");
  p->at = at;
  return missing;
}

// A line that holds nothing but the blanks in front of it is where it was.
static source_span missing_brace(mlir_parser *p) {
  uint32_t last = mlir_last_offset(p, p->text), blanks = 0;
  const char *newline = memchr(p->text + last, '\n', (size_t)(p->text_end - p->text) - last);
  uint32_t indent = p->recovery.lines[line_of(p, p->recovery.statement)].indent;
  const char *at = newline ? newline + 1 : p->text_end;
  while (at + blanks < p->text_end && (at[blanks] == ' ' || at[blanks] == '\t')) blanks++;
  bool alone = newline && (at + blanks == p->text_end || at[blanks] == '\n' || at[blanks] == '\r');
  uint32_t begin = mlir_offset(p, at) + blanks;
  if (!alone || blanks != indent) return (source_span){last ? last - 1 : 0, last};
  return (source_span){begin, at + blanks < p->text_end ? begin + 1 : begin};
}

const char *mlir_before_what(const mlir_parser *p) {
  mlir_parser next = *p;
  next.end = p->text_end;
  if (!mlir_peek(&next)) return " before the end of the file";
  return mlir_function_begins(&next) ? " before the next function"
                                     : " before the end of the operation";
}

bool mlir_expected_brace(mlir_parser *p, const char *what) {
  mlir_lose(p, mlir_offset(p, p->at));
  if (mlir_peek(p)) return mlir_wrong(p, p->at, p->at + 1, "expected %s", what);
  source_span span = missing_brace(p);
  return mlir_wrong(p, p->text + span.begin, p->text + span.end, "expected %s%s", what,
                    mlir_before_what(p));
}

// --- names

void mlir_lose(mlir_parser *p, uint32_t at) {
  bool fresh;
  uint32_t *first = imap_slot(&p->recovery.lost, p->g->arena, p->scope.level, &fresh);
  if (fresh || at < *first) *first = at;
}

bool mlir_is_lost(const mlir_parser *p, uint32_t level, uint32_t at) {
  uint32_t first;
  return p->recovery.lines && imap_get(&p->recovery.lost, level, &first) && first <= at;
}
