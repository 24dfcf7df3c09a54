// SPDX-License-Identifier: Apache-2.0
// guards_code: conditions of Python that PyTorch checks before it runs the program, over L['x'].size()[0],
// L['args'][1].size()[0] or L['kwargs']['m'].size()[0]. They become assumptions of the answer, never needs of the program. A
// condition that has something else says nothing here: fewer assumptions are weaker answers, not wrong ones.
#include <assert.h>
#include <string.h>

#include "solver/base/strbuf.h"
#include "solver/formats/torch/reader.h"

enum { DEEPEST = 50, LONGEST_PATH = 200 };

typedef struct guard_text {
  const char *at, *end;
} guard_text;

typedef struct guard_reader {
  torch_reader *r;
  const dom_node *inputs;
  guard_text t;
  shape_strbuf *out;
} guard_reader;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_word(char c) {
  return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_';
}

static bool take(guard_text *t, const char *text) {
  size_t length = strlen(text);
  if ((size_t)(t->end - t->at) < length || memcmp(t->at, text, length) != 0) return false;
  t->at += length;
  return true;
}

static bool take_number(guard_text *t, uint32_t *out) {
  const char *from = t->at;
  for (*out = 0; t->at < t->end && is_digit(*t->at) && *out < 1000000; t->at++)
    *out = *out * 10 + (uint32_t)(*t->at - '0');
  return t->at > from;
}

// ['key'] or [2] after what was read of the path: keys are joined by '_', as the exporter names its inputs.
static bool take_key(guard_text *t, shape_strbuf *path) {
  char quote = t->at + 1 < t->end ? t->at[1] : 0;
  bool text = quote == '\'' || quote == '"';
  if (!take(t, "[")) return false;
  t->at += text;
  const char *from = t->at;
  while (t->at < t->end && is_word(*t->at)) t->at++;
  if (t->at == from || path->length + (size_t)(t->at - from) > LONGEST_PATH) return false;
  if (path->length) strbuf_putc(path, '_');
  strbuf_add(path, from, (size_t)(t->at - from));
  if (text && (t->at == t->end || *t->at++ != quote)) return false;
  return take(t, "]");
}

// The input of this name whose type says that it has the axis.
static bool has_axis(const guard_reader *g, const char *name, uint32_t axis, uint32_t *index) {
  bool is_int;
  *index = 0;
  for (const dom_node *m = g->inputs->first; m; m = m->next, ++*index) {
    const dom_node *one = dom_is(m, DOM_OBJECT) && m->count == 1 ? m->first : NULL;
    const dom_node *own = one ? torch_output_name(one, &is_int) : NULL;
    if (!dom_is(own, DOM_STRING) || is_int || own->length != strlen(name) ||
        memcmp(own->text, name, own->length) != 0)
      continue;
    const dom_node *meta = dom_member(g->r->tensors, name), *sizes = dom_member(meta, "sizes");
    return dom_is(sizes, DOM_ARRAY) && axis < sizes->count;
  }
  return false;
}

// L['x'].size()[0], after the L.
static bool dim(guard_reader *g) {
  shape_strbuf path;
  uint32_t axis, index;
  strbuf_init(&path, g->r->g->arena);
  while (g->t.at < g->t.end && *g->t.at == '[') {
    if (!take_key(&g->t, &path)) return false;
  }
  if (!take(&g->t, ".size()[") || !take_number(&g->t, &axis) || !take(&g->t, "]")) return false;
  const char *name = strbuf_text(&path), KWARGS[] = "kwargs_";
  if (!has_axis(g, name, axis, &index)) {
    size_t head = sizeof KWARGS - 1;
    if (strncmp(name, KWARGS, head) != 0 || !has_axis(g, name + head, axis, &index)) return false;
    name += head;
  }
  if (strncmp(name, "arg", 3) != 0 && !is_digit(*name)) {
    strbuf_printf(g->out, "%s.%u", name, axis);
    return true;
  }
  strbuf_printf(g->out, "arg%u.%u", index, axis);
  return true;
}

