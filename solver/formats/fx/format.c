// SPDX-License-Identifier: Apache-2.0
// The row of FX graphs as Python text in the table of formats, and the classes of a text.
#include <assert.h>
#include <string.h>

#include "solver/formats/fx/fx.h"
#include "solver/formats/fx/uses.h"

enum { LOOK = 1 << 16, CLASSES_MAX = 4096 };

static bool begins(const format_bytes *b, const char *word) {
  size_t length = strlen(word);
  return b->length - b->start >= length && memcmp(b->text + b->start, word, length) == 0;
}

static bool contains(const char *text, size_t length, const char *word) {
  size_t size = strlen(word);
  for (const char *p = text, *end = text + length; p && (size_t)(end - p) >= size; p++) {
    p = memchr(p, *word, (size_t)(end - p) - size + 1);
    if (!p) return false;
    if (memcmp(p, word, size) == 0) return true;
  }
  return false;
}

static format_match match(const format_bytes *b) {
  static const char *const HEADS[] = {"import ", "from ",  "class ", "def forward", "# ",
                                      "#!",      "\"\"\"", "@",      "'''"};
  bool head = false;
  if (!b->is_text) return FORMAT_NO;
  for (unsigned i = 0; i < sizeof HEADS / sizeof *HEADS; i++) head |= begins(b, HEADS[i]);
  size_t look = b->length - b->start < LOOK ? b->length - b->start : LOOK;
  return head && contains(b->text + b->start, look, "def forward") ? FORMAT_SURE : FORMAT_NO;
}

// --- classes

static fx_class *add_class(fx_reader *r) {
  r->classes = arena_grow(r->build.g->arena, r->classes, r->class_count, r->class_count + 1u,
                          &r->class_capacity, sizeof *r->classes);
  return &r->classes[r->class_count++];
}

// The innermost class whose line is indented less than this one.
static uint32_t class_around(const fx_reader *r, uint32_t last, uint32_t indent) {
  assert(last == ID_NONE || last < r->class_count);
  while (last != ID_NONE && r->classes[last].indent >= indent) last = r->classes[last].outer;
  return last;
}

static void read_import(fx_reader *r, bool from) {
  const char *name;
  uint32_t length;
  if (from) {
    while (fx_peek(r) && !fx_word(r, "import")) r->at++;
  }
  fx_open(r, '(');
  while (fx_name(r, &name, &length)) {
    const char *first = name;
    uint32_t size = length;
    while (fx_take(r, ".") && fx_name(r, &first, &size)) {}
    if (fx_word(r, "as")) fx_name(r, &name, &length);
    imap_put(&r->globals, r->build.g->arena, intern_add(&r->build.g->names, name, length), 1);
    if (!fx_take(r, ",")) break;
  }
  r->brackets = 0;
}

static bool read_class(fx_reader *r, uint32_t outer, uint32_t indent) {
  fx_peek(r);
  const char *from = r->at;
  while (r->at < r->end && *r->at != '(' && *r->at != ':' && *r->at != '\n') r->at++;
  fx_class *c = add_class(r);
  *c = (fx_class){
      .name = from, .name_length = (uint32_t)(r->at - from), .indent = indent, .outer = outer};
  return r->class_count <= CLASSES_MAX ||
         fx_fail(r, from, "there are more than %d classes", CLASSES_MAX);
}

static bool find_classes(fx_reader *r) {
  assert(!r->class_count && r->at == r->begin);
  uint32_t indent, last = ID_NONE;
  while (fx_line(r, &indent)) {
    const char *name;
    uint32_t length;
    if (r->build.g->budget) budget_take(r->build.g->budget, 1);
    if (fx_word(r, "class")) {
      uint32_t outer = class_around(r, last, indent);
      if (!read_class(r, outer, indent)) return false;
      last = r->class_count - 1;
    } else if (fx_word(r, "def") && fx_name(r, &name, &length) && fx_is(name, length, "forward") &&
               fx_take(r, "(")) {
      uint32_t own = class_around(r, last, indent);
      if (own == ID_NONE) {  // GraphModule.code: a function on its own
        *add_class(r) = (fx_class){.name = "", .indent = indent, .outer = ID_NONE};
        own = last = r->class_count - 1;
      }
      if (!r->classes[own].body) {
        r->classes[own].body = r->at;
        r->classes[own].body_indent = indent;
      }
      r->at--;  // the bracket
    } else if (!indent && fx_word(r, "import")) {
      read_import(r, false);
    } else if (!indent && fx_word(r, "from")) {
      read_import(r, true);
    }
    fx_skip_line(r);
  }
  return true;
}

static uint32_t entry(const fx_reader *r) {
  uint32_t found = ID_NONE;
  for (uint32_t i = 0; i < r->class_count; i++) {
    const fx_class *c = &r->classes[i];
    if (!c->body || c->outer != ID_NONE) continue;
    if (found == ID_NONE || fx_is(c->name, c->name_length, "GraphModule")) found = i;
  }
  return found;
}

// --- the function

static void add_result(const fx_value *v, const fx_value **out, uint32_t *count, uint32_t room) {
  if (v->kind != FX_LIST) {
    if (*count < room) out[*count] = v;
    (*count)++;
    return;
  }
  for (uint32_t i = 0; i < v->count; i++) add_result(&v->items[i], out, count, room);
}

static void return_results(fx_reader *r, const fx_value *result) {
  uint32_t count = 0, made = 0;
  add_result(result, NULL, &count, 0);
  const fx_value **all = arena_alloc(r->build.g->arena, ((size_t)count + 1) * sizeof *all);
  value_id *values = arena_alloc(r->build.g->arena, ((size_t)count + 1) * sizeof *values);
  add_result(result, all, &made, count);
  assert(made == count);
  for (uint32_t i = 0; i < count; i++) values[i] = fx_operand(r, all[i]);
  build_op(&r->build, "func.return", values, count, NULL, 0);
}

static void read(shape_graph *g, const format_options *options) {
  fx_reader r = {
      .begin = g->source.text, .at = g->source.text, .end = g->source.text + g->source.length};
  fx_value result;
  r.build = (torch_builder){.g = g, .span = SPAN_NONE};
  r.uses = options->statements;
  if (r.uses) *r.uses = (fx_uses){.count = 0};
  if (!find_classes(&r)) return;
  uint32_t main = entry(&r);
  if (main == ID_NONE) {
    fx_fail(&r, r.begin, "the text has no class with a forward");
    return;
  }
  const struct format_beside *given = &options->beside;
  if ((given->inputs || given->input_count) &&
      !fx_read_inputs(&r, given->inputs, given->input_texts, given->input_count))
    return;
  r.func = graph_add_func(g, intern_add(&g->names, "forward", 7), 0, SPAN_NONE);
  r.build.block = graph_add_block(g, graph_add_body(g, r.func));
  r.build.span = (source_span){0, 0};
  if (!fx_forward(&r, main, NULL, 0, &result) || !fx_check_inputs(&r)) return;
  return_results(&r, &result);
  graph_set_signature(g, r.func, r.build.block);
}

extern const format_reader fx_format;
const format_reader fx_format = {
    .match = match,
    .read = read,
    .locations = fx_locations,
    .no_session = "sessions edit operations, which have no form as statements of Python: send the "
                  "text to analyze as often as it changes"};
