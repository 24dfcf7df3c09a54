// SPDX-License-Identifier: Apache-2.0
// Values of a program of torch.export: their names, their types, and the dims that the archive says they have.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "solver/base/strbuf.h"
#include "solver/formats/torch/reader.h"

bool torch_expected(torch_reader *r, const char *of, const char *what, const dom_node *found) {
  return torch_fail(r, "%s: expected %s, found %s", of, what, dom_kind_name(found));
}

bool torch_fail(torch_reader *r, const char *format, ...) {
  char message[400];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  if (!r->failed) diag_add(&r->g->diags, DIAG_ERROR, "syntax", SPAN_NONE, "%s", message);
  r->failed = true;
  return false;
}

static int shown(const dom_node *text) { return (int)(text->length < 100 ? text->length : 100); }

bool torch_define(torch_reader *r, const dom_node *name, value_id value) {
  assert(value < r->g->value_count);
  shape_graph *g = r->g;
  uint32_t known;
  if (!dom_is(name, DOM_STRING) || !name->length)
    return torch_expected(r, "the name of a value", "a text", name);
  name_id id = intern_add(&g->names, name->text, name->length);
  if (imap_get(&r->names, id, &known))
    return torch_fail(r, "'%.*s' is defined twice", shown(name), name->text);
  imap_put(&r->names, g->arena, id, value);
  g->values[value].name = id;
  return true;
}

bool torch_look_up(torch_reader *r, const dom_node *name, value_id *out) {
  shape_graph *g = r->g;
  if (!dom_is(name, DOM_STRING)) return torch_expected(r, "the name of a value", "a text", name);
  name_id id = intern_find(&g->names, name->text, name->length);
  if (id != NAME_NONE && imap_get(&r->names, id, out)) return true;
  char text[128];
  snprintf(text, sizeof text, "%.*s", shown(name), name->text);
  bool later = dom_member(r->tensors, text) || dom_member(r->integers, text);
  return torch_fail(r,
                    later ? "'%s' is used before it is defined"
                          : "'%s' is not defined: no value has this name",
                    text);
}

// The one member of a union.
bool torch_union(torch_reader *r, const dom_node *node, const char *where, const dom_node **out) {
  assert(where && out);
  if (!dom_is(node, DOM_OBJECT)) return torch_expected(r, where, "an object with one member", node);
  if (node->count != 1)
    return torch_fail(r, "%s: a union has exactly one member such as as_int or as_expr, found %u",
                      where, node->count);
  *out = node->first;
  return true;
}

static bool key_is(const dom_node *member, const char *key) {
  size_t length = strlen(key);
  return member->key_length == length && memcmp(member->key, key, length) == 0;
}

// --- symbols

bool torch_range_constraints(torch_reader *r, const dom_node *ranges) {
  shape_graph *g = r->g;
  if (!ranges) return true;
  if (!dom_is(ranges, DOM_OBJECT))
    return torch_expected(r, "range_constraints", "an object", ranges);
  for (const dom_node *m = ranges->first; m; m = m->next) {
    const dom_node *low = dom_member(m, "min_val"), *high = dom_member(m, "max_val");
    int64_t min = INT64_MIN, max = INT64_MAX;
    int length = (int)(m->key_length < 100 ? m->key_length : 100);
    if (!dom_is(m, DOM_OBJECT))
      return torch_fail(r, "the range of '%.*s' is no object", length, m->key);
    if ((low && low->kind != DOM_NULL && !dom_int(low, &min)) ||
        (high && high->kind != DOM_NULL && !dom_int(high, &max)))
      return torch_fail(
          r, "the range of '%.*s' has a min_val or max_val that is no integer of 64 bits", length,
          m->key);
    if (max >= INT64_MAX - 1) max = INT64_MAX;
    if (min > max)
      return torch_fail(r, "the range of '%.*s' is empty: min_val is above max_val", length,
                        m->key);
    name_id id = intern_find(&g->names, m->key, m->key_length);
    uint32_t symbol = id == NAME_NONE ? ID_NONE : graph_find_symbol(g, id);
    if (symbol == ID_NONE) continue;  // of no argument
    graph_symbol *s = &g->declared.symbols[symbol];
    if (max < 0)
      return torch_fail(r, "the range of the dim '%.*s' is empty: max_val is negative", length,
                        m->key);
    s->min = min < 0 ? 0 : min;
    s->max = max;
  }
  return true;
}

// --- dims

// A SymInt: an integer into *number, or an expression into the buffer.
static bool read_int(torch_reader *r, const dom_node *node, const char *what, int64_t *number,
                     shape_strbuf *text, bool *is_number, bool *understood) {
  const dom_node *one;
  bool deep;
  *understood = true;
  if (!torch_union(r, node, what, &one)) return false;
  if ((*is_number = key_is(one, "as_int"))) {
    if (dom_int(one, number)) return true;
    bool integer = dom_is(one, DOM_NUMBER) || dom_is(one, DOM_STRING);
    for (uint32_t i = 0; integer && i < one->length; i++)
      integer = (one->text[i] >= '0' && one->text[i] <= '9') || (!i && one->text[i] == '-');
    if (integer && one->length)
      return torch_fail(r, "%s: the integer %.*s is too large", what, shown(one), one->text);
    return torch_expected(r, what, "as_int with an integer", one);
  }
  const dom_node *expression = key_is(one, "as_expr") ? dom_member(one, "expr_str") : one;
  if (!dom_is(expression, DOM_STRING))
    return torch_expected(r, what, "as_int, or as_expr with a text expr_str", expression);
  *understood = sympy_text(expression->text, expression->length, text, &deep);
  if (deep) return torch_fail(r, "%s: an expression is nested too deep", what);
  return true;
}

