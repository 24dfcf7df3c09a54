// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/likely.h"

#include <assert.h>
#include <string.h>

#include "solver/base/imap.h"
#include "solver/report/named.h"

typedef struct binding {
  term_id term;
  int64_t value;
} binding;

// What the symbols are at one point.
typedef struct evaluation {
  shape_report *report;
  term_table *terms;
  const likely_point *point;
  binding *bindings;
  uint32_t count;
} evaluation;

struct likely_set {
  shape_report *report;
  shape_imap symbols;  // their terms
  evaluation *points;
  uint32_t count;
};

static term_id value_of_atom(void *data, term_id atom) {
  const evaluation *e = data;
  for (uint32_t i = 0; i < e->count; i++) {
    if (e->bindings[i].term == atom) return term_int(e->terms, e->bindings[i].value);
  }
  return atom;
}

static bool evaluate(evaluation *e, term_id term, num *value) {
  if (term == TERM_NONE) return false;
  return term_const_value(e->terms, term_substitute(e->terms, term, value_of_atom, e, NULL), value);
}

static bool is_symbol(const likely_set *set, term_id term) {
  uint32_t index;
  return imap_get(&set->symbols, term, &index);
}

// Dims that are symbols; those that are expressions are checked against them.
static void bind_point(likely_set *set, evaluation *e, const likely_point *p) {
  shape_report *r = set->report;
  assert(set->count <= LIKELY_POINTS_MAX);
  *e = (evaluation){.report = r, .terms = r->infer->terms, .point = p};
  e->bindings = arena_alloc(r->graph->arena, (p->size_count + 1) * sizeof *e->bindings);
  for (uint32_t i = 0; i < p->size_count; i++) {
    term_id term = report_named_term(r, p->sizes[i].name, p->sizes[i].name_length);
    if (term == TERM_NONE || !is_symbol(set, term) || value_of_atom(e, term) != term) continue;
    e->bindings[e->count++] = (binding){term, p->sizes[i].value};
  }
}

likely_set *likely_new(shape_report *r, const likely_point *points, uint32_t count) {
  shape_arena *arena = r->graph->arena;
  likely_set *set = arena_zalloc(arena, sizeof *set);
  set->report = r;
  set->count = count < LIKELY_POINTS_MAX ? count : LIKELY_POINTS_MAX;
  for (uint32_t i = 0; i < r->symbol_count; i++)
    imap_put(&set->symbols, arena, r->symbols[i].term, i);
  set->points = arena_alloc(arena, (set->count + 1) * sizeof *set->points);
  for (uint32_t i = 0; i < set->count; i++) bind_point(set, &set->points[i], &points[i]);
  return set;
}

// --- what a point breaks

static void begin_invalid(json_writer *w, uint32_t point, const char *key) {
  json_begin_object(w);
  json_put_int(w, "observation", point);
  json_key_string(w, key);
}

// Of a divisor 0 nothing is claimed.
static bool is_met(relation rel, num left, num right, shape_budget *budget) {
  if (rel == REL_DIVISIBLE) return num_is_zero(right) || num_divides(budget, right, left);
  return relation_holds(rel, num_compare(left, right));
}

static bool check_list(evaluation *e, uint32_t point, const report_constraints *list,
                       json_writer *w) {
  bool fine = true;
  for (uint32_t i = 0; i < list->count; i++) {
    const report_constraint *c = &list->items[i];
    num left, right;
    if (!evaluate(e, c->p.left, &left) || !evaluate(e, c->p.right, &right) ||
        is_met(c->p.rel, left, right, e->terms->budget)) {
      continue;
    }
    fine = false;
    begin_invalid(w, point, "expr");
    json_text(w, c->expr.text, c->expr.length);
    json_end_object(w);
  }
  return fine;
}

static bool check_symbols(evaluation *e, uint32_t point, json_writer *w) {
  bool fine = true;
  for (uint32_t i = 0; i < e->report->symbol_count; i++) {
    const report_symbol *s = &e->report->symbols[i];
    num value;
    int64_t small;
    if (!evaluate(e, s->term, &value) || !num_to_int(value, &small) ||
        report_symbol_allows(e->report, s, small)) {
      continue;
    }
    fine = false;
    begin_invalid(w, point, "expr");
    shape_strbuf text;
    strbuf_init(&text, e->report->graph->arena);
    strbuf_printf(&text, "%.*s == %lld", (int)s->name.length, s->name.text, (long long)small);
    json_text(w, text.data, text.length);
    json_end_object(w);
  }
  return fine;
}

static bool check_sizes(evaluation *e, uint32_t point, json_writer *w) {
  const likely_point *p = e->point;
  bool fine = true;
  for (uint32_t i = 0; i < p->size_count; i++) {
    const likely_size *size = &p->sizes[i];
    term_id term = report_named_term(e->report, size->name, size->name_length);
    num value;
    if (term == TERM_NONE) {
      begin_invalid(w, point, "unknown");
      json_text(w, size->name, size->name_length);
      json_end_object(w);
      fine = false;
    } else if (evaluate(e, term, &value) && num_compare(value, num_from_int(size->value)) != 0) {
      report_text text = report_term(e->report, term);
      shape_strbuf out;
      strbuf_init(&out, e->report->graph->arena);
      strbuf_printf(&out, "%.*s == %.*s", (int)size->name_length, size->name, (int)text.length,
                    text.text);
      begin_invalid(w, point, "expr");
      json_text(w, out.data, out.length);
      json_end_object(w);
      fine = false;
    }
  }
  return fine;
}

