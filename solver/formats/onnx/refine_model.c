// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/onnx/refine.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/onnx/dim_param.h"
#include "solver/formats/onnx/index.h"
#include "solver/formats/onnx/infix.h"
#include "solver/formats/onnx/new_node.h"
#include "solver/formats/onnx/patch.h"
#include "solver/formats/onnx/reader.h"

enum { MODEL_METADATA = 14, ENTRY_KEY = 1, ENTRY_VALUE = 2, DIM_DENOTATION = 3, SLUG_MAX = 32 };

static const char PREFIX[] = "shape.dim.";
enum { PREFIX_LENGTH = sizeof PREFIX - 1 };

typedef struct formula {
  name_id name;
  report_text text;
  bool spelled;  // the name says it, and no entry has to
} formula;

typedef struct refiner {
  shape_report *report;
  shape_graph *graph;
  shape_arena *arena;
  const uint8_t *base;
  onnx_index index;
  shape_imap symbols;     // term -> index in report->symbols; made when first asked for
  uint32_t symbol_count;  // that are in `symbols`
  shape_imap used;        // names that dims have
  const bool *keeps;      // by value_id: its type stays; NULL: none does
  const onnx_changes *changes;
  shape_imap written;  // names with a formula -> index in `formulas`
  formula *formulas;
  uint32_t formula_count, formula_capacity;
} refiner;

static patch new_patch(const refiner *x) { return patch_new(x->arena, x->base); }

// --- names of dims

static void use_name(refiner *x, const uint8_t *text, size_t length) {
  imap_put(&x->used, x->arena, intern_add(&x->graph->names, (const char *)text, length), 1);
}

static void add_formula(refiner *x, name_id name, report_text text) {
  uint32_t index;
  if (imap_get(&x->written, name, &index)) return;
  x->formulas = arena_grow(x->arena, x->formulas, x->formula_count, (size_t)x->formula_count + 1,
                           &x->formula_capacity, sizeof *x->formulas);
  imap_put(&x->written, x->arena, name, x->formula_count);
  x->formulas[x->formula_count++] = (formula){name, text, false};
}

static bool is_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word(char c) { return is_letter(c) || c == '_' || c == '.'; }

// The name of an expression: its words, joined, and a hash of its text.
static name_id formula_name(refiner *x, report_text text) {
  char name[SLUG_MAX + 16];
  size_t n = 0;
  for (uint32_t i = 0; i < text.length && n < SLUG_MAX; i++) {
    char c = text.text[i];
    bool word = is_letter(c);
    if (word) name[n++] = c;
    if (!word && n && name[n - 1] != '_') name[n++] = '_';
  }
  if (n && name[n - 1] == '_') n--;
  uint64_t hash = hash_bytes(text.text, text.length);
  n += (size_t)snprintf(name + n, sizeof name - n, "_%08x", (uint32_t)(hash ^ hash >> 32));
  assert(n < sizeof name);
  name_id id = intern_add(&x->graph->names, name, n);
  add_formula(x, id, text);
  return id;
}

// An expression, as exporters write it; what has no such form, a name of a formula.
static name_id expression_name(refiner *x, report_text text) {
  shape_strbuf out;
  strbuf_init(&out, x->arena);
  if (!infix_put(&out, text.text, text.length) || !dim_param_is_candidate(out.data, out.length))
    return formula_name(x, text);
  assert(out.length && out.length <= INFIX_MAX);
  name_id name = intern_add(&x->graph->names, out.data, out.length);
  uint32_t before = x->formula_count;
  add_formula(x, name, text);  // for what it mentions
  for (; before < x->formula_count; before++) x->formulas[before].spelled = true;
  return name;
}

static const report_symbol *symbol_of(refiner *x, term_id term) {
  for (; x->symbol_count < x->report->symbol_count; x->symbol_count++) {
    imap_put(&x->symbols, x->arena, x->report->symbols[x->symbol_count].term, x->symbol_count);
  }
  uint32_t index;
  return imap_get(&x->symbols, term, &index) ? &x->report->symbols[index] : NULL;
}

