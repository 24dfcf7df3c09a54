// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/batch/child.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

// The parent's end of a pipe, as child_start leaves it; *into is the worker's.
static child open_child(int *into) {
  int ends[2];
  cr_assert_eq(pipe(ends), 0);
  cr_assert_eq(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
  *into = ends[1];
  return (child){.replies = ends[0]};
}

static void send_to(int into, const void *data, size_t length) {
  cr_assert_eq(write(into, data, length), (ssize_t)length);
}

static int receive(child *c) {
  bool no_memory = false;
  int got = child_receive(c, &no_memory);
  cr_assert_not(no_memory);
  return got;
}

Test(child, messages_in_pieces) {
  int into;
  child c = open_child(&into);
  const worker_head sent[2] = {{WORKER_RECORD, 7, 5}, {WORKER_OK, 8, 0}};
  char bytes[2 * sizeof *sent + 5];
  memcpy(bytes, &sent[0], sizeof *sent);
  memcpy(bytes + sizeof *sent, "hello", 5);
  memcpy(bytes + sizeof *sent + 5, &sent[1], sizeof *sent);
  worker_head head;
  cr_expect_eq(receive(&c), 0, "nothing was sent");
  for (size_t i = 0; i < sizeof bytes; i++) {
    cr_expect_eq(child_message(&c, 0, &head) != NULL, i >= sizeof *sent + 5, "after %zu bytes", i);
    send_to(into, bytes + i, 1);
    cr_expect_eq(receive(&c), 1);
  }
  const char *data = child_message(&c, 0, &head);
  cr_assert(data);
  cr_expect(head.what == WORKER_RECORD && head.index == 7 && head.length == 5);
  cr_expect_arr_eq(data, "hello", 5);
  cr_assert(child_message(&c, sizeof head + 5, &head));
  cr_expect(head.what == WORKER_OK && head.index == 8);
  child_drop(&c, sizeof head + 5);
  cr_assert(child_message(&c, 0, &head));
  cr_expect_eq(head.index, 8);
  child_drop(&c, sizeof head);
  cr_expect_eq(c.length, 0);
  close(into);
  cr_expect_eq(receive(&c), -1, "the end");
  close(c.replies);
  child_free(&c);
}

Test(child, a_length_that_lies) {
  int into;
  child c = open_child(&into);
  worker_head head = {WORKER_RECORD, 1, SIZE_MAX};
  send_to(into, &head, sizeof head);
  send_to(into, "more", 4);
  cr_expect_eq(receive(&c), 1);
  cr_expect_null(child_message(&c, 0, &head), "it never ends");
  close(into);
  cr_expect_eq(receive(&c), -1);
  close(c.replies);
  child_free(&c);
}
