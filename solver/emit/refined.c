// SPDX-License-Identifier: Apache-2.0
// The refined text of a program without errors, in stages that each read a text and write one: copies of functions that
// are called with several shapes, then types and operations; then what is written is read and analysed again, and only
// what has no errors goes to the sink; last the generic form, where it is asked for, and that as bytecode. Where the request names no types
// and binds nothing, only types change.
#include <assert.h>
#include <string.h>

#include "solver/emit/emitter.h"
#include "solver/formats/bytecode/write.h"
#include "solver/emit/passes.h"
#include "solver/emit/plain.h"
#include "solver/formats/mlir/write.h"
#include "solver/report/named.h"
#include "solver/report/render.h"
#include "solver/transform/clone.h"
#include "solver/transform/rewrite.h"
#include "solver/transform/tracked.h"

typedef struct stage {
  const emission *e;
  const program_options *options;
  analysis_request request;
  analysis a;
  plain_analysis plain;                 // where the request assumes something
  bool owned;                           // the analysis is this stage's own
  bool quiet;                           // what stays dynamic is not reported
  const bytecode_write_options *coded;  // the text is written as bytecode; NULL: as it is
  shape_strbuf text;                    // what it writes, in the program's arena
  refined_types *types;
  text_edits edits;  // that wrote it
  uint8_t *kept;     // by op_id, a refine_keep, in the program's arena; NULL: nothing is kept
  // Operations that stay dynamic, in the program's arena.
  struct dynamic_left {
    shape_arena *arena;
    dynamic_value *items;
    uint32_t count, capacity;
  } left;
  bool wrote;
  bool failed;  // it wrote errors instead, for people
} stage;

typedef void stage_body(shape_run *program, void *data);

static void begin(stage *s, shape_run *p) {
  strbuf_init(&s->text, shape_run_graph(p)->arena);
  s->text.length = 0;
}

// --- bodies: each under the protection of its program

static void write_copies(shape_run *p, void *data) {
  stage *s = data;
  begin(s, p);
  s->wrote = refine_clone(shape_run_report(p), &s->text);
}

// The value of an argument that a binding gives: argK, argK[I], or a name of its own.
static bool find_bound(const shape_report *report, const graph_func *entry, uint32_t argument,
                       const run_binding *bound, uint32_t *element) {
  const shape_graph *g = report->graph;
  argument_name found;
  name_id id = intern_find(&g->names, bound->name, bound->name_length);
  *element = 0;
  if (entry->argument_attrs) {
    const char *name = graph_attr_text(
        g, graph_attr_entry(g, entry->argument_attrs[argument], "jax.global_constant"));
    if (name && strlen(name) == bound->name_length &&
        memcmp(name, bound->name, bound->name_length) == 0)
      return true;
  }
  if (id != NAME_NONE && graph_find_symbol(g, id) != ID_NONE) return false;
  if (!report_argument_name(report, bound->name, bound->name_length, &found)) return false;
  *element = found.index;
  return found.argument == argument && found.element;
}

// False: some elements of the argument are not given.
static bool fix_argument(const stage *s, const shape_report *report, uint32_t argument,
                         fixed_argument *out) {
  shape_graph *g = report->graph;
  const graph_func *entry = &g->funcs[report->infer->entry];
  value_id value = g->blocks[g->regions[entry->body].first_block].arguments + argument;
  uint32_t count, element, left;
  if (!constant_count(g, refined_value(s->types, value), &count) || !count) return false;
  int64_t *items = arena_alloc(g->arena, count * sizeof *items);
  bool *given = arena_zalloc(g->arena, count);
  left = count;
  for (uint32_t k = 0; k < s->a.options.binding_count; k++) {
    const run_binding *bound = &s->a.options.bindings[k];
    if (!find_bound(report, entry, argument, bound, &element) || element >= count) continue;
    left -= !given[element];
    given[element] = true;
    items[element] = bound->value;
  }
  *out = (fixed_argument){value, items, count};
  return left == 0;
}