// A definition may speak of names that the answer gave to other large expressions: those are written down as well. A name
// is a separate word: next to it is no letter, digit, '_' or '.'; in quotes are only names of authors, which have no formula.
static void add_mentioned(refiner *x) {
  shape_imap by_name = {0};
  for (uint32_t i = 0; i < x->report->symbol_count; i++) {
    const report_symbol *s = &x->report->symbols[i];
    if (s->declared || !s->definition.text) continue;
    imap_put(&by_name, x->arena, intern_add(&x->graph->names, s->name.text, s->name.length), i);
  }
  for (uint32_t i = 0; i < x->formula_count; i++) {
    const report_text text = x->formulas[i].text;
    for (uint32_t at = 0, end; at < text.length; at = end + 1) {
      uint32_t index;
      for (end = at; end < text.length && is_word(text.text[end]); end++) {}
      name_id name = intern_find(&x->graph->names, text.text + at, end - at);
      if (end > at && name != NAME_NONE && imap_get(&by_name, name, &index)) {
        use_name(x, (const uint8_t *)text.text + at, end - at);
        add_formula(x, name, x->report->symbols[index].definition);
      }
      if (end < text.length && text.text[end] == '"')
        for (end++; end < text.length && text.text[end] != '"'; end++)
          end += text.text[end] == '\\';
    }
  }
}

static bool may_be_negative(void *data, term_id atom) {
  refiner *x = data;
  if (term_kind_of(x->report->infer->terms, atom) != TERM_SYMBOL) return false;
  const report_symbol *symbol = symbol_of(x, atom);
  return !symbol || !symbol->range.has_lo || num_sign(symbol->range.lo) < 0;
}

// An expression over a value that may be negative is a formula's: names of a dim_param are those of dims, from 0 on.
static name_id size_name(refiner *x, term_id term) {
  report_text text = report_term(x->report, term);
  const report_symbol *symbol = symbol_of(x, term);
  if (!symbol && term_any_atom(x->report->infer->terms, term, may_be_negative, x))
    return formula_name(x, text);
  if (!symbol) return expression_name(x, text);
  name_id name = intern_add(&x->graph->names, symbol->name.text, symbol->name.length);
  if (symbol->definition.text) add_formula(x, name, symbol->definition);
  return name;
}

// --- types

static void copy_dim(refiner *x, patch *p, wire_span old) {
  wire_field f;
  patch part = new_patch(x);
  if (wire_find(old, DIM_PARAM, &f)) use_name(x, f.bytes.data, f.bytes.size);
  patch_copy(&part, old.data, old.data + old.size);
  patch_message(p, SHAPE_DIM, &part);
}

// Whether the old size says just this already.
static bool same_dim(wire_span old, bool constant, uint64_t value, const char *name,
                     size_t length) {
  wire_field number, param;
  bool has_number = wire_find(old, DIM_VALUE, &number),
       has_param = wire_find(old, DIM_PARAM, &param);
  if (constant) return has_number && !has_param && number.value == value;
  return has_param && !has_number && param.bytes.size == length &&
         memcmp(param.bytes.data, name, length) == 0;
}

static void put_dim(refiner *x, patch *p, term_id term, wire_span old) {
  num number;
  int64_t value = 0;
  bool constant = term != TERM_NONE && report_constant(x->report, term, &number);
  if (term == TERM_NONE || (constant && (!num_to_int(number, &value) || value < 0))) {
    copy_dim(x, p, old);
    return;
  }
  const shape_intern *names = &x->graph->names;
  name_id name = constant ? NAME_NONE : size_name(x, term);
  const char *text = constant ? "" : intern_text(names, name);
  size_t length = constant ? 0 : intern_length(names, name);
  wire_field application;
  bool applied = !constant && old.data && wire_find(old, DIM_APPLICATION, &application);
  if (applied || (old.data && same_dim(old, constant, (uint64_t)value, text, length))) {
    copy_dim(x, p, old);
    return;
  }
  patch part = new_patch(x);
  wire_field denotation;
  if (constant) {
    patch_number(&part, DIM_VALUE, (uint64_t)value);
  } else {
    use_name(x, (const uint8_t *)text, length);
    patch_text(&part, DIM_PARAM, text, length);
  }
  if (old.data && wire_find(old, DIM_DENOTATION, &denotation)) {
    patch_text(&part, DIM_DENOTATION, (const char *)denotation.bytes.data, denotation.bytes.size);
  }
  patch_message(p, SHAPE_DIM, &part);
}

// The next size of the old shape; of no bytes where there is none.
static wire_span next_dim(wire_reader *old) {
  wire_field f;
  while (wire_next(old, &f)) {
    if (f.number == SHAPE_DIM && f.type == WIRE_BYTES) return f.bytes;
  }
  return (wire_span){old->end, 0};
}

