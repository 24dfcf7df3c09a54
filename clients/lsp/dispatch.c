// SPDX-License-Identifier: Apache-2.0
// Messages to methods, and the models that methods need.
#include <stdlib.h>
#include <string.h>

#include "clients/lsp/call.h"

typedef enum method_kind { REQUEST, NOTIFICATION } method_kind;
typedef enum method_needs { NOTHING, SYNTAX, ANALYSIS, VALUES, MODEL, DATA, ARGUMENT } method_needs;

typedef struct method {
  const char *name;
  lsp_function *function;
  method_kind kind;
  method_needs needs;
} method;

static const method METHODS[] = {
#define X(name, function, kind, needs, capability) {name, lsp_##function, kind, needs},
#include "clients/lsp/methods.def"
#undef X
};

lsp_server *lsp_server_new(const lsp_host *host) {
  lsp_server *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->host = *host;
  s->encoding = LSP_UTF16;
  settings_init(&s->settings);
  arena_init(&s->arena, 0);
  return s;
}

void lsp_server_free(lsp_server *s) {
  if (!s) return;
  for (uint32_t i = 0; i < s->document_count; i++) {
    lsp_forget_model(s->documents[i]);
    lsp_forget_syntax(s->documents[i]);
    lsp_earlier_free(s->documents[i]->earlier);
    lsp_text_free(&s->documents[i]->text);
    free(s->documents[i]->uri);
    free(s->documents[i]);
  }
  free(s->documents);
  lsp_free_folders(&s->folders);
  settings_free(&s->settings);
  arena_destroy(&s->arena);
  free(s);
}

int lsp_server_exit(const lsp_server *s) {
  return s->state != LSP_EXITED ? -1 : s->clean_exit ? 0 : 1;
}

bool lsp_server_wants_progress(const lsp_server *s) { return s->client.progress; }

bool lsp_fail(lsp_call *call, int code, const char *message) {
  call->code = code;
  call->message = message;
  return false;
}

// --- messages of the server

typedef struct outgoing {
  lsp_server *server;
  const cJSON *id;     // of a reply
  int64_t number;      // of a request, 0: none
  const char *method;  // NULL: a reply
  lsp_params_writer *params;
  void *data;
  int code;  // of an error, 0: none
  const char *message;
} outgoing;

static void put_id(json_writer *w, const cJSON *id) {
  if (cJSON_IsString(id)) {
    json_string(w, id->valuestring);
  } else if (cJSON_IsNumber(id) && id->valuedouble > -9e15 && id->valuedouble < 9e15) {
    json_int(w, (int64_t)id->valuedouble);
  } else {
    json_null(w);
  }
}

static void begin_reply(json_writer *w, const cJSON *id) {
  json_begin_object(w);
  lsp_put_pair(w, "jsonrpc", "2.0");
  json_key(w, "id");
  put_id(w, id);
}

static void send_body(void *data) {
  outgoing *o = data;
  shape_strbuf out;
  json_writer w;
  strbuf_init(&out, &o->server->arena);
  json_writer_init(&w, &out);
  if (o->method) {
    json_begin_object(&w);
    lsp_put_pair(&w, "jsonrpc", "2.0");
    if (o->number) {
      json_put_int(&w, "id", o->number);
    }
    lsp_put_pair(&w, "method", o->method);
    if (o->params) {
      json_key(&w, "params");
      o->params(&w, o->data);
    }
  } else {
    begin_reply(&w, o->id);
    json_key(&w, "error");
    json_begin_object(&w);
    json_put_int(&w, "code", o->code);
    lsp_put_pair(&w, "message", o->message);
    json_end_object(&w);
  }
  json_end_object(&w);
  o->server->host.send(o->server->host.data, out.data, out.length);
}

// Without memory nothing is said.
static void send_message(outgoing *o) {
  arena_mark mark = arena_get_mark(&o->server->arena);
  arena_protect(&o->server->arena, send_body, o);
  arena_rewind(&o->server->arena, mark);
}

void lsp_notify(lsp_server *s, const char *name, lsp_params_writer *params, void *data) {
  send_message(&(outgoing){.server = s, .method = name, .params = params, .data = data});
}

typedef struct message_text {
  lsp_message_type type;
  const char *text;
} message_text;

static void write_text(json_writer *w, void *data) {
  const message_text *m = data;
  json_begin_object(w);
  json_put_int(w, "type", m->type);
  lsp_put_pair(w, "message", m->text);
  json_end_object(w);
}

void lsp_notify_text(lsp_server *s, const char *name, lsp_message_type type, const char *text) {
  lsp_notify(s, name, write_text, &(message_text){type, text});
}

