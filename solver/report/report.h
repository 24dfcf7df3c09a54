// SPDX-License-Identifier: Apache-2.0
// What an answer says, as plain structs: made from the result of infer, written out by solver/emit and render.
//
// Dims are terms in answer form: canonical under the facts of the entry (equal dims are one term and one text), and
// free of the store's own quotients where an argument's or user's symbol can say the same (see answer.c).
// Values of which the same is said share one report_shape, so that an answer costs a few bytes per operation.
// Everything lives in the arena of the graph; texts stay valid as long as it.
#ifndef SHAPE_REPORT_REPORT_H
#define SHAPE_REPORT_REPORT_H

#include "solver/infer/infer.h"

typedef struct report_text {
  const char *text;  // not NUL-terminated
  uint32_t length;
} report_text;

typedef struct report_shape {
  type_id type;  // refined; TYPE_NONE where neither the source nor the rules give one
  const term_id
      *dims;  // rank of them, in answer form; TERM_NONE: not known, or not the same at all calls
  uint32_t rank;
  bool ranked : 1;
  bool determined : 1;  // every size is a number or an expression over the arguments
  bool refinable : 1;   // and over their dims alone: concrete types of the arguments make it static
  bool refined : 1;     // says more than the declared type
  bool resolved : 1;    // ranked, without a broadcast, and the arguments of the entry determine it
} report_shape;

typedef struct report_elements {
  const term_id
      *items;  // row-major, in answer form; TERM_NONE: not known. NULL: the value is not tracked
  uint32_t count;
} report_elements;

typedef struct report_function {
  func_id id;
  op_id first_op, end_op;  // operations with ids in this range are its own, regions included
  value_id arguments;      // first
  uint32_t argument_count;
  const value_id *results;  // operands of its return, or NULL
  const uint32_t *result_shapes;
  uint32_t result_count;
  const report_elements *argument_values, *result_values;  // argument_count, result_count of them
  term_id *
      integers;  // by value_id: what an integer is, where integers have names (FORMAT_INTEGERS); else NULL
} report_function;

typedef enum report_origin {
  FROM_ARGUMENT_SIZE,
  FROM_ARGUMENT_VALUE,
  FROM_DECLARATION,
  FROM_OPAQUE
} report_origin;

typedef struct report_symbol {
  term_id term;  // a symbol, or an atom that the grammar of answers cannot spell
  report_text name;
  bool is_word;  // the name is written as it is
  report_origin origin;
  func_id function;   // ID_NONE: none
  uint32_t argument;  // of that function, or ID_NONE
  uint32_t axis;      // of the argument, or index of the element; ID_NONE: none (a scalar)
  source_span span;   // where it comes from; SPAN_NONE: nowhere in the source
  op_id op;           // of FROM_OPAQUE: the operation whose result has it; ID_NONE: none
  interval range;
  num divisible_by;
  const graph_symbol *declared;  // what its author said of it, or NULL
  report_text definition;        // in the grammar of answers; NULL: none
  term_id
      meaning;  // the same as a term, where it is over symbols that mean nothing else; TERM_NONE: none
  const int64_t *
      likely;  // declared of it, or of symbols that are equal to it, or derived from those that it is made of
  uint32_t likely_count;
} report_symbol;

typedef enum constraint_kind {
  CONSTRAINT_EQ,
  CONSTRAINT_NE,
  CONSTRAINT_DIVISIBLE,
  CONSTRAINT_LT,
  CONSTRAINT_LE,
  CONSTRAINT_MUL_EQ,        // one size is a product
  CONSTRAINT_GROUP_MUL_EQ,  // two products are equal
  CONSTRAINT_AFFINE_EQ      // one size is affine in others
} constraint_kind;

typedef struct report_because {
  source_span span;     // SPAN_NONE: no location in the source
  const char *rule;     // NULL: none
  const char *message;  // half a sentence
  report_text node;     // of a model, that states it; length 0: none
} report_because;

enum { BECAUSE_MAX = 16 };

typedef struct report_constraint {
  constraint_kind kind;
  predicate p;  // in answer form: EQ, NE, LT, LE or DIVISIBLE
  // Of a guard: what is required wherever all of `when` hold. `p` says both in one; without conditions it is the same.
  predicate requirement;
  const predicate *when;
  uint32_t when_count;
  report_text *lhs, *rhs;
  uint32_t lhs_count, rhs_count;
  report_text expr;
  const char *scope;
  report_because *because;
  uint32_t because_count;
  bool truncated;  // there were more reasons
  uint32_t scope_id;
  bool required;     // a run may break it: then it ends with a shape error
  bool unconfirmed;  // report_certify could not derive it again
} report_constraint;

typedef struct report_constraints {
  report_constraint *items;
  uint32_t count, capacity;
} report_constraints;

// A location that the source gives itself, as loc("model.py":12:7): a file with line and column, or a name (line 0).
typedef struct report_location {
  report_text text;
  uint32_t line, column;  // column 0: the source has none
  report_text function;   // "forward"; empty: the source has none
} report_location;

typedef struct report_locations {
  const report_location *items;
  uint32_t count;
} report_locations;

// How the requirements of the entry, of its regions and of what it calls ended: that many guards and unchecked ones are
// listed, and all others are proven, some by a guard of another one. The last three add up to the first.
typedef struct report_ledger {
  uint32_t requirements, proven, guards, unchecked;
} report_ledger;

