// SPDX-License-Identifier: Apache-2.0
// Code actions and commands: both name one of the rewrites by the same object, {"uri", "version", "action", ...}.
#include <stdio.h>
#include <string.h>

#include "clients/lsp/call.h"
#include "clients/lsp/syntax/context.h"
#include "solver/ops/traits.h"

typedef enum action_kind {
  WRITE_TYPES,
  INSERT_GUARDS,
  ASSERT_SUGGESTED,  // and insert the guards that are left under it
  NAME_SYMBOL,
  SPECIALISE,
  WRITE_TYPE,  // of one value, and where it is used
  FIX_TYPE,    // of an operation whose type is wrong
  GUARD_OPERATION,
  ACTION_KINDS
} action_kind;

static const char *const NAMES[ACTION_KINDS] = {[WRITE_TYPES] = "writeTypes",
                                                [INSERT_GUARDS] = "insertGuards",
                                                [ASSERT_SUGGESTED] = "assertSuggested",
                                                [NAME_SYMBOL] = "nameSymbol",
                                                [SPECIALISE] = "specialise",
                                                [WRITE_TYPE] = "writeType",
                                                [FIX_TYPE] = "fixType",
                                                [GUARD_OPERATION] = "guardOperation"};

enum { BINDINGS_MAX = 32 };

typedef struct action {
  action_kind kind;
  const char *symbol, *name;  // NAME_SYMBOL
  const char *bindings[BINDINGS_MAX];
  uint32_t binding_count;
  uint32_t at;  // WRITE_TYPE: of the value's name; FIX_TYPE, GUARD_OPERATION: of the operation
} action;

static bool edit_value(lsp_call *call, uint32_t at, text_edits *edits) {
  const lsp_name_location *name = lsp_model_name_at(call->model, at);
  if (!name) return lsp_fail(call, LSP_INVALID_PARAMS, "there is no such value");
  return lsp_edit_types(call, name->value, 1, edits);
}

static bool edit_operation(lsp_call *call, uint32_t at, text_edits *edits) {
  uint32_t op = syn_op_of_token(call->syntax, syn_token_before(call->syntax, at + 1));
  bool made = op != SYN_NONE && lsp_right_types(call, op, edits);
  return made || lsp_fail(call, LSP_REQUEST_FAILED, "no right type is known");
}

static bool make_edits(lsp_call *call, const action *a, text_edits *edits) {
  switch (a->kind) {
  case WRITE_TYPES: return lsp_edit_types(call, VALUE_NONE, 0, edits);
  case INSERT_GUARDS: return lsp_edit_guards(call, false, edits);
  case ASSERT_SUGGESTED: return lsp_edit_guards(call, true, edits);
  case NAME_SYMBOL: return lsp_edit_name(call, a->symbol, a->name, edits);
  case SPECIALISE: return lsp_edit_specialise(call, a->bindings, a->binding_count, edits);
  case WRITE_TYPE: return edit_value(call, a->at, edits);
  case FIX_TYPE: return edit_operation(call, a->at, edits);
  case GUARD_OPERATION: return lsp_edit_guard(call, a->at, edits);
  case ACTION_KINDS: break;
  }
  return false;
}

// --- what names an action

static bool read_action(lsp_call *call, const cJSON *data, const char *name, action *out) {
  memset(out, 0, sizeof *out);
  int kind = 0;
  while (kind < ACTION_KINDS && !(name && strcmp(NAMES[kind], name) == 0)) kind++;
  if (kind == ACTION_KINDS) return lsp_fail(call, LSP_INVALID_PARAMS, "there is no such command");
  out->kind = (action_kind)kind;
  out->symbol = lsp_text_member(data, "symbol");
  out->name = lsp_text_member(data, "name");
  const cJSON *list = lsp_member(data, "bindings");
  for (const cJSON *i = cJSON_IsArray(list) ? list->child : NULL; i; i = i->next) {
    if (!cJSON_IsString(i) || out->binding_count == BINDINGS_MAX) {
      return lsp_fail(call, LSP_INVALID_PARAMS, "bindings are texts such as \"arg0.0=8\"");
    }
    out->bindings[out->binding_count++] = i->valuestring;
  }
  if (out->kind == NAME_SYMBOL && (!out->symbol || !out->name)) {
    return lsp_fail(call, LSP_INVALID_PARAMS, "\"symbol\" and \"name\" are needed");
  }
  const cJSON *at = lsp_member(data, "at");
  if (cJSON_IsNumber(at) && at->valuedouble >= 0 && at->valuedouble < UINT32_MAX)
    out->at = (uint32_t)at->valuedouble;
  if (out->kind >= WRITE_TYPE && !cJSON_IsNumber(at))
    return lsp_fail(call, LSP_INVALID_PARAMS, "\"at\" is needed");
  if (out->kind == SPECIALISE && !out->binding_count) {
    return lsp_fail(call, LSP_INVALID_PARAMS, "\"bindings\" are needed");
  }
  return true;
}

