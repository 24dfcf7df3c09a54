// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/passes.h"

#include <assert.h>
#include <string.h>

#include "solver/base/nearest.h"
#include "solver/emit/dim_passes.h"
#include "solver/emit/legalize_forms.h"
#include "solver/ops/dynamic.h"
#include "solver/transform/rewrite.h"

typedef enum pass_kind { PASS_ARGUMENTS, PASS_REFINE, PASS_DIMS } pass_kind;

typedef struct pass_row {
  const char *name;
  pass_kind kind;
  unsigned parts;  // of program_options; of PASS_DIMS a dims_pass
} pass_row;

static const pass_row ROWS[] = {
    {"refine-arguments", PASS_ARGUMENTS, 0},
    {"refine-shapes", PASS_REFINE, PROGRAM_TYPES},
    {"canonicalize-dynamism", PASS_REFINE, PROGRAM_FORMS},
    {"aggressive-simplification", PASS_REFINE, PROGRAM_FOLD},
    {"cleanup", PASS_REFINE, PROGRAM_TYPES | PROGRAM_FORMS | PROGRAM_FOLD},
    {"tie-shape", PASS_DIMS, DIMS_TIE},
    {"materialize-dims", PASS_DIMS, DIMS_MATERIALIZE},
    {"scalarize-shapes", PASS_DIMS, DIMS_SCALARIZE},
    {"shape-legalize-to-stablehlo", PASS_DIMS, DIMS_LEGALIZE},
    {"merge-dims", PASS_DIMS, DIMS_MERGE},
    {"broadcast-hints", PASS_DIMS, DIMS_HINTS},
};
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS, LONGEST_TOLD = 60 };

typedef struct chain {
  const emission *e;
  shape_strbuf text;  // after the passes so far; or the errors of the last one
  bool failed;        // an error was written instead
} chain;

// Where the name begins after StableHLO's prefix.
static size_t prefix_length(const char *name, size_t length) {
  static const char PREFIX[] = "stablehlo-";
  size_t n = sizeof PREFIX - 1;
  return length > n && memcmp(name, PREFIX, n) == 0 ? n : 0;
}

static const pass_row *find(const char *name, size_t length) {
  size_t prefix = prefix_length(name, length);
  name += prefix;
  length -= prefix;
  for (size_t i = 0; i < ROW_COUNT; i++) {
    if (strlen(ROWS[i].name) == length && memcmp(ROWS[i].name, name, length) == 0) return &ROWS[i];
  }
  return NULL;
}

static void fail(chain *c, const char *format, int length, const char *name, const char *other) {
  shape_strbuf out;
  strbuf_init(&out, c->e->report->graph->arena);
  strbuf_printf(&out, "%s: error: ", c->e->a->request->name);
  strbuf_printf(&out, format, length, name, other);
  c->e->sink(c->e->to, out.data, out.length);
  c->e->a->reply->errors = 1;
  c->failed = true;
}

static void fail_at(chain *c, source_position at, const char *name, const char *why) {
  shape_strbuf out;
  strbuf_init(&out, c->e->report->graph->arena);
  strbuf_printf(&out, "%s:%u:%u: error: %s has no form in StableHLO, arith or tensor%s%s\n",
                c->e->a->request->name, at.line, at.column, name, why ? ": " : "", why ? why : "");
  c->e->sink(c->e->to, out.data, out.length);
  c->e->a->reply->errors = 1;
  c->failed = true;
}

// --- refine-arguments

// Where the type of an argument ends in the text: at the `,` or `)` after it, or at its attributes.
static uint32_t type_end(const source_text *source, uint32_t at) {
  int depth = 0;
  for (; at < source->length; at++) {
    char c = source->text[at];
    if (!depth && (c == ',' || c == ')' || c == '{')) break;
    depth += (c == '<' || c == '(' || c == '[') - (c == '>' || c == ')' || c == ']');
    if (c == '-' && at + 1 < source->length && source->text[at + 1] == '>') at++;
  }
  while (at && (source->text[at - 1] == ' ' || source->text[at - 1] == '\n')) at--;
  return at;
}

static const char *fresh_name(shape_graph *g, const char *stem, uint32_t length) {
  for (uint32_t k = 0;; k++) {
    shape_strbuf text;
    strbuf_init(&text, g->arena);
    strbuf_printf(&text, *stem >= '0' && *stem <= '9' ? "arg%.*s_refined" : "%.*s_refined",
                  (int)length, stem);
    if (k) strbuf_printf(&text, "_%u", k);
    // Names that are no numbers are interned.
    if (intern_find(&g->names, text.data, text.length) == NAME_NONE) return strbuf_text(&text);
  }
}