static void put_shape(refiner *x, patch *p, const report_shape *shape, wire_span old) {
  wire_reader r = wire_open(old);
  patch part = new_patch(x);
  for (uint32_t i = 0; i < shape->rank; i++) {
    wire_span dim = old.data ? next_dim(&r) : (wire_span){0};
    if (dim.data) {
      put_dim(x, &part, shape->dims[i], dim);
    } else if (shape->dims[i] == TERM_NONE) {
      patch_message(&part, SHAPE_DIM, &(patch){0});
    } else {
      put_dim(x, &part, shape->dims[i], (wire_span){0});
    }
  }
  patch_message(p, TENSOR_TYPE_SHAPE, &part);
}

// The number of a type in TensorProto.DataType, or 0.
static uint32_t onnx_number(const refiner *x, const report_shape *shape) {
  if (shape->type == TYPE_NONE) return 0;
  const graph_type *type = type_get(&x->graph->types, shape->type);
  if (type->kind != TYPE_TENSOR && type->kind != TYPE_UNRANKED) return 0;
  shape_dtype dtype;
  for (uint32_t i = 1; dtype_from_onnx(i, &dtype); i++) {
    if (dtype == (shape_dtype)type->dtype) return i;
  }
  return 0;
}

// A tensor type: its fields as they are, with another shape.
static void put_tensor_type(refiner *x, patch *p, uint32_t field, wire_span old,
                            const report_shape *shape) {
  patch part = new_patch(x);
  wire_reader r = wire_open(old);
  wire_field f, elem;
  bool done = false;
  if (!wire_find(old, TENSOR_TYPE_ELEM, &elem) || !elem.value) {
    uint32_t number = onnx_number(x, shape);
    if (number) patch_number(&part, TENSOR_TYPE_ELEM, number);
  }
  for (const uint8_t *at = r.at; wire_next(&r, &f); at = r.at) {
    if (f.number == TENSOR_TYPE_SHAPE && f.type == WIRE_BYTES) {
      if (!done) put_shape(x, &part, shape, f.bytes);
      done = true;
    } else if (f.number != TENSOR_TYPE_ELEM || f.value) {
      patch_copy(&part, at, r.at);
    }
  }
  if (!done) put_shape(x, &part, shape, (wire_span){0});
  patch_message(p, field, &part);
}

static void put_type(refiner *x, patch *p, wire_span old, const report_shape *shape) {
  patch part = new_patch(x);
  wire_reader r = wire_open(old);
  wire_field f;
  bool any = false;
  for (const uint8_t *at = r.at; wire_next(&r, &f); at = r.at) {
    bool tensor = f.number == TYPE_PROTO_TENSOR || f.number == TYPE_PROTO_SPARSE_TENSOR;
    if (tensor && f.type == WIRE_BYTES) {
      put_tensor_type(x, &part, f.number, f.bytes, shape);
    } else {
      patch_copy(&part, at, r.at);
    }
    any |= f.number == TYPE_PROTO_TENSOR || (f.number >= TYPE_PROTO_SEQUENCE && f.number != 6);
  }
  if (!any && onnx_number(x, shape)) {
    put_tensor_type(x, &part, TYPE_PROTO_TENSOR, (wire_span){0}, shape);
  }
  patch_message(p, VALUE_INFO_TYPE, &part);
}

// --- values

static const report_shape *shape_of(const refiner *x, block_id block, name_id name) {
  value_id value = onnx_index_value(&x->index, block, name);
  if (value == VALUE_NONE) return NULL;
  assert(value < x->graph->value_count);
  if (x->keeps && x->keeps[value]) return NULL;
  uint32_t shape = x->report->value_shapes[value];
  if (shape == ID_NONE || !x->report->shapes[shape].ranked) return NULL;
  return &x->report->shapes[shape];
}

// A ValueInfoProto that is there, refined.
static void put_value(refiner *x, patch *p, uint32_t field, wire_span old, block_id block) {
  wire_field f, name;
  patch part = new_patch(x);
  const report_shape *shape = NULL;
  if (wire_find(old, VALUE_INFO_NAME, &name) && name.bytes.size) {
    name_id id = intern_add(&x->graph->names, (const char *)name.bytes.data, name.bytes.size);
    shape = shape_of(x, block, id);
  }
  bool typed = false;
  wire_reader r = wire_open(old);
  for (const uint8_t *at = r.at; wire_next(&r, &f); at = r.at) {
    if (shape && f.number == VALUE_INFO_TYPE && f.type == WIRE_BYTES) {
      put_type(x, &part, f.bytes, shape);
      typed = true;
    } else {
      patch_copy(&part, at, r.at);
    }
  }
  if (shape && !typed && onnx_number(x, shape)) put_type(x, &part, (wire_span){0}, shape);
  patch_message(p, field, &part);
}

