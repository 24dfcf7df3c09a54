// SPDX-License-Identifier: Apache-2.0
#include "solver/report/render.h"

#include "solver/report/people.h"
#include "solver/report/suggest.h"

#include <assert.h>

// Operations and constraints beyond these are counted, not shown: the JSON answer has them all.
enum { WIDTH = 80, SHOWN_OPS = 400, SHOWN_CONSTRAINTS = 60, NAME_COLUMN = 14, EXPR_COLUMN = 28 };
enum { LABEL_MAX = 26, SHOWN_UNCHECKED = 400, SHOWN_ALIKE = 8 };

typedef struct renderer {
  shape_report *report;
  shape_strbuf *out;  // the line that is put together
  shape_strbuf *to;
  const render_options *options;
  uint32_t label;               // the column of shapes, after the labels of values
  const value_id *declared_at;  // by number of a declared symbol: the first value whose type has it
} renderer;

// Text is put together in lines, so that columns can be counted; a sink takes whole ones.
static void end_line(renderer *x) {
  strbuf_putc(x->out, '\n');
  strbuf_add(x->to, x->out->data, x->out->length);
  x->out->length = 0;
}

static void heading(renderer *x, const char *text) {
  strbuf_putc(x->out, '\n');
  if (x->options->colour) strbuf_puts(x->out, "\033[1m");
  strbuf_puts(x->out, text);
  if (x->options->colour) strbuf_puts(x->out, "\033[0m");
  end_line(x);
}

static void put_text(renderer *x, report_text text) { render_safe(x->out, text.text, text.length); }
static void put_name(renderer *x, const char *text) { render_safe(x->out, text, strlen(text)); }

static void put_type(renderer *x, type_id type) {
  shape_strbuf text;
  strbuf_init(&text, x->to->arena);
  type_print(&x->report->graph->types, &text, type);
  render_safe(x->out, text.data, text.length);
}