static const char NEEDS_SYNTAX[] =
    "refine-arguments needs functions in their own syntax and ranked tensors\n";

typedef struct argument_work {
  chain *c;
  analysis *a;
  refined_types *types;
  text_edits edits;
  const char *failed;
} argument_work;

// The argument under a new name and type, and the wrapper as what it was.
static void wrap(argument_work *w, value_id value, uint32_t at, shape_strbuf *body) {
  shape_graph *g = shape_run_graph(w->a->program);
  type_id type = refined_value(w->types, value);
  const graph_type *now = type_get(&g->types, type);
  uint32_t length, from = g->values[value].at;
  const char *name = graph_value_text(g, value, &length);
  const char *colon = memchr(g->source.text + from, ':', g->source.length - from);
  if (!length || !colon || now->kind != TYPE_TENSOR || g->source.text[from] != '%') {
    w->failed = NEEDS_SYNTAX;
    return;
  }
  uint32_t begin = (uint32_t)(colon - g->source.text) + 1;
  const char *fresh = fresh_name(g, name, length);
  shape_strbuf text;
  strbuf_init(&text, g->arena);
  strbuf_printf(&text, "%%%s: ", fresh);
  type_print(&g->types, &text, type);
  edits_add(&w->edits, &g->source, (source_span){from, type_end(&g->source, begin)}, text.data,
            text.length);
  strbuf_printf(body, "%%%s_shape = stablehlo.constant dense<", fresh);
  if (now->rank) strbuf_putc(body, '[');
  for (uint32_t i = 0; i < now->rank; i++)
    strbuf_printf(body, "%s%lld", i ? ", " : "", (long long)now->dims[i]);
  if (now->rank) strbuf_putc(body, ']');
  strbuf_printf(body, "> : tensor<%uxi64>\n%*s", now->rank, (int)at, "");
  strbuf_printf(body,
                "%%%.*s = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%%%s, "
                "%%%s_shape) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (",
                (int)length, name, fresh, fresh);
  type_print(&g->types, body, type);
  strbuf_printf(body, ", tensor<%uxi64>) -> ", now->rank);
  type_print(&g->types, body, g->values[value].type);
  strbuf_printf(body, "\n%*s", (int)at, "");
}

static bool is_static(const shape_graph *g, type_id id) {
  const graph_type *type = id == TYPE_NONE ? NULL : type_get(&g->types, id);
  for (uint32_t i = 0; type && type->kind == TYPE_TENSOR && i < type->rank; i++) {
    if (!dim_is_static(type->dims[i])) return false;
  }
  return type && type->kind == TYPE_TENSOR;
}

static void wrap_arguments(shape_run *p, void *data) {
  argument_work *w = data;
  shape_graph *g = shape_run_graph(p);
  const shape_report *report = shape_run_report(p);
  func_id entry = report->infer ? report->infer->entry : ID_NONE;
  if (entry == ID_NONE || g->funcs[entry].body == ID_NONE) return;
  if (!g->regions[g->funcs[entry].body].block_count) return;
  const source_span span = g->funcs[entry].span;
  if (span.begin >= g->source.length || g->source.text[span.begin] == '"') {
    w->failed = NEEDS_SYNTAX;
    return;
  }
  w->types = refine_types(report, &w->a->uses);
  w->edits = (text_edits){.arena = g->arena};
  const graph_block *block = &g->blocks[g->regions[g->funcs[entry].body].first_block];
  shape_strbuf body;
  strbuf_init(&body, g->arena);
  if (block->first == ID_NONE) return;
  uint32_t at = g->ops[block->first].span.begin, column = at;
  while (column && g->source.text[column - 1] == ' ') column--;
  for (uint32_t i = 0; i < block->argument_count && !w->failed; i++) {
    value_id value = block->arguments + i;
    bool now = is_static(g, refined_value(w->types, value));
    if (now && refined_value(w->types, value) != g->values[value].type)
      wrap(w, value, at - column, &body);
  }
  if (body.length) edits_add(&w->edits, &g->source, (source_span){at, at}, body.data, body.length);
  if (w->failed) return;
  shape_strbuf *out = &w->c->text, made;
  strbuf_init(&made, g->arena);
  edits_apply(&w->edits, &g->source, &made);
  out->length = 0;
  strbuf_add(out, made.data, made.length);
}

// --- on dims