static uint32_t find_fixed(const stage *s, const shape_report *report, fixed_argument *fixed) {
  const shape_graph *g = report->graph;
  if (report->infer->entry == ID_NONE || !s->a.options.binding_count) return 0;
  const graph_func *entry = &g->funcs[report->infer->entry];
  if (entry->body == ID_NONE || !g->regions[entry->body].block_count) return 0;
  const graph_block *block = &g->blocks[g->regions[entry->body].first_block];
  uint32_t count = 0;
  assert(block->arguments + block->argument_count <= g->value_count);
  for (uint32_t i = 0; i < block->argument_count; i++)
    count += fix_argument(s, report, i, &fixed[count]);
  return count;
}

// Without anything to specialise for, only types change: every operation stays what it is.
static bool is_specialised(const stage *s) {
  const analysis_request *q = &s->request;
  return s->options->parts || q->argument_types || q->binding_count || q->bound_count ||
         s->options->cleanup || s->options->dynamism;
}

// An operation that has no equal in the dynamism that is asked for.
static void write_no_equal(stage *s, const shape_graph *g, op_id op) {
  assert(op < g->op_count);
  source_position at = graph_position(g, g->ops[op].name_span);
  bool bounded = s->options->dynamism == DYNAMISM_BOUNDED;
  strbuf_printf(
      &s->text, "%s:%u:%u: error: %s has no %s equal: %s\n", s->request.name, at.line, at.column,
      graph_op_name(g, op), bounded ? "bounded" : "unbounded",
      bounded ? "it needs strides 1, a result with bounds below 2^31, and an operand of static "
                "dims, or one "
                "with bounds within which it is known to end"
              : "it needs an operand whose dim along that axis is a number, for it might grow");
  s->a.reply->errors = 1;
  s->failed = true;
}

static void keep_dynamic(void *to, const dynamic_value *v) {
  stage *s = to;
  s->left.items = arena_grow(s->left.arena, s->left.items, s->left.count, (size_t)s->left.count + 1,
                             &s->left.capacity, sizeof *s->left.items);
  s->left.items[s->left.count++] = *v;
}

// Operations that stay dynamic: errors, or kept until it is known that this is the last attempt.
static void tell_operations(stage *s, const refine_rewrite *r) {
  s->left = (struct dynamic_left){.arena = r->graph->arena};
  if (s->quiet) return;
  if (!s->options->require_static) {
    if (s->options->dynamic) rewrite_each_dynamic(r, keep_dynamic, s);
    return;
  }
  dynamic_errors to = {s->request.name, &s->text};
  uint32_t count = rewrite_each_dynamic(r, refine_put_dynamic, &to);
  s->a.reply->errors += count;
  s->failed |= count > 0;
}

static constant_value *constants_of(stage *s, const type_id *types, const fixed_argument *fixed,
                                    uint32_t count) {
  const shape_report *report = s->types->report;
  if (plain_is_other(&s->request))
    return plain_constants(&s->plain, report->graph, types, fixed, count);
  return tracked_constants(report, types, fixed, count);
}

static void rewrite(stage *s, const refined_types *types, text_edits *edits) {
  const shape_report *report = types->report;
  shape_graph *g = report->graph;
  fixed_argument *fixed = arena_alloc(g->arena, (g->value_count + 1) * sizeof *fixed);
  uint32_t count = find_fixed(s, report, fixed);
  assert(count <= g->value_count);
  refine_rewrite r;
  rewrite_init(&r, types, &s->a.uses, edits);
  rewrite_keep(&r, s->kept);
  const unsigned parts = s->options->parts;
  r.cleanup = s->options->cleanup || parts;
  r.folds = s->options->cleanup || parts & PROGRAM_FOLD;
  r.constants = constants_of(s, r.value_types, fixed, count);
  if (!parts || parts & (PROGRAM_TYPES | PROGRAM_FOLD)) rewrite_wrappers(&r);
  if (!parts || parts & PROGRAM_FORMS) {
    rewrite_static_forms(&r);
    if (s->options->dynamism != DYNAMISM_BOUNDED) rewrite_windows(&r);
  }
  if (parts & PROGRAM_FOLD) rewrite_splats(&r);
  op_id refused = ID_NONE;
  if (s->options->dynamism) {
    rewrite_dynamism(&r, s->options->dynamism == DYNAMISM_BOUNDED, &refused);
  }
  if (refused != ID_NONE) write_no_equal(s, g, refused);
  if (r.cleanup) rewrite_cleanup(&r);
  tell_operations(s, &r);
  rewrite_arguments(&r, fixed, count);
}

