// SPDX-License-Identifier: Apache-2.0
#include "solver/ops/rules/linalg/affine_map.h"

#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"

typedef struct map_reader {
  const char *at, *end;
  affine_map *map;
  struct {
    const char *text;
    size_t length;
  } names[AFFINE_MAX_INPUTS];
  uint32_t depth;
  bool failed;
} map_reader;

static char peek(map_reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r'))
    r->at++;
  return r->at < r->end ? *r->at : 0;
}

static bool accept(map_reader *r, char c) {
  if (peek(r) != c) return false;
  r->at++;
  return true;
}

static bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '.';
}

static size_t word(map_reader *r, const char **text) {
  char c = peek(r);
  *text = r->at;
  if (!is_word_char(c) || (c >= '0' && c <= '9')) return 0;
  while (r->at < r->end && is_word_char(*r->at)) r->at++;
  return (size_t)(r->at - *text);
}

static bool take_word(map_reader *r, const char *expected) {
  const char *before = r->at, *text;
  size_t length = word(r, &text);
  if (length == strlen(expected) && memcmp(text, expected, length) == 0) return true;
  r->at = before;
  return false;
}

static uint32_t fail(map_reader *r) {
  r->failed = true;
  return 0;
}

static uint32_t add(map_reader *r, affine_kind kind, int64_t value, uint32_t a, uint32_t b) {
  affine_map *m = r->map;
  if (m->node_count >= AFFINE_MAX_NODES) return fail(r);
  assert(!m->node_count || (a < m->node_count && b < m->node_count));
  m->nodes[m->node_count] = (affine_node){kind, value, a, b};
  return m->node_count++;
}

static uint32_t expression(map_reader *r);

static uint32_t number(map_reader *r) {
  int64_t value = 0;
  while (r->at < r->end && *r->at >= '0' && *r->at <= '9') {
    int digit = *r->at++ - '0';
    if (value > (INT64_MAX - digit) / 10) return fail(r);
    value = value * 10 + digit;
  }
  return add(r, AFFINE_CONST, value, 0, 0);
}

static uint32_t primary(map_reader *r) {
  char c = peek(r);
  if (++r->depth > AFFINE_MAX_DEPTH) return fail(r);
  uint32_t node = 0;
  if (c == '(') {
    r->at++;
    node = expression(r);
    if (!accept(r, ')')) node = fail(r);
  } else if (c == '-') {
    r->at++;
    uint32_t minus = add(r, AFFINE_CONST, -1, 0, 0);
    node = add(r, AFFINE_MUL, 0, primary(r), minus);
  } else if (c >= '0' && c <= '9') {
    node = number(r);
  } else {
    const char *text;
    size_t length = word(r, &text);
    uint32_t i = 0;
    while (i < r->map->inputs &&
           (r->names[i].length != length || memcmp(r->names[i].text, text, length) != 0))
      i++;
    node = length && i < r->map->inputs ? add(r, AFFINE_INPUT, i, 0, 0) : fail(r);
  }
  r->depth--;
  return node;
}

static uint32_t product(map_reader *r) {
  uint32_t node = primary(r);
  while (!r->failed) {
    affine_kind kind;
    if (accept(r, '*')) {
      kind = AFFINE_MUL;
    } else if (take_word(r, "floordiv")) {
      kind = AFFINE_FLOORDIV;
    } else if (take_word(r, "ceildiv")) {
      kind = AFFINE_CEILDIV;
    } else if (take_word(r, "mod")) {
      kind = AFFINE_MOD;
    } else {
      break;
    }
    uint32_t right = primary(r);
    node = add(r, kind, 0, node, right);
  }
  return node;
}

static uint32_t expression(map_reader *r) {
  uint32_t node = product(r);
  while (!r->failed) {
    char c = peek(r);
    if (c != '+' && (c != '-' || (r->at + 1 < r->end && r->at[1] == '>'))) break;
    r->at++;
    uint32_t right = product(r);
    if (c == '-') {
      uint32_t minus = add(r, AFFINE_CONST, -1, 0, 0);
      right = add(r, AFFINE_MUL, 0, right, minus);
    }
    node = add(r, AFFINE_ADD, 0, node, right);
  }
  return node;
}

