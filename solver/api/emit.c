// SPDX-License-Identifier: Apache-2.0
// Formats, and analyses written in them. A format has the name of its row in emitters.def, with - for _.
#include <stdio.h>
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
  OF_picture_options
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
                   (int)SHAPE_FORMAT_PICTURE == (int)EMIT_PICTURE,
               "a family of formats has another value in the header");
_Static_assert((int)SHAPE_DYNAMISM_BOUNDED == (int)DYNAMISM_BOUNDED &&
                   (int)SHAPE_DYNAMISM_UNBOUNDED == (int)DYNAMISM_UNBOUNDED,
               "a dynamism has another value in the header");

bool shape_format_at(uint32_t index, shape_format *out) {
  if (index >= EMITTER_COUNT) return false;
  const emitter *e = &EMITTERS[index];
  *out = (shape_format){.family = (shape_format_family)e->family,
                        .form = e->form,
                        .what = ROWS[index].what,
                        .is_text = !(e->flags & EMIT_BYTES)};
  snprintf(out->name, sizeof out->name, "%s", ROWS[index].id);
  for (char *c = out->name; *c; c++) {
    if (*c == '_') *c = '-';
  }
  return true;
}

bool shape_format_find(shape_format_family family, const char *form, shape_format *out) {
  const emitter *found = emitter_find((emit_family)family, form);
  return found && shape_format_at((uint32_t)(found - EMITTERS), out);
}

// The row of a format; EMITTER_COUNT: there is none.
static uint32_t row_of(const char *name) {
  shape_format row;
  uint32_t i = 0;
  while (shape_format_at(i, &row) && strcmp(row.name, name) != 0) i++;
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
} row_options;

static void take_dynamic(void *to, const dynamic_value *v) {
  const shape_emit_options *o = to;
  const shape_dynamic out = {v->what, v->type, v->reason, v->line, v->column};
  o->dynamic(o->dynamic_to, &out);
}

// `o` outlives what is returned.
static row_options options_of(options_type type, shape_emit_options *o) {
  row_options out;
  memset(&out, 0, sizeof out);
#define X(options, member)                                                                         \
  if (type == OF_##options) out.options.member = o->member;
#include "solver/api/emit_options.def"
#undef X
  if (type == OF_program_options) {
    out.program_options.dynamism = (program_dynamism)o->dynamism;
    out.program_options.dynamic = o->dynamic ? take_dynamic : NULL;
    out.program_options.dynamic_to = o;
  }
  return out;
}

// What is wrong with the options, or NULL.
static const char *refusal(const shape_analysis *a, uint32_t row, const shape_emit_options *o) {
  if (row == EMITTER_COUNT) return "there is no such format";
  switch (ROWS[row].options) {
  case OF_violation_options: return "this format needs points that were seen at run time";
  case OF_program_options:
    if ((unsigned)o->dynamism > SHAPE_DYNAMISM_UNBOUNDED) return "there is no such dynamism";
    if (o->dynamism == SHAPE_DYNAMISM_BOUNDED && !a->request.find_bounds)
      return "bounded dynamism needs an analysis with find_bounds";
    return NULL;
  default: return NULL;
  }
}

// --- writing

shape_status shape_analysis_emit_with(shape_analysis *a, const char *format,
                                      const shape_emit_options *given, shape_write *write,
                                      void *to) {
  shape_emit_options o;
  api_read_struct(&o, sizeof o, given);
  bool clean = strcmp(format, "clean-mlir") == 0;
  if (clean) o.cleanup = true;
  uint32_t row = row_of(clean ? "mlir" : format);
  const char *refused = refusal(a, row, &o);
  if (o.answer) *o.answer = SHAPE_NO;
  if (o.errors) *o.errors = 0;
  if (refused) {
    api_fail(&a->error, SHAPE_INVALID, "%s", refused);
    return SHAPE_INVALID;
  }
  if (a->report) {
    row_options options = options_of(ROWS[row].options, &o);
    a->reply = (analysis_reply){.errors = shape_run_errors(a->core.program)};
    emit_analysis(&a->core, (emit_choice){&EMITTERS[row], &options}, write, to);
    if (o.errors) *o.errors = a->reply.errors;
    if (a->reply.status == SHAPE_OK) return SHAPE_OK;
    api_fail_with(&a->error, a->reply.status, a->reply.message);
  }
  if (a->error.status != SHAPE_INVALID) {
    a->reply.status = a->error.status;
    emit_failure(&a->request, &EMITTERS[row], write, to, &a->reply);
  }
  return a->error.status;
}

shape_status shape_analysis_emit(shape_analysis *a, const char *format, shape_write *write,
                                 void *to) {
  return shape_analysis_emit_with(a, format, NULL, write, to);
}