// Rewriting changes the operands in the graph; a program may be written again.
typedef struct kept_operands {
  value_id *values;
  uint32_t *counts;  // by op_id
} kept_operands;

static kept_operands keep_operands(shape_graph *g) {
  kept_operands kept = {arena_alloc(g->arena, (g->operand_count + 1) * sizeof *kept.values),
                        arena_alloc(g->arena, (g->op_count + 1) * sizeof *kept.counts)};
  if (g->operand_count) memcpy(kept.values, g->operands, g->operand_count * sizeof *kept.values);
  for (op_id op = 0; op < g->op_count; op++) kept.counts[op] = g->ops[op].operand_count;
  return kept;
}

static void restore_operands(shape_graph *g, const kept_operands *kept) {
  if (g->operand_count) memcpy(g->operands, kept->values, g->operand_count * sizeof *kept->values);
  for (op_id op = 0; op < g->op_count; op++) g->ops[op].operand_count = kept->counts[op];
}

static void write_refined(shape_run *p, void *data) {
  stage *s = data;
  assert(!s->failed);
  shape_graph *g = shape_run_graph(p);
  begin(s, p);
  refined_types *types = s->types = refine_types(shape_run_report(p), &s->a.uses);
  if (s->options->parts && !(s->options->parts & PROGRAM_TYPES)) refine_nothing(types);
  uint32_t dynamic =
      s->options->require_static ? refine_list_dynamic(types, s->request.name, &s->text) : 0;
  if (dynamic) {
    s->a.reply->errors = dynamic;
    s->failed = true;
    return;
  }
  begin(s, p);
  s->edits = (text_edits){.arena = g->arena};
  types->unbounded = s->options->dynamism == DYNAMISM_UNBOUNDED;
  const kept_operands kept = keep_operands(g);
  if (is_specialised(s)) {
    rewrite(s, types, &s->edits);
  } else if (s->options->require_static) {
    refine_rewrite r;
    rewrite_init(&r, types, &s->a.uses, &s->edits);
    r.constants = constants_of(s, r.value_types, NULL, 0);
    tell_operations(s, &r);
  }
  if (!s->failed) refine_edits(types, &s->a.uses, &s->edits);
  if (!s->failed && s->options->names)
    refine_name_dims(shape_run_report(p), types, &s->a.uses, &s->edits);
  restore_operands(g, &kept);
  if (s->failed) return;
  edits_apply(&s->edits, &g->source, &s->text);
  s->wrote = s->text.length != g->source.length ||
             memcmp(s->text.data, g->source.text, s->text.length) != 0;
}

// Reported for the last attempt only.
static void tell_dynamic(shape_run *p, void *data) {
  (void)p;
  stage *s = data;
  if (s->options->dynamic && !s->options->require_static && !s->quiet)
    refine_each_dynamic(s->types, s->options->dynamic, s->options->dynamic_to);
  for (uint32_t i = 0; i < s->left.count; i++)
    s->options->dynamic(s->options->dynamic_to, &s->left.items[i]);
}

// --- operations that their verifier refuses

typedef struct misfits {
  stage *s;      // whose text has them
  uint32_t *at;  // of the errors in it, then in its source
  uint32_t count;
  bool all;   // every operation is one
  bool more;  // some operations keep more than before
} misfits;

static void find_misfits(shape_run *p, void *data) {
  misfits *m = data;
  const shape_report *report = shape_run_report(p);
  m->at = arena_alloc(shape_run_graph(p)->arena, (report->diag_count + 1) * sizeof *m->at);
  for (uint32_t i = 0; i < report->diag_count; i++) {
    const diag *d = report->diags[i];
    if (d->severity == DIAG_ERROR && !span_is_none(d->span)) m->at[m->count++] = d->inner.begin;
  }
}

