// SPDX-License-Identifier: Apache-2.0
// Completion of types: what an operation that is half typed has, inferred by an analysis of the text in which the
// operation is whole, and the types that the text writes.
#include <stdio.h>
#include <string.h>

#include "clients/lsp/completion.h"

enum {
  OPERANDS_MAX = 64,
  TYPES_MAX = 40,
  TOKENS_MAX = 20000,
  LARGE_TEXT = 200000,
  TYPE_MAX = 1024
};

typedef struct operand_types {
  report_text types[OPERANDS_MAX];
  report_text whole[OPERANDS_MAX];  // without aliases
  uint32_t count;
  bool known;  // all of them
} operand_types;

static void put_type(completion *c, const char *text, uint32_t length, uint32_t order) {
  uint32_t known = c->types.count;
  if (intern_add(&c->types, text, length) < known) return;
  completion_put(c, &(completion_item){.label = text,
                                       .length = length,
                                       .kind = ITEM_TYPE,
                                       .order = order,
                                       .definition = SYN_NONE});
}

static report_text text_of(const completion *c, syn_type type) {
  if (type.first == SYN_NONE) return (report_text){"", 0};
  uint32_t begin = c->x->tokens[type.first].begin;
  return (report_text){c->x->text + begin, c->x->tokens[type.last].end - begin};
}

static operand_types types_of_operands(const completion *c) {
  const syn_index *x = c->x;
  const syn_op *o = &x->ops[c->at.op];
  operand_types out = {.known = true};
  uint32_t colon = syn_colon_of(x, c->at.op);
  uint32_t end = colon == SYN_NONE ? o->last : colon;
  for (uint32_t t = o->name + 1; t < end && out.count < OPERANDS_MAX; t++) {
    uint32_t after = syn_skip_region(x, c->at.op, t);
    if (after != t) {
      t = after;
      continue;
    }
    if (!syn_kind_is(x, t, SYN_VALUE)) continue;
    uint32_t name = syn_name_at(x, x->tokens[t].begin);
    uint32_t target = name == SYN_NONE ? SYN_NONE : x->names[name].target;
    if (target == name && target != SYN_NONE) continue;
    uint32_t number =
        name == SYN_NONE || x->names[name].number == SYN_NONE ? 0 : x->names[name].number;
    report_text type = {"", 0};
    shape_strbuf whole;
    strbuf_init(&whole, c->call->arena);
    if (target != SYN_NONE) {
      syn_type written = syn_type_of(x, target, number);
      type = text_of(c, written);
      syn_type_text(x, written, &whole);
    }
    out.known &= type.length > 0;
    out.whole[out.count] = (report_text){whole.data, whole.length};
    out.types[out.count++] = type;
  }
  return out;
}

static void put_list(const operand_types *types, shape_strbuf *out) {
  for (uint32_t i = 0; i < types->count; i++) {
    if (i) strbuf_puts(out, ", ");
    strbuf_add(out, types->types[i].text, types->types[i].length);
  }
}

static bool all_equal(const operand_types *types, report_text with) {
  for (uint32_t i = 0; i < types->count; i++) {
    if (types->types[i].length != with.length ||
        memcmp(types->types[i].text, with.text, with.length) != 0)
      return false;
  }
  return types->count > 0;
}

// --- the text with the operation made whole

typedef struct trial {
  uint32_t at;  // where the operation's name is
  char type[TYPE_MAX];
  bool found;
} trial;

static void read_trial(lsp_model *m, void *data) {
  trial *t = data;
  op_id op = lsp_model_op_at(m, t->at);
  if (op == ID_NONE || !m->graph->ops[op].result_count) return;
  const graph_op *o = &m->graph->ops[op];
  for (uint32_t i = 0; i < m->diag_count; i++) {
    const lsp_diag *d = &m->diags[i];
    if (d->severity == DIAG_ERROR && d->span.begin >= o->span.begin && d->span.begin < o->span.end)
      return;
  }
  size_t length = 0;
  for (uint32_t k = 0; k < o->result_count; k++) {
    const lsp_shape *shape = lsp_model_shape(m, o->results + k);
    if (!shape || !shape->type || !shape->ranked) return;
    int n = snprintf(t->type + length, sizeof t->type - length, "%s%s",
                     k                     ? ", "
                     : o->result_count > 1 ? "("
                                           : "",
                     shape->type);
    if (n < 0 || (length += (size_t)n) + 2 > sizeof t->type) return;
  }
  if (o->result_count > 1) memcpy(t->type + length, ")", 2);
  t->found = true;
}

