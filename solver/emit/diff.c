// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/diff.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/json/write.h"
#include "solver/report/render.h"
#include "solver/term/print.h"

enum { ELEMENTS_MAX = 16 };

typedef struct side {
  analysis_request request;
  shape_report *report;
  shape_graph *graph;
  analysis a;
  analysis_reply reply;
} side;

// A value, a constraint or a guard in one of the programs, as texts to compare.
typedef struct entry {
  const char *function, *name;  // name: of the value, or what the predicate says
  const char *text;             // type and dims; NULL for predicates
  const char *why;
  const report_function *of;  // the one that a function's name means
  uint32_t line;
  uint32_t nth,
      more;  // among the values of one name, which regions beside one another may have; how many follow
} entry;

typedef struct entries {
  entry *items;
  uint32_t count, capacity;
  shape_imap
      by_name;    // hash of function and name -> index; chains of equal hashes are distinguished
  uint64_t seed;  // of the arena
} entries;

typedef struct diff {
  side old, now;
  bool json, colour;
  emit_sink *sink;
  void *to;
  json_writer w;
  shape_strbuf *out;
  shape_arena *arena;
  uint32_t differences;
} diff;

// --- texts

static report_text value_name(const shape_graph *g, value_id value) {
  uint32_t length;
  const char *text = graph_value_text(g, value, &length);
  return (report_text){text, length};
}

static void put_symbol(void *data, shape_strbuf *out, uint32_t number) {
  const side *s = data;
  const shape_report *r = s->report;
  const report_symbol *symbol = report_symbol_numbered(r, number);
  if (!symbol) {
    strbuf_printf(out, "_%u", number);
    return;
  }
  bool shown = symbol->origin == FROM_ARGUMENT_SIZE || symbol->origin == FROM_ARGUMENT_VALUE;
  if (!shown || symbol->function != r->infer->entry) {
    strbuf_add(out, symbol->name.text, symbol->name.length);
    return;
  }
  report_text name = value_name(s->graph, r->functions[0].arguments + symbol->argument);
  strbuf_add(out, name.text, name.length);
  if (symbol->axis != ID_NONE) strbuf_printf(out, ".%u", symbol->axis);
}

static void put_term(const side *s, shape_strbuf *out, term_id term) {
  term_namer namer = {.symbol = put_symbol, .functions = &s->graph->names, .data = (void *)s};
  if (term == TERM_NONE) {
    strbuf_putc(out, '?');
  } else {
    term_print(s->report->infer->terms, out, term, &namer);
  }
}

static const char *value_text(const side *s, shape_arena *arena, value_id value) {
  assert(value < s->graph->value_count);
  assert(s->report->value_shapes[value] < s->report->shape_count);
  const report_shape *shape = &s->report->shapes[s->report->value_shapes[value]];
  shape_strbuf out;
  strbuf_init(&out, arena);
  if (shape->type == TYPE_NONE) {
    strbuf_puts(&out, "no type");
  } else {
    type_print(&s->graph->types, &out, shape->type);
  }
  for (uint32_t i = 0; shape->ranked && i < shape->rank; i++) {
    strbuf_puts(&out, i ? ", " : "  [");
    put_term(s, &out, shape->dims[i]);
  }
  if (shape->ranked && shape->rank) strbuf_putc(&out, ']');
  return strbuf_text(&out);
}

// The elements of an integer value, where they say more than its name: "= tokens.0", "= [2, n]".
static const char *with_elements(const side *s, shape_arena *arena, const char *text,
                                 const report_elements *values, const char *own) {
  if (!values || !values->items || values->count > ELEMENTS_MAX) return text;
  shape_strbuf all, one, name;
  strbuf_init(&all, arena);
  bool says = false;
  for (uint32_t i = 0; i < values->count; i++) {
    strbuf_init(&one, arena);
    put_term(s, &one, values->items[i]);
    strbuf_init(&name, arena);
    strbuf_puts(&name, own);
    if (values->count > 1) strbuf_printf(&name, ".%u", i);
    says |= values->items[i] != TERM_NONE && strcmp(strbuf_text(&one), strbuf_text(&name)) != 0;
    strbuf_printf(&all, "%s%s", i ? ", " : "", strbuf_text(&one));
  }
  if (!says) return text;
  strbuf_init(&one, arena);
  strbuf_printf(&one, values->count == 1 ? "%s  = %s" : "%s  = [%s]", text, strbuf_text(&all));
  return strbuf_text(&one);
}