// The innermost operation around a byte of the source; ID_NONE: none.
static op_id op_around(const shape_graph *g, uint32_t at) {
  op_id found = ID_NONE;
  for (op_id op = 0; op < g->op_count; op++) {
    source_span span = g->ops[op].span;
    if (span.begin > at || span.end <= at) continue;
    if (found == ID_NONE || span.begin >= g->ops[found].span.begin) found = op;
  }
  return found;
}

static void pin(shape_graph *g, mlir_uses *uses, op_id op, mlir_use_kind kind) {
  assert(op < g->op_count);
  uses->items = arena_grow(g->arena, uses->items, uses->count, (size_t)uses->count + 1,
                           &uses->capacity, sizeof *uses->items);
  uses->items[uses->count++] = (mlir_type_use){SPAN_NONE, kind, op, 0};
}

// The least that an operation may keep beyond what it keeps already. Types of operands are the last: what makes them keeps
// them too, up to the arguments, and the dims that those were given are lost for all.
static refine_keep keeps_next(const misfits *m, refine_keep now) {
  assert(now < KEEP_TYPES);
  if (m->all) return KEEP_TYPES;
  return now == KEEP_NOTHING && !is_specialised(m->s) ? KEEP_RESULTS : now + 1;
}

static void keep_op(misfits *m, shape_graph *g, op_id op, bool *listed) {
  assert(op == ID_NONE || op < g->op_count);
  stage *s = m->s;
  if (op == ID_NONE || listed[op] || s->kept[op] == KEEP_TYPES) return;
  listed[op] = m->more = true;
  s->kept[op] = keeps_next(m, s->kept[op]);
  if (s->kept[op] == KEEP_RESULTS) pin(g, &s->a.uses, op, MLIR_USE_PINNED_RESULTS);
  if (s->kept[op] == KEEP_TYPES) pin(g, &s->a.uses, op, MLIR_USE_PINNED);
}

static void keep_misfits(shape_run *p, void *data) {
  misfits *m = data;
  shape_graph *g = shape_run_graph(p);
  bool *listed = arena_zalloc(g->arena, g->op_count + 1);
  if (!m->s->kept) m->s->kept = arena_zalloc(g->arena, g->op_count + 1);
  for (uint32_t i = 0; i < m->count; i++)
    keep_op(m, g, op_around(g, edits_source(&m->s->edits, m->at[i])), listed);
  for (op_id op = 0; m->all && op < g->op_count; op++) keep_op(m, g, op, listed);
}

static void write_generic(shape_run *p, void *data) {
  stage *s = data;
  shape_graph *g = shape_run_graph(p);
  begin(s, p);
  type_id *functions = arena_alloc(g->arena, (g->func_count + 1) * sizeof *functions);
  for (func_id f = 0; f < g->func_count; f++) functions[f] = g->funcs[f].type;
  mlir_writer w;
  mlir_writer_init(&w, g, &s->a.uses, NULL, &s->text);
  w.located = s->coded != NULL;
  mlir_write_program(&w, functions);
  if (w.failed == ID_NONE) return;
  begin(s, p);
  source_position at = graph_position(g, g->ops[w.failed].name_span);
  strbuf_printf(
      &s->text,
      "%s:%u:%u: error: %s cannot be written in the generic form: its syntax is not known\n",
      s->request.name, at.line, at.column, graph_op_name(g, w.failed));
  s->a.reply->errors = 1;
  s->failed = true;
}

// What was written has errors, or says less than it should: a defect of ours, never a program for the next tool.
static void write_refused(shape_run *p, void *data) {
  stage *s = data;
  shape_report *report = shape_run_report(p);
  assert(shape_run_errors(p));
  begin(s, p);
  strbuf_printf(&s->text, "%s: error: the refined program does not verify; please report this\n",
                s->request.name);
  render_options options = {s->request.name, false, false};
  for (uint32_t i = 0; i < report->diag_count; i++) {
    if (report->diags[i]->severity == DIAG_ERROR)
      render_diag(report, &s->text, report->diags[i], &options);
  }
  s->a.reply->errors = 1;
  s->failed = true;
}

static void put(shape_run *p, void *data) {
  (void)p;
  stage *s = data;
  if (s->text.length) s->e->sink(s->e->to, s->text.data, s->text.length);
}

