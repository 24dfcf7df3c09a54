// SPDX-License-Identifier: Apache-2.0
#include "solver/generalize/generalize.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/formats/formats.h"
#include "solver/graph/argument_name.h"
#include "solver/generalize/state.h"

// --- what may be freed

static uint32_t rank_of(const generalization *g, uint32_t argument) {
  const graph_type *t =
      graph_value_type(shape_run_graph(g->from.a.program), g->from.arguments + argument);
  return t && t->kind == TYPE_TENSOR ? t->rank : 0;
}

// "x.0" or "arg1.2".
static bool find_dim(const generalization *g, const char *text, uint32_t *argument,
                     uint32_t *axis) {
  const argument_list list = {NULL, g->from.arguments, g->from.argument_count};
  argument_name found;
  if (!argument_name_find(shape_run_graph(g->from.a.program), list, text, strlen(text), &found) ||
      found.element)
    return false;
  *argument = found.argument;
  *axis = found.index;
  return *axis < rank_of(g, *argument);
}

static bool choose_freed(generalization *g) {
  const generalize_request *q = g->request;
  uint32_t count = g->from.argument_count, argument, axis;
  assert(count == 0 || g->from.arguments != VALUE_NONE);
  g->freed = arena_alloc(&g->arena, (count + 1) * sizeof *g->freed);
  for (uint32_t i = 0; i < count; i++) {
    g->freed[i] = arena_zalloc(&g->arena, rank_of(g, i) + 1);
    if (!q->free_count) memset(g->freed[i], 1, rank_of(g, i));
  }
  g->from.freed = (const bool *const *)g->freed;
  for (uint32_t i = 0; i < q->free_count; i++) {
    if (!find_dim(g, q->free[i], &argument, &axis)) {
      g->reply->status = SHAPE_INVALID;
      snprintf(g->reply->message, sizeof g->reply->message,
               "'%.64s': expected a dim of an argument, as x.0 or arg1.2", q->free[i]);
      return false;
    }
    g->freed[argument][axis] = true;
  }
  return true;
}

// --- the whole

static bool open_original(generalization *g) {
  original *o = &g->from;
  if (!analysis_open(&o->a, g->request->program, false, g->reply) || !analysis_is_valid(&o->a))
    return false;
  const shape_report *r = shape_run_report(o->a.program);
  const shape_graph *graph = r->graph;
  if (!r->function_count || r->infer->entry == ID_NONE || r->functions[0].id != r->infer->entry) {
    g->reply->status = SHAPE_INVALID;
    snprintf(g->reply->message, sizeof g->reply->message,
             "the program has no entry whose arguments could be freed");
    return false;
  }
  o->entry = r->infer->entry;
  o->arguments = r->functions[0].arguments;
  o->argument_count = r->functions[0].argument_count;
  g->writable =
      generalize_has_spans(graph) || (graph->format == GRAPH_ONNX && graph->onnx_opset >= 7);
  return choose_freed(g);
}

// Conditions that no one reads, and no one can evaluate in time, are no answer.
static void limit_conditions(generalization *g) {
  const shape_report *r = shape_run_report(g->model_analysis.program);
  size_t length = 0;
  if (!analysis_is_valid(&g->model_analysis)) return;
  for (uint32_t i = 0; i < r->guards.count; i++) length += r->guards.items[i].expr.length;
  if (length <= GENERALIZE_LENGTH) return;
  g->reply->status = SHAPE_BUDGET;
  snprintf(g->reply->message, sizeof g->reply->message,
           "the conditions have %zu characters, %d are the limit: free fewer dims", length,
           GENERALIZE_LENGTH);
}

static void run(void *data) {
  generalization *g = data;
  if (!open_original(g)) return;
  bool again = true;
  for (uint32_t round = 0; again && round < GENERALIZE_ROUNDS; round++) {
    if (g->open) analysis_close(&g->model_analysis);
    g->open = again = false;
    g->origin = NULL;
    if (!generalize_discover(g) || !generalize_conclude(g, &again)) return;
  }
  if (!again) {
    limit_conditions(g);
    return;
  }
  g->reply->status = SHAPE_BUDGET;
  snprintf(g->reply->message, sizeof g->reply->message,
           "no set of dims that can be free was found in %d rounds", GENERALIZE_ROUNDS);
}

generalization *generalize(const generalize_request *request, analysis_reply *reply) {
  generalization *g = calloc(1, sizeof *g);
  memset(reply, 0, sizeof *reply);
  if (!g) {
    reply->status = SHAPE_MEMORY;
    return NULL;
  }
  g->request = request;
  g->reply = reply;
  const run_limits *limits = &request->program->limits;
  arena_init(&g->arena, limits->memory ? limits->memory : ARENA_LIMIT_DEFAULT);
  g->arena.stop = limits->stop;
  shape_status status = arena_protect(&g->arena, run, g);
  if (reply->status == SHAPE_OK) reply->status = status;
  return g;
}

