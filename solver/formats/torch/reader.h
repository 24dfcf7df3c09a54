// SPDX-License-Identifier: Apache-2.0
// Reads programs of torch.export (.pt2): a zip archive of stored members with the program as JSON. Operations become those
// of torch.def; what the archive says of the dims of values is bound to them (torch.export.bind).
#ifndef SHAPE_FORMATS_TORCH_READER_H
#define SHAPE_FORMATS_TORCH_READER_H

#include "solver/formats/archive/archive.h"
#include "solver/formats/torch/build.h"

// --- dom.c: JSON as a tree in an arena.
typedef enum dom_kind {
  DOM_NULL,
  DOM_BOOL,
  DOM_NUMBER,
  DOM_STRING,
  DOM_ARRAY,
  DOM_OBJECT
} dom_kind;

typedef struct dom_node dom_node;
struct dom_node {
  uint8_t kind;            // dom_kind
  const char *text, *key;  // of a number or a string, and all of an object or a list; of a member
  uint32_t length, key_length, count;
  const dom_node *first, *next;
};

// The text passed json_validate. NULL where it is nested deeper than JSON_DEPTH_DEFAULT.
const dom_node *dom_read(shape_arena *arena, const char *text, size_t length);
const dom_node *dom_member(const dom_node *object, const char *key);  // NULL: absent, or no object
bool dom_is(const dom_node *node, dom_kind kind);
const char *dom_kind_name(const dom_node *node);   // "a list", "nothing" where it is absent
bool dom_int(const dom_node *node, int64_t *out);  // an integer of 64 bits

// --- program.c
typedef struct torch_reader {
  shape_graph *g;
  torch_builder build;
  func_id func;
  shape_imap names;    // name -> value_id
  shape_imap by_name;  // 2 * name, + 1 of an integer -> index in described
  const dom_node **described;
  const dom_node *tensors, *integers;
  uint32_t depth;  // of graphs within graphs
  bool in_loop;    // what is read is run any number of times
  bool failed;
} torch_reader;

// Reports the one error of an archive; always false.
bool torch_fail(torch_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool torch_expected(torch_reader *r, const char *of, const char *what,
                    const dom_node *found);  // as torch_fail
bool torch_program(torch_reader *r, const dom_node *root);
bool torch_node(torch_reader *r, const dom_node *node);
// The name of an output, of which *is_int says the kind; NULL where it has none.
const dom_node *torch_output_name(const dom_node *one, bool *is_int);
// --- hop.c: a higher-order operator whose graph is followed. *taken: it was; the others are operators without a rule, whose
// results have the dims that the archive says. False after an error.
bool torch_higher_order(torch_reader *r, const char *op, const dom_node *node, bool *taken);
// --- guards.c: what PyTorch checks before it runs the program (guards_code), as assumptions over the inputs.
void torch_guards(torch_reader *r, const dom_node *guards, const dom_node *inputs);
// --- argument.c: the operand that an argument denotes; emits constants and lists. False after an error.
bool torch_operand(torch_reader *r, const dom_node *argument, value_id *out);
// --- value.c
bool torch_define(torch_reader *r, const dom_node *name, value_id value);
bool torch_look_up(torch_reader *r, const dom_node *name, value_id *out);
void torch_index(torch_reader *r);
// Gives a value its type by tensor_values; VALUE_NONE: checks the entry alone.
bool torch_declare(torch_reader *r, const dom_node *name, value_id value, bool is_int);
bool torch_bind(torch_reader *r, const dom_node *name, value_id value, bool is_int);
bool torch_range_constraints(torch_reader *r, const dom_node *ranges);
bool torch_union(torch_reader *r, const dom_node *node, const char *where, const dom_node **out);

#endif