// A requirement that no guard covers.
typedef struct report_unchecked {
  op_id op;  // ID_NONE: of the entry, which has none
  const char *requirement, *reason;
} report_unchecked;

typedef struct report_stats {
  uint32_t functions, ops, values, symbols, facts;
  uint64_t steps;
  uint32_t unsimplified;  // dims that are as rules gave them, as the budget for them was spent
  uint32_t unsuggested;   // queries for suggestions that were not asked, as the budget was spent
} report_stats;

// What report_certify found.
typedef struct report_certificate {
  bool made;
  uint32_t constraints, confirmed;  // of all lists, guards included
  uint32_t implications,
      implied;            // requirements without a guard of their own; those that the guards imply
  uint32_t contradicted;  // of both: a point speaks against it, a defect of the solver
} report_certificate;

typedef struct report_work report_work;

typedef struct shape_report {
  shape_graph *graph;
  infer_result *infer;  // NULL where the program could not be analysed: only diagnostics then
  bool ok;              // no error diagnostic
  const diag **diags;   // in order of location
  uint32_t diag_count;
  report_function *functions;  // the entry first, the others in the order of the source
  uint32_t function_count;
  report_shape *shapes;
  uint32_t shape_count;          // of what the answer speaks of; those of further values follow
  const uint32_t *value_shapes;  // by value_id: index of its shape, of every value
  report_symbol *symbols;
  uint32_t symbol_count;
  report_constraints constraints;  // of the entry's own scope
  report_constraints guards;       // over its arguments; their scope is where the requirement is
  report_constraints scoped;       // of inner scopes and other functions
  report_unchecked *unchecked;     // in order of location; one for each operation and requirement
  uint32_t unchecked_count;
  report_ledger ledger;
  const uint8_t
      *unproven;  // by op_id: it requires what nothing else proves; NULL: no operation does
  const char *const *assumptions;
  uint32_t assumption_count;
  bool refinable;  // the arguments determine every size of the program
  report_stats stats;
  report_certificate certificate;
  report_work *work;  // private
} shape_report;

// infer may be NULL: then the diagnostics of the graph are all there is to say.
shape_report *report_make(shape_graph *graph, infer_result *infer, shape_budget *budget);
// Adds an error for each operation whose dims the arguments do not determine, and says why, where there is one.
void report_require_refinable(shape_report *report);
enum { REPORT_LIKELY_MAX = 16 };
// The declared likely values of a term, or those that they give it; returns how many.
bool report_symbol_allows(const shape_report *report, const report_symbol *symbol, int64_t value);
bool report_has_likely(const shape_report *report);  // some are declared, or taken
// Of an expression: those of runs that were observed, in place of what likely values of its symbols make it.
void report_take_likely(shape_report *report, term_id term, const int64_t *values, uint32_t count);
uint32_t report_likely(shape_report *report, term_id term, int64_t values[REPORT_LIKELY_MAX]);
// Has the independent checker derive every constraint and guard again, from the facts as operations stated them; reasons
// become irreducible sets.
void report_certify(shape_report *report);
// dynamic.c: why a shape is not static: "dim 0 of argument 1 of @main is not given", "it depends on the data that ...".
void report_dynamic_reason(const shape_report *report, const report_shape *shape,
                           shape_strbuf *out);
// Any term of the analysis in answer form; TERM_NONE stays.
term_id report_answer(shape_report *report, term_id term);
// The text of a term in answer form; made once for each term.
report_text report_term(shape_report *report, term_id term);
// That of a predicate between terms in answer form, EQ, NE, LT, LE or DIVISIBLE: "S0 >= 1", "mod(S0, 4) == 0".
report_text report_predicate(shape_report *report, predicate p);
// The entry of a term in the list of symbols, or of the symbol with a number; NULL where it has none. O(1).
const report_symbol *report_symbol_of(const shape_report *report, term_id term);
const report_symbol *report_symbol_numbered(const shape_report *report, uint32_t number);
// Empty where the source gives none.
report_text report_function_name(const shape_report *report, func_id function);
// True, and *value, where the term is an integer.
bool report_constant(const shape_report *report, term_id term, num *value);
// Whether the arguments of the entry determine the size; false for TERM_NONE.
bool report_determined(shape_report *report, term_id term);
// Whether the function is one of the program: operations outside of functions that have no results, as declarations of
// symbols, are none to speak of.
bool report_is_function(const shape_report *report, const report_function *function);
// Where the source says that the operations of diagnostics come from: a list for each, which lives as long as the report.
void report_locate(shape_report *report, const report_locations *of_diagnostics);
report_locations report_locations_of(const shape_report *report, const diag *d);
// A message as people read it beside the report: dims of the entry's arguments, arg0.1, by the name that the report gives
// them, or by that of the argument, x.1. Safe for terminals.
void report_message(const shape_report *report, shape_strbuf *out, const char *message);
// What the answer suggests to assume (suggest.h), as text output has it, and how many guards that leaves. False: nothing.
bool report_suggested(shape_report *report, shape_strbuf *out, uint32_t *guards_left);
// A reason in the words of the source.
report_because report_reason(const shape_report *report, const reason *why);
const char *constraint_kind_name(constraint_kind kind);
const char *report_origin_name(report_origin origin);

#endif
