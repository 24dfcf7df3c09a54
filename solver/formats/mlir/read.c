// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/mlir/mlir.h"

#include <assert.h>

#include "solver/formats/mlir/parser.h"
#include "solver/formats/mlir/type_plain.h"

// The next part of `room`, as an array of FIRST elements. Those of all dims are aligned: 16 of them are together.
enum { FIRST = 16 };
static void *take(char **room, uint32_t *capacity, size_t size) {
  void *array = *room;
  *room += FIRST * size;
  *capacity = FIRST;
  return array;
}

// None is NULL, so that a height is always a position in its stack. One allocation: types are parsed on their own, too.
static void init_stacks(mlir_parser *p, shape_arena *arena) {
  char *room = arena_alloc(
      arena, FIRST * (sizeof *p->stacks.operands.items + sizeof *p->stacks.results.items +
                      sizeof *p->stacks.entries.items + sizeof *p->stacks.types.items +
                      sizeof *p->stacks.regions.items + sizeof *p->stacks.blocks.items +
                      sizeof *p->stacks.arguments.items));
  p->stacks.operands.items =
      take(&room, &p->stacks.operands.capacity, sizeof *p->stacks.operands.items);
  p->stacks.results.items =
      take(&room, &p->stacks.results.capacity, sizeof *p->stacks.results.items);
  p->stacks.entries.items =
      take(&room, &p->stacks.entries.capacity, sizeof *p->stacks.entries.items);
  p->stacks.types.items = take(&room, &p->stacks.types.capacity, sizeof *p->stacks.types.items);
  p->stacks.regions.items =
      take(&room, &p->stacks.regions.capacity, sizeof *p->stacks.regions.items);
  p->stacks.blocks.items = take(&room, &p->stacks.blocks.capacity, sizeof *p->stacks.blocks.items);
  p->stacks.arguments.items =
      take(&room, &p->stacks.arguments.capacity, sizeof *p->stacks.arguments.items);
}

void mlir_parser_init(mlir_parser *p, shape_graph *g, const char *text, size_t length) {
  memset(p, 0, sizeof *p);
  p->g = g;
  p->text = p->at = p->part = text;
  p->end = p->text_end = text + length;
  p->modules.block = p->modules.func = p->func = ID_NONE;
  p->scope.level = p->scope.levels = 1;
  p->until_poll = BUDGET_POLL_EVERY;
  p->scope.numbered_limit = (uint32_t)(length / 4 + 16 > INT32_MAX ? INT32_MAX : length / 4 + 16);
  init_stacks(p, g->arena);
}

static uint32_t cache_size(uint32_t operations, uint32_t most) {
  uint32_t size = 32;
  while (size < most && size < operations) size *= 2;
  return size;
}

// Clearing them should not cost more than a small program.
void mlir_init_caches(mlir_parser *p, uint32_t operations) {
  uint32_t types = cache_size(operations, MLIR_TYPE_CACHE);
  uint32_t names = cache_size(operations, MLIR_NAME_CACHE);
  p->spellings.cache = arena_zalloc(p->g->arena, types * sizeof *p->spellings.cache);
  assert(!(types & (types - 1)) && !(names & (names - 1)));
  p->spellings.mask = types - 1;
  p->op_names.cache = arena_zalloc(p->g->arena, names * sizeof *p->op_names.cache);
  p->op_names.mask = names - 1;
  mlir_templates_init(p, operations);
}

// --- what the bytes are

static bool starts_with(const char *text, size_t length, const char *head, size_t head_length) {
  return length >= head_length && memcmp(text, head, head_length) == 0;
}

static bool contains(const char *text, size_t length, const char *word) {
  size_t word_length = strlen(word);
  for (size_t i = 0; i + word_length <= length; i++) {
    if (memcmp(text + i, word, word_length) == 0) return true;
  }
  return false;
}

// MLIR bytecode begins with these four bytes; the name of its producer follows (MLIR Bytecode Format, "Magic number").
static bool refuse_bytecode(shape_graph *g) {
  const char *text = g->source.text;
  size_t length = g->source.length;
  if (!starts_with(text, length, "ML\xefR", 4)) return false;
  source_span span = {0, 4};
  if (contains(text, length < 64 ? length : 64, "StableHLO_v")) {
    diag_add(&g->diags, DIAG_ERROR, "format", span,
             "this is a StableHLO portable artifact, not MLIR text; convert it with "
             "`stablehlo-translate --deserialize FILE`");
  } else {
    diag_add(&g->diags, DIAG_ERROR, "format", span,
             "this is MLIR bytecode, not MLIR text; convert it with `mlir-opt FILE` (or "
             "`stablehlo-opt FILE` where it holds StableHLO)");
  }
  return true;
}

