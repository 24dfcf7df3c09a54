// SPDX-License-Identifier: Apache-2.0
// Applies rules: one walk in the order of the operations, then the undecided ones again while the store learns.
#include <assert.h>
#include <string.h>

#include "solver/infer/repeat.h"
#include "solver/ops/destinations.h"
#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/verify/verify.h"

#define HASH_STEP UINT64_C(0x9e3779b97f4a7c15)

static const op_row unknown_row = {
    .name = "", .rule = rule_unknown, .max_operands = -1, .results = -1, .rule_name = "unknown"};

static const op_row *look_up(const infer_state *s, name_id name) {
  const op_row *row = registry_find(intern_text(&s->g->names, name),
                                    intern_length(&s->g->names, name), s->g->onnx_opset);
  return row ? row : &unknown_row;
}

// Names are few and operations many: each name is looked up once, but those that were interned after the table was made.
static inline const op_row *row_of(infer_state *s, name_id name) {
  if (name >= s->row.count) return look_up(s, name);
  infer_row *known = &s->row.of[name];
  if (!known->row) known->row = look_up(s, name);
  return known->row;
}

static inline const op_row *row_of_op(infer_state *s, op_id op) {
  return s->g->ops[op].unread ? &unknown_row : row_of(s, s->g->ops[op].name);
}

const op_row *walk_row(infer_state *s, op_id op) { return row_of_op(s, op); }

static inline void make_context(infer_state *s, op_id op, const op_row *row, rule_context *c) {
  const infer_frame *f = &s->r->frames[s->frame];
  *c = s->context;
  c->values = f->values;
  c->value_base = f->value_base;
  c->frame = s->frame;
  c->scope = s->scope;
  c->row = row;
  c->op = op;
  c->blamed = f->blamed;
  c->conditional = s->conditional;
  c->quiet = s->quiet;
}

rule_context walk_context(infer_state *s, op_id op, const op_row *row) {
  rule_context c;
  make_context(s, op, row, &c);
  return c;
}

void walk_origins(infer_state *s, op_id op) {
  infer_result *r = s->r;
  assert(r->origin_count <= s->terms->symbol_count);
  while (r->origin_count < s->terms->symbol_count) {
    r->origins = arena_grow(s->arena, r->origins, r->origin_count, r->origin_count + 1,
                            &r->capacity.origins, sizeof(*r->origins));
    bool fresh = op == ID_NONE || store_named(s->store, r->origin_count) != TERM_NONE;
    r->origins[r->origin_count++] =
        (infer_origin){.kind = fresh ? ORIGIN_FRESH : ORIGIN_OPAQUE, .frame = s->frame, .op = op};
  }
}

// Regions of several blocks are for functions and for operations that no rule knows: all others take SizedRegion<1>.
static bool blocks_fit(rule_context *c) {
  const graph_op *op = &c->graph->ops[c->op];
  for (uint32_t i = 0; i < op->region_count && c->row != &unknown_row; i++) {
    uint32_t blocks = c->graph->regions[op->regions + i].block_count;
    if (blocks <= 1 || c->row->structure == OP_EXECUTE) continue;
    rule_error(c, "region", "region #%u has %u blocks, one is needed", i, blocks);
    return false;
  }
  return true;
}

static bool counts_fit(rule_context *c) {
  const op_row *row = c->row;
  uint32_t operands = rule_operand_count(c), results = rule_result_count(c);
  if (operands < (uint32_t)row->min_operands ||
      (row->max_operands >= 0 && operands > (uint32_t)row->max_operands)) {
    bool few = operands < (uint32_t)row->min_operands;
    int32_t expected = few ? row->min_operands : row->max_operands;
    rule_error(c, "operand-count", "expected %s%d operand%s, found %u",
               row->max_operands == row->min_operands ? ""
               : few                                  ? "at least "
                                                      : "at most ",
               expected, expected == 1 ? "" : "s", operands);
    return false;
  }
  if (row->results >= 0 && results != (uint32_t)row->results) {
    rule_error(c, "result-count", "expected %d results, found %u", row->results, results);
    return false;
  }
  if (!blocks_fit(c)) return false;
  if (c->graph->format == GRAPH_ONNX ||
      row->since) {  // optional operands may be absent, others may not
    uint32_t needed = row->max_operands < 0 ? operands : (uint32_t)row->min_operands;
    for (uint32_t i = 0; i < needed && row->structure == OP_PLAIN && row->since; i++) {
      if (graph_operand(c->graph, c->op, i) == VALUE_NONE) return false;
    }
    return true;
  }
  for (uint32_t i = 0; i < operands && !row->parameters;
       i++) {  // a reader's error is reported already
    if (graph_operand(c->graph, c->op, i) == VALUE_NONE) return false;
  }
  return true;
}

static void add_unknown_note(rule_context *c) {
  diag_list *list = &c->graph->diags;
  uint32_t before = list->count;
  rule_note(c, "unknown-operation", "no rule: its results %s",
            op_destinations(c->graph, c->op) ? "have the shapes of its destinations (outs)"
                                             : "have unknown shapes");
  if (list->count > before) list->items[before].no_rule = c->graph->ops[c->op].name;
}

