// SPDX-License-Identifier: Apache-2.0
// Reads FX graphs of PyTorch as Python text: what GraphModule.code and print_readable() print, and GraphNet's model.py.
// The text is never executed: the last class that has a `forward` (or a `forward` on its own) becomes one function whose
// operations are those of torch.def, by the table fx.def. Each expression is read once, from left to right, and its operations are
// added as it is read: O(text). Classes inside the class are its submodules; a call of one is read where it is called.
//
// Python decides by types: `x + 1` adds tensors, integers or lists. A value of Python (fx_value) therefore has a kind, which
// is known from the operation that makes it. Where it is not, the result is of kind FX_UNKNOWN: nothing is said of it.
#ifndef SHAPE_FORMATS_FX_FX_H
#define SHAPE_FORMATS_FX_FX_H

#include <string.h>

#include "solver/formats/torch/build.h"

typedef enum fx_kind {
  FX_UNKNOWN,  // anything
  FX_TENSOR,
  FX_INT,     // an integer, or a boolean
  FX_NUMBER,  // a number that may be no integer
  FX_NONE,
  FX_TEXT,
  FX_LIST,      // a list or tuple whose items are known
  FX_SEQUENCE,  // tensors, how many is not known here: the parts of a split
  FX_SIZES,     // the dims of a tensor
  FX_SLICE,     // items: start, stop, step
  FX_ELLIPSIS,
  FX_DTYPE,
  FX_OTHER,   // a device, a layout, ...: says nothing of dims
  FX_PATH,    // a name of a module: torch.nn.functional.relu
  FX_METHOD,  // a method of items[0]
  FX_MODULE   // self, or a submodule: its path
} fx_kind;

typedef struct fx_value fx_value;
struct fx_value {
  uint8_t kind;    // fx_kind
  uint8_t dtype;   // TENSOR, SEQUENCE, DTYPE: of its elements; DTYPE_NONE: not known
  bool constant;   // INT: `number` is its value; NUMBER: `real` is
  bool tuple;      // LIST: no list, a tuple
  bool truth;      // INT: a boolean, which is an integer but where it is an index or a dim
  uint32_t value;  // value_id, or VALUE_NONE where no operation makes it yet
  uint32_t
      root;  // of tensors: what an operation in place changes is changed under every name of the root
  uint32_t count;   // items
  uint32_t length;  // of text
  int64_t number;
  double real;
  source_span literal;  // where the text writes a constant INT or a TEXT; empty: not known
  const char *text;     // TEXT, PATH, METHOD, MODULE
  const fx_value *items;
};

typedef struct fx_class {
  const char *name, *body;       // body: of the text after `def forward(`
  uint32_t name_length, indent;  // of its line
  uint32_t body_indent;          // of that of `def forward`
  uint32_t outer;                // class that holds it, or ID_NONE
} fx_class;

// The names of one call of a forward.
typedef struct fx_scope fx_scope;
struct fx_scope {
  shape_imap names;  // name_id -> index in bound
  fx_value *bound;
  name_id *names_of;
  uint32_t count, capacity;
  uint32_t class_index;
  bool is_main;     // values have their Python names
  fx_scope *outer;  // of the call
};

typedef struct fx_inputs fx_inputs;

// What was found of rows of torch.def, by row and by the name of a function.
typedef struct fx_rows {
  shape_imap info_of;  // row -> index in infos
  const struct fx_row_info **infos;
  uint32_t info_count, info_room;
  shape_imap chosen_of;  // name -> index in chosen: the row of all of its overloads
  const struct op_row **chosen;
  uint32_t chosen_count, chosen_room;
} fx_rows;

// The graph of a higher-order operator that is read: values of its caller are not changed in it.
struct fx_hop {
  fx_scope *caller;    // NULL: none is
  value_id first_own;  // values before are those of the caller
  bool in_loop;        // names of dims are of one trip: they say nothing
};

