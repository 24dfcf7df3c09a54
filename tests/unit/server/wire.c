// SPDX-License-Identifier: Apache-2.0
// Messages between the daemon and its workers.
#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/worker_says.h"

typedef struct writer {
  wire_stream *stream;
  const char *bytes;
  size_t length;
} writer;

static void *write_all(void *data) {
  writer *w = data;
  const wire_head head = {.kind = WIRE_JOB, .value = 42};
  bool good = wire_send(w->stream, &head, w->bytes, 1, w->bytes + 1, w->length - 1);
  return good ? w : NULL;
}

static void *wake_all_the_time(void *data) {
  atomic_uint *words = data;
  while (!atomic_load(&words[1])) wire_wake(&words[0]);
  return NULL;
}

Test(wire, a_wait_ends_however_often_it_is_woken, .timeout = 30) {
  static atomic_uint words[2];
  pthread_t thread;
  pthread_create(&thread, NULL, wake_all_the_time, words);
  cr_assert(!wire_wait(&words[0], 0, 20000000));
  atomic_store(&words[1], 1);
  pthread_join(thread, NULL);
}

Test(wire, messages_larger_than_buffers_arrive_whole) {
  enum { LENGTH = 3 << 20 };
  static char out[LENGTH], in[LENGTH];
  static wire_stream from, to;
  int ends[2];
  cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  from.fd = ends[0];
  to.fd = ends[1];
  for (size_t i = 0; i < LENGTH; i++) out[i] = (char)(i * 31 >> 3);
  for (size_t length = 1; length <= LENGTH; length = length * 7 + 1) {
    writer w = {&from, out, length};
    wire_head head;
    void *result;
    pthread_t thread;
    pthread_create(&thread, NULL, write_all, &w);
    cr_assert(wire_receive(&to, &head, sizeof head));
    cr_assert(head.kind == WIRE_JOB && head.value == 42 && head.length == length);
    cr_assert(wire_receive(&to, in, length / 2) &&
              wire_receive(&to, in + length / 2, length - length / 2));
    cr_assert_eq(memcmp(in, out, length), 0);
    pthread_join(thread, &result);
    cr_assert_not_null(result);
  }
  close(ends[0]);
  cr_assert_not(wire_receive(&to, in, 1), "the other end is gone");
  const wire_head head = {.kind = WIRE_JOB};
  cr_assert_not(wire_send(&to, &head, NULL, 0, NULL, 0));
  close(ends[1]);
}

Test(wire, requests_are_slices_of_their_text) {
  char text[] = "{\"id\": 12, \"params\": {\"a\": 1}}";
  rpc_request r = {.text = {text, strlen(text)}, .id = {text + 7, 2}, .params = {text + 21, 8}},
              back;
  wire_job job = {0};
  wire_job_from(&r, &job);
  cr_assert(wire_request(&job, text, strlen(text), &back));
  cr_assert(back.id.text == r.id.text && back.id.length == 2);
  cr_assert(back.params.text == r.params.text && back.params.length == 8);
  job.params_length = strlen(text);
  cr_assert_not(wire_request(&job, text, strlen(text), &back));
  job.params_length = UINT64_MAX;
  cr_assert_not(wire_request(&job, text, strlen(text), &back));
}
