// SPDX-License-Identifier: Apache-2.0
// Calls: a frame per call context. A callee runs where its call runs, so what it requires is required there. Calls with
// the same arguments share a frame, unless the callee made symbols of its own: those may depend on data, which two calls
// with equal dims need not share. A call that conflicts inside runs again for each call with the same arguments, so
// that each is reported.
//
// A function that calls itself is followed where the inner call is sure to run whenever the outer one does: conditions
// over known values decide it, and known values end it, or INFER_MAX_RECURSION does. Where the inner call is in a
// branch or loop body that may not run, following it would never end: its results are unknown. One that is sure to call
// itself, whatever its arguments are, is an error.
#include <assert.h>
#include <string.h>

#include "solver/infer/state.h"

uint32_t frame_new(infer_state *s, func_id func, uint32_t caller, uint32_t parent) {
  infer_result *r = s->r;
  r->frames = arena_grow(s->arena, r->frames, r->frame_count, r->frame_count + 1,
                         &r->capacity.frames, sizeof(*r->frames));
  infer_frame *f = &r->frames[r->frame_count];
  *f = (infer_frame){
      .func = func, .caller = caller, .parent = parent, .scope = s->scope, .blamed = ID_NONE};
  const graph_func *g = &s->g->funcs[func];
  if (g->body == ID_NONE || !s->g->regions[g->body].block_count) return r->frame_count++;
  // A function's values are consecutive: from its first argument to those of the next function.
  value_id base = VALUE_NONE, end = 0;
  state_value_range(s, func, &base, &end);
  assert(base <= end);
  f->value_base = base;
  f->value_end = end;
  f->values = arena_zalloc(s->arena, (end - base + 1) * sizeof(value_info));
  return r->frame_count++;
}

void frame_run(infer_state *s, uint32_t frame) {
  uint32_t outer = s->frame, count;
  region_id body = s->g->funcs[s->r->frames[frame].func].body;
  s->frame = frame;
  if (trace_wants(s->budget, TRACE_call)) narrate_frame(s, frame);
  body_walk(s, body);
  const value_id *results = region_results(s, body, &count);
  s->r->frames[frame].results = results;
  s->r->frames[frame].result_count = results ? count : 0;
  assert(s->frame == frame);
  s->frame = outer;
}

static uint32_t count_active(const infer_state *s, func_id func, uint32_t *nearest) {
  uint32_t count = 0;
  for (uint32_t f = s->frame; f != ID_NONE; f = s->r->frames[f].parent) {
    if (s->r->frames[f].func != func) continue;
    if (!count++) *nearest = f;
  }
  return count;
}

// Whether a function that runs already, `active` times, is entered once more. Where it once was not, none of the calls in
// its outermost one are followed: each may hold two, and they would double with the depth.
static bool may_recur(infer_state *s, func_id callee, uint32_t active, uint32_t nearest) {
  if (s->calls.endless[callee] || s->r->frames[nearest].scope != s->scope) return false;
  s->calls.endless[callee] = active >= INFER_MAX_RECURSION || s->depth + 1 >= INFER_MAX_DEPTH ||
                             s->visits > s->visit_limit;
  return !s->calls.endless[callee];
}

// Whether the operation runs in every run of its function: it is in the entry block of the body.
static bool always_runs(const shape_graph *g, func_id func, op_id op) {
  return g->ops[op].parent == g->regions[g->funcs[func].body].first_block;
}

// Whether the call, which runs, runs itself again: each call on the way to it from the function that it calls, which runs
// in the frame `nearest`, is one that runs whenever its function does.
static bool never_ends(const infer_state *s, op_id call, uint32_t nearest) {
  if (s->scope) return false;
  for (uint32_t f = s->frame;; f = s->r->frames[f].parent) {
    const infer_frame *frame = &s->r->frames[f];
    if (!always_runs(s->g, frame->func, call)) return false;
    if (f == nearest) return true;
    call = frame->caller;
  }
}