// value_info for the results of a node that have none.
static void add_values(refiner *x, patch *p, wire_span node, block_id block, shape_imap *declared) {
  wire_reader r = wire_open(node);
  wire_field f;
  uint32_t ignored;
  while (wire_next_of(&r, NODE_OUTPUT, &f)) {
    if (!f.bytes.size) continue;
    name_id name = intern_add(&x->graph->names, (const char *)f.bytes.data, f.bytes.size);
    const report_shape *shape = shape_of(x, block, name);
    if (!shape || !onnx_number(x, shape) || imap_get(declared, name, &ignored)) continue;
    patch part = new_patch(x);
    patch_text(&part, VALUE_INFO_NAME, (const char *)f.bytes.data, f.bytes.size);
    put_type(x, &part, (wire_span){0}, shape);
    patch_message(p, GRAPH_VALUE_INFO, &part);
  }
}

// --- graphs

static patch refine_graph_message(refiner *x, wire_span graph, block_id block, bool is_main);

typedef struct node_change {
  refiner *x;
  const graph_op *op;
} node_change;

static const char *new_input(void *data, uint32_t index) {
  const node_change *n = data;
  bool changed = n->x->changes && index < n->op->operand_count;
  return changed ? n->x->changes->inputs[n->op->operands + index] : NULL;
}

static patch refine_inner(void *data, wire_span graph, block_id block) {
  const node_change *n = data;
  return refine_graph_message(n->x, graph, block, false);
}

// A node with other inputs, or with subgraphs.
static void put_node(refiner *x, patch *p, wire_span node, const graph_op *op) {
  node_change n = {x, op};
  patch_node(p, node, x->graph, op, &(patch_parts){new_input, refine_inner, &n});
}

static bool has_new_input(const refiner *x, op_id op) {
  const graph_op *o = &x->graph->ops[op];
  for (uint32_t i = 0; x->changes && i < o->operand_count; i++) {
    if (x->changes->inputs[o->operands + i]) return true;
  }
  return false;
}

// A node, or what it becomes; nothing where it is gone.
static void put_any_node(refiner *x, patch *p, wire_span node, const uint8_t *at,
                         const uint8_t *end) {
  op_id op = onnx_index_op(&x->index, (size_t)(node.data - x->base));
  const onnx_changes *c = op == ID_NONE ? NULL : x->changes;
  if (c && c->removed[op]) return;
  if (c && c->becomes[op]) {
    onnx_put_node(p, &c->nodes[c->becomes[op] - 1]);
  } else if (op != ID_NONE && (x->graph->ops[op].region_count || has_new_input(x, op))) {
    put_node(x, p, node, &x->graph->ops[op]);
  } else {
    patch_copy(p, at, end);
  }
}

// Whether the value of that ValueInfoProto is no longer computed.
static bool is_gone(refiner *x, wire_span info, block_id block) {
  wire_field name;
  if (!x->changes || !wire_find(info, VALUE_INFO_NAME, &name)) return false;
  value_id value = onnx_index_value(
      &x->index, block,
      intern_add(&x->graph->names, (const char *)name.bytes.data, name.bytes.size));
  return value != VALUE_NONE && !x->graph->values[value].is_argument &&
         x->changes->removed[x->graph->values[value].def];
}

static patch refine_graph_message(refiner *x, wire_span graph, block_id block, bool is_main) {
  assert(block < x->graph->block_count);
  patch p = new_patch(x);
  shape_imap declared = {0};
  wire_reader r = wire_open(graph);
  wire_field f, name;
  for (uint32_t i = 0; is_main && x->changes && i < x->changes->first_count; i++)
    onnx_put_node(&p, &x->changes->nodes[i]);
  for (const uint8_t *at = r.at; wire_next(&r, &f); at = r.at) {
    bool value = f.type == WIRE_BYTES && (f.number == GRAPH_INPUT || f.number == GRAPH_OUTPUT ||
                                          f.number == GRAPH_VALUE_INFO);
    if (value && f.number == GRAPH_VALUE_INFO && is_gone(x, f.bytes, block)) continue;
    if (value) {
      put_value(x, &p, f.number, f.bytes, block);
      if (wire_find(f.bytes, VALUE_INFO_NAME, &name))
        imap_put(&declared, x->arena,
                 intern_add(&x->graph->names, (const char *)name.bytes.data, name.bytes.size), 1);
    } else if (f.number == GRAPH_NODE && f.type == WIRE_BYTES) {
      put_any_node(x, &p, f.bytes, at, r.at);
    } else {
      patch_copy(&p, at, r.at);
    }
  }
  for (r = wire_open(graph); wire_next(&r, &f);) {
    op_id op = f.number == GRAPH_NODE && f.type == WIRE_BYTES
                   ? onnx_index_op(&x->index, (size_t)(f.bytes.data - x->base))
                   : ID_NONE;
    if (f.number != GRAPH_NODE || (x->changes && op != ID_NONE && x->changes->removed[op]))
      continue;
    add_values(x, &p, f.bytes, block, &declared);
  }
  return p;
}