static void put_data(lsp_call *call, const action *a) {
  json_writer *w = call->w;
  json_begin_object(w);
  lsp_put_pair(w, "uri", call->document->uri);
  json_put_int(w, "version", call->document->version);
  lsp_put_pair(w, "action", NAMES[a->kind]);
  if (a->kind == NAME_SYMBOL) {
    lsp_put_pair(w, "symbol", a->symbol);
    lsp_put_pair(w, "name", a->name);
  }
  if (a->kind >= WRITE_TYPE) json_put_int(w, "at", a->at);
  if (a->kind == SPECIALISE) {
    json_key_array(w, "bindings");
    for (uint32_t i = 0; i < a->binding_count; i++) json_string(w, a->bindings[i]);
    json_end_array(w);
  }
  json_end_object(w);
}

// --- code actions

typedef struct offer {
  lsp_call *call;
  const cJSON *only;         // kinds that are wanted, or NULL
  const cJSON *diagnostics;  // of the context
} offer;

static bool is_wanted(const offer *o, const char *kind) {
  if (!cJSON_IsArray(o->only)) return true;
  for (const cJSON *i = o->only->child; i; i = i->next) {
    size_t n = cJSON_IsString(i) ? strlen(i->valuestring) : SIZE_MAX;
    bool below = n <= strlen(kind) && strncmp(kind, i->valuestring, n) == 0;
    if (below && (kind[n] == 0 || kind[n] == '.' || n == 0)) return true;
  }
  return false;
}

static void put_command(lsp_call *call, const char *title, const action *a) {
  json_writer *w = call->w;
  char name[64];
  snprintf(name, sizeof name, "shaped.%s", NAMES[a->kind]);
  json_begin_object(w);
  lsp_put_pair(w, "title", title);
  lsp_put_pair(w, "command", name);
  json_key_array(w, "arguments");
  put_data(call, a);
  json_end_array(w);
  json_end_object(w);
}

static bool is_guard(const cJSON *diagnostic) {
  const char *code = lsp_text_member(diagnostic, "code");
  const char *source = lsp_text_member(diagnostic, "source");
  return code && source && strcmp(code, "guard") == 0 && strcmp(source, "shaped") == 0;
}

static bool is_error(const cJSON *diagnostic) {
  const cJSON *severity = lsp_member(diagnostic, "severity");
  const char *source = lsp_text_member(diagnostic, "source");
  return source && strcmp(source, "shaped") == 0 && cJSON_IsNumber(severity) &&
         severity->valuedouble == 1;
}

static void put_solved(const offer *o, action_kind kind) {
  json_writer *w = o->call->w;
  json_key_array(w, "diagnostics");
  for (const cJSON *d = cJSON_IsArray(o->diagnostics) ? o->diagnostics->child : NULL; d;
       d = d->next) {
    bool solves = kind == FIX_TYPE ? is_error(d) : is_guard(d);
    char *text = solves ? cJSON_PrintUnformatted(d) : NULL;
    if (!text) continue;
    json_raw(w, text, strlen(text));
    cJSON_free(text);
  }
  json_end_array(w);
}

