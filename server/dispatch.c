// SPDX-License-Identifier: Apache-2.0
// From messages to jobs, and from jobs to replies.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "server/member.h"
#include "server/server.h"

enum {
  SHORT_BYTES =
      1 << 13,  // what is tried on the loop has at most that many bytes, and uses that many steps
  SHORT_STEPS = 4096,
  // How long the loop waits for a worker process that does such a request. Not less than a tick of the kernel: a timer
  // that ends before the next tick has to be set in the hardware, which costs more than the answer.
  SHORT_WAIT_NS = 4000000,
  SHORT_ITERATION_NS = 250000,  // what an iteration of the loop spends on such requests
  SCANNED_JOBS = 256,           // at each tick; more of them not sooner than
  SCAN_AGAIN_NS = 50000000,     // this after the last time
  INLINE_BYTES = 1 << 16,       // larger requests of cheap methods go to a worker as well
  JOINED_BYTES = 1 << 16,
  ERROR_BYTES = 1 << 16
};

// --- replies

typedef struct error_work {
  server_reply *reply;
  json_slice id;
  const rpc_failure *failure;
} error_work;

static void write_error(void *data) {
  error_work *w = data;
  rpc_write_error(&w->reply->out, w->id, w->failure);
}

typedef struct append_work {
  server_reply *to;
  const server_reply *reply;
} append_work;

static void append_text(void *data) {
  append_work *w = data;
  strbuf_puts(&w->to->out, ", ");
  strbuf_add(&w->to->out, w->reply->out.data, w->reply->out.length);
}

// Thousands of small replies are joined, as far as that is cheap: each has 4 kB of memory, and three buffers when it is
// written.
static bool append(server_batch *batch, const server_reply *reply) {
  append_work work = {batch->last, reply};
  if (!work.to || work.to->out.length + reply->out.length > JOINED_BYTES) return false;
  uint32_t length = work.to->out.length;
  if (arena_protect(&work.to->arena, append_text, &work) != SHAPE_OK) {
    work.to->out.length = length;
    return false;
  }
  batch->bytes += reply->out.length + 2;
  return true;
}

// A reply of a batch waits for the others. Takes the reply; an empty one is a notification's.
static void deliver(connection *c, server_batch *batch, server_reply *reply) {
  if (reply && !reply->out.length) {
    flow_reply_free(reply);
    reply = NULL;
  }
  if (reply) flow_count_reply(c, reply);
  if (!batch) {
    if (reply) connection_send(c, reply, reply);
    return;
  }
  if (reply && append(batch, reply)) {
    flow_reply_free(reply);
    flow_count_reply(c, batch->last);
  } else if (reply) {
    reply->batch = 1;
    reply->follows = batch->first != NULL;
    reply->continued = true;
    *(batch->first ? &batch->last->next : &batch->first) = reply;
    batch->last = reply;
    batch->bytes += reply->out.length + 2;
  }
  assert(batch->remaining > 0);
  if (--batch->remaining) return;
  if (batch->first) {
    batch->first->batch = batch->bytes;
    batch->last->continued = false;
    connection_send(c, batch->first, batch->last);
  }
  free(batch);
}

static server_reply *error_new(json_slice id, const rpc_failure *failure) {
  server_reply *reply = reply_new(ERROR_BYTES);
  error_work work = {reply, id, failure};
  if (reply && arena_protect(&reply->arena, write_error, &work) == SHAPE_OK) return reply;
  reply_free(reply);
  return NULL;
}

// A reply that there is no room for gives way to an error: one that would make that of its batch larger than one may be,
// or for which the replies that clients have not read leave nothing. NULL: there was no memory.
static server_reply *fit(const connection *c, const server_batch *batch, json_slice id,
                         server_reply *reply, rpc_code *outcome) {
  const server *s = c->owner;
  rpc_failure failure;
  if (!reply || !reply->out.length) return reply;  // a notification has none
  if (batch && batch->bytes + reply->out.length > s->config.max_reply) {
    *outcome = RPC_REPLY_TOO_LARGE;
    rpc_fail(&failure, *outcome, "the replies of the batch would be larger than the limit");
    failure.limit = "max-reply";
    failure.limit_value = s->config.max_reply;
  } else {
    quota_limit over = flow_excess(c, reply);
    if (!over.option) return reply;
    *outcome = RPC_QUEUE_FULL;
    rpc_fail(&failure, *outcome, "what clients have not read leaves no room for the reply");
    failure.limit = over.option;
    failure.limit_value = over.value;
  }
  reply_free(reply);
  return error_new(id, &failure);
}

