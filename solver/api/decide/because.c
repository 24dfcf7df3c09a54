// SPDX-License-Identifier: Apache-2.0
// Why an answer holds, as an irreducible set of the assumptions, and what would settle an open query.
#include <assert.h>
#include <string.h>

#include "solver/api/decide/request.h"
#include "solver/certify/point.h"
#include "solver/decide/suggest.h"

// At most that many suggestions are made for an open query.
enum { SUGGESTIONS = 3 };

because because_of(request *r, const query *q, uint32_t own, const predicate *goal) {
  because b = {.kept = arena_zalloc(r->arena, r->given.count + 1u)};
  if (!r->explain || r->conflict) return b;
  assert(own <= q->premise_count && r->parts.own_links <= r->parts.link_count);
  query_parts parts = {r->parts.links, r->parts.link_count, r->given.count};
  query part = *q;
  if (!goal) {
    part.premise_count = own;
    parts.link_count = r->parts.own_links;  // those of the query are last
  }
  // Reasons have an allowance of their own: they are there whatever the answer has cost.
  uint64_t left = budget_left(&r->budget);
  budget_allow(&r->budget, r->options->steps ? r->options->steps : DECIDE_STEPS);
  bool reduced = false;
  // In an order that is not that of the request, so that the set does not depend on it.
  uint8_t *kept = arena_zalloc(r->arena, r->given.count + 1u);
  b.found = query_core(&part, goal, &parts, kept, &reduced);
  for (uint32_t k = 0; k < r->given.count; k++) {
    uint32_t at = r->given.order ? r->given.order[k] : k;
    assert(at < r->given.count);
    b.kept[at] = kept[k];
  }
  b.whole = !reduced;
  budget_allow(&r->budget, left);
  if (!b.found) {
    b.found = true;
    memset(b.kept, 1, r->given.count);
  }
  return b;
}

void because_list(request *r, const because *b) {
  bool first = true;
  assert(b->found && b->kept);
  PUT(r->out, "[");
  for (uint32_t i = 0; i < r->given.count; i++) {
    if (!b->kept[i]) continue;
    if (!first) PUT(r->out, ", ");
    strbuf_int(r->out, i);
    first = false;
  }
  PUT(r->out, "]");
}

static bool is_empty(const request *r, const because *b) {
  for (uint32_t i = 0; i < r->given.count; i++) {
    if (b->kept[i]) return false;
  }
  return true;
}

void because_write(request *r, const because *b, const char *lead, const num *value) {
  if (!b->found) return;
  if (!r->options->readable) {
    PUT(r->out, ", \"because\": ");
    because_list(r, b);
    if (b->whole) PUT(r->out, ", \"reduced\": false");
    return;
  }
  if (r->given.count && is_empty(r, b)) PUT(r->out, "  no assumption is needed\n");
  for (uint32_t i = 0; i < r->given.count; i++) {
    if (!b->kept[i]) continue;
    strbuf_puts(r->out, lead);
    if (value) {
      num_print(r->out, *value);
      PUT(r->out, " because ");
    }
    strbuf_add(r->out, r->given.items[i].data, r->given.items[i].length);
    PUT(r->out, "\n");
  }
}

bool because_same(const request *r, const because *a, const because *b) {
  assert(a->kept && b->kept);
  return a->found == b->found && memcmp(a->kept, b->kept, r->given.count) == 0;
}

// --- suggestions

typedef struct suggesting {
  const query *q;
  const predicate *goal;
  predicate found[SUGGESTIONS];
  uint32_t count;
} suggesting;

static void suggest(void *data) {
  suggesting *x = data;
  x->count = query_suggest(x->q, *x->goal, x->found, SUGGESTIONS);
}

void suggestions_write(request *r, const query *q, const predicate *goal) {
  suggesting x = {.q = q, .goal = goal};
  if (!r->explain) return;  // each is solved again
  // Where memory runs out there are none, and what was found before is the answer still.
  uint32_t count = check_guarded(q, suggest, &x) ? x.count : 0;
  const predicate *found = x.found;
  assert(count <= SUGGESTIONS);
  if (!r->options->readable) PUT(r->out, ", \"suggestions\": [");
  for (uint32_t i = 0; i < count; i++) {
    if (r->options->readable) {
      PUT(r->out, "  it would follow if   ");
      reply_predicate(r, r->out, found[i]);
      PUT(r->out, "\n");
      continue;
    }
    shape_strbuf line;
    strbuf_init(&line, r->arena);
    reply_predicate(r, &line, found[i]);
    if (i) PUT(r->out, ", ");
    reply_string(r->out, line.data, line.length);
  }
  if (!r->options->readable) PUT(r->out, "]");
}