static const char *predicate_text(const side *s, shape_arena *arena, predicate p) {
  const term_namer namer = {.symbol = put_symbol, .functions = &s->graph->names, .data = (void *)s};
  shape_strbuf out;
  strbuf_init(&out, arena);
  predicate_print(s->report->infer->terms, &out, p, &namer);
  return strbuf_text(&out);
}

// --- lists

static uint64_t hash_of(const entries *list, const entry *e) {
  uint64_t h = hash_text(e->function, strlen(e->function), list->seed + e->nth);
  return hash_text(e->name, strlen(e->name), h) >> 1;
}

static bool is_same(const entry *a, const entry *b) {
  return a->nth == b->nth && strcmp(a->function, b->function) == 0 && strcmp(a->name, b->name) == 0;
}

// The entry of the same name; names that share a hash follow one another.
static entry *find(const entries *list, const entry *wanted) {
  uint32_t at;
  for (uint64_t h = hash_of(list, wanted); imap_get(&list->by_name, h, &at);
       h = (h + 1) & (UINT64_MAX >> 1)) {
    assert(at < list->count);
    if (is_same(&list->items[at], wanted)) return &list->items[at];
  }
  return NULL;
}

static void add(entries *list, shape_arena *arena, entry e) {
  uint32_t at;
  arena_poll_at(arena, list->count);
  list->seed = arena->seed;
  entry *first = find(list, &e);
  if (first && !e.text) return;
  if (first) e.nth = ++first->more;
  list->items = arena_grow(arena, list->items, list->count, (size_t)list->count + 1,
                           &list->capacity, sizeof e);
  uint64_t h = hash_of(list, &e);
  while (imap_get(&list->by_name, h, &at)) h = (h + 1) & (UINT64_MAX >> 1);
  imap_put(&list->by_name, arena, h, list->count);
  assert(list->count < list->capacity);
  list->items[list->count++] = e;
}

// Of a model there are no lines: 0.
static uint32_t line_of(const side *s, source_span span) {
  bool known = !span_is_none(span) && graph_is_text(s->graph);
  return known ? graph_position(s->graph, span).line : 0;
}

static void add_value(const side *s, entries *list, shape_arena *arena, const char *function,
                      value_id value, const report_elements *values) {
  uint32_t length;
  const char *name = graph_value_text(s->graph, value, &length);
  if (!length) return;
  shape_strbuf text;
  strbuf_init(&text, arena);
  strbuf_printf(&text, "%%%.*s", (int)length, name);
  uint32_t at = s->graph->values[value].at;
  const char *is =
      with_elements(s, arena, value_text(s, arena, value), values, strbuf_text(&text) + 1);
  add(list, arena,
      (entry){.function = function,
              .name = strbuf_text(&text),
              .text = is,
              .line = line_of(s, (source_span){at, at})});
}

static void list_values(const side *s, entries *list, shape_arena *arena) {
  const shape_report *r = s->report;
  for (uint32_t i = 0; i < r->function_count; i++) {
    const report_function *f = &r->functions[i];
    const char *name = report_function_name(r, f->id).text;
    for (uint32_t k = 0; k < f->argument_count; k++) {
      add_value(s, list, arena, name, f->arguments + k, &f->argument_values[k]);
    }
    for (op_id op = f->first_op; op < f->end_op; op++) {
      const graph_op *o = &s->graph->ops[op];
      for (uint32_t k = 0; k < o->result_count; k++)
        add_value(s, list, arena, name, o->results + k, NULL);
    }
    for (uint32_t k = 0; f->results && k < f->result_count; k++) {
      shape_strbuf text;
      if (f->results[k] == VALUE_NONE) continue;
      strbuf_init(&text, arena);
      strbuf_printf(&text, "result %u", k);
      add(list, arena,
          (entry){.function = name,
                  .name = strbuf_text(&text),
                  .text = with_elements(s, arena, value_text(s, arena, f->results[k]),
                                        &f->result_values[k], ""),
                  .line = line_of(s, s->graph->funcs[f->id].span)});
    }
  }
}

// Functions that others define: what callers rely on is their type.
static void list_declarations(const side *s, entries *list, shape_arena *arena) {
  const shape_graph *g = s->graph;
  for (func_id id = 0; id < g->func_count; id++) {
    const graph_func *f = &g->funcs[id];
    if (f->body != ID_NONE || f->type == TYPE_NONE) continue;
    shape_strbuf type;
    strbuf_init(&type, arena);
    type_print(&g->types, &type, f->type);
    add(list, arena,
        (entry){.function = report_function_name(s->report, id).text,
                .name = "the declaration",
                .text = strbuf_text(&type),
                .line = line_of(s, f->span)});
  }
}