int64_t lsp_ask(lsp_server *s, const char *name, lsp_params_writer *params, void *data) {
  int64_t id = ++s->last_request;
  send_message(
      &(outgoing){.server = s, .number = id, .method = name, .params = params, .data = data});
  return id;
}

void lsp_server_refuse(lsp_server *s, const cJSON *message, int code, const char *why) {
  const cJSON *id = lsp_member(message, "id");
  if (!id && lsp_text_member(message, "method")) return;
  send_message(&(outgoing){.server = s, .id = id, .code = code, .message = why});
}

// --- models

void lsp_forget_model(lsp_document *d) {
  lsp_model_free(d->model);
  d->model = NULL;
  d->is_read = false;
  d->failed = SHAPE_OK;
  d->stale = true;
  d->revision++;
}

// --- syntax

void lsp_forget_syntax(lsp_document *d) {
  if (!d->syntax) return;
  arena_destroy(&d->syntax_arena);
  d->syntax = NULL;
  d->damage = (syn_damage){0};
}

typedef struct updating {
  lsp_document *document;
  bool done;
} updating;

static void update_syntax(void *data) {
  updating *u = data;
  const lsp_text *text = &u->document->text;
  u->done = syn_update(u->document->syntax, text->data, text->length, &u->document->damage);
}

// What was inserted and taken out again has left nothing.
static bool is_damaged(const syn_damage *d) {
  return d->old_end != d->begin || d->new_end != d->begin;
}

// Makes the syntax that of the text, or forgets it.
static void follow_edits(lsp_document *d) {
  updating u = {.document = d};
  if (!d->syntax || !is_damaged(&d->damage)) return;
  bool ok = !d->python && arena_protect(&d->syntax_arena, update_syntax, &u) == SHAPE_OK;
  if (!ok || !u.done) lsp_forget_syntax(d);
  d->damage = (syn_damage){0};
}

void lsp_edit_syntax(lsp_document *d, source_span span, uint32_t inserted, bool first) {
  enum { FAR = 16384 };
  if (!d->syntax) return;
  const syn_damage *had = &d->damage;
  bool far = span.end + FAR < had->begin || span.begin > (uint64_t)had->new_end + FAR;
  if (!is_damaged(had)) d->damage = (syn_damage){0};
  if (far && first && is_damaged(had)) follow_edits(d);
  if (d->syntax) syn_damage_add(&d->damage, span.begin, span.end, inserted);
}

static void make_syntax(void *data) {
  lsp_document *d = data;
  // Of MLIR alone; of Python there are no names.
  d->syntax = syn_make(&d->syntax_arena, d->text.data, d->python ? 0 : d->text.length);
}

static const syn_index *need_syntax(lsp_document *d) {
  follow_edits(d);
  if (d->syntax) return d->syntax;
  arena_init(&d->syntax_arena, 0);
  if (arena_protect(&d->syntax_arena, make_syntax, d) == SHAPE_OK) return d->syntax;
  arena_destroy(&d->syntax_arena);
  return NULL;
}

bool lsp_need_syntax(lsp_call *call, const char *uri) {
  call->document = lsp_find_document(call->server, uri);
  call->syntax = call->document ? need_syntax(call->document) : NULL;
  return call->syntax != NULL;
}

static bool was_ended(shape_status status) {
  return status == SHAPE_CANCELLED || status == SHAPE_DEADLINE;
}

static void read_earlier(const lsp_server *s, lsp_document *d) {
  lsp_earlier_free(d->earlier);
  d->earlier = lsp_earlier_new(d->text.data, d->text.length, s->host.stop);
  bool ended = s->host.stop && atomic_load(s->host.stop) != SHAPE_OK;
  d->is_read = d->earlier || !ended;
  d->was_read |= d->is_read;
}

static lsp_model *lsp_need_model(lsp_server *s, lsp_document *d, shape_status *status) {
  *status = SHAPE_OK;
  if (d->model) return d->model;
  if (s->host.steps) atomic_store(s->host.steps, 0);
  if (s->host.busy) s->host.busy(s->host.data, d->uri);
  if (!d->earlier && !d->was_read && !d->python) read_earlier(s, d);
  lsp_model_request request = {.text = d->text.data,
                               .length = d->text.length,
                               .python = d->python,
                               .settings = &s->settings,
                               .host = &s->host,
                               .earlier = s->settings.steps ? NULL : d->earlier,
                               .analyse = true};
  d->model = lsp_model_new(&request, status);
  if (!d->model && !was_ended(*status)) {
    d->failed = *status;
    request.analyse = false;
    d->model = lsp_model_new(&request, status);
  }
  if (s->host.busy) s->host.busy(s->host.data, NULL);
  if (s->host.stop) atomic_store(s->host.stop, SHAPE_OK);
  return d->model;
}

