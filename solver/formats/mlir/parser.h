// SPDX-License-Identifier: Apache-2.0
// The parser's state and what its files offer one another. Scannerless: a cursor over the text, no tokens, because the
// meaning of characters depends on where they are (`4x?xf32`, `[2:6:2]`, `%c-1`).
//
// Functions that parse return false after they reported an error; the statement is then given up (skip.c finds the
// next one). The text is not NUL-terminated: every read is checked against `end`.
#ifndef SHAPE_FORMATS_MLIR_PARSER_H
#define SHAPE_FORMATS_MLIR_PARSER_H

#include "solver/base/budget.h"
#include "solver/formats/mlir/mlir.h"
#include "solver/formats/mlir/uses.h"

// A piece of the text.
typedef struct mlir_word {
  const char *text;
  uint32_t length;
} mlir_word;

// A use of a name that was for nothing, and its diagnostic.
typedef struct mlir_missed {
  mlir_word name;
  uint32_t level, diag;
} mlir_missed;

// What a value name means now (all zero: nothing). Visible while its level is the parser's: functions see nothing of one another.
typedef struct mlir_slot {
  value_id first;
  uint32_t count;
  uint32_t level;  // 0: not defined
} mlir_slot;

typedef struct mlir_undo {
  uint32_t slot;  // index, with SLOT_NAMED set for one of the named
  value_id first;
  uint32_t count, level;
} mlir_undo;

typedef struct mlir_operand {
  value_id value;
  uint32_t at;
} mlir_operand;

typedef struct mlir_result {
  mlir_word name;
  uint32_t count;
} mlir_result;

// A region of an operation that is being read: its blocks are on the block stack.
typedef struct mlir_region {
  uint32_t blocks, block_count;
} mlir_region;

// The name of a block and its position in its region; or one that a terminator gives, and its row of the graph.
typedef struct mlir_label {
  mlir_word name;
  uint32_t index;
} mlir_label;

// A name with its type: an argument of a block or a function.
typedef struct mlir_argument {
  mlir_word name;  // empty: none
  type_id type;
  attr_id attrs;     // of a function's argument: DICT or ATTR_NONE
  source_span span;  // of the type
} mlir_argument;

typedef struct mlir_pretty_row mlir_pretty_row;

typedef struct mlir_name_entry {  // of the cache of operation names
  mlir_word text;
  name_id name;
  type_id likely;  // the type of its first result the last time
  uint32_t next;   // the entry that followed it the last time
  const mlir_pretty_row *row;
} mlir_name_entry;

typedef struct mlir_type_entry {  // of the cache of type spellings
  mlir_word text;
  type_id type;
} mlir_type_entry;

enum { MLIR_TYPE_CACHE = 256, MLIR_NAME_CACHE = 128, MLIR_KEYS_MAX = 96 };  // the largest

typedef struct mlir_parser {
  shape_graph *g;
  const char *text, *at, *end;
  const char *text_end;             // `end` may be earlier: a part of a file split by "// -----"
  const char *part;                 // where this part begins
  const char *gap, *gap_end;        // the last spaces and comments that were passed over
  size_t recovered;                 // bytes inspected to find where to go on after errors
  const char *listed, *listed_end;  // the last list of results that was looked through for its '='
  bool has_equals;                  // it was there
  uint32_t depth;
  uint32_t until_poll;  // steps
  uint32_t quiet;       // > 0: errors are not reported (something else will be tried)
  uint32_t
      lenient;  // > 0: undeclared values are no errors (inside an operation that is not understood)
  bool stop;    // no sense in reading on; nothing more is reported
  const char **capture;  // the first error goes here and not to the graph, when set
  size_t *capture_at;
  mlir_uses *uses;  // where types are written, or NULL

  uint32_t module, modules;  // the current one, and how many there are
  bool has_module;           // `module` has a number
  func_id func;              // that regions belong to
  block_id module_block;     // of the pseudo function, or ID_NONE
  func_id module_func;

  uint32_t level, levels;
  uint32_t scope_depth;  // regions around the cursor, in this function
  bool in_function;
  bool module_values;  // values were defined outside of functions
  mlir_slot *numbered, *named;
  uint32_t numbered_count, numbered_capacity, named_count, named_capacity, numbered_limit;
  mlir_undo *undo;
  uint32_t undo_count, undo_capacity;
  mlir_missed *missed;  // as many as diagnostics at the most
  uint32_t missed_count, missed_capacity;

  // Stacks: an operation remembers their heights and cuts them back.
  mlir_operand *operands;
  uint32_t operand_count, operand_capacity;
  mlir_result *results;
  uint32_t result_count, result_capacity;
  attr_entry *entries;
  uint32_t entry_count, entry_capacity;
  type_id *types;
  uint32_t type_count, type_capacity;
  mlir_region *regions;
  uint32_t region_count, region_capacity;
  block_id *blocks;
  uint32_t block_count, block_capacity;
  mlir_argument *arguments;
  uint32_t argument_count, argument_capacity;
  mlir_label *labels, *targets;  // of the regions around the cursor
  uint32_t label_count, label_capacity, target_count, target_capacity;
  value_id *scratch;
  uint32_t scratch_capacity;

  shape_imap attr_aliases, type_aliases, symbols;  // name -> id, in this part of the file
  mlir_type_entry *type_cache;                     // NULL where only types are read
  uint32_t type_mask;     // its size - 1; sizes of tables are powers of two
  mlir_word *type_texts;  // by type_id: a spelling that ends in '>'
  uint32_t type_text_capacity;
  mlir_name_entry *name_cache;
  uint32_t name_mask;
  uint32_t last_name;           // the entry of the last pretty operation
  name_id keys[MLIR_KEYS_MAX];  // see keys.def; 0: not interned yet, else id + 1
} mlir_parser;

