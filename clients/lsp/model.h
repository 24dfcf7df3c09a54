// SPDX-License-Identifier: Apache-2.0
// What is known of a text, in the form that the features of the language server need: texts and locations. Made by the
// library in this process (model.c), or from the answer of a daemon (model_daemon.c).
//
// Everything lives in the arena of its program, which the text of the document outlives; functions that take a model
// may allocate there and leave through arena_fail, so they run below lsp_model_protect. Texts that are equal are the
// same pointer where they come from the library.
#ifndef SHAPE_CLIENTS_LSP_MODEL_H
#define SHAPE_CLIENTS_LSP_MODEL_H

#include "clients/lsp/recover.h"
#include "clients/lsp/server.h"
#include "clients/lsp/settings.h"
#include "solver/formats/mlir/uses.h"
#include "solver/transform/types.h"
#include "solver/report/report.h"
#include "solver/analysis/run.h"

typedef struct lsp_shape {
  const char *type;  // refined; NULL: nothing is known
  const report_text *dims;
  uint32_t rank;
  bool ranked;
  bool dynamic;     // the type in the text has a size that is not a number
  bool says_more;   // than the type in the text: another type, or an expression for a ?
  bool determined;  // the arguments determine every size
} lsp_shape;

typedef struct lsp_symbol {
  report_text name;
  const char *origin;  // "argument_size", ...
  func_id function;    // ID_NONE: none
  uint32_t argument, axis;
  source_span span;        // SPAN_NONE: nowhere in the text
  report_text range;       // "1..16", "0.." without an end
  report_text divisor;     // "4"; empty: nothing
  report_text likely;      // "1, 8, 16"; empty: nothing
  report_text definition;  // empty: none
} lsp_symbol;

typedef struct lsp_reason {
  source_span span;
  const char *rule, *message;  // rule: may be NULL
} lsp_reason;

typedef struct lsp_constraint {
  report_text kind, expr;
  report_text function;  // of its scope
  report_text scope;
  const lsp_reason *because;
  uint32_t because_count;
} lsp_constraint;

typedef struct lsp_diag {
  diag_severity severity;
  const char *code, *message;
  source_span span;
  const diag_related *related;
  uint32_t related_count;
  report_locations locations;  // where the source says that its operation comes from
} lsp_diag;

// A type that the text writes for one value, or for several that have the same.
typedef struct lsp_type_location {
  source_span span;
  value_id value;
} lsp_type_location;

// A name %x where it is defined or used.
typedef struct lsp_name_location {
  uint32_t at;
  value_id value;
} lsp_name_location;

// Where types and names are, in the order of the text. Each list is made when first asked for.
typedef struct lsp_index {
  lsp_type_location *types;
  uint32_t type_count;
  lsp_name_location *names, *definitions;
  uint32_t name_count, definition_count;
} lsp_index;

typedef struct lsp_shapes {
  uint32_t *of;      // by value_id: index in items, or ID_NONE
  lsp_shape *items;  // from the library: made when first asked for
  uint8_t *made;
  uint32_t count;
} lsp_shapes;

typedef struct lsp_facts {
  lsp_constraint *constraints, *guards, *scoped;
  // expr: the requirement; because: where it is, and why no guard says it
  lsp_constraint *unchecked;
  uint32_t constraint_count, guard_count, scoped_count, unchecked_count;
} lsp_facts;

// What is found out once for each text.
typedef struct lsp_judged {
  uint8_t *informs;  // by func_id, see informs.c; NULL: not asked yet
  shape_imap
      offers;  // see actions.c: name in graph->names of an action -> whether its edits can be written
} lsp_judged;

// An earlier text of a document, from which later ones are read.
typedef struct lsp_earlier {
  shape_arena arena;
  const mlir_earlier *reading;
  uint32_t holders;
} lsp_earlier;