static bool names(map_reader *r, char close) {
  if (accept(r, close)) return true;
  do {
    uint32_t i = r->map->inputs;
    if (i >= AFFINE_MAX_INPUTS) return false;
    r->names[i].length = word(r, &r->names[i].text);
    if (!r->names[i].length) return false;
    r->map->inputs++;
  } while (accept(r, ','));
  return accept(r, close);
}

static bool results(map_reader *r) {
  affine_map *m = r->map;
  if (!accept(r, '(')) return false;
  if (accept(r, ')')) return true;
  do {
    if (m->result_count >= AFFINE_MAX_RESULTS) return false;
    uint32_t i = m->result_count++;
    m->results[i] = expression(r);
    if (m->is_set) {
      m->equals[i] = peek(r) == '=';
      bool less = peek(r) == '<';
      if ((!m->equals[i] && !less && !accept(r, '>')) || (m->equals[i] && !accept(r, '=')) ||
          (less && !accept(r, '<')) || !accept(r, '='))
        return false;
      uint32_t right = expression(r), minus = add(r, AFFINE_CONST, -1, 0, 0);
      uint32_t small = less ? m->results[i] : right, large = less ? right : m->results[i];
      m->results[i] = add(r, AFFINE_ADD, 0, large, add(r, AFFINE_MUL, 0, small, minus));
    }
    if (r->failed) return false;
  } while (accept(r, ','));
  return accept(r, ')');
}

static bool parse(shape_arena *arena, const char *text, size_t length, affine_map *out) {
  map_reader r = {.at = text, .end = text + length, .map = out};
  *out = (affine_map){.nodes = arena_alloc(arena, (length + 8) * 2 * sizeof(affine_node))};
  if (length + 8 > AFFINE_MAX_NODES / 2) return false;  // a node or two for each character
  out->is_set = take_word(&r, "affine_set");
  if ((!out->is_set && !take_word(&r, "affine_map")) || !accept(&r, '<') || !accept(&r, '('))
    return false;
  if (!names(&r, ')')) return false;
  out->dims = out->inputs;
  if (accept(&r, '[') && !names(&r, ']')) return false;
  if (out->is_set ? !accept(&r, ':') : !accept(&r, '-') || !accept(&r, '>')) return false;
  return results(&r) && !r.failed && accept(&r, '>') && !peek(&r);
}

bool affine_map_read(rule_context *c, attr_id id, affine_map *out) {
  const graph_attr *a = graph_attr_get(c->graph, id);
  if (!a || a->kind != ATTR_OPAQUE) return false;
  if (a->text != NAME_NONE)
    return parse(c->arena, intern_text(&c->graph->names, a->text),
                 intern_length(&c->graph->names, a->text), out);
  if (a->span.begin > a->span.end || a->span.end > c->graph->source.length) return false;
  return parse(c->arena, c->graph->source.text + a->span.begin, a->span.end - a->span.begin, out);
}

static uint32_t loop_of(affine_letters *l, char letter) {
  for (uint32_t i = 0; i < l->count; i++) {
    if (l->loops[i] == letter) return i;
  }
  assert(l->count < sizeof l->loops);
  l->loops[l->count] = letter;
  return l->count++;
}

bool affine_map_of_letters(rule_context *c, affine_letters *l, const char *text, uint32_t length,
                           affine_map *out) {
  *out =
      (affine_map){.nodes = arena_alloc(c->arena, (7 * (size_t)length + 1) * sizeof(affine_node))};
  map_reader r = {.map = out};
  uint32_t window = 0;
  for (uint32_t i = 0; i < length; i++) {
    bool under = text[i] == '^';
    if (under) i++;
    uint32_t node = add(&r, AFFINE_INPUT, loop_of(l, text[i]), 0, 0);
    if (under) {
      int64_t stride = l->strides && window < l->stride_count ? l->strides[window] : 1;
      int64_t dilation = l->dilations && window < l->dilation_count ? l->dilations[window] : 1;
      uint32_t inner = add(&r, AFFINE_INPUT, loop_of(l, (char)(text[i] - 'a' + 'A')), 0, 0);
      node = add(&r, AFFINE_MUL, 0, node, add(&r, AFFINE_CONST, stride, 0, 0));
      inner = add(&r, AFFINE_MUL, 0, inner, add(&r, AFFINE_CONST, dilation, 0, 0));
      node = add(&r, AFFINE_ADD, 0, node, inner);
      window++;
    }
    if (out->result_count >= AFFINE_MAX_RESULTS) return false;
    out->results[out->result_count++] = node;
  }
  out->dims = out->inputs = l->count;
  return !r.failed;
}

