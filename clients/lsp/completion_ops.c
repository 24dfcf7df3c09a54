// SPDX-License-Identifier: Apache-2.0
// Completion of operations, their attributes and the words of their own syntax, from the tables of operations.
#include <string.h>

#include "clients/lsp/completion.h"
#include "clients/lsp/operations.h"

static const char *copy(completion *c, const char *text, size_t length) {
  return arena_strndup(c->call->arena, text, length);
}

// Of the operation that is typed, without quotes.
static report_text op_name(const completion *c) {
  const syn_index *x = c->x;
  uint32_t name = c->at.op == SYN_NONE ? SYN_NONE : x->ops[c->at.op].name;
  if (name == SYN_NONE) return (report_text){"", 0};
  uint32_t begin = x->tokens[name].begin, end = x->tokens[name].end;
  if (x->tokens[name].kind == SYN_STRING && end - begin >= 2) begin++, end--;
  return (report_text){x->text + begin, end - begin};
}

bool completion_has_no_region(const completion *c) {
  report_text name = op_name(c);
  const op_row *row = op_row_of(name.text, name.length);
  return row && (row->structure == OP_PLAIN || row->structure == OP_CALL);
}

static bool is_quoted(const completion *c) {
  return syn_kind_is(c->x, c->x->ops[c->at.op].name, SYN_STRING);
}

// --- a whole operation as a snippet, in the generic form, which is the same for all

typedef struct snippet {
  completion *c;
  shape_strbuf *out;
  uint32_t stop;  // the last tab stop
} snippet;

// Text within a placeholder.
static void put_escaped(snippet *s, const char *text, uint32_t length) {
  for (uint32_t i = 0; i < length; i++) {
    if (strchr("$}\\|,", text[i])) strbuf_putc(s->out, '\\');
    strbuf_putc(s->out, text[i]);
  }
}

static void put_stop(snippet *s, const char *before, const char *text, uint32_t length) {
  strbuf_printf(s->out, "${%u:%s", ++s->stop, before);
  put_escaped(s, text, length);
  strbuf_putc(s->out, '}');
}

static void put_choice(snippet *s, const char *dialect, int dialect_length, const op_attribute *a) {
  op_word values = a->values, value;
  bool wrapped = a->mnemonic.length > 0;
  if (wrapped) {
    strbuf_printf(s->out, "#%.*s<", dialect_length, dialect);
    strbuf_add(s->out, a->mnemonic.text, a->mnemonic.length);
    strbuf_putc(s->out, ' ');
  }
  strbuf_printf(s->out, "${%u|", ++s->stop);
  for (const char *sep = ""; op_next_value(&values, &value); sep = ",") {
    strbuf_puts(s->out, sep);
    put_escaped(s, value.text, value.length);
  }
  strbuf_puts(s->out, wrapped ? "|}>" : "|}");
}

static void put_snippet_attributes(snippet *s, const char *name, const op_words *words) {
  op_attribute a;
  bool any = false;
  int dialect = (int)strcspn(name, ".");
  for (const char *at = words->attributes; op_next_attribute(&at, &a);) {
    if (a.name.optional) continue;
    strbuf_puts(s->out, any ? ", " : " <{");
    any = true;
    strbuf_add(s->out, a.name.text, a.name.length);
    strbuf_puts(s->out, " = ");
    if (a.values.length && a.mnemonic.length) {
      put_choice(s, name, dialect, &a);
    } else {
      put_stop(s, "", "value", 5);
    }
  }
  if (any) strbuf_puts(s->out, "}>");
}