// --- calls

typedef struct running {
  lsp_call call;
  const method *row;
  const cJSON *message, *id;
  json_writer writer;
  shape_strbuf out;
  bool ok;
  bool nothing;  // the method does not speak of texts in Python
} running;

static void run_call(running *r) {
  lsp_call *call = &r->call;
  strbuf_init(&r->out, call->arena);
  json_writer_init(&r->writer, &r->out);
  call->w = &r->writer;
  if (r->id) {
    begin_reply(call->w, r->id);
    json_key(call->w, "result");
  }
  if (r->nothing) json_null(call->w);
  r->ok = r->nothing || r->row->function(call);
  // The reason may be in the arena, which is rewound after this.
  if (!r->ok) lsp_server_refuse(call->server, r->message, call->code, call->message);
  if (!r->ok || !r->id) return;
  json_end_object(call->w);
  call->server->host.send(call->server->host.data, r->out.data, r->out.length);
}

static void run_plain(void *data) { run_call(data); }
static void run_in_model(lsp_model *model, void *data) {
  (void)model;
  run_call(data);
}

static int code_of(shape_status status) {
  if (status == SHAPE_CANCELLED) return LSP_CANCELLED;
  if (status == SHAPE_DEADLINE) return LSP_CONTENT_MODIFIED;
  return LSP_REQUEST_FAILED;
}

static const char *message_of(shape_status status) {
  if (status == SHAPE_CANCELLED) return "the request was cancelled";
  if (status == SHAPE_DEADLINE) return "the text has changed";
  return shape_status_message(status);
}

static const cJSON *holder_of(const method *row, const cJSON *params) {
  switch (row->needs) {
  case SYNTAX:
  case ANALYSIS:
  case VALUES:
  case MODEL: return lsp_member(params, "textDocument");
  case DATA: return lsp_member(params, "data");
  case ARGUMENT: {
    const cJSON *list = lsp_member(params, "arguments");
    return cJSON_IsArray(list) ? list->child : NULL;
  }
  case NOTHING: break;
  }
  return NULL;
}

// The document and what is needed of it; false: it is not there, and the call says why.
static bool find_model(running *r) {
  lsp_call *call = &r->call;
  const cJSON *holder = holder_of(r->row, call->params);
  const char *uri = lsp_text_member(holder, "uri");
  shape_status status;
  if (!uri) return lsp_fail(call, LSP_INVALID_PARAMS, "the request names no text by its uri");
  call->document = lsp_find_document(call->server, uri);
  if (!call->document) return lsp_fail(call, LSP_INVALID_PARAMS, "the text is not open");
  const cJSON *version = r->row->needs == DATA ? lsp_member(holder, "version") : NULL;
  if (cJSON_IsNumber(version) && version->valuedouble != (double)call->document->version) {
    return lsp_fail(call, LSP_CONTENT_MODIFIED, "the text has changed");
  }
  r->nothing = call->document->python && (r->row->needs == SYNTAX || r->row->needs == MODEL);
  if (r->nothing) return true;
  bool syntax = r->row->needs != ANALYSIS;
  call->syntax = syntax ? need_syntax(call->document) : NULL;
  if (syntax && !call->syntax) return lsp_fail(call, LSP_REQUEST_FAILED, message_of(SHAPE_MEMORY));
  if (r->row->needs == SYNTAX) return true;
  call->model = lsp_need_model(call->server, call->document, &status);
  if (!call->model) return lsp_fail(call, code_of(status), message_of(status));
  call->arena = &call->model->scratch;
  return true;
}

static void run_method(lsp_server *s, const method *row, const cJSON *message, const cJSON *id) {
  running r = {.row = row,
               .message = message,
               .id = id,
               .call = {.server = s,
                        .params = lsp_member(message, "params"),
                        .arena = &s->arena,
                        .code = LSP_INTERNAL_ERROR,
                        .message = "internal error"}};
  shape_status status = SHAPE_OK;
  bool found = row->needs == NOTHING || find_model(&r);
  if (!found) {
    lsp_server_refuse(s, message, r.call.code, r.call.message);
  } else if (row->needs <= SYNTAX || r.nothing) {
    arena_mark mark = arena_get_mark(&s->arena);
    status = arena_protect(&s->arena, run_plain, &r);
    arena_rewind(&s->arena, mark);
  } else {
    status = lsp_model_protect(r.call.model, run_in_model, &r);
    if (s->host.stop) atomic_store(s->host.stop, SHAPE_OK);
    if (status != SHAPE_OK) lsp_forget_model(r.call.document);
  }
  if (status != SHAPE_OK) lsp_server_refuse(s, message, code_of(status), message_of(status));
}

