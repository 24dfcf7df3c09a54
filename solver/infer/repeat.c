// SPDX-License-Identifier: Apache-2.0
#include "solver/infer/repeat.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"

#define STEP UINT64_C(0x9e3779b97f4a7c15)

#ifdef SHAPE_DEBUG
enum { CHECKED = 1 };
#else
enum { CHECKED = 0 };
#endif

enum {
  REPEAT_BITS = 9,
  REPEAT_SLOTS = 1 << REPEAT_BITS,
  REPEAT_FROM = CHECKED ? 1 : 128,  // operations of a program
  REPEAT_ELEMENTS = 16,             // of an operand
  REPEAT_STEPS = 1 << 21,           // with less left, a rule may find less than it did
  REPEAT_TRIED = 1024,  // operations after which it is seen whether the program repeats itself,
  REPEAT_WORTH = 8      // which it does where one of these repeats another
};

// They read attributes, types and what is known of operands, and nothing else of the graph: no other operation, no use, no
// region.
static rule_function *const repeatable[] = {
    rule_binary,
    rule_broadcast,
    rule_broadcast_in_dim,
    rule_clamp,
    rule_complex_part,
    rule_concatenate,
    rule_constant,
    rule_convert,
    rule_dot,
    rule_dot_general,
    rule_dynamic_slice,
    rule_gather,
    rule_get_dimension_size,
    rule_iota,
    rule_is_finite,
    rule_make_complex,
    rule_pad,
    rule_reduce_precision,
    rule_reshape,
    rule_select,
    rule_slice,
    rule_transpose,
    rule_unary,
};

typedef struct repeat_record {
  uint64_t hash, state;
  op_id op;         // it is like this one
  uint32_t proven;  // requirements that were known
  uint32_t like;    // the operand whose dims the result shares, or REPEAT_OPERANDS
  bool conditional;
  struct repeat_record **next;  // the slot of what followed it last; NULL: not known
  value_info result;
  value_info operands[REPEAT_OPERANDS];
} repeat_record;

struct repeat_table {
  uint8_t *rules;  // by name_id: 0: not known, 1: one of `repeatable`, 2: another
  uint32_t tried, found;
  uint32_t forgotten;   // how often; nothing that was remembered before counts
  repeat_record *last;  // of the operation before, NULL: it has none
  repeat_record *slots[REPEAT_SLOTS];
};

void repeat_init(infer_state *s) {
  if (s->g->op_count < REPEAT_FROM || s->budget->trace) return;
  s->row.repeats = arena_zalloc(s->arena, sizeof *s->row.repeats);
  s->row.repeats->rules = arena_zalloc(s->arena, s->row.count + 1);
}

void repeat_forget(infer_state *s) {
  if (s->row.repeats) s->row.repeats->forgotten++;
}

// No part of the sum ever falls: it is the same while both are.
static inline uint64_t state_of(const infer_state *s) {
  return store_state(s->store) + s->row.repeats->forgotten;
}

static inline uint32_t notes_of(const infer_state *s) {
  return s->options->log ? s->options->log->store.count : 0;
}

static bool is_repeatable(const op_row *row) {
  if (row->structure != OP_PLAIN || row->since) return false;
  for (size_t i = 0; i < sizeof repeatable / sizeof *repeatable; i++) {
    if (row->rule == repeatable[i]) return true;
  }
  return false;
}

static inline bool has_rule(infer_state *s, struct repeat_table *t, op_id op) {
  name_id name = s->g->ops[op].name;
  if (name >= s->row.count) return false;
  if (!t->rules[name]) t->rules[name] = is_repeatable(walk_row(s, op)) ? 1 : 2;
  return t->rules[name] == 1;
}

// --- what is compared

// What a value_info says besides its arrays.
enum { REST = offsetof(value_info, rank), REST_BYTES = sizeof(value_info) - REST };

static inline bool same_terms(const term_id *a, const term_id *b, uint32_t count) {
  for (uint32_t i = 0; a != b && i < count; i++) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

static inline bool same_info(const value_info *a, const value_info *b) {
  return memcmp((const char *)a + REST, (const char *)b + REST, REST_BYTES) == 0 &&
         !a->elements == !b->elements && same_terms(a->dims, b->dims, a->rank) &&
         same_terms(a->elements, b->elements, a->element_count);
}

// Whether the records can hold what is known of it.
static inline bool is_plain(const value_info *v) {
  return !v->extra && !v->keeps_stated && v->element_count <= REPEAT_ELEMENTS;
}

// What was forgotten is all 0 again.
static inline bool is_unset(const value_info *v) {
  return !v->visited && !v->ranked && !v->dims && !v->elements && !v->extra;
}

static inline uint64_t mix(uint64_t hash, uint64_t word) { return hash * STEP + word; }

static inline uint64_t mix_terms(uint64_t hash, const term_id *terms, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) hash = mix(hash, terms[i]);
  return hash;
}

