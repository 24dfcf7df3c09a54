// SPDX-License-Identifier: Apache-2.0
// Characters, words, strings and what is said when they are not the ones expected.
// Grammar: MLIR LangRef, "Identifiers and keywords".
#include <stdio.h>

#include "solver/base/found.h"
#include "solver/base/utf8.h"
#include "solver/formats/mlir/parser.h"

// "// -----" alone at the start of a line ends a part of the file, as in mlir-opt --split-input-file.
static bool splits_file(const mlir_parser *p) {
  static const char MARK[] = "// -----";
  return (size_t)(p->end - p->at) >= sizeof MARK - 1 && memcmp(p->at, MARK, sizeof MARK - 1) == 0 &&
         (p->at == p->text || p->at[-1] == '\n');
}

void mlir_take_steps(mlir_parser *p) {
  p->until_poll = BUDGET_POLL_EVERY;
  p->polls++;
  budget_take(p->g->budget, BUDGET_POLL_EVERY);
}

void mlir_skip_steps(mlir_parser *p, uint32_t steps) {
  if (steps < p->until_poll) {
    p->until_poll -= steps;
    return;
  }
  uint32_t left = steps - p->until_poll;
  mlir_take_steps(p);
  assert(left < p->until_poll);
  p->until_poll -= left;
}

void mlir_skip_comment(mlir_parser *p) {
  if (mlir_char(p, 1) != '/') return;
  mlir_step(p);
  if (splits_file(p)) {
    p->end = p->at;
    return;
  }
  const char *line_end = memchr(p->at, '\n', (size_t)(p->end - p->at));
  p->at = line_end ? line_end : p->end;
}

void mlir_skip_slow(mlir_parser *p, const char *from) {
  const char *at = p->at, *before;
  do {
    while (at < p->end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) at++;
    p->at = before = at;
    if (at < p->end && *at == '/') mlir_skip_comment(p);
    at = p->at;
  } while (at != before);
  if (at == from) return;
  p->gap.begin = from;
  p->gap.end = at;
}

// The first syntax error: whether a second reading follows, for which lines say what is inside of what.
void mlir_read_again(mlir_parser *p) {
  p->recovery.outside |= !p->scope.in_function;
  p->recovery.wrong++;
  if (p->recovery.seen || p->recovery.lines) return;
  p->recovery.seen = true;
  p->recovery.bytes++;
  if (p->recovery.second || !mlir_lines(p)) {
    p->recovery.blind = true;
    return;
  }
  diag first = p->g->diags.items[p->g->diags.count - 1];
  first.span = mlir_line_end(p, first.span);
  if (!p->recovery.parts.count) p->recovery.first = first;
  imap_put(&p->recovery.parts, p->g->arena, mlir_offset(p, p->part), 1);
  p->recovery.lines = NULL;
  p->recovery.failed = p->errors.stop = true;
}

// code: NULL for an error of syntax, after which the statement cannot be read on.
static bool report(mlir_parser *p, source_span span, const char *code, const char *format,
                   va_list args) {
  if (p->errors.quiet || p->errors.stop) return false;
  // One error of each statement: others follow from it.
  if (p->recovery.lines && p->g->diags.errors > p->recovery.errors) return false;
  const char *message = arena_vprintf(p->g->arena, format, args);
  if (p->errors.capture) {
    *p->errors.capture = message;
    *p->errors.capture_at = span.begin;
    p->errors.stop = true;
    return false;
  }
  diag_add(&p->g->diags, DIAG_ERROR, code ? code : "syntax", span, "%s", message);
  if (!code && !p->recovery.trying) mlir_read_again(p);
  if (p->g->diags.count >= p->g->diags.limit) p->errors.stop = true;
  return false;
}

bool mlir_fail(mlir_parser *p, const char *from, const char *to, const char *code,
               const char *format, ...) {
  va_list args;
  va_start(args, format);
  report(p, mlir_span(p, from, to), code, format, args);
  va_end(args);
  return false;
}

bool mlir_wrong(mlir_parser *p, const char *from, const char *to, const char *format, ...) {
  va_list args;
  va_start(args, format);
  report(p, mlir_span(p, from, to), NULL, format, args);
  va_end(args);
  return false;
}

// The last character in front of the cursor that is no blank and no comment.
static source_span last_token(const mlir_parser *p) {
  uint32_t end = mlir_last_offset(p, p->text);
  return (source_span){end ? end - 1 : 0, end};
}

bool mlir_syntax(mlir_parser *p, const char *at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  source_span span = mlir_span(p, at, at < p->end ? at + 1 : at);
  report(p, p->recovery.lines && at >= p->end ? last_token(p) : span, NULL, format, args);
  va_end(args);
  return false;
}

#define LETTERS_8(c)                                                                               \
  [c] = CHAR_LETTER, [c + 1] = CHAR_LETTER, [c + 2] = CHAR_LETTER, [c + 3] = CHAR_LETTER,          \
  [c + 4] = CHAR_LETTER, [c + 5] = CHAR_LETTER, [c + 6] = CHAR_LETTER, [c + 7] = CHAR_LETTER
