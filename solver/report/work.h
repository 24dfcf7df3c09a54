// SPDX-License-Identifier: Apache-2.0
// What the parts of the report share while it is made; private to solver/report/.
#ifndef SHAPE_REPORT_WORK_H
#define SHAPE_REPORT_WORK_H

#include "solver/decide/store_query.h"
#include "solver/report/report.h"
#include "solver/term/bits.h"
#include "solver/term/extract.h"
#include "solver/term/print.h"

// A symbol q that no reader knows and that a named or argument symbol s defines: s == factor*q + rest, factor > 0.
typedef struct quotient {
  term_id
      owner;  // s - rest, in answer form, a multiple of factor; negated where q has a negative coefficient
  term_id value;  // q itself: floordiv(owner, factor), in answer form
  num factor;
  term_id symbol;  // s
  term_id rest;
} quotient;

// Where an argument binds a symbol: the first argument axis or element that is exactly the symbol.
typedef struct symbol_origin {
  func_id function;  // ID_NONE: nowhere
  uint32_t argument, axis;
  bool value;  // an element, not a size
} symbol_origin;

typedef struct work_origins {
  uint32_t *of;  // by number of the symbol: 1 more than its index in items, or 0
  uint32_t of_count, of_cap;
  symbol_origin *items;
  uint32_t count, cap;
} work_origins;

// What arguments determine (names.c).
typedef struct work_settled {
  uint8_t *names;   // by symbol number, of those that name a term; NULL: not inspected yet
  uint32_t done;    // how many of them are
  term_bits terms;  // of terms
  term_bits own;    // exact.c
} work_settled;

typedef struct work_quotients {
  shape_imap of;  // symbol term q -> index in items
  quotient *items;
  uint32_t count, cap;
  const bool
      *of_arguments;  // as people_of_arguments says; NULL: every declared symbol counts as such
} work_quotients;

enum { SHAPES_NEAR = 64, SHAPES_FEW = 9 };  // SHAPES_FEW: fewer are in no map

typedef struct work_shapes {
  shape_imap map;
  uint32_t *next, next_cap;
  struct shape_key *keys;
  uint32_t key_cap, cap;
  // The function of the value that was asked for last, and what was found of that one.
  struct shape_last {
    func_id func;
    bool several;             // it has several frames
    value_id begin, count;    // of its frame's values, where it has one; else 0
    const value_info *infos;  // of those
    type_id declared;
    const term_id *dims;
    uint32_t rank, shape;
  } last;
  uint32_t near[SHAPES_NEAR];  // that was found or made last, of those whose keys fall together
  bool ranks_follow;           // unknown ranks are those of arguments
  // Dims with minima, simplified under all that is known: raw term -> smallest equal one.
  shape_imap simple;
  uint64_t simple_steps;  // spent on that
  struct near_points *simple_near;
} work_shapes;

// Likely values: declared, or of runs that were observed.
typedef struct work_likely {
  bool known;     // there are some
  shape_imap of;  // expression -> index in lists, where they are those of runs
  struct likely_list {
    const int64_t *items;
    uint32_t count;
  } * lists;
  uint32_t count, cap;
} work_likely;

struct report_work {
  shape_arena *arena;
  shape_arena scratch;  // of queries; rewound after each
  shape_budget *budget;
  infer_result *infer;
  uint32_t *frame_first, *frame_next;  // frames of each function, ID_NONE ends
  // names.c
  struct work_names {     // of entries of report->symbols
    uint32_t *of_symbol;  // by symbol number: 1 more than the index, or 0
    shape_imap of_atom;   // of other atoms: the index
  } names;
  term_texts texts;
  uint32_t symbol_cap;
  uint32_t next_name;  // number of the next S
  work_origins origin;
  term_id *symbol_terms;  // by symbol number, TERM_NONE where there is none
  uint32_t symbol_term_count;
  work_settled settled;
  // answer.c
  work_quotients quotient;
  shape_imap answers;  // canonical term -> answer form, where they may differ
  // select.c: claims whose predicate repeats that of a candidate
  struct claim_repeat {
    uint32_t claim, candidate;
  } * repeats;
  uint32_t repeat_count, repeat_cap;
  // ledger.c: requirements that the guards imply
  predicate *left_out;
  uint32_t left_out_count;
  // shapes.c
  work_shapes shape;
  bool named;  // names are finished: shapes that are made now have no text
  struct work_answer {
    const report_locations *locations;  // of each diagnostic; NULL: the source gives none
    bool suggested;                     // suggest.c: `suggestion` is made
    const struct report_suggestion *suggestion;
  } answer;
  work_likely likely;
};