// --- values

uint32_t affine_input(const affine_map *m, uint32_t result) {
  assert(result < m->result_count);
  const affine_node *node = &m->nodes[m->results[result]];
  return node->kind == AFFINE_INPUT ? (uint32_t)node->value : ID_NONE;
}

static term_id divided(rule_context *c, affine_kind kind, term_id a, term_id b) {
  num divisor;
  if (term_const_value(c->terms, b, &divisor)) {
    if (num_sign(divisor) <= 0) return TERM_NONE;
  } else {
    rule_require(c, predicate_make(REL_GT, b, TERM_ZERO), "a divisor of an affine map is > 0");
    if (!math_is_positive(c, b)) return TERM_NONE;
  }
  switch (kind) {
  case AFFINE_FLOORDIV: return term_floordiv(c->terms, a, b);
  case AFFINE_CEILDIV: return term_ceildiv(c->terms, a, b);
  default: return term_mod(c->terms, a, b);
  }
}

static term_id combine(rule_context *c, affine_kind kind, term_id a, term_id b) {
  if (a == TERM_NONE || b == TERM_NONE) return TERM_NONE;
  switch (kind) {
  case AFFINE_ADD: return term_add(c->terms, a, b);
  case AFFINE_MUL: return term_mul(c->terms, a, b);
  default: return divided(c, kind, a, b);
  }
}

// Nodes come after their operands, and a map's are few: all are evaluated.
term_id affine_value(rule_context *c, const affine_map *m, uint32_t result, const term_id *inputs) {
  assert(result < m->result_count);
  term_id *values = arena_alloc(c->arena, (m->node_count + 1) * sizeof(term_id));
  for (uint32_t i = 0; i <= m->results[result]; i++) {
    const affine_node *n = &m->nodes[i];
    assert(n->kind <= AFFINE_CONST || (n->a < i && n->b < i));
    values[i] = n->kind == AFFINE_INPUT   ? inputs[n->value]
                : n->kind == AFFINE_CONST ? term_int(c->terms, n->value)
                                          : combine(c, n->kind, values[n->a], values[n->b]);
    if (values[i] != TERM_NONE) values[i] = rule_bounded(c, values[i]);
  }
  return values[m->results[result]];
}

term_id affine_largest(rule_context *c, const affine_map *m, uint32_t result,
                       const term_id *extents) {
  assert(result < m->result_count);
  term_id *values = arena_alloc(c->arena, (m->node_count + 1) * sizeof(term_id));
  num factor;
  for (uint32_t i = 0; i <= m->results[result]; i++) {
    const affine_node *n = &m->nodes[i];
    term_id a = n->kind > AFFINE_CONST ? values[n->a] : TERM_NONE,
            b = n->kind > AFFINE_CONST ? values[n->b] : TERM_NONE;
    bool positive =
        b != TERM_NONE && term_const_value(c->terms, b, &factor) && num_sign(factor) > 0;
    values[i] = TERM_NONE;
    switch (n->kind) {
    case AFFINE_INPUT:
      if (extents[n->value] != TERM_NONE)
        values[i] = term_sub(c->terms, extents[n->value], TERM_ONE);
      break;
    case AFFINE_CONST: values[i] = term_int(c->terms, n->value); break;
    case AFFINE_ADD: values[i] = combine(c, n->kind, a, b); break;
    case AFFINE_MUL:  // 2 * d0 is as good as d0 * 2
      if (!positive && a != TERM_NONE && term_const_value(c->terms, a, &factor))
        positive = num_sign(factor) > 0;
      if (positive) values[i] = combine(c, n->kind, a, b);
      break;
    case AFFINE_FLOORDIV:
    case AFFINE_CEILDIV:
      if (positive) values[i] = combine(c, n->kind, a, b);
      break;
    case AFFINE_MOD: break;
    }
  }
  return values[m->results[result]];
}