const uint8_t mlir_chars[256] = {
    LETTERS_8('a'),      LETTERS_8('i'),      LETTERS_8('q'),      ['y'] = CHAR_LETTER,
    ['z'] = CHAR_LETTER, LETTERS_8('A'),      LETTERS_8('I'),      LETTERS_8('Q'),
    ['Y'] = CHAR_LETTER, ['Z'] = CHAR_LETTER, ['_'] = CHAR_LETTER, ['0'] = CHAR_DIGIT,
    ['1'] = CHAR_DIGIT,  ['2'] = CHAR_DIGIT,  ['3'] = CHAR_DIGIT,  ['4'] = CHAR_DIGIT,
    ['5'] = CHAR_DIGIT,  ['6'] = CHAR_DIGIT,  ['7'] = CHAR_DIGIT,  ['8'] = CHAR_DIGIT,
    ['9'] = CHAR_DIGIT,  ['.'] = CHAR_POINT,  ['$'] = CHAR_POINT,  ['-'] = CHAR_MINUS,
};

static bool is_word_char(char c) { return mlir_char_is(c, CHAR_LETTER | CHAR_DIGIT | CHAR_POINT); }

// The token at the cursor, shortened, for messages.
static mlir_word token_here(const mlir_parser *p) {
  return (mlir_word){p->at, (uint32_t)found_length(p->at, p->end)};
}

// In front of the cursor on an earlier line, inside of the statement that is read: what is missing belongs there, unless
// that line ends in a token that something follows, and what is found goes on with it.
static bool is_missing_before(const mlir_parser *p) {
  uint32_t end = mlir_last_offset(p, p->text);
  const char *last = p->text + end;
  return p->recovery.statement && last > p->recovery.statement &&
         memchr(last, '\n', (size_t)(p->at - last)) && *p->at != '{' && !mlir_lacks_first(p) &&
         (strchr(")]}>", *p->at) || !(strchr(",([{<:", last[-1]) && mlir_goes_on(p)));
}

// In the second reading, where statements end is known.
static bool expected_by_lines(mlir_parser *p, const char *what, mlir_word found) {
  source_span span = last_token(p);
  if (p->at >= p->end) span = mlir_end_of(p, span);
  const char *from = p->text + span.begin, *to = p->text + span.end;
  if (p->at >= p->end) return mlir_wrong(p, from, to, "expected %s%s", what, mlir_before_what(p));
  if (is_missing_before(p))
    return mlir_wrong(p, from, to, "expected %s before the end of the line", what);
  return mlir_wrong(p, p->at, p->at + found.length, "expected %s, found '%.*s'", what,
                    (int)found.length, found.text);
}

bool mlir_expected(mlir_parser *p, const char *what) {
  mlir_skip(p);
  if (p->errors.quiet || p->errors.stop) return false;
  graph_text(p->g);  // what is found may be left out
  if (p->recovery.lines) return expected_by_lines(p, what, token_here(p));
  if (p->at >= p->end) {
    mlir_syntax(p, p->at, "expected %s before the end of the file", what);
    // Every construct around this one would say the same.
    p->errors.stop = true;
    return false;
  }
  // What is missing belongs in front of this function.
  if (mlir_function_begins(p)) {
    uint32_t end = mlir_last_offset(p, p->text);
    const char *last = p->text + (end ? end - 1 : 0);
    return mlir_syntax(p, last, "expected %s before the next function", what);
  }
  if (mlir_begins_next(p)) {
    source_span span = last_token(p);
    return mlir_wrong(p, p->text + span.begin, p->text + span.end,
                      "expected %s before the end of the line", what);
  }
  mlir_word found = token_here(p);
  return mlir_wrong(p, p->at, p->at + found.length, "expected %s, found '%.*s'", what,
                    (int)found.length, found.text);
}

bool mlir_expected_char(mlir_parser *p, char c) {
  char what[4] = {'\'', c, '\'', 0};
  return mlir_expected(p, what);
}

bool mlir_word_here(mlir_parser *p, mlir_word *out) {
  if (!mlir_is_letter(mlir_peek(p))) return false;
  const char *from = p->at, *at = from + 1, *end = p->end;
  while (at < end && is_word_char(*at)) at++;
  p->at = at;
  *out = (mlir_word){from, (uint32_t)(at - from)};
  return true;
}

bool mlir_take_word(mlir_parser *p, const char *word) {
  size_t length = strlen(word);
  mlir_skip(p);
  if ((size_t)(p->end - p->at) < length || memcmp(p->at, word, length) != 0) return false;
  if (is_word_char(mlir_char(p, length))) return false;
  p->at += length;
  return true;
}

