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

typedef struct line_table {
  const char *end;  // of the part
  mlir_line *items;
  uint32_t count, capacity;
} line_table;

// An alias or a string that no statement begins with, after a token that something follows: an attribute of a list.
// Aliases are defined where no blanks are in front of them.
static bool is_listed(mlir_parser *p, char before) {
  if (*p->at != '"' && p->at > p->part && is_blank(p->at[-1])) return true;
  if (!before || !strchr(",([{<=:", before)) return false;
  if (*p->at == '"') return !mlir_statement_begins(p);
  const char *at = p->at + 1;
  while (at < p->text_end && (mlir_is_letter(*at) || mlir_is_digit(*at) || *at == '.')) at++;
  while (at < p->text_end && is_blank(*at)) at++;
  return at == p->text_end || *at != '=';
}

static mlir_line_kind kind_at(mlir_parser *p, char before) {
  switch (*p->at) {
  case '}': return LINE_CLOSE;
  case '^': return LINE_LABEL;
  case '%': return mlir_statement_begins(p) ? LINE_STATEMENT : LINE_NAME;
  case '#':
  case '!':
  case '"': return is_listed(p, before) ? LINE_OTHER : LINE_STATEMENT;
  default: return mlir_statement_begins(p) ? LINE_STATEMENT : LINE_OTHER;
  }
}

// The last character of the line that is no blank and in no comment.
static uint32_t last_in(const mlir_parser *p, const char *at, const char *line_end) {
  bool quoted = false;
  for (const char *from = at, *slash = at; from < line_end; from = slash + 1) {
    slash = memchr(from, '/', (size_t)(line_end - from));
    if (!slash || slash + 1 == line_end) break;
    for (const char *c = from; c < slash; c++) quoted ^= *c == '"' && (c == at || c[-1] != '\\');
    if (quoted || slash[1] != '/') continue;
    line_end = slash;
    break;
  }
  while (line_end > at + 1 && is_blank(line_end[-1])) line_end--;
  return mlir_offset(p, line_end - 1);
}

static void add_line(mlir_parser *p, line_table *t, const char *line, const char *line_end) {
  char before = t->count ? p->text[t->items[t->count - 1].last] : 0;
  mlir_line l = {.begin = mlir_offset(p, p->at),
                 .indent = (uint32_t)(p->at - line),
                 .last = last_in(p, p->at, line_end),
                 .kind = (uint8_t)kind_at(p, before),
                 .before = before};
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
      add_line(p, t, line, line_end);
    }
    line = line_end + 1;
  }
}

// A name that nothing defines there: the begin of a statement with an error, or of an argument on a line of its own.
static bool ends_statement(const mlir_line *l) {
  return l->kind == LINE_STATEMENT || l->kind == LINE_NAME;
}

static char last_of(const mlir_parser *p, const mlir_line *l) { return p->text[l->last]; }

// In what began on a line before, which ends in a token that something follows.
static bool goes_on(const mlir_line *l) {
  if ((l->kind != LINE_NAME && l->kind != LINE_OTHER) || !l->before) return false;
  return strchr(l->kind == LINE_OTHER ? ",({[<=:" : ",([", l->before);
}

// --- functions whose braces say what the blanks do not

static bool begins_or_ends(const mlir_line *l) {
  return l->kind != LINE_OTHER && l->kind != LINE_NAME;
}

// Not deeper than the line `outer` that belongs around it.
static bool is_flat(const mlir_line *l, const mlir_line *outer) {
  return l->kind == LINE_LABEL ? l->indent < outer->indent : l->indent <= outer->indent;
}

// A block that a branch goes to.
static bool is_target(const mlir_parser *p, const mlir_line *l) {
  return l->kind == LINE_LABEL && l->before && strchr(",[", l->before) && last_of(p, l) != ':';
}

