// SPDX-License-Identifier: Apache-2.0
// Operations that are as one before but for the values that they name: what is written for one is the text of that one
// with other names, and the reader of the text adds it to the graph as it did that one. It reads nothing of the text but
// the first character, to see that the statement in front has ended, so the rest may be left out.
#include <assert.h>

#include "solver/base/gather.h"
#include "solver/formats/bytecode/reader.h"

enum {
  KINDS_MAX = MLIR_PRINTED_KINDS,  // a program may be without repetition
  SLOTS = 2 * KINDS_MAX,
  TRIES = 16,
  TEXT_MAX = 4096,  // of the line of a statement
  LINE_END = 1
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
  all->items[all->count].length = all->items[all->count].next = 0;
  all->slots[at % SLOTS] = (uint16_t)++all->count;
  return all->count;
}

// Most often it is the one that came after the last one the time before.
uint32_t bc_kind_of(bc_reader *r, const bc_operation *op) {
  bc_kinds *all = &r->kinds;
  bc_kind kind;
  if (!words_of(r, op, &kind)) return 0;
  uint32_t number = all->last ? all->items[all->last - 1].next : 0;
  if (!number || !is_kind(&all->items[number - 1], &kind)) {
    number = find(r, &kind);
    if (all->last) all->items[all->last - 1].next = number;
  }
  return all->last = number;
}

// Most operations have a result, and one or two operands. Values of regions inside are few.
void bc_expect(bc_reader *r, uint32_t values) {
  bc_statements *all = &r->statements;
  const uint32_t more = values + values / 16;
  arena_array arrays[] = {
      {r->values.items, r->values.capacity, &r->values.capacity, r->values.count + more,
       sizeof *r->values.items},
      {all->items, all->count, &all->capacity, all->count + more, sizeof *all->items},
      {all->names, all->name_count, &all->name_capacity, all->name_count + 5 * (more / 2),
       sizeof *all->names},
      {all->lines.starts, all->lines.count, &all->lines.capacity, all->lines.count + more,
       sizeof *all->lines.starts}};
  const uint32_t count = sizeof arrays / sizeof *arrays - !all->later;
  for (uint32_t i = 0; i < count; i++) {
    if (arrays[i].wanted < *arrays[i].capacity) return;
  }
  arena_gather(r->arena, arrays, count);
  r->values.items = arrays[0].array;
  all->items = arrays[1].array;
  all->names = arrays[2].array;
  if (all->later) all->lines.starts = arrays[3].array;
}

void bc_add_statement(bc_reader *r, const bc_operation *op, uint32_t kind, uint32_t at) {
  bc_statements *all = &r->statements;
  if (all->count == all->capacity)
    all->items = arena_grow(r->arena, all->items, all->count, (size_t)all->count + 1,
                            &all->capacity, sizeof *all->items);
  if (!r->statements.later) {
    all->from = arena_grow(r->arena, all->from, all->count, (size_t)all->count + 1,
                           &all->from_capacity, sizeof *all->from);
    all->from[all->count] = (uint32_t)op->at;
  }
  all->items[all->count++] = (mlir_printed){.at = at, .values = r->values.defined, .kind = kind};
}

// Those of a statement, which may be none. Returns how many bytes they have.
static uint32_t take_names(bc_reader *r, uint32_t first_result, const bc_operation *op) {
  bc_statements *all = &r->statements;
  const uint32_t count = op->result_count + op->operand_count;
  uint32_t bytes = 0;
  all->names =
      arena_grow(r->arena, all->names, all->name_count, (size_t)all->name_count + count + 1,
                 &all->name_capacity, sizeof *all->names);
  uint32_t *rows = all->names + all->name_count;
  for (uint32_t i = 0; i < count; i++) {
    const bool result = i < op->result_count;
    const bc_value *v =
        &r->values.items[result ? first_result + i : op->operands[i - op->result_count]];
    assert(v->name != BC_NONE);
    rows[i] = result ? v->name >> 1 : v->number;
    bytes += bc_name_length(v->name);
  }
  all->name_count += count;
  return bytes;
}

// The line of the last statement, from `begin` to `end`, is one of a kind.
static void end_line(bc_reader *r, const bc_kind *kind, uint32_t begin, uint32_t end) {
  bc_statements *all = &r->statements;
  mlir_printed *row = &all->items[all->count - 1];
  assert(row->at == begin + kind->indent && end - 1 - row->at <= MLIR_PRINTED_LENGTH);
  row->length = end - 1 - row->at;
  row->names = kind->name_count;
  row->joined = begin == all->end;
  all->end = end;
}

static void put_line(bc_reader *r, const bc_kind *kind, uint32_t first_result,
                     const bc_operation *op) {
  char *to = r->out.data + r->out.length;
  const char *text = r->out.data + kind->text;
  uint32_t at = 0;
  for (uint32_t i = 0; i < kind->name_count; i++) {
    to = text_put(to, text + at, kind->from[i] - at);
    to = bc_put_name(r, to,
                     i < op->result_count ? first_result + i : op->operands[i - op->result_count]);
    at = kind->to[i];
  }
  text_put(to, text + at, kind->length - at);
}

void bc_put_repeated(bc_reader *r, uint32_t number, uint32_t first_result, const bc_operation *op) {
  const bc_kind *kind = &r->kinds.items[number - 1];
  const uint32_t begin = r->out.length;
  assert(kind->length && op->result_count + op->operand_count == kind->name_count);
  const uint32_t length = kind->indent + kind->bare + take_names(r, first_result, op) + LINE_END;
  if (length > r->out.capacity - begin) strbuf_reserve(&r->out, length);
  const bool later = r->statements.later && kind->may_wait;
  if (later) {
    bc_leave_out(r, kind, length);
  } else {
    bc_end_gap(r);
    put_line(r, kind, first_result, op);
    r->out.length += length;
  }
  end_line(r, kind, begin, r->out.length);
  r->statements.items[r->statements.count - 1].later = later;
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

static bool begins(bc_slice name, const char *with) {
  size_t length = strlen(with);
  return name.length >= length && memcmp(name.text, with, length) == 0;
}

// One line, and what the reader adds unread: operations with symbols, and those that may declare some, are read one by one.
static bool may_wait(const bc_kind *kind, const bc_name *name, const char *text) {
  const char *end = text + kind->length - LINE_END;
  return memchr(text, '\n', kind->length) == end && !memchr(text, '@', kind->length) &&
         !begins(name->text, "torch.") && !begins(name->text, "disc_shape.");
}

void bc_end_kind(bc_reader *r, uint32_t first_result, const bc_operation *op) {
  bc_kind *kind = r->kinds.open;
  r->kinds.open = NULL;
  if (!kind || r->failed) return;
  const uint32_t length = r->out.length - kind->text;
  if (length > TEXT_MAX) {
    r->statements.items[r->statements.count - 1].kind = 0;
    return;
  }
  const uint32_t names = take_names(r, first_result, op);
  assert(length >= kind->indent + names + LINE_END);
  kind->length = length;
  kind->bare = length - kind->indent - names - LINE_END;
  kind->may_wait = may_wait(kind, op->name, r->out.data + kind->text);
  end_line(r, kind, kind->text, r->out.length);
}