bool mlir_expect_word(mlir_parser *p, const char *word) {
  if (mlir_accept_word(p, word)) return true;
  char what[64];
  snprintf(what, sizeof what, "'%s'", word);
  // The line that the word begins is there without it.
  if (p->recovery.lines && p->at < p->end && mlir_goes_on(p)) p->recovery.statement = p->at;
  return mlir_expected(p, what);
}

bool mlir_accept_arrow(mlir_parser *p) {
  if (mlir_peek(p) != '-' || mlir_char(p, 1) != '>') return false;
  p->at += 2;
  return true;
}

// suffix-id ::= digit+ | (letter | [$._-]) (letter | [$._-] | digit)*
bool mlir_suffix_id(mlir_parser *p, mlir_word *out) {
  const char *from = p->at, *at = from, *end = p->end;
  if (at < end && mlir_is_digit(*at)) {
    while (at < end && mlir_is_digit(*at)) at++;
  } else {
    while (at < end && (is_word_char(*at) || (*at == '-' && !(end - at > 1 && at[1] == '>')))) at++;
  }
  p->at = at;
  *out = (mlir_word){from, (uint32_t)(at - from)};
  return at != from;
}

// After the closing quote; a string ends on its line.
bool mlir_skip_string(mlir_parser *p) {
  const char *from = p->at++, *newline;
  // The end of the line is looked for no further than the next quote: lines may be long, and strings many.
  while (true) {
    const char *quote = memchr(p->at, '"', (size_t)(p->end - p->at));
    newline = memchr(p->at, '\n', (size_t)((quote ? quote : p->end) - p->at));
    if (!quote || newline) break;
    const char *slash = quote;
    while (slash > p->at && slash[-1] == '\\') slash--;
    p->at = quote + 1;
    if (((quote - slash) & 1) == 0) return true;
  }
  p->at = newline ? newline : p->end;
  mlir_wrong(p, from, newline ? newline : from + 1, "expected '\"' to end the string");
  p->errors.stop = p->errors.stop || (!newline && !p->errors.quiet);
  return false;
}

// MLIR's escapes: \" \\ \n \t and two hexadecimal digits.
static uint32_t unescape(const char *from, const char *to, char *out) {
  uint32_t length = 0;
  while (from < to) {
    char c = *from++;
    if (c != '\\' || from == to) {
      out[length++] = c;
      continue;
    }
    c = *from++;
    if (c == 'n' || c == 't') {
      out[length++] = c == 'n' ? '\n' : '\t';
    } else if (from < to && hex_digit(c) >= 0 && hex_digit(*from) >= 0) {
      out[length++] = (char)(hex_digit(c) * 16 + hex_digit(*from++));
    } else {
      out[length++] = c;
    }
  }
  return length;
}

bool mlir_string(mlir_parser *p, name_id *out) {
  const char *from = p->at;
  if (!mlir_skip_string(p)) return false;
  const char *text = from + 1;
  size_t length = (size_t)(p->at - 1 - text);
  if (memchr(text, '\\', length)) {
    char *plain = arena_alloc(p->g->arena, length);
    length = unescape(text, text + length, plain);
    text = plain;
  }
  *out = intern_add(&p->g->names, text, length);
  return true;
}

static bool one_symbol(mlir_parser *p, name_id *out) {
  p->at++;  // '@'
  if (p->at < p->end && *p->at == '"') return mlir_string(p, out);
  mlir_word word;
  if (!mlir_suffix_id(p, &word)) return mlir_expected(p, "a symbol name after '@'");
  *out = intern_add(&p->g->names, word.text, word.length);
  return true;
}

bool mlir_symbol_name(mlir_parser *p, name_id *out) {
  if (mlir_peek(p) != '@') return mlir_expected(p, "a symbol name such as @main");
  if (!one_symbol(p, out)) return false;
  while (mlir_char(p, 0) == ':' && mlir_char(p, 1) == ':' && mlir_char(p, 2) == '@') {
    p->at += 2;
    name_id inner;
    if (!one_symbol(p, &inner)) return false;
    shape_strbuf buf;
    strbuf_init(&buf, p->g->arena);
    strbuf_add(&buf, intern_text(&p->g->names, *out), intern_length(&p->g->names, *out));
    strbuf_puts(&buf, "::");
    strbuf_add(&buf, intern_text(&p->g->names, inner), intern_length(&p->g->names, inner));
    *out = intern_add(&p->g->names, buf.data, buf.length);
  }
  return true;
}

bool mlir_enter(mlir_parser *p) {
  if (p->depth < MLIR_DEPTH) {
    p->depth++;
    return true;
  }
  uint32_t quiet = p->errors.quiet;
  p->errors.quiet = 0;   // the limit holds for what is only tried, too
  p->recovery.trying++;  // lines do not help
  mlir_syntax(p, p->at, "nested deeper than %d", MLIR_DEPTH);
  p->recovery.trying--;
  p->errors.quiet = quiet;
  p->errors.stop = true;
  return false;
}