static void list_functions(const side *s, entries *list, shape_arena *arena) {
  for (uint32_t i = 0; i < s->report->function_count; i++) {
    const report_function *f = &s->report->functions[i];
    uint32_t line = line_of(s, s->graph->funcs[f->id].span);
    const char *name = report_function_name(s->report, f->id).text;
    if (*name) add(list, arena, (entry){.function = "", .name = name, .of = f, .line = line});
  }
}

static void list_predicates(const side *s, const report_constraints *from, entries *list,
                            shape_arena *arena) {
  for (uint32_t i = 0; i < from->count; i++) {
    const report_constraint *c = &from->items[i];
    const report_because *why = c->because_count ? &c->because[0] : NULL;
    add(list, arena,
        (entry){.function = c->scope,
                .name = predicate_text(s, arena, c->p),
                .why = why ? why->message : NULL,
                .line = why ? line_of(s, why->span) : 0});
  }
}

static void list_unchecked(const side *s, entries *list, shape_arena *arena) {
  for (uint32_t i = 0; i < s->report->unchecked_count; i++) {
    const report_unchecked *row = &s->report->unchecked[i];
    shape_strbuf name;
    strbuf_init(&name, arena);
    strbuf_printf(&name, "%s: %s", row->op == ID_NONE ? "" : graph_op_name(s->graph, row->op),
                  row->requirement);
    add(list, arena,
        (entry){.function = "",
                .name = strbuf_text(&name),
                .why = row->reason,
                .line = row->op == ID_NONE ? 0 : line_of(s, s->graph->ops[row->op].span)});
  }
}

// --- the answer

static void put_json(diff *d, const char *kind, const entry *was, const entry *is) {
  const entry *any = is ? is : was;
  json_begin_object(&d->w);
  json_put_string(&d->w, "kind", kind);
  if (*any->function) {
    json_put_string(&d->w, "function", any->function);
  }
  json_put_string(&d->w, "name", any->name);
  json_put_string(&d->w, "change", was && is ? "changed" : was ? "removed" : "added");
  for (int k = 0; k < 2; k++) {
    const entry *e = k ? is : was;
    if (!e) continue;
    json_key_string(&d->w, k ? "new" : "old");
    json_begin_object(&d->w);
    if (e->text) {
      json_put_string(&d->w, "type", e->text);
    }
    if (e->line) {
      json_put_int(&d->w, "line", e->line);
    }
    if (e->why) {
      json_put_string(&d->w, "message", e->why);
    }
    json_end_object(&d->w);
  }
  json_end_object(&d->w);
}

static void put_side(diff *d, char sign, const entry *e, const char *text) {
  strbuf_printf(d->out, "  %c ", sign);
  render_safe(d->out, text, strlen(text));
  if (e->line || e->why) strbuf_puts(d->out, "\n    ");
  if (e->line) strbuf_printf(d->out, "line %u", e->line);
  if (e->why) {
    if (e->line) strbuf_puts(d->out, ": ");
    render_safe(d->out, e->why, strlen(e->why));
  }
  strbuf_putc(d->out, '\n');
}

static void put_text(diff *d, const char *kind, const entry *was, const entry *is) {
  const entry *any = is ? is : was;
  if (any->text) {
    strbuf_printf(d->out, "%s of ", kind);
    render_safe(d->out, any->name, strlen(any->name));
    strbuf_puts(d->out, " in @");
    render_safe(d->out, any->function, strlen(any->function));
    strbuf_putc(d->out, '\n');
  } else {
    strbuf_printf(d->out, "%s\n", kind);
  }
  if (was) put_side(d, '-', was, was->text ? was->text : was->name);
  if (is) put_side(d, '+', is, is->text ? is->text : is->name);
}

static void put(diff *d, const char *kind, const entry *was, const entry *is) {
  assert(was || is);
  d->differences++;
  if (d->json) {
    put_json(d, kind, was, is);
  } else {
    put_text(d, kind, was, is);
  }
}

