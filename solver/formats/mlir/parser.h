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
#include "solver/formats/mlir/parts.h"
#include "solver/formats/mlir/uses.h"

typedef struct mlir_parser {
  shape_graph *g;
  const char *text, *at, *end;
  const char *text_end;  // `end` may be earlier: a part of a file split by "// -----"
  const char *part;      // where this part begins
  mlir_gap gap;
  uint32_t depth;
  uint32_t until_poll, polls;  // steps, and how often they were taken
  mlir_errors errors;
  mlir_recovery recovery;
  mlir_uses *uses;      // where types are written, or NULL
  mlir_points *points;  // where statements begin, or NULL
  mlir_modules modules;
  func_id func;  // that regions belong to
  mlir_scope scope;
  mlir_stacks stacks;
  mlir_declared declared;
  mlir_spellings spellings;
  mlir_op_names op_names;
  mlir_templates templates;
  mlir_models models;
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
// An error of syntax; always false.
__attribute__((cold)) bool mlir_wrong(mlir_parser *p, const char *from, const char *to,
                                      const char *format, ...)
    __attribute__((format(printf, 4, 5)));
__attribute__((cold)) bool mlir_syntax(mlir_parser *p, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));  // always false
__attribute__((cold)) bool
mlir_expected(mlir_parser *p, const char *what);  // "expected WHAT, found ..."; always false
bool mlir_expected_char(mlir_parser *p, char c);  // skips c or reports
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
void mlir_skip_steps(mlir_parser *p, uint32_t steps);  // of what is not read, fewer than to a poll
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
  const char *to = p->at == p->gap.end ? p->gap.begin : p->at;
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
bool mlir_container_body(mlir_parser *p, type_container container, type_id *out);  // at '<'
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

// --- torch_type.c, pretty_torch.c
bool mlir_torch_type(mlir_parser *p, const char *from, mlir_word name,
                     type_id *out);                           // after !torch.NAME
type_id mlir_torch_scalar(mlir_parser *p, const char *name);  // of torch.constant.NAME
void mlir_torch_declare(mlir_parser *p, op_id op);            // the symbol of a torch.symbolic_int
void mlir_torch_opset(mlir_parser *p,
                      func_id func);  // the operator set of ONNX that its attributes name

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
bool mlir_is_visible(const mlir_parser *p, mlir_word name);
// A value whose name is that number: nothing around it has the name, and no use was in front of it.
void mlir_define_number(mlir_parser *p, uint32_t number, value_id value, uint32_t at);
bool mlir_push_operand(mlir_parser *p);              // at '%'
bool mlir_push_bare_operand(mlir_parser *p);         // d0: the value %d0, or else %0
bool mlir_operand_list(mlir_parser *p, char close);  // %a, %b and `close`
static inline uint32_t mlir_scope_open(const mlir_parser *p) { return p->scope.undo_count; }
void mlir_scope_close(mlir_parser *p, uint32_t mark);
void mlir_scope_end(mlir_parser *p);  // of the text: no name is looked up any more
// Reports when the type written at the use is not that of the value, at once or when it is defined.
void mlir_check_use(mlir_parser *p, mlir_operand operand, type_id written);

// --- late.c: names that are used in front of their definition
// Notes the use; 0: it is not kept, else its number + 1.
uint32_t mlir_miss(mlir_parser *p, mlir_word name, uint32_t slot, uint32_t at, int64_t number);
void mlir_unmiss(mlir_parser *p, uint32_t count);  // those from `count` on were read in vain
// The uses before a definition, in the region around the cursor, get its values.
void mlir_found(mlir_parser *p, mlir_word name, uint32_t slot, value_id first, uint32_t count);
void mlir_settle(mlir_parser *p);  // at the end of a part of the file