static void put_snippet(completion *c, const char *name, const op_row *row, uint32_t order) {
  const op_words *words = op_words_of(name, strlen(name));
  shape_strbuf text, label;
  snippet s = {.c = c, .out = &text};
  op_word operand;
  if (!words) return;
  strbuf_init(&text, c->call->arena);
  strbuf_init(&label, c->call->arena);
  strbuf_printf(&text, "\"%s\"(", name);
  uint32_t count = 0;
  for (const char *at = words->operands; op_next_operand(&at, &operand);) {
    if (operand.optional) continue;
    if (count++) strbuf_puts(&text, ", ");
    put_stop(&s, "%", operand.text, operand.length);
  }
  strbuf_putc(&text, ')');
  put_snippet_attributes(&s, name, words);
  bool region = row->structure != OP_PLAIN && row->structure != OP_RETURN;
  if (region) strbuf_puts(&text, " ({\n  $0\n})");
  strbuf_puts(&text, " : (");
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_puts(&text, ", ");
    put_stop(&s, "", "type", 4);
  }
  strbuf_puts(&text, ") -> ");
  if (row->results == 0) {
    strbuf_puts(&text, "()");
  } else {
    put_stop(&s, "", "type", 4);
  }
  strbuf_printf(&label, "\"%s\"(...)", name);
  completion_put(c, &(completion_item){.label = label.data,
                                       .length = label.length,
                                       .kind = ITEM_SNIPPET,
                                       .detail = {"the whole operation", 19},
                                       .text = {text.data, text.length},
                                       .order = order,
                                       .snippet = true,
                                       .operation = name,
                                       .definition = SYN_NONE});
}

// --- names of operations

static void put_operation(completion *c, const char *name, const op_row *row) {
  size_t length = strlen(name);
  shape_strbuf text;
  if (!completion_fits(c, name, length)) return;
  strbuf_init(&text, c->call->arena);
  if (c->at.quoted) strbuf_printf(&text, "\"%s\"", name);
  const char *source = row->source ? row->source : "";
  completion_put(c, &(completion_item){.label = name,
                                       .length = (uint32_t)length,
                                       .kind = ITEM_FUNCTION,
                                       .detail = {source, (uint32_t)strlen(source)},
                                       .text = {text.data, text.length},
                                       .order = c->count,
                                       .operation = name,
                                       .definition = SYN_NONE});
  if (c->call->server->client.snippets) put_snippet(c, name, row, 50000000 + c->count);
}

// Words that are operations without a dialect.
static void complete_keywords(completion *c) {
  static const char *const WORDS[] = {"call",   "cond_br", "br",       "func",
                                      "module", "return",  "func.func"};
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
    uint32_t length = (uint32_t)strlen(WORDS[i]);
    if (!completion_fits(c, WORDS[i], length)) continue;
    completion_put(c, &(completion_item){.label = WORDS[i],
                                         .length = length,
                                         .kind = ITEM_KEYWORD,
                                         .order = c->count,
                                         .operation = WORDS[i],
                                         .definition = SYN_NONE});
  }
}

void complete_operations(completion *c) {
  static const char OTHER[] = "stablehlo.";
  const char *last = "";
  if (!c->at.quoted) complete_keywords(c);
  bool typed = c->offset > c->at.begin + c->at.quoted;
  for (uint32_t i = 0; i < registry_count(); i++) {
    const op_row *row = registry_row(i);
    if (strcmp(row->name, last) == 0) continue;
    last = row->name;
    put_operation(c, row->name, row);
    // mhlo has them all, too, which is of interest to those who type its name.
    if (!typed || c->x->text[c->at.begin + c->at.quoted] != 'm') continue;
    if (strncmp(row->name, OTHER, sizeof OTHER - 1) != 0) continue;
    shape_strbuf name;
    strbuf_init(&name, c->call->arena);
    strbuf_printf(&name, "mhlo.%s", row->name + sizeof OTHER - 1);
    put_operation(c, strbuf_text(&name), row);
  }
  c->incomplete |= typed;
}

// --- attributes

// Whether the operation's text has the attribute: a word that is followed by = , or }.
static bool is_there(const completion *c, const op_word *name) {
  const syn_index *x = c->x;
  const syn_op *o = &x->ops[c->at.op];
  for (uint32_t t = o->name + 1; t <= o->last && t < x->token_count; t++) {
    uint32_t after = syn_skip_region(x, c->at.op, t);
    if (after != t) {
      t = after;
      continue;
    }
    const syn_token *token = &x->tokens[t];
    uint32_t begin = token->begin, end = token->end;
    if (begin == c->at.begin) continue;
    if (token->kind == SYN_STRING && end - begin >= 2) begin++, end--;
    if (token->kind != SYN_WORD && token->kind != SYN_STRING) continue;
    if (end - begin != name->length || memcmp(x->text + begin, name->text, name->length) != 0)
      continue;
    if (strchr("=,}", syn_char(x, t + 1)) && syn_char(x, t + 1)) return true;
  }
  return false;
}