// Not what is inside it: that seldom differs between operations on the same operands.
static inline uint64_t mix_attr(const shape_graph *g, uint64_t hash, attr_id id) {
  const graph_attr *a = graph_attr_get(g, id);
  int64_t first = 0;
  if (!a) return hash;
  attr_int_at(a, 0, &first);
  return mix(hash, (uint64_t)a->count << 32 ^ (uint64_t)first);
}

// A session gives a frame room for values that are newer than the run.
static inline const value_info *info_of(const infer_frame *f, value_id v) {
  assert(v >= f->value_base);
  return &f->values[v - f->value_base];
}

static uint64_t hash_of(const shape_graph *g, const infer_frame *f, const graph_op *o) {
  uint64_t hash = mix(o->name, g->values[o->results].type);
  for (uint32_t i = 0; i < o->operand_count; i++) {
    value_id v = g->operands[o->operands + i];
    const value_info *info = info_of(f, v);
    hash = mix(hash, g->values[v].type);
    hash = mix_terms(hash, info->dims, info->rank);
    hash = mix_terms(hash, info->elements, info->element_count);
  }
  for (uint32_t i = 0; i < o->attr_count; i++)
    hash = mix_attr(g, hash, g->attributes.entries[o->attrs + i].value);
  return hash_mix(hash);
}

static bool same_text(const shape_graph *g, const graph_op *a, const graph_op *b) {
  if (a->name != b->name || a->operand_count != b->operand_count || a->attr_count != b->attr_count)
    return false;
  if (g->values[a->results].type != g->values[b->results].type) return false;
  for (uint32_t i = 0; i < a->attr_count; i++) {
    const attr_entry *x = &g->attributes.entries[a->attrs + i],
                     *y = &g->attributes.entries[b->attrs + i];
    if (x->name != y->name || !graph_attr_same(g, x->value, y->value)) return false;
  }
  return true;
}

// Rules see by the arrays whether one operand has the dims of another.
static inline bool shares_alike(const repeat_record *r, const value_info *const *operands,
                                uint32_t i) {
  for (uint32_t k = 0; k < i; k++) {
    if ((r->operands[k].dims == r->operands[i].dims) != (operands[k]->dims == operands[i]->dims))
      return false;
  }
  return true;
}

static bool fits(const infer_state *s, const repeat_record *r, const graph_op *o,
                 const value_info *const *operands) {
  const shape_graph *g = s->g;
  const graph_op *like = &g->ops[r->op];
  assert(o->operand_count <= REPEAT_OPERANDS && o->result_count == 1);
  if (r->conditional != s->conditional || !same_text(g, like, o)) return false;
  for (uint32_t i = 0; i < o->operand_count; i++) {
    value_id x = g->operands[like->operands + i], y = g->operands[o->operands + i];
    if (g->values[x].type != g->values[y].type || !same_info(&r->operands[i], operands[i]) ||
        !shares_alike(r, operands, i))
      return false;
  }
  return true;
}

// --- visits

// What an earlier visit left unchecked is forgotten and left again.
static bool has_unchecked(const infer_state *s, op_id op) {
  uint32_t row;
  return s->log.unchecked_count &&
         imap_get(&s->log.unchecked_of, (uint64_t)s->frame << 32 | op, &row);
}

// Finds what is known of the operands; false where the operation is none that is remembered.
static inline bool read_operands(const infer_state *s, const infer_frame *f, const graph_op *o,
                                 const value_info **operands) {
  if (o->operand_count > REPEAT_OPERANDS || o->result_count != 1 || o->region_count) return false;
  for (uint32_t i = 0; i < o->operand_count; i++) {
    value_id v = s->g->operands[o->operands + i];
    if (v == VALUE_NONE) return false;
    operands[i] = info_of(f, v);
    if (!is_plain(operands[i])) return false;
  }
  return is_unset(info_of(f, o->results));
}

static void begin(const infer_state *s, const graph_op *o, const value_info *const *operands,
                  repeat_visit *visit) {
  const rule_log *log = &s->log;
  for (uint32_t i = 0; i < o->operand_count; i++) visit->operands[i] = *operands[i];
  visit->steps = s->budget->steps_used;
  visit->notes = notes_of(s);
  visit->element_work = log->element_work;
  visit->proven = log->proven;
  visit->reported = log->reported.count;
  visit->conflicts = log->conflicts;
  visit->unchecked = log->unchecked_count;
  visit->assumptions = log->assumption_count;
  visit->failures = log->failure_count;
}

static inline bool is_of(const repeat_record *r, const repeat_visit *visit) {
  return r && r->hash == visit->hash && r->state == visit->state;
}