typedef struct fx_reader {
  torch_builder build;
  const char *begin, *at, *end;
  uint32_t brackets;  // open ones: line ends are white space
  uint32_t nesting;   // of expressions
  uint32_t calls;     // of submodules
  uint32_t roots;
  bool failed, mutated;  // mutated: integers in tensors were changed in place
  func_id func;
  fx_scope *scope;
  struct fx_hop hop;
  fx_class *classes;
  uint32_t class_count, class_capacity;
  shape_imap globals;  // name_id of what is imported
  const fx_inputs *inputs;
  struct fx_uses *uses;  // NULL: not wanted
  fx_rows rows;
  const fx_value *result;  // of the forward that was read
} fx_reader;

bool fx_fail(fx_reader *r, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));  // always false

// --- lex.c: white space, comments and line ends within brackets are skipped
char fx_peek(fx_reader *r);  // 0 at the end of the line
bool fx_take(fx_reader *r, const char *token);
bool fx_need(fx_reader *r, const char *token);  // or an error
bool fx_open(fx_reader *r, char bracket);
bool fx_close(fx_reader *r, char bracket);  // or an error
bool fx_name(fx_reader *r, const char **name, uint32_t *length);
static inline bool fx_is(const char *text, uint32_t length, const char *word) {
  return strlen(word) == length && memcmp(text, word, length) == 0;
}
bool fx_begins(const char *text, uint32_t length, const char *head);
bool fx_word(fx_reader *r, const char *word);  // takes a keyword
bool fx_text(fx_reader *r, fx_value *out);     // a string; false where none is next
bool fx_number(fx_reader *r, fx_value *out);
// To the first byte of the next statement; its indentation. False at the end of the text.
bool fx_line(fx_reader *r, uint32_t *indent);
void fx_skip_line(fx_reader *r);  // to the end of a logical line

// --- value.c
fx_value fx_make(fx_kind kind);
fx_value fx_of(fx_reader *r, fx_kind kind, value_id value,
               shape_dtype dtype);  // declares what is known
fx_value fx_int(int64_t number);
fx_value fx_truth(bool value);
fx_value fx_list(const fx_value *items, uint32_t count);
fx_value fx_fresh(fx_reader *r, fx_kind kind);  // a value that nothing is known of
fx_value *fx_copy(fx_reader *r, const fx_value *items, uint32_t count, uint32_t more);
value_id
fx_operand(fx_reader *r,
           const fx_value *v);  // the operation's result that it is, made where there is none
value_id fx_operand_int(fx_reader *r, const fx_value *v);  // where an integer is needed
bool fx_get(const fx_reader *r, const char *name, uint32_t length, fx_value *out);
void fx_set(fx_reader *r, const char *name, uint32_t length, const fx_value *v);
void fx_changed(fx_reader *r, const fx_value *old,
                const fx_value *now);             // in place: under all names
bool fx_is_int(const fx_value *v, int64_t *out);  // a constant
// Of any kind, with what its operation requires listed as unchecked: made of `of`, a tensor.
fx_value fx_unsure(fx_reader *r, const fx_value *of);

// --- expr.c
bool fx_expression(fx_reader *r, fx_value *out);
bool fx_expressions(fx_reader *r, fx_value *out);                    // with commas: a tuple
bool fx_attribute(fx_reader *r, const fx_value *of, fx_value *out);  // after the point

// --- operators.c
fx_value fx_binary(fx_reader *r, const char *op, const fx_value *a, const fx_value *b);
fx_value fx_unary(fx_reader *r, const char *op, const fx_value *a);
shape_dtype fx_promote(shape_dtype a, shape_dtype b);
bool fx_compares(const char *op);
// Python's `and` and `or`: one of the two.
fx_value fx_logical(fx_reader *r, bool both, const fx_value *a, const fx_value *b);