// --- bytecode

typedef struct coding {
  stage *s;
  bytecode_written result;
  bytecode_refusal refusal;
} coding;

static void put_coded(shape_run *p, void *data) {
  coding *c = data;
  const stage *s = c->s;
  const bytecode_sink sink = {s->e->to, s->e->sink, s->options->copy};
  c->result = bytecode_write(shape_run_graph(p)->arena, shape_run_budget(p), s->text.data,
                             s->text.length, s->coded, &sink, &c->refusal);
}

static void write_not_coded(shape_run *p, void *data) {
  const coding *c = data;
  begin(c->s, p);
  strbuf_printf(&c->s->text, "%s: error: %s\n", c->s->request.name, c->refusal.message);
  c->s->a.reply->errors = 1;
  c->s->failed = true;
}

static bool run(coding *c, stage *owner, stage_body *body) {
  shape_status status = shape_run_protect(owner->a.program, body, c);
  if (c->s->a.reply->status == SHAPE_OK) c->s->a.reply->status = status;
  return c->s->a.reply->status == SHAPE_OK;
}

// --- the chain

static bool step(stage *s, stage_body *body) {
  shape_status status = shape_run_protect(s->a.program, body, s);
  if (s->a.reply->status == SHAPE_OK) s->a.reply->status = status;
  return s->a.reply->status == SHAPE_OK;
}

typedef enum follow_kind {
  FOLLOW_AGAIN,  // with the caller's types and bindings
  FOLLOW_PLAIN,
  FOLLOW_ALONE  // each operation by itself: a verifier does not ask what runs
} follow_kind;

// The text of a stage as bytecode. Where it has operations in forms of their own `read`, which was made of that text,
// writes its generic form.
static void put_bytecode(stage *s, stage *read) {
  coding c = {.s = s};
  if (!run(&c, s, put_coded)) return;
  if (c.result == BYTECODE_NOT_GENERIC) {
    if (!step(read, write_generic)) return;
    if (read->failed) {
      step(read, put);
      return;
    }
    c.s = read;
    if (!run(&c, read, put_coded)) return;
  }
  if (c.result != BYTECODE_WRITTEN && run(&c, c.s, write_not_coded)) step(c.s, put);
}

// The next stage reads what this one wrote.
static bool follow(const stage *before, stage *s, follow_kind kind) {
  bool again = kind == FOLLOW_AGAIN;
  *s = (stage){.e = before->e,
               .options = before->options,
               .request = before->request,
               .owned = true,
               .quiet = before->quiet,
               .coded = before->coded};
  analysis_request *q = &s->request;
  q->text = before->text.data;
  q->length = before->text.length;
  q->validated = q->recognised = false;
  q->mode.suggested = false;
  q->werror = q->refinable = q->certify = false;
  q->alone = kind == FOLLOW_ALONE;
  if (!again) {
    q->argument_types = NULL;
    q->binding_count = q->bound_count = q->assumption_count = 0;
    q->find_bounds = false;
  }
  return analysis_open(&s->a, q, true, before->a.reply);
}

static void finish(stage *s) {
  plain_close(&s->plain);
  if (s->owned) analysis_close(&s->a);
  s->owned = false;
}

enum { REPAIRS_MAX = 16, CLEANUPS_MAX = 8 };

// Writes once more, with what was refused kept. False: nothing more can be kept, or the request has failed.
static bool write_again(stage *s, stage *check, bool all) {
  misfits m = {.s = s, .all = all};
  assert(s->wrote || all || check->owned);
  return shape_run_protect(check->a.program, find_misfits, &m) == SHAPE_OK &&
         shape_run_protect(s->a.program, keep_misfits, &m) == SHAPE_OK && m.more &&
         step(s, write_refined) && !s->failed;
}

// The same, and where what is refused keeps all that it has: with everything kept, arguments that are fixed as well.
static bool write_again_or_all(stage *s, stage *check, bool all) {
  return write_again(s, check, all) || (!s->failed && write_again(s, check, true));
}

