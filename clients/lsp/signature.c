// SPDX-License-Identifier: Apache-2.0
// Signature help: the operands of an operation by the names of its specification, or the arguments of the function that
// it calls, and which of them the cursor is in.
#include <string.h>

#include "clients/lsp/call.h"
#include "clients/lsp/operations.h"
#include "clients/lsp/syntax/context.h"

enum { PARAMETERS_MAX = 128 };

typedef struct signature {
  lsp_call *call;
  shape_strbuf label;
  source_span parameters[PARAMETERS_MAX];  // in the label
  bool many[PARAMETERS_MAX];
  uint32_t count;
} signature;

static void add_parameter(signature *s, const char *text, uint32_t length, bool many) {
  if (s->count == PARAMETERS_MAX) return;
  if (s->count) strbuf_puts(&s->label, ", ");
  uint32_t begin = s->label.length;
  strbuf_add(&s->label, text, length);
  if (many) strbuf_puts(&s->label, "...");
  s->many[s->count] = many;
  s->parameters[s->count++] = (source_span){begin, s->label.length};
}

// `%a: tensor<?xf32>` for each argument. A function that is declared has types alone.
static void take_function(signature *s, const syn_index *x, uint32_t called) {
  uint32_t op = x->names[called].op, argument;
  strbuf_add(&s->label, x->text + x->names[called].begin,
             x->names[called].end - x->names[called].begin);
  strbuf_putc(&s->label, '(');
  for (uint32_t i = 0; (argument = lsp_argument(x, op, i)) != SYN_NONE; i++) {
    const syn_name *n = &x->names[argument];
    syn_type type = syn_type_of(x, argument, 0);
    uint32_t end = type.last == SYN_NONE ? n->end : x->tokens[type.last].end;
    add_parameter(s, x->text + n->begin, end - n->begin, false);
  }
  uint32_t token = syn_token_before(x, x->names[called].begin + 1) + 1;
  if (!s->count && syn_char(x, token) == '(') {
    uint32_t at = token + 1;
    while (at < x->token_count && syn_char(x, at) != ')') {
      uint32_t last = syn_type_end(x, at), begin = x->tokens[at].begin;
      add_parameter(s, x->text + begin, x->tokens[last].end - begin, false);
      for (at = last + 1; at < x->token_count && !strchr(",)", syn_char(x, at));) at++;
      if (syn_char(x, at) == ',') at++;
    }
  }
  strbuf_putc(&s->label, ')');
}

static bool take_operation(signature *s, const char *name, uint32_t length) {
  const char *operands = op_operands(name, length);
  op_word word;
  if (!op_row_of(name, length) && !op_words_of(name, length)) return false;
  strbuf_add(&s->label, name, length);
  strbuf_putc(&s->label, '(');
  for (const char *at = operands; op_next_operand(&at, &word);)
    add_parameter(s, word.text, word.length, word.many);
  strbuf_putc(&s->label, ')');
  return true;
}

// The parameter that operand `index` of `total` belongs to: those that denote any number of operands share what the others
// leave, each the same number.
static uint32_t active(const signature *s, uint32_t index, uint32_t total) {
  uint32_t many = 0, first = 0;
  for (uint32_t i = 0; i < s->count; i++) many += s->many[i];
  if (total < s->count) total = s->count;
  if (total <= index) total = index + 1;
  uint32_t share = many ? (total - (s->count - many)) / many : 1;
  for (uint32_t i = 0; i < s->count; i++) {
    bool last = true;
    for (uint32_t k = i + 1; k < s->count; k++) last &= !s->many[k];
    uint32_t next = first + (s->many[i] ? share : 1);
    if (index < next || (s->many[i] && last && i + 1 == s->count)) return i;
    first = next;
  }
  return index;
}

// Operands that are written.
static uint32_t count_operands(const syn_index *x, uint32_t op) {
  uint32_t count = 0;
  for (uint32_t t = x->ops[op].name + 1; t <= x->ops[op].last && t < x->token_count; t++) {
    uint32_t after = syn_skip_region(x, op, t);
    if (after != t) t = after;
    count += syn_kind_is(x, t, SYN_VALUE);
  }
  return count;
}

static void put_parameter(signature *s, source_span at) {
  json_writer *w = s->call->w;
  json_begin_object(w);
  if (s->call->server->client.label_offsets) {
    json_key_array(w, "label");
    json_int(w, lsp_units(s->label.data, at.begin, LSP_UTF16));
    json_int(w, lsp_units(s->label.data, at.end, LSP_UTF16));
    json_end_array(w);
  } else {
    lsp_put_text(w, "label", (report_text){s->label.data + at.begin, at.end - at.begin});
  }
  json_end_object(w);
}

static void put_signature(signature *s, const char *name, uint32_t length, uint32_t parameter) {
  json_writer *w = s->call->w;
  shape_strbuf text;
  strbuf_init(&text, s->call->arena);
  json_begin_object(w);
  json_key_array(w, "signatures");
  json_begin_object(w);
  lsp_put_text(w, "label", (report_text){s->label.data, s->label.length});
  if (op_describe(name, length, s->call->server->client.markdown, &text)) {
    json_key(w, "documentation");
    lsp_put_markup(s->call->server, w, &text);
  }
  json_key_array(w, "parameters");
  for (uint32_t i = 0; i < s->count; i++) put_parameter(s, s->parameters[i]);
  json_end_array(w);
  json_end_object(w);
  json_end_array(w);
  json_put_int(w, "activeSignature", 0);
  json_put_int(w, "activeParameter", parameter);
  json_end_object(w);
}

// Whether operands are typed there.
static bool in_operands(const syn_index *x, const syn_context *at) {
  if (at->op == SYN_NONE || x->ops[at->op].name == SYN_NONE || at->region != x->ops[at->op].region)
    return false;
  const syn_op *o = &x->ops[at->op];
  if (o->flags & (SYN_FUNCTION | SYN_TABLE | SYN_LABEL | SYN_ALIAS)) return false;
  return at->operands;
}

bool lsp_signature_help(lsp_call *call) {
  const syn_index *x = call->syntax;
  uint32_t offset;
  if (!lsp_offset_read(call, &offset))
    return lsp_fail(call, LSP_INVALID_PARAMS, "params.position is not a position");
  syn_context at = syn_context_at(x, offset);
  signature s = {.call = call};
  strbuf_init(&s.label, call->arena);
  if (!in_operands(x, &at)) {
    json_null(call->w);
    return true;
  }
  uint32_t name = x->ops[at.op].name, begin = x->tokens[name].begin, end = x->tokens[name].end;
  if (x->tokens[name].kind == SYN_STRING && end - begin >= 2) begin++, end--;
  uint32_t called = lsp_called(x, at.op);
  if (called != SYN_NONE) {
    take_function(&s, x, called);
  } else if (!take_operation(&s, x->text + begin, end - begin)) {
    json_null(call->w);
    return true;
  }
  uint32_t parameter = active(&s, at.operand, count_operands(x, at.op));
  put_signature(&s, x->text + begin, end - begin, parameter);
  return true;
}
