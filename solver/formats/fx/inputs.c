// SPDX-License-Identifier: Apache-2.0
// Dims of parameters that come beside the text: the JSON of `shape check --inputs`, and texts such as x:f32[B,3] and s1=H.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/fx/fx.h"
#include "solver/formats/json/validate.h"
#include "solver/formats/torch/reader.h"

typedef struct fx_entry {
  const char *name;
  uint32_t length, rank;
  bool ranked, is_int, used;
  shape_dtype dtype;
  const char **dims;  // expressions in the grammar of term/parse.h; of an integer: one
} fx_entry;

struct fx_inputs {
  fx_entry *items;
  uint32_t count;
  shape_imap by_name;
};

static bool refuse(fx_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(fx_reader *r, const char *format, ...) {
  char message[400];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  if (!r->failed)
    diag_add(&r->build.g->diags, DIAG_ERROR, "inputs", SPAN_NONE, "inputs: %s", message);
  r->failed = true;
  return false;
}

static int shown(uint32_t length) { return (int)(length < 80 ? length : 80); }

// A dim as text. Names become symbols, at least `least`.
static bool dim_text(fx_reader *r, const fx_entry *e, const char *text, size_t length,
                     int64_t least, bool declares, const char **out) {
  shape_strbuf written;
  shape_graph *g = r->build.g;
  bool deep;
  strbuf_init(&written, g->arena);
  if (!sympy_text(text, length, &written, &deep))
    return refuse(r, "'%.*s' of '%.*s' is no expression", shown((uint32_t)length), text,
                  shown(e->length), e->name);
  *out = strbuf_text(&written);
  uint32_t before = g->declared.symbol_count;
  if (declares) build_knows(g, *out, true);
  for (uint32_t i = before; i < g->declared.symbol_count; i++) g->declared.symbols[i].min = least;
  return true;
}

static fx_entry *add(fx_reader *r, fx_inputs *x, const char *name, size_t length) {
  assert(length);
  uint32_t at;
  name_id id = intern_add(&r->build.g->names, name, length);
  if (!imap_get(&x->by_name, id, &at)) {
    at = x->count++;
    imap_put(&x->by_name, r->build.g->arena, id, at);
  }
  x->items[at] = (fx_entry){.name = name, .length = (uint32_t)length, .dtype = DTYPE_NONE};
  return &x->items[at];
}

// --- JSON

static bool read_dims(fx_reader *r, fx_entry *e, const dom_node *dims) {
  assert(!e->ranked);
  if (dims->kind == DOM_NULL) return true;
  if (!dom_is(dims, DOM_ARRAY))
    return refuse(r, "the dims of '%.*s': expected a list, found %s", shown(e->length), e->name,
                  dom_kind_name(dims));
  e->ranked = true;
  e->dims = arena_alloc(r->build.g->arena, (dims->count + 1) * sizeof *e->dims);
  for (const dom_node *m = dims->first; m; m = m->next) {
    const char *text = "";
    bool says = m->kind == DOM_NUMBER || m->kind == DOM_STRING;
    if (!says && m->kind != DOM_NULL)
      return refuse(r, "a dim of '%.*s': expected a number, a text or null, found %s",
                    shown(e->length), e->name, dom_kind_name(m));
    if (says && !dim_text(r, e, m->text, m->length, 0, true, &text)) return false;
    e->dims[e->rank++] = text;
  }
  return true;
}

static bool read_entry(fx_reader *r, fx_inputs *x, const dom_node *node) {
  const dom_node *name = dom_member(node, "name"), *dtype = dom_member(node, "dtype");
  const dom_node *dims = dom_member(node, "dims"), *integer = dom_member(node, "int");
  if (!dom_is(name, DOM_STRING)) return refuse(r, "an entry has no name");
  fx_entry *e = add(r, x, name->text, name->length);
  if (dom_is(dtype, DOM_STRING)) {
    e->dtype = fx_dtype_named(dtype->text, dtype->length);
    if (e->dtype == DTYPE_NONE)
      return refuse(r, "expected an element type such as f32 or i64, found '%.*s'",
                    shown(dtype->length), dtype->text);
  }
  e->is_int = integer && integer->kind != DOM_NULL;
  return !dims || read_dims(r, e, dims);
}

static bool read_bound(fx_reader *r, const dom_node *symbol, const char *key, int64_t *out) {
  const dom_node *m = dom_member(symbol, key);
  if (!m || m->kind == DOM_NULL || dom_int(m, out)) return true;
  return refuse(r, "%s of '%.*s' is no integer of 64 bits", key, shown(symbol->key_length),
                symbol->key);
}

static bool read_symbols(fx_reader *r, const dom_node *symbols) {
  shape_graph *g = r->build.g;
  if (!symbols || symbols->kind == DOM_NULL) return true;
  if (!dom_is(symbols, DOM_OBJECT))
    return refuse(r, "symbols: expected an object, found %s", dom_kind_name(symbols));
  for (const dom_node *m = symbols->first; m; m = m->next) {
    int64_t min = INT64_MIN, max = INT64_MAX;
    if (!dom_is(m, DOM_OBJECT))
      return refuse(r, "the range of '%.*s': expected an object, found %s", shown(m->key_length),
                    m->key, dom_kind_name(m));
    if (!read_bound(r, m, "min", &min) || !read_bound(r, m, "max", &max)) return false;
    name_id id = intern_add(&g->names, m->key, m->key_length);
    uint32_t at = graph_find_symbol(g, id);
    bool is_dim = at != ID_NONE;
    if (!is_dim) at = graph_add_symbol(g, id, SPAN_NONE);
    graph_symbol *s = &g->declared.symbols[at];
    s->is_value = !is_dim;
    s->min = is_dim && min < 0 ? 0 : min;
    s->max = max;
    if (s->min > max)
      return refuse(r, "the range of '%.*s' is empty", shown(m->key_length), m->key);
  }
  return true;
}

// Integers are the expressions of symbols; a name that occurs nowhere else is any integer.
static bool read_int(fx_reader *r, fx_entry *e, const char *text, size_t length) {
  assert(e->length);
  shape_graph *g = r->build.g;
  e->dims = arena_alloc(g->arena, sizeof *e->dims);
  e->rank = 1;
  e->is_int = true;
  uint32_t before = g->declared.symbol_count;
  if (!dim_text(r, e, text, length, INT64_MIN, true, &e->dims[0])) return false;
  for (uint32_t i = before; i < g->declared.symbol_count; i++)
    g->declared.symbols[i].is_value = true;
  return true;
}

static bool read_ints(fx_reader *r, fx_inputs *x, const dom_node *inputs) {
  for (const dom_node *m = inputs->first; m; m = m->next) {
    const dom_node *name = dom_member(m, "name"), *integer = dom_member(m, "int");
    uint32_t at;
    if (!integer || integer->kind == DOM_NULL) continue;
    if (integer->kind != DOM_NUMBER && integer->kind != DOM_STRING)
      return refuse(r, "the integer of '%.*s': expected a number or a text, found %s",
                    shown(name->length), name->text, dom_kind_name(integer));
    name_id id = intern_find(&r->build.g->names, name->text, name->length);
    if (id == NAME_NONE || !imap_get(&x->by_name, id, &at)) continue;
    if (!read_int(r, &x->items[at], integer->text, integer->length)) return false;
  }
  return true;
}

static bool read_json(fx_reader *r, fx_inputs *x, const dom_node *root) {
  const dom_node *inputs = dom_member(root, "inputs");
  if (!dom_is(inputs, DOM_ARRAY)) return refuse(r, "expected an object with a list 'inputs'");
  for (const dom_node *m = inputs->first; m; m = m->next) {
    if (!dom_is(m, DOM_OBJECT))
      return refuse(r, "inputs: expected objects, found %s", dom_kind_name(m));
    if (!read_entry(r, x, m)) return false;
  }
  return read_symbols(r, dom_member(root, "symbols")) && read_ints(r, x, inputs);
}

// --- texts

static bool read_text(fx_reader *r, fx_inputs *x, const char *text, bool integers) {
  assert(x->items);
  size_t length = strcspn(text, ":=");
  const char *rest = text + length;
  if (!length || !*rest) return refuse(r, "'%.80s': expected NAME:TYPE[DIMS] or NAME=N", text);
  if ((*rest == '=') != integers) return true;
  fx_entry *e = add(r, x, text, length);
  if (*rest++ == '=') return read_int(r, e, rest, strlen(rest));
  size_t head = strcspn(rest, "[");
  const char *open = rest + head, *end = rest + strlen(rest);
  if (head) e->dtype = fx_dtype_named(rest, (uint32_t)head);
  if (head && e->dtype == DTYPE_NONE)
    return refuse(r, "'%.80s': expected an element type such as f32 or i64, found '%.*s'", text,
                  shown((uint32_t)head), rest);
  if (!*open) return true;
  if (end[-1] != ']') return refuse(r, "'%.80s': expected ']' at the end", text);
  uint32_t depth = 0;
  size_t room = 2;
  for (const char *p = open; p < end; p++) room += *p == ',';
  e->dims = arena_alloc(r->build.g->arena, room * sizeof *e->dims);
  e->ranked = true;
  const char *from = open + 1;
  for (const char *p = from; p < end; p++) {
    if (*p == '(') depth++;
    if (*p == ')' && depth) depth--;
    if (p + 1 != end && (*p != ',' || depth)) continue;
    while (from < p && *from == ' ') from++;
    if (from == p && p + 1 == end && !e->rank) break;  // f32[]
    e->dims[e->rank] = "";
    bool open_dim = p - from == 1 && *from == '?';
    if (!open_dim && !dim_text(r, e, from, (size_t)(p - from), 1, true, &e->dims[e->rank]))
      return false;
    e->rank++;
    from = p + 1;
  }
  return true;
}

bool fx_read_inputs(fx_reader *r, const char *json, const char *const *texts, uint32_t count) {
  shape_arena *arena = r->build.g->arena;
  fx_inputs *x = arena_zalloc(arena, sizeof *x);
  const dom_node *root = NULL;
  if (json) {
    const char *clean;
    size_t length;
    json_error error = {0};
    if (!json_validate(arena, NULL, json, strlen(json), &clean, &length, &error))
      return refuse(r, "the JSON is invalid at byte %zu: %s", error.offset, error.message);
    root = dom_read(arena, clean, length);
    if (!root) return refuse(r, "the JSON is nested too deep");
  }
  const dom_node *list = dom_member(root, "inputs");
  x->items = arena_zalloc(arena, ((size_t)count + (list ? list->count : 0) + 1) * sizeof *x->items);
  r->inputs = x;
  if (root && !read_json(r, x, root)) return false;
  for (uint32_t i = 0; i < 2 * count; i++) {
    if (!read_text(r, x, texts[i % count], i >= count)) return false;
  }
  return true;
}

bool fx_input(fx_reader *r, const char *name, uint32_t length, value_id value, fx_value *out) {
  assert(value < r->build.g->value_count);
  const fx_inputs *x = r->inputs;
  shape_graph *g = r->build.g;
  uint32_t at;
  name_id id = intern_find(&g->names, name, length);
  if (!x || id == NAME_NONE || !imap_get(&x->by_name, id, &at)) return false;
  fx_entry *e = &x->items[at];
  e->used = true;
  if (e->is_int) {
    *out = fx_of(r, FX_INT, value, DTYPE_NONE);
    build_bind(&r->build, value, e->dims, 1);
    return true;
  }
  if (e->ranked) {
    int64_t *dims = arena_alloc(g->arena, ((size_t)e->rank + 1) * sizeof *dims);
    const char **said = arena_alloc(g->arena, ((size_t)e->rank + 1) * sizeof *said);
    bool any = false;
    for (uint32_t i = 0; i < e->rank; i++) {
      said[i] = e->dims[i];
      if (fx_whole_number(said[i], &dims[i])) {
        said[i] = "";
      } else {
        dims[i] = DIM_DYNAMIC;
      }
      any |= *said[i] != 0;
    }
    g->values[value].type = type_tensor(&g->types, e->dtype, dims, e->rank);
    if (any) build_bind(&r->build, value, said, e->rank);
  }
  *out = fx_of(r, FX_TENSOR, value, e->dtype);
  return true;
}

fx_value fx_weight(fx_reader *r, const fx_value *module) {
  static const char SELF[] = "self.";
  fx_value out;
  assert(module->kind == FX_MODULE);
  bool is_spec = fx_is(module->text, module->length, "_in_spec") ||
                 fx_is(module->text, module->length, "_out_spec");
  if (is_spec) return *module;
  size_t length = sizeof SELF - 1 + module->length;
  char *name = arena_alloc(r->build.g->arena, length + 1);
  memcpy(name, SELF, sizeof SELF - 1);
  memcpy(name + sizeof SELF - 1, module->text, module->length + 1);
  uint32_t at;
  name_id id = intern_find(&r->build.g->names, name, length);
  bool given = r->inputs && id != NAME_NONE && imap_get(&r->inputs->by_name, id, &at);
  value_id value =
      build_op(&r->build, given ? "torch.fx.value" : "torch.fx.attribute", NULL, 0, NULL, 1);
  if (given && fx_input(r, name, (uint32_t)length, value, &out)) return out;
  return fx_of(r, FX_UNKNOWN, value, DTYPE_NONE);
}

bool fx_check_inputs(fx_reader *r) {
  for (uint32_t i = 0; r->inputs && i < r->inputs->count; i++) {
    const fx_entry *e = &r->inputs->items[i];
    if (!e->used) return refuse(r, "forward has no parameter '%.*s'", shown(e->length), e->name);
  }
  return true;
}
