// SPDX-License-Identifier: Apache-2.0
// What infer writes to a trace (solver/base/trace.def): which rule ran, what it gave, and in which frame and scope.
#include <assert.h>

#include "solver/infer/state.h"
#include "solver/term/outline.h"

enum { SHOWN = 8 };  // elements of one value

static void terms(infer_state *s, shape_strbuf *out, const term_id *list, uint32_t count) {
  strbuf_putc(out, '[');
  for (uint32_t i = 0; i < count && i < SHOWN; i++) {
    if (i) strbuf_puts(out, ", ");
    if (list[i] == TERM_NONE) {
      strbuf_putc(out, '?');
    } else {
      term_outline(out, s->terms, list[i]);
    }
  }
  strbuf_puts(out, count > SHOWN ? ", ...]" : "]");
}

static void value(infer_state *s, shape_strbuf *out, const value_info *v) {
  if (v->ranked) {
    terms(s, out, v->dims, v->rank);
  } else {
    strbuf_puts(out, "unranked");
  }
  if (v->elements) {
    strbuf_puts(out, " = ");
    terms(s, out, v->elements, v->element_count);
  }
}

static void put_location(infer_state *s, shape_strbuf *out, op_id op) {
  if (s->g->format == GRAPH_MLIR) {
    strbuf_printf(out, "line %u ", graph_position(s->g, s->g->ops[op].span).line);
  } else {
    strbuf_printf(out, "operation %u ", op);
  }
  strbuf_printf(out, TRACE_NAME, intern_text(&s->g->names, s->g->ops[op].name));
}

void narrate_op(infer_state *s, const rule_context *c, rule_status status, bool again) {
  static const char *const STATUS[] = {
      [RULE_DONE] = "done", [RULE_AGAIN] = "asks to come again", [RULE_UNKNOWN] = "unknown"};
  shape_strbuf *out = trace_begin(s->budget, TRACE_op);
  put_location(s, out, c->op);
  assert((unsigned)status < sizeof STATUS / sizeof *STATUS);
  strbuf_printf(out, "%s, rule %s in scope %u: %s", again ? " again" : "", c->row->rule_name,
                s->scope, STATUS[status]);
  const graph_op *o = &s->g->ops[c->op];
  for (uint32_t i = 0; i < o->result_count; i++) {
    strbuf_puts(out, i ? "; " : ", ");
    value(s, out, state_value(s, o->results + i));
  }
  trace_end(s->budget);
}

void narrate_frame(infer_state *s, uint32_t frame) {
  const infer_frame *f = &s->r->frames[frame];
  const graph_func *func = &s->g->funcs[f->func];
  shape_strbuf *out = trace_begin(s->budget, TRACE_call);
  const char *name =
      func->name == NAME_NONE ? "a function without a name" : intern_text(&s->g->names, func->name);
  strbuf_printf(out, "frame %u is @" TRACE_NAME, frame, name);
  if (f->caller != ID_NONE) {
    strbuf_puts(out, ", called by ");
    put_location(s, out, f->caller);
  }
  const graph_region *body = func->body == ID_NONE ? NULL : &s->g->regions[func->body];
  const graph_block *entry = body && body->block_count ? &s->g->blocks[body->first_block] : NULL;
  for (uint32_t i = 0; entry && i < entry->argument_count; i++) {
    strbuf_printf(out, "%s argument %u ", i ? ";" : ":", i);
    value(s, out, &f->values[entry->arguments + i - f->value_base]);
  }
  trace_end(s->budget);
}

void narrate_scope(infer_state *s, op_id op, uint32_t region, uint32_t outer, bool dead) {
  shape_strbuf *out = trace_begin(s->budget, TRACE_scope);
  strbuf_printf(out, "%u opens", s->scope);
  if (op != ID_NONE) {
    strbuf_printf(out, " in %u: region %u of ", outer, region);
    put_location(s, out, op);
  }
  if (dead) strbuf_puts(out, ", which cannot run");
  trace_end(s->budget);
}
