// SPDX-License-Identifier: Apache-2.0
// Requests from bytes to the reply: each is one line of JSON with the id of its request and without a repeated key,
// whatever the request holds. The first byte says what the rest is: a message, or a name that a program is written with;
// models in ONNX take any bytes for one.
#include <stdlib.h>
#include <string.h>

#include "solver/formats/json/validate.h"
#include "solver/formats/json/write.h"
#include "tests/fuzz/support/messages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STEPS = 500000, MEMORY = 64 << 20 };

// Programs and requests with a name in many positions: @ denotes it, as JSON with its quotes.
static const char *const FORMS[] = {
    ("{\"jsonrpc\":\"2.0\",\"id\":@,\"method\":\"analyze\",\"params\":{\"graph\":{\"symbols\":[{"
     "\"name\":@,\"max\":9}],"
     "\"functions\":[{\"name\":@,\"arguments\":[{\"name\":@,\"type\":{\"dtype\":\"f32\",\"dims\":[@"
     ","
     "null]}}],\"ops\":["
     "[\"stablehlo.add\",[@,@],[\"y\",\"tensor<?x?xf32>\"],{@:@}]],\"returns\":[\"y\"]}]}}}"),
    ("{\"jsonrpc\":\"2.0\",\"id\":@,\"method\":\"explain\",\"params\":{\"graph\":{\"functions\":[{"
     "\"name\":\"main\","
     "\"arguments\":[{\"name\":@,\"type\":{\"dtype\":\"f32\",\"dims\":[@,4]}}],\"ops\":[],"
     "\"returns\":[@]}]},"
     "\"options\":{\"that\":\"arg0.0 <= 9\"}}}"),
    ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"query\",\"params\":{\"symbols\":{@:{\"min\":0}},"
     "\"assume\":[@],"
     "\"queries\":[{\"query\":@},{\"simplify\":@}]}}"),
    "{\"jsonrpc\":\"2.0\",\"id\":@,\"method\":@,\"params\":{@:@}}",
    ("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"refine\",\"params\":{\"text\":@,\"name\":@,"
     "\"options\":{\"emit\":\"json\"}}}"),
};

// Requests about a model whose symbols have the name: ! denotes its bytes.
static const char *const MODELS[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"explain\",\"params\":{\"blob\":\"!\",\"options\":{"
    "\"that\":\"arg0.1 == arg1.0\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":@,\"method\":\"explain\",\"params\":{\"blob\":\"!\",\"options\":{"
    "\"that\":\"arg0.0 >= 1\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"analyze\",\"params\":{\"blob\":\"!\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"refine\",\"params\":{\"blob\":\"!\",\"options\":{"
    "\"emit\":\"guards-python\"}}}",
};

enum { FORM_COUNT = sizeof FORMS / sizeof *FORMS, MODEL_COUNT = sizeof MODELS / sizeof *MODELS };

typedef struct reply_work {
  shape_arena arena;
  shape_strbuf out;
  const uint8_t *name;
  size_t length;
  unsigned form;
} reply_work;

static void check(reply_work *w, json_slice id) {
  const json_limits limits = {0, JSON_DEPTH_MAX};
  const char *clean;
  size_t length;
  json_error error;
  if (!id.length && w->out.length) abort();  // a notification has no reply
  if (!id.length) return;
  if (!w->out.length || memchr(w->out.data, '\n', w->out.length)) abort();
  // U+0000 in a name and integers that no double holds are JSON, and INVALID or refused by validation alone.
  if (!json_validate(&w->arena, &limits, w->out.data, w->out.length, &clean, &length, &error) &&
      error.status != SHAPE_INVALID && !strstr(error.message, "U+0000"))
    abort();
  static const char head[] = "{\"jsonrpc\": \"2.0\", \"id\": ";
  if (w->out.length < sizeof head + id.length || memcmp(w->out.data, head, sizeof head - 1) != 0 ||
      memcmp(w->out.data + sizeof head - 1, id.text, id.length) != 0)
    abort();
}

static void run_check(void *data) {
  const json_slice *id = ((void **)data)[1];
  check(((void **)data)[0], *id);
}

