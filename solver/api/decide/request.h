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

#include <string.h>

#include "solver/api/decide/decide.h"
#include "solver/api/decide/scan.h"
#include "solver/decide/query.h"
#include "solver/term/parse.h"
#include "solver/term/print.h"

typedef enum query_kind { ASK_NOTHING, ASK_QUERY, ASK_SIMPLIFY, ASK_BOUNDS } query_kind;

typedef struct declared {
  text name;
  uint64_t key;  // text_key of it
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
  uint32_t found;   // the last of many that was looked for
  uint32_t *order;  // by order of declaration: where the symbol is in `items`; NULL: there
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

enum { TEXT_KEY = 8 };     // bytes
enum { MANY_NAMES = 12 };  // with more symbols than that, names are found in their order

static inline uint64_t text_word(const char *data, size_t length) {
  unsigned char bytes[TEXT_KEY] = {0};
  memcpy(bytes, data, length);
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(word) : word;
}
// The first eight bytes as a number: of two texts that differ in it, the lesser is that of the lesser one. Short ones are read
// in pieces of fixed length, which may overlap.
static inline uint64_t text_key(text x) {
  size_t n = x.length, middle = n / 2;
  if (n >= TEXT_KEY) return text_word(x.data, TEXT_KEY);
  if (n >= 4) return text_word(x.data, 4) | text_word(x.data + n - 4, 4) >> 8 * (n - 4);
  if (n <= 1) return n ? (uint64_t)(unsigned char)*x.data << 56 : 0;
  return text_word(x.data, 1) | text_word(x.data + middle, 1) >> 8 * middle |
         text_word(x.data + n - 1, 1) >> 8 * (n - 1);
}
// By bytes, of two texts with the same key.
static inline bool text_less_beyond(text x, text y) {
  size_t common = x.length < y.length ? x.length : y.length, i = TEXT_KEY;
  while (i < common && x.data[i] == y.data[i]) i++;
  if (i >= common) return x.length < y.length;
  return (unsigned char)x.data[i] < (unsigned char)y.data[i];
}
bool text_same_beyond(text x, text y);  // of one length
// Is that its name?
static inline bool declared_is(const declared *d, text name, uint64_t key) {
  return d->key == key && d->name.length == name.length &&
         (name.length <= TEXT_KEY || text_same_beyond(d->name, name));
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