// A value that is defined, without a number; else false, and nothing happened but that the cursor moved.
bool mlir_known_operand(mlir_parser *p, value_id *out);
// The name means its values from here on, whose ids are later by a number. That it may is not checked.
void mlir_see(mlir_parser *p, const mlir_seen *seen, uint32_t by);
// What the name means; false: nothing.
bool mlir_meaning(const mlir_parser *p, mlir_word name, value_id *first, uint32_t *count);

// --- template.c
void mlir_templates_init(mlir_parser *p, uint32_t operations);
// At the '%' of a statement: true, and it is in the graph, where it is as the one that is expected here.
bool mlir_repeats(mlir_parser *p, block_id block);
// After one was read, its operands still on the stack. Both are for parsers that keep some.
void mlir_note_statement(mlir_parser *p, const mlir_op *op, const char *begin,
                         const mlir_before *before);

// --- printed.c
void mlir_printed_init(mlir_parser *p, const mlir_printing *printing);
// At the begin of a statement: true, and it is in the graph, as are those after it that could be added unread.
bool mlir_add_printed(mlir_parser *p, block_id block);
void mlir_note_printed(mlir_parser *p, const mlir_op *op, const char *begin,
                       const mlir_before *before);  // after one was read

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
bool mlir_nested_item(mlir_parser *p, bool *done);  // a function or module in a region; false: none
uint32_t mlir_symbol(mlir_parser *p, name_id name, const char *at);  // declares it when it is new
void mlir_declare_symbolic_dim(mlir_parser *p, op_id op);

// --- read.c
void mlir_parser_init(mlir_parser *p, shape_graph *g, const char *text, size_t length);
void mlir_init_caches(mlir_parser *p, uint32_t operations);
bool mlir_is_text(const char *text, size_t length);
// mlir_read_all, and *points is filled; NULL: none are kept.
bool mlir_read_pointed(shape_graph *g, mlir_uses *uses, mlir_points *points);
// The same of a text without errors, as a second reading of one part does it. False: it goes by brackets.
bool mlir_read_lines(shape_graph *g, mlir_uses *uses, mlir_points *points);

// --- reread.c
void mlir_add_point(mlir_parser *p, bool ends);

// --- note_uses.c: only called where p->uses is set, but for mlir_results_of and mlir_carried_types
void mlir_add_use(mlir_parser *p, source_span span, mlir_use_kind kind, uint32_t subject,
                  uint32_t index);
bool mlir_results_of(mlir_parser *p, const mlir_op *op,
                     type_id likely);  // mlir_result_types of an operation
// One type or (types): of operands or results of an operation, from that index on.
bool mlir_carried_types(mlir_parser *p, const mlir_op *op, mlir_use_kind kind, uint32_t first);
// The rows from `first` on, of types in order, are those of its last operands.
void mlir_use_last(mlir_parser *p, const mlir_op *op, uint32_t first);
// The type from `from` to the cursor is number `index` of a list.
void mlir_use_listed(mlir_parser *p, const mlir_op *op, uint32_t index, const char *from);
void mlir_use_interpret(mlir_parser *p, const mlir_op *op, uint32_t first);
void mlir_use_op(mlir_parser *p, op_id op, mlir_op_use use);
void mlir_use_end(mlir_parser *p, op_id op, const char *from);  // the operation ends at the cursor
void mlir_use_opaque(mlir_parser *p, op_id op);
void mlir_use_whole(mlir_parser *p, op_id op);   // opaque, but nothing of it is lost
void mlir_use_hidden(mlir_parser *p, op_id op);  // opaque, and passed over
void mlir_use_properties(mlir_parser *p, op_id op, uint32_t count);
void mlir_use_operands(mlir_parser *p, op_id op, const mlir_operand *operands, uint32_t count);
uint32_t mlir_use_module(mlir_parser *p, mlir_module_use use);

// --- pretty*.c
const mlir_pretty_row *mlir_pretty_find(mlir_word name);
bool mlir_pretty(mlir_parser *p, mlir_op *op);

