// SPDX-License-Identifier: Apache-2.0
#include "solver/transform/clone.h"

#include <assert.h>
#include <string.h>

#include "solver/formats/mlir/write.h"
#include "solver/ops/traits.h"

typedef struct cloning {
  shape_graph *graph;
  const call_contexts *contexts;
  name_id *names;  // by context: its function's name in the text
  bool *whole;     // by func_id: one text for all contexts
  op_id *ops;      // that call something, in order
  uint32_t op_count;
} cloning;

static func_id enclosing(const shape_graph *g, op_id op) {
  return g->regions[g->blocks[g->ops[op].parent].region].func;
}

// --- names

static name_id free_name(shape_graph *g, name_id base, uint32_t *number) {
  shape_strbuf text;
  do {
    strbuf_init(&text, g->arena);
    strbuf_add(&text, intern_text(&g->names, base), intern_length(&g->names, base));
    strbuf_printf(&text, "_%u", ++*number);
  } while (intern_find(&g->names, text.data, text.length) != NAME_NONE);
  return intern_add(&g->names, text.data, text.length);
}

// A function that may call itself without end would get copies of its calls each time; so would what it calls.
static void find_whole(cloning *c) {
  const infer_result *infer = c->contexts->infer;
  const shape_graph *g = c->graph;
  c->whole = arena_zalloc(c->graph->arena, g->func_count + 1);
  for (func_id f = 0; f < g->func_count; f++) c->whole[f] = infer_is_endless(infer, f);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < c->contexts->call_count; i++) {
      const infer_call *call = &c->contexts->calls[i];
      assert(call->frame < infer->frame_count && call->callee < infer->frame_count);
      bool *callee = &c->whole[infer->frames[call->callee].func];
      if (*callee || !c->whole[infer->frames[call->frame].func]) continue;
      *callee = more = true;
    }
  }
  for (func_id f = 0; f < g->func_count; f++)
    c->whole[f] |= span_is_none(g->funcs[f].name_span) || g->funcs[f].name == NAME_NONE;
}

static bool name_contexts(cloning *c) {
  find_whole(c);
  shape_graph *g = c->graph;
  uint32_t *numbers = arena_zalloc(g->arena, (g->func_count + 1) * sizeof *numbers);
  bool any = false;
  c->names = arena_alloc(g->arena, (c->contexts->count + 1) * sizeof *c->names);
  for (uint32_t i = 0; i < c->contexts->count; i++) {
    const call_context *context = &c->contexts->items[i];
    func_id func = context->func;
    assert(func < g->func_count && context->frame < c->contexts->infer->frame_count);
    bool own = c->contexts->per_func[func] < 2 || context->common || c->whole[func] ||
               c->contexts->infer->frames[context->frame].caller == ID_NONE;
    c->names[i] = own ? g->funcs[func].name : free_name(g, g->funcs[func].name, &numbers[func]);
    any |= !own;
  }
  return any;
}

// --- text

static void find_calls(cloning *c) {
  const shape_graph *g = c->graph;
  c->ops = arena_alloc(g->arena, (g->op_count + 1) * sizeof *c->ops);
  for (op_id op = 0; op < g->op_count; op++) {
    if (op_has(g, op, TRAIT_CALL | TRAIT_COMPOSITE)) c->ops[c->op_count++] = op;
  }
}

static attr_id callee_attr(const shape_graph *g, op_id op) {
  attr_id callee = graph_attr_named(g, op, "callee");
  return callee == ATTR_NONE ? graph_attr_named(g, op, "decomposition") : callee;
}

static void write_name(const cloning *c, name_id name, bool quoted, shape_strbuf *out) {
  const char *text = intern_text(&c->graph->names, name);
  uint32_t length = intern_length(&c->graph->names, name);
  mlir_writer w;
  mlir_writer_init(&w, c->graph, NULL, NULL, out);
  if (quoted) {
    mlir_write_quoted(&w, text, length);
  } else {
    strbuf_add(out, text, length);
  }
}

static void rename_symbol(cloning *c, text_edits *edits, uint32_t at, name_id name) {
  assert(at < c->graph->source.length && c->graph->source.text[at] == '@');
  const source_text *source = &c->graph->source;
  source_span span = edit_symbol_span(source, at);
  bool quoted = at + 1 < source->length && source->text[at + 1] == '"';
  shape_strbuf text;
  strbuf_init(&text, c->graph->arena);
  strbuf_putc(&text, '@');
  write_name(c, name, quoted, &text);
  edits_add(edits, source, span, text.data, text.length);
}