// Returns the bytes of the reply; 0 when there was no memory for one, and the connection ends.
static uint64_t deliver_error(connection *c, server_batch *batch, json_slice id,
                              const rpc_failure *failure) {
  server_reply *reply = error_new(id, failure);
  if (!reply) {
    deliver(c, batch, NULL);
    connection_close(c);
    return 0;
  }
  uint64_t bytes = reply->out.length;
  deliver(c, batch, reply);
  return bytes;
}

void dispatch_failure(connection *c, const rpc_failure *failure) {
  server *s = c->owner;
  metrics_answer(&s->metrics, NULL, failure->code, 0);
  char name[48];
  uint64_t bytes = deliver_error(c, NULL, (json_slice){0}, failure);
  log_line(&s->log, LOG_IS_INFO, "reject", "conn=%llu reply=%llu outcome=%s",
           (unsigned long long)c->id, (unsigned long long)bytes,
           rpc_code_name(failure->code, name));
}

static void log_request(server *s, connection *c, const rpc_request *r, rpc_code outcome,
                        uint64_t nanoseconds, uint64_t reply_bytes) {
  uint64_t ms = nanoseconds / 1000000;
  bool slow = s->config.slow && ms >= s->config.slow;
  s->metrics.slow += slow;
  if (s->log.level < (slow ? LOG_IS_WARNING : LOG_IS_INFO)) return;
  char name[48], id[80], method[80];
  log_line(&s->log, slow ? LOG_IS_WARNING : LOG_IS_INFO, slow ? "slow" : "request",
           "conn=%llu id=%s method=%s bytes=%zu reply=%llu ms=%llu.%03llu outcome=%s",
           (unsigned long long)c->id,
           r->id.length ? log_quote(id, sizeof id, r->id.text, r->id.length) : "-",
           log_quote(method, sizeof method, r->method.text, r->method.length), r->text.length,
           (unsigned long long)reply_bytes, (unsigned long long)ms,
           (unsigned long long)(nanoseconds / 1000 % 1000), rpc_code_name(outcome, name));
}

// --- jobs

static void activate(server *s, server_job *job) {
  assert(!job->active_before && s->jobs.active != job);
  job->active_after = s->jobs.active;
  if (s->jobs.active) s->jobs.active->active_before = job;
  s->jobs.active = job;
}

static void deactivate(server *s, server_job *job) {
  assert(job->active_before || s->jobs.active == job);
  if (job->active_before) {
    job->active_before->active_after = job->active_after;
  } else {
    s->jobs.active = job->active_after;
  }
  if (job->active_after) job->active_after->active_before = job->active_before;
  if (s->jobs.active) return;
  uv_timer_stop(&s->jobs.tick);
  idle_later(s);
}

static void fail_stopped(server_job *job, shape_status why) {
  rpc_failure failure;
  rpc_fail(&failure, rpc_of_status(why), "%s", shape_status_message(why));
  method_name_limit(&failure, &job->limits, &job->control);
  job_fail(job, &failure);
}

// The loop sets the flag that ends a job; where the machine let it not run in time, the job may have come to its end. Its
// answer is late all the same: whether a request is answered depends on its deadline alone. What it changed stays, and
// then the answer says so.
static void refuse_late(server_job *job) {
  bool late = job->running && job->outcome == RPC_OK && job_is_late(job, job->finished);
  if (late && job->row->placement != METHOD_KEEPS) fail_stopped(job, SHAPE_DEADLINE);
}

// Hands a job's reply on.
static void answer(server *s, server_job *job) {
  connection *c = job->conn;
  refuse_late(job);
  uint64_t took = uv_hrtime() - job->received;
  server_reply *reply = fit(c, job->batch, job->request.id, job->reply, &job->outcome);
  size_t bytes = reply ? reply->out.length : 0;
  job->reply = NULL;
  metrics_answer(&s->metrics, job->row, job->outcome, took);
  if (job->running) metrics_time(&s->metrics.waits, job->started - job->received);
  log_request(s, c, &job->request, job->outcome, took, bytes);
  deactivate(s, job);
  deliver(c, job->batch, reply);
  if (job->request.id.length && !bytes) connection_close(c);
}

