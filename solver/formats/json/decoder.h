// SPDX-License-Identifier: Apache-2.0
// What the files of the decoder share: a cursor with the JSON path of where it is, and names in scope.
#ifndef SHAPE_FORMATS_JSON_DECODER_H
#define SHAPE_FORMATS_JSON_DECODER_H

#include <stddef.h>
#include <string.h>

#include "solver/formats/json/cursor.h"
#include "solver/formats/json/decode.h"
#include "solver/formats/mlir/mlir.h"

typedef struct path_step {
  json_slice key;  // text NULL: an index
  uint32_t index;  // of the last member that was read, or STEP_NEW
} path_step;
enum { STEP_NEW = -1 };

// A text that a program repeats: the name of an operation or an attribute, the spelling of a type.
typedef struct seen_text {
  const char *text;  // of the graph's names; NULL: none
  size_t length;
  name_id name;
  type_id type;  // that it spells, or TYPE_NONE
} seen_text;

enum { SEEN_MIN = 64, SEEN_MAX = 128 };  // slots for them, a power of two

// Names of values are interned, but for decimal numbers, alone or after a few letters: 17, arg17. MLIR's printer makes
// both: of the uses of names in 3,064 files of MLIR, most of them tests of StableHLO and what JAX exports, 46 % were
// numbers and 34 % a few letters and a number. Those are the number, with a tag and the series that its letters denote. A
// name means the same from its first definition on: its letters get a series then or never.
typedef uint32_t value_name;
#define NAME_NUMBERED ((value_name)1 << 31)
enum { SERIES = 4, SERIES_SHIFT = 29, NUMBERS = (1 << SERIES_SHIFT) - 1, NAME_LETTERS = 7 };

typedef struct numbered_name {
  uint64_t letters;  // the last one in the lowest byte
  uint32_t number;
} numbered_name;

typedef struct name_series {
  uint64_t letters;
  value_id *values;  // by number: the value in scope, or VALUE_NONE
  uint32_t capacity;
} name_series;

// The attributes of an operation, for the next one of its name.
typedef struct graph_repeat {
  name_id name;                   // of the operation
  uint32_t begin, length;         // their text; length 0: none
  uint32_t depth;                 // in which it is
  uint32_t count;                 // of all attributes that it made
  uint32_t entries, entry_count;  // of the operation, in the graph's
} graph_repeat;
enum { REPEATS = 16 };

// An operation, for the next ones that are written like it but for the names of its values: those of the operands, and
// that of the result. There are as many as a text of that length may have operations, up to the largest number: then the
// oldest gives way.
enum { PATTERN_OPERANDS = 4, PATTERNS_MIN = 16, PATTERNS_MAX = 64, PATTERN_NAMES = 16 };
typedef struct graph_pattern {
  name_id name;
  uint32_t begin, length;  // of its text; length 0: there is none. Offsets below are from there.
  uint32_t name_to;        // of the name of the operation, after its quote, which begins at 1
  uint32_t from[PATTERN_OPERANDS + 1], to[PATTERN_OPERANDS + 1];  // of names of values, without
  uint32_t depth, steps;  // in which it is; that reading it takes, without its attributes
  uint32_t operand_count;
  type_id type;                               // of its result
  uint32_t entries, entry_count, attr_count;  // as in a graph_repeat
  // Indices: of the one of the operation after the last such; of one before it whose name may be the same, or its own.
  uint32_t then, older;
} graph_pattern;

typedef struct decoder_repeats {
  graph_repeat attrs[REPEATS];  // by name of the operation
  graph_pattern *ops;
  uint32_t op_count, op_max;
  uint32_t next, last;  // indices of what gives way next, and of the pattern of the last operation
  uint32_t named[PATTERN_NAMES];  // by name of the operation: the index of the newest
  uint32_t tried, found;          // operations
} decoder_repeats;

typedef struct scope_undo {
  value_name name;
  value_id before;
} scope_undo;

typedef struct decoder_names {
  value_id *values;  // by name_id: the one in scope, or VALUE_NONE
  uint32_t value_cap;
  uint32_t numbered_limit;  // numbers below it have no name of their own; 0: all names are interned
  uint32_t series_count;
  name_series series[SERIES];
  bool escaped;  // a value was defined whose name is spelled with escapes
} decoder_names;

// What spellings denoted that were read before.
typedef struct decoder_texts {
  seen_text *seen;
  uint32_t seen_mask;  // slots - 1
  type_id *type_of;    // by name_id of a type's spelling, or TYPE_NONE
  uint32_t type_cap;
} decoder_texts;