// both: only entries that both programs have can differ.
static void compare(diff *d, const char *kind, const entries *was, const entries *is, bool both) {
  for (uint32_t i = 0; i < was->count; i++) {
    arena_poll_at(d->arena, i);
    const entry *a = &was->items[i], *b = find(is, a);
    if (!b && !both) put(d, kind, a, NULL);
    if (b && a->text && b->text && strcmp(a->text, b->text) != 0) put(d, kind, a, b);
  }
  for (uint32_t i = 0; i < is->count && !both; i++) {
    arena_poll_at(d->arena, i);
    if (!find(was, &is->items[i])) put(d, kind, NULL, &is->items[i]);
  }
}

static entry entry_of(const side *s, shape_arena *arena, const report_function *f, bool result,
                      uint32_t index) {
  shape_strbuf name, type;
  strbuf_init(&name, arena);
  strbuf_init(&type, arena);
  strbuf_printf(&name, "%s %u", result ? "result" : "argument", index);
  assert(index < (result ? f->result_count : f->argument_count));
  uint32_t shape = result ? f->result_shapes[index] : s->report->value_shapes[f->arguments + index];
  type_id own = s->graph->funcs[f->id].type, id = TYPE_NONE;
  if (shape != ID_NONE) {
    id = s->report->shapes[shape].type;
  } else if (own != TYPE_NONE) {  // a function that returns values without types has none
    const graph_type *is = type_get(&s->graph->types, own);
    id = is->params[(result ? is->split : 0) + index];
  }
  if (id == TYPE_NONE) {
    strbuf_putc(&type, '?');
  } else {
    type_print(&s->graph->types, &type, id);
  }
  return (entry){.function = report_function_name(s->report, f->id).text,
                 .name = strbuf_text(&name),
                 .text = strbuf_text(&type),
                 .line = line_of(s, s->graph->funcs[f->id].span)};
}

static entry name_of(const side *s, shape_arena *arena, value_id argument) {
  report_text name = value_name(s->graph, argument);
  return (entry){.function = "", .name = arena_strndup(arena, name.text, name.length)};
}

static entries argument_names(const side *s, shape_arena *arena, const report_function *f) {
  entries names = {0};
  for (uint32_t i = 0; i < f->argument_count; i++) {
    entry e = name_of(s, arena, f->arguments + i);
    if (*e.name) add(&names, arena, e);
  }
  return names;
}

// The next argument from `i` on whose name none of the other version has.
static uint32_t next_unmatched(const side *s, shape_arena *arena, const report_function *f,
                               const entries *others, uint32_t i) {
  for (; i < f->argument_count; i++) {
    entry e = name_of(s, arena, f->arguments + i);
    if (!find(others, &e)) break;
  }
  return i;
}

static void compare_entry(diff *d, const report_function *was, uint32_t i,
                          const report_function *is, uint32_t k, bool result) {
  bool before = i < (result ? was->result_count : was->argument_count);
  bool after = k < (result ? is->result_count : is->argument_count);
  entry x = {0}, y = {0};
  if (before) x = entry_of(&d->old, d->arena, was, result, i);
  if (after) y = entry_of(&d->now, d->arena, is, result, k);
  if (before && after && strcmp(x.text, y.text) == 0) return;
  put(d, "type", before ? &x : NULL, after ? &y : NULL);
}

// Those of one name are compared already; the others belong together in their order.
static void compare_arguments(diff *d, const report_function *was, const report_function *is) {
  entries before = argument_names(&d->old, d->arena, was);
  entries after = argument_names(&d->now, d->arena, is);
  uint32_t i = 0, k = 0;
  for (;;) {
    i = next_unmatched(&d->old, d->arena, was, &after, i);
    k = next_unmatched(&d->now, d->arena, is, &before, k);
    if (i >= was->argument_count && k >= is->argument_count) return;
    compare_entry(d, was, i, is, k, false);
    i += i < was->argument_count;
    k += k < is->argument_count;
  }
}

static void compare_results(diff *d, const report_function *was, const report_function *is) {
  uint32_t both = was->result_count < is->result_count ? was->result_count : is->result_count;
  for (uint32_t i = both; i < was->result_count || i < is->result_count; i++)
    compare_entry(d, was, i, is, i, true);
}

static void compare_signatures(diff *d, const entries *functions, const entries *others) {
  for (uint32_t i = 0; i < functions->count; i++) {
    const entry *a = &functions->items[i], *b = find(others, a);
    if (!b) continue;
    compare_arguments(d, a->of, b->of);
    compare_results(d, a->of, b->of);
  }
}