void generalize_free(generalization *g) {
  if (!g) return;
  if (g->open) analysis_close(&g->model_analysis);
  analysis_close(&g->from.a);
  arena_destroy(&g->arena);
  free(g);
}

// --- writing

typedef struct write_call {
  generalization *g;
  generalize_form form;
  emit_sink *sink;
  void *to;
} write_call;

static void write_answer(shape_run *p, void *data) {
  write_call *call = data;
  assert(call->g->origin);
  shape_strbuf out;
  strbuf_init_sink(&out, shape_run_graph(p)->arena, call->sink, call->to);
  (call->form == GENERALIZE_JSON ? generalize_json : generalize_text)(call->g, &out);
  strbuf_flush(&out);
}

typedef struct model_writer {
  const model_bytes *model;
  const generalize_sink *sink;
} model_writer;

static void write_new(void *to, const char *data, size_t length) {
  const generalize_sink *sink = ((const model_writer *)to)->sink;
  sink->write(sink->to, data, length);
}

static void put_piece(const model_writer *w, const model_piece *piece, size_t begin, size_t end) {
  assert(piece->at <= begin && begin <= end && end <= piece->at + piece->size);
  size_t from = piece->begin + (begin - piece->at), to = piece->begin + (end - piece->at);
  if (w->sink->copy) {
    w->sink->copy(w->sink->to, from, to);
  } else {
    w->sink->write(w->sink->to, w->model->base + from, to - from);
  }
}

// Parts of the model that was analysed are parts of the one that was read, and new bytes between these.
static void write_part(void *to, size_t begin, size_t end) {
  const model_writer *w = to;
  const model_bytes *m = w->model;
  uint32_t low = 0, high = m->piece_count;
  while (low < high) {  // the first piece that ends after `begin`
    uint32_t middle = low + (high - low) / 2;
    if (m->pieces[middle].at + m->pieces[middle].size <= begin) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  assert(end <= m->text.length);
  while (begin < end) {
    const model_piece *piece = low < m->piece_count ? &m->pieces[low] : NULL;
    bool inside = piece && piece->at <= begin;
    size_t next = !piece ? end : inside ? piece->at + piece->size : piece->at;
    if (next > end) next = end;
    if (inside) {
      put_piece(w, piece, begin, next);
      low++;
    } else {
      write_new(to, m->text.data + begin, next - begin);
    }
    begin = next;
  }
}

// Bytecode is read as the text that says the same: the graph has the format of the text.
static bool is_bytecode(const analysis_request *q) {
  graph_format format = q->format;
  const char *advice;
  bool known = q->recognised || format_of(q->text, q->length, &format, &advice);
  return known && !q->validated && format == GRAPH_BYTECODE;
}

static void write_fx(shape_run *p, void *data) {
  write_call *call = data;
  generalization *g = call->g;
  shape_strbuf out;
  strbuf_init(&out, shape_run_graph(p)->arena);
  rewrite_fx_types(shape_run_report(p), &g->from, &g->model_analysis.statements, &out);
  call->sink(call->to, out.data, out.length);
}

static void write_model(generalization *g, const generalize_sink *sink) {
  if (!g->writable) {
    g->reply->status = SHAPE_INVALID;
    snprintf(g->reply->message, sizeof g->reply->message,
             "only MLIR, ONNX and FX graphs as text are written back");
    return;
  }
  graph_format format = (graph_format)shape_run_graph(g->model_analysis.program)->format;
  if (format == GRAPH_FX) {
    write_call call = {.g = g, .sink = sink->write, .to = sink->to};
    g->reply->status = shape_run_protect(g->model_analysis.program, write_fx, &call);
  } else if (format == GRAPH_MLIR) {
    emit_choice form =
        is_bytecode(g->request->program) ? emit_as_bytecode(NULL) : emit_as_mlir(NULL);
    emit_analysis(&g->model_analysis, form, sink->write, sink->to);
  } else {
    model_writer w = {&g->model, sink};
    const program_options options = {.copy = write_part};
    emit_analysis(&g->model_analysis, emit_as_onnx(&options), write_new, &w);
  }
  if (g->reply->status == SHAPE_OK) *g->reply = g->model_reply;
}

void generalize_emit(generalization *g, generalize_form form, const generalize_sink *sink) {
  emit_choice check = form == GENERALIZE_JSON ? emit_as_json(NULL) : emit_as_text(NULL);
  if (g->reply->status != SHAPE_OK) {
    if (g->reply->status != SHAPE_INVALID)
      emit_failure(g->request->program, check.emitter, sink->write, sink->to, g->reply);
  } else if (!analysis_is_valid(&g->from.a)) {
    emit_analysis(&g->from.a, check, sink->write, sink->to);
  } else if (form == GENERALIZE_MODEL) {
    write_model(g, sink);
  } else {
    write_call call = {g, form, sink->write, sink->to};
    shape_status status = shape_run_protect(g->model_analysis.program, write_answer, &call);
    if (g->reply->status == SHAPE_OK) g->reply->status = status;
  }
}
