// SPDX-License-Identifier: Apache-2.0
// Formats, and analyses written in them. A format has the name of its row in emitters.def, with - for _.
#include <assert.h>
#include <string.h>

#include "solver/api/program.h"
#include "solver/emit/emitter.h"

// --- formats

typedef enum options_type {
  OF_emit_no_options,
  OF_text_options,
  OF_json_options,
  OF_violation_options,
  OF_why_options,
  OF_at_options,
  OF_program_options,
  OF_picture_options,
  OF_guard_options,
  OF_cost_options
} options_type;

typedef struct format_row {
  const char *id, *what;
  options_type options;
} format_row;

static const format_row ROWS[] = {
#define X(id, family, form, options, flags, what) {#id, what, OF_##options},
#include "solver/emit/emitters.def"
#undef X
};

_Static_assert((int)SHAPE_FORMAT_ANSWER == (int)EMIT_ANSWER &&
                   (int)SHAPE_FORMAT_EXPLAIN == (int)EMIT_EXPLAIN &&
                   (int)SHAPE_FORMAT_AT == (int)EMIT_AT &&
                   (int)SHAPE_FORMAT_PROGRAM == (int)EMIT_PROGRAM &&
                   (int)SHAPE_FORMAT_PICTURE == (int)EMIT_PICTURE &&
                   (int)SHAPE_FORMAT_COST == (int)EMIT_COST &&
                   (int)SHAPE_FORMAT_VIEW == (int)EMIT_VIEW,
               "a family of formats has another value in the header");
_Static_assert((int)SHAPE_SEEN_MAX == (int)LIKELY_POINTS_MAX, "runs that are kept");
_Static_assert((int)SHAPE_DYNAMISM_BOUNDED == (int)DYNAMISM_BOUNDED &&
                   (int)SHAPE_DYNAMISM_UNBOUNDED == (int)DYNAMISM_UNBOUNDED,
               "a dynamism has another value in the header");

bool shape_format_at(uint32_t index, shape_format *out) {
  if (index >= EMITTER_COUNT) return false;
  const emitter *e = &EMITTERS[index];
  *out = (shape_format){.family = (shape_format_family)e->family,
                        .form = e->form,
                        .what = ROWS[index].what,
                        .is_text = !(e->flags & EMIT_BYTES),
                        .needs_spans = e->flags & EMIT_SPANS};
  const char *id = ROWS[index].id;
  for (size_t i = 0; id[i] && i + 1 < sizeof out->name; i++)
    out->name[i] = (char)(id[i] == '_' ? '-' : id[i]);
  return true;
}

bool shape_format_find(shape_format_family family, const char *form, shape_format *out) {
  const emitter *found = emitter_find((emit_family)family, form);
  return found && shape_format_at((uint32_t)(found - EMITTERS), out);
}

static bool is_called(const char *id, const char *name) {
  while (*id && *name == (*id == '_' ? '-' : *id)) id++, name++;
  return !*id && !*name;
}

// The row of a format; EMITTER_COUNT: there is none.
static uint32_t row_of(const char *name) {
  uint32_t i = 0;
  while (i < EMITTER_COUNT && !is_called(ROWS[i].id, name)) i++;
  return i;
}

// --- options

typedef union row_options {
  emit_no_options emit_no_options;
  text_options text_options;
  json_options json_options;
  violation_options violation_options;
  why_options why_options;
  at_options at_options;
  program_options program_options;
  picture_options picture_options;
  guard_options guard_options;
  cost_options cost_options;
} row_options;

static void take_dynamic(void *to, const dynamic_value *v) {
  const shape_emit_options *o = to;
  const shape_dynamic out = {v->what, v->is_op ? "dynamic" : v->type, v->reason, v->line,
                             v->column};
  o->dynamic(o->dynamic_to, &out);
}

static const likely_point *points_of(shape_arena *arena, const shape_seen *seen, uint32_t count) {
  likely_point *points = arena_alloc(arena, ((size_t)count + 1) * sizeof *points);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t n = seen[i].dim_count;
    likely_size *sizes = arena_alloc(arena, ((size_t)n + 1) * sizeof *sizes);
    for (uint32_t k = 0; k < n; k++) {
      const shape_seen_dim *d = &seen[i].dims[k];
      sizes[k] = (likely_size){d->name, d->name_length, d->value};
    }
    points[i] = (likely_point){sizes, n, seen[i].count};
  }
  return points;
}

typedef struct options_call {
  options_type type;
  shape_emit_options *from;
  shape_arena *arena;
  row_options out;
} options_call;