// A job that no worker has taken yet goes back the way that finished ones go, so that nothing that cancels jobs has to
// expect replies, closed connections and freed jobs in the middle of it.
void dispatch_cancel(server_job *job, shape_status why) {
  assert(why != SHAPE_OK);
  server *s = job->conn->owner;
  int running = SHAPE_OK;
  atomic_compare_exchange_strong(&job->control.stop, &running, (int)why);
  if (!job->again.stop) job->again.stop = why;
  if (!pool_withdraw(&s->pool, &job->conn->queue, job)) return;
  workers_abandon(job);
  s->metrics.cancelled_queued++;
  fail_stopped(job, why);
  pool_give_back(&s->pool, job);
}

// What takes long where short requests are answered is ended there; repeat begins it once more.
static void end_overdue(server *s, uint64_t now) {
  server_job *job = pool_overdue(&s->pool, now);
  int running = SHAPE_OK;
  if (job && atomic_compare_exchange_strong(&job->control.stop, &running, SHAPE_CANCELLED))
    job->again.wanted = true;
}

// True: the job was ended for a worker to begin it once more, and is not answered yet.
static bool repeat(server *s, server_job *job) {
  if (!job->again.wanted || job->outcome != RPC_CANCELLED) return false;
  job->again.wanted = false;
  if (job->again.stop != SHAPE_OK) {
    fail_stopped(job, job->again.stop);
    return false;
  }
  server_reply *reply = reply_new(s->config.max_reply);
  if (!reply) return false;
  reply_free(job->reply);
  job->reply = reply;
  method_control_init(&job->control);
  s->metrics.repeated++;
  pool_repeat(&s->pool, &job->conn->queue, job);
  return true;
}

static void dispatch_deadlines(server *s) {
  uint64_t now = uv_hrtime();
  end_overdue(s, now);
  // Thousands of jobs that wait are scanned less often.
  if (s->metrics.in_flight > SCANNED_JOBS && now - s->jobs.scanned < SCAN_AGAIN_NS) return;
  s->jobs.scanned = now;
  for (server_job *job = s->jobs.active; job; job = job->active_after) {
    if (job_is_late(job, now)) {
      dispatch_cancel(job, SHAPE_DEADLINE);
    } else if (atomic_load_explicit(&job->control.wants_progress, memory_order_acquire)) {
      progress_tell(s, job, now);
    }
  }
}

void dispatch_finished(server *s) {
  server_job *list = s->jobs.finished, **end = &list;
  while (*end) end = &(*end)->next;
  *end = pool_finished(&s->pool);
  while (*end) {
    server_job *job = *end, *next = job->next;
    if (repeat(s, job)) {
      *end = next;
    } else {
      end = &job->next;
    }
  }
  for (end = &list;
       *end && (end == &list || iteration_has_time(&s->iteration, SERVER_ITERATION_NS));
       end = &(*end)->next)
    answer(s, *end);
  s->jobs.finished = *end;
  *end = NULL;
  if (s->jobs.finished) iterate_again(s);
  // Connections are written to when all replies of this iteration are there; a job keeps its connection alive until
  // then.
  for (server_job *job = list; job;) {
    server_job *next = job->next;
    assert(job->conn->in_flight > 0);
    connection *c = job->conn;
    flow_message_release(job->message);
    free(job);
    connection_flush(c);
    connection_released(c);
    job = next;
  }
  if (list) iteration_cpu(&s->iteration);  // the next peer that is read has not used it
  drain_check(s);
}

// Workers do not report every answer at once, see pool.h.
static void on_tick(uv_timer_t *timer) {
  server *s = timer->data;
  pool_announce(&s->pool);
  dispatch_finished(s);
  dispatch_deadlines(s);
}

static bool look_up(server_message *message, const rpc_request *r, const char *key, member *out) {
  return member_find(&message->arena, r->params, key, out);
}