typedef struct lsp_model {
  shape_run *program;
  lsp_earlier *earlier;  // that the graph was read from; NULL: from the text alone
  shape_graph *graph;
  shape_report *report;  // NULL: of a daemon, or nothing could be analysed
  mlir_uses uses;
  lsp_cuts cuts;
  shape_arena scratch;  // of one request; rewound after each
  lsp_shapes shape;
  lsp_symbol *symbols;
  uint32_t symbol_count;
  shape_imap symbol_by_name;  // name in graph->names -> index
  lsp_facts facts;
  lsp_diag *diags;
  uint32_t diag_count;
  const report_text *assumptions;
  uint32_t assumption_count;
  report_text entry;  // the name of the entry; empty: none
  bool complete;      // no syntax errors: the whole text was analysed
  lsp_index index;
  refined_types *refined;
  shape_report *own;  // see lsp_model_report
  bool refines;       // some type is more refined than the text has it
  lsp_judged judged;
  const lsp_settings *settings;
  cJSON *answer;  // of a daemon, while it is read
} lsp_model;

typedef struct lsp_model_request {
  const char *text;  // outlives the model
  uint32_t length;
  bool python;  // an FX graph; else MLIR
  const lsp_settings *settings;
  const lsp_host *host;
  lsp_earlier *earlier;  // may be NULL
  bool analyse;          // false: only the text is read, because an analysis could not be ended
} lsp_model_request;

// NULL: *status says why. MEMORY, BUDGET and BITS are about the program; CANCELLED and DEADLINE come from the host's flag.
lsp_model *lsp_model_new(const lsp_model_request *request, shape_status *status);
void lsp_model_free(lsp_model *model);
// NULL: there is no memory, or nothing can be read from this text. One who has it lets go of it.
lsp_earlier *lsp_earlier_new(const char *text, uint32_t length, const atomic_int *stop);
void lsp_earlier_free(lsp_earlier *earlier);
shape_status lsp_model_protect(lsp_model *model, void (*body)(lsp_model *model, void *data),
                               void *data);

// Fills a model from the answer of a daemon. False: it is none for this text. (model_daemon.c)
bool lsp_model_take_answer(lsp_model *model, const cJSON *answer);
// What the library says, also where a daemon was asked: analysed now, the first time. NULL: it cannot be.
shape_report *lsp_model_report(lsp_model *model);

// NULL where nothing is known of the value.
const lsp_shape *lsp_model_shape(lsp_model *model, value_id value);
const lsp_symbol *lsp_model_symbol(const lsp_model *model, const char *name, size_t length);
void lsp_model_index_symbols(lsp_model *model);  // once they are all there
// Whether the arguments decide the size.
bool lsp_model_determined(const lsp_model *model, report_text dim);
// Where a symbol comes from, as exactly as the text has it: the size of an argument's type. SPAN_NONE: nowhere.
source_span lsp_model_symbol_location(lsp_model *model, const lsp_symbol *symbol);
// The end of the word that begins there; `at` itself where none does.
uint32_t lsp_word_end(report_text text, uint32_t at);
func_id lsp_model_function_of(const lsp_model *model, value_id value);

// --- locations.c
// What the last block of a function returns as result `index`; VALUE_NONE.
value_id lsp_returned(const shape_graph *graph, const graph_func *func, uint32_t index);
void lsp_model_index(lsp_model *model);  // types and names; does nothing the second time
void lsp_model_index_definitions(lsp_model *model);  // names where they are defined, alone
const lsp_type_location *lsp_model_type_at(lsp_model *model, uint32_t offset);
const lsp_name_location *lsp_model_name_at(lsp_model *model, uint32_t offset);
// Index of the first name or type that does not lie in front of the byte.
uint32_t lsp_model_first_name(const lsp_name_location *names, uint32_t count, uint32_t offset);
uint32_t lsp_model_first_type(const lsp_model *model, uint32_t offset);
// The spans of the dims in a type `tensor<...>`, at most `room`; returns how many there are, 0 where it is another type.
uint32_t lsp_type_dims(const lsp_model *model, source_span type, source_span *sizes, uint32_t room);
// %name, or %name#1, that begins there.
source_span lsp_name_span(const lsp_model *model, uint32_t at);
func_id lsp_model_func_at(const lsp_model *model, uint32_t offset);  // ID_NONE: none
// The innermost operation whose text holds the byte, or ID_NONE.
op_id lsp_model_op_at(const lsp_model *model, uint32_t offset);

#endif