// The length of the UTF-8 character at `at`, or 0 (Unicode 15, table 3-7).
static unsigned utf8_length(const unsigned char *at, const unsigned char *end) {
  unsigned char c = at[0];
  unsigned length = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
  if (!c || !length || (size_t)(end - at) < length) return 0;
  for (unsigned i = 1; i < length; i++) {
    if ((at[i] & 0xc0) != 0x80) return 0;
  }
  if ((c == 0xe0 && at[1] < 0xa0) || (c == 0xed && at[1] > 0x9f) || (c == 0xf0 && at[1] < 0x90) ||
      (c == 0xf4 && at[1] > 0x8f)) {
    return 0;
  }
  return length;
}

// True when 32 bytes are ASCII without a 0: no top bit is set, nor borrowed by taking 1 from each byte.
static bool plain_32(const unsigned char *at) {
  const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
  uint64_t words[4], seen = 0;
  memcpy(words, at, sizeof words);
  for (int i = 0; i < 4; i++) seen |= words[i] | (words[i] - ones);
  return !(seen & tops);
}

// The first byte that is no text, or the end.
static const char *find_binary(const char *text, size_t length) {
  const unsigned char *at = (const unsigned char *)text, *end = at + length;
  while (at < end) {
    if (end - at >= 32 && plain_32(at)) {
      at += 32;
      continue;
    }
    // One character at a time until the next plain stretch.
    unsigned step = utf8_length(at, end);
    if (!step) return (const char *)at;
    at += step;
  }
  return (const char *)end;
}

bool mlir_is_text(const char *text, size_t length) {
  return find_binary(text, length) == text + length;
}

static bool refuse_binary(shape_graph *g) {
  const char *invalid = find_binary(g->source.text, g->source.length);
  uint32_t offset = (uint32_t)(invalid - g->source.text);
  if (offset == g->source.length) return false;
  diag_add(&g->diags, DIAG_ERROR, "format", (source_span){offset, offset + 1},
           "this is not MLIR text: byte 0x%02x at offset %u is %s", (unsigned char)*invalid, offset,
           *invalid ? "no UTF-8" : "never part of a text");
  return true;
}

shape_status mlir_read(shape_graph *g) { return mlir_read_uses(g, NULL); }

shape_status mlir_read_uses(shape_graph *g, mlir_uses *uses) {
  mlir_read_all(g, uses, NULL);
  return SHAPE_OK;
}

// A text with a syntax error, once more, by its lines: what was read up to there is forgotten.
static void read_by_lines(mlir_parser *p, uint32_t guess) {
  shape_graph *g = p->g;
  const mlir_recovery recovery = {.bytes = 1, .second = true, .parts = p->recovery.parts};
  const diag first = p->recovery.first;
  mlir_uses *uses = p->uses;
  assert(g->diags.errors && first.message);
  graph_text(g);
  graph_clear(g);
  mlir_parser_init(p, g, g->source.text, g->source.length);
  p->recovery = recovery;
  p->uses = uses;
  if (uses) *uses = (mlir_uses){0};
  mlir_init_caches(p, guess);
  mlir_file(p);
  if (!g->diags.errors)
    diag_add(&g->diags, DIAG_ERROR, first.code, first.span, "%s", first.message);
}

static void judge_points(const mlir_parser *p, mlir_points *points) {
  const mlir_declared *d = &p->declared;
  uint32_t aliases = d->attr_aliases.count + d->type_aliases.count;
  points->attr_aliases = d->attr_aliases;
  points->type_aliases = d->type_aliases;
  points->numbered_limit = p->scope.numbered_limit;
  points->plain = points->count && !points->nested && !points->late && aliases == points->aliases &&
                  !d->symbols.count && p->part == p->text && !p->scope.module_values;
}

// How many operations there are.
static uint32_t guess_of(const shape_graph *g) {
  enum { TEXT_OF_AN_OPERATION = 90 };
  return g->source.length / TEXT_OF_AN_OPERATION;
}

static bool read_all(shape_graph *g, mlir_uses *uses, mlir_points *points,
                     const mlir_printing *printing) {
  const bool plain = printing && printing->plain;
  assert(!plain || g->source.complete ||
         find_binary(g->source.text, g->source.length) == g->source.text + g->source.length);
  if (refuse_bytecode(g) || (!plain && refuse_binary(g))) return false;
  mlir_parser *p = arena_alloc(g->arena, sizeof *p);
  mlir_parser_init(p, g, g->source.text, g->source.length);
  p->uses = uses;
  p->points = points;
  enum { MAX_RESERVED = 1 << 12 };  // large arrays grow well enough by themselves
  uint32_t guess = guess_of(g);
  graph_reserve(g, guess < MAX_RESERVED ? guess : MAX_RESERVED);
  mlir_init_caches(p, guess);
  if (printing && !uses) mlir_printed_init(p, printing);
  mlir_file(p);
  if (points) judge_points(p, points);
  if (p->recovery.parts.count) read_by_lines(p, guess);
  if (uses) uses->whole = !p->recovery.blind;
  mlir_scope_end(p);
  budget_take(g->budget, BUDGET_POLL_EVERY - p->until_poll);
  if (!p->modules.count && !g->diags.errors) {
    diag_add(&g->diags, DIAG_ERROR, "syntax", (source_span){0, 0},
             g->source.length ? "expected a module or a function, found only spaces and comments"
                              : "expected a module or a function, the file is empty");
  }
  return p->modules.count && !p->recovery.bytes && !p->errors.stop;
}