// A caller that has operations visited again knows which is the first of its name.
static void note_unknown(infer_state *s, rule_context *c, name_id name) {
  if (s->quiet || s->row.revisits || name >= s->row.count || s->row.of[name].noted) return;
  s->row.of[name].noted = true;
  add_unknown_note(c);
}

void infer_note_unknown(infer_result *r, op_id op) {
  infer_state *s = r->state;
  s->scope = s->frame = 0;
  s->log.reported = (shape_imap){0};
  rule_context c = walk_context(s, op, walk_row(s, op));
  add_unknown_note(&c);
}

static void structure(infer_state *s, rule_context *c) {
  switch (c->row->structure) {
  case OP_APPLY:
  case OP_REPEAT: structure_apply(s, c->op); break;
  case OP_WHILE: structure_while(s, c); break;
  case OP_IF:
    structure_branches(s, c, BRANCH_IF);
    if (c->row->since) structure_onnx_types(s, c);
    break;
  case OP_CASE: structure_branches(s, c, BRANCH_CASE); break;
  case OP_INDEX_SWITCH: structure_branches(s, c, BRANCH_SWITCH); break;
  case OP_COUNTED: structure_counted(s, c); break;
  case OP_EXECUTE:
    if (c->graph->ops[c->op].region_count == 1 &&
        c->graph->regions[c->graph->ops[c->op].regions].block_count == 1)
      structure_assuming(s, c);
    break;
  case OP_CALL: structure_call(s, c); break;
  case OP_ONNX_LOOP:
  case OP_ONNX_SCAN:
  case OP_ONNX_MAP: structure_onnx_loop(s, c); break;
  case OP_ASSUMING: structure_assuming(s, c); break;
  case OP_ASYNC: structure_async(s, c); break;
  default: break;
  }
}

static void push_pending(infer_state *s, op_id op) {
  s->left.pending =
      arena_grow(s->arena, s->left.pending, s->left.pending_count, s->left.pending_count + 1,
                 &s->left.pending_capacity, sizeof(*s->left.pending));
  s->left.pending[s->left.pending_count++] = (pending_op){s->frame, op, false};
}

// Whether an operation of the same name and types, whose attributes have the same names and digests, was found
// well-formed before: most operations of a program look like many others. Of signatures that inspect more of the
// attributes, only those are inspected again. Integers are not part of the key, but for their sign: they are free, and
// one could be chosen so that two keys are the same.
static void verify(infer_state *s, rule_context *c, op_id op) {
  const shape_graph *g = s->g;
  const graph_op *o = &g->ops[op];
  if (!c->row->signature) return;
  uint64_t key = hash_pair(o->name, (uint64_t)o->operand_count << 32 | o->result_count);
  for (uint32_t i = 0; i < o->operand_count; i++) {
    value_id operand = g->operands[o->operands + i];
    if (operand == VALUE_NONE) return;  // an absent value that an ONNX function hands on
    key = key * HASH_STEP + g->values[operand].type;
  }
  for (uint32_t i = 0; i < o->result_count; i++)
    key = key * HASH_STEP + g->values[o->results + i].type;
  for (uint32_t i = 0; i < o->attr_count; i++) {
    const attr_entry *entry = &g->attributes.entries[o->attrs + i];
    key = key * HASH_STEP + entry->name;
    if (entry->value != ATTR_NONE)
      key = verify_digest(&g->attributes.items[entry->value], key, HASH_STEP);
  }
  key = hash_mix(key) & ~UINT64_C(1);  // never IMAP_NONE
  uint32_t known;                      // 1: fine, 2: fine but for what the key does not hold
  bool found = imap_get(&s->row.verified, key, &known);
  if (found && known == 1) return;
  bool shared, fine = verify_signature(c, found, &shared);
  if (!found && fine) imap_put(&s->row.verified, s->arena, key, shared ? 1 : 2);
}

// Whether the ranks of all operands are known, and no rule assumed one.
static inline bool is_ranked(const rule_context *c) {
  const graph_op *o = &c->graph->ops[c->op];
  for (uint32_t i = 0; i < o->operand_count; i++) {
    const value_info *v = rule_value(c, c->graph->operands[o->operands + i]);
    if (!v->ranked || value_rank_from(v)) return false;
  }
  return true;
}

// ONNX declares few types: the results get theirs before each visit of the rule.
static rule_status run_rule(rule_context *c) {
  if (c->log->unchecked_count) rule_unchecked_begin(c);
  if (c->row->since) onnx_result_types(c);
  rule_status status = c->row->rule(c);
  if (!c->quiet && !is_ranked(c)) rule_leave_ranks(c);
  if (c->row->since) {
    onnx_check_sizes(c);
    onnx_check_operands(c);
  }
  return status;
}

static bool is_understood(const infer_state *s, op_id op) {
  return !s->understood || s->understood[op];
}