// --- the model

// The name that a metadata entry gives a formula for, or NAME_NONE.
static name_id entry_name(refiner *x, wire_span entry) {
  wire_field key;
  if (!wire_find(entry, ENTRY_KEY, &key) || key.bytes.size <= PREFIX_LENGTH ||
      memcmp(key.bytes.data, PREFIX, PREFIX_LENGTH) != 0)
    return NAME_NONE;
  return intern_add(&x->graph->names, (const char *)key.bytes.data + PREFIX_LENGTH,
                    key.bytes.size - PREFIX_LENGTH);
}

static void put_formulas(refiner *x, patch *p) {
  for (uint32_t i = 0; i < x->formula_count; i++) {
    const formula *f = &x->formulas[i];
    if (f->spelled) continue;
    shape_strbuf key;
    strbuf_init(&key, x->arena);
    strbuf_puts(&key, PREFIX);
    strbuf_add(&key, intern_text(&x->graph->names, f->name),
               intern_length(&x->graph->names, f->name));
    patch entry = new_patch(x);
    patch_text(&entry, ENTRY_KEY, key.data, key.length);
    patch_text(&entry, ENTRY_VALUE, f->text.text, f->text.length);
    patch_message(p, MODEL_METADATA, &entry);
  }
}

bool onnx_has_defaults(const shape_graph *g) {
  wire_span model = {(const uint8_t *)g->source.text, g->source.length};
  wire_field version, graph, f, name;
  shape_imap inputs = {0};
  uint32_t ignored;
  if (!wire_find(model, MODEL_IR_VERSION, &version) || version.value < 4) return false;
  if (!wire_find(model, MODEL_GRAPH, &graph)) return false;
  for (wire_reader r = wire_open(graph.bytes); wire_next_of(&r, GRAPH_INPUT, &f);) {
    if (!wire_find(f.bytes, VALUE_INFO_NAME, &name)) continue;
    name_id id = intern_find(&g->names, (const char *)name.bytes.data, name.bytes.size);
    if (id != NAME_NONE) imap_put(&inputs, g->arena, id, 1);
  }
  for (wire_reader r = wire_open(graph.bytes); wire_next_of(&r, GRAPH_INITIALIZER, &f);) {
    if (!wire_find(f.bytes, TENSOR_NAME, &name)) continue;
    name_id id = intern_find(&g->names, (const char *)name.bytes.data, name.bytes.size);
    if (id != NAME_NONE && imap_get(&inputs, id, &ignored)) return true;
  }
  return false;
}

void onnx_refine(shape_report *report, const bool *keeps, const onnx_changes *changes,
                 const onnx_sink *sink) {
  shape_graph *g = report->graph;
  refiner x = {.report = report, .graph = g, .arena = g->arena, .keeps = keeps, .changes = changes};
  x.base = (const uint8_t *)g->source.text;
  x.index = onnx_index_of(g);
  wire_span model = {x.base, g->source.length};
  wire_field f, main_graph = {0};
  wire_find(model, MODEL_GRAPH, &main_graph);
  region_id body = g->funcs[report->functions[0].id].body;
  assert(report->function_count && body < g->region_count);
  patch graph = refine_graph_message(&x, main_graph.bytes, g->regions[body].first_block, true);
  add_mentioned(&x);
  patch p = new_patch(&x);
  wire_reader r = wire_open(model);
  for (const uint8_t *at = r.at; wire_next(&r, &f); at = r.at) {
    uint32_t ignored;
    if (f.number == MODEL_GRAPH && f.bytes.data == main_graph.bytes.data) {
      patch_message(&p, MODEL_GRAPH, &graph);
      continue;
    }
    name_id name = f.number == MODEL_METADATA ? entry_name(&x, f.bytes) : NAME_NONE;
    bool stale = name != NAME_NONE &&
                 (imap_get(&x.written, name, &ignored) || !imap_get(&x.used, name, &ignored));
    if (!stale) patch_copy(&p, at, r.at);
  }
  put_formulas(&x, &p);
  patch_write(&p, sink);
}
