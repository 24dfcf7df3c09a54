// SPDX-License-Identifier: Apache-2.0
// Completion of names: values, functions, blocks, aliases. What is expected is asked of the tokens, so a text that is half
// typed has it, too, and no analysis is waited for.
#include "clients/lsp/completion.h"

#include <stdio.h>
#include <string.h>

enum { VALUES_MAX = 1000 };

// --- items

bool completion_fits(const completion *c, const char *text, size_t length) {
  uint32_t begin = c->at.begin + (c->at.quoted ? 1 : 0);
  size_t n = c->offset > begin ? c->offset - begin : 0;
  const char *typed = c->x->text + begin;
  if (n <= length && memcmp(text, typed, n) == 0) return true;
  for (size_t i = 1; i + n <= length; i++) {
    if (text[i - 1] == '.' && memcmp(text + i, typed, n) == 0) return true;
  }
  return false;
}

static void put_data(completion *c, const completion_item *item) {
  json_writer *w = c->call->w;
  json_key_object(w, "data");
  lsp_put_pair(w, "uri", c->call->document->uri);
  json_put_int(w, "version", c->call->document->version);
  if (item->operation) lsp_put_pair(w, "operation", item->operation);
  if (item->attribute) lsp_put_pair(w, "attribute", item->attribute);
  if (item->definition != SYN_NONE) json_put_int(w, "at", c->x->names[item->definition].begin);
  json_end_object(w);
}

void completion_put(completion *c, const completion_item *item) {
  json_writer *w = c->call->w;
  char order[16];
  report_text label = {item->label, item->length};
  snprintf(order, sizeof order, "%08u", item->order);
  c->count++;
  json_begin_object(w);
  lsp_put_text(w, "label", label);
  json_put_int(w, "kind", item->kind);
  if (item->detail.length) lsp_put_text(w, "detail", item->detail);
  lsp_put_pair(w, "sortText", order);
  if (item->snippet) json_put_int(w, "insertTextFormat", 2);
  if (c->at.quoted || item->snippet) {
    // What is typed has quotes, which clients compare with it.
    shape_strbuf filter;
    strbuf_init(&filter, c->call->arena);
    if (c->at.quoted) strbuf_putc(&filter, '"');
    const char *name = item->operation ? item->operation : item->label;
    strbuf_add(&filter, name, item->operation ? strlen(name) : item->length);
    lsp_put_text(w, "filterText", (report_text){filter.data, filter.length});
  }
  json_key_object(w, "textEdit");
  json_key(w, "range");
  json_raw(w, c->range, c->range_length);
  lsp_put_text(w, "newText", item->text.length ? item->text : label);
  json_end_object(w);
  put_data(c, item);
  json_end_object(w);
}

// --- values

typedef struct wanted_type {
  const char *text;  // NULL: any
  uint32_t length;
} wanted_type;

static wanted_type type_text(const completion *c, syn_type type) {
  shape_strbuf out;
  if (type.first == SYN_NONE) return (wanted_type){NULL, 0};
  strbuf_init(&out, c->call->arena);
  syn_type_text(c->x, type, &out);
  return (wanted_type){out.data, out.length};
}

// The function that an operation calls: the definition of its first symbol; SYN_NONE.
uint32_t lsp_called(const syn_index *x, uint32_t op) {
  uint32_t begin = x->tokens[x->ops[op].first].begin, end = x->tokens[x->ops[op].last].end;
  for (uint32_t i = syn_names_before(x, begin); i < x->name_count && x->names[i].begin < end; i++) {
    const syn_name *n = &x->names[i];
    if (n->kind != SYN_SYMBOL || n->defines || n->op != op || n->target == SYN_NONE) continue;
    const syn_name *d = &x->names[n->target];
    if (d->op != SYN_NONE && syn_word_flags(x, x->ops[d->op].name) & SYN_FUNCTION) return n->target;
  }
  return SYN_NONE;
}

// Argument `index` of a function: its definition; SYN_NONE.
uint32_t lsp_argument(const syn_index *x, uint32_t op, uint32_t index) {
  uint32_t name = x->ops[op].symbol;
  if (name == SYN_NONE || x->ops[op].head == SYN_NONE) return SYN_NONE;
  for (uint32_t i = name + 1; i < x->name_count; i++) {
    const syn_name *n = &x->names[i];
    if (n->begin > x->tokens[x->ops[op].last].end) break;
    if (n->kind != SYN_VALUE || !n->defines || n->scope != x->ops[op].head) continue;
    if (!index--) return i;
  }
  return SYN_NONE;
}