static void answer(void *data, const rpc_request *request, const method_row *row) {
  (void)data;
  if (row->placement == METHOD_LOOP) return;
  reply_work w = {.length = 0};
  shape_arena job;
  method_limits limits = {.steps = STEPS, .memory = MEMORY};
  method_host host = {0};
  method_control control = {.stop = SHAPE_OK};
  rpc_code outcome;
  arena_init(&w.arena, MEMORY);
  arena_init(&job, MEMORY);
  strbuf_init(&w.out, &w.arena);
  if (method_answer(&job, row, request, &limits, &host, &control, &w.out, &outcome)) {
    json_slice id = request->id;
    void *both[2] = {&w, &id};
    arena_protect(&w.arena, run_check, both);
  }
  arena_destroy(&job);
  arena_destroy(&w.arena);
}

// A field of bytes, as protocol buffers have it.
static void put_field(shape_strbuf *out, unsigned field, const char *text, size_t length) {
  strbuf_putc(out, (char)(field << 3 | 2));
  for (size_t rest = length; rest > 127 || (strbuf_putc(out, (char)rest), false); rest >>= 7)
    strbuf_putc(out, (char)(rest | 128));
  strbuf_add(out, text, length);
}

static void put_part(shape_strbuf *out, unsigned field, const shape_strbuf *part) {
  put_field(out, field, part->data, part->length);
}

// A matrix of floats. One of its dims has the name, after a letter.
static void put_input(reply_work *w, shape_strbuf *graph, const char *value, char letter) {
  shape_strbuf size, dims, dim, type, whole, info;
  shape_strbuf *const all[] = {&size, &dims, &dim, &type, &whole, &info};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) strbuf_init(all[i], &w->arena);
  for (unsigned i = 0; i < 2; i++) {
    size.length = dim.length = 0;
    strbuf_putc(&size, (char)(letter + i));
    if (i != (letter == 'K')) strbuf_add(&size, (const char *)w->name, w->length);
    put_part(&dim, 2, &size);
    put_part(&dims, 1, &dim);
  }
  strbuf_add(&type, "\x08\x01", 2);
  put_part(&type, 2, &dims);
  put_part(&whole, 1, &type);
  put_field(&info, 1, value, 1);
  put_part(&info, 2, &whole);
  put_part(graph, 11, &info);
}

static void put_model(reply_work *w, shape_strbuf *out) {
  static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  static const char NODE[] = "\x0a\x01x\x0a\x01w\x12\x01y\x22\x06MatMul";
  shape_strbuf graph, model;
  strbuf_init(&graph, &w->arena);
  strbuf_init(&model, &w->arena);
  put_field(&graph, 1, NODE, sizeof NODE - 1);
  put_input(w, &graph, "x", 'M');
  put_input(w, &graph, "w", 'K');
  put_field(&graph, 12, "\x0a\x01y", 3);
  strbuf_add(&model, "\x08\x08", 2);
  put_part(&model, 7, &graph);
  put_field(&model, 8, "\x10\x11", 2);
  // Whole groups of three bytes: by the text of a field that says nothing (ModelProto.doc_string).
  put_field(&model, 6, "..", (4 - model.length % 3) % 3);
  for (uint32_t i = 0; i + 2 < model.length; i += 3) {
    const unsigned char *at = (const unsigned char *)model.data + i;
    uint32_t bits = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
    for (int shift = 18; shift >= 0; shift -= 6) strbuf_putc(out, LETTERS[bits >> shift & 63]);
  }
}

static void write_form(void *data) {
  reply_work *w = data;
  json_writer name;
  strbuf_init(&w->out, &w->arena);
  const char *form = w->form < FORM_COUNT ? FORMS[w->form] : MODELS[w->form - FORM_COUNT];
  for (const char *c = form; *c; c++) {
    if (*c == '!') {
      put_model(w, &w->out);
      continue;
    }
    if (*c != '@') {
      strbuf_putc(&w->out, *c);
      continue;
    }
    json_writer_init(&name, &w->out);
    json_text(&name, (const char *)w->name, w->length);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { COUNT = FORM_COUNT + MODEL_COUNT };
  if (!size) return 0;
  if (data[0] % (COUNT + 1) == COUNT) {
    fuzz_each_request((const char *)data + 1, size - 1, MEMORY, answer, NULL);
    return 0;
  }
  reply_work w = {.name = data + 1, .length = size - 1, .form = data[0] % (COUNT + 1)};
  arena_init(&w.arena, MEMORY);
  if (arena_protect(&w.arena, write_form, &w) == SHAPE_OK)
    fuzz_each_request(w.out.data, w.out.length, MEMORY, answer, NULL);
  arena_destroy(&w.arena);
  return 0;
}
