// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE 1  // syscall

#include "server/wire.h"

#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "proto/rpc/rpc.h"

// A call carries an id, a name or two texts; profiles are far smaller.
enum { CALL_BYTES = 1 << 26, NS_OF_SECOND = 1000000000 };

bool wire_head_valid(const wire_head *h, uint64_t most) {
  switch (h->kind) {
  case WIRE_REPLY: return h->code < RPC_CODE_COUNT && h->length <= most && h->flags <= WIRE_ENDED;
  case WIRE_SESSION_ADD: return !h->length && h->flags <= 1;
  case WIRE_SESSION_TAKE: return h->length == SESSION_ID_SIZE - 1;
  case WIRE_PROFILE_GET: return h->length <= PROFILE_NAME_MAX;
  case WIRE_PROFILE_PUT: return h->length <= CALL_BYTES && h->length >= sizeof(wire_profile);
  default: return false;
  }
}

void wire_job_from(const rpc_request *r, wire_job *out) {
  const char *text = r->text.text;
  assert(!r->id.length ||
         (r->id.text >= text && r->id.text + r->id.length <= text + r->text.length));
  assert(!r->params.length ||
         (r->params.text >= text && r->params.text + r->params.length <= text + r->text.length));
  out->id_length = (uint32_t)r->id.length;
  out->id_at = r->id.length ? (uint32_t)(r->id.text - text) : 0;
  out->params_length = r->params.length;
  out->params_at = r->params.length ? (uint64_t)(r->params.text - text) : 0;
}

static bool inside(uint64_t at, uint64_t length, uint64_t whole) {
  return at <= whole && length <= whole - at;
}

bool wire_request(const wire_job *job, const char *text, size_t length, rpc_request *out) {
  if (!inside(job->id_at, job->id_length, length)) return false;
  if (!inside(job->params_at, job->params_length, length)) return false;
  *out = (rpc_request){.text = {text, length},
                       .id = {text + job->id_at, job->id_length},
                       .params = {text + job->params_at, job->params_length}};
  return true;
}

// The time is that of the end: the other side can wake this one as often as it likes.
bool wire_wait(atomic_uint *word, unsigned value, uint64_t nanoseconds) {
  if (atomic_load(word) != value) return true;
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  uint64_t end = (uint64_t)until.tv_nsec + nanoseconds;
  until.tv_sec += (time_t)(end / NS_OF_SECOND);
  until.tv_nsec = (long)(end % NS_OF_SECOND);
  do {
    long status = syscall(SYS_futex, word, FUTEX_WAIT_BITSET, value, nanoseconds ? &until : NULL,
                          NULL, FUTEX_BITSET_MATCH_ANY);
    if (status < 0 && errno == ETIMEDOUT) return atomic_load(word) != value;
  } while (atomic_load(word) == value);
  return true;
}

void wire_wake(atomic_uint *word) { syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0); }

// --- the stream. Sockets have time-outs, so that a wait can be interrupted.

static bool may_wait(wire_stream *s) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
  return !s->idle || s->idle(s->idle_data, true);
}

bool wire_send(wire_stream *s, const wire_head *head, const void *first, size_t first_length,
               const void *second, size_t second_length) {
  wire_head out = *head;
  out.length = first_length + second_length;
  struct iovec parts[3] = {{&out, sizeof out},
                           {(void *)(uintptr_t)first, first_length},
                           {(void *)(uintptr_t)second, second_length}};
  unsigned at = 0;
  while (at < 3) {
    struct msghdr message = {.msg_iov = parts + at, .msg_iovlen = 3 - at};
    ssize_t n = sendmsg(s->fd, &message, MSG_NOSIGNAL);
    if (n < 0) {
      if (!may_wait(s)) return false;
      continue;
    }
    size_t sent = (size_t)n;
    while (at < 3 && sent >= parts[at].iov_len) sent -= parts[at++].iov_len;
    if (at < 3) {
      parts[at].iov_base = (char *)parts[at].iov_base + sent;
      parts[at].iov_len -= sent;
    }
  }
  return true;
}

// One receive, of a byte or more.
static size_t receive_some(wire_stream *s, void *to, size_t room) {
  for (;;) {
    ssize_t n = recv(s->fd, to, room, 0);
    if (n > 0) return (size_t)n;
    if (n == 0 || !may_wait(s)) return 0;
  }
}

bool wire_receive(wire_stream *s, void *to, size_t length) {
  char *out = to;
  assert(s->begin <= s->end && s->end <= sizeof s->buffer);
  while (length) {
    // What comes in small pieces for ever is limited, too.
    if (s->idle && s->begin == s->end && s->pieces++ % 64 == 63 && !s->idle(s->idle_data, false))
      return false;
    size_t have = s->end - s->begin, part = have < length ? have : length;
    if (part) {
      memcpy(out, s->buffer + s->begin, part);
      s->begin += part;
    } else if (length >= sizeof s->buffer) {
      part = receive_some(s, out, length);
      if (!part) return false;
    } else {
      s->begin = 0;
      s->end = receive_some(s, s->buffer, sizeof s->buffer);
      if (!s->end) return false;
    }
    out += part;
    length -= part;
  }
  return true;
}