static void run_trial(completion *c, const shape_strbuf *text, trial *t) {
  lsp_host host = c->call->server->host;
  host.ask = NULL;
  host.busy = NULL;
  lsp_model_request request = {.text = text->data,
                               .length = text->length,
                               .settings = &c->call->server->settings,
                               .host = &host,
                               .analyse = true};
  shape_status status;
  lsp_model *m = lsp_model_new(&request, &status);
  if (m) lsp_model_protect(m, read_trial, t);
  lsp_model_free(m);
}

// The function around the operation, and the aliases: what a type depends on in a large text.
static source_span part_of(const completion *c, shape_strbuf *out) {
  const syn_index *x = c->x;
  if (x->length < LARGE_TEXT) return (source_span){0, x->length};
  uint32_t function = SYN_NONE;
  for (uint32_t op = c->at.op; op != SYN_NONE; op = x->regions[x->ops[op].region].op) {
    if (x->ops[op].flags & SYN_FUNCTION) function = op;
  }
  if (function == SYN_NONE) return (source_span){0, x->length};
  for (uint32_t op = x->regions[0].first_op; op != SYN_NONE; op = x->ops[op].next) {
    if (!(x->ops[op].flags & SYN_ALIAS)) continue;
    uint32_t begin = x->tokens[x->ops[op].first].begin;
    strbuf_add(out, x->text + begin, x->tokens[x->ops[op].last].end - begin);
    strbuf_putc(out, '\n');
  }
  return (source_span){x->tokens[x->ops[function].first].begin,
                       x->tokens[x->ops[function].last].end};
}

// The element type that is written: what follows the last x, up to a comma or the end.
static report_text element_of(report_text type) {
  if (type.length < 8 || memcmp(type.text, "tensor<", 7) != 0) return (report_text){"", 0};
  uint32_t begin = 7, at = 7;
  while (at < type.length) {
    uint32_t from = at;
    while (at < type.length &&
           ((type.text[at] >= '0' && type.text[at] <= '9') || type.text[at] == '?'))
      at++;
    if (at == from || at >= type.length || type.text[at] != 'x') break;
    begin = ++at;
  }
  uint32_t end = begin;
  while (end < type.length && type.text[end] != ',' && type.text[end] != '>') end++;
  return (report_text){type.text + begin, end - begin};
}

// The result type of the operation, with this element type. False: it is not known.
static bool infer(completion *c, const operand_types *types, report_text element, trial *t) {
  const syn_index *x = c->x;
  shape_strbuf text;
  strbuf_init(&text, c->call->arena);
  source_span part = part_of(c, &text);
  uint32_t colon = x->tokens[syn_colon_of(x, c->at.op)].end;
  uint32_t end = x->tokens[x->ops[c->at.op].last].end;
  if (end < c->at.end) end = c->at.end;
  *t = (trial){.at = text.length + x->tokens[x->ops[c->at.op].name].begin - part.begin};
  strbuf_add(&text, x->text + part.begin, colon - part.begin);
  strbuf_puts(&text, " (");
  put_list(types, &text);
  strbuf_puts(&text, ") -> tensor<*x");
  strbuf_add(&text, element.text, element.length);
  strbuf_puts(&text, ">");
  if (end < part.end) strbuf_add(&text, x->text + end, part.end - end);
  run_trial(c, &text, t);
  return t->found;
}