static method_limits limits_of(const server_config *config) {
  return (method_limits){
      .json = {.bytes = config->max_message, .depth = (uint32_t)config->max_depth},
      .program = {.nodes = config->max_nodes, .rank = config->max_rank},
      .steps = config->max_steps,
      .bits = (uint32_t)config->max_bits,
      .elements = (uint32_t)config->max_elements,
      .memory = config->max_memory,
      .reply = config->max_reply,
      .deadline = config->deadline};
}

// Builds for tests let a request name the allocation of it, or of its reply, that fails.
static void inject_faults(server_job *job) {
#ifdef SHAPE_DEBUG
  member at;
  if (look_up(job->message, &job->request, "fail_allocation", &at) && at.json.length)
    job->limits.fail_at = strtoull(at.json.text, NULL, 10);
  if (look_up(job->message, &job->request, "fail_reply", &at) && at.json.length)
    job->reply->arena.fault =
        (shape_fault){.fail_at = strtoull(at.json.text, NULL, 10), .once = true};
#else
  (void)job;
#endif
}

static bool names_faults(server_message *message, const rpc_request *r) {
#ifdef SHAPE_DEBUG
  member allocation, reply;
  return look_up(message, r, "fail_allocation", &allocation) &&
         look_up(message, r, "fail_reply", &reply) && (allocation.json.length || reply.json.length);
#else
  return (void)message, (void)r, false;
#endif
}

static server_job *job_new(connection *c, server_batch *batch, server_message *message,
                           const rpc_request *r, const method_row *row) {
  server *s = c->owner;
  server_job *job = calloc(1, sizeof *job);
  if (job) job->reply = reply_new(s->config.max_reply);
  if (!job || !job->reply) {
    free(job);
    return NULL;
  }
  job->conn = c;
  job->batch = batch;
  job->message = message;
  job->request = *r;
  job->row = row;
  job->limits = limits_of(&s->config);
  job->host = server_worker_host(c);
  job->workers = s->workers;
  job->received = uv_hrtime();
  bool short_text = r->text.length <= POOL_SHORT_BYTES && !names_faults(message, r);
  bool keeps = row->placement == METHOD_KEEPS;
  job->expected = !short_text ? JOB_LONG : keeps ? JOB_ONCE : JOB_REPEATABLE;
  job->deadline = job->received + s->config.deadline * 1000000;
  inject_faults(job);
  return job;
}

static void submit(server_job *job) {
  connection *c = job->conn;
  server *s = c->owner;
  assert(job->message->references > 0 && job->reply);
  if (s->workers) workers_rest(s->workers);
  job->message->references++;
  c->in_flight++;
  quota_take(&s->peers.use, &c->peer->use, QUOTA_REQUESTS, 1);
  if (++s->metrics.in_flight > s->metrics.in_flight_max)
    s->metrics.in_flight_max = s->metrics.in_flight;
  if (!s->jobs.active) uv_timer_start(&s->jobs.tick, on_tick, SERVER_TICK_MS, SERVER_TICK_MS);
  activate(s, job);
  pool_submit(&s->pool, &c->queue, job);
}

// What is answered while its message is read. Without memory for a reply the connection ends.
static void answer_now(connection *c, server_batch *batch, const rpc_request *r,
                       const method_row *row, server_reply *reply, rpc_code outcome,
                       uint64_t received) {
  server *s = c->owner;
  uint64_t took = uv_hrtime() - received;
  bool good = reply && (reply->out.length || !r->id.length);
  if (good) reply = fit(c, batch, r->id, reply, &outcome);
  good = good && reply;
  metrics_answer(&s->metrics, row, outcome, took);
  log_request(s, c, r, outcome, took, good ? reply->out.length : 0);
  deliver(c, batch, reply);
  if (!good) connection_close(c);
}

// Runs a request here and now. False: it gave up, and nothing was said.
static bool answer_here(connection *c, server_batch *batch, const rpc_request *r,
                        const method_row *row, uint64_t abandon_at) {
  server *s = c->owner;
  uint64_t received = uv_hrtime();
  server_reply *reply = reply_new(s->config.max_reply);
  method_limits limits = limits_of(&s->config);
  method_host host = server_host(c);
  method_control own = {.stop = SHAPE_OK};
  rpc_code outcome = RPC_MEMORY;
  limits.abandon_at = abandon_at;
  method_control *control = abandon_at ? short_begin(&s->shorts) : &own;
  if (reply) job_answer(row, r, &limits, &host, control, &reply->out, &outcome);
  if (abandon_at) short_end(&s->shorts);
  if (abandon_at && outcome == RPC_CANCELLED) {
    reply_free(reply);
    return false;
  }
  if (abandon_at) idle_later(s);
  answer_now(c, batch, r, row, reply, outcome, received);
  return true;
}