// The type that another operand of the operation has.
static syn_type type_beside(const completion *c) {
  const syn_index *x = c->x;
  uint32_t token = syn_token_before(x, c->at.begin);
  for (uint32_t t = x->ops[c->at.op].name; token != SYN_NONE && t <= token; t++) {
    if (!syn_kind_is(x, t, SYN_VALUE)) continue;
    uint32_t name = syn_name_at(x, x->tokens[t].begin);
    uint32_t target = name == SYN_NONE ? SYN_NONE : x->names[name].target;
    if (target == SYN_NONE || target == name) continue;
    uint32_t number = x->names[name].number == SYN_NONE ? 0 : x->names[name].number;
    return syn_type_of(x, target, number);
  }
  return (syn_type){SYN_NONE, SYN_NONE};
}

static wanted_type wanted(const completion *c) {
  const syn_index *x = c->x;
  uint32_t op = c->at.op;
  if (op == SYN_NONE || x->ops[op].name == SYN_NONE) return (wanted_type){NULL, 0};
  syn_type type = syn_operand_type(x, op, c->at.operand);
  if (type.first != SYN_NONE) return type_text(c, type);
  uint32_t called = lsp_called(x, op);
  uint32_t argument =
      called == SYN_NONE ? SYN_NONE : lsp_argument(x, x->names[called].op, c->at.operand);
  if (argument != SYN_NONE) return type_text(c, syn_type_of(x, argument, 0));
  return type_text(c, type_beside(c));
}

static report_text as_written(const completion *c, syn_type type) {
  if (type.first == SYN_NONE) return (report_text){"", 0};
  uint32_t begin = c->x->tokens[type.first].begin;
  return (report_text){c->x->text + begin, c->x->tokens[type.last].end - begin};
}

static void put_value(completion *c, uint32_t name, uint32_t number, wanted_type want,
                      uint32_t order) {
  const syn_name *n = &c->x->names[name];
  report_text label = {c->x->text + n->begin, n->end - n->begin};
  syn_type written = syn_type_of(c->x, name, number);
  wanted_type type = type_text(c, written);
  bool same = want.text && type.text && want.length == type.length &&
              memcmp(want.text, type.text, want.length) == 0;
  if (n->number != SYN_NONE && n->number > 1) {
    shape_strbuf text;
    strbuf_init(&text, c->call->arena);
    strbuf_add(&text, label.text, label.length);
    strbuf_printf(&text, "#%u", number);
    label = (report_text){text.data, text.length};
  }
  completion_put(c, &(completion_item){.label = label.text,
                                       .length = label.length,
                                       .kind = ITEM_VARIABLE,
                                       .detail = as_written(c, written),
                                       .order = order + (same ? 0 : 10000000),
                                       .definition = name});
}

static void complete_values(completion *c) {
  enum { ROOM = 100000, RESULTS_MAX = 64 };
  uint32_t *names = arena_alloc(c->call->arena, ROOM * sizeof *names);
  uint32_t count = syn_values_at(c->x, c->call->arena, &c->at, names, ROOM);
  wanted_type want = wanted(c);
  uint32_t order = 0;
  for (uint32_t i = 0; i < count; i++) {
    const syn_name *n = &c->x->names[names[i]];
    bool all = count <= VALUES_MAX;
    if (!all && !completion_fits(c, c->x->text + n->begin, n->end - n->begin)) continue;
    if (c->count >= VALUES_MAX) {
      c->incomplete = true;
      break;
    }
    uint32_t results = n->number == SYN_NONE ? 1 : n->number;
    for (uint32_t k = 0; k < results && k < RESULTS_MAX; k++)
      put_value(c, names[i], k, want, order++);
  }
}

// --- symbols, blocks, aliases

static bool sees_table(const syn_index *x, uint32_t region, uint32_t table) {
  for (uint32_t r = region; r != SYN_NONE;) {
    if (x->scopes[x->regions[r].scope].table == table) return true;
    uint32_t op = x->regions[r].op;
    if (op == SYN_NONE) return false;
    r = x->ops[op].region;
  }
  return false;
}

static bool is_function(const syn_index *x, const syn_name *n) {
  return n->op != SYN_NONE && syn_word_flags(x, x->ops[n->op].name) & SYN_FUNCTION;
}

static bool is_wanted_symbol(const completion *c, const syn_name *n) {
  const syn_index *x = c->x;
  bool table = n->op != SYN_NONE && syn_word_flags(x, x->ops[n->op].name) & SYN_TABLE;
  bool dim = n->begin && x->text[n->begin] != '@' && !is_function(x, n);
  if (table || dim != (c->at.expects == SYN_EXPECTS_DIM)) return false;
  return sees_table(x, c->at.region, x->scopes[n->scope].table);
}

static bool is_wanted_name(const completion *c, const syn_name *n) {
  const syn_index *x = c->x;
  uint32_t scope = x->regions[c->at.region].scope;
  if (!n->defines) return false;
  switch (c->at.expects) {
  case SYN_EXPECTS_SYMBOL:
  case SYN_EXPECTS_DIM: return n->kind == SYN_SYMBOL && is_wanted_symbol(c, n);
  case SYN_EXPECTS_BLOCK: return n->kind == SYN_BLOCK && n->scope == scope;
  case SYN_EXPECTS_ALIAS:
    return n->kind == SYN_ATTR && x->scopes[n->scope].root == x->scopes[scope].root;
  case SYN_EXPECTS_TYPE:
    return n->kind == SYN_TYPE && x->scopes[n->scope].root == x->scopes[scope].root;
  default: return false;
  }
}