static bool result_of_trials(completion *c, const operand_types *types, trial *t) {
  report_text tried[OPERANDS_MAX + 1];
  uint32_t count = 0;
  for (uint32_t i = 0; i <= types->count && i < OPERANDS_MAX; i++) {
    report_text element = {"i1", 2};
    if (i < types->count) {
      element = element_of(types->whole[i]);
    }
    bool again = element.length == 0;
    for (uint32_t k = 0; k < count; k++)
      again |= tried[k].length == element.length &&
               memcmp(tried[k].text, element.text, element.length) == 0;
    if (again) continue;
    tried[count++] = element;
    if (infer(c, types, element, t)) return true;
  }
  return false;
}

// --- the signature

static void put_signature(completion *c, const operand_types *types, report_text result) {
  shape_strbuf whole;
  // An operand whose type has a name that means the same: the result gets it, too.
  for (uint32_t i = 0; i < types->count; i++) {
    if (types->whole[i].length != result.length ||
        memcmp(types->whole[i].text, result.text, result.length) != 0)
      continue;
    result = types->types[i];
    break;
  }
  bool quoted = syn_kind_is(c->x, c->x->ops[c->at.op].name, SYN_STRING);
  if (!quoted && all_equal(types, result)) put_type(c, result.text, result.length, c->count);
  strbuf_init(&whole, c->call->arena);
  strbuf_putc(&whole, '(');
  put_list(types, &whole);
  strbuf_puts(&whole, ") -> ");
  strbuf_add(&whole, result.text, result.length);
  put_type(c, whole.data, whole.length, c->count);
}

// What a function returns, as its text has it; empty: nothing.
static report_text result_of_function(const completion *c, uint32_t op) {
  const syn_index *x = c->x;
  uint32_t t = x->names[x->ops[op].symbol].begin;
  t = syn_token_before(x, t + 1) + 1;
  if (syn_char(x, t) != '(') return (report_text){"", 0};
  uint32_t end = syn_type_end(x, t);
  // (a: t) -> r reads as a type of a function: what it ends with is the result.
  uint32_t depth = 0, arrow = SYN_NONE;
  for (uint32_t k = t; k <= end; k++) {
    char ch = syn_kind_is(x, k, SYN_PUNCT) ? syn_char(x, k) : 0;
    bool one = x->tokens[k].end - x->tokens[k].begin == 1;
    if (one && (ch == '(' || ch == '<' || ch == '{' || ch == '[')) depth++;
    if (one && (ch == ')' || ch == '>' || ch == '}' || ch == ']')) depth--;
    if (!one && ch == '-' && !depth && arrow == SYN_NONE) arrow = k;
  }
  if (arrow == SYN_NONE) return (report_text){"()", 2};
  return text_of(c, (syn_type){arrow + 1, end});
}

static void complete_inferred(completion *c) {
  const syn_index *x = c->x;
  operand_types types = types_of_operands(c);
  const syn_op *o = &x->ops[c->at.op];
  bool result_alone = syn_is(x, c->at.before, "->");
  bool whole = c->at.before == syn_colon_of(x, c->at.op);
  shape_strbuf list;
  trial t = {.found = false};
  strbuf_init(&list, c->call->arena);
  if (!result_alone && !whole) {
    if (c->at.operand < types.count && types.types[c->at.operand].length)
      put_type(c, types.types[c->at.operand].text, types.types[c->at.operand].length, c->count);
    return;
  }
  if (!types.known) return;
  if (o->flags & SYN_TERMINATOR) {
    put_list(&types, &list);
    if (list.length) put_type(c, list.data, list.length, c->count);
    return;
  }
  uint32_t called = lsp_called(x, c->at.op);
  report_text result = {"", 0};
  if (called != SYN_NONE) {
    result = result_of_function(c, x->names[called].op);
  } else if (result_of_trials(c, &types, &t)) {
    result = (report_text){arena_strndup(c->call->arena, t.type, strlen(t.type)),
                           (uint32_t)strlen(t.type)};
  } else if (types.count && all_equal(&types, types.types[0]) &&
             !element_of(types.whole[0]).length) {
    put_type(c, types.types[0].text, types.types[0].length, c->count);
  }
  if (!result.length) return;
  if (result_alone) {
    put_type(c, result.text, result.length, c->count);
  } else {
    put_signature(c, &types, result);
  }
}

// --- the types that the text writes, the nearest first

