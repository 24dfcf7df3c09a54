// SPDX-License-Identifier: Apache-2.0
#include "solver/report/render.h"

#include "solver/report/suggest.h"

#include <assert.h>

// Operations and constraints beyond these are counted, not shown: the JSON answer has them all.
enum { WIDTH = 80, SHOWN_OPS = 40, SHOWN_CONSTRAINTS = 60, NAME_COLUMN = 14, EXPR_COLUMN = 28 };

typedef struct renderer {
  shape_report *report;
  shape_strbuf *out;
  const render_options *options;
} renderer;

static void heading(renderer *x, const char *text) {
  strbuf_putc(x->out, '\n');
  if (x->options->colour) strbuf_puts(x->out, "\033[1m");
  strbuf_puts(x->out, text);
  if (x->options->colour) strbuf_puts(x->out, "\033[0m");
  strbuf_putc(x->out, '\n');
}

static void put_text(renderer *x, report_text text) { render_safe(x->out, text.text, text.length); }
static void put_name(renderer *x, const char *text) { render_safe(x->out, text, strlen(text)); }

static void put_type(renderer *x, type_id type) {
  shape_strbuf text;
  strbuf_init(&text, x->out->arena);
  type_print(&x->report->graph->types, &text, type);
  render_safe(x->out, text.data, text.length);
}

// Fills up to a column counted from the start of the line, or of a new line when that one is after it.
static void pad_to(renderer *x, uint32_t line_start, uint32_t column) {
  assert(line_start <= x->out->length);
  uint32_t at = x->out->length - line_start;
  if (at >= column) {
    strbuf_putc(x->out, '\n');
    at = 0;
  }
  do {
    strbuf_putc(x->out, ' ');
  } while (++at < column);
}

// The beginning of a line. A sink must not take the buffer away while a line is measured.
static uint32_t start_line(renderer *x) {
  strbuf_reserve(x->out, 512);
  return x->out->length;
}

static void put_sizes(renderer *x, const term_id *dims, uint32_t rank) {
  num value;
  strbuf_putc(x->out, '[');
  for (uint32_t i = 0; i < rank; i++) {
    if (i) strbuf_puts(x->out, ", ");
    if (dims[i] == TERM_NONE) {
      strbuf_putc(x->out, '?');
    } else if (report_constant(x->report, dims[i], &value)) {
      num_print(x->out, value);
    } else {
      put_text(x, report_term(x->report, dims[i]));
    }
  }
  strbuf_putc(x->out, ']');
}

static bool has_symbols(const renderer *x, const report_shape *s) {
  num value;
  for (uint32_t i = 0; s->ranked && i < s->rank; i++) {
    if (s->dims[i] == TERM_NONE || !report_constant(x->report, s->dims[i], &value)) return true;
  }
  return false;
}

static void put_shape(renderer *x, uint32_t line, uint32_t index) {
  assert(index < x->report->shape_count);
  const report_shape *s = &x->report->shapes[index];
  pad_to(x, line, NAME_COLUMN);
  if (s->type == TYPE_NONE) {
    strbuf_putc(x->out, '?');
  } else {
    put_type(x, s->type);
  }
  if (has_symbols(x, s)) {
    pad_to(x, line, NAME_COLUMN + 28);
    put_sizes(x, s->dims, s->rank);
  }
}

static void put_values(renderer *x, report_elements values) {
  if (!values.items || !values.count || values.count > 8) return;
  strbuf_puts(x->out, "  = ");
  if (values.count > 1) strbuf_putc(x->out, '[');
  for (uint32_t i = 0; i < values.count; i++) {
    if (i) strbuf_puts(x->out, ", ");
    if (values.items[i] == TERM_NONE) {
      strbuf_putc(x->out, '?');
    } else {
      put_text(x, report_term(x->report, values.items[i]));
    }
  }
  if (values.count > 1) strbuf_putc(x->out, ']');
}

// A location that a reader can go to: the line, or the name of the node in a model.
static void put_operation(renderer *x, op_id id) {
  const shape_graph *g = x->report->graph;
  uint32_t length;
  const char *node = graph_node_name(g, id, &length);
  strbuf_puts(x->out, "  ");
  if (graph_is_text(g)) {
    strbuf_printf(x->out, "line %u", graph_position(g, g->ops[id].span).line);
  } else if (length) {
    render_safe(x->out, node, length);
  }
}