static const method *find_method(const char *name) {
  for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++) {
    if (strcmp(METHODS[i].name, name) == 0) return &METHODS[i];
  }
  return NULL;
}

static void take_reply(lsp_server *s, const cJSON *message) {
  const cJSON *id = lsp_member(message, "id"), *result = lsp_member(message, "result");
  char problem[256];
  if (!cJSON_IsNumber(id) || !s->configuration || id->valuedouble != (double)s->configuration)
    return;
  s->configuration = 0;
  const cJSON *settings = cJSON_IsArray(result) ? result->child : NULL;
  if (settings_take(&s->settings, settings, problem, sizeof problem)) lsp_settings_changed(s);
}

void lsp_server_handle(lsp_server *s, const cJSON *message) {
  const char *name = lsp_text_member(message, "method");
  const cJSON *id = lsp_member(message, "id");
  if (!name) {
    if (id && (lsp_member(message, "result") || lsp_member(message, "error"))) {
      take_reply(s, message);
    } else {
      lsp_server_refuse(s, message, LSP_INVALID_REQUEST, "a message without a method");
    }
    return;
  }
  if (strcmp(name, "exit") == 0) {
    s->clean_exit = s->state == LSP_SHUT_DOWN;
    s->state = LSP_EXITED;
    return;
  }
  const method *row = find_method(name);
  bool begins = row && row->function == lsp_initialize;
  if (s->state == LSP_NEW && !begins) {
    lsp_server_refuse(s, message, LSP_NOT_INITIALIZED, "initialize comes first");
  } else if ((s->state != LSP_NEW && begins) || s->state >= LSP_SHUT_DOWN) {
    lsp_server_refuse(s, message, LSP_INVALID_REQUEST,
                      begins ? "initialize comes once" : "the server was shut down");
  } else if (!row) {
    lsp_server_refuse(s, message, LSP_METHOD_NOT_FOUND, "there is no such method");
  } else if ((row->kind == REQUEST) != (id != NULL)) {
    lsp_server_refuse(s, message, LSP_INVALID_REQUEST, "this method is a notification");
  } else {
    run_method(s, row, message, id);
  }
}

// --- diagnostics, when nothing else is to be done

typedef struct publishing {
  lsp_server *server;
  lsp_document *document;
} publishing;

static void publish(lsp_model *model, void *data) {
  publishing *p = data;
  shape_strbuf out;
  json_writer w;
  strbuf_init(&out, &model->scratch);
  json_writer_init(&w, &out);
  json_begin_object(&w);
  lsp_put_pair(&w, "jsonrpc", "2.0");
  lsp_put_pair(&w, "method", "textDocument/publishDiagnostics");
  json_key(&w, "params");
  lsp_write_diagnostics(p->server, p->document, &w);
  json_end_object(&w);
  p->server->host.send(p->server->host.data, out.data, out.length);
}

static bool publish_one(lsp_server *s) {
  for (uint32_t i = 0; i < s->document_count && !s->client.pulls; i++) {
    lsp_document *d = s->documents[i];
    publishing p = {s, d};
    shape_status status;
    if (!d->stale) continue;
    lsp_model *model = lsp_need_model(s, d, &status);
    if (model) {
      lsp_model_protect(model, publish, &p);
      d->stale = false;
    } else {
      d->stale = was_ended(status);  // else there is no memory, and nothing is said
    }
    return true;
  }
  return false;
}

// Where the model was read as a whole, later texts are read from this one.
static bool read_earlier_again(const lsp_server *s, lsp_document *d) {
  bool wanted = d->model && d->model->complete && !d->model->earlier && !d->is_read && !d->python;
  if (wanted) read_earlier(s, d);
  return wanted;
}

bool lsp_server_idle(lsp_server *s) {
  if (s->state != LSP_RUNNING) return false;
  if (publish_one(s)) return true;
  // Where it is there, it follows edits fast enough when it is asked.
  for (uint32_t i = 0; i < s->document_count; i++) {
    if (!s->documents[i]->syntax) return need_syntax(s->documents[i]) != NULL;
  }
  for (uint32_t i = 0; i < s->document_count; i++) {
    if (read_earlier_again(s, s->documents[i])) return true;
  }
  return false;
}