// The calls of a function as they are in one of its contexts.
static void rename_calls(cloning *c, text_edits *edits, uint32_t context) {
  const shape_graph *g = c->graph;
  assert(context < c->contexts->count);
  const call_context *in = &c->contexts->items[context];
  uint32_t low = 0, high = c->op_count;
  source_span span = g->funcs[in->func].span;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (g->ops[c->ops[middle]].span.begin < span.begin) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  for (; low < c->op_count && g->ops[c->ops[low]].span.begin < span.end; low++) {
    op_id op = c->ops[low];
    uint32_t called =
        enclosing(g, op) == in->func ? context_called(c->contexts, in->frame, op) : ID_NONE;
    if (called == ID_NONE || c->names[called] == g->funcs[c->contexts->items[called].func].name)
      continue;
    rename_symbol(c, edits, g->attributes.items[callee_attr(g, op)].span.begin, c->names[called]);
  }
}

// `func.func private @f_1(`, or "f_1" with its visibility in the generic form.
static void rename_function(cloning *c, text_edits *edits, const graph_func *func, name_id name) {
  const source_text *source = &c->graph->source;
  shape_strbuf text;
  strbuf_init(&text, c->graph->arena);
  if (source->text[func->span.begin] == '"') {
    write_name(c, name, true, &text);
    if (!func->is_private) strbuf_puts(&text, ", sym_visibility = \"private\"");
    edits_add(edits, source, func->name_span, text.data, text.length);
    return;
  }
  rename_symbol(c, edits, func->name_span.begin, name);
  if (func->is_private) return;
  bool full = source->text[func->span.begin + sizeof "func" - 1] == '.';  // func.func
  strbuf_puts(&text, full ? "func.func private " : "func private ");
  edits_add(edits, source, (source_span){func->span.begin, func->name_span.begin}, text.data,
            text.length);
}

static void add_copy(cloning *c, uint32_t context, shape_strbuf *out) {
  shape_graph *g = c->graph;
  assert(context < c->contexts->count && c->names[context] != NAME_NONE);
  const graph_func *func = &g->funcs[c->contexts->items[context].func];
  text_edits edits = {.arena = g->arena};
  rename_function(c, &edits, func, c->names[context]);
  rename_calls(c, &edits, context);
  uint32_t line = func->span.begin;
  while (line && (g->source.text[line - 1] == ' ' || g->source.text[line - 1] == '\t')) line--;
  strbuf_putc(out, '\n');
  strbuf_add(out, g->source.text + line, func->span.begin - line);
  edits_apply_part(&edits, &g->source, func->span, out);
}

static uint32_t end_of_functions(const shape_graph *g, uint32_t module) {
  uint32_t end = 0;
  for (func_id f = 0; f < g->func_count; f++) {
    const graph_func *func = &g->funcs[f];
    if (func->module == module && func->name != NAME_NONE && func->span.end > end)
      end = func->span.end;
  }
  return end;
}

static void add_copies(cloning *c, text_edits *edits) {
  shape_graph *g = c->graph;
  uint32_t modules = 0;
  for (func_id f = 0; f < g->func_count; f++) {
    if (g->funcs[f].module >= modules) modules = g->funcs[f].module + 1;
  }
  shape_strbuf *texts = arena_zalloc(g->arena, (modules + 1) * sizeof *texts);
  for (uint32_t i = 0; i < c->contexts->count; i++) {
    const graph_func *func = &g->funcs[c->contexts->items[i].func];
    if (c->names[i] == func->name) continue;
    shape_strbuf *text = &texts[func->module];
    if (!text->arena) strbuf_init(text, g->arena);
    add_copy(c, i, text);
  }
  for (uint32_t m = 0; m < modules; m++) {
    uint32_t at = texts[m].length ? end_of_functions(g, m) : 0;
    if (at) edits_add(edits, &g->source, (source_span){at, at}, texts[m].data, texts[m].length);
  }
}

bool refine_clone(const shape_report *report, shape_strbuf *out) {
  shape_graph *g = report->graph;
  cloning c = {.graph = g, .contexts = contexts_of(report)};
  if (!name_contexts(&c)) return false;
  find_calls(&c);
  text_edits all = {.arena = g->arena};
  for (uint32_t i = 0; i < c.contexts->count; i++) {
    const call_context *context = &c.contexts->items[i];
    if (c.names[i] == g->funcs[context->func].name) rename_calls(&c, &all, i);
  }
  add_copies(&c, &all);
  edits_apply(&all, &g->source, out);
  return true;
}