// Types and forms must fit in what never runs, too, where dims may conflict that no run has. What still conflicts there
// when nothing more can be kept was in the source.
static bool fit_alone(stage *s, uint32_t *round) {
  const shape_graph *g = shape_run_graph(s->a.program);
  if (g->region_count == g->func_count) return true;  // everything runs, so the analysis sees it
  for (bool more = true; more;) {
    stage check;
    bool ok = follow(s, &check, FOLLOW_ALONE);
    more =
        ok && shape_run_errors(check.a.program) && write_again(s, &check, ++*round >= REPAIRS_MAX);
    finish(&check);
    if (!ok || s->failed) return false;
  }
  return true;
}

// True: *check is an analysis of what the stage has written at last.
static bool repair(stage *s, stage *check) {
  for (uint32_t round = 0;;) {
    if (!fit_alone(s, &round) || !follow(s, check, FOLLOW_PLAIN)) return false;
    if (!shape_run_errors(check->a.program)) return true;
    if (!write_again_or_all(s, check, ++round >= REPAIRS_MAX)) return !s->failed;
    finish(check);
  }
}

static void refine_and_check(stage *s, uint32_t cleanups);

static void emit_checked(stage *s, stage *check, uint32_t cleanups) {
  assert(cleanups <= CLEANUPS_MAX && check->owned);
  if (shape_run_errors(check->a.program)) {
    if (step(check, write_refused)) step(check, put);
  } else if ((s->options->cleanup || s->options->parts) && s->wrote && cleanups < CLEANUPS_MAX) {
    // What was cleaned may leave values unused, and types free that something shared: until nothing changes any more.
    check->quiet = true;  // what stays dynamic is reported in the locations of the caller's text
    refine_and_check(check, cleanups + 1);
  } else if (s->coded) {
    put_bytecode(s, check);
  } else if (s->options->generic) {
    if (step(check, write_generic)) step(check, put);
  } else {
    step(s, put);
  }
}

static void refine_and_check(stage *s, uint32_t cleanups) {
  if (plain_is_other(&s->request)) plain_open(&s->plain, &s->request);
  if (!step(s, write_refined)) return;
  stage check = {0};
  bool changed = s->wrote || s->options->generic;
  bool checked = changed && !s->failed && repair(s, &check);
  if (s->a.reply->status == SHAPE_OK && step(s, tell_dynamic)) {
    if (checked) {
      emit_checked(s, &check, cleanups);
    } else if (!s->failed && !changed && s->coded) {
      put_bytecode(s, s);
    } else if (s->failed || !changed) {
      step(s, put);
    }
  }
  finish(&check);
}

static void emit_refined(const emission *e, const bytecode_write_options *coded) {
  stage first = {.e = e,
                 .options = e->options,
                 .a = *e->a,
                 .request = *e->a->request,
                 .coded = coded},
        second;
  first.a.request = &first.request;
  if (first.options->passes && coded) {
    analysis_refuse(e->a, "programs after passes are written as text");
    return;
  }
  if (first.options->passes) {
    emit_passes(e);
    return;
  }
  if (is_specialised(&first) && !step(&first, write_copies)) return;
  if (!first.wrote) {
    refine_and_check(&first, 0);
    finish(&first);
    return;
  }
  bool ok = follow(&first, &second, FOLLOW_AGAIN);
  if (ok && shape_run_errors(second.a.program)) {
    if (step(&second, write_refused)) step(&second, put);
  } else if (ok) {
    refine_and_check(&second, 0);
  }
  finish(&second);
}

void emit_mlir(const emission *e) { emit_refined(e, NULL); }

static void emit_coded(const emission *e, const bytecode_release *release) {
  const analysis_request *q = e->a->request;
  bytecode_write_options options = {.release = release};
  if (e->report->graph->source.text != q->text)  // the text was made of the bytes
    options.source = (bytecode_source){q->text, q->length};
  emit_refined(e, &options);
}

void emit_bytecode(const emission *e) { emit_coded(e, NULL); }

void emit_vhlo(const emission *e) {
  const program_options *options = e->options;
  bytecode_release release;
  if (!options->target || !bytecode_release_parse(options->target, &release)) {
    emit_refuse(e, "the target is a release of StableHLO from 0.9.0 to 1.20.0");
    return;
  }
  emit_coded(e, &release);
}