static void compare_all(diff *d) {
  entries lists[2][5];
  memset(lists, 0, sizeof lists);
  const side *sides[] = {&d->old, &d->now};
  for (int k = 0; k < 2; k++) {
    const side *s = sides[k];
    list_functions(s, &lists[k][0], d->arena);
    list_values(s, &lists[k][1], d->arena);
    list_declarations(s, &lists[k][1], d->arena);
    list_predicates(s, &s->report->constraints, &lists[k][2], d->arena);
    list_predicates(s, &s->report->guards, &lists[k][3], d->arena);
    list_unchecked(s, &lists[k][4], d->arena);
  }
  compare(d, "function", &lists[0][0], &lists[1][0], false);
  compare(d, "type", &lists[0][1], &lists[1][1], true);
  compare_signatures(d, &lists[0][0], &lists[1][0]);
  compare(d, "constraint", &lists[0][2], &lists[1][2], false);
  compare(d, "guard", &lists[0][3], &lists[1][3], false);
  compare(d, "unchecked", &lists[0][4], &lists[1][4], false);
}

static void put_errors(diff *d, const side *s) {
  render_options options = {s->request.name, d->colour, false};
  for (uint32_t i = 0; i < s->report->diag_count; i++) {
    if (s->report->diags[i]->severity == DIAG_ERROR)
      render_diag(s->report, d->out, s->report->diags[i], &options);
  }
}

static void write_diff(shape_run *p, void *data) {
  (void)p;
  diff *d = data;
  shape_strbuf out;
  d->arena = d->now.graph->arena;
  strbuf_init_sink(&out, d->arena, d->sink, d->to);
  d->out = &out;
  uint32_t errors = d->old.reply.errors + d->now.reply.errors;
  if (d->json) {
    json_writer_init(&d->w, &out);
    json_begin_object(&d->w);
    json_put_string(&d->w, "status", errors ? "error" : "ok");
    json_key(&d->w, "errors");
    json_begin_array(&d->w);
    json_int(&d->w, d->old.reply.errors);
    json_int(&d->w, d->now.reply.errors);
    json_end_array(&d->w);
    json_key(&d->w, "differences");
    json_begin_array(&d->w);
    if (!errors) compare_all(d);
    json_end_array(&d->w);
    json_end_object(&d->w);
    strbuf_putc(&out, '\n');
  } else if (errors) {
    if (d->old.reply.errors) put_errors(d, &d->old);
    if (d->now.reply.errors) put_errors(d, &d->now);
  } else {
    compare_all(d);
    if (!d->differences) strbuf_puts(&out, "no difference in types, constraints and guards\n");
  }
  strbuf_flush(&out);
}

typedef struct comparison {
  diff *d;
  shape_status status;
} comparison;

// Both programs give memory while they are compared, so both are protected.
static void protect_now(shape_run *old, void *data) {
  (void)old;
  comparison *c = data;
  c->status = shape_run_protect(c->d->now.a.program, write_diff, c->d);
}

static bool analyse(side *s, const analysis_request *request) {
  s->request = *request;
  s->request.mode.suggested = false;
  s->request.werror = s->request.refinable = s->request.certify = false;
  if (!analysis_open(&s->a, &s->request, false, &s->reply)) return false;
  s->report = shape_run_report(s->a.program);
  s->graph = shape_run_graph(s->a.program);
  return s->report != NULL;
}

void diff_programs(const analysis_request *old, const analysis_request *new_request,
                   const diff_options *options, emit_sink *sink, void *to, diff_reply *reply) {
  memset(reply, 0, sizeof *reply);
  diff d = {.json = options->json, .colour = options->colour, .sink = sink, .to = to};
  side *sides[] = {&d.old, &d.now};
  const analysis_request *requests[] = {old, new_request};
  for (int k = 0; k < 2 && reply->status == SHAPE_OK; k++) {
    if (analyse(sides[k], requests[k])) continue;
    reply->status = sides[k]->reply.status;
    reply->excess = sides[k]->reply.excess;
    const char *why = sides[k]->reply.message;
    snprintf(reply->message, sizeof reply->message, "%s",
             *why ? why : shape_status_message(reply->status));
  }
  reply->errors = d.old.reply.errors + d.now.reply.errors;
  if (reply->status == SHAPE_OK) {
    comparison c = {&d, SHAPE_OK};
    reply->status = shape_run_protect(d.old.a.program, protect_now, &c);
    if (reply->status == SHAPE_OK) reply->status = c.status;
    reply->differences = d.differences;
  }
  for (int k = 0; k < 2; k++) analysis_close(&sides[k]->a);
}
