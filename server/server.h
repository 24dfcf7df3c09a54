// SPDX-License-Identifier: Apache-2.0
// The daemon as a whole: one loop, its listeners, connections and jobs, and the workers. Everything here is the loop's
// thread's, but what pool.h and job.h say otherwise.
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include <uv.h>

#include "proto/frame/frame.h"
#include "server/config.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/iteration.h"
#include "server/peer.h"
#include "server/profiles.h"
#include "server/sessions.h"
#include "server/short.h"
#include "server/state.h"
#include "server/tls.h"
#include "server/workers.h"

typedef union server_stream {
  uv_handle_t handle;
  uv_stream_t stream;
  uv_pipe_t pipe;
  uv_tcp_t tcp;
} server_stream;

typedef struct dispatch_run dispatch_run;

struct connection {
  server_stream uv;
  server *owner;
  peer *peer;  // over TLS its address, until its credentials say who it is
  connection *before, *after;
  uint64_t id;
  quota_kind slot;  // of the peer's that it has, if it has one
  bool has_slot;
  frame_reader reader;
  pool_queue queue;
  uint64_t in_flight;  // jobs that were not answered
  struct {
    server_reply *first, **end;  // to be written at the end of this iteration
    size_t bytes;                // of those
    size_t sealed;               // of the first one, that TLS has taken
    size_t backlog;              // handed to the stream and not yet taken by it
  } out;
  struct {
    size_t held;    // counted in QUOTA_BYTES of its peer; of those
    size_t input;   // the buffer of its reader, and
    size_t unread;  // replies that were handed to connection_send
    size_t unsent;  // what libuv has still to write
  } bytes;
  uint64_t heard;  // loop time, milliseconds: when bytes.unsent last changed, or a byte came
  struct {
    bool on;         // it is not read for want of room, since
    uint64_t since;  // loop time, milliseconds
    connection *before, *after;
  } pause;
  tls_session *tls;   // NULL: as it is
  uint64_t accepted;  // loop time, milliseconds
  struct {
    bool wants_token;  // decided when it was accepted; a reload can only add to that
    bool untrusted;    // credentials are still to come
    bool recheck;  // they are to be compared with what is asked for now, not when it was accepted
    tls_token token;  // the one that it showed, if any
  } login;
  bool held;              // its message, or its iteration, takes longer: nothing is read
  dispatch_run *run;      // what is left of that message; NULL: nothing
  connection *held_next;  // among those of its peer that wait for the next iteration
  bool deferred;          // it is not read for want of time
  bool ended, closing, closed;
};

struct server_batch {
  uint32_t remaining;
  server_reply *first, *last;  // in the order in which they were there
  size_t bytes;                // of the message, brackets and commas included
};

// A message whose requests are handed on, as many in an iteration as there is time for.
struct dispatch_run {
  server_message *message;
  rpc_message requests;
  uint32_t next;
  server_batch *batch;
};

struct server {
  uv_loop_t loop;
  server_arguments arguments;
  server_config config;
  server_log log;
  server_metrics metrics;
  tls_context *tls;  // NULL: no listener needs it
  session_table *sessions;
  profile_store *profiles;  // NULL: none are kept
  worker_pool pool;
  worker_set *
      workers;  // processes that answer what the threads of the pool take; NULL: those do themselves
  short_watch shorts;
  bool one_processor;  // is all that the workers and the loop may use
  uv_async_t wake;
  uv_timer_t watchdog;
  server_signals signals;
  server_listeners listening;
  peer_table peers;
  server_connections connections;
  http_client *http_clients;
  server_jobs jobs;
  server_flow flow;
  server_held held;
  iteration_clock iteration;
  server_idle idle;
  server_drain drain;
};

// --- handles.c
int stream_init(server *s, server_stream *stream, bool tcp);  // libuv's status
bool stream_open(server_stream *stream, int fd);              // takes the descriptor, if true
bool handles_open(server *s);  // the loop and all but signals and listeners
void handles_close(server *s);
void iterate_again(
    server *s);  // there is more to do: the next iteration begins at once, and does it

// --- listen.c. False after filling `error`.
bool listen_all(server *s, char *error, size_t size);
bool listen_check(const server_config *config, char *error, size_t size);  // are its addresses any?
void listen_stop(server *s, listener_role role);                           // those of one role

// --- accept.c
int accept_start(
    server_listener *listener);  // libuv's status; on failure the descriptor is as it was
void accept_stop(server_listener *listener);  // closes it; more than once, too
void accept_failed(server_listener *listener,
                   int why);       // counts, and says so in the log from time to time