// Fills up to a column, on a new line where the text is past it.
static void pad_to(renderer *x, uint32_t column) {
  assert(column && column < WIDTH);
  uint32_t from = x->out->length, at = 0;
  while (from && x->out->data[from - 1] != '\n') from--, at++;
  if (at >= column) {
    strbuf_putc(x->out, '\n');
    at = 0;
  }
  do {
    strbuf_putc(x->out, ' ');
  } while (++at < column);
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

// "sequence of [N, 3] f32", with the dims that are declared.
static void put_container(renderer *x, type_id id) {
  const shape_graph *g = x->report->graph;
  const graph_type *type = type_get(&g->types, id);
  static const char *const WORDS[] = {
      [TYPE_SEQUENCE] = "sequence of ", [TYPE_OPTIONAL] = "optional "};
  bool is_container = type->kind == TYPE_SEQUENCE || type->kind == TYPE_OPTIONAL;
  if (is_container && type->param_count == 1 && type->params[0] != TYPE_NONE) {
    put_name(x, WORDS[type->kind]);
    put_container(x, type->params[0]);
    return;
  }
  if (type->kind != TYPE_TENSOR || type->text != NAME_NONE) {
    put_type(x, id);
    return;
  }
  strbuf_putc(x->out, '[');
  for (uint32_t i = 0; i < type->rank; i++) {
    int64_t dim = type->dims[i];
    if (i) strbuf_puts(x->out, ", ");
    if (dim_is_symbol(dim) && dim_symbol(dim) < g->declared.symbol_count) {
      put_name(x, intern_text(&g->names, g->declared.symbols[dim_symbol(dim)].name));
    } else if (dim_is_static(dim)) {
      strbuf_int(x->out, dim);
    } else {
      strbuf_putc(x->out, '?');
    }
  }
  strbuf_puts(x->out, "] ");
  put_name(x, dtype_name((shape_dtype)type->dtype));
}

// "[N, T, 32] f32"; what has no such form as MLIR writes it, with its dims where they say more.
static void put_shape(renderer *x, uint32_t index) {
  assert(index < x->report->shape_count);
  const report_shape *s = &x->report->shapes[index];
  if (s->type == TYPE_NONE) {
    strbuf_putc(x->out, '?');
    return;
  }
  const graph_type *type = type_get(&x->report->graph->types, s->type);
  bool plain = type->kind == TYPE_TENSOR && type->text == NAME_NONE &&
               type->encoding == NAME_NONE && !type->sparse && !type->has_bounds &&
               type->torch == TORCH_NOT && s->ranked;
  if (plain) {
    put_sizes(x, s->dims, s->rank);
    strbuf_putc(x->out, ' ');
    put_name(x, dtype_name((shape_dtype)type->dtype));
    return;
  }
  if (type->kind == TYPE_SEQUENCE || type->kind == TYPE_OPTIONAL) {
    put_container(x, s->type);
    return;
  }
  put_type(x, s->type);
  if (!has_symbols(x, s)) return;
  strbuf_putc(x->out, ' ');
  put_sizes(x, s->dims, s->rank);
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

// Words from a column on, with the lines that follow indented to it.
static void put_wrapped(renderer *x, uint32_t column, const char *text, uint32_t length) {
  assert(column < WIDTH && (text || !length));
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

// Writes to a text of its own.
static renderer aside(const renderer *x, shape_strbuf *text) {
  renderer part = *x;
  strbuf_init(text, x->to->arena);
  part.out = text;
  return part;
}

// What `write` says of a shape, from the column of shapes on.
static void put_shape_line(renderer *x, uint32_t shape, report_elements values, const char *after) {
  shape_strbuf text;
  renderer part = aside(x, &text);
  put_shape(&part, shape);
  put_values(&part, values);
  strbuf_puts(&text, after);
  pad_to(x, x->label);
  put_wrapped(x, x->label, text.data, text.length);
  end_line(x);
}

// The name that the source gives a value, or its number.
static void put_value_name(renderer *x, const char *otherwise, uint32_t index, value_id value) {
  uint32_t length = 0;
  const char *name =
      value == VALUE_NONE ? NULL : graph_value_text(x->report->graph, value, &length);
  if (length) {
    render_safe(x->out, name, length);
  } else {
    strbuf_printf(x->out, "%s %u", otherwise, index);
  }
}

// Names of results are those of a model's outputs; in text they are of no interest to a caller.
static value_id result_value(const renderer *x, const report_function *f, uint32_t index) {
  bool named = f->results && !graph_is_text(x->report->graph);
  return named ? f->results[index] : VALUE_NONE;
}

// The column after the longest label of the function.
static uint32_t label_column(renderer *x, const report_function *f) {
  shape_strbuf label;
  renderer part = aside(x, &label);
  uint32_t column = NAME_COLUMN;
  for (uint32_t i = 0; i < f->argument_count + f->result_count; i++) {
    bool argument = i < f->argument_count;
    uint32_t from = label.length, k = argument ? i : i - f->argument_count;
    put_value_name(&part, argument ? "argument" : "result", k,
                   argument ? f->arguments + i : result_value(x, f, k));
    uint32_t width = label.length - from + 8;
    if (width > column && width <= LABEL_MAX) column = width;
  }
  return column;
}

// A location that a reader can go to: the line, or in a model the name of the node, else of its first result.
static void put_operation(renderer *x, op_id id) {
  const shape_graph *g = x->report->graph;
  uint32_t length;
  const char *node = graph_node_name(g, id, &length);
  strbuf_puts(x->out, "  ");
  if (graph_is_text(g)) {
    strbuf_printf(x->out, "line %u", graph_position(g, g->ops[id].span).line);
  } else {
    if (!length && g->ops[id].result_count) node = graph_value_text(g, g->ops[id].results, &length);
    render_safe(x->out, node, length);
  }
}

// An operation says something where its result is refined, and is not there for its value alone.
static void put_ops(renderer *x, const report_function *f) {
  const shape_report *r = x->report;
  const report_elements no_values = {NULL, 0};
  uint32_t shown = 0, more = 0;
  for (op_id i = f->first_op; i < f->end_op; i++) {
    const graph_op *op = &r->graph->ops[i];
    for (uint32_t k = 0; k < op->result_count; k++) {
      uint32_t shape = r->value_shapes[op->results + k];
      if (!r->shapes[shape].refined || !op->operand_count) continue;
      if (shown == SHOWN_OPS) {
        more++;
        continue;
      }
      if (!shown++) strbuf_puts(x->out, "  refined operations\n");
      uint32_t length = 0;
      put_operation(x, i);
      const char *name = graph_value_text(r->graph, op->results + k, &length);
      if (graph_is_text(r->graph) && length) {
        strbuf_puts(x->out, r->graph->format == GRAPH_MLIR ? " %" : " ");
        render_safe(x->out, name, length);
      }
      shape_strbuf after;
      strbuf_init(&after, x->to->arena);
      strbuf_printf(&after, "  %s", graph_op_name(r->graph, i));
      put_shape_line(x, shape, no_values, strbuf_text(&after));
    }
  }
  if (more) strbuf_printf(x->out, "  ... and %u more (--json lists them all)\n", more);
}

static void put_function(renderer *x, const report_function *f) {
  const shape_report *r = x->report;
  strbuf_puts(x->out, "\nfunction @");
  put_text(x, report_function_name(r, f->id));
  end_line(x);
  x->label = label_column(x, f);
  assert(x->label >= NAME_COLUMN && x->label <= LABEL_MAX);
  for (uint32_t i = 0; i < f->argument_count; i++) {
    strbuf_puts(x->out, "  in  ");
    put_value_name(x, "argument", i, f->arguments + i);
    put_shape_line(x, r->value_shapes[f->arguments + i], f->argument_values[i], "");
  }
  for (uint32_t i = 0; i < f->result_count; i++) {
    if (f->result_shapes[i] == ID_NONE) continue;
    strbuf_puts(x->out, "  out ");
    put_value_name(x, "result", i, result_value(x, f, i));
    put_shape_line(x, f->result_shapes[i], f->result_values[i], "");
  }
  if (x->options->verbose) put_ops(x, f);
}

// --- what would leave less to be checked

static void put_suggestion(renderer *x) {
  const shape_report *r = x->report;
  const report_suggestion *s = report_suggest(x->report);
  if (!s) return;
  shape_strbuf head;
  strbuf_init(&head, x->to->arena);
  strbuf_puts(&head, "If ");
  report_suggestion_print(r, s, &head);
  strbuf_puts(&head, " (--assume-suggested):");
  strbuf_putc(x->out, '\n');
  put_wrapped(x, 0, head.data, head.length);
  end_line(x);
  const report_function *f = &r->functions[0];
  for (uint32_t i = 0; i < f->result_count; i++) {
    if (f->result_shapes[i] == ID_NONE || !s->results[i]) continue;
    const report_shape *before = &r->shapes[f->result_shapes[i]];
    bool same = true;
    for (uint32_t k = 0; k < before->rank; k++) same &= before->dims[k] == s->results[i][k];
    if (same) continue;
    strbuf_puts(x->out, "  out ");
    put_value_name(x, "result", i, result_value(x, f, i));
    pad_to(x, x->label);
    put_sizes(x, s->results[i], before->rank);
    end_line(x);
  }
  const char *dims = s->resolves == 1 ? "dim follows" : "dims follow";
  if (s->resolves && !s->proves)
    strbuf_printf(x->out, "  %u more %s from the arguments\n", s->resolves, dims);
  if (!s->resolves && !s->proves)
    strbuf_puts(x->out, "  dims that are computed at run time depend on it\n");
  if (s->proves && s->guards_left)
    strbuf_printf(x->out, "  %u of %u guards hold\n", s->proves, r->guards.count);
  if (s->proves && !s->guards_left) strbuf_puts(x->out, "  no guard is left\n");
}

// --- symbols and constraints

void render_argument(const shape_report *r, shape_strbuf *out, const report_symbol *s) {
  const shape_graph *g = r->graph;
  assert(s->function < g->func_count && s->argument != ID_NONE);
  const graph_func *f = &g->funcs[s->function];
  const graph_block *block = &g->blocks[g->regions[f->body].first_block];
  put_value_name(&(renderer){.report = (shape_report *)r, .out = out}, "argument", s->argument,
                 block->arguments + s->argument);
  if (r->function_count && r->functions[0].id != s->function) {
    const char *name = report_function_name(r, s->function).text;
    strbuf_puts(out, " of @");
    render_safe(out, name, strlen(name));
  }
}

static void put_argument(const renderer *x, const report_symbol *s) {
  render_argument(x->report, x->out, s);
}

static void put_computed(renderer *x, const report_symbol *s) {
  const shape_graph *g = x->report->graph;
  strbuf_puts(x->out, "computed at run time");
  if (s->op == ID_NONE) return;
  uint32_t length;
  const char *node = graph_node_name(g, s->op, &length);
  strbuf_puts(x->out, " by ");
  if (length) {
    render_safe(x->out, node, length);
    strbuf_printf(x->out, " (%s)", graph_op_name(g, s->op));
  } else {
    put_name(x, graph_op_name(g, s->op));
  }
}

static const value_id *declared_values(const renderer *x) {
  const shape_graph *g = x->report->graph;
  value_id *at = arena_alloc(x->to->arena, (g->declared.symbol_count + 1) * sizeof *at);
  for (uint32_t i = 0; i < g->declared.symbol_count; i++) at[i] = VALUE_NONE;
  for (value_id v = 0; v < g->value_count; v++) {
    const graph_type *type = graph_value_type(g, v);
    for (uint32_t k = 0; type && type->kind == TYPE_TENSOR && k < type->rank; k++) {
      if (dim_is_symbol(type->dims[k]) && at[dim_symbol(type->dims[k])] == VALUE_NONE)
        at[dim_symbol(type->dims[k])] = v;
    }
  }
  return at;
}

// The value for which an exporter made the name.
static void put_declaration(renderer *x, const report_symbol *s) {
  const shape_graph *g = x->report->graph;
  uint32_t length = 0, axis = 0;
  strbuf_puts(x->out, "declared");
  if (!s->declared || graph_is_text(g)) return;
  uint32_t number = (uint32_t)(s->declared - g->declared.symbols);
  assert(number < g->declared.symbol_count);
  value_id v = x->declared_at[number];
  const char *name = v == VALUE_NONE ? NULL : graph_value_text(g, v, &length);
  if (!length) return;
  const graph_type *type = graph_value_type(g, v);
  assert(type && type->rank);
  while (!dim_is_symbol(type->dims[axis]) || dim_symbol(type->dims[axis]) != number) axis++;
  strbuf_printf(x->out, " as dim %u of ", axis);
  render_safe(x->out, name, length);
}

static bool is_number(const report_symbol *s) {
  return s->range.has_lo && s->range.has_hi && num_compare(s->range.lo, s->range.hi) == 0;
}

static void put_origin(renderer *x, const report_symbol *s) {
  const shape_graph *g = x->report->graph;
  if (s->definition.text && !is_number(s) && people_is_long(s) && !x->options->verbose) {
    strbuf_puts(x->out, "is an expression over symbols that -v lists");
  } else if (s->definition.text && !is_number(s)) {
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
    put_declaration(x, s);
  } else {
    put_computed(x, s);
  }
  if (!span_is_none(s->span) && s->argument == ID_NONE && graph_is_text(g)) {
    strbuf_printf(x->out, ", line %u", graph_position(g, s->span).line);
  }
}

// The integers of a type, whatever the program does.
static int machine_width(interval range) {
  int64_t lo, hi;
  if (!range.has_lo || !range.has_hi || !num_to_int(range.lo, &lo) || !num_to_int(range.hi, &hi))
    return 0;
  return lo == INT64_MIN && hi == INT64_MAX ? 64 : lo == INT32_MIN && hi == INT32_MAX ? 32 : 0;
}

static void put_range(renderer *x, const report_symbol *s) {
  int width = machine_width(s->range);
  if (is_number(s)) {
    num_print(x->out, s->range.lo);
    return;
  }
  if (width) {
    strbuf_printf(x->out, "any i%d", width);
    return;
  }
  if (s->range.has_lo) num_print(x->out, s->range.lo);
  strbuf_puts(x->out, "..");
  if (s->range.has_hi) num_print(x->out, s->range.hi);
  if (!num_is_one(s->divisible_by)) {
    strbuf_puts(x->out, ", divisible by ");
    num_print(x->out, s->divisible_by);
  }
}

// What the author said of it, where the program says more.
static void put_declared(shape_strbuf *out, const report_symbol *s) {
  const graph_symbol *d = s->declared;
  int64_t lo, hi;
  if (!d || d->is_value || (d->min <= 0 && d->max == INT64_MAX)) return;
  bool low = s->range.has_lo && num_to_int(s->range.lo, &lo) && lo > d->min;
  bool high = s->range.has_hi && num_to_int(s->range.hi, &hi) && hi < d->max;
  if (!low && !high) return;
  strbuf_printf(out, ", declared %lld..", (long long)(d->min < 0 ? 0 : d->min));
  if (d->max != INT64_MAX) strbuf_int(out, d->max);
}

static void put_symbols(renderer *x, const bool *shown) {
  const shape_report *r = x->report;
  bool first = true;
  x->declared_at = declared_values(x);
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    const report_symbol *s = &r->symbols[i];
    if (!x->options->verbose && !shown[i]) continue;
    if (first) heading(x, "symbols");
    first = false;
    strbuf_puts(x->out, "  ");
    put_text(x, s->name);
    pad_to(x, NAME_COLUMN);
    put_range(x, s);
    shape_strbuf origin;
    renderer part = aside(x, &origin);
    put_origin(&part, s);
    put_declared(&origin, s);
    for (uint32_t k = 0; k < s->likely_count && k < REPORT_LIKELY_MAX; k++)
      strbuf_printf(&origin, "%s%lld", k ? ", " : ", likely ", (long long)s->likely[k]);
    pad_to(x, EXPR_COLUMN);
    put_wrapped(x, EXPR_COLUMN, origin.data, origin.length);
    end_line(x);
  }
}

// Dims of results that are expressions.
static void put_likely(renderer *x) {
  shape_report *r = x->report;
  shape_imap seen = {0};
  uint32_t ignored;
  bool first = true;
  if (!report_has_likely(r) || !r->function_count) return;
  const report_function *f = &r->functions[0];
  for (uint32_t i = 0; i < f->result_count; i++) {
    if (f->result_shapes[i] == ID_NONE) continue;
    const report_shape *s = &r->shapes[f->result_shapes[i]];
    for (uint32_t k = 0; s->ranked && k < s->rank; k++) {
      int64_t values[REPORT_LIKELY_MAX];
      term_id term = s->dims[k];
      if (term == TERM_NONE || report_symbol_of(r, term) || imap_get(&seen, term, &ignored))
        continue;
      imap_put(&seen, x->to->arena, term, 1);
      uint32_t count = report_likely(r, term, values);
      if (!count) continue;
      if (first) heading(x, "likely dims");
      first = false;
      strbuf_puts(x->out, "  ");
      put_text(x, report_term(r, term));
      pad_to(x, EXPR_COLUMN);
      for (uint32_t n = 0; n < count; n++)
        strbuf_printf(x->out, "%s%lld", n ? ", " : "", (long long)values[n]);
      end_line(x);
    }
  }
}

static void put_because(renderer *x, shape_strbuf *out, const report_constraint *c) {
  for (uint32_t i = 0; i < c->because_count; i++) {
    const report_because *why = &c->because[i];
    if (i) strbuf_puts(out, "; ");
    render_where(x->report, out, why);
    report_message(x->report, out, why->message);
  }
  if (c->truncated) strbuf_puts(out, "; ...");
}

static void put_constraints(renderer *x, const char *title, const report_constraints *list,
                            bool scopes) {
  if (!list->count) return;
  heading(x, title);
  for (uint32_t i = 0; i < list->count && i < SHOWN_CONSTRAINTS; i++) {
    const report_constraint *c = &list->items[i];
    strbuf_puts(x->out, "  ");
    shape_strbuf expr;
    strbuf_init(&expr, x->to->arena);
    const report_text said = people_predicate(x->report, c->p);
    const report_text expr_text = said.length ? said : c->expr;
    render_safe(&expr, expr_text.text, expr_text.length);
    uint32_t before = x->out->length;
    put_wrapped(x, 2, expr.data, expr.length);
    bool wrapped = memchr(x->out->data + before, '\n', x->out->length - before) != NULL;
    if (wrapped) strbuf_putc(x->out, '\n');
    pad_to(x, EXPR_COLUMN);
    shape_strbuf why;
    strbuf_init(&why, x->to->arena);
    if (scopes) {
      strbuf_puts(&why, "in ");
      render_safe(&why, c->scope, strlen(c->scope));
      strbuf_puts(&why, ", ");
    }
    put_because(x, &why, c);
    if (c->unconfirmed) strbuf_puts(&why, " (not confirmed)");
    put_wrapped(x, EXPR_COLUMN, why.data, why.length);
    end_line(x);
  }
  if (list->count > SHOWN_CONSTRAINTS) {
    strbuf_printf(x->out, "  ... and %u more (--json lists them all)\n",
                  list->count - SHOWN_CONSTRAINTS);
  }
}

static bool same_requirement(const report_unchecked *a, const report_unchecked *b) {
  return strcmp(a->requirement, b->requirement) == 0 && strcmp(a->reason, b->reason) == 0;
}

static void put_unchecked_op(renderer *x, shape_strbuf *out, const report_unchecked *row) {
  const shape_graph *g = x->report->graph;
  uint32_t length = 0;
  const char *node = row->op == ID_NONE ? NULL : graph_node_name(g, row->op, &length);
  if (row->op == ID_NONE) {
    strbuf_puts(out, "the entry");
  } else if (graph_is_text(g)) {
    strbuf_printf(out, "line %u %s", graph_position(g, g->ops[row->op].span).line,
                  graph_op_name(g, row->op));
  } else if (length) {
    render_safe(out, node, length);
  } else {
    strbuf_puts(out, graph_op_name(g, row->op));
    const char *result =
        g->ops[row->op].result_count ? graph_value_text(g, g->ops[row->op].results, &length) : NULL;
    if (!length) return;
    strbuf_puts(out, " (");
    render_safe(out, result, length);
    strbuf_putc(out, ')');
  }
}

// Operations that have one requirement for one reason are one entry.
static void put_unchecked(renderer *x) {
  const shape_report *r = x->report;
  if (!r->unchecked_count) return;
  heading(x, "unchecked (requirements that no guard covers)");
  uint32_t shown = r->unchecked_count < SHOWN_UNCHECKED ? r->unchecked_count : SHOWN_UNCHECKED;
  for (uint32_t i = 0; i < shown; i++) {
    const report_unchecked *row = &r->unchecked[i];
    bool known = false;
    for (uint32_t k = 0; k < i && !known; k++) known = same_requirement(&r->unchecked[k], row);
    if (known) continue;
    shape_strbuf text;
    strbuf_init(&text, x->to->arena);
    strbuf_printf(&text, "%s: %s", row->requirement, row->reason);
    strbuf_puts(x->out, "  ");
    put_wrapped(x, 2, text.data, text.length);
    strbuf_puts(x->out, "\n      ");
    text.length = 0;
    uint32_t alike = 0;
    for (uint32_t k = i; k < r->unchecked_count; k++) {
      if (!same_requirement(&r->unchecked[k], row)) continue;
      if (++alike > SHOWN_ALIKE) continue;
      if (text.length) strbuf_puts(&text, ", ");
      put_unchecked_op(x, &text, &r->unchecked[k]);
    }
    if (alike > SHOWN_ALIKE) strbuf_printf(&text, " and %u more", alike - SHOWN_ALIKE);
    put_wrapped(x, 6, text.data, text.length);
    end_line(x);
  }
  if (r->unchecked_count > shown)
    strbuf_printf(x->out, "  ... and %u more (--json lists them all)\n",
                  r->unchecked_count - shown);
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
  end_line(x);
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
  strbuf_printf(x->out, ", %u function%s, %u operation%s", r->stats.functions,
                r->stats.functions == 1 ? "" : "s", r->stats.ops, r->stats.ops == 1 ? "" : "s");
  end_line(x);
}

// What -v would show.
static void put_more(renderer *x, const bool *shown) {
  const shape_report *r = x->report;
  uint32_t constraints = r->constraints.count + r->scoped.count, functions = 0, symbols = 0;
  for (uint32_t i = 0; i < r->symbol_count; i++) symbols += !shown[i];
  for (uint32_t i = 1; i < r->function_count; i++)
    functions += report_is_function(r, &r->functions[i]);
  if (x->options->verbose || !r->ok || !(constraints || functions || symbols)) return;
  strbuf_puts(x->out, "\n-v shows operations");
  if (constraints)
    strbuf_printf(x->out, ", %u constraint%s", constraints, constraints == 1 ? "" : "s");
  if (symbols) strbuf_printf(x->out, ", %u more symbol%s", symbols, symbols == 1 ? "" : "s");
  if (functions)
    strbuf_printf(x->out, ", %u more function%s", functions, functions == 1 ? "" : "s");
  end_line(x);
}

static void put_legend(renderer *x) {
  if (!people_see_bcast(x->report)) return;
  heading(x, "legend");
  strbuf_puts(x->out, "  bcast(a, b)");
  pad_to(x, NAME_COLUMN);
  strbuf_puts(x->out, "the dim of two that are broadcast together: b where a is 1, else a");
  end_line(x);
}

static void put_assumptions(renderer *x) {
  const shape_report *r = x->report;
  if (r->assumption_count) heading(x, "assumptions");
  for (uint32_t i = 0; i < r->assumption_count; i++) {
    shape_strbuf text;
    renderer part = aside(x, &text);
    put_name(&part, r->assumptions[i]);
    strbuf_puts(x->out, "  ");
    put_wrapped(x, 2, text.data, text.length);
    end_line(x);
  }
}

void report_render(shape_report *r, shape_strbuf *out, const render_options *options) {
  shape_strbuf lines;
  strbuf_init(&lines, out->arena);
  renderer x = {.report = r, .out = &lines, .to = out, .options = options, .label = NAME_COLUMN};
  render_diags(r, out, options);
  put_summary(&x);
  for (uint32_t i = 0; i < r->function_count; i++) {
    if (!report_is_function(r, &r->functions[i])) continue;
    if (i && !options->verbose) break;
    put_function(&x, &r->functions[i]);
    if (i == 0) put_suggestion(&x);
  }
  const bool *shown = people_symbols(r);
  put_symbols(&x, shown);
  put_likely(&x);
  put_constraints(&x, "guards (what remains to be checked at run time)", &r->guards, false);
  put_unchecked(&x);
  put_assumptions(&x);
  if (options->verbose) {
    put_constraints(&x, "constraints", &r->constraints, false);
    put_constraints(&x, "constraints of inner scopes", &r->scoped, true);
  }
  put_certificate(&x);
  put_legend(&x);
  put_more(&x, shown);
  strbuf_add(out, lines.data, lines.length);
}
