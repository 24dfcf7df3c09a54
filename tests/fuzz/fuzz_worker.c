// SPDX-License-Identifier: Apache-2.0
// What a worker process says to the daemon: whatever it is, the request gets one reply of its own, on one line, and calls
// of the worker change nothing that is not the request's. The first byte chooses the method. So that the fuzzer need not
// find lengths, each message is a byte for its kind, two for its length, then what a wire_head and a body are made of.
#include <stdlib.h>
#include <string.h>

#include "tests/support/worker_says.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MESSAGES_MAX = 16 };

typedef struct said {
  char bytes[SAID_MAX];
  size_t length;
} said;

static void add(said *s, const void *bytes, size_t length) {
  if (length > SAID_MAX - s->length) length = SAID_MAX - s->length;
  memcpy(s->bytes + s->length, bytes, length);
  s->length += length;
}

// One message of the input; the bytes that it took.
static size_t translate(said *s, const uint8_t *data, size_t size) {
  static const char BEGIN[] = "{\"jsonrpc\": \"2.0\", \"id\": 7, ";
  if (size < 6) {
    add(s, data, size);
    return size;
  }
  size_t length = (size_t)(data[1] | data[2] << 8), left = size - 6;
  bool whole = !(data[0] & 0x80), begins = data[0] & 0x40;
  size_t body = length < left ? length : left;
  wire_head head = {.kind = data[0] & 7, .code = data[3], .value = data[4], .flags = data[5]};
  head.length = whole ? body + (begins ? sizeof BEGIN - 1 : 0) : length * 65537;
  add(s, &head, sizeof head);
  if (begins) add(s, BEGIN, sizeof BEGIN - 1);
  add(s, data + 6, body);
  return 6 + body;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const METHODS[] = {"analyze", "session/open", "session/edit",
                                        "profile/observe"};
  static said s;
  if (!size) return 0;
  const char *method = METHODS[data[0] % 4];
  static said_host host;
  host = (said_host){.profile = "old", .length = 3};
  s.length = 0;
  size_t at = 1;
  for (unsigned i = 0; i < MESSAGES_MAX && at < size; i++)
    at += translate(&s, data + at, size - at);
  said_result r =
      worker_says(method, s.bytes, s.length, data[0] & 0x40 ? SAID_IN_MEMORY : SAID_ON_SOCKET,
                  data[0] & 0x80 ? &host : NULL);
  const char *text = strbuf_text(&r.reply->out);
  size_t length = r.reply->out.length;
  static const char ID[] = "{\"jsonrpc\": \"2.0\", \"id\": 7, ";
  if (r.end == EXCHANGE_ABSENT || r.end == EXCHANGE_STOPPED) abort();
  if (length && (strlen(text) != length || strncmp(text, ID, strlen(ID)) != 0)) abort();
  if (length && (strchr(text, '\n') || text[length - 1] != '}')) abort();
  if (r.end != EXCHANGE_DONE && (r.outcome != RPC_WORKER_DIED || !strstr(text, "worker-died")))
    abort();
  if (r.added && strcmp(method, "session/open") != 0) abort();
  if (host.open) abort();
  reply_free(r.reply);
  return 0;
}