typedef struct graph_decoder {
  shape_graph *g;
  shape_budget *budget;
  uint32_t until_poll;  // steps
  json_cursor c;
  uint32_t depth;  // of `path`
  uint32_t
      in_unknown;  // regions of operations that the registry does not know, one in another, around what is read
  func_id func;  // whose body is read
  uint32_t module;
  decoder_names of;  // values by name
  decoder_texts texts;
  scope_undo *undo;  // what to restore where scopes end
  uint32_t undo_count, undo_cap;
  uint32_t *stack;  // operands, items and other ids of lists that are not whole yet
  uint32_t stack_count, stack_cap;
  attr_entry *entries;  // the same for dictionaries
  uint32_t entry_count, entry_cap;
  decoder_repeats repeats;
  uint8_t *symbol_declared;  // by symbol: "symbols" has a row for it
  uint32_t symbol_cap;
  graph_outer_value
      *outer;  // of fragments: what a name means that nothing here defines; NULL: nothing
  void *outer_data;
  path_step path[GRAPH_JSON_DEPTH];  // the last member: decoder_new clears all before it
} graph_decoder;

// A step of reading: each loop over the text takes one for each round.
void decode_take_steps(graph_decoder *d);
static inline void decode_step(graph_decoder *d) {
  if (!--d->until_poll) decode_take_steps(d);
}

// --- walking. A wrong kind of value is reported and skipped, and the result is false.
// Reports why decode_enter cannot; false.
__attribute__((cold)) bool decode_no_entry(graph_decoder *d, char open, const char *what);
static inline bool decode_enter(graph_decoder *d, char open, const char *what) {
  if (cursor_peek(&d->c) != open || d->depth == GRAPH_JSON_DEPTH)
    return decode_no_entry(d, open, what);
  path_step *step = &d->path[d->depth++];
  d->c.at++;
  step->key.text = NULL;
  step->index = (uint32_t)STEP_NEW;
  return true;
}
static inline bool decode_object(graph_decoder *d) {  // enters; then decode_key until it is false
  return decode_enter(d, '{', "an object");
}
bool decode_key(graph_decoder *d, json_slice *key);
static inline bool decode_array(graph_decoder *d) {  // enters; then decode_item until it is false
  return decode_enter(d, '[', "an array");
}
static inline bool decode_item(graph_decoder *d) {
  path_step *step = &d->path[d->depth - 1];
  if (!cursor_next_item(&d->c, step->index == (uint32_t)STEP_NEW)) {
    d->depth--;
    return false;
  }
  step->index++;
  decode_step(d);
  return true;
}
// Of the item that decode_item came to.
static inline uint32_t decode_index(const graph_decoder *d) { return d->path[d->depth - 1].index; }
bool decode_name(graph_decoder *d, name_id *out);  // a string, interned
// Interns a text that is likely to come again. The answer holds until the next call.
seen_text *decode_unseen(graph_decoder *d, json_slice text, seen_text *slot);
static inline seen_text *decode_seen(graph_decoder *d, json_slice text) {
  seen_text *seen =
      &d->texts.seen[hash_sample(text.text, text.length, MLIR_COMMON_HEAD) & d->texts.seen_mask];
  bool same =
      seen->text && seen->length == text.length && text_equals(seen->text, text.text, text.length);
  return same ? seen : decode_unseen(d, text, seen);
}
// A JSON number or a decimal string that is an integer of 64 bits.
bool decode_int(graph_decoder *d, int64_t *out);
bool decode_bool(graph_decoder *d, bool *out);
__attribute__((cold)) void decode_expected(graph_decoder *d,
                                           const char *what);  // reports, and skips the value
static inline bool decode_string(graph_decoder *d, json_slice *out) {
  if (cursor_string(&d->c, out)) return true;
  decode_expected(d, "a string");
  return false;
}