static void put_ops(renderer *x, const report_function *f) {
  const shape_report *r = x->report;
  uint32_t shown = 0, more = 0;
  for (op_id i = f->first_op; i < f->end_op; i++) {
    const graph_op *op = &r->graph->ops[i];
    for (uint32_t k = 0; k < op->result_count; k++) {
      uint32_t shape = r->value_shapes[op->results + k];
      if (!r->shapes[shape].refined) continue;
      if (shown == SHOWN_OPS) {
        more++;
        continue;
      }
      if (!shown++) strbuf_puts(x->out, "  refined operations\n");
      uint32_t line = start_line(x);
      put_operation(x, i);
      put_shape(x, line, shape);
      strbuf_puts(x->out, "  ");
      put_name(x, graph_op_name(r->graph, i));
      strbuf_putc(x->out, '\n');
    }
  }
  if (more) strbuf_printf(x->out, "  ... and %u more (--json lists them all)\n", more);
}

static void put_function(renderer *x, const report_function *f) {
  const shape_report *r = x->report;
  strbuf_puts(x->out, "\nfunction @");
  put_text(x, report_function_name(r, f->id));
  strbuf_putc(x->out, '\n');
  for (uint32_t i = 0; i < f->argument_count; i++) {
    uint32_t line = start_line(x);
    strbuf_printf(x->out, "  argument %u", i);
    put_shape(x, line, r->value_shapes[f->arguments + i]);
    put_values(x, f->argument_values[i]);
    strbuf_putc(x->out, '\n');
  }
  for (uint32_t i = 0; i < f->result_count; i++) {
    if (f->result_shapes[i] == ID_NONE) continue;
    uint32_t line = start_line(x);
    strbuf_printf(x->out, "  result %u", i);
    put_shape(x, line, f->result_shapes[i]);
    put_values(x, f->result_values[i]);
    strbuf_putc(x->out, '\n');
  }
  put_ops(x, f);
}

// --- what would leave less to be checked

static void put_suggestion(renderer *x) {
  const shape_report *r = x->report;
  const report_suggestion *s = report_suggest(x->report);
  if (!s) return;
  strbuf_puts(x->out, "\nIf ");
  for (uint32_t i = 0; i < s->assume_count; i++) {
    if (i) strbuf_puts(x->out, i + 1 == s->assume_count ? " and " : ", ");
    put_name(x, s->assume[i]);
  }
  strbuf_puts(x->out, " (--assume-suggested):\n");
  const report_function *f = &r->functions[0];
  for (uint32_t i = 0; i < f->result_count; i++) {
    if (f->result_shapes[i] == ID_NONE || !s->results[i]) continue;
    const report_shape *before = &r->shapes[f->result_shapes[i]];
    bool same = true;
    for (uint32_t k = 0; k < before->rank; k++) same &= before->dims[k] == s->results[i][k];
    if (same) continue;
    uint32_t line = start_line(x);
    strbuf_printf(x->out, "  result %u", i);
    pad_to(x, line, NAME_COLUMN);
    put_sizes(x, s->results[i], before->rank);
    strbuf_putc(x->out, '\n');
  }
  if (s->guards_left) {
    strbuf_printf(x->out, "  %u of %u guards hold\n", s->proves, r->guards.count);
  } else {
    strbuf_puts(x->out, "  no guard is left\n");
  }
}

// --- symbols and constraints

// A model's name of its input; in text the number and the function.
static void put_argument(renderer *x, const report_symbol *s) {
  const shape_graph *g = x->report->graph;
  const graph_func *f = &g->funcs[s->function];
  const graph_block *block = &g->blocks[g->regions[f->body].first_block];
  uint32_t length = 0;
  const char *name = graph_value_text(g, block->arguments + s->argument, &length);
  if (!graph_is_text(g) && length) {
    render_safe(x->out, name, length);
    return;
  }
  strbuf_printf(x->out, "argument %u of @", s->argument);
  put_name(x, report_function_name(x->report, s->function).text);
}