// The blanks in front of a line say that it is in the statement before it, or not in the one it is in.
static bool is_odd(const mlir_parser *p, const mlir_line *l, const mlir_line *before,
                   const mlir_line *function) {
  if (l->kind != LINE_STATEMENT && l->kind != LINE_LABEL) return false;
  if (l->indent <= function->indent && l->kind == LINE_STATEMENT) return true;
  if (l->before == '{') return is_flat(l, before);
  if (l->kind == LINE_LABEL && last_of(p, l) != ':') return false;  // what a branch goes to
  return before->kind != LINE_LABEL && l->indent > before->indent && !is_target(p, l);
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
    if (l->kind == LINE_OTHER || goes_on(l) || is_target(p, l)) {
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
    } else if (function != UINT32_MAX && l->kind == LINE_CLOSE &&
               l->indent <= t->items[function].indent) {
      function = UINT32_MAX;
    } else if (function != UINT32_MAX && is_odd(p, l, before, &t->items[function])) {
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

// --- braces of other statements whose blanks are not those of what is inside

// A line that ends in a '{' which no line has closed yet: how many blanks are in front of the statement that it is of.
typedef struct open_brace {
  uint32_t line, indent;
} open_brace;

// What begins as deep as the module or function around it, whose '}' is as deep, too.
static bool is_flat_body(const mlir_parser *p, const line_table *t, uint32_t open) {
  const mlir_line *l = &t->items[open], *first = l + 1;
  if (open + 1 == t->count || begins_function(p, l)) return false;
  if (l->kind != LINE_STATEMENT && l->kind != LINE_CLOSE) return false;
  return (first->kind == LINE_STATEMENT || first->kind == LINE_OTHER) && first->indent == l->indent;
}

// Deeper than what it closes: nothing between them is as deep but its label, or a statement of one line in front of it.
static bool is_own_brace(const line_table *t, uint32_t open, uint32_t line) {
  enum { LOOK = 64 };
  const mlir_line *l = &t->items[line];
  uint32_t i = line - 1;
  while (i > open && t->items[i].indent > l->indent && line - i < LOOK) i--;
  if (i == open) return open + 1 < line;
  if (t->items[i].indent < l->indent) return false;
  if (t->items[i].kind == LINE_LABEL) return i == open + 1;
  return t->items[i].kind == LINE_STATEMENT && i + 1 == line;
}

// The '}' of the line: of what is open and as deep, else of the least deep of what is deeper.
static uint32_t close_brace(line_table *t, const open_brace *open, uint32_t depth, uint32_t line) {
  mlir_line *l = &t->items[line];
  uint32_t above = depth;
  while (depth && open[depth - 1].indent > l->indent) depth--;
  if (depth && open[depth - 1].indent == l->indent) depth--;
  if (depth == above && depth && is_own_brace(t, open[depth - 1].line, line)) depth--;
  if (depth == above) return depth;
  assert(open[depth].line < line);
  t->items[open[depth].line].next = line;
  l->indent = open[depth].indent;
  return depth;
}

// How many more braces the line opens than it closes.
static int added(const mlir_parser *p, const mlir_line *l) {
  int n = 0;
  for (const char *at = p->text + l->begin; at <= p->text + l->last; at++)
    n += (*at == '{') - (*at == '}');
  return n;
}

// Fills `next` of a line that ends in a '{' with the line of its '}'; 0: there is none.
static void match_braces(mlir_parser *p, line_table *t) {
  open_brace *open = arena_alloc(p->g->arena, ((size_t)t->count + 1) * sizeof *open);
  uint32_t depth = 0, statement = 0;  // blanks in front of the last one
  for (uint32_t i = 0; i < t->count; i++) {
    mlir_line *l = &t->items[i];
    mlir_step(p);
    if (l->kind == LINE_CLOSE) {
      depth = close_brace(t, open, depth, i);
    } else if (l->kind == LINE_STATEMENT) {
      while (depth && open[depth - 1].indent > l->indent) depth--;
      const open_brace *top = depth ? &open[depth - 1] : NULL;
      bool function = top && top->indent == l->indent && begins_function(p, &t->items[top->line]);
      if (function && begins_function(p, l)) depth--;  // they do not nest
    }
    if (l->kind == LINE_CLOSE || (ends_statement(l) && !goes_on(l))) statement = l->indent;
    l->next = 0;
    if (last_of(p, l) != '{') continue;
    // `a = b} {` opens the body of what a dictionary of belongs to.
    if (l->kind == LINE_OTHER && depth && open[depth - 1].indent == statement && !added(p, l))
      depth--;
    assert(depth <= i);
    open[depth++] = (open_brace){i, statement};
  }
}

// Modules may be no less deep than what they hold.
static void deepen_flat_bodies(mlir_parser *p, line_table *t) {
  enum { STEP = 2 };
  match_braces(p, t);
  uint32_t *ends = arena_alloc(p->g->arena, ((size_t)t->count + 1) * sizeof *ends), depth = 0;
  for (uint32_t i = 0; i < t->count; i++) {
    while (depth && ends[depth - 1] <= i) depth--;
    bool flat = t->items[i].next > i && is_flat_body(p, t, i);
    uint32_t end = t->items[i].next;
    t->items[i].indent += STEP * depth;
    if (flat) ends[depth++] = end;
  }
}

// --- what ends where

// Lines go deeper after a '{'.
static bool go_deeper(const line_table *t) {
  enum { DEEPER_OF_FLAT = 4 };
  uint32_t deeper = 0, flat = 0, labels = 0;
  const mlir_line none = {0}, *before = &none;
  for (uint32_t i = 0; i < t->count; i++) {
    const mlir_line *l = &t->items[i];
    if (i && (l->kind == LINE_STATEMENT || l->kind == LINE_LABEL) && l->before == '{') {
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
    if (goes_on(l)) {  // however deep
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
    if (t->items[i].kind != LINE_OTHER && !goes_on(&t->items[i])) begins = i;
  }
}

bool mlir_lines(mlir_parser *p) {
  assert(!p->recovery.lines);
  const char *at = p->at, *end = p->end;
  line_table t = {0};
  p->end = p->text_end;
  p->errors.quiet++;
  add_lines(p, &t);
  deepen_flat_bodies(p, &t);
  mend_indents(p, &t);
  p->errors.quiet--;
  p->at = at, p->end = end;
  if (!t.count || !go_deeper(&t)) return false;
  find_ends(p, &t);
  p->recovery.lines = t.items;
  p->recovery.line_count = t.count;
  p->recovery.lines_end = t.end;
  return true;
}

static uint32_t blanks_before(const mlir_parser *p, uint32_t at) {
  uint32_t begin = at;
  while (begin && (p->text[begin - 1] == ' ' || p->text[begin - 1] == '\t')) begin--;
  return at - begin;
}

// True when nothing but blanks is in front of it in its line, as many as `indent`.
static bool begins_at(const mlir_parser *p, uint32_t at, uint32_t indent) {
  return blanks_before(p, at) == indent && at > indent && p->text[at - indent - 1] == '\n';
}

bool mlir_lines_around(mlir_parser *p, const uint32_t begins[3], uint32_t indent) {
  assert(!p->recovery.lines && begins[0] < begins[1] && begins[1] < begins[2]);
  mlir_line *items = arena_alloc(p->g->arena, 3 * sizeof *items);
  const char *at = p->at;
  bool fit = true;
  for (uint32_t i = 0; i < 3 && fit; i++) {
    p->at = p->text + begins[i];
    const char *end = memchr(p->at, '\n', (size_t)(p->text_end - p->at));
    uint32_t last = last_in(p, p->at, end ? end : p->text_end);
    char before = i ? p->text[items[i - 1].last] : 0;
    items[i] = (mlir_line){begins[i], indent, last, i + 1, (uint8_t)kind_at(p, before), before};
    fit = *p->at == '%' && begins_at(p, begins[i], indent) &&
          (items[i].kind == LINE_STATEMENT ||
           (i == 1 && items[i].kind == LINE_NAME && !goes_on(&items[i])));
    if (i == 2) break;
    fit = fit && end && p->text + begins[i + 1] - indent == end + 1 && p->text[last] != '{';
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

bool mlir_lacks_first(const mlir_parser *p) {
  const mlir_line *line = line_at(p, p->at);
  return line && line->kind == LINE_OTHER &&
         line->indent == p->recovery.lines[line_of(p, p->recovery.statement)].indent + 1;
}

bool mlir_goes_on(const mlir_parser *p) {
  const mlir_line *line = line_at(p, p->at);
  return line && line->kind == LINE_OTHER;
}

// The last character of the line in front of a line that is not the first.
static source_span end_before(const mlir_line *line) {
  assert(line[-1].begin <= line[-1].last);
  return (source_span){line[-1].last, line[-1].last + 1};
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

// In front of the operations or the first attribute that are in it.
static bool expected_open_brace(mlir_parser *p) {
  const mlir_line *l = line_at(p, p->recovery.statement) + 1;
  if (*p->at != '}') return mlir_expected(p, "'{'");
  for (; p->text + l->begin < p->at; l++) {
    const char *at = p->text + l->begin;
    while (mlir_is_letter(*at) || mlir_is_digit(*at) || *at == '.') at++;
    while (is_blank(*at)) at++;
    if (at < p->at && *at == '=') break;
  }
  source_span end = end_before(l);
  return mlir_wrong(p, p->text + end.begin, p->text + end.end,
                    "expected '{' before the end of the line");
}

bool mlir_is_surplus_brace(const mlir_parser *p) {
  const mlir_line *line = line_at(p, p->recovery.statement);
  if (!line || p->at >= p->end) return false;
  const mlir_line *own = &p->recovery.lines[line_of(p, p->at)];
  if (p->text + own->begin == p->at || own + 1 == p->recovery.lines + p->recovery.line_count)
    return false;
  return own[1].kind == LINE_STATEMENT && own[1].indent == line->indent;
}

// Nothing but a brace or another statement follows an operation on its line, and nothing is deeper after it.
bool mlir_ends_line(mlir_parser *p) {
  if (!p->recovery.lines || !line_at(p, p->recovery.statement)) return true;
  char c = mlir_peek(p);
  uint32_t end = mlir_last_offset(p, p->text);
  if (c && memchr(p->text + end, '\n', (size_t)(p->at - p->text) - end)) {
    const mlir_line *line = line_at(p, p->at);
    if (line && line->kind == LINE_OTHER && strchr("(<", c))  // the word in front of it is missing
      return mlir_wrong(p, p->at, p->at + 1, "expected the end of the operation, found '%c'", c);
    return !closes_later(p) || expected_open_brace(p);
  }
  if (c == '}' && mlir_is_surplus_brace(p))
    return mlir_wrong(p, p->at, p->at + 1, "no brace of the operation is open that '}' closes");
  if (!c || c == '}') return true;
  return mlir_statement_begins(p) || mlir_expected(p, "the end of the operation");
}

source_span mlir_line_end(const mlir_parser *p, source_span span) {
  const mlir_line *line = line_at(p, p->text + span.begin);
  if (!line || line->kind == LINE_OTHER || line == p->recovery.lines) return span;
  return end_before(line);
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
    // The first one may have lost what makes it a statement.
    if (l->kind == LINE_STATEMENT && l->indent < p->recovery.indent) p->recovery.indent = l->indent;
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

bool mlir_brace_of_body(mlir_parser *p) {
  if (!p->recovery.lines || mlir_peek(p) != '{') return false;
  const mlir_line *line = &p->recovery.lines[line_of(p, p->at)];
  return p->text + line->last == p->at && mlir_region_begins(p);
}

bool mlir_brace_is_missing(mlir_parser *p) {
  const mlir_line *line = line_at(p, p->at);
  const mlir_line *outer = &p->recovery.lines[line_of(p, p->recovery.statement)];
  if (!line || line->kind != LINE_OTHER || line->indent > outer->indent + 1) return false;
  const char *at = p->at;
  bool missing = *at == ')' || *at == ',' || mlir_take_word(p, "do") || mlir_take_word(p, "else");
  p->at = at;
  return missing;
}

// An empty line, or comments and one in front of them, are in front of the line.
static bool follows_empty(const mlir_parser *p, const mlir_line *line) {
  const char *at = p->text + line[-1].last + 1, *to = p->text + line->begin;
  uint32_t newlines = 0;
  for (; at < to && newlines < 2; at++) {
    if (*at == '\n') {
      newlines++;
    } else if (!is_blank(*at)) {
      newlines = 0;
    }
  }
  return newlines > 1;
}

// Statements as deep as this one have an empty line between them, as far as others than the next one say.
static bool is_apart(const mlir_parser *p, const mlir_line *line) {
  const mlir_recovery *r = &p->recovery;
  if (line > r->lines) return follows_empty(p, line);
  uint32_t i = line->next < r->line_count ? r->lines[line->next].next : r->line_count;
  return i >= r->line_count || follows_empty(p, &r->lines[i]);
}

// The last line of a statement was not all of it: one that holds nothing but blanks, as many as are in front of the
// statement or more, is where its bracket was. Empty lines may also be what is between statements: then there are two.
static bool was_bracket(const mlir_parser *p, const mlir_line *statement, bool apart,
                        const char *line, const char *at) {
  assert(line <= at && at <= p->text_end);
  uint32_t indent = blanks_before(p, statement->begin), blanks = (uint32_t)(at - line);
  const char *end = p->text_end, *next = at < end ? at + (*at == '\r') + 1 : end;
  if (indent || blanks) return blanks >= indent;
  if (at == end) return false;
  if (next >= end || *next == '\r' || *next == '\n') return true;
  bool is_last = statement->next == p->recovery.line_count && *next == '/';
  return !is_split(p, next) && (is_last || !apart);
}

// Moves from the end of what was read to where its bracket was, if that was a line of its own.
static void blank_after(const mlir_parser *p, uint32_t last, const mlir_line *statement,
                        source_span *out) {
  const char *end = p->text_end, *at = p->text + last;
  assert(at <= end && out);
  bool apart = is_apart(p, statement);  // asked for once: there may be many lines on both sides
  while ((at = memchr(at, '\n', (size_t)(end - at)))) {
    const char *line = ++at;
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    bool blank = at == end || *at == '\n' || *at == '\r';
    bool comment = end - at > 1 && at[0] == '/' && at[1] == '/';
    if (blank && was_bracket(p, statement, apart, line, at)) {
      *out = mlir_span(p, at, at < end ? at + 1 : at);
      return;
    }
    // Comments that are deeper are in the statement.
    if (blank) continue;
    if (!comment || (uint32_t)(at - line) <= blanks_before(p, statement->begin)) return;
  }
}

source_span mlir_end_of(const mlir_parser *p, source_span last) {
  if (!p->recovery.statement) return last;
  uint32_t i = line_of(p, p->recovery.statement);
  const mlir_line *line = &p->recovery.lines[i];
  if (line->next > i + 1 || strchr("([{<", last_of(p, line))) blank_after(p, last.end, line, &last);
  return last;
}

source_span mlir_opener_of(const mlir_parser *p) {
  const mlir_line *own = &p->recovery.lines[line_of(p, p->at)], *l = own;
  while (l > p->recovery.lines && (l == own || l->indent > own->indent)) l--;
  return (source_span){l->last, l->last + 1};
}

// What the brackets of a statement hold may be on later lines: these follow a token that something follows, or close one.
static bool is_held(const mlir_parser *p, const mlir_line *l, uint32_t indent) {
  bool closes = strchr(")]}>", p->text[l->begin]);
  if (closes) return l->indent >= indent;
  bool plain = l->kind == LINE_OTHER || l->kind == LINE_NAME;
  return plain && l->indent > indent && l->before && strchr(",({[<=:", l->before);
}

bool mlir_unclosed(const mlir_parser *p, const char *open, bool one_line, source_span *end) {
  if (!p->recovery.lines) return false;
  const mlir_line *first = &p->recovery.lines[line_of(p, open)], *l = first + 1;
  const mlir_line *none = p->recovery.lines + p->recovery.line_count;
  uint32_t here = mlir_offset(p, p->at);
  if (strchr("([{<", last_of(p, first))) one_line = false;  // what it holds is on later ones
  uint32_t indent = first->indent, statement = line_of(p, p->recovery.statement);
  if (first->kind == LINE_OTHER && indent > p->recovery.lines[statement].indent)
    indent = p->recovery.lines[statement].indent;
  while (l < none && l->begin < here && !one_line && is_held(p, l, indent)) l++;
  bool ends = l == none || p->text + l->begin >= p->end;
  if (ends ? l == first + 1 || p->at < p->end : l->begin > here) return false;
  *end = end_before(l);
  if (one_line) return true;
  // Alone on its line, or in front of what is left of it.
  bool rest = !ends && l->kind == LINE_OTHER && l->indent == first->indent + 1 &&
              !mlir_is_letter(p->text[l->begin]);
  if (rest) *end = mlir_span(p, p->text + l->begin, p->text + l->begin + 1);
  if (!rest) blank_after(p, end->end, first, end);
  return true;
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
  uint32_t last = mlir_last_offset(p, p->text);
  source_span span = mlir_end_of(p, (source_span){last ? last - 1 : 0, last});
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