// A log is kept. Notes of the store belong to `op` from here on. Returns the operation that they belonged to.
static infer_step step_to(infer_state *s, uint32_t frame, op_id op) {
  infer_log *log = s->options->log;
  uint32_t last = log->step_count - 1;
  infer_step before = log->step_count ? log->steps[last] : (infer_step){0, ID_NONE, 0, 0};
  if (log->step_count && before.first == log->store.count) log->step_count--;  // it noted nothing
  log->steps = arena_grow(s->arena, log->steps, log->step_count, log->step_count + 1,
                          &log->step_capacity, sizeof *log->steps);
  log->steps[log->step_count++] = (infer_step){frame, op, log->store.count, s->terms->symbol_count};
  log->store.first = log->store.count;
  return before;
}

static rule_status apply(infer_state *s, op_id op) {
  name_id name = s->g->ops[op].name;
  rule_status status = RULE_DONE;
  repeat_visit visited;
  visited.slot = NULL;
  if (s->row.repeats && repeat_apply(s, op, &visited)) {
    if (s->r->origin_count < s->terms->symbol_count) walk_origins(s, op);
    return status;
  }
  const op_row *row = is_understood(s, op) ? row_of_op(s, op) : &unknown_row;
  rule_context c;
  make_context(s, op, row, &c);
  budget_spend(s->budget, 1);
  s->visits++;
  bool fits = counts_fit(&c);
  if (fits) {
    if (!s->quiet && !row->since) verify(s, &c, op);
    status = run_rule(&c);
    if (status == RULE_AGAIN) push_pending(s, op);
    if (status == RULE_UNKNOWN) note_unknown(s, &c, name);
    if (row->structure && !s->options->alone) structure(s, &c);
  }
  uint32_t results = rule_result_count(&c);
  for (uint32_t i = 0; i < results; i++) {
    value_id v = graph_result(c.graph, op, i);
    const value_info *info = rule_value(&c, v);
    if (!info->visited) rule_set_unknown(&c, i);
    if (!info->elements && info->rank <= 1) rule_track_result(&c, i);
  }
  if (s->r->origin_count < s->terms->symbol_count) walk_origins(s, op);
  if (visited.slot) repeat_end(s, op, fits ? status : RULE_UNKNOWN, &visited);
  if (trace_wants(s->budget, TRACE_op)) narrate_op(s, &c, status, false);
  return status;
}

static inline rule_status visit(infer_state *s, op_id op) {
  if (!s->options->log) return apply(s, op);
  infer_step outer = step_to(s, s->frame, op);
  rule_status status = apply(s, op);
  step_to(s, outer.frame, outer.op);
  return status;
}

void walk_op(infer_state *s, op_id op) { visit(s, op); }

void walk_block(infer_state *s, block_id block) {
  for (op_id op = s->g->blocks[block].first; op != ID_NONE; op = s->g->ops[op].next) visit(s, op);
}

void walk_again(infer_state *s, uint32_t first_pending, bool keep) {
  uint64_t version = 0;
  uint32_t frame = s->frame;
  for (uint32_t round = 0; round < INFER_MAX_ROUNDS && s->left.pending_count > first_pending;
       round++) {
    if (round && store_version(s->store) == version) break;
    version = store_version(s->store);
    uint32_t kept = first_pending, count = s->left.pending_count;
    for (uint32_t i = first_pending; i < count; i++) {
      pending_op p = s->left.pending[i];
      s->frame = p.frame;
      if (p.op < s->r->late.count) s->r->late.ops[p.op] = 1;
      rule_context c = walk_context(s, p.op, walk_row(s, p.op));
      c.again = true;
      c.judged = p.judged;
      budget_spend(s->budget, 1);
      infer_step outer = {0};
      if (s->options->log) outer = step_to(s, p.frame, p.op);
      rule_status status = run_rule(&c);
      if (s->options->log) step_to(s, outer.frame, outer.op);
      if (status == RULE_AGAIN) s->left.pending[kept++] = p;
      if (trace_wants(s->budget, TRACE_op)) narrate_op(s, &c, status, true);
      if (s->r->origin_count < s->terms->symbol_count) walk_origins(s, p.op);
    }
    assert(s->left.pending_count == count);
    s->left.pending_count = kept;
  }
  assert(s->left.pending_count >= first_pending);
  if (!keep) s->left.pending_count = first_pending;
  for (uint32_t i = first_pending; i < s->left.pending_count; i++) s->left.pending[i].judged = true;
  s->frame = frame;
}

void infer_edited(infer_result *r) { repeat_forget(r->state); }

bool infer_revisit(infer_result *r, op_id op) {
  infer_state *s = r->state;
  const op_row *row = walk_row(s, op);
  bool unknown = row == &unknown_row;
  if (!op_row_is_own(row) || (unknown && s->g->ops[op].region_count)) return false;
  uint32_t deferred = s->left.deferred_count;
  s->scope = s->frame = 0;
  s->row.revisits = true;
  s->log.reported = (shape_imap){0};
  s->left.pending_count = 0;
  rule_status status = apply(s, op);
  // What is left for large values is shared by all operations: far from its end it makes no difference.
  bool sure = status == (unknown ? RULE_UNKNOWN : RULE_DONE) &&
              s->left.deferred_count == deferred && s->log.element_work <= ELEMENTS_ALLOWANCE / 2;
  s->left.pending_count = 0;
  return sure;
}