static void put_origin(renderer *x, const report_symbol *s) {
  const shape_graph *g = x->report->graph;
  if (s->definition.text) {
    strbuf_puts(x->out, "is ");
    put_text(x, s->definition);
  } else if (s->argument != ID_NONE && s->origin != FROM_ARGUMENT_VALUE &&
             !(s->declared && s->axis == ID_NONE)) {
    strbuf_printf(x->out, "dim %u of ", s->axis);
    put_argument(x, s);
  } else if (s->argument != ID_NONE && s->axis != ID_NONE) {
    strbuf_printf(x->out, "element %u of ", s->axis);
    put_argument(x, s);
  } else if (s->argument != ID_NONE) {
    strbuf_puts(x->out, "value of ");
    put_argument(x, s);
  } else if (s->origin == FROM_DECLARATION) {
    strbuf_puts(x->out, "declared");
  } else {
    strbuf_puts(x->out, "computed at run time");
  }
  if (!span_is_none(s->span) && s->argument == ID_NONE && graph_is_text(g)) {
    strbuf_printf(x->out, ", line %u", graph_position(g, s->span).line);
  }
}

static void put_range(renderer *x, const report_symbol *s) {
  if (s->range.has_lo) num_print(x->out, s->range.lo);
  strbuf_puts(x->out, "..");
  if (s->range.has_hi) num_print(x->out, s->range.hi);
  if (!num_is_one(s->divisible_by)) {
    strbuf_puts(x->out, ", divisible by ");
    num_print(x->out, s->divisible_by);
  }
}

static void put_symbols(renderer *x) {
  const shape_report *r = x->report;
  if (!r->symbol_count) return;
  heading(x, "symbols");
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    const report_symbol *s = &r->symbols[i];
    uint32_t line = start_line(x);
    strbuf_puts(x->out, "  ");
    put_text(x, s->name);
    pad_to(x, line, NAME_COLUMN);
    put_range(x, s);
    pad_to(x, line, NAME_COLUMN + 20);
    put_origin(x, s);
    strbuf_putc(x->out, '\n');
  }
}

static void put_because(renderer *x, shape_strbuf *out, const report_constraint *c) {
  for (uint32_t i = 0; i < c->because_count; i++) {
    const report_because *why = &c->because[i];
    if (i) strbuf_puts(out, "; ");
    if (!span_is_none(why->span) && graph_is_text(x->report->graph)) {
      strbuf_printf(out, "line %u: ", graph_position(x->report->graph, why->span).line);
    } else if (why->node.length) {
      render_safe(out, why->node.text, why->node.length);
      strbuf_puts(out, ": ");
    }
    render_safe(out, why->message, strlen(why->message));
  }
  if (c->truncated) strbuf_puts(out, "; ...");
}

// Words from a column on, with the lines that follow indented to it.
static void put_wrapped(renderer *x, uint32_t column, const char *text, uint32_t length) {
  uint32_t at = column;
  for (uint32_t i = 0; i < length;) {
    uint32_t end = i;
    while (end < length && text[end] != ' ') end++;
    if (at > column && at + 1 + end - i > WIDTH) {
      strbuf_printf(x->out, "\n%*s", (int)column, "");
      at = column;
    } else if (at > column) {
      strbuf_putc(x->out, ' ');
      at++;
    }
    strbuf_add(x->out, text + i, end - i);
    at += end - i;
    i = end + 1;
  }
}

static void put_constraints(renderer *x, const char *title, const report_constraints *list,
                            bool scopes) {
  if (!list->count) return;
  heading(x, title);
  for (uint32_t i = 0; i < list->count && i < SHOWN_CONSTRAINTS; i++) {
    const report_constraint *c = &list->items[i];
    uint32_t line = start_line(x);
    strbuf_puts(x->out, "  ");
    put_text(x, c->expr);
    pad_to(x, line, EXPR_COLUMN);
    shape_strbuf why;
    strbuf_init(&why, x->out->arena);
    if (scopes) {
      strbuf_puts(&why, "in ");
      render_safe(&why, c->scope, strlen(c->scope));
      strbuf_puts(&why, ", ");
    }
    put_because(x, &why, c);
    if (c->unconfirmed) strbuf_puts(&why, " (not confirmed)");
    put_wrapped(x, EXPR_COLUMN, why.data, why.length);
    strbuf_putc(x->out, '\n');
  }
  if (list->count > SHOWN_CONSTRAINTS) {
    strbuf_printf(x->out, "  ... and %u more (--json lists them all)\n",
                  list->count - SHOWN_CONSTRAINTS);
  }
}