static void complete_written(completion *c) {
  const syn_index *x = c->x;
  uint32_t put = 0, from = c->at.before == SYN_NONE ? 0 : c->at.before;
  for (uint32_t t = from, n = 0; t-- > 0 && n < TOKENS_MAX && put < TYPES_MAX; n++) {
    bool word = syn_kind_is(x, t, SYN_WORD) && syn_char(x, t + 1) == '<' &&
                x->tokens[t + 1].begin == x->tokens[t].end;
    bool type =
        word && (syn_is(x, t, "tensor") || syn_is(x, t, "memref") || syn_is(x, t, "vector"));
    bool alias = syn_kind_is(x, t, SYN_TYPE) && syn_char(x, t + 1) != '=';
    if (!type && !alias) continue;
    report_text text = text_of(c, (syn_type){t, syn_type_end(x, t)});
    if (intern_find(&c->types, text.text, text.length) != NAME_NONE) continue;
    put++;
    if (completion_fits(c, text.text, text.length)) put_type(c, text.text, text.length, 1000 + put);
  }
}

void complete_types(completion *c) {
  bool operation = c->at.types && c->at.op != SYN_NONE && c->x->ops[c->at.op].name != SYN_NONE &&
                   syn_colon_of(c->x, c->at.op) != SYN_NONE;
  if (operation) complete_inferred(c);
  complete_written(c);
}

// --- the types of an operation that has wrong ones

typedef struct check {
  bool right;
} check;

static void read_check(lsp_model *m, void *data) {
  check *c = data;
  c->right = m->complete;
  for (uint32_t i = 0; i < m->diag_count; i++) c->right &= m->diags[i].severity != DIAG_ERROR;
}

static bool is_right(lsp_call *call, uint32_t begin, uint32_t end, const shape_strbuf *with) {
  const syn_index *x = call->syntax;
  lsp_host host = call->server->host;
  shape_strbuf text;
  shape_status status;
  check c = {false};
  strbuf_init(&text, call->arena);
  strbuf_add(&text, x->text, begin);
  strbuf_add(&text, with->data, with->length);
  strbuf_add(&text, x->text + end, x->length - end);
  host.ask = NULL;
  host.busy = NULL;
  lsp_model_request request = {.text = text.data,
                               .length = text.length,
                               .settings = &call->server->settings,
                               .host = &host,
                               .analyse = true};
  lsp_model *m = lsp_model_new(&request, &status);
  if (m) lsp_model_protect(m, read_check, &c);
  lsp_model_free(m);
  return c.right;
}

bool lsp_right_types(lsp_call *call, uint32_t op, text_edits *edits) {
  const syn_index *x = call->syntax;
  completion c = {.call = call, .x = x, .at = {.op = op}};
  uint32_t colon = x->ops[op].name == SYN_NONE ? SYN_NONE : syn_colon_of(x, op);
  if (colon == SYN_NONE || x->ops[op].flags & (SYN_FUNCTION | SYN_TABLE | SYN_TERMINATOR))
    return false;
  uint32_t begin = x->tokens[colon].end, last = colon + 1;
  if (last >= x->token_count) return false;
  last = syn_type_end(x, last);
  uint32_t end = x->tokens[last].end;
  operand_types types = types_of_operands(&c);
  trial t = {.found = false};
  if (!types.known || !types.count || !result_of_trials(&c, &types, &t)) return false;
  report_text result = {t.type, (uint32_t)strlen(t.type)};
  bool functional = syn_char(x, colon + 1) == '(';
  shape_strbuf text;
  for (int form = 0; form < 2; form++) {
    bool whole = (form == 0) == functional;
    if (!whole && !all_equal(&types, result)) continue;
    strbuf_init(&text, call->arena);
    strbuf_puts(&text, whole ? " (" : " ");
    if (whole) {
      put_list(&types, &text);
      strbuf_puts(&text, ") -> ");
    }
    strbuf_add(&text, result.text, result.length);
    if (!is_right(call, begin, end, &text)) continue;
    source_text source = {.text = x->text, .length = x->length};
    edits_add(edits, &source, (source_span){begin, end}, strbuf_text(&text), text.length);
    return true;
  }
  return false;
}