// Whether this iteration of the loop has time left for one more.
static bool has_short_time(server *s) {
  uint64_t now = uv_hrtime();
  if (!s->iteration.short_since) s->iteration.short_since = now;
  return now - s->iteration.short_since < SHORT_ITERATION_NS;
}

static bool may_be_short(connection *c, size_t length) {
  server *s = c->owner;
  return length <= SHORT_BYTES && !c->in_flight && (s->one_processor || has_short_time(s));
}

static bool is_short(connection *c, server_message *message, const rpc_request *r,
                     const method_row *row) {
  return row->placement == METHOD_SHORT && may_be_short(c, r->text.length) &&
         !names_faults(message, r);
}

bool dispatch_validates(connection *c, size_t length, json_limits *limits) {
  if (c->owner->workers || c->login.untrusted || !may_be_short(c, length)) return false;
  *limits = limits_of(&c->owner->config).json;
  return true;
}

// To hand a small request to a worker and its answer back costs a third of what the answer does, so the loop answers
// it itself: for a fraction of a millisecond an iteration, for a few thousand steps each and as long as short.h says, so
// that no client waits longer for them. What comes beyond that is more than one thread can do, and goes to the workers,
// with whatever else its connection sends until that is answered. With one processor it never is: there workers would
// only alternate with the loop, of some milliseconds each as the kernel's clock ticks.
static bool answer_short(connection *c, server_message *message, const rpc_request *r,
                         const method_row *row) {
  return !c->owner->workers && is_short(c, message, r, row) &&
         answer_here(c, NULL, r, row, SHORT_STEPS);
}

// With worker processes the loop waits for one instead, for as many steps; a thread waits for what takes longer.
static bool hand_over(connection *c, server_batch *batch, server_message *message,
                      const rpc_request *r, const method_row *row) {
  server *s = c->owner;
  server_job *job = job_new(c, batch, message, r, row);
  if (!job) return false;
  if (!s->workers || batch || !is_short(c, message, r, row) ||
      !workers_try(s->workers, job, SHORT_STEPS, SHORT_WAIT_NS)) {
    submit(job);
    return true;
  }
  idle_later(s);
  answer_now(c, NULL, r, row, job->reply, job->outcome, job->received);
  free(job);
  return true;
}

// --- requests

// Whether the request may go on: where clients need a token, the first request shows it. False after filling `failure`.
static bool is_trusted(connection *c, server_message *message, const rpc_request *r,
                       rpc_failure *failure) {
  if (!c->login.untrusted) return true;
  rpc_fail(failure, RPC_UNAUTHORIZED, "%s", rpc_code_message(RPC_UNAUTHORIZED));
  if (c->ended) return false;
  member shown;
  tls_token token;
  bool initialize = slice_is(r->method, "initialize");
  if (initialize && look_up(message, r, "token", &shown) && shown.text.length &&
      tls_knows_token(c->owner->tls, shown.text.text, shown.text.length, &token)) {
    return connection_admit(c, &token, failure);
  }
  connection_deny(c, initialize ? "wrong token" : "no token");
  return false;
}

// {"id": ...} of $/cancelRequest, compared with the ids of jobs as they were written.
static void cancel_request(connection *c, server_message *message, const rpc_request *r) {
  member named;
  if (!look_up(message, r, "id", &named)) return;
  json_slice id = named.json;
  for (server_job *job = c->owner->jobs.active; job; job = job->active_after) {
    if (job->conn != c || !id.length || job->request.id.length != id.length ||
        memcmp(job->request.id.text, id.text, id.length) != 0) {
      continue;
    }
    dispatch_cancel(job, SHAPE_CANCELLED);
    return;
  }
}

