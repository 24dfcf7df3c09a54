// SPDX-License-Identifier: Apache-2.0
// The parts of the daemon's state, each with the file that keeps it.
#ifndef SERVER_STATE_H
#define SERVER_STATE_H

#include <uv.h>

#include "server/config.h"
#include "server/pool.h"

typedef struct server server;
typedef struct http_client http_client;

// What an iteration of the loop may take before others have theirs, in all: answers, messages and writes.
enum { LISTENERS_MAX = 8, SERVER_TICK_MS = 5, SERVER_ITERATION_NS = 500000 };

typedef enum listener_role { LISTENS_FOR_CLIENTS, LISTENS_FOR_TLS, LISTENS_FOR_HTTP } listener_role;

typedef struct server_listener {
  uv_poll_t poll;
  uv_timer_t retry;  // after a pause
  server *owner;
  listener_role role;
  int fd;               // -1: closed
  bool tcp;             // else a Unix socket
  uint64_t complained;  // loop time, milliseconds; 0: never
  char name[CONFIG_TEXT_MAX + 8];
  char unlink[CONFIG_TEXT_MAX + 32];  // the path to remove at the end; empty: none
  uint64_t device, inode;             // of that path when we made it
} server_listener;

// listen.c
typedef struct server_listeners {
  server_listener items[LISTENERS_MAX];
  unsigned count;
  int reserve;       // a descriptor for when there is none left; -1: not even that
  uv_poll_t widest;  // of the highest descriptor; closed once the loop has room for all below
} server_listeners;

// What the daemon was started with, for when its configuration is read again.
typedef struct server_arguments {
  int count;
  char **texts;
} server_arguments;

typedef struct server_signals {
  uv_signal_t term, interrupt, hangup;
} server_signals;

// admit.c
typedef struct server_connections {
  connection *first;
  uint64_t next;  // number of one
} server_connections;

// dispatch.c
typedef struct server_jobs {
  server_job *active;    // every one that was not answered
  server_job *finished;  // those that an iteration had no time for
  uv_timer_t tick;       // while any is under way: deadlines
  uint64_t scanned;      // uv_hrtime: when they were for deadlines
} server_jobs;

// flow.c: connections that are not read for want of room.
typedef struct server_flow {
  connection *first, *last;
  uv_timer_t sweep;  // while anything waits for a client
} server_flow;

// connection.c: what goes on with the next iteration of the loop.
typedef struct server_held {
  peer *peers;         // that have connections which do
  uint64_t loop_used;  // the least of their loop_used when one was chosen last
  uv_idle_t later;     // the iteration comes at once then
} server_held;

// idle.c
typedef struct server_idle {
  uv_timer_t timer;      // some time after the last job
  bool released;         // memory_release holds
  uv_timer_t sessions;   // ends idle sessions,
  uv_work_t sweep;       // beside the loop,
  bool sweeping, swept;  // which it is doing; and whether the last time there were any
} server_idle;

// drain.c
typedef struct server_drain {
  uv_timer_t timer;
  uint64_t late;  // loop time from which on it waits no longer; 0: not yet
  bool draining, stopped;
} server_drain;

#endif
