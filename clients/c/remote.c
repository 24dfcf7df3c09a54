// SPDX-License-Identifier: Apache-2.0
// Sessions of a daemon: a call writes parameters, and reads the reply into structs.
#include "clients/c/remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shape_remote {
  shape_client *client;
  char *session;        // the id; NULL: opening failed, or the session is closed
  answer_pool answers;  // of the last call
  shape_client_error error;
};

const shape_client_error *shape_remote_error(const shape_remote *remote) { return &remote->error; }

static shape_client_status fail(shape_remote *r, shape_client_status status, const char *message) {
  r->error = (shape_client_error){0};
  snprintf(r->error.message, sizeof r->error.message, "%s", message);
  return status;
}

// The status of a call or of a reply, with its error kept.
static shape_client_status keep_error(shape_remote *r, shape_client_status status,
                                      const shape_client_reply *reply) {
  if (status == SHAPE_CLIENT_OK) return status;
  if (status != SHAPE_CLIENT_REFUSED) return fail(r, status, shape_client_message(r->client));
  shape_client_read_error(reply->error, &r->error);
  return status;
}

// Begins the parameters of a method of a session: {"session": ID
static params_writer begin_params(const shape_remote *r) {
  params_writer w = {.status = r->session ? SHAPE_CLIENT_OK : SHAPE_CLIENT_INVALID};
  params_begin(&w, '{');
  params_key(&w, "session");
  params_text(&w, r->session);
  return w;
}

// Ends the parameters; why they could not be written is kept.
static shape_client_status end_params(shape_remote *r, params_writer *w) {
  params_end(w, '}');
  if (w->status == SHAPE_CLIENT_MEMORY) return fail(r, w->status, "out of memory");
  if (w->status == SHAPE_CLIENT_OK) return SHAPE_CLIENT_OK;
  return fail(r, w->status,
              "the session is not open, or what was built is not valid: an operation outside of a "
              "function, a kind or position that is none, a number that is missing");
}

// Sends or calls, and frees the parameters.
static shape_client_status send(shape_remote *r, const char *method, params_writer *w,
                                uint64_t *id) {
  shape_client_status status = end_params(r, w);
  if (status == SHAPE_CLIENT_OK)
    status = keep_error(r, shape_client_send(r->client, method, params_of(w), id), NULL);
  params_free(w);
  return status;
}

static shape_client_status call(shape_remote *r, const char *method, params_writer *w,
                                shape_client_reply *reply) {
  shape_client_status status = end_params(r, w);
  if (status == SHAPE_CLIENT_OK)
    status = keep_error(r, shape_client_call(r->client, method, params_of(w), 0, reply), reply);
  params_free(w);
  return status;
}

// What a reply says, before its result is read: answers of earlier calls end here.
static shape_client_status begin_take(shape_remote *r, const shape_client_reply *reply) {
  remote_pool_free(&r->answers);
  return keep_error(r, reply->error.length ? SHAPE_CLIENT_REFUSED : SHAPE_CLIENT_OK, reply);
}

static shape_client_status end_take(shape_remote *r, bool good) {
  return good ? SHAPE_CLIENT_OK : fail(r, SHAPE_CLIENT_MEMORY, "out of memory");
}

// --- opening

static void write_options(params_writer *w, const shape_remote_options *options) {
  if (!options) return;
  params_key(w, "options");
  params_begin(w, '{');
  if (options->entry) {
    params_key(w, "entry");
    params_text(w, options->entry);
  }
  params_key(w, "assume");
  params_begin(w, '[');
  for (size_t i = 0; i < options->assume_count; i++) params_text(w, options->assume[i]);
  params_end(w, ']');
  params_end(w, '}');
}

// The parameters have the program, and lack their end.
static shape_client_status open_with(shape_client *client, params_writer *w,
                                     shape_remote **remote) {
  shape_client_reply reply;
  shape_remote *r = *remote = calloc(1, sizeof *r);
  if (!r) {
    params_free(w);
    return SHAPE_CLIENT_MEMORY;
  }
  r->client = client;
  shape_client_status status = call(r, "session/open", w, &reply);
  if (status != SHAPE_CLIENT_OK) return status;
  shape_json id = shape_json_member(reply.result, "session");
  r->session = malloc(id.length + 1);
  if (!r->session) return fail(r, SHAPE_CLIENT_MEMORY, "out of memory");
  shape_json_string(id, r->session, id.length + 1);
  return SHAPE_CLIENT_OK;
}

shape_client_status shape_remote_open_text(shape_client *client, const char *mlir, size_t length,
                                           const shape_remote_options *options,
                                           shape_remote **remote) {
  params_writer w = {0};
  params_begin(&w, '{');
  params_key(&w, "text");
  params_string(&w, mlir, length);
  write_options(&w, options);
  return open_with(client, &w, remote);
}

shape_client_status shape_remote_open_graph(shape_client *client, const shape_remote_graph *graph,
                                            const shape_remote_options *options,
                                            shape_remote **remote) {
  params_writer w = {0};
  params_begin(&w, '{');
  params_key(&w, "graph");
  remote_write_graph(&w, graph);
  write_options(&w, options);
  return open_with(client, &w, remote);
}

void shape_remote_close(shape_remote *r) {
  shape_client_reply reply;
  if (!r) return;
  if (r->session) {
    params_writer w = begin_params(r);
    call(r, "session/close", &w, &reply);
  }
  remote_pool_free(&r->answers);
  free(r->session);
  free(r);
}

// --- queries