// The reason why a request for a worker is turned away, if there is one. A peer that has none in flight is not kept out
// by the queue of others.
static bool admit(connection *c, rpc_failure *failure) {
  server *s = c->owner;
  uint64_t queued, running;
  pool_counts(&s->pool, &queued, &running);
  quota_limit over = quota_excess(&s->config, &s->peers.use, &c->peer->use, QUOTA_REQUESTS, 1);
  rpc_code code = RPC_TOO_MANY_IN_FLIGHT;
  if (s->drain.draining) {
    code = RPC_DRAINING;
    over.option = NULL;
  } else if (c->in_flight >= s->config.max_in_flight) {
    over = (quota_limit){.option = "max-in-flight", .value = s->config.max_in_flight};
  } else if (!over.option && queued >= s->config.max_queue && c->peer->use.used[QUOTA_REQUESTS]) {
    code = RPC_QUEUE_FULL;
    over = (quota_limit){.option = "max-queue", .value = s->config.max_queue};
  } else if (!over.option) {
    return true;
  }
  rpc_fail(failure, code, "%s", rpc_code_message(code));
  failure->limit = over.option;
  failure->limit_value = over.value;
  return false;
}

// Turns a request away that no method has seen.
static void refuse(connection *c, server_batch *batch, const rpc_request *r, const method_row *row,
                   const rpc_failure *failure) {
  server *s = c->owner;
  uint64_t bytes = 0;
  metrics_answer(&s->metrics, row, failure->code, 0);
  // Without a method a notification cannot be distinguished from an error: it is answered.
  if (r->id.length || failure->code == RPC_INVALID_REQUEST || c->login.untrusted) {
    bytes = deliver_error(c, batch, r->id, failure);
  } else {
    deliver(c, batch, NULL);
  }
  log_request(s, c, r, failure->code, 0, bytes);
}

static void dispatch_request(connection *c, server_batch *batch, server_message *message,
                             const rpc_request *r) {
  server *s = c->owner;
  rpc_failure failure;
  bool notification = !r->id.length;
  if (c->closing) {
    deliver(c, batch, NULL);
    return;
  }
  s->metrics.notifications += notification && !r->wrong;
  if (r->wrong) {
    rpc_fail(&failure, RPC_INVALID_REQUEST, "%s", r->wrong);
    refuse(c, batch, r, NULL, &failure);
    return;
  }
  if (!is_trusted(c, message, r, &failure)) {
    refuse(c, batch, r, NULL, &failure);
    return;
  }
  if (slice_is(r->method, "$/cancelRequest")) {
    cancel_request(c, message, r);
    deliver(c, batch, NULL);
    return;
  }
  const method_row *row = method_find(r->method.text, r->method.length);
  bool good = row != NULL;
  if (!row) {
    if (notification && r->method.length > 1 && memcmp(r->method.text, "$/", 2) == 0) {
      deliver(c, batch, NULL);
      return;
    }
    rpc_fail(&failure, RPC_METHOD_NOT_FOUND, "there is no method \"%.*s\"",
             (int)(r->method.length < 80 ? r->method.length : 80), r->method.text);
  } else if (row->placement < METHOD_SHORT && r->text.length <= INLINE_BYTES) {
    answer_here(c, batch, r, row, 0);
    return;
  } else if (row->placement == METHOD_LOOP) {
    good = false;
    rpc_fail(&failure, RPC_SIZE, "a request of this method has at most %d bytes", INLINE_BYTES);
  } else if (!admit(c, &failure)) {
    good = false;
  } else if (!batch && answer_short(c, message, r, row)) {
    return;
  } else if (!hand_over(c, batch, message, r, row)) {
    good = false;
    rpc_fail(&failure, RPC_MEMORY, "the server is out of memory");
  }
  if (!good) refuse(c, batch, r, row, &failure);
}

bool dispatch_requests(connection *c, dispatch_run *run) {
  const rpc_message *m = &run->requests;
  if (m->is_batch && !run->next) {
    run->batch = calloc(1, sizeof *run->batch);
    if (!run->batch) {
      connection_close(c);
      return true;
    }
    run->batch->remaining = m->count;
  }
  while (run->next < m->count) {
    dispatch_request(c, run->batch, run->message, &m->requests[run->next++]);
    // No client waits for what is left of a connection that has ended.
    if (!c->closing && run->next < m->count &&
        !iteration_has_time(&c->owner->iteration, SERVER_ITERATION_NS))
      return false;
  }
  return true;
}