void likely_check(likely_set *set, json_writer *w, bool *violated) {
  shape_report *r = set->report;
  json_begin_array(w);
  for (uint32_t i = 0; i < set->count; i++) {
    evaluation *e = &set->points[i];
    bool fine = check_sizes(e, i, w);
    fine = check_symbols(e, i, w) && fine;
    fine = check_list(e, i, &r->constraints, w) && fine;
    // Guards say what is checked at run time; a run that was seen has passed those as well.
    fine = check_list(e, i, &r->guards, w) && fine;
    violated[i] = !fine;
  }
  json_end_array(w);
}

// --- likely values

typedef struct tally {
  int64_t value;
  uint64_t count;
} tally;

static uint32_t tally_up(likely_set *set, term_id term, tally *out) {
  assert(set->count <= LIKELY_POINTS_MAX);
  uint32_t used = 0;
  for (uint32_t i = 0; i < set->count; i++) {
    num value;
    int64_t small;
    uint32_t at = 0;
    if (!evaluate(&set->points[i], term, &value) || !num_to_int(value, &small)) continue;
    while (at < used && out[at].value != small) at++;
    if (at == used) out[used++] = (tally){small, 0};
    out[at].count += set->points[i].point->count;
  }
  assert(used <= set->count);
  return used;
}

uint32_t likely_values(likely_set *set, term_id term, int64_t values[LIKELY_VALUES_MAX]) {
  tally all[LIKELY_POINTS_MAX];
  uint32_t used = tally_up(set, term, all);
  if (!used) return report_likely(set->report, term, values);
  // By frequency, then by size: the order of the points does not show.
  assert(used <= LIKELY_POINTS_MAX);
  for (uint32_t i = 1; i < used; i++) {
    tally t = all[i];
    uint32_t k = i;
    for (; k > 0 && (all[k - 1].count < t.count ||
                     (all[k - 1].count == t.count && all[k - 1].value > t.value));
         k--) {
      all[k] = all[k - 1];
    }
    all[k] = t;
  }
  if (used > LIKELY_VALUES_MAX) used = LIKELY_VALUES_MAX;
  for (uint32_t i = 0; i < used; i++) values[i] = all[i].value;
  return used;
}

// Of dims that are expressions, those of the points.
static void take_derived(likely_set *set) {
  shape_report *r = set->report;
  tally all[LIKELY_POINTS_MAX];
  int64_t values[LIKELY_VALUES_MAX];
  for (uint32_t i = 0; i < r->shape_count; i++) {
    const report_shape *s = &r->shapes[i];
    for (uint32_t k = 0; s->ranked && k < s->rank; k++) {
      term_id term = s->dims[k];
      num constant;
      if (term == TERM_NONE || is_symbol(set, term)) continue;
      if (term_const_value(r->infer->terms, term, &constant) || !tally_up(set, term, all)) continue;
      report_take_likely(r, term, values, likely_values(set, term, values));
    }
  }
}

void likely_take(likely_set *set) {
  shape_report *r = set->report;
  if (set->count) take_derived(set);
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    report_symbol *s = &r->symbols[i];
    int64_t values[LIKELY_VALUES_MAX];
    tally all[LIKELY_POINTS_MAX];
    if (tally_up(set, s->term, all)) {
      s->likely_count = likely_values(set, s->term, values);
      int64_t *kept = arena_alloc(r->graph->arena, sizeof values);
      memcpy(kept, values, s->likely_count * sizeof *kept);
      s->likely = kept;
    }
    if (!s->declared || !s->likely_count) continue;
    graph_symbol *declared = &r->graph->declared.symbols[s->declared - r->graph->declared.symbols];
    declared->likely = s->likely;
    declared->likely_count = s->likely_count;
  }
}

static void encode_size(likely_set *set, term_id term, json_writer *w) {
  int64_t values[LIKELY_VALUES_MAX];
  uint32_t used = likely_values(set, term, values);
  if (!used) return;
  report_text text = report_term(set->report, term);
  json_begin_object(w);
  json_key(w, "expr");
  json_text(w, text.text, text.length);
  json_key_array(w, "values");
  for (uint32_t i = 0; i < used; i++) json_int(w, values[i]);
  json_end_array(w);
  json_end_object(w);
}

void likely_encode(likely_set *set, json_writer *w) {
  shape_report *r = set->report;
  shape_imap seen = {0};
  num constant;
  uint32_t index;
  json_begin_array(w);
  for (uint32_t i = 0; i < r->shape_count; i++) {
    const report_shape *s = &r->shapes[i];
    for (uint32_t k = 0; s->ranked && k < s->rank; k++) {
      term_id term = s->dims[k];
      if (term == TERM_NONE || is_symbol(set, term) || imap_get(&seen, term, &index) ||
          term_const_value(r->infer->terms, term, &constant)) {
        continue;
      }
      imap_put(&seen, r->graph->arena, term, 1);
      encode_size(set, term, w);
    }
  }
  json_end_array(w);
}
