// SPDX-License-Identifier: Apache-2.0
// One request of `shape decide` while it is answered; private to solver/api/decide/.
//
//   read.c     reads the line
//   stream.c   sorts and parses what it declares and assumes
//   answer.c   asks the decision procedure, has the checker confirm, and writes the reply
//   because.c  an irreducible set of the assumptions after an answer; suggestions
//   narrate.c  the lines of a trace
#ifndef SHAPE_API_DECIDE_REQUEST_H
#define SHAPE_API_DECIDE_REQUEST_H

#include "solver/api/decide/decide.h"
#include "solver/api/decide/scan.h"
#include "solver/base/intern.h"
#include "solver/decide/query.h"
#include "solver/term/parse.h"
#include "solver/term/print.h"

typedef enum query_kind { ASK_NOTHING, ASK_QUERY, ASK_SIMPLIFY, ASK_BOUNDS } query_kind;

typedef struct declared {
  text name;
  interval range;
  num multiple_of;
  bool is_dim;       // at least 0 where nothing says a minimum
  text definition;   // length 0: none; else the expression that the name denotes
  interval *ranges;  // disjoint and in order; their hull is `range`
  uint32_t range_count, range_capacity;
} declared;

typedef struct request_symbols {
  declared *items;
  uint32_t count, capacity;
  uint32_t *order;     // by order of declaration: where the symbol is in `items`; NULL: there
  shape_intern names;  // ids are indices of symbols; only when there are many
} request_symbols;

typedef struct request_assumptions {
  text *items;
  uint32_t count, capacity;
  uint32_t *order;  // by part of the query: the assumption; NULL: they are in order
} request_assumptions;

// What the query is made of.
typedef struct request_parts {
  query_symbol *symbols;
  predicate *premises;
  uint32_t premise_count, premise_capacity;
  // Only to explain: which premise belongs to which assumption. That a divisor is not 0 belongs to each that divides by
  // it; QUERY_ALWAYS: to the query.
  query_link *links;
  uint32_t link_count, link_capacity;
  uint32_t own_links;  // except those of the query
  uint32_t owner;      // of the premises that are being made
} request_parts;

typedef struct request {
  shape_arena *arena;
  shape_budget budget;
  term_table terms;
  scanner scan;
  text id;
  bool has_symbols, has_assume, explain;
  const char *unknown;  // NULL, or what is wrong with the first key that is not known
  size_t unknown_at;
  request_symbols of;
  request_assumptions given;
  query_kind kind;
  text query;
  request_parts parts;
  bool conflict;
  bool asked;         // the query was read without errors
  const char *field;  // of an error
  const decide_options *options;
  const char *line;
  size_t line_length;
  shape_strbuf *out;
  decide_outcome outcome;
} request;

enum { HASHED_NAMES = 12 };  // with more symbols than that, names are found by hash

// For names, which are short.
static inline bool request_same_name(text x, const char *name, size_t length) {
  if (x.length != length) return false;
  for (size_t i = 0; i < length; i++) {
    if (x.data[i] != name[i]) return false;
  }
  return true;
}

// Reads the line; false after an error of `scan`.
bool request_parse(request *r);

void reply_begin(request *r);
void reply_string(shape_strbuf *out, const char *data, size_t length);
void reply_predicate(request *r, shape_strbuf *to, predicate p);

// An expression of the reply, read as a client would: its divisors are those that are no constants.
typedef struct reading {
  request *r;
  term_id t;
  term_id *divisors;
  uint32_t divisor_count, divisor_capacity;
} reading;

bool request_read(request *r, text source, reading *out);

// --- answer.c
// own: premises that the assumptions alone make; the others say where the query is defined.
void answer_query(request *r, query *q, uint32_t own, predicate query);
void answer_bounds(request *r, query *q, uint32_t own, term_id t);
void answer_simplify(request *r, query *q, uint32_t own, term_id t);

// --- because.c
typedef struct because {
  bool found;
  bool whole;  // all assumptions: the answer took more than one query, and no smaller set was found
  uint8_t *kept;  // one flag per assumption
} because;

// Why the query is true, or false; NULL: why the premises conflict, of which the first `own` count.
because because_of(request *r, const query *q, uint32_t own, const predicate *query);
// ", \"because\": [..]"; for people a line for each: lead, then `value because` where there is a value.
void because_write(request *r, const because *b, const char *lead, const num *value);
void because_list(request *r, const because *b);  // "[..]"
bool because_same(const request *r, const because *a, const because *b);
void suggestions_write(request *r, const query *q, const predicate *query);

// --- narrate.c
void narrate_request(request *r, uint32_t own);  // where it was read: symbols and premises
void narrate_end(request *r);

#define PUT(out, literal) strbuf_add(out, literal, sizeof(literal) - 1)

#endif