void accept_make_room(server *s);  // files for max-connections, as far as the system allows

// --- connection.c
void connection_close(connection *c);     // cancels what it waits for
bool connection_read(connection *c);      // from now on; false: it cannot be
void connection_released(connection *c);  // a job of it is gone
void connection_resume(connection *c);    // its message was handed on
void connection_later(connection *c);     // goes on in the next iteration, by connection_resume
void connection_continue(server *s);      // those that wait for that, as many as there is time for
void connection_maybe_finish(connection *c);

// --- admit.c
// Takes the descriptor. `last`: it is the last one that there is, so the client is notified and closed.
void connection_accept(server_listener *listener, int fd, bool last);
void connection_deny(connection *c, const char *why);
// The client has shown what it has to: `token`, or a certificate where that is NULL. It is that peer's from here on.
// False after filling `failure`: it is one connection too many, and ends when that is said.
bool connection_admit(connection *c, const tls_token *token, rpc_failure *failure);
void connection_free_slot(connection *c);  // what it has of its peer's connections
void connection_recheck(server *s);        // after a reload: whose credentials are none any more
bool connection_check_login(connection *c,
                            uint64_t now);  // whether its credentials are still to come

// --- flow.c
void flow_watch(server *s);
void flow_count(connection *c, size_t bytes);  // it holds that much more
void flow_release(connection *c, size_t bytes);
void flow_move(connection *c, peer *to);  // before it is that peer's
void flow_count_input(connection *c);     // its reader's buffer, as that is now
void flow_count_message(connection *c, server_message *m, size_t bytes);
void flow_message_release(server_message *m);           // in place of message_release
void flow_count_reply(connection *c, server_reply *r);  // a new one, or one that has become larger
void flow_sent(connection *c, server_reply *r);         // it waits for the client from now on
void flow_reply_free(server_reply *r);                  // in place of reply_free; NULL: nothing
quota_limit flow_excess(const connection *c,
                        const server_reply *r);  // why there is no room for a reply
size_t flow_message_limit(const server_config *config);
bool flow_full(const connection *c);     // whether no more messages of it are to be worked on now
bool flow_blocked(const connection *c);  // whether it is not to be read now
void flow_pause(connection *c);
void flow_unpause(connection *c);  // without going on
void flow_continue(server *s);     // with those that have room again

// --- writer.c
// The reply is the connection's from here on; it is written at the end of the iteration, by connection_flush.
void connection_send(connection *c, server_reply *first, server_reply *last);
void connection_flush(connection *c);
void connection_flush_sealed(connection *c);  // what TLS itself has to say
void connection_drop_replies(server_reply *reply);

// --- dispatch.c
bool dispatch_requests(connection *c,
                       dispatch_run *run);  // false: there are more, for the next iteration
// Whether the loop is likely to answer a message of that many bytes itself, and validates it where it takes it apart.
bool dispatch_validates(connection *c, size_t length, json_limits *limits);
void dispatch_failure(connection *c, const rpc_failure *failure);  // of a message that is none
void dispatch_finished(server *s);  // jobs that workers are done with
void dispatch_cancel(server_job *job, shape_status why);

// --- split.c
// Hands the requests of a message to dispatch, now or, of a large one, later: then `held` is set, the text has to
// stay where it is, and connection_resume is called at the end.
void split_message(connection *c, const char *text, size_t length);
bool split_continue(connection *c);  // goes on with c->run; false: there is more

// --- progress.c
void progress_tell(server *s, server_job *job, uint64_t now);  // where it is time to

// --- idle.c
// Something has ended, and given memory back; a moment after the last such, memory goes back to the system.
void idle_later(server *s);
// Ends sessions that were idle for too long, a tenth of that time late at most, and within a minute.
void idle_watch_sessions(server *s);
// uv_queue_work. The first such work makes threads, which run where the loop may: it may anywhere then.
bool work_begin(server *s, uv_work_t *work, uv_work_cb run, uv_after_work_cb after);

// --- drain.c
void drain_begin(server *s, const char *why);
void drain_check(server *s);  // ends the loop when nothing is under way any more
void server_reload(server *s);
// The level and format that the options name. False after filling `error`; the log is as before then.
bool server_configure_log(server_log *log, const server_config *config, char *error, size_t size);

// --- host.c
method_host server_host(connection *c);  // for the loop
method_host
server_worker_host(connection *c);  // what any thread may call, while a job of it is not answered
void metrics_refresh(server *s);    // the gauges that are looked up

#endif