// Whether all of what is inserted says something to the run, or some of it.
static bool asserts(const text_edits *edits, bool all) {
  bool some = false, whole = true;
  for (uint32_t i = 0; i < edits->count; i++) {
    const char *text = edits->items[i].text;
    uint32_t length = edits->items[i].length;
    for (uint32_t at = 0; at < length;) {
      while (at < length && (text[at] == ' ' || text[at] == '\t')) at++;
      bool comment = at + 1 < length && text[at] == '/' && text[at + 1] == '/';
      some |= !comment && at < length && text[at] != '\r' && text[at] != '\n';
      whole &= !comment;
      while (at < length && text[at] != '\n') at++;
      at++;
    }
  }
  return some && (whole || !all);
}

// Whether the edits of an action can be written: asked once of what is known of a text, as it may be analysed again.
static bool can_be_written(lsp_call *call, const action *a) {
  lsp_model *m = call->model;
  shape_strbuf key;
  strbuf_init(&key, call->arena);
  strbuf_printf(&key, "%s %u %s", NAMES[a->kind], a->at, a->symbol ? a->symbol : "");
  for (uint32_t i = 0; i < a->binding_count; i++) strbuf_printf(&key, " %s", a->bindings[i]);
  name_id name = intern_add(&m->graph->names, strbuf_text(&key), key.length);
  uint32_t known;
  if (imap_get(&m->judged.offers, name, &known)) return known;
  text_edits edits = {.arena = call->arena};
  bool can = make_edits(call, a, &edits) && edits.count;
  bool guards = a->kind == INSERT_GUARDS || a->kind == ASSERT_SUGGESTED;
  if (guards) can = can && asserts(&edits, a->kind == ASSERT_SUGGESTED);
  imap_put(&m->judged.offers, m->graph->arena, name, can);
  return can;
}

static void put_action(const offer *o, const char *title, const char *kind, const action *a) {
  lsp_call *call = o->call;
  json_writer *w = call->w;
  if (!is_wanted(o, kind) || !can_be_written(call, a)) return;
  if (!call->server->client.action_literals) {
    put_command(call, title, a);
    return;
  }
  text_edits edits = {.arena = call->arena};
  bool lazy = call->server->client.lazy_action_edit;
  if (!lazy && !make_edits(call, a, &edits)) return;
  json_begin_object(w);
  lsp_put_pair(w, "title", title);
  lsp_put_pair(w, "kind", kind);
  if (strcmp(kind, "quickfix") == 0) put_solved(o, a->kind);
  if (!lazy) {
    json_key(w, "edit");
    lsp_put_workspace_edit(call, w, &edits);
  }
  json_key(w, "data");
  put_data(call, a);
  json_end_object(w);
}

// A command of the client's own: it asks for what is missing.
static void put_prompt(const offer *o, const char *title, const char *command, const char *symbol) {
  json_writer *w = o->call->w;
  if (!is_wanted(o, "refactor.rewrite")) return;
  json_begin_object(w);
  lsp_put_pair(w, "title", title);
  if (o->call->server->client.action_literals) {
    lsp_put_pair(w, "kind", "refactor.rewrite");
    json_key_object(w, "command");
    lsp_put_pair(w, "title", title);
  }
  lsp_put_pair(w, "command", command);
  json_key_array(w, "arguments");
  json_begin_object(w);
  lsp_put_pair(w, "uri", o->call->document->uri);
  json_put_int(w, "version", o->call->document->version);
  if (symbol) lsp_put_pair(w, "symbol", symbol);
  json_end_object(w);
  json_end_array(w);
  if (o->call->server->client.action_literals) json_end_object(w);
  json_end_object(w);
}