// What divides is a number other than 0: what Python does else is no arithmetic.
static bool divides(const guard_text *t) {
  const char *at = t->at;
  while (at < t->end && *at == ' ') at++;
  return at < t->end && *at >= '1' && *at <= '9';
}

// One comparison, as term/parse.h writes it.
static bool comparison(guard_reader *g) {
  static const char *const RELATIONS[] = {"==", "!=", "<=", ">=", "<", ">"};
  uint32_t relations = 0;
  while (g->t.at < g->t.end) {
    const char *from = g->t.at;
    bool found = false;
    for (unsigned i = 0; i < sizeof RELATIONS / sizeof *RELATIONS && !found; i++)
      found = take(&g->t, RELATIONS[i]);
    relations += found;
    if (!found && take(&g->t, "**")) {
      strbuf_putc(g->out, '^');
      continue;
    }
    bool quotient = !found && (take(&g->t, "//") || take(&g->t, "%"));
    if (quotient && !divides(&g->t)) return false;
    if (!found && !quotient) {
      char c = *g->t.at;
      if (c == 'L' && g->t.at + 1 < g->t.end && g->t.at[1] == '[') {
        g->t.at++;
        if (!dim(g)) return false;
        continue;
      }
      if (is_digit(c)) {
        while (g->t.at < g->t.end && is_digit(*g->t.at)) g->t.at++;
        if (g->t.at < g->t.end && (is_word(*g->t.at) || *g->t.at == '.')) return false;
      } else if (memchr("+-*() ", c, 6)) {
        g->t.at++;
      } else {
        return false;
      }
    }
    strbuf_add(g->out, from, (size_t)(g->t.at - from));
  }
  return relations == 1;
}

static void trim(guard_text *t) {
  while (t->at < t->end && *t->at == ' ') t->at++;
  while (t->at < t->end && t->end[-1] == ' ') t->end--;
}

// The first `and` outside of brackets; NULL: none. *wrapped: the first bracket closes at the end. False: not balanced.
static bool scan(const guard_text *t, const char **conjunction, bool *wrapped) {
  uint32_t depth = 0;
  *conjunction = NULL;
  *wrapped = t->at < t->end && *t->at == '(';
  for (const char *p = t->at; p < t->end; p++) {
    if (*p == '(') depth++;
    if (*p == ')' && !depth--) return false;
    if (!depth && p + 1 < t->end) *wrapped = false;
    if (!depth && !*conjunction && t->end - p > 5 && memcmp(p, " and ", 5) == 0) *conjunction = p;
  }
  return depth == 0;
}

static bool condition(guard_reader *g, guard_text t, uint32_t depth) {
  const char *conjunction;
  bool wrapped;
  trim(&t);
  if (depth > DEEPEST || !scan(&t, &conjunction, &wrapped)) return false;
  if (wrapped) return condition(g, (guard_text){t.at + 1, t.end - 1}, depth + 1);
  if (conjunction) {
    condition(g, (guard_text){t.at, conjunction}, depth + 1);
    return condition(g, (guard_text){conjunction + 5, t.end}, depth + 1);
  }
  shape_strbuf text;
  strbuf_init(&text, g->r->g->arena);
  g->t = t;
  g->out = &text;
  if (!comparison(g)) return false;
  graph_add_assumption(g->r->g,
                       (graph_assumption){.text = strbuf_text(&text),
                                          .length = (uint32_t)text.length,
                                          .span = SPAN_NONE,
                                          .why = "PyTorch checks it before the program runs"});
  return true;
}

void torch_guards(torch_reader *r, const dom_node *guards, const dom_node *inputs) {
  assert(dom_is(inputs, DOM_ARRAY));
  if (!dom_is(guards, DOM_ARRAY)) return;
  for (const dom_node *m = guards->first; m; m = m->next) {
    guard_reader g = {.r = r, .inputs = inputs};
    if (r->g->budget) budget_take(r->g->budget, 1 + m->length + inputs->count);
    if (dom_is(m, DOM_STRING)) condition(&g, (guard_text){m->text, m->text + m->length}, 0);
  }
}
