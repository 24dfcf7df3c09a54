// SPDX-License-Identifier: Apache-2.0
// Peers: on whose account clients use the daemon. Limits, scheduling, sessions and profiles are per peer, so that many
// connections are no more than one.
//
// A peer is a user on Unix sockets (`uid:1000`, as the kernel says), what was shown over TLS (`cert:` or `token:` and a
// digest; a certificate counts by issuer and subject, so that a renewed one is the same peer), else an address (`addr:`,
// of IPv6 the first 64 bits, as that is what one network has). A peer is in the table for as long as something refers to
// it; its name outlives it with sessions and profiles.
#ifndef SERVER_PEER_H
#define SERVER_PEER_H

#include "server/pool.h"
#include "server/quota.h"

enum { PEER_NAME_SIZE = 64 };

typedef struct peer {
  struct peer *before, *after;
  uint32_t references;
  char name[PEER_NAME_SIZE];
  pool_share share;
  quota_use use;
  uint64_t stuck;  // bytes, for flow.c
  // Of connection.c: connections that go on in the next iteration, and what the loop has done for the peer, in
  // nanoseconds; what was saved while there was nothing to do is lost.
  struct connection *held_first, *held_last;
  struct peer *held_before, *held_after;  // among the peers that have some
  uint64_t loop_used;
} peer;

typedef struct peer_table {
  peer *first;
  uint64_t count;
  quota_use use;  // of all
} peer_table;

// The peer of that name, with one more reference; NULL: no memory. O(peers).
peer *peer_get(peer_table *table, const char *name);
void peer_release(peer_table *table, peer *p);  // NULL: nothing
// Who is at the other end of a socket: its user, or its address. Always a name, but -1 for a
// user or process that is not known.
typedef struct peer_process {
  long uid, pid;
} peer_process;
peer_process peer_name_of(int fd, char name[PEER_NAME_SIZE]);

#endif