typedef struct dims_work {
  chain *c;
  analysis *a;
  dims_pass pass;
  text_edits edits;    // of the text of the analysis
  source_position at;  // of an operation that stays
  const char *stays;   // its name; NULL: none does
  const char *why;     // NULL: there is no other form
} dims_work;

static void rewrite_dims(shape_run *p, void *data) {
  dims_work *w = data;
  shape_graph *g = shape_run_graph(p);
  shape_strbuf made;
  w->edits = (text_edits){.arena = g->arena};
  op_id stays = dims_rewrite(w->pass, shape_run_report(p), &w->a->uses, &w->edits, &w->why);
  if (stays != ID_NONE) {
    w->at = graph_position(g, g->ops[stays].name_span);
    w->stays = arena_strndup(w->c->e->report->graph->arena, graph_op_name(g, stays),
                             strlen(graph_op_name(g, stays)));
  }
  strbuf_init(&made, g->arena);
  edits_apply(&w->edits, &g->source, &made);
  w->c->text.length = 0;
  strbuf_add(&w->c->text, made.data, made.length);
}

// What was written has no errors, and no type of the shape dialect: types that have no position in the text stay.
// The operation that holds a byte of the text that was rewritten, and in no operation that it holds; ID_NONE: none does.
static op_id op_around(const shape_graph *g, uint32_t at) {
  op_id found = ID_NONE;
  assert(at <= g->source.length);
  for (op_id op = 0; op < g->op_count; op++) {
    source_span span = g->ops[op].span;
    bool inside = span.begin <= at && at < span.end;
    if (inside && (found == ID_NONE || span.begin >= g->ops[found].span.begin)) found = op;
  }
  return found;
}

// Of what was written, said where it came from.
static void refuse_at(const dims_work *w, source_span span, const char *why) {
  const shape_graph *g = shape_run_graph(w->a->program);
  uint32_t at = edits_source(&w->edits, span.begin);
  op_id op = op_around(g, at);
  const char *name = op == ID_NONE ? "a function" : graph_op_name(g, op);
  assert(why);
  if (w->c->failed || legal_may_be_false(name)) return;
  for (func_id f = 0; f < g->func_count && op == ID_NONE; f++) {
    source_span of = g->funcs[f].span;
    if (g->funcs[f].is_declaration && of.begin <= at && at < of.end) name = "a declaration";
  }
  fail_at(w->c, graph_position(g, (source_span){at, at}), name, why);
}

static bool is_of_shape_dialect(const graph_type *type) {
  return type && (type->kind == TYPE_SHAPE || type->kind == TYPE_SIZE);
}

static void check_legal(shape_run *p, void *data) {
  static const char STAYS[] = "a type of the shape dialect stays";
  const dims_work *w = data;
  const shape_graph *g = shape_run_graph(p);
  const shape_report *report = shape_run_report(p);
  for (value_id v = 0; v < g->value_count; v++) {
    const graph_value *value = &g->values[v];
    if (!is_of_shape_dialect(graph_value_type(g, v))) continue;
    op_id op = value->is_argument ? g->blocks[value->def].first : value->def;
    refuse_at(w, op == ID_NONE ? (source_span){0, 0} : g->ops[op].name_span, STAYS);
  }
  for (func_id f = 0; f < g->func_count; f++) {
    if (g->funcs[f].type == TYPE_NONE) continue;  // one of a module, or its type was not understood
    const graph_type *type = type_get(&g->types, g->funcs[f].type);
    for (uint32_t i = 0; i < type->param_count; i++) {
      type_id param = type->params[i];
      if (param != TYPE_NONE && is_of_shape_dialect(type_get(&g->types, param)))
        refuse_at(w, g->funcs[f].name_span, STAYS);
    }
  }
  for (uint32_t i = 0; i < report->diag_count; i++) {
    const diag *d = report->diags[i];
    if (d->severity == DIAG_ERROR) refuse_at(w, d->span, d->message);
  }
}

// --- the chain

static void to_text(void *to, const char *data, size_t length) {
  chain *c = to;
  strbuf_add(&c->text, data, length);
}

// Of what was written so far.
static analysis_request pass_request(const chain *c) {
  analysis_request q = *c->e->a->request;
  q.text = arena_strndup(c->e->report->graph->arena, c->text.data, c->text.length);
  q.length = c->text.length;
  q.validated = q.recognised = false;
  q.mode.suggested = q.werror = q.refinable = q.certify = q.alone = false;
  q.argument_types = NULL;
  assert(!q.binding_count && !q.bound_count && !q.assumption_count);
  return q;
}