// An operation while it is read. The numbers are heights of the parser's stacks.
typedef struct mlir_op {
  op_id id;
  name_id name;
  const mlir_pretty_row *row;
  mlir_name_entry *entry;
  uint32_t operands, entries, types, regions;
  uint32_t bound;       // results named on the left
  uint32_t first_name;  // of them, on the result stack
  uint32_t name_count;
} mlir_op;

// Names of attributes that the reader writes itself.
typedef enum mlir_key {
#define X(name) KEY_##name,
#include "solver/formats/mlir/keys.def"
#undef X
  KEY_COUNT
} mlir_key;
_Static_assert((int)KEY_COUNT <= (int)MLIR_KEYS_MAX, "room for the keys");

// --- lex.c
void mlir_skip_comment(mlir_parser *p);  // at a '/'; does not move when it is no comment
bool mlir_fail(mlir_parser *p, const char *from, const char *to, const char *code,
               const char *format, ...) __attribute__((format(printf, 5, 6)));  // always false
bool mlir_syntax(mlir_parser *p, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));             // always false
bool mlir_expected(mlir_parser *p, const char *what);  // "expected WHAT, found ..."; always false
bool mlir_expected_char(mlir_parser *p, char c);       // skips c or reports
bool mlir_expect_word(mlir_parser *p, const char *word);
bool mlir_take_word(mlir_parser *p, const char *word);  // the whole word or nothing
bool mlir_accept_arrow(mlir_parser *p);                 // "->"
bool mlir_word_here(mlir_parser *p,
                    mlir_word *out);  // [A-Za-z_][A-Za-z0-9_$.]*; false: none, no report
bool mlir_suffix_id(mlir_parser *p, mlir_word *out);  // after % ^ # ! @; false: none, no report
bool mlir_string(mlir_parser *p, name_id *out);       // at a '"'; escapes decoded
bool mlir_skip_string(mlir_parser *p);                // at a '"'
bool mlir_symbol_name(mlir_parser *p, name_id *out);  // at an '@'; @a::@b is "a::b"
bool mlir_enter(mlir_parser *p);                      // one level deeper, or reports
static inline void mlir_leave(mlir_parser *p) { p->depth--; }

// A step of reading: each loop over the text takes one for each round.
void mlir_take_steps(mlir_parser *p);
static inline void mlir_step(mlir_parser *p) {
  if (!--p->until_poll) mlir_take_steps(p);
}