static void write_query(params_writer *w, const shape_remote_query *query) {
  static const struct {
    const char *key;
    int values;  // 0: the text
  } kinds[] = {[SHAPE_REMOTE_HOLDS] = {"query", 0},
               [SHAPE_REMOTE_BOUNDS] = {"bounds", 0},
               [SHAPE_REMOTE_SIMPLIFY] = {"simplify", 0},
               [SHAPE_REMOTE_SHAPE_OF] = {"value", 1},
               [SHAPE_REMOTE_SAME_SHAPE] = {"same_shape", 2},
               [SHAPE_REMOTE_SAME_ELEMENTS] = {"same_elements", 2}};
  if ((size_t)query->kind >= sizeof kinds / sizeof *kinds) {
    w->status = SHAPE_CLIENT_INVALID;
    return;
  }
  params_begin(w, '{');
  params_key(w, kinds[query->kind].key);
  switch (kinds[query->kind].values) {
  case 0: params_text(w, query->text); break;
  case 1: remote_write_target(w, query->a); break;
  default:
    params_begin(w, '[');
    remote_write_target(w, query->a);
    remote_write_target(w, query->b);
    params_end(w, ']');
  }
  params_end(w, '}');
}

static params_writer ask_params(const shape_remote *r, const shape_remote_query *queries,
                                size_t count, bool because) {
  params_writer w = begin_params(r);
  params_key(&w, "because");
  params_bool(&w, because);
  params_key(&w, "queries");
  params_begin(&w, '[');
  for (size_t i = 0; i < count; i++) write_query(&w, &queries[i]);
  params_end(&w, ']');
  return w;
}

shape_client_status shape_remote_send_ask(shape_remote *r, const shape_remote_query *queries,
                                          size_t count, bool because, uint64_t *id) {
  params_writer w = ask_params(r, queries, count, because);
  return send(r, "session/query", &w, id);
}

shape_client_status shape_remote_take_ask(shape_remote *r, const shape_client_reply *reply,
                                          size_t count, shape_remote_answer *answers) {
  shape_client_status status = begin_take(r, reply);
  if (status != SHAPE_CLIENT_OK) return status;
  return end_take(r, remote_read_answers(&r->answers, reply->result, count, answers));
}

shape_client_status shape_remote_ask(shape_remote *r, const shape_remote_query *queries,
                                     size_t count, bool because, shape_remote_answer *answers) {
  shape_client_reply reply;
  params_writer w = ask_params(r, queries, count, because);
  shape_client_status status = call(r, "session/query", &w, &reply);
  return status == SHAPE_CLIENT_OK ? shape_remote_take_ask(r, &reply, count, answers) : status;
}

shape_remote_truth shape_remote_holds(shape_remote *r, const char *predicate) {
  shape_remote_query query = {.kind = SHAPE_REMOTE_HOLDS, .text = predicate};
  shape_remote_answer answer;
  shape_client_status status = shape_remote_ask(r, &query, 1, false, &answer);
  if (status != SHAPE_CLIENT_OK) return SHAPE_REMOTE_UNKNOWN;
  if (answer.error) fail(r, SHAPE_CLIENT_REFUSED, answer.error);
  return answer.truth;
}

// --- edits

static params_writer edit_params(const shape_remote *r, const shape_remote_edits *edits) {
  params_writer w = begin_params(r);
  params_key(&w, "edits");
  params_begin(&w, '[');
  params_items(&w, edits->items.data, edits->items.length);
  params_end(&w, ']');
  if (w.status == SHAPE_CLIENT_OK) w.status = edits->items.status;
  return w;
}

shape_client_status shape_remote_send_edit(shape_remote *r, const shape_remote_edits *edits,
                                           uint64_t *id) {
  params_writer w = edit_params(r, edits);
  return send(r, "session/edit", &w, id);
}

shape_client_status shape_remote_take_edit(shape_remote *r, const shape_client_reply *reply,
                                           shape_remote_changes *changes) {
  shape_client_status status = begin_take(r, reply);
  if (status != SHAPE_CLIENT_OK) return status;
  return end_take(r, remote_read_changes(&r->answers, reply->result, changes));
}

static shape_client_status change(shape_remote *r, const char *method, params_writer *w,
                                  shape_remote_changes *changes) {
  shape_client_reply reply;
  shape_client_status status = call(r, method, w, &reply);
  return status == SHAPE_CLIENT_OK ? shape_remote_take_edit(r, &reply, changes) : status;
}

shape_client_status shape_remote_edit(shape_remote *r, const shape_remote_edits *edits,
                                      shape_remote_changes *changes) {
  params_writer w = edit_params(r, edits);
  return change(r, "session/edit", &w, changes);
}

shape_client_status shape_remote_push(shape_remote *r, const char *const *predicates, size_t count,
                                      shape_remote_changes *changes) {
  params_writer w = begin_params(r);
  params_key(&w, "assume");
  params_begin(&w, '[');
  for (size_t i = 0; i < count; i++) params_text(&w, predicates[i]);
  params_end(&w, ']');
  return change(r, "session/push", &w, changes);
}

shape_client_status shape_remote_pop(shape_remote *r, shape_remote_changes *changes) {
  params_writer w = begin_params(r);
  return change(r, "session/pop", &w, changes);
}

shape_client_status shape_remote_find_guards(shape_remote *r, shape_remote_guards *guards) {
  shape_client_reply reply;
  params_writer w = begin_params(r);
  shape_client_status status = call(r, "session/analyze", &w, &reply);
  if (status == SHAPE_CLIENT_OK) status = begin_take(r, &reply);
  return status == SHAPE_CLIENT_OK
             ? end_take(r, remote_read_guards(&r->answers, reply.result, guards))
             : status;
}