// --- memo

static uint64_t hash_arguments(func_id func, const value_info *arguments, uint32_t count) {
  uint64_t hash = hash_pair(func, count);
  for (uint32_t i = 0; i < count; i++) {
    hash = hash_pair(hash, arguments[i].rank);
    for (uint32_t d = 0; arguments[i].ranked && d < arguments[i].rank; d++)
      hash = hash_pair(hash, arguments[i].dims[d]);
    hash = hash_pair(hash, arguments[i].element_count);
    for (uint32_t e = 0; arguments[i].elements && e < arguments[i].element_count; e++)
      hash = hash_pair(hash, arguments[i].elements[e]);
  }
  return hash == IMAP_NONE ? 0 : hash;
}

static bool same_argument(const value_info *a, const value_info *b) {
  if (a->ranked != b->ranked || a->rank != b->rank || !a->elements != !b->elements ||
      a->element_count != b->element_count || value_parts(a) != value_parts(b))
    return false;
  if (a->ranked && a->rank && memcmp(a->dims, b->dims, a->rank * sizeof(term_id)) != 0)
    return false;
  return !a->elements || !a->element_count ||
         memcmp(a->elements, b->elements, a->element_count * sizeof(term_id)) == 0;
}

// Memos are kept by scope: facts of the outermost one hold everywhere, those of another only while it is open.
static uint64_t scoped(uint64_t hash, uint32_t scope) {
  uint64_t key = hash_pair(hash, scope);
  return key == IMAP_NONE ? 0 : key;
}

static uint32_t memo_find(infer_state *s, uint64_t hash, uint32_t scope, func_id func,
                          const value_info *arguments, uint32_t count) {
  uint32_t i;
  if (!imap_get(&s->calls.memo_by_hash, scoped(hash, scope), &i)) return ID_NONE;
  for (; i != ID_NONE; i = s->calls.memos[i].next) {
    assert(i < s->calls.memo_count);
    const call_memo *m = &s->calls.memos[i];
    if (m->func != func || m->argument_count != count || s->r->frames[m->frame].scope != scope)
      continue;
    bool same = true;
    for (uint32_t k = 0; k < count && same; k++)
      same = same_argument(&m->arguments[k], &arguments[k]);
    if (same) return m->frame;
  }
  return ID_NONE;
}

static void memo_put(infer_state *s, uint64_t hash, func_id func, uint32_t frame,
                     const value_info *arguments, uint32_t count) {
  uint32_t first = ID_NONE;
  hash = scoped(hash, s->scope);
  imap_get(&s->calls.memo_by_hash, hash, &first);
  s->calls.memos =
      arena_grow(s->arena, s->calls.memos, s->calls.memo_count, s->calls.memo_count + 1,
                 &s->calls.memo_capacity, sizeof(*s->calls.memos));
  assert(frame < s->r->frame_count);
  s->calls.memos[s->calls.memo_count] = (call_memo){func, frame, count, arguments, first};
  imap_put(&s->calls.memo_by_hash, s->arena, hash, s->calls.memo_count++);
}

// --- calls

static const char *name_called(const shape_graph *g, op_id op) {
  attr_id id = graph_attr_named(g, op, "callee");
  if (id == ATTR_NONE) id = graph_attr_named(g, op, "decomposition");
  return id == ATTR_NONE ? NULL : graph_attr_text(g, id);
}

// Whether more than one operation calls functions of this name.
static bool is_shared(infer_state *s, name_id name) {
  if (!s->calls.sites) {
    s->calls.sites = arena_zalloc(s->arena, s->g->names.count + 1);
    for (op_id op = 0; op < s->g->op_count; op++) {
      if (walk_row(s, op)->structure != OP_CALL) continue;
      const char *text = name_called(s->g, op);
      name_id called = text ? intern_find(&s->g->names, text, strlen(text)) : NAME_NONE;
      if (called != NAME_NONE && s->calls.sites[called] < 2) s->calls.sites[called]++;
    }
  }
  return name < s->g->names.count && s->calls.sites[name] > 1;
}