void mlir_skip_slow(mlir_parser *p, const char *from);  // spaces and comments
static inline void mlir_skip(mlir_parser *p) {
  const char *from = p->at, *at = from, *end = p->end;
  if (at < end && *at == ' ') at++;
  p->at = at;
  if (at < end && ((unsigned char)*at <= ' ' || *at == '/')) mlir_skip_slow(p, from);
}
static inline char mlir_peek(mlir_parser *p) {
  mlir_skip(p);
  return p->at < p->end ? *p->at : 0;
}
static inline char mlir_char(const mlir_parser *p, size_t ahead) {  // no skipping
  return (size_t)(p->end - p->at) > ahead ? p->at[ahead] : 0;
}
static inline bool mlir_accept(mlir_parser *p, char c) {
  if (mlir_peek(p) != c) return false;
  p->at++;
  mlir_step(p);
  return true;
}
static inline bool mlir_accept_word(mlir_parser *p, const char *word) {
  return mlir_peek(p) == word[0] && mlir_take_word(p, word);
}
static inline bool mlir_expect(mlir_parser *p, char c) {  // skips c or reports
  return mlir_accept(p, c) || mlir_expected_char(p, c);
}
static inline uint32_t mlir_offset(const mlir_parser *p, const char *at) {
  return (uint32_t)(at - p->text);
}
// The end of the last token, for the cursor may be after spaces and comments.
static inline uint32_t mlir_last_offset(const mlir_parser *p, const char *begin) {
  const char *to = p->at == p->gap_end ? p->gap : p->at;
  while (to > begin && (to[-1] == ' ' || to[-1] == '\n' || to[-1] == '\t' || to[-1] == '\r')) to--;
  return mlir_offset(p, to);
}
static inline source_span mlir_span(const mlir_parser *p, const char *from, const char *to) {
  return (source_span){mlir_offset(p, from), mlir_offset(p, to)};
}
static inline bool mlir_word_is(mlir_word word, const char *text) {
  return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}
enum { CHAR_LETTER = 1, CHAR_DIGIT = 2, CHAR_POINT = 4, CHAR_MINUS = 8 };  // . and $ are POINT
extern const uint8_t mlir_chars[256];
static inline bool mlir_char_is(char c, int classes) {
  return (mlir_chars[(unsigned char)c] & classes) != 0;
}
static inline bool mlir_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool mlir_is_letter(char c) { return mlir_char_is(c, CHAR_LETTER); }

// --- number.c
typedef struct mlir_number {
  bool negative, is_float, is_hex;
  bool too_large;  // an integer beyond 64 bits
  uint64_t magnitude;
  double real;  // of a float
  const char *text, *end;
} mlir_number;

bool mlir_number_here(mlir_parser *p, mlir_number *out);  // false: none, no report
// The value that an integer literal has in a type, sign-extended; false when it does not fit.
bool mlir_number_as(const mlir_number *number, shape_dtype dtype, int64_t *out);
// The bits of a hexadecimal literal as a float of this type.
bool mlir_number_bits(uint64_t bits, shape_dtype dtype, double *out);
bool mlir_int(mlir_parser *p, int64_t *out);  // a literal that fits int64, or reports
bool mlir_int_list(mlir_parser *p, const int64_t **out, uint32_t *count);  // [1, 2, ...]

// --- type.c, type_tensor.c
bool mlir_tensor_body(mlir_parser *p, type_id *out);  // after "tensor<"
name_id mlir_canonical(mlir_parser *p, const char *from,
                       const char *to);  // a spelling without idle spaces
bool mlir_type(mlir_parser *p, type_id *out);
bool mlir_type_like(mlir_parser *p, type_id likely,
                    type_id *out);                // the same, faster when it is `likely`
bool mlir_type_list(mlir_parser *p, char close);  // pushes types until `close`, which is skipped
void mlir_push_type(mlir_parser *p, type_id type);
bool mlir_result_types(mlir_parser *p, type_id likely);    // after "->": one type or (types)
bool mlir_type_follows(mlir_parser *p);                    // the next characters can begin a type
const char *mlir_type_text(mlir_parser *p, type_id type);  // for messages

// --- attr.c, dialect_attr.c, dense.c
bool mlir_attr(mlir_parser *p, attr_id *out);
bool mlir_attr_bare(mlir_parser *p,
                    attr_id *out);    // bare words are ENUMs; no ": type" after numbers
bool mlir_attr_dict(mlir_parser *p);  // at '{': pushes entries on the entry stack
bool mlir_attr_dict_node(mlir_parser *p, attr_id *out);                   // at '{': a DICT
attr_id mlir_new_attr(mlir_parser *p, attr_kind kind, const char *from);  // span ends at the cursor
attr_id mlir_make_ints(mlir_parser *p, const int64_t *values, uint32_t count, const char *from);
attr_id mlir_make_int(mlir_parser *p, int64_t value, shape_dtype dtype, const char *from);
attr_id mlir_make_text(mlir_parser *p, attr_kind kind, name_id text, const char *from);
attr_id mlir_make_dict(mlir_parser *p, const char *text, const attr_entry *entries, uint32_t count,
                       const char *from);
void mlir_push_entry(mlir_parser *p, name_id name, attr_id value);
void mlir_push_key(mlir_parser *p, mlir_key key, attr_id value);
name_id mlir_key_name(mlir_parser *p, mlir_key key);
bool mlir_dialect_attr(mlir_parser *p, attr_id *out);                    // at '#'
bool mlir_conv_dims(mlir_parser *p, const char *dialect, attr_id *out);  // [b, 0, f]x[..]->[..]
bool mlir_key_values(mlir_parser *p,
                     char close);  // key = value, ...: pushes entries; skips `close`