static bool protect(chain *c, analysis *a, void (*body)(shape_run *p, void *data), void *data) {
  analysis_reply *reply = c->e->a->reply;
  shape_status status = shape_run_protect(a->program, body, data);
  if (reply->status == SHAPE_OK) reply->status = status;
  return status == SHAPE_OK;
}

static bool is_legal(dims_work *w) {
  chain *c = w->c;
  analysis a;
  analysis_request q = pass_request(c);
  bool ok = analysis_open(&a, &q, true, c->e->a->reply);
  if (ok) ok = protect(c, &a, check_legal, w);
  analysis_close(&a);
  if (ok && !c->failed) c->e->a->reply->errors = 0;
  return ok && !c->failed;
}

// What the passes before wrote has an error.
static void fail_again(chain *c, const analysis *a, const pass_row *row) {
  const shape_report *report = shape_run_report(a->program);
  const char *message = "";
  for (uint32_t i = 0; i < report->diag_count && !*message; i++) {
    if (report->diags[i]->severity == DIAG_ERROR) message = report->diags[i]->message;
  }
  fail(c, "what the passes before write is refused by %.*s: %s\n", (int)strlen(row->name),
       row->name, message);
}

static bool run(chain *c, const pass_row *row) {
  analysis a;
  analysis_request q = pass_request(c);
  if (row->kind == PASS_ARGUMENTS) q.argument_types = c->e->a->request->argument_types;
  bool ok = analysis_open(&a, &q, true, c->e->a->reply);
  if (ok && c->e->a->reply->errors) fail_again(c, &a, row);
  if (ok && !c->e->a->reply->errors && row->kind == PASS_ARGUMENTS) {
    argument_work w = {.c = c, .a = &a};
    ok = protect(c, &a, wrap_arguments, &w);
    if (w.failed) fail(c, "%.*s%s", 0, "", w.failed);
  } else if (ok && !c->e->a->reply->errors && row->kind == PASS_DIMS) {
    dims_work w = {.c = c, .a = &a, .pass = (dims_pass)row->parts};
    ok = protect(c, &a, rewrite_dims, &w);
    if (w.stays) fail_at(c, w.at, w.stays, w.why);
    if (ok && !w.stays && row->parts == DIMS_LEGALIZE) ok = is_legal(&w);
  } else if (ok && !c->e->a->reply->errors) {
    const program_options options = {.parts = row->parts};
    const emission inner = {.a = &a,
                            .report = shape_run_report(a.program),
                            .options = &options,
                            .sink = to_text,
                            .to = c};
    c->text.length = 0;
    emit_mlir(&inner);
  }
  analysis_close(&a);
  return ok && !c->e->a->reply->errors && c->e->a->reply->status == SHAPE_OK;
}

// --- options

// What passes would silently leave out: each runs on the program as the one before wrote it.
static bool refuse_options(const emission *e) {
  const program_options *o = e->options;
  const analysis_request *q = e->a->request;
  const struct {
    bool given;
    const char *what;
  } options[] = {
      {q->binding_count, "bindings"},
      {q->bound_count, "bounds"},
      {q->assumption_count, "assumptions"},
      {o->dynamism, "a dynamism"},
      {o->names, "names"},
      {o->generic, "the generic form"},
      {o->cleanup, "cleanup, which is a pass"},
  };
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    if (!options[i].given) continue;
    analysis_refuse(e->a, "passes run without %s", options[i].what);
    return true;
  }
  return false;
}

// Before the first pass runs: a name that is misspelt is wrong usage.
static bool refuse_names(const emission *e) {
  const program_options *o = e->options;
  for (const char *at = o->passes; at;) {
    const char *comma = strchr(at, ',');
    size_t length = comma ? (size_t)(comma - at) : strlen(at), prefix = prefix_length(at, length);
    misspelt given = misspelt_near(at + prefix, length - prefix);
    int shown = length < LONGEST_TOLD ? (int)length : LONGEST_TOLD;
    if (!find(at, length)) {
      for (size_t i = 0; i < ROW_COUNT; i++)
        misspelt_offer(&given, ROWS[i].name, strlen(ROWS[i].name));
      if (given.name)
        analysis_refuse(e->a, "there is no pass '%.*s', did you mean '%s'?", shown, at, given.name);
      else
        analysis_refuse(e->a, "there is no pass '%.*s'", shown, at);
      return true;
    }
    at = comma ? comma + 1 : NULL;
  }
  return false;
}