static shape_dtype dtype_of(const dom_node *node) {
  static const uint8_t TYPES[] = {
      [1] = DTYPE_UI8,  [2] = DTYPE_I8,    [3] = DTYPE_I16, [4] = DTYPE_I32,
      [5] = DTYPE_I64,  [6] = DTYPE_F16,   [7] = DTYPE_F32, [8] = DTYPE_F64,
      [10] = DTYPE_C64, [11] = DTYPE_C128, [12] = DTYPE_I1, [13] = DTYPE_BF16};
  int64_t number;
  if (!dom_int(node, &number) || number < 1 || number >= (int64_t)(sizeof TYPES)) return DTYPE_NONE;
  return TYPES[number] || number == 12 ? (shape_dtype)TYPES[number] : DTYPE_NONE;
}

// The entries of tensor_values and sym_int_values by name; names of both are apart.
void torch_index(torch_reader *r) {
  shape_graph *g = r->g;
  const dom_node *tables[2] = {r->tensors, r->integers};
  uint32_t count = 0;
  for (unsigned i = 0; i < 2; i++) count += tables[i] ? tables[i]->count : 0;
  r->described = arena_alloc(g->arena, ((size_t)count + 1) * sizeof *r->described);
  uint32_t at = 0;
  for (unsigned i = 0; i < 2; i++) {
    for (const dom_node *m = dom_is(tables[i], DOM_OBJECT) ? tables[i]->first : NULL; m;
         m = m->next) {
      uint64_t key = 2 * (uint64_t)intern_add(&g->names, m->key, m->key_length) + i;
      assert(at < count);
      r->described[at] = m;
      imap_put(&r->by_name, g->arena, key, at++);
    }
  }
}

static const dom_node *named(const torch_reader *r, const dom_node *name, bool is_int) {
  name_id id = intern_find(&r->g->names, name->text, name->length);
  uint32_t at;
  bool found = id != NAME_NONE && imap_get(&r->by_name, 2 * (uint64_t)id + is_int, &at);
  return found ? r->described[at] : NULL;
}

// The type of a value, from tensor_values; expressions are `?` here and become binds.
static bool tensor_type(torch_reader *r, const dom_node *name, const dom_node *meta, type_id *out) {
  assert(dom_is(name, DOM_STRING) && meta);
  const dom_node *sizes = dom_member(meta, "sizes");
  char what[160];
  snprintf(what, sizeof what, "'sizes' of '%.*s'", shown(name), name->text);
  if (!dom_is(sizes, DOM_ARRAY)) return torch_expected(r, what, "a list", sizes);
  int64_t *dims = arena_alloc(r->g->arena, ((size_t)sizes->count + 1) * sizeof *dims);
  uint32_t rank = 0;
  for (const dom_node *m = sizes->first; m; m = m->next) {
    shape_strbuf text;
    bool is_number, understood;
    strbuf_init(&text, r->g->arena);
    if (!read_int(r, m, what, &dims[rank], &text, &is_number, &understood)) return false;
    if (is_number && dims[rank] < 0)
      return torch_fail(r, "%s: expected dims of at least 0, found %lld", what,
                        (long long)dims[rank]);
    if (!is_number) dims[rank] = DIM_DYNAMIC;
    rank++;
  }
  *out = type_tensor(&r->g->types, dtype_of(dom_member(meta, "dtype")), dims, rank);
  return true;
}

bool torch_declare(torch_reader *r, const dom_node *name, value_id value, bool is_int) {
  if (!dom_is(name, DOM_STRING)) return torch_expected(r, "the name of a value", "a text", name);
  const dom_node *meta = is_int ? NULL : named(r, name, false);
  type_id type = type_scalar(&r->g->types, DTYPE_I64);
  if (!is_int && !meta)
    return torch_fail(r, "tensor_values has no '%.*s'", shown(name), name->text);
  if (!is_int && !tensor_type(r, name, meta, &type)) return false;
  if (value != VALUE_NONE) r->g->values[value].type = type;
  return true;
}

// Binds the dims that are expressions. Those of an argument (no operation is there yet) declare their symbols; others
// may speak of symbols from data, and say nothing then; so do those in a loop, which may be others on each trip.
bool torch_bind(torch_reader *r, const dom_node *name, value_id value, bool is_int) {
  assert(value < r->g->value_count && dom_is(name, DOM_STRING));
  shape_graph *g = r->g;
  if (r->in_loop) return true;
  const dom_node *meta = named(r, name, is_int);
  const dom_node *first = is_int                      ? meta
                          : dom_member(meta, "sizes") ? dom_member(meta, "sizes")->first
                                                      : NULL;
  uint32_t count = is_int ? meta != NULL : meta ? dom_member(meta, "sizes")->count : 0, at = 0;
  if (!count) return true;
  const char **texts = arena_alloc(g->arena, (size_t)count * sizeof *texts);
  bool any = false, declares = g->values[value].is_argument;
  for (const dom_node *m = first; m && at < count; m = is_int ? NULL : m->next) {
    shape_strbuf text;
    bool is_number, understood;
    int64_t number = 0;
    strbuf_init(&text, g->arena);
    if (!read_int(r, m, "a dim", &number, &text, &is_number, &understood)) return false;
    if (is_number) strbuf_printf(&text, "%lld", (long long)number);
    const char *written = strbuf_text(&text);
    bool says =
        understood && (!is_number || is_int) && (is_number || build_knows(g, written, declares));
    any |= says;
    texts[at++] = says ? written : "";
  }
  if (any) build_bind(&r->build, value, texts, at);
  return true;
}
