// SPDX-License-Identifier: Apache-2.0
// MLIR text with free dims: types without the dims that are no numbers any more, and in front of the entry's first
// operation what computes the dims that literals have become, from the dims of the arguments, in i64.
#include <assert.h>
#include <string.h>

#include "solver/emit/instructions.h"
#include "solver/formats/mlir/write.h"
#include "solver/generalize/work.h"
#include "solver/transform/types.h"

typedef struct rewriter {
  const resolving *x;
  shape_graph *graph;
  const mlir_uses *uses;
  shape_strbuf *out;  // of what computes dims
  text_edits edits;
  type_id *types;  // by value_id
  instructions computed;
  shape_imap ones;    // term -> number of it as tensor<1xi64>
  shape_imap shapes;  // hash of a list of terms -> number of the tensor that holds them
  uint32_t next;      // number of the next name
  const char *prefix, *dialect, *indent;
  uint32_t indent_length;
} rewriter;

// --- types

// The type that covers both; dims of one alone are none.
static type_id cover(shape_graph *g, type_id a, type_id b) {
  if (a == b || a == TYPE_NONE || b == TYPE_NONE) return a;
  const graph_type *x = type_get(&g->types, a), *y = type_get(&g->types, b);
  if (x->kind != TYPE_TENSOR || y->kind != TYPE_TENSOR || x->rank != y->rank) return a;
  int64_t *dims = arena_alloc(g->arena, (x->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < x->rank; i++)
    dims[i] = x->dims[i] == y->dims[i] ? x->dims[i] : DIM_DYNAMIC;
  return type_with_dims(&g->types, a, dims, x->has_bounds ? x->bounds : NULL, x->rank);
}

// Values that have one type in the text get what covers all of them.
static refined_types *make_types(rewriter *w) {
  shape_graph *g = w->graph;
  const type_id *loose = loose_types(w->x);
  restore_types(g, w->x->loose);
  refined_types *r = refine_types(w->x->report, w->uses);
  for (uint32_t i = 0; i < r->node_count; i++) {
    r->types[i] = TYPE_NONE;
    r->pinned[i] = false;
  }
  for (value_id v = 0; v < g->value_count; v++) {
    uint32_t root = refined_class(r, v);
    r->types[root] = r->types[root] == TYPE_NONE ? loose[v] : cover(g, r->types[root], loose[v]);
  }
  for (value_id v = 0; v < g->value_count; v++) w->types[v] = refined_value(r, v);
  return r;
}

// --- what computes dims

static uint32_t line(rewriter *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

// "%dim4 = " and what follows; returns 4.
static uint32_t line(rewriter *w, const char *format, ...) {
  va_list args;
  strbuf_add(w->out, w->indent, w->indent_length);
  strbuf_printf(w->out, "%%%s%u = ", w->prefix, w->next);
  va_start(args, format);
  strbuf_vprintf(w->out, format, args);
  va_end(args);
  strbuf_putc(w->out, '\n');
  return w->next++;
}

static uint32_t binary(rewriter *w, const char *op, uint32_t a, uint32_t b) {
  return line(w, "%s.%s %%%s%u, %%%s%u : tensor<i64>", w->dialect, op, w->prefix, a, w->prefix, b);
}

static uint32_t make_number(void *data, num n) {
  int64_t value = 0;
  bool fits = num_to_int(n, &value);
  assert(fits);
  (void)fits;
  return line(data, "%s.constant dense<%lld> : tensor<i64>", ((rewriter *)data)->dialect,
              (long long)value);
}

static uint32_t make_step(void *data, bool product, uint32_t a, uint32_t b) {
  return binary(data, product ? "multiply" : "add", a, b);
}

static uint32_t put(rewriter *w, term_id term) { return instructions_put(&w->computed, term); }

static uint32_t make_dim(rewriter *w, uint32_t symbol) {
  const infer_origin *o = &w->x->report->infer->origins[symbol];
  value_id v = w->x->loose->from->arguments + o->argument;
  assert(o->kind == ORIGIN_ARGUMENT_SIZE && v < w->graph->value_count);
  mlir_writer m;
  mlir_writer_init(&m, w->graph, w->uses, w->types, w->out);
  strbuf_add(w->out, w->indent, w->indent_length);
  strbuf_printf(w->out, "%%%s%u = %s.get_dimension_size ", w->prefix, w->next, w->dialect);
  mlir_write_value(&m, v);
  strbuf_printf(w->out, ", dim = %u : (", o->axis);
  mlir_write_value_type(&m, v);
  strbuf_puts(w->out, ") -> tensor<i32>\n");
  uint32_t size = w->next++;
  return line(w, "%s.convert %%%s%u : (tensor<i32>) -> tensor<i64>", w->dialect, w->prefix, size);
}

// Rounds to minus infinity: a remainder that is less than zero is made up for.
static uint32_t make_floordiv(rewriter *w, term_id dividend, term_id divisor) {
  interval range = store_range(w->x->report->infer->store, dividend);
  uint32_t a = put(w, dividend), b = put(w, divisor);
  if (range.has_lo && num_sign(range.lo) >= 0) return binary(w, "divide", a, b);
  uint32_t rest = binary(w, "remainder", a, b);
  rest = binary(w, "remainder", binary(w, "add", rest, b), b);
  return binary(w, "divide", binary(w, "subtract", a, rest), b);
}

static uint32_t make_bcast(rewriter *w, term_id left, term_id right) {
  uint32_t a = put(w, left), b = put(w, right), one = put(w, TERM_ONE);
  uint32_t test =
      line(w, "%s.compare EQ, %%%s%u, %%%s%u, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>",
           w->dialect, w->prefix, a, w->prefix, one);
  return line(w, "%s.select %%%s%u, %%%s%u, %%%s%u : tensor<i1>, tensor<i64>", w->dialect,
              w->prefix, test, w->prefix, b, w->prefix, a);
}

static uint32_t make_atom(void *data, term_id atom) {
  rewriter *w = data;
  const term_node node = *term_get(w->x->terms, atom);
  const term_id *args = node.as.args;
  switch ((term_kind)node.kind) {
  case TERM_SYMBOL: return make_dim(w, node.as.symbol);
  case TERM_FLOORDIV: return make_floordiv(w, args[0], args[1]);
  case TERM_BCAST: return make_bcast(w, args[0], args[1]);
  default: break;
  }
  assert(node.kind == TERM_MIN);
  uint32_t least = put(w, args[0]);
  for (uint32_t i = 1; i < node.count; i++) least = binary(w, "minimum", least, put(w, args[i]));
  return least;
}

static uint32_t one_of(rewriter *w, term_id term) {
  bool fresh;
  uint32_t *slot = imap_slot(&w->ones, w->graph->arena, term, &fresh);
  if (!fresh) return *slot;
  uint32_t scalar = put(w, term);
  uint32_t made =
      line(w, "%s.reshape %%%s%u : (tensor<i64>) -> tensor<1xi64>", w->dialect, w->prefix, scalar);
  imap_put(&w->ones, w->graph->arena, term, made);
  return made;
}

// The number of the tensor of the dims of a result.
static uint32_t shape_of(rewriter *w, const literal_site *s) {
  uint64_t key = hash_bytes(s->now, s->rank * sizeof *s->now);
  uint32_t known;
  if (imap_get(&w->shapes, key, &known)) return known;
  assert(s->rank);
  uint32_t *parts = arena_alloc(w->graph->arena, s->rank * sizeof *parts);
  for (uint32_t i = 0; i < s->rank; i++) parts[i] = one_of(w, s->now[i]);
  strbuf_add(w->out, w->indent, w->indent_length);
  strbuf_printf(w->out, "%%%s%u = %s.concatenate ", w->prefix, w->next, w->dialect);
  for (uint32_t i = 0; i < s->rank; i++)
    strbuf_printf(w->out, "%s%%%s%u", i ? ", " : "", w->prefix, parts[i]);
  strbuf_puts(w->out, ", dim = 0 : (");
  for (uint32_t i = 0; i < s->rank; i++)
    strbuf_puts(w->out, i ? ", tensor<1xi64>" : "tensor<1xi64>");
  strbuf_printf(w->out, ") -> tensor<%uxi64>\n", s->rank);
  imap_put(&w->shapes, w->graph->arena, key, w->next);
  return w->next++;
}

// --- the operation that takes them

// How StableHLO prints an attribute that has a position of its own.
static const char *placed_attr(const literal_site *s) {
  if (s->row->kind == LITERAL_BROADCAST) return "broadcast_dimensions";
  return s->row->kind == LITERAL_FILL ? "iota_dimension" : NULL;
}

static void put_placed(const rewriter *w, const literal_site *s, shape_strbuf *out) {
  const int64_t *items;
  uint32_t count;
  const char *name = placed_attr(s);
  if (!name || !graph_attr_ints(w->graph, graph_attr_named(w->graph, s->op, name), &items, &count))
    return;
  bool list = s->row->kind == LITERAL_BROADCAST;
  strbuf_puts(out, list ? ", dims = [" : ", dim = ");
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_puts(out, ", ");
    strbuf_int(out, items[i]);
  }
  if (list) strbuf_putc(out, ']');
}

static void put_attributes(rewriter *w, mlir_writer *m, const literal_site *s,
                           const char *without) {
  const graph_op *o = &w->graph->ops[s->op];
  const char *before = " {";
  for (uint32_t i = 0; i < o->attr_count; i++) {
    attr_entry entry = w->graph->attributes.entries[o->attrs + i];
    if (without && strcmp(intern_text(&w->graph->names, entry.name), without) == 0) continue;
    strbuf_puts(m->out, before);
    mlir_write_entry(m, s->op, entry);
    before = ", ";
  }
  if (*before == ',') strbuf_putc(m->out, '}');
}

static void rewrite_site(rewriter *w, const literal_site *s) {
  shape_graph *g = w->graph;
  const graph_op *o = &g->ops[s->op];
  assert(s->row->dynamic && o->result_count == 1);
  uint32_t shape = shape_of(w, s);
  shape_strbuf text;
  strbuf_init(&text, g->arena);
  mlir_writer m;
  mlir_writer_init(&m, g, w->uses, w->types, &text);
  const char *name = s->row->name;
  size_t dialect = (size_t)(strchr(name, '.') - name);
  bool quoted = g->source.text[o->name_span.begin] == '"' || strncmp(name, "mhlo", dialect) == 0;
  strbuf_printf(&text, quoted ? "\"%.*s.%s\"(" : "%.*s.%s ", (int)dialect, name, s->row->dynamic);
  for (uint32_t i = 0; i < o->operand_count; i++) {
    mlir_write_value(&m, graph_operand(g, s->op, i));
    strbuf_puts(&text, ", ");
  }
  strbuf_printf(&text, "%%%s%u", w->prefix, shape);
  if (quoted) {
    strbuf_putc(&text, ')');
  } else {
    put_placed(w, s, &text);
  }
  put_attributes(w, &m, s, quoted ? NULL : placed_attr(s));
  strbuf_puts(&text, " : (");
  for (uint32_t i = 0; i < o->operand_count; i++) {
    mlir_write_value_type(&m, graph_operand(g, s->op, i));
    strbuf_puts(&text, ", ");
  }
  strbuf_printf(&text, "tensor<%uxi64>) -> ", s->rank);
  mlir_write_value_type(&m, o->results);
  source_span span = {o->name_span.begin, mlir_op_end(w->uses, s->op)};
  edits_add(&w->edits, &g->source, span, text.data, text.length);
}

// --- the whole

static bool has_text(const source_text *source, const char *word) {
  size_t length = strlen(word);
  for (size_t i = 0; i + length <= source->length; i++) {
    if (source->text[i] == '%' && memcmp(source->text + i, word, length) == 0) return true;
  }
  return false;
}

// Of names that the program does not use.
static const char *choose_prefix(const shape_graph *g) {
  for (uint32_t i = 0;; i++) {
    shape_strbuf word;
    strbuf_init(&word, g->arena);
    strbuf_puts(&word, "%dim");
    if (i) strbuf_printf(&word, "_%u_", i);
    const char *text = strbuf_text(&word);
    if (!has_text(&g->source, text)) return text + 1;
  }
}

// That of the first operation which is written anew.
static const char *dialect_of(const rewriter *w) {
  const literal_sites *sites = &w->x->loose->sites;
  if (!sites->count) return "stablehlo";
  const char *name = sites->items[0].row->name;
  return arena_strndup(w->graph->arena, name, (size_t)(strchr(name, '.') - name));
}

static source_span first_line(rewriter *w) {
  const shape_graph *g = w->graph;
  op_id first = g->blocks[g->regions[g->funcs[w->x->loose->from->entry].body].first_block].first;
  uint32_t at = first == ID_NONE ? g->source.length : g->ops[first].span.begin, from = at;
  while (from && (g->source.text[from - 1] == ' ' || g->source.text[from - 1] == '\t')) from--;
  bool own = !from || g->source.text[from - 1] == '\n';
  w->indent = own ? g->source.text + from : "  ";
  w->indent_length = own ? at - from : 2;
  if (!own) strbuf_putc(w->out, '\n');
  return own ? (source_span){from, from} : (source_span){at, at};
}

void rewrite_mlir_text(const resolving *x, shape_strbuf *out) {
  shape_graph *g = x->graph;
  shape_strbuf prelude;
  strbuf_init(&prelude, g->arena);
  rewriter w = {.x = x, .graph = g, .uses = x->loose->uses, .out = &prelude};
  w.edits = (text_edits){.arena = g->arena};
  w.types = arena_alloc(g->arena, (g->value_count + 1) * sizeof *w.types);
  w.computed = (instructions){.terms = x->terms,
                              .arena = g->arena,
                              .number = make_number,
                              .atom = make_atom,
                              .step = make_step,
                              .writer = &w};
  w.prefix = choose_prefix(g);
  w.dialect = dialect_of(&w);
  assert(g->format == GRAPH_MLIR && w.uses);
  const refined_types *types = make_types(&w);
  source_span top = first_line(&w);
  for (uint32_t i = 0; i < x->loose->sites.count; i++) {
    if (x->loose->sites.items[i].changed) rewrite_site(&w, &x->loose->sites.items[i]);
  }
  refine_edits(types, w.uses, &w.edits);
  if (prelude.length > 1) edits_add(&w.edits, &g->source, top, prelude.data, prelude.length);
  edits_apply(&w.edits, &g->source, out);
}