// --- lines.c: the second reading of a text with a syntax error
// Whether the blanks in front of lines say what is inside of what. Fills recovery.lines. O(text).
bool mlir_lines(mlir_parser *p);
// The same of three statements that follow one another on lines of their own, as deep as the first one of their region:
// the second may have an error. `begins`: their first characters. False: they are not such, or may not look so from others.
bool mlir_lines_around(mlir_parser *p, const uint32_t begins[3], uint32_t indent);
// The statement at the cursor ends where its lines do. In the first reading nothing changes.
mlir_bound mlir_bind(mlir_parser *p);
void mlir_unbind(mlir_parser *p, mlir_bound outer);
// The statement at the cursor has one line, and the next one begins as deep: it is read as in a text without errors.
bool mlir_has_line(const mlir_parser *p);
// The line at the cursor may have had another token in front of it: it is a blank deeper than the statement.
bool mlir_lacks_first(const mlir_parser *p);
bool mlir_goes_on(const mlir_parser *p);  // a line that continues a statement begins at the cursor
bool mlir_ends_line(mlir_parser *p);      // or reports what follows the statement
// The end of a statement that is not complete: after its last character, or on the line of a bracket that is gone.
source_span mlir_end_of(const mlir_parser *p, source_span last);
// Where an error at the begin of a statement belongs: to the end of the line in front of it.
source_span mlir_line_end(const mlir_parser *p, source_span span);
// A bracket that was opened there is not closed up to the cursor: the end of the last line that may belong in it, where
// there are others. `one_line`: its own is. False: there are none.
bool mlir_unclosed(const mlir_parser *p, const char *open, bool one_line, source_span *end);
// A brace within a line of the statement, after which others follow that are as deep: it does not end their region.
bool mlir_is_surplus_brace(const mlir_parser *p);
// A bracket is at the cursor, in what begins its line: the end of the line that should have opened it.
source_span mlir_opener_of(const mlir_parser *p);
// Begins a region at the cursor; returns what to put back into recovery.indent.
uint32_t mlir_enter_lines(mlir_parser *p);
void mlir_skip_lines(mlir_parser *p, const char *begin);  // the statement with an error
bool mlir_body_follows(
    mlir_parser *p);  // a line of statements deeper than the statement that is read
// Moves to the brace in front of the first statement inside of the one that began there, or to that; false: there is none.
bool mlir_resume_body(mlir_parser *p, const char *begin);
// The brace at the cursor ends its line, and operations follow.
bool mlir_brace_of_body(mlir_parser *p);
// In a region: what follows can only come after its brace, which is missing.
bool mlir_brace_is_missing(mlir_parser *p);
bool mlir_expected_brace(mlir_parser *p, const char *what);  // where it was; always false
const char *
mlir_before_what(const mlir_parser *p);  // at the end of a statement: what follows it, for messages
// A name that is used there may be one of a statement with an error.
bool mlir_is_lost(const mlir_parser *p, uint32_t level, uint32_t at);
void mlir_lose(mlir_parser *p, uint32_t at);  // an error that may have cost names
void mlir_read_again(mlir_parser *p);  // the first reading may end here, as there is a syntax error

// --- skip.c
bool mlir_skip_balanced(mlir_parser *p);  // at an opening bracket: after its partner
bool mlir_opaque_op(mlir_parser *p, mlir_op *op);
bool mlir_statement_begins(mlir_parser *p);  // what is here looks like one
bool mlir_begins_next(
    mlir_parser *p);  // the same, for an operand at the begin of a line: it is none
bool mlir_destinations_follow(
    mlir_parser *p);  // after a name: ins(...) or outs(...), attributes may be before it
bool mlir_region_begins(mlir_parser *p);          // at '{': operations follow, not attributes
bool mlir_function_begins(const mlir_parser *p);  // "func.func" at the begin of a line
void mlir_recover(mlir_parser *p, const char *begin);

#endif