bool mlir_read_all(shape_graph *g, mlir_uses *uses, const mlir_printing *printing) {
  return read_all(g, uses, NULL, printing);
}

bool mlir_read_pointed(shape_graph *g, mlir_uses *uses, mlir_points *points) {
  return read_all(g, uses, points, NULL);
}

bool mlir_read_lines(shape_graph *g, mlir_uses *uses, mlir_points *points) {
  mlir_parser *p = arena_alloc(g->arena, sizeof *p);
  mlir_parser_init(p, g, g->source.text, g->source.length);
  p->recovery = (mlir_recovery){.bytes = 1, .second = true};
  imap_put(&p->recovery.parts, g->arena, 0, 1);
  p->uses = uses;
  p->points = points;
  mlir_init_caches(p, guess_of(g));
  mlir_file(p);
  return p->recovery.lines != NULL;
}

// --- types and attributes on their own

static void begin_alone(shape_graph *g, const char *text, size_t length, mlir_parser *p,
                        const char **message, size_t *where) {
  if (length >= UINT32_MAX) arena_fail(g->arena, SHAPE_SIZE);
  mlir_parser_init(p, g, text, length);
  p->errors.capture = message;
  p->errors.capture_at = where;
}

static bool parse_types(shape_graph *g, const char *text, size_t length, bool single,
                        mlir_parser *p, const char **error, size_t *error_at) {
  const char *message = NULL;
  size_t where = 0;
  begin_alone(g, text, length, p, &message, &where);
  bool ok = true;
  do {
    type_id type;
    ok = mlir_type(p, &type);
    if (ok) mlir_push_type(p, type);
  } while (ok && !single && mlir_accept(p, ','));
  if (ok && mlir_peek(p)) ok = mlir_expected(p, single ? "the end of the type" : "',' or the end");
  if (ok && p->at < p->end) ok = mlir_syntax(p, p->at, "unexpected byte 0");
  if (!ok) {
    *error = message ? message : "expected a type";
    *error_at = where;
  }
  return ok;
}

bool mlir_parse_type(shape_graph *g, const char *text, size_t length, type_id *out,
                     const char **error, size_t *error_at) {
  if (mlir_plain_tensor(&g->types, text, length, out)) return true;
  mlir_parser *p = arena_alloc(g->arena, sizeof *p);
  if (!parse_types(g, text, length, true, p, error, error_at)) return false;
  *out = p->stacks.types.items[0];
  return true;
}

bool mlir_parse_type_list(shape_graph *g, const char *text, size_t length, const type_id **out,
                          uint32_t *count, const char **error, size_t *error_at) {
  *out = NULL;
  *count = 0;
  size_t blank = 0;
  while (blank < length && (text[blank] == ' ' || text[blank] == '\n' || text[blank] == '\t'))
    blank++;
  if (blank == length) return true;
  mlir_parser *p = arena_alloc(g->arena, sizeof *p);
  if (!parse_types(g, text, length, false, p, error, error_at)) return false;
  *out = p->stacks.types.items;
  *count = p->stacks.types.count;
  return true;
}

attr_id mlir_parse_attr(shape_graph *g, const char *text, size_t length) {
  const char *message;
  size_t where;
  attr_id first = g->attributes.count, out;
  mlir_parser *p = arena_alloc(g->arena, sizeof *p);
  begin_alone(g, text, length, p, &message, &where);
  bool read = mlir_attr(p, &out) && !mlir_peek(p) && p->at == p->end;
  if (!read) {
    graph_attr all = {.kind = ATTR_OPAQUE, .type = TYPE_NONE, .span = {0, (uint32_t)length}};
    all.text = NAME_NONE;
    out = graph_add_attr(g, &all);
  }
  // Spans are of this text, not of the program's.
  for (attr_id i = first; i < g->attributes.count; i++) {
    graph_attr *a = &g->attributes.items[i];
    if (a->kind == ATTR_OPAQUE && a->text == NAME_NONE)
      a->text = intern_add(&g->names, text + a->span.begin, a->span.end - a->span.begin);
    a->span = SPAN_NONE;
  }
  return out;
}