// Two slots take a record: the other one where the first has one that is of use.
static repeat_record **slot_of(struct repeat_table *t, const repeat_visit *visit) {
  const size_t at = visit->hash >> (64 - REPEAT_BITS);
  assert(at < REPEAT_SLOTS);
  const repeat_record *first = t->slots[at];
  bool taken = first && first->state == visit->state && first->hash != visit->hash;
  return &t->slots[taken ? at ^ 1 : at];
}

static void give(infer_state *s, const repeat_record *r, const graph_op *o,
                 const value_info *const *operands) {
  value_info *result = state_value(s, o->results);
  assert(!result->visited && r->result.visited && r->like <= REPEAT_OPERANDS);
  s->visits++;
  s->log.proven += r->proven;
  budget_spend(s->budget, 1);
  *result = r->result;
  if (r->like < REPEAT_OPERANDS) {
    result->dims = operands[r->like]->dims;
  } else if (result->rank) {  // what was made anew is no other's array
    term_id *dims = arena_alloc(s->arena, result->rank * sizeof *dims);
    memcpy(dims, r->result.dims, result->rank * sizeof *dims);
    result->dims = dims;
  }
}

bool repeat_apply(infer_state *s, op_id op, repeat_visit *visit) {
  struct repeat_table *t = s->row.repeats;
  const graph_op *o = &s->g->ops[op];
  const value_info *operands[REPEAT_OPERANDS];
  if (s->quiet || s->understood || o->unread || !has_rule(s, t, op)) return false;
  if (t->tried >= REPEAT_TRIED && t->found < t->tried / REPEAT_WORTH) return false;
  const infer_frame *f = state_frame(s);
  if (!read_operands(s, f, o, operands) || budget_left(s->budget) < REPEAT_STEPS ||
      has_unchecked(s, op))
    return false;
  visit->hash = 0;
  visit->state = state_of(s);
  t->tried++;
  repeat_record **slot = t->last ? t->last->next : NULL;
  visit->known = slot && (*slot)->state == visit->state && fits(s, *slot, o, operands);
  if (!visit->known) {
    visit->hash = hash_of(s->g, f, o);
    slot = slot_of(t, visit);
    visit->known = is_of(*slot, visit) && fits(s, *slot, o, operands);
    if (visit->known && t->last) t->last->next = slot;
  }
  t->last = visit->known ? *slot : NULL;
  t->found += visit->known;
  if (CHECKED || !visit->known) {
    visit->slot = slot;
    begin(s, o, operands, visit);
    return false;
  }
  give(s, *slot, o, operands);
  return true;
}

static bool gave_no_more(const infer_state *s, const infer_frame *f, const graph_op *o,
                         const repeat_visit *v) {
  const rule_log *log = &s->log;
  if (state_of(s) != v->state || notes_of(s) != v->notes || s->budget->steps_used != v->steps + 1 ||
      log->element_work != v->element_work || log->reported.count != v->reported ||
      log->conflicts != v->conflicts || log->unchecked_count != v->unchecked ||
      log->assumption_count != v->assumptions || log->failure_count != v->failures)
    return false;
  for (uint32_t i = 0; i < o->operand_count; i++) {
    const value_info *now = info_of(f, s->g->operands[o->operands + i]);
    if (memcmp(now, &v->operands[i], sizeof *now) != 0) return false;
  }
  const value_info *result = info_of(f, o->results);
  return is_plain(result) && !result->in_conflict;
}

static repeat_record record_of(const infer_state *s, const infer_frame *f, op_id op,
                               const repeat_visit *visit) {
  const graph_op *o = &s->g->ops[op];
  repeat_record r = {.hash = visit->hash,
                     .state = visit->state,
                     .op = op,
                     .proven = s->log.proven - visit->proven,
                     .like = REPEAT_OPERANDS,
                     .conditional = s->conditional,
                     .result = *info_of(f, o->results)};
  for (uint32_t i = 0; i < o->operand_count; i++) {
    r.operands[i] = visit->operands[i];
    if (r.result.rank && r.operands[i].dims == r.result.dims && r.like == REPEAT_OPERANDS)
      r.like = i;
  }
  return r;
}

void repeat_end(infer_state *s, op_id op, rule_status status, const repeat_visit *visit) {
  const infer_frame *f = state_frame(s);
  bool more = status != RULE_DONE || !gave_no_more(s, f, &s->g->ops[op], visit);
  assert(!visit->known || !more);
  if (more) return;
  repeat_record now = record_of(s, f, op, visit);
  if (visit->known) {
    assert((*visit->slot)->proven == now.proven && (*visit->slot)->like == now.like &&
           same_info(&(*visit->slot)->result, &now.result));
    return;
  }
  if (!*visit->slot) *visit->slot = arena_alloc(s->arena, sizeof **visit->slot);
  **visit->slot = now;
  s->row.repeats->last = *visit->slot;
}