static void put_attribute(completion *c, const op_words *words, const char *op,
                          const op_attribute *a) {
  const char *name = copy(c, a->name.text, a->name.length);
  completion_put(c, &(completion_item){.label = name,
                                       .length = a->name.length,
                                       .kind = ITEM_PROPERTY,
                                       .detail = {words->name, (uint32_t)strlen(words->name)},
                                       .order = c->count + (a->name.optional ? 1000 : 0),
                                       .operation = op,
                                       .attribute = name,
                                       .definition = SYN_NONE});
}

// `A`, or `#dialect<mnemonic A>`, after `before`.
static void put_values(completion *c, const char *op, const op_attribute *a, const char *before,
                       bool wrapped) {
  op_word values = a->values, value;
  int dialect = (int)strcspn(op, ".");
  bool list = wrapped && a->name.length == 16 && memcmp(a->name.text, "precision_config", 16) == 0;
  while (op_next_value(&values, &value)) {
    shape_strbuf text;
    strbuf_init(&text, c->call->arena);
    strbuf_puts(&text, before);
    if (list) strbuf_putc(&text, '[');
    if (wrapped) {
      strbuf_printf(&text, "#%.*s<", dialect, op);
      strbuf_add(&text, a->mnemonic.text, a->mnemonic.length);
      strbuf_putc(&text, ' ');
    }
    strbuf_add(&text, value.text, value.length);
    if (wrapped) strbuf_putc(&text, '>');
    if (list) strbuf_putc(&text, ']');
    completion_put(c, &(completion_item){.label = text.data,
                                         .length = text.length,
                                         .kind = ITEM_VALUE,
                                         .order = c->count + 2000,
                                         .operation = op,
                                         .attribute = copy(c, a->name.text, a->name.length),
                                         .definition = SYN_NONE});
  }
}

void complete_attributes(completion *c) {
  report_text name = op_name(c);
  const op_words *words = op_words_of(name.text, name.length);
  op_attribute a;
  if (!words) return;
  const char *op = copy(c, name.text, name.length);
  bool quoted = is_quoted(c);
  for (const char *at = words->attributes; op_next_attribute(&at, &a);) {
    if ((a.spelled && !quoted) || is_there(c, &a.name)) continue;
    put_attribute(c, words, op, &a);
    if (!a.values.length || !a.mnemonic.length) continue;
    shape_strbuf before;
    strbuf_init(&before, c->call->arena);
    strbuf_add(&before, a.name.text, a.name.length);
    strbuf_puts(&before, " = ");
    put_values(c, op, &a, strbuf_text(&before), true);
  }
}

void complete_setting(completion *c) {
  report_text name = op_name(c);
  const op_words *words = op_words_of(name.text, name.length);
  const syn_token *key = c->at.key == SYN_NONE ? NULL : &c->x->tokens[c->at.key];
  op_attribute a;
  if (!words || !key) return;
  if (!op_find_attribute(words, c->x->text + key->begin, key->end - key->begin, &a)) return;
  const char *op = copy(c, name.text, name.length);
  bool in_angle = c->at.open != SYN_NONE && syn_char(c->x, c->at.open) == '<';
  bool by_word = a.spelled && a.word.length == key->end - key->begin &&
                 memcmp(a.word.text, c->x->text + key->begin, a.word.length) == 0;
  put_values(c, op, &a, "", !in_angle && !by_word && a.mnemonic.length > 0);
}

// --- the operation's own syntax

