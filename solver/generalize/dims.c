// SPDX-License-Identifier: Apache-2.0
// Terms over dims of arguments as instructions of a program: what every writer of a format shares.
#include <assert.h>

#include "solver/generalize/work.h"

static uint32_t make_number(void *data, num n) {
  const dim_writer *w = data;
  int64_t value = 0;
  bool fits = num_to_int(n, &value);
  assert(fits);
  (void)fits;
  return w->forms->number(w->to, value);
}

static uint32_t step(const dim_writer *w, dim_step s, uint32_t a, uint32_t b) {
  return w->forms->step(w->to, s, a, b);
}

static uint32_t make_step(void *data, bool product, uint32_t a, uint32_t b) {
  return step(data, product ? DIM_MULTIPLY : DIM_ADD, a, b);
}

static uint32_t make_argument(const dim_writer *w, uint32_t symbol) {
  const infer_origin *o = &w->x->report->infer->origins[symbol];
  assert(o->kind == ORIGIN_ARGUMENT_SIZE && o->frame == 0);
  return w->forms->argument(w->to, o->argument, o->axis);
}

// What is left of a where it is divided by b, with the sign of a.
static uint32_t rest_of(const dim_writer *w, uint32_t a, uint32_t b) {
  return step(w, DIM_SUBTRACT, a, step(w, DIM_MULTIPLY, step(w, DIM_DIVIDE, a, b), b));
}

// Rounds to minus infinity: where division truncates, a remainder that is less than zero is made up for.
static uint32_t make_floordiv(dim_writer *w, term_id dividend, term_id divisor) {
  interval range = store_range(w->x->report->infer->store, dividend);
  uint32_t a = dim_put(w, dividend), b = dim_put(w, divisor);
  if (w->forms->floors || (range.has_lo && num_sign(range.lo) >= 0))
    return step(w, DIM_DIVIDE, a, b);
  uint32_t rest = rest_of(w, step(w, DIM_ADD, rest_of(w, a, b), b), b);
  return step(w, DIM_DIVIDE, step(w, DIM_SUBTRACT, a, rest), b);
}

static uint32_t make_atom(void *data, term_id atom) {
  dim_writer *w = data;
  const term_node node = *term_get(w->x->terms, atom);
  const term_id *args = node.as.args;
  switch ((term_kind)node.kind) {
  case TERM_SYMBOL: return make_argument(w, node.as.symbol);
  case TERM_FLOORDIV: return make_floordiv(w, args[0], args[1]);
  case TERM_BCAST: {
    uint32_t a = dim_put(w, args[0]), b = dim_put(w, args[1]);
    return w->forms->broadcast(w->to, a, b, dim_put(w, TERM_ONE));
  }
  default: break;
  }
  assert(node.kind == TERM_MIN);
  uint32_t least = dim_put(w, args[0]);
  for (uint32_t i = 1; i < node.count; i++)
    least = step(w, DIM_MINIMUM, least, dim_put(w, args[i]));
  return least;
}

void dim_writer_init(dim_writer *w, const resolving *x, const dim_forms *forms, void *to) {
  *w = (dim_writer){.x = x, .forms = forms, .to = to};
  w->computed = (instructions){.terms = x->terms,
                               .arena = x->graph->arena,
                               .number = make_number,
                               .atom = make_atom,
                               .step = make_step,
                               .writer = w};
}

uint32_t dim_put(dim_writer *w, term_id term) { return instructions_put(&w->computed, term); }

const char *dim_prefix(const shape_graph *g, const char *stem,
                       bool (*is_used)(const shape_graph *g, const char *prefix)) {
  for (uint32_t i = 0;; i++) {
    shape_strbuf word;
    strbuf_init(&word, g->arena);
    strbuf_puts(&word, stem);
    if (i) strbuf_printf(&word, "%u_", i);
    const char *prefix = strbuf_text(&word);
    if (!is_used(g, prefix)) return prefix;
  }
}