__attribute__((cold)) void decode_error(graph_decoder *d, source_span span, const char *code,
                                        const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static inline source_span decode_here(graph_decoder *d) {
  cursor_peek(&d->c);
  return (source_span){cursor_offset(&d->c), cursor_offset(&d->c)};
}
static inline source_span decode_span(const graph_decoder *d, uint32_t begin) {
  return (source_span){begin, cursor_offset(&d->c)};
}

// Room on the stack, after what is there.
static inline uint32_t *decode_reserve(graph_decoder *d, uint32_t count) {
  d->stack = arena_grow(d->g->arena, d->stack, d->stack_count, (size_t)d->stack_count + count,
                        &d->stack_cap, sizeof *d->stack);
  return d->stack + d->stack_count;
}
static inline void decode_push(graph_decoder *d, uint32_t id) {
  *decode_reserve(d, 1) = id;
  d->stack_count++;
}
// Makes sure that table[index] exists; new entries are UINT32_MAX.
uint32_t *decode_table_grow(graph_decoder *d, uint32_t *table, uint32_t *capacity, uint32_t index);
static inline uint32_t *decode_table(graph_decoder *d, uint32_t *table, uint32_t *capacity,
                                     uint32_t index) {
  return index < *capacity ? table : decode_table_grow(d, table, capacity, index);
}

// --- decode_type.c
type_id decode_type(graph_decoder *d);  // TYPE_NONE after an error, and for null

// --- decode_attr.c
uint32_t decode_attrs(graph_decoder *d);  // an object: pushes entries, returns how many
attr_id decode_attr_dict(graph_decoder *d);

// --- decode_graph.c: the name of a value that is defined, from the text or as it is without escapes; the value that a
// name means, or VALUE_NONE
bool decode_value_name(graph_decoder *d, value_name *out);
value_name decode_name_of(graph_decoder *d, json_slice text);
value_name decode_number_of(graph_decoder *d, numbered_name name);  // NAME_NONE: it is interned
void decode_define(graph_decoder *d, value_name name, value_id value, uint32_t at);
value_id decode_find_value(const graph_decoder *d, json_slice text);
// Where a number ends that has no name of its own, after a few letters or none: 17 or v17, but not v017. NULL: it is none.
static inline const char *decode_numbered(const graph_decoder *d, const char *at, const char *end,
                                          numbered_name *out) {
  enum { DIGITS_MAX = 9 };
  uint64_t letters = 0;
  uint32_t number = 0, digit;
  const char *stop = end - at > NAME_LETTERS ? at + NAME_LETTERS : end;
  for (; at < stop && graph_is_letter(*at); at++) letters = letters << 8 | (unsigned char)*at;
  const char *digits = at;
  stop = end - at > DIGITS_MAX ? at + DIGITS_MAX : end;
  for (; at < stop && (digit = (uint32_t)(unsigned char)*at - '0') <= 9; at++)
    number = number * 10 + digit;
  if (at == digits || (*digits == '0' && at - digits > 1) || number >= d->of.numbered_limit)
    at = NULL;
  *out = (numbered_name){letters, number};
  return at;
}
// The series of numbers after these letters; SERIES: it is none yet.
static inline uint32_t decode_series(const graph_decoder *d, uint64_t letters) {
  uint32_t i = 0;
  while (i < d->of.series_count && d->of.series[i].letters != letters) i++;
  return i < d->of.series_count ? i : SERIES;
}
static inline value_id decode_find_number(const graph_decoder *d, uint32_t series,
                                          uint32_t number) {
  assert(series < d->of.series_count);
  const name_series *s = &d->of.series[series];
  return number < s->capacity ? s->values[number] : VALUE_NONE;
}
// --- decode_slots.c
enum decode_slot {
  SLOT_NAME,
  SLOT_AT,
  SLOT_TYPE,
  SLOT_TYPE_BEGIN,
  SLOT_TYPE_END,
  SLOT_ATTR,
  SLOTS
};
// Values with types. Pushes SLOTS numbers for each on the stack; returns how many. named: a type alone is none.
uint32_t decode_slots(graph_decoder *d, bool named);
// --- decode_operands.c: when the operation is read whole, and had `errors` before
void decode_check_operands(graph_decoder *d, op_id op, uint32_t errors);
// --- decode_repeat.c
void decode_op_attrs(graph_decoder *d, op_id op);
// --- decode_pattern.c
// The operation at the cursor, where it is as one before; false: nothing was done.
bool decode_patterned(graph_decoder *d, block_id block);
// Makes an operation that is written as most are, up to its result; the cursor is after that then, in the array. ID_NONE:
// it is another, and nothing was done.
op_id decode_head(graph_decoder *d, block_id block, graph_pattern *pattern);
// When it was read whole, with `errors` before.
void decode_note_pattern(graph_decoder *d, op_id op, const graph_pattern *pattern, uint32_t errors);

// --- decode_symbol.c
void decode_symbols(graph_decoder *d);
void decode_one_symbol(graph_decoder *d);
void decode_constraints(graph_decoder *d);
// --- decode_successor.c
void decode_successors(graph_decoder *d, op_id op);  // [[block], [block, first, count], ...]
void check_successors(graph_decoder *d);  // when all blocks are there: takes away what cannot be

#endif