// "tokens_0" for dim 0 of %tokens; "size_3" where the argument has only a number.
static const char *suggested_name(lsp_call *call, const lsp_symbol *s) {
  const shape_graph *g = call->model->graph;
  const char *name = "size";
  uint32_t length = 4, axis = s->axis == ID_NONE ? 0 : s->axis;
  if (s->function < g->func_count && s->argument != ID_NONE) {
    const graph_block *entry = &g->blocks[g->regions[g->funcs[s->function].body].first_block];
    if (s->argument < entry->argument_count) {
      uint32_t n;
      const char *text = graph_value_text(g, entry->arguments + s->argument, &n);
      bool letter = n && ((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z'));
      bool plain = letter && n < 40;
      for (uint32_t i = 0; i < n && plain; i++) plain = !strchr(".$-", text[i]);
      if (plain) name = text, length = n;
    }
  }
  enum { TRIES = 100 };
  shape_strbuf out;
  for (uint32_t i = 1; i < TRIES; i++) {
    strbuf_init(&out, call->arena);
    strbuf_printf(&out, "%.*s_%u", (int)length, name, axis);
    if (i > 1) strbuf_printf(&out, "_%u", i);
    if (!lsp_name_is_taken(call->model, strbuf_text(&out))) break;
  }
  return strbuf_text(&out);
}

static void offer_symbol(const offer *o, const lsp_symbol *s) {
  lsp_call *call = o->call;
  const lsp_client *client = &call->server->client;
  const char *symbol = arena_strndup(call->arena, s->name.text, s->name.length);
  shape_strbuf title;
  if (!lsp_can_name(call->model, s)) return;
  strbuf_init(&title, call->arena);
  if (*client->name_symbol) {
    strbuf_printf(&title, "Name the dim %s...", symbol);
    put_prompt(o, strbuf_text(&title), client->name_symbol, symbol);
  } else {
    action a = {.kind = NAME_SYMBOL, .symbol = symbol, .name = suggested_name(call, s)};
    strbuf_printf(&title, "Name the dim %s '%s'", symbol, a.name);
    put_action(o, strbuf_text(&title), "refactor.rewrite", &a);
  }
}

static void offer_specialise(const offer *o, const char *name, uint32_t length, const char *value,
                             uint32_t value_length) {
  lsp_call *call = o->call;
  shape_strbuf binding, title;
  strbuf_init(&binding, call->arena);
  strbuf_init(&title, call->arena);
  strbuf_printf(&binding, "%.*s=%.*s", (int)length, name, (int)value_length, value);
  action a = {.kind = SPECIALISE, .bindings = {strbuf_text(&binding)}, .binding_count = 1};
  strbuf_printf(&title, "Specialise to %.*s = %.*s", (int)length, name, (int)value_length, value);
  put_action(o, strbuf_text(&title), "refactor.rewrite", &a);
}

// The likely dims of what its author declared, and what the settings list.
static void offer_sizes(const offer *o) {
  lsp_call *call = o->call;
  const setting_list *list = &call->server->settings.specialise;
  for (uint32_t i = 0; i < list->count; i++) {
    const char *equals = strchr(list->items[i], '=');
    if (!equals) continue;
    offer_specialise(o, list->items[i], (uint32_t)(equals - list->items[i]), equals + 1,
                     (uint32_t)strlen(equals + 1));
  }
  for (uint32_t i = 0; i < call->model->symbol_count; i++) {
    const lsp_symbol *s = &call->model->symbols[i];
    bool declared = strcmp(s->origin, "declared") == 0;
    for (uint32_t at = 0; declared && at < s->likely.length;) {
      uint32_t from = at;
      while (at < s->likely.length && s->likely.text[at] != ',') at++;
      offer_specialise(o, s->name.text, s->name.length, s->likely.text + from, at - from);
      at += 2;
    }
  }
  if (*call->server->client.specialise) {
    put_prompt(o, "Specialise to dims...", call->server->client.specialise, NULL);
  }
}

// Symbols in the dims of the value whose name or type is at the position, each once.
static void offer_names(const offer *o, uint32_t offset) {
  lsp_model *m = o->call->model;
  const lsp_name_location *name = lsp_model_name_at(m, offset);
  const lsp_type_location *type = name ? NULL : lsp_model_type_at(m, offset);
  const lsp_shape *shape =
      name || type ? lsp_model_shape(m, name ? name->value : type->value) : NULL;
  for (uint32_t i = 0; shape && shape->ranked && i < shape->rank; i++) {
    const lsp_symbol *s = lsp_model_symbol(m, shape->dims[i].text, shape->dims[i].length);
    bool seen = false;
    for (uint32_t k = 0; k < i; k++) {
      seen |= lsp_model_symbol(m, shape->dims[k].text, shape->dims[k].length) == s;
    }
    if (s && !seen) offer_symbol(o, s);
  }
}

// The value whose name is at the position, where more is known than its type says.
static void offer_type(const offer *o, uint32_t offset) {
  lsp_call *call = o->call;
  const lsp_name_location *name = lsp_model_name_at(call->model, offset);
  const lsp_shape *shape = name ? lsp_model_shape(call->model, name->value) : NULL;
  shape_strbuf title;
  if (!shape || !shape->says_more || !call->model->refines) return;
  source_span span = lsp_name_span(call->model, name->at);
  strbuf_init(&title, call->arena);
  strbuf_puts(&title, "Write the type of ");
  strbuf_add(&title, call->model->graph->source.text + span.begin, span.end - span.begin);
  put_action(o, strbuf_text(&title), "refactor.rewrite",
             &(action){.kind = WRITE_TYPE, .at = name->at});
}

// The operation at the range, where it has an error that another type would mend.
static void offer_fix(const offer *o, source_span range) {
  const lsp_model *m = o->call->model;
  const syn_index *x = o->call->syntax;
  if (!is_wanted(o, "quickfix") || !m->complete) return;
  for (uint32_t i = 0; i < m->diag_count; i++) {
    const lsp_diag *d = &m->diags[i];
    if (d->severity != DIAG_ERROR || d->span.begin > range.end || d->span.end < range.begin)
      continue;
    uint32_t op = syn_op_of_token(x, syn_token_before(x, d->span.begin + 1));
    text_edits edits = {.arena = o->call->arena};
    if (op == SYN_NONE || !lsp_right_types(o->call, op, &edits)) continue;
    put_action(o, "Write the type that the operation has", "quickfix",
               &(action){.kind = FIX_TYPE, .at = x->tokens[x->ops[op].first].begin});
    return;
  }
}

// What would leave less to be checked: the author may know that it always holds.
static void offer_suggested(const offer *o, const char *kind) {
  lsp_call *call = o->call;
  shape_report *report = is_wanted(o, kind) ? lsp_model_report(call->model) : NULL;
  shape_strbuf title;
  uint32_t left;
  strbuf_init(&title, call->arena);
  strbuf_puts(&title, "Assert that ");
  if (!report || !report_suggested(report, &title, &left)) return;
  strbuf_puts(&title, left ? ", and insert the guards that are left" : ", which proves all guards");
  put_action(o, strbuf_text(&title), kind, &(action){.kind = ASSERT_SUGGESTED});
}

// Whether the operation is in the function whose arguments the guards speak of.
static bool is_in_entry(const lsp_model *m, op_id op) {
  const shape_graph *g = m->graph;
  block_id block = g->ops[op].parent;
  if (block == ID_NONE) return false;
  func_id func = g->regions[g->blocks[block].region].func;
  if (m->report) return m->report->function_count && m->report->functions[0].id == func;
  name_id name = g->funcs[func].name;
  return name != NAME_NONE && intern_length(&g->names, name) == m->entry.length &&
         memcmp(intern_text(&g->names, name), m->entry.text, m->entry.length) == 0;
}

// The operation at the position, where a guard says what it requires.
static void offer_guard(const offer *o, const char *kind, uint32_t offset) {
  lsp_call *call = o->call;
  const lsp_model *m = call->model;
  op_id op = lsp_model_op_at(m, offset);
  const lsp_constraint *guard = NULL;
  uint32_t count = 0;
  if (op == ID_NONE || op_is_assertion(m->graph, op) || !is_in_entry(m, op)) return;
  for (uint32_t i = 0; i < m->facts.guard_count; i++) {
    const lsp_constraint *c = &m->facts.guards[i];
    source_span span = m->graph->ops[op].span;
    bool here = c->because_count && !span_is_none(c->because[0].span) &&
                c->because[0].span.begin >= span.begin && c->because[0].span.begin < span.end;
    if (!here) continue;
    guard = c;
    count++;
  }
  if (!count) return;
  shape_strbuf title;
  strbuf_init(&title, call->arena);
  strbuf_puts(&title, "Guard this operation: assert ");
  if (count > 1) strbuf_printf(&title, "its %u guards", count);
  if (count == 1) strbuf_printf(&title, "%.*s", (int)guard->expr.length, guard->expr.text);
  strbuf_puts(&title, " in front of it");
  put_action(o, strbuf_text(&title), kind,
             &(action){.kind = GUARD_OPERATION, .at = m->graph->ops[op].span.begin});
}

static void offer_guards(const offer *o, uint32_t offset) {
  bool at_guard = false;
  for (const cJSON *d = cJSON_IsArray(o->diagnostics) ? o->diagnostics->child : NULL; d;
       d = d->next) {
    at_guard |= is_guard(d);
  }
  const char *kind = at_guard ? "quickfix" : "refactor.rewrite";
  put_action(o, "Insert the guards as assertions at the entry", kind,
             &(action){.kind = INSERT_GUARDS});
  offer_suggested(o, kind);
  offer_guard(o, kind, offset);
}

bool lsp_code_action(lsp_call *call) {
  const cJSON *context = lsp_member(call->params, "context");
  offer o = {call, lsp_member(context, "only"), lsp_member(context, "diagnostics")};
  source_span range;
  if (!lsp_range_read(call, lsp_member(call->params, "range"), &range)) {
    return lsp_fail(call, LSP_INVALID_PARAMS, "params.range is not a range");
  }
  bool ready = call->model->complete;
  for (uint32_t i = 0; i < call->model->diag_count; i++) {
    ready &= call->model->diags[i].severity != DIAG_ERROR;
  }
  json_begin_array(call->w);
  if (!ready) offer_fix(&o, range);
  if (ready) {
    if (call->model->facts.guard_count) offer_guards(&o, range.begin);
    if (call->model->refines) {
      put_action(&o, "Write all refined types", "refactor.rewrite", &(action){.kind = WRITE_TYPES});
    }
    offer_type(&o, range.begin);
    offer_names(&o, range.begin);
    offer_sizes(&o);
  }
  json_end_array(call->w);
  return true;
}

bool lsp_put_members(lsp_call *call, const cJSON *object, const char *without) {
  for (const cJSON *m = object->child; m; m = m->next) {
    if (strcmp(m->string, without) == 0) continue;
    char *text = cJSON_PrintUnformatted(m);
    if (!text) return lsp_fail(call, LSP_REQUEST_FAILED, "out of memory");
    json_key_text(call->w, m->string, strlen(m->string));
    json_raw(call->w, text, strlen(text));
    cJSON_free(text);
  }
  return true;
}

bool lsp_code_action_resolve(lsp_call *call) {
  const cJSON *data = lsp_member(call->params, "data");
  text_edits edits = {.arena = call->arena};
  action a;
  if (!read_action(call, data, lsp_text_member(data, "action"), &a)) return false;
  if (!make_edits(call, &a, &edits)) return false;
  json_begin_object(call->w);
  if (!lsp_put_members(call, call->params, "edit")) return false;
  json_key(call->w, "edit");
  lsp_put_workspace_edit(call, call->w, &edits);
  json_end_object(call->w);
  return true;
}

// --- commands

typedef struct application {
  lsp_call *call;
  const text_edits *edits;
} application;

static void write_application(json_writer *w, void *data) {
  application *a = data;
  json_begin_object(w);
  lsp_put_pair(w, "label", "shaped");
  json_key(w, "edit");
  lsp_put_workspace_edit(a->call, w, a->edits);
  json_end_object(w);
}

bool lsp_execute_command(lsp_call *call) {
  static const char PREFIX[] = "shaped.";
  const char *name = lsp_text_member(call->params, "command");
  const cJSON *data = lsp_member(call->params, "arguments")->child;
  text_edits edits = {.arena = call->arena};
  action a;
  bool ours = name && strncmp(name, PREFIX, sizeof PREFIX - 1) == 0;
  if (!read_action(call, data, ours ? name + sizeof PREFIX - 1 : NULL, &a)) return false;
  if (!call->server->client.apply_edit) {
    return lsp_fail(call, LSP_REQUEST_FAILED, "the client cannot apply edits");
  }
  if (!make_edits(call, &a, &edits)) return false;
  application apply = {call, &edits};
  if (edits.count) lsp_ask(call->server, "workspace/applyEdit", write_application, &apply);
  json_null(call->w);
  return true;
}