static void put_unchecked(renderer *x) {
  const shape_report *r = x->report;
  if (!r->unchecked_count) return;
  heading(x, "unchecked (requirements that no guard covers)");
  for (uint32_t i = 0; i < r->unchecked_count && i < SHOWN_CONSTRAINTS; i++) {
    const report_unchecked *row = &r->unchecked[i];
    const graph_op *op = row->op == ID_NONE ? NULL : &r->graph->ops[row->op];
    uint32_t line = start_line(x);
    strbuf_puts(x->out, "  ");
    if (!op) {
      strbuf_puts(x->out, "the entry");
    } else if (!graph_is_text(r->graph)) {
      render_safe(x->out, r->graph->source.text + op->name_span.begin,
                  op->name_span.end - op->name_span.begin);
    } else {
      strbuf_printf(x->out, "line %u ", graph_position(r->graph, op->span).line);
      put_name(x, graph_op_name(r->graph, row->op));
    }
    pad_to(x, line, EXPR_COLUMN);
    shape_strbuf why;
    strbuf_init(&why, x->out->arena);
    strbuf_printf(&why, "%s: %s", row->requirement, row->reason);
    put_wrapped(x, EXPR_COLUMN, why.data, why.length);
    strbuf_putc(x->out, '\n');
  }
  if (r->unchecked_count > SHOWN_CONSTRAINTS) {
    strbuf_printf(x->out, "  ... and %u more (--json lists them all)\n",
                  r->unchecked_count - SHOWN_CONSTRAINTS);
  }
}

static void put_certificate(renderer *x) {
  const report_certificate *c = &x->report->certificate;
  if (!c->made) return;
  heading(x, "certificate");
  strbuf_printf(x->out, "  %u of %u constraints and guards are confirmed", c->confirmed,
                c->constraints);
  if (c->implications) {
    strbuf_printf(x->out, "; the guards imply %u of %u other requirements", c->implied,
                  c->implications);
  }
  strbuf_putc(x->out, '\n');
  if (c->contradicted)
    strbuf_printf(x->out, "  %u contradicted: a defect of the solver\n", c->contradicted);
}

static void put_summary(renderer *x) {
  const shape_report *r = x->report;
  uint32_t warnings = 0;
  for (uint32_t i = 0; i < r->diag_count; i++) warnings += r->diags[i]->severity == DIAG_WARNING;
  put_name(x, x->options->name);
  strbuf_puts(x->out, ": ");
  uint32_t errors = r->graph->diags.errors;
  if (errors) {
    strbuf_printf(x->out, "%u error%s", errors, errors == 1 ? "" : "s");
  } else {
    strbuf_puts(x->out, "ok");
  }
  if (warnings) strbuf_printf(x->out, ", %u warning%s", warnings, warnings == 1 ? "" : "s");
  strbuf_printf(x->out, ", %u function%s, %u operation%s\n", r->stats.functions,
                r->stats.functions == 1 ? "" : "s", r->stats.ops, r->stats.ops == 1 ? "" : "s");
}

void report_render(shape_report *r, shape_strbuf *out, const render_options *options) {
  renderer x = {r, out, options};
  for (uint32_t i = 0; i < r->diag_count; i++) render_diag(r, out, r->diags[i], options);
  put_summary(&x);
  for (uint32_t i = 0; i < r->function_count; i++) {
    if (!report_is_function(r, &r->functions[i])) continue;
    put_function(&x, &r->functions[i]);
    if (i == 0) put_suggestion(&x);
  }
  put_symbols(&x);
  put_constraints(&x, "constraints", &r->constraints, false);
  put_constraints(&x, "guards (what remains to be checked at run time)", &r->guards, false);
  put_unchecked(&x);
  put_constraints(&x, "constraints of inner scopes", &r->scoped, true);
  if (r->assumption_count) heading(&x, "assumptions");
  for (uint32_t i = 0; i < r->assumption_count; i++) {
    strbuf_puts(out, "  ");
    put_name(&x, r->assumptions[i]);
    strbuf_putc(out, '\n');
  }
  put_certificate(&x);
}