typedef struct static_work {
  chain *c;
  uint32_t count;  // of what stays dynamic
} static_work;

static void put_stays(static_work *w, const shape_graph *g, op_id op, const char *what) {
  shape_strbuf out;
  strbuf_init(&out, w->c->e->report->graph->arena);
  source_position at = graph_position(g, g->ops[op].name_span);
  strbuf_printf(&out, "%s:%u:%u: error: %s %s after the passes\n", w->c->e->a->request->name,
                at.line, at.column, graph_op_name(g, op), what);
  w->c->e->sink(w->c->e->to, out.data, out.length);
  w->count++;
}

// Operations that stay dynamic, and those with a type that does.
static void check_static(shape_run *p, void *data) {
  const shape_graph *g = shape_run_graph(p);
  uint32_t first;
  for (op_id op = 0; op < g->op_count; op++) {
    const graph_op *o = &g->ops[op];
    bool typed = false;
    for (uint32_t i = 0; i < o->operand_count + o->result_count; i++) {
      value_id v =
          i < o->operand_count ? graph_operand(g, op, i) : o->results + i - o->operand_count;
      const graph_type *type = v == VALUE_NONE ? NULL : graph_value_type(g, v);
      typed |= type && (type->kind == TYPE_UNRANKED ||
                        (type->kind == TYPE_TENSOR && !is_static(g, g->values[v].type)));
    }
    if (typed) put_stays(data, g, op, "has a dynamic type");
    if (!typed && op_is_dynamic(g, op, &first)) put_stays(data, g, op, "stays dynamic");
  }
}

static bool is_all_static(chain *c) {
  analysis a;
  analysis_request q = pass_request(c);
  static_work w = {.c = c};
  bool ok = analysis_open(&a, &q, true, c->e->a->reply);
  if (ok && !c->e->a->reply->errors) ok = protect(c, &a, check_static, &w);
  analysis_close(&a);
  if (w.count) c->e->a->reply->errors = w.count;
  return ok && !c->e->a->reply->errors;
}

static bool names_pass(const char *passes, pass_kind kind) {
  for (const char *at = passes; at;) {
    const char *comma = strchr(at, ',');
    const pass_row *row = find(at, comma ? (size_t)(comma - at) : strlen(at));
    if (row && row->kind == kind) return true;
    at = comma ? comma + 1 : NULL;
  }
  return false;
}

// Without refine-arguments no argument gets the type that is given for it.
static void tell_arguments(const emission *e) {
  const program_options *o = e->options;
  shape_graph *g = e->report->graph;
  func_id entry = e->report->infer ? e->report->infer->entry : ID_NONE;
  if (!e->a->request->argument_types || !o->dynamic || entry == ID_NONE) return;
  if (names_pass(o->passes, PASS_ARGUMENTS)) return;
  const graph_block *block = &g->blocks[g->regions[g->funcs[entry].body].first_block];
  source_position at = graph_position(g, g->funcs[entry].name_span);
  for (uint32_t i = 0; i < block->argument_count; i++) {
    shape_strbuf what, type;
    if (is_static(g, g->values[block->arguments + i].type)) continue;
    strbuf_init(&what, g->arena);
    strbuf_init(&type, g->arena);
    strbuf_printf(&what, "argument %u", i);
    type_print(&g->types, &type, g->values[block->arguments + i].type);
    const dynamic_value stays = {at.line,
                                 at.column,
                                 strbuf_text(&what),
                                 strbuf_text(&type),
                                 "only the pass refine-arguments refines it",
                                 false};
    o->dynamic(o->dynamic_to, &stays);
  }
}

void emit_passes(const emission *e) {
  const program_options *o = e->options;
  const shape_graph *g = e->report->graph;
  chain c = {.e = e};
  assert(o->passes);
  if (refuse_options(e) || refuse_names(e)) return;
  tell_arguments(e);
  strbuf_init(&c.text, g->arena);
  strbuf_add(&c.text, g->source.text, g->source.length);
  for (const char *at = o->passes; at;) {
    const char *comma = strchr(at, ',');
    if (!run(&c, find(at, comma ? (size_t)(comma - at) : strlen(at)))) break;
    at = comma ? comma + 1 : NULL;
  }
  if (o->require_static && !c.failed && !e->a->reply->errors && !is_all_static(&c)) return;
  if (!c.failed && e->a->reply->status == SHAPE_OK)
    e->sink(e->to, c.text.data ? c.text.data : "", c.text.length);
}
