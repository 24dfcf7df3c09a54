// SPDX-License-Identifier: Apache-2.0
// Operations that are as one before but for the values that they name: what is written for one is the text of that one
// with other names, and the reader of the text adds it to the graph as it did that one.
#include <assert.h>

#include "solver/formats/bytecode/reader.h"

enum {
  KINDS_MAX = 4096,  // a program may be without repetition
  SLOTS = 2 * KINDS_MAX,
  TRIES = 16,
  TEXT_MAX = 4096  // of a statement
};

// What is written but for names is by these words. False: an operation of its own.
static bool words_of(const bc_reader *r, const bc_operation *op, bc_kind *kind) {
  if (r->whole || op->around != BC_IN_FUNCTION || op->has_regions || op->successor_count ||
      op->name->is_cast || op->result_count > BC_RESULTS || op->operand_count > BC_OPERANDS)
    return false;
  uint32_t *word = kind->words;
  *word++ = (uint32_t)(op->name - r->names.items);
  *word++ = op->dictionary;
  *word++ = op->blob;
  *word++ = op->depth << 1 | op->in_function;
  *word++ = op->result_count << 8 | op->operand_count;
  for (uint32_t i = 0; i < op->result_count; i++) *word++ = op->results[i];
  for (uint32_t i = 0; i < op->operand_count; i++) {
    assert(op->operands[i] < r->values.count);
    const bc_value *value = &r->values.items[op->operands[i]];
    if (value->type == BC_NONE || value->open) return false;
    *word++ = value->type;
  }
  kind->word_count = (uint32_t)(word - kind->words);
  return true;
}

static bool is_kind(const bc_kind *kind, const bc_kind *other) {
  return kind->word_count == other->word_count &&
         memcmp(kind->words, other->words, kind->word_count * sizeof *kind->words) == 0;
}

// Its number, which is a new one where there is none; 0: there are too many, or too many with its hash.
static uint32_t find(bc_reader *r, const bc_kind *kind) {
  bc_kinds *all = &r->kinds;
  if (!all->slots) all->slots = arena_zalloc(r->arena, SLOTS * sizeof *all->slots);
  const size_t length = kind->word_count * sizeof *kind->words;
  uint32_t at = (uint32_t)hash_text((const char *)kind->words, length, r->arena->seed), tries = 0;
  for (; all->slots[at % SLOTS]; at++) {
    uint32_t known = all->slots[at % SLOTS];
    if (is_kind(&all->items[known - 1], kind)) return known;
    if (++tries == TRIES) return 0;
  }
  if (all->count == KINDS_MAX) return 0;
  all->items = arena_grow(r->arena, all->items, all->count, (size_t)all->count + 1, &all->capacity,
                          sizeof *all->items);
  all->items[all->count] = *kind;
  all->items[all->count].length = 0;
  all->slots[at % SLOTS] = (uint16_t)++all->count;
  return all->count;
}

uint32_t bc_kind_of(bc_reader *r, const bc_operation *op) {
  bc_kind kind;
  return words_of(r, op, &kind) ? find(r, &kind) : 0;
}

void bc_add_statement(bc_reader *r, const bc_operation *op, uint32_t kind, uint32_t at) {
  bc_statements *all = &r->statements;
  if (all->count == all->capacity)
    all->items = arena_grow(r->arena, all->items, all->count, (size_t)all->count + 1,
                            &all->capacity, sizeof *all->items);
  all->items[all->count++] =
      (mlir_printed){at, (uint32_t)op->at, kind, all->name_count, r->values.defined};
}

// Room for the names of a statement, which may have none: there is a first row all the same.
static mlir_printed_name *name_rows(bc_reader *r, uint32_t count) {
  bc_statements *all = &r->statements;
  if (count >= all->name_capacity - all->name_count)
    all->names =
        arena_grow(r->arena, all->names, all->name_count, (size_t)all->name_count + count + 1,
                   &all->name_capacity, sizeof *all->names);
  mlir_printed_name *rows = all->names + all->name_count;
  all->name_count += count;
  return rows;
}

static mlir_printed_name name_row(const bc_reader *r, uint32_t value, bool result, uint32_t to) {
  const bc_value *v = &r->values.items[value];
  return (mlir_printed_name){result ? v->name >> 1 : v->number, to};
}

static uint32_t value_at(const bc_operation *op, uint32_t first_result, uint32_t i) {
  return i < op->result_count ? first_result + i : op->operands[i - op->result_count];
}

void bc_put_repeated(bc_reader *r, uint32_t number, uint32_t first_result, const bc_operation *op) {
  const bc_kind *kind = &r->kinds.items[number - 1];
  uint32_t at = 0;
  assert(kind->length && op->result_count + op->operand_count == kind->name_count);
  size_t room = kind->length + (size_t)kind->name_count * BC_NAME_MAX;
  if (room > r->out.capacity - r->out.length) strbuf_reserve(&r->out, room);
  char *to = r->out.data + r->out.length;
  const char *text = r->out.data + kind->text, *begin = to + kind->indent;
  mlir_printed_name *rows = name_rows(r, kind->name_count);
  for (uint32_t i = 0; i < kind->name_count; i++) {
    uint32_t value = value_at(op, first_result, i);
    to = text_put(to, text + at, kind->from[i] - at);
    to = bc_put_name(r, to, value);
    rows[i] = name_row(r, value, i < op->result_count, (uint32_t)(to - begin));
    at = kind->to[i];
  }
  to = text_put(to, text + at, kind->length - at);
  r->out.length = (uint32_t)(to - r->out.data);
}

// --- the first one of its kind

void bc_begin_kind(bc_reader *r, uint32_t number, uint32_t indent) {
  assert(!r->kinds.open);
  if (!number) return;
  bc_kind *kind = &r->kinds.items[number - 1];
  kind->text = r->out.length;
  kind->indent = indent;
  kind->name_count = 0;
  r->kinds.open = kind;
}

void bc_note_name(bc_kind *kind, uint32_t from, uint32_t to) {
  assert(kind->name_count < BC_RESULTS + BC_OPERANDS && from >= kind->text && to > from);
  kind->from[kind->name_count] = from - kind->text;
  kind->to[kind->name_count++] = to - kind->text;
}

void bc_end_kind(bc_reader *r, uint32_t first_result, const bc_operation *op) {
  bc_kind *kind = r->kinds.open;
  r->kinds.open = NULL;
  if (!kind || r->failed) return;
  mlir_printed_name *rows = name_rows(r, kind->name_count);
  for (uint32_t i = 0; i < kind->name_count; i++)
    rows[i] = name_row(r, value_at(op, first_result, i), i < op->result_count,
                       kind->to[i] - kind->indent);
  uint32_t length = r->out.length - kind->text;
  if (length <= TEXT_MAX) kind->length = length;
}
