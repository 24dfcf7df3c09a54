// SPDX-License-Identifier: Apache-2.0
// A compiler pass asks whether two values may share one loop: have they the same shape, or the same number of elements?
//
//     fusion PROGRAM.mlir [ADDRESS]
//
// The program's entry returns the two values. `analyze` gives their sizes as expressions over symbols and the facts
// that hold between the symbols; `query` decides the two questions under those facts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/c/shape_client.h"

enum { PROGRAM = 1 << 20, PARAMS = 1 << 16, EXPRESSION = 256 };

// JSON that is put together piece by piece; `good` says whether all of it had room.
typedef struct text {
  char *data;
  size_t length, size;
  bool good;
} text;

static void add(text *t, const char *piece) {
  size_t length = strlen(piece);
  t->good = t->good && length < t->size - t->length;
  if (!t->good) return;
  memcpy(t->data + t->length, piece, length + 1);
  t->length += length;
}

static void add_json(text *t, shape_json json) {
  t->good = t->good && json.length < t->size - t->length;
  if (!t->good) return;
  memcpy(t->data + t->length, json.text, json.length);
  t->length += json.length;
  t->data[t->length] = '\0';
}

static void add_size(text *t, shape_json size) {
  char expression[EXPRESSION];
  t->good = t->good && shape_json_string(size, expression, sizeof expression) < sizeof expression;
  add(t, "(");
  add(t, expression);
  add(t, ")");
}

// The product of all sizes of a shape.
static void add_elements(text *t, shape_json shape) {
  add(t, "1");
  for (size_t i = 0; shape_json_item(shape, i).length; i++) {
    add(t, " * ");
    add_size(t, shape_json_item(shape, i));
  }
}

static size_t rank(shape_json shape) {
  size_t count = 0;
  while (shape_json_item(shape, count).length) count++;
  return count;
}

// The parameters of `query`: first the number of elements, then one question for each axis.
static void add_questions(text *t, shape_json report, shape_json a, shape_json b) {
  shape_json symbols = shape_json_member(report, "symbols"), symbol, fact;
  shape_json facts = shape_json_member(report, "constraints");
  add(t, "{\"symbols\": {");
  for (size_t i = 0; (symbol = shape_json_item(symbols, i)).length; i++) {
    add(t, i ? ", " : "");
    add_json(t, shape_json_member(symbol, "name"));
    add(t, ": {\"min\": ");
    add_json(t, shape_json_member(symbol, "min"));
    add(t, "}");
  }
  add(t, "}, \"assume\": [");
  for (size_t i = 0; (fact = shape_json_item(facts, i)).length; i++) {
    add(t, i ? ", " : "");
    add_json(t, shape_json_member(fact, "expr"));
  }
  add(t, "], \"queries\": [{\"query\": \"");
  add_elements(t, a);
  add(t, " == ");
  add_elements(t, b);
  add(t, "\"}");
  for (size_t i = 0; i < rank(a) && i < rank(b); i++) {
    add(t, ", {\"query\": \"");
    add_size(t, shape_json_item(a, i));
    add(t, " == ");
    add_size(t, shape_json_item(b, i));
    add(t, "\"}");
  }
  add(t, "]}");
}

static const char *same_shape(shape_json answers, size_t axes) {
  const char *all = "yes";
  for (size_t i = 1; i <= axes; i++) {
    shape_json answer = shape_json_member(shape_json_item(answers, i), "answer");
    if (shape_json_is(answer, "\"false\"")) return "no";
    if (!shape_json_is(answer, "\"true\"")) all = "unknown";
  }
  return all;
}

static int complain(const shape_client *client, shape_client_status status,
                    const shape_client_reply *reply) {
  shape_client_error error;
  if (status == SHAPE_CLIENT_REFUSED) {
    shape_client_read_error(reply->error, &error);
    fprintf(stderr, "fusion: the daemon says %s: %s\n", error.name, error.message);
  } else {
    fprintf(stderr, "fusion: %s: %s\n", shape_client_address(client), shape_client_message(client));
  }
  return 1;
}

static int decide(shape_client *client, text *params, text *question) {
  shape_client_reply reply;
  shape_json json = {params->data, params->length};
  shape_client_status status = shape_client_call(client, "analyze", json, 0, &reply);
  if (status != SHAPE_CLIENT_OK) return complain(client, status, &reply);
  shape_json entry = shape_json_item(shape_json_member(reply.result, "functions"), 0);
  shape_json results = shape_json_member(entry, "result_dims");
  shape_json a = shape_json_item(results, 0), b = shape_json_item(results, 1);
  size_t axes = rank(a);
  bool same_rank = axes == rank(b);
  if (!a.length || !b.length || a.text[0] != '[' || b.text[0] != '[') {
    fprintf(stderr, "fusion: the program does not return two values of known rank\n");
    return 1;
  }
  add_questions(question, reply.result, a, b);
  if (!question->good) return 1;
  json = (shape_json){question->data, question->length};
  status = shape_client_call(client, "query", json, 0, &reply);
  if (status != SHAPE_CLIENT_OK) return complain(client, status, &reply);
  char elements[16];
  shape_json answers = shape_json_member(reply.result, "answers");
  shape_json_string(shape_json_member(shape_json_item(answers, 0), "answer"), elements,
                    sizeof elements);
  printf("same shape: %s\nsame number of elements: %s\n",
         same_rank ? same_shape(answers, axes) : "no",
         !strcmp(elements, "true")    ? "yes"
         : !strcmp(elements, "false") ? "no"
                                      : "unknown");
  return 0;
}

int main(int argc, char **argv) {
  shape_client *client = NULL;
  int status = 2;
  char *program = malloc(PROGRAM), *quoted = malloc(2 * PROGRAM), *asked = malloc(PARAMS);
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!file || !program || !quoted || !asked) {
    fprintf(stderr, "usage: fusion PROGRAM.mlir [ADDRESS]\n");
    goto cleanup;
  }
  size_t length = fread(program, 1, PROGRAM, file);
  text params = {quoted, 0, 2 * PROGRAM, true}, question = {asked, 0, PARAMS, true};
  add(&params, "{\"text\": ");
  size_t room = params.size - params.length - 2;
  size_t written = shape_json_quote(program, length, quoted + params.length, room);
  if (length == PROGRAM || written >= room) {
    fprintf(stderr, "fusion: the program is too long\n");
    goto cleanup;
  }
  params.length += written;
  add(&params, "}");
  shape_client_options options = {
      .address = argc > 2 ? argv[2] : NULL, .timeout_ms = 10000, .reconnect = true};
  shape_client_status opened = shape_client_open(&options, &client);
  if (opened == SHAPE_CLIENT_OK) {
    status = decide(client, &params, &question);
  } else if (client) {
    status = complain(client, opened, NULL);
  }
cleanup:
  shape_client_close(client);
  if (file) fclose(file);
  free(program);
  free(quoted);
  free(asked);
  return status;
}