// --- answer.c
void answer_find_quotients(shape_report *r);
term_id answer_by_quotients(shape_report *r, term_id canon);
static inline term_id answer_of_canon(shape_report *r, term_id canon) {
  return r->work->quotient.count ? answer_by_quotients(r, canon) : canon;
}
// The answer form of any term: canonical under the facts of the entry, then without the store's quotients.
static inline term_id answer_term(shape_report *r, term_id t) {
  return t == TERM_NONE ? t : answer_of_canon(r, store_canon(r->infer->store, t));
}

// --- names.c
void names_prepare(shape_report *r);
void names_bind(shape_report *r, term_id term, symbol_origin origin);
const symbol_origin *names_origin(const shape_report *r, term_id symbol);
void names_declared(shape_report *r);  // the author's symbols that nothing has mentioned
void names_finish(shape_report *r);    // ranges, origins and definitions of all symbols
void likely_finish(shape_report *r);   // likely values of all symbols, after that
// By the arguments of any function (by ID_NONE), or by those of the entry. Asked once every argument is described.
// Whether dims of arguments determine the term: concrete argument types make it a number.
bool names_refinable(shape_report *r, term_id term);
// --- refinable.c
void refinable_judge(shape_report *r);  // of all shapes, and of the program
// A length that is the rank of an argument, where ranks follow from those of arguments.
bool refinable_by_rank(const shape_report *r, uint32_t symbol);
void report_sort_diags(shape_report *r);
bool names_determined(shape_report *r, term_id term, func_id by);
void names_judge(shape_report *r, report_shape *s);  // both, of all dims of a shape that has some
bool names_is_declared(const shape_report *r, uint32_t symbol);

// --- shapes.c
uint32_t shapes_find(shape_report *r, func_id func, value_id value);
// Most values have type and dims of the one before them, in one array often.
static inline uint32_t shapes_of_value(shape_report *r, func_id func, value_id value) {
  const struct shape_last *last = &r->work->shape.last;
  if (func == last->func && value - last->begin < last->count) {
    const value_info *info = &last->infos[value - last->begin];
    if (info->dims == last->dims && info->rank == last->rank && info->visited && info->ranked &&
        r->graph->values[value].type == last->declared)
      return last->shape;
  }
  return shapes_find(r, func, value);
}
uint32_t shapes_of_type(shape_report *r, type_id declared);  // a value that infer says nothing of
report_elements shapes_elements(shape_report *r, func_id func, value_id value);

// --- classify.c
// Puts a predicate in answer form into the forms of the answer; false where it says nothing (or is no form we know).
bool classify_normal(shape_report *r, predicate p, predicate *out);
bool classify(shape_report *r, predicate normal, report_constraint *out);

// --- exact.c
// A term as it was stated, over what arguments of the entry show; TERM_NONE where it cannot be computed from them.
// Facts of symbols that operations made count where they are older than `before` (FACT_NONE: all).
term_id exact_term(shape_report *r, term_id t, fact_id before);
// Whether each symbol in it is its own answer form. While constraints are selected.
bool exact_is_answered(shape_report *r, term_id t);

// --- select.c and ledger.c
typedef struct candidate {
  predicate p;      // normal
  reason why;       // kind REASON_NONE: `because` of the store
  predicate asked;  // what to ask the store for, where why is REASON_NONE
  fact_id fact;
  uint32_t scope;
  uint32_t claim;  // index in infer->claims; ID_NONE: none
  bool guard;
  predicate requirement;  // as in report_constraint
  const predicate *when;
  uint32_t when_count;
  uint32_t cost;  // the dearest are dropped first
} candidate;

typedef struct candidates {
  candidate *items;
  uint32_t count, capacity;
} candidates;

void select_constraints(shape_report *r);
// Leaves in `keep` (one flag each) a subset that implies the rest within the budget.
enum { SELECT_MAY_GO = 1, SELECT_STAYS = 2 };
void select_irredundant(shape_report *r, const candidates *all, uint8_t *keep);
// Clears the flags of candidates from `first` on that repeat an earlier one which is kept.
void select_drop_repeats(shape_report *r, const candidates *all, uint32_t first, uint8_t *keep);
// kept: what select_irredundant left of all candidates of the entry's scope.
void ledger_make(shape_report *r, const candidates *entry, const uint8_t *kept);
void constraint_append(shape_report *r, report_constraints *to, const candidate *c,
                       const char *scope);

// --- explain.c
void explain_candidate(shape_report *r, const candidate *c, report_constraint *out);
const char *explain_scope(shape_report *r, uint32_t scope);

#endif