// --- index.c
bool fx_subscript(fx_reader *r, fx_value *out);  // after the bracket: what is in it
fx_value fx_item(fx_reader *r, const fx_value *of, const fx_value *index);
void fx_set_item(fx_reader *r, const fx_value *of, const fx_value *index, const fx_value *to);

// --- call.c
typedef struct fx_argument {
  const char *name;  // of a keyword, or NULL
  uint32_t length;
  fx_value value;
} fx_argument;

typedef struct fx_call {
  const char *path;  // "torch.nn.functional.relu", or the name of a method
  uint32_t length;
  bool is_method;  // the first argument is the tensor
  fx_argument *args;
  uint32_t count;
} fx_call;

bool fx_arguments(fx_reader *r, fx_argument **args, uint32_t *count);
bool fx_apply(fx_reader *r, const fx_value *callee, fx_argument *args, uint32_t count,
              fx_value *out);
const fx_value *fx_argument_of(const fx_call *c, uint32_t position, const char *name);
fx_value fx_call_method(fx_reader *r, const char *name, const fx_value *args, uint32_t count);

// --- hop.c: cond, while_loop, scan, map and the like, with graphs that the text has. False: it is none of these.
bool fx_higher_order(fx_reader *r, const fx_call *c, fx_value *out);

// --- special.c: functions that need more than a row. False: it is none of these.
bool fx_special(fx_reader *r, const fx_call *c, const char *name, uint32_t length, fx_value *out);
bool fx_builtin(fx_reader *r, const fx_call *c, fx_value *out);
bool fx_member(fx_reader *r, const fx_value *of, const char *name, uint32_t length, fx_value *out);

// --- types.c
shape_dtype fx_dtype_named(const char *text,
                           uint32_t length);  // "float32", "f32"; DTYPE_NONE: none
// What the reader needs to know of a row of torch.def, found once for each.
struct op_row;
typedef struct fx_row_info {
  const struct op_row *row;
  uint8_t kind, source;  // fx_kind of the result; what its type of elements follows from
  bool real, truth, is_assert, to_scalar, creates, embeds, alike, second_is_index;
} fx_row_info;
const fx_row_info *fx_info(fx_reader *r, const struct op_row *row);
// What the operator makes of the types of its operands.
shape_dtype fx_result_dtype(const fx_row_info *row, shape_dtype first, shape_dtype all);
bool fx_whole_number(const char *text, int64_t *out);  // digits alone
// "f32[s0, 4]", "Sym(s0 + 1)": what is declared of a value; declares symbols where it is an argument. False: it is none.
bool fx_annotate(fx_reader *r, value_id value, const char *text, uint32_t length, bool declares,
                 fx_value *out);

// --- comment.c: what the comment before a statement says: "# File: model.py:88 in forward, code: ..." (format.h).
struct report_location;
uint32_t fx_locations(const shape_graph *graph, source_span span, struct report_location *out,
                      uint32_t room);

// --- function.c: reads the forward of a class with these arguments (NULL: those of the program's function).
// A call of a submodule. False: its class is not in the text, or an error.
bool fx_module(fx_reader *r, const fx_value *module, const fx_argument *args, uint32_t count,
               fx_value *out);
bool fx_is_module(fx_reader *r, const fx_value *module);  // whether its class is in the text
bool fx_forward(fx_reader *r, uint32_t class_index, const fx_value *args, uint32_t count,
                fx_value *out);

// --- inputs.c: dims of the parameters that the text has none for (format_options.inputs).
// False after an error.
bool fx_read_inputs(fx_reader *r, const char *json, const char *const *texts, uint32_t count);
// Declares the parameter as the inputs say. False: they do not name it.
// self.weight: a tensor, with the dims that the inputs give "self.weight"; else nothing is known of it, and a note says so.
fx_value fx_weight(fx_reader *r, const fx_value *module);
// Every input is a parameter; false after an error.
bool fx_check_inputs(fx_reader *r);
bool fx_input(fx_reader *r, const char *name, uint32_t length, value_id value, fx_value *out);

#endif
