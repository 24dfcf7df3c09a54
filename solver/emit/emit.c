// SPDX-License-Identifier: Apache-2.0
// From a request to what its emitter writes.
#include <stdio.h>
#include <string.h>

#include "solver/analysis/arg_conflict.h"
#include "solver/emit/emitter.h"
#include "solver/emit/encode.h"
#include "solver/report/render.h"

const emitter EMITTERS[] = {
#define X(id, family, form, options, flags, what) {EMIT_##family, form, flags, emit_##id},
#include "solver/emit/emitters.def"
#undef X
};

const emitter *emitter_find(emit_family family, const char *form) {
  for (unsigned i = 0; i < EMITTER_COUNT; i++) {
    if (EMITTERS[i].family == family && strcmp(EMITTERS[i].form, form) == 0) return &EMITTERS[i];
  }
  return NULL;
}

// The errors of the program, as text.
static void write_errors(const emission *e) {
  render_options options = {e->a->request->name, false, false};
  for (uint32_t i = 0; i < e->report->diag_count; i++) {
    if (e->report->diags[i]->severity == DIAG_ERROR)
      render_diag(e->report, e->out, e->report->diags[i], &options);
  }
}

typedef struct emit_work {
  analysis *a;
  emit_choice choice;
  emit_sink *sink;
  void *to;
} emit_work;

// The defaults of every emitter are all zero.
static const uint64_t DEFAULTS[16];
#define X(id, family, form, options, flags, what)                                                  \
  _Static_assert(sizeof(options) <= sizeof DEFAULTS, #options " has no defaults");
#include "solver/emit/emitters.def"
#undef X

static void write_body(shape_run *p, void *data) {
  emit_work *w = data;
  analysis *a = w->a;
  unsigned flags = w->choice.emitter->flags;
  const shape_graph *g = shape_run_graph(p);
  shape_strbuf out;
  strbuf_init_sink(&out, g->arena, w->sink, w->to);
  emission e = {.a = a,
                .report = shape_run_report(p),
                .options = w->choice.options ? w->choice.options : &DEFAULTS,
                .out = &out,
                .sink = w->sink,
                .to = w->to};
  if (!(flags & EMIT_TEXT_LATER)) graph_text(g);
  assert((flags & EMIT_TEXT_LATER) || !g->source.complete);
  if ((flags & EMIT_MLIR) && g->format != GRAPH_MLIR) {
    analysis_refuse(a, "only MLIR is written back as text; --emit json writes any program");
  } else if ((flags & EMIT_ONNX) && g->format != GRAPH_ONNX) {
    analysis_refuse(a, "only ONNX models are written back as ONNX");
  } else if ((flags & EMIT_REFUSES_ERRORS) && !analysis_is_valid(a)) {
    analysis_refuse(a, "the program has errors; analyze says which");
  } else if ((flags & EMIT_VALID) && !analysis_is_valid(a)) {
    write_errors(&e);
  } else {
    w->choice.emitter->write(&e);
  }
  strbuf_flush(&out);
}

static void write_opened(analysis *a, emit_choice choice, emit_sink *sink, void *to) {
  emit_work work = {a, choice, sink, to};
  shape_status status = shape_run_protect(a->program, write_body, &work);
  if (a->reply->status == SHAPE_OK) a->reply->status = status;
}

// Regions that may not run, which were not walked without their conditions yet.
static bool has_branches(const analysis *a) {
  const infer_result *infer = shape_run_report(a->program)->infer;
  for (uint32_t i = 0; infer && !a->options.whole_regions && i < infer->scope_count; i++) {
    if (infer->scopes[i].condition != TERM_NONE) return true;
  }
  return false;
}

void emit_analysis(analysis *a, emit_choice choice, emit_sink *sink, void *to) {
  bool spans = (choice.emitter->flags & EMIT_SPANS) && !a->with_spans;
  bool regions = (choice.emitter->flags & EMIT_REGIONS) && has_branches(a);
  if (!spans && !regions && !a->changed) {
    a->changed = choice.emitter->flags & EMIT_CHANGES;
    write_opened(a, choice, sink, to);
    return;
  }
  analysis again;
  analysis_request request = *a->request;
  request.mode.whole_regions |= regions;
  if (analysis_open(&again, &request, spans || a->with_spans, a->reply))
    write_opened(&again, choice, sink, to);
  analysis_close(&again);
}

// --- where there is no answer

typedef struct failure {
  const analysis_request *request;
  const analysis_reply *reply;
  const emitter *emitter;
  emit_sink *sink;
  void *to;
  shape_arena arena;
} failure;

static void write_failure_body(void *data) {
  failure *f = data;
  shape_strbuf out;
  strbuf_init_sink(&out, &f->arena, f->sink, f->to);
  if (f->emitter->flags & EMIT_FAILS_AS_JSON) {
    json_writer w;
    json_writer_init(&w, &out);
    char code[32];
    const char *name = shape_status_name(f->reply->status);
    size_t n = 0;
    for (; name[n] && n + 1 < sizeof code; n++) {
      code[n] = (char)(name[n] >= 'A' && name[n] <= 'Z' ? name[n] + 32 : name[n]);
    }
    code[n] = 0;
    report_encode_failure(&w, code, 1, 1, f->reply->message);
    strbuf_putc(&out, '\n');
  } else {
    strbuf_printf(&out, "%s: error: %s\n", f->request->name, f->reply->message);
  }
  strbuf_flush(&out);
}

void emit_failure(const analysis_request *request, const emitter *kind, emit_sink *sink, void *to,
                  analysis_reply *reply) {
  failure f = {.request = request, .reply = reply, .emitter = kind, .sink = sink, .to = to};
  if (!*reply->message) {
    snprintf(reply->message, sizeof reply->message, "%s", shape_status_message(reply->status));
  }
  arena_init(&f.arena, 0);
  arena_protect(&f.arena, write_failure_body, &f);
  arena_destroy(&f.arena);
}

void emit_analyze(const analysis_request *request, emit_choice choice, emit_sink *sink, void *to,
                  analysis_reply *reply) {
  analysis a;
  const unsigned flags = choice.emitter->flags;
  memset(reply, 0, sizeof *reply);
  if ((flags & EMIT_TEXT_LATER ? analysis_open_later : analysis_open)(&a, request,
                                                                      flags & EMIT_SPANS, reply)) {
    arg_conflict_report(&a);
    emit_analysis(&a, choice, sink, to);
  }
  analysis_close(&a);
  if (reply->status != SHAPE_OK && reply->status != SHAPE_INVALID)
    emit_failure(request, choice.emitter, sink, to, reply);
}
