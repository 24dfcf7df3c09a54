// SPDX-License-Identifier: Apache-2.0
// Why a predicate holds, or why dims at a location are what they are. Of a program with errors there is nothing to
// explain but these: the answer comes instead.
#include "solver/emit/emitter.h"
#include "solver/emit/explain.h"
#include "solver/emit/explain_at.h"
#include "solver/emit/refute.h"

static void write_answer(const emission *e, bool json, bool colour, bool big_as_text) {
  emission other = *e;
  const text_options text = {.colour = colour};
  const json_options as_json = {.big_as_text = big_as_text};
  other.options = json ? (const void *)&as_json : &text;
  (json ? emit_json : emit_text)(&other);
}

static void write_why(const emission *e, bool json) {
  const why_options *o = e->options;
  shape_arena *arena = e->report->graph->arena;
  if (o->answer) *o->answer = SHAPE_NO;
  if (!o->that) {
    emit_refuse(e, "there is no predicate to explain");
    return;
  }
  if (!analysis_is_valid(e->a)) {
    write_answer(e, json, o->colour, o->big_as_text);
    return;
  }
  explanation *found = arena_alloc(arena, sizeof *found);
  report_explain(e->report, o->that, found);
  if (found->run) {
    const char *claim = arena_strndup(arena, found->claim.text, found->claim.length);
    found->confirmed = refute_confirms(e->a->request, found->run, claim, arena);
    if (found->confirmed) found->answer = SHAPE_NO;
  }
  if (o->answer) *o->answer = found->answer;
  if (found->error) {
    if (found->unknown.length) {
      emit_refuse(e,
                  "'%s': %s '%.*s'; there are the symbols of the answer, dims of "
                  "arguments as x.1 or arg0.1, and values as %%x",
                  o->that, found->error, (int)found->unknown.length, found->unknown.text);
    } else {
      emit_refuse(e, "'%s', at character %zu: %s", o->that, found->error_at + 1, found->error);
    }
  } else if (json) {
    json_writer w;
    json_writer_init(&w, e->out);
    w.big_as_text = o->big_as_text;
    explain_encode(e->report, o->that, found, &w);
    strbuf_putc(e->out, '\n');
  } else {
    explain_render(e->report, o->that, found,
                   &(render_options){e->a->request->name, o->colour, false}, e->out);
  }
}

void emit_why(const emission *e) { write_why(e, false); }
void emit_why_json(const emission *e) { write_why(e, true); }

static void write_at(const emission *e, bool json) {
  const at_options *o = e->options;
  at_explanation found;
  uint32_t offset;
  if (!analysis_is_valid(e->a)) {
    write_answer(e, json, o->colour, o->big_as_text);
  } else if (!graph_is_text(e->report->graph)) {
    emit_refuse(e,
                "a program that is bytes has no lines: --that explains predicates over its dims");
  } else if (!location_offset(e->report->graph, o->line, o->column, &offset)) {
    emit_refuse(e, "the text has no location %u:%u", o->line, o->column);
  } else if (!explain_at(e->a, offset, &found)) {
    emit_refuse(e, "there is no value with a shape at %u:%u", o->line, o->column);
  } else if (json) {
    json_writer w;
    json_writer_init(&w, e->out);
    explain_at_encode(e->report, &found, &w);
    strbuf_putc(e->out, '\n');
  } else {
    explain_at_render(e->report, &found, &(render_options){e->a->request->name, o->colour, false},
                      e->out);
  }
}

void emit_at(const emission *e) { write_at(e, false); }
void emit_at_json(const emission *e) { write_at(e, true); }