bool mlir_dense(mlir_parser *p, const char *from, attr_id *out);  // after "dense"
bool mlir_array(mlir_parser *p, const char *from, attr_id *out);  // after "array"

// --- scope.c
enum { SLOT_NAMED = 1u << 31 };
void mlir_define(mlir_parser *p, mlir_word name, value_id first, uint32_t count);
bool mlir_push_operand(mlir_parser *p);              // at '%'
bool mlir_operand_list(mlir_parser *p, char close);  // %a, %b and `close`
static inline uint32_t mlir_scope_open(const mlir_parser *p) { return p->undo_count; }
void mlir_scope_close(mlir_parser *p, uint32_t mark);
// Reports when the type written at the use is not that of the value.
void mlir_check_use(mlir_parser *p, mlir_operand operand, type_id written);

// --- op.c, region.c
bool mlir_statement(mlir_parser *p, block_id block);
bool mlir_signature(mlir_parser *p,
                    mlir_op *op);       // (types) -> types: checks operands, pushes result types
bool mlir_region_here(mlir_parser *p);  // at '{': pushes a region
// The same with arguments of the entry block.
bool mlir_region_with(mlir_parser *p, const mlir_argument *arguments, uint32_t count);
bool mlir_argument_name(mlir_parser *p, mlir_word *name);  // %name
bool mlir_arguments(mlir_parser *p, char close);  // %a: type, ...: pushes them, skips `close`
void mlir_push_argument(mlir_parser *p, mlir_argument argument);
block_id mlir_push_block(mlir_parser *p);
void mlir_push_region(mlir_parser *p, uint32_t first_block);  // of the blocks from there on
void mlir_pop_regions(mlir_parser *p, region_id first, uint32_t height);
bool mlir_location(mlir_parser *p);                             // an optional trailing loc(...)
mlir_name_entry *mlir_op_name(mlir_parser *p, mlir_word word);  // valid until the next one

// --- branch.c
void mlir_push_label(mlir_parser *p, mlir_word name, uint32_t block);
void mlir_resolve_labels(mlir_parser *p, uint32_t labels,
                         uint32_t targets);                      // those of a region, at its end
bool mlir_successors(mlir_parser *p, const mlir_op *op);         // [^bb1, ^bb2], if there
void mlir_finish_successors(mlir_parser *p, const mlir_op *op);  // once its attributes are read

// --- func.c, module.c, symbol.c
bool mlir_func(mlir_parser *p, const char *begin);          // after func.func
bool mlir_generic_func(mlir_parser *p, const char *begin);  // after "func.func" in quotes
void mlir_file(mlir_parser *p);
uint32_t mlir_symbol(mlir_parser *p, name_id name, const char *at);  // declares it when it is new
void mlir_declare_symbolic_dim(mlir_parser *p, op_id op);

// --- note_uses.c: only called where p->uses is set, but for mlir_results_of
void mlir_add_use(mlir_parser *p, source_span span, mlir_use_kind kind, uint32_t subject,
                  uint32_t index);
bool mlir_results_of(mlir_parser *p, const mlir_op *op,
                     type_id likely);  // mlir_result_types of an operation
// The type from `from` to the cursor is number `index` of a list.
void mlir_use_listed(mlir_parser *p, const mlir_op *op, uint32_t index, const char *from);
void mlir_use_interpret(mlir_parser *p, const mlir_op *op, uint32_t first);
void mlir_use_end(mlir_parser *p, op_id op, const char *from);  // the operation ends at the cursor
void mlir_use_opaque(mlir_parser *p, op_id op);
void mlir_use_operands(mlir_parser *p, op_id op, const mlir_operand *operands, uint32_t count);
uint32_t mlir_use_module(mlir_parser *p, mlir_module_use use);

// --- pretty*.c
const mlir_pretty_row *mlir_pretty_find(mlir_word name);
bool mlir_pretty(mlir_parser *p, mlir_op *op);

// --- skip.c
bool mlir_skip_balanced(mlir_parser *p);  // at an opening bracket: after its partner
bool mlir_opaque_op(mlir_parser *p, mlir_op *op);
bool mlir_statement_begins(mlir_parser *p);       // what is here looks like one
bool mlir_region_begins(mlir_parser *p);          // at '{': operations follow, not attributes
bool mlir_function_begins(const mlir_parser *p);  // "func.func" at the begin of a line
void mlir_recover(mlir_parser *p, const char *begin);

#endif