// The text of a definition from the name on, in one line.
static report_text rest_of_line(const syn_index *x, const syn_name *n) {
  uint32_t end = n->end;
  while (end < x->length && x->text[end] != '\n' && x->text[end] != '\r' && end - n->end < 200)
    end++;
  while (end > n->end && strchr(" {", x->text[end - 1])) end--;
  uint32_t begin = n->end;
  while (begin < end && strchr(" =", x->text[begin])) begin++;
  return (report_text){x->text + begin, end - begin};
}

static void complete_names(completion *c) {
  static const char SIGILS[] = {[SYN_EXPECTS_SYMBOL] = '@',
                                [SYN_EXPECTS_DIM] = '@',
                                [SYN_EXPECTS_BLOCK] = '^',
                                [SYN_EXPECTS_TYPE] = '!',
                                [SYN_EXPECTS_ALIAS] = '#'};
  static const int KINDS[] = {[SYN_EXPECTS_SYMBOL] = ITEM_FUNCTION,
                              [SYN_EXPECTS_DIM] = ITEM_CONSTANT,
                              [SYN_EXPECTS_BLOCK] = ITEM_REFERENCE,
                              [SYN_EXPECTS_TYPE] = ITEM_TYPE,
                              [SYN_EXPECTS_ALIAS] = ITEM_CONSTANT};
  const syn_index *x = c->x;
  uint8_t *seen = arena_zalloc(c->call->arena, (size_t)x->chain_count + 1);
  for (uint32_t i = 0; i < x->name_count; i++) {
    const syn_name *n = &x->names[i];
    if (!is_wanted_name(c, n) || seen[n->text]) continue;
    bool before = n->begin < c->at.begin || n->kind == SYN_SYMBOL || n->kind == SYN_BLOCK;
    if (!before) continue;
    seen[n->text] = 1;
    uint32_t length;
    const char *name = syn_name_text(x, i, &length);
    shape_strbuf text;
    strbuf_init(&text, c->call->arena);
    if (x->text[n->begin] == SIGILS[c->at.expects]) {
      strbuf_add(&text, x->text + n->begin, n->end - n->begin);
    } else {
      strbuf_putc(&text, SIGILS[c->at.expects]);
      strbuf_add(&text, name, length);
    }
    completion_put(c, &(completion_item){.label = text.data,
                                         .length = text.length,
                                         .kind = KINDS[c->at.expects],
                                         .detail = rest_of_line(x, n),
                                         .order = c->count,
                                         .definition = i});
  }
}

// --- the request

static void complete(completion *c) {
  bool sigil = c->at.end > c->at.begin && strchr("%@^!#", c->x->text[c->at.begin]);
  switch (c->at.expects) {
  case SYN_EXPECTS_NOTHING: break;
  case SYN_EXPECTS_OP:
    // `{` of attributes reads as that of a region where an operation follows.
    if (c->at.opened && completion_has_no_region(c)) {
      complete_attributes(c);
    } else {
      complete_operations(c);
    }
    break;
  case SYN_EXPECTS_OPERAND:
    if (!sigil) complete_own_syntax(c);
    if (sigil || c->at.end == c->at.begin) complete_values(c);
    break;
  case SYN_EXPECTS_TYPE:
    if (sigil) {
      complete_names(c);
    } else {
      complete_types(c);
    }
    break;
  case SYN_EXPECTS_SYMBOL:
  case SYN_EXPECTS_DIM:
  case SYN_EXPECTS_BLOCK:
  case SYN_EXPECTS_ALIAS: complete_names(c); break;
  case SYN_EXPECTS_ATTRIBUTE: complete_attributes(c); break;
  case SYN_EXPECTS_SETTING: complete_setting(c); break;
  }
}

bool lsp_completion(lsp_call *call) {
  completion c = {.call = call, .x = call->syntax};
  shape_strbuf range;
  if (!lsp_offset_read(call, &c.offset))
    return lsp_fail(call, LSP_INVALID_PARAMS, "params.position is not a position");
  c.at = syn_context_at(c.x, c.offset);
  if (c.at.begin > c.offset) c.at.begin = c.at.end = c.offset;
  json_writer w;
  intern_init(&c.types, call->arena);
  strbuf_init(&range, call->arena);
  json_writer_init(&w, &range);
  lsp_put_range(call->server, call->document, &w, (source_span){c.at.begin, c.at.end});
  c.range = range.data;
  c.range_length = range.length;
  json_begin_object(call->w);
  json_key_array(call->w, "items");
  complete(&c);
  json_end_array(call->w);
  json_put_bool(call->w, "isIncomplete", c.incomplete);
  json_end_object(call->w);
  return true;
}