static func_id callee_of(infer_state *s, rule_context *c) {
  const char *name = name_called(s->g, c->op);
  if (!name) {
    rule_error(c, "call", "the call names no function");
    return ID_NONE;
  }
  func_id caller = s->r->frames[s->frame].func;
  func_id callee = graph_find_func(s->g, s->g->funcs[caller].module, name, strlen(name));
  if (callee == ID_NONE) rule_error(c, "call", "no function @%s is defined", name);
  return callee;
}

// Binds an argument: the operand's dims, which the callee's declared type must fit.
static void bind_argument(rule_context *c, const graph_type *t, const value_info *v) {
  if (!t || t->kind != TYPE_TENSOR) return;
  region_leave_rank(c, v);
  if (!v->ranked) return;
  if (t->rank != v->rank) {
    rule_error(c, "call", "an argument has rank %u, the function takes rank %u", v->rank, t->rank);
    return;
  }
  for (uint32_t d = 0; d < t->rank; d++) {
    term_id size = rule_declared_size(c, t->dims[d]);
    if (size != TERM_NONE)
      rule_require_eq(c, v->dims[d], size, "an argument fits its declared dim");
  }
}

#define NOT_FOLLOWED "the requirements of the function hold"

// A function whose body is elsewhere: its results are not known, nor what it requires but for its arguments.
static void call_declared(rule_context *c, const graph_func *func) {
  const graph_type *t = func->type == TYPE_NONE ? NULL : type_get(&c->graph->types, func->type);
  uint32_t count = rule_operand_count(c);
  if (t && t->kind == TYPE_FUNCTION && t->split != count) {
    rule_error(c, "call", "%u arguments for a function of %u", count, t->split);
    return;
  }
  for (uint32_t i = 0; t && t->kind == TYPE_FUNCTION && i < count; i++) {
    value_id v = graph_operand(c->graph, c->op, i);
    if (v == VALUE_NONE || t->params[i] == TYPE_NONE) continue;
    bind_argument(c, type_get(&c->graph->types, t->params[i]), rule_value(c, v));
  }
  rule_unchecked(c, NOT_FOLLOWED, "it has no body");
}

static void set_results(infer_state *s, rule_context *c, uint32_t frame) {
  const infer_frame f = s->r->frames[frame];
  for (uint32_t i = 0; i < rule_result_count(c); i++) {
    if (!f.results || i >= f.result_count || f.results[i] == VALUE_NONE) {
      rule_set_unknown(c, i);
    } else {
      assert(f.results[i] >= f.value_base && f.results[i] < f.value_end);
      rule_set_value(c, i, &f.values[f.results[i] - f.value_base]);
    }
  }
}

// An argument as the callee sees it: dims as the caller has them, so that a conflict inside can say which fact of the
// caller made them what they are.
static value_info traceable(infer_state *s, rule_context *c, uint32_t i,
                            const value_info *canonical) {
  value_info v = *canonical;
  value_id id = graph_operand(s->g, c->op, i);
  if (id != VALUE_NONE) v.dims = rule_value(c, id)->dims;
  return v;
}

// What never runs hands over nothing, and what a trial leaves out is walked again.
static void leave_open(infer_state *s, func_id callee) {
  if (!s->quiet) s->calls.left[callee] = true;
}

static void record(infer_state *s, op_id op, uint32_t callee) {
  infer_result *r = s->r;
  r->calls = arena_grow(s->arena, r->calls, r->call_count, r->call_count + 1, &r->capacity.calls,
                        sizeof(*r->calls));
  r->calls[r->call_count++] = (infer_call){s->frame, op, callee};
}