// `from` and the arena outlive what is made.
static void make_options(void *data) {
  options_call *x = data;
  shape_emit_options *o = x->from;
  memset(&x->out, 0, sizeof x->out);
#define X(options, member)                                                                         \
  if (x->type == OF_##options) x->out.options.member = o->member;
#include "solver/api/emit_options.def"
#undef X
  shape_dims_options dims;
  uint32_t profiles = 0;
  api_read_struct(&dims, sizeof dims, o->dims);
  while (dims.profiles && dims.profiles[profiles]) profiles++;
  if (x->type == OF_text_options) {
    x->out.text_options.profiles = dims.profiles;
    x->out.text_options.profile_count = profiles;
  }
  const likely_point *points = o->seen_count ? points_of(x->arena, o->seen, o->seen_count) : NULL;
  if (x->type == OF_json_options) {
    x->out.json_options.points = points;
    x->out.json_options.point_count = o->seen_count;
    x->out.json_options.profiles = dims.profiles;
    x->out.json_options.profile_count = profiles;
  } else if (x->type == OF_violation_options) {
    x->out.violation_options.points = points;
    x->out.violation_options.point_count = o->seen_count;
  } else if (x->type == OF_guard_options) {
    x->out.guard_options.profile = profiles ? dims.profiles[0] : NULL;
  } else if (x->type == OF_cost_options) {
    x->out.cost_options.reuse = dims.reuse;
    x->out.cost_options.at = dims.point;
    x->out.cost_options.profile = profiles ? dims.profiles[0] : NULL;
    x->out.cost_options.flops_per_byte = dims.flops_per_byte;
  } else if (x->type == OF_program_options) {
    x->out.program_options.names = dims.names;
    x->out.program_options.points = points;
    x->out.program_options.point_count = o->seen_count;
    x->out.program_options.dynamism = (program_dynamism)o->dynamism;
    x->out.program_options.dynamic = o->dynamic ? take_dynamic : NULL;
    x->out.program_options.dynamic_to = o;
  }
}

static bool too_many_dims(const shape_emit_options *o) {
  bool many = false;
  for (uint32_t i = 0; i < o->seen_count; i++) many |= o->seen[i].dim_count > SHAPE_SEEN_DIMS_MAX;
  return many;
}

// What is wrong with the options, or with the facts, which a context of the analysis shares; or NULL.
static const char *refusal(const shape_analysis *a, uint32_t row, const shape_emit_options *o) {
  if (row == EMITTER_COUNT) return "there is no such format";
  if (a->context && a->context->assumption_count)
    return "the context of the analysis assumes something: roll it back to a checkpoint before "
           "that";
  if (a->context && a->context->stale)
    return "an earlier call on the context ended in the middle of the analysis' facts";
  switch (ROWS[row].options) {
  case OF_json_options: return too_many_dims(o) ? "a run has more than 64 dims" : NULL;
  case OF_violation_options:
    if (too_many_dims(o)) return "a run has more than 64 dims";
    return o->violated ? NULL : "this format needs runs that were seen, and room for its results";
  case OF_program_options:
    if (!(EMITTERS[row].flags & EMIT_DYNAMISM)) return NULL;
    if ((unsigned)o->dynamism > SHAPE_DYNAMISM_UNBOUNDED) return "there is no such dynamism";
    if (o->dynamism == SHAPE_DYNAMISM_BOUNDED && !a->request.find_bounds)
      return "bounded dynamism needs an analysis with find_bounds";
    return NULL;
  default: return NULL;
  }
}

// --- writing

// Of an analysis that has a report; the reply says how it ended.
static void write_report(shape_analysis *a, uint32_t row, shape_emit_options *o, shape_write *write,
                         void *to) {
  assert(row < EMITTER_COUNT && a->report);
  options_call call = {.type = ROWS[row].options, .from = o, .arena = &a->texts};
  arena_mark before = arena_get_mark(&a->texts);
  a->reply = (analysis_reply){.errors = shape_run_errors(a->core.program)};
  a->reply.status = arena_protect(&a->texts, make_options, &call);
  if (a->reply.status == SHAPE_OK)
    emit_analysis(&a->core, (emit_choice){&EMITTERS[row], &call.out}, write, to);
  arena_rewind(&a->texts, before);
  if (o->errors) *o->errors = a->reply.errors;
  if (a->reply.status != SHAPE_OK) api_fail_with(&a->error, a->reply.status, a->reply.message);
}

shape_status shape_analysis_emit_with(shape_analysis *a, const char *format,
                                      const shape_emit_options *given, shape_write *write,
                                      void *to) {
  shape_emit_options o;
  api_read_struct(&o, sizeof o, given);
  bool clean = strcmp(format, "clean-mlir") == 0;
  if (clean) o.cleanup = true;
  if (o.seen_count > SHAPE_SEEN_MAX) o.seen_count = SHAPE_SEEN_MAX;
  uint32_t row = row_of(clean ? "mlir" : format);
  const char *refused = refusal(a, row, &o);
  if (o.answer) *o.answer = SHAPE_NO;
  if (o.errors) *o.errors = 0;
  if (refused) {
    api_fail(&a->error, SHAPE_INVALID, "%s", refused);
    return SHAPE_INVALID;
  }
  if (a->report) {
    write_report(a, row, &o, write, to);
    if (a->reply.status == SHAPE_OK) return SHAPE_OK;
  } else {  // calls that were refused since have another error
    a->error = a->outcome;
    a->reply.status = a->error.status;
  }
  if (a->reply.status != SHAPE_INVALID)
    emit_failure(&a->request, &EMITTERS[row], write, to, &a->reply);
  return a->error.status;
}

shape_status shape_analysis_emit(shape_analysis *a, const char *format, shape_write *write,
                                 void *to) {
  return shape_analysis_emit_with(a, format, NULL, write, to);
}