void complete_own_syntax(completion *c) {
  report_text name = op_name(c);
  const op_words *words = op_words_of(name.text, name.length);
  op_attribute a;
  if (!words || is_quoted(c) || c->at.in_parens) return;
  const char *op = copy(c, name.text, name.length);
  bool first = c->at.before == c->x->ops[c->at.op].name;
  for (const char *at = words->attributes; op_next_attribute(&at, &a);) {
    bool bare = a.spelled && a.values.length && (!a.word.length || *a.word.text == ',');
    if (bare && first == !a.word.length) put_values(c, op, &a, "", false);
    bool key =
        a.spelled && a.word.length && ((*a.word.text | 32) >= 'a' && (*a.word.text | 32) <= 'z');
    if (first || !key || is_there(c, &a.word)) continue;
    const char *word = copy(c, a.word.text, a.word.length);
    completion_put(c, &(completion_item){.label = word,
                                         .length = a.word.length,
                                         .kind = ITEM_PROPERTY,
                                         .order = c->count,
                                         .operation = op,
                                         .attribute = copy(c, a.name.text, a.name.length),
                                         .definition = SYN_NONE});
  }
}

// --- what an item is

static void describe_attribute(const op_words *words, const char *operation, const char *attribute,
                               bool markdown, shape_strbuf *out) {
  op_attribute a;
  op_word value;
  const char *tick = markdown ? "`" : "";
  strbuf_printf(out, "attribute %s%s%s of %s%s%s", tick, attribute, tick, tick, operation, tick);
  if (!op_find_attribute(words, attribute, strlen(attribute), &a)) return;
  strbuf_puts(out, a.name.optional ? ", which may be absent" : ", which is needed");
  for (const char *sep = ": "; op_next_value(&a.values, &value); sep = " | ") {
    strbuf_printf(out, "%s%s%.*s%s", sep, tick, (int)value.length, value.text, tick);
  }
}

// The line of a definition.
static void describe_definition(lsp_call *call, uint32_t at, shape_strbuf *out) {
  const lsp_text *text = &call->document->text;
  if (at >= text->length) return;
  uint32_t begin = at, end = at;
  while (begin && text->data[begin - 1] != '\n') begin--;
  while (end < text->length && text->data[end] != '\n' && text->data[end] != '\r') end++;
  while (begin < end && (text->data[begin] == ' ' || text->data[begin] == '\t')) begin++;
  lsp_position line = lsp_position_of(&call->document->text.lines, text->data, text->length,
                                      call->server->encoding, at);
  strbuf_printf(out, "line %u: ", line.line + 1);
  if (call->server->client.markdown) {
    lsp_put_code(out, text->data + begin, end - begin);
  } else {
    strbuf_add(out, text->data + begin, end - begin);
  }
}

bool lsp_completion_resolve(lsp_call *call) {
  const cJSON *data = lsp_member(call->params, "data");
  const char *operation = lsp_text_member(data, "operation"), *uri = lsp_text_member(data, "uri");
  const char *attribute = lsp_text_member(data, "attribute");
  const cJSON *at = lsp_member(data, "at"), *version = lsp_member(data, "version");
  bool markdown = call->server->client.markdown;
  shape_strbuf text;
  if (!lsp_text_member(call->params, "label"))
    return lsp_fail(call, LSP_INVALID_PARAMS, "params is not a completion item");
  strbuf_init(&text, call->arena);
  call->document = uri ? lsp_find_document(call->server, uri) : NULL;
  bool same = call->document && cJSON_IsNumber(version) &&
              version->valuedouble == (double)call->document->version;
  if (operation && attribute) {
    const op_words *words = op_words_of(operation, strlen(operation));
    describe_attribute(words, operation, attribute, markdown, &text);
  } else if (operation && !op_describe(operation, strlen(operation), markdown, &text)) {
    strbuf_printf(&text, "%s of the dialects func and builtin", operation);
  }
  if (cJSON_IsNumber(at) && at->valuedouble >= 0 && same)
    describe_definition(call, (uint32_t)at->valuedouble, &text);
  json_begin_object(call->w);
  if (!lsp_put_members(call, call->params, "documentation")) return false;
  if (text.length) {
    json_key(call->w, "documentation");
    lsp_put_markup(call->server, call->w, &text);
  }
  json_end_object(call->w);
  return true;
}