// A new frame for the call, run on its arguments.
static uint32_t run_callee(infer_state *s, rule_context *c, func_id callee, value_info *arguments,
                           uint32_t count) {
  const graph_func *func = &s->g->funcs[callee];
  value_id first = s->g->blocks[s->g->regions[func->body].first_block].arguments;
  uint32_t frame = frame_new(s, callee, c->op, s->frame);
  infer_frame *f = &s->r->frames[frame];
  f->blamed = state_frame(s)->blamed;
  if (f->blamed == ID_NONE && is_shared(s, func->name)) f->blamed = c->op;
  for (uint32_t i = 0; i < count; i++) {
    assert(first + i >= f->value_base && first + i < f->value_end);
    bind_argument(c, graph_value_type(s->g, first + i), &arguments[i]);
    f->values[first + i - f->value_base] = traceable(s, c, i, &arguments[i]);
    f->values[first + i - f->value_base].visited = true;
  }
  uint32_t pending = s->left.pending_count;
  frame_run(s, frame);
  if (s->quiet) walk_again(s, pending, false);  // the frame does not stay
  return frame;
}

void structure_call(infer_state *s, rule_context *c) {
  func_id callee = callee_of(s, c);
  if (c->op < s->calls.met_count) s->calls.met[c->op] = true;
  if (callee == ID_NONE) return;
  const graph_func *func = &s->g->funcs[callee];
  if (func->body == ID_NONE || !s->g->regions[func->body].block_count) {
    call_declared(c, func);
    return;
  }
  const graph_block *entry = &s->g->blocks[s->g->regions[func->body].first_block];
  uint32_t count = rule_operand_count(c), nearest = ID_NONE;
  if (entry->argument_count != count) {
    rule_error(c, "call", "%u arguments for a function of %u", count, entry->argument_count);
    return;
  }
  uint32_t active = count_active(s, callee, &nearest);
  if (active && never_ends(s, c->op, nearest)) {
    rule_error(c, "call", "@%s calls itself whenever it runs: it never ends",
               intern_text(&s->g->names, func->name));
    return;
  }
  if (active && !may_recur(s, callee, active, nearest)) {
    leave_open(s, callee);
    rule_note(
        c, "unsupported",
        "@%s calls itself, and it is not known that this ends within %d calls: the results are of "
        "unknown shape",
        intern_text(&s->g->names, func->name), INFER_MAX_RECURSION);
    rule_unchecked(c, NOT_FOLLOWED, "the function calls itself");
    return;
  }
  if (s->depth >= INFER_MAX_DEPTH || s->visits > s->visit_limit) {
    leave_open(s, callee);
    rule_note(c, "call", "too many calls in one another: the results have unknown shapes");
    rule_unchecked(c, NOT_FOLLOWED, "there are too many calls in one another");
    return;
  }
  // Nothing may be added to NULL, not even 0: a graph may have no operands at all.
  const value_id *operands = count ? &s->g->operands[s->g->ops[c->op].operands] : NULL;
  value_info *arguments = values_canonical(s, operands, count);
  uint64_t hash = hash_arguments(callee, arguments, count);
  uint32_t frames_before = s->r->frame_count, conflicts = s->log.conflicts, fresh = s->log.fresh;
  uint32_t frame = memo_find(s, hash, 0, callee, arguments, count);
  if (frame == ID_NONE && s->scope) frame = memo_find(s, hash, s->scope, callee, arguments, count);
  if (frame == ID_NONE) {
    frame = run_callee(s, c, callee, arguments, count);
    if (!active) s->calls.endless[callee] = 0;
    if (s->log.fresh == fresh && s->log.conflicts == conflicts && !s->quiet)
      memo_put(s, hash, callee, frame, arguments, count);
  }
  set_results(s, c, frame);
  if (!s->quiet) record(s, c->op, frame);
  assert(frame < s->r->frame_count);
  if (s->quiet && frame >= frames_before)
    s->r->frame_count = frames_before;  // a trial leaves no frame
}
