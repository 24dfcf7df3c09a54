// SPDX-License-Identifier: Apache-2.0
// The limits of what clients hold, see quota.def: counted for all clients together and for each peer. The event loop's.
#ifndef SERVER_QUOTA_H
#define SERVER_QUOTA_H

#include "server/config.h"

typedef enum quota_kind {
#define X(kind, all, peer, spare) QUOTA_##kind,
#include "server/quota.def"
#undef X
  QUOTA_COUNT
} quota_kind;

// Bytes that a connection may hold whatever others do, beside its buffers of TLS.
enum { QUOTA_FREE_BYTES = 3 << 16 };

typedef struct quota_use {
  uint64_t used[QUOTA_COUNT];
} quota_use;

// The option that sets the limit, and its value; NULL: none.
typedef struct quota_limit {
  const char *option;
  uint64_t value;
  bool peer;  // it is the one for each peer
} quota_limit;

// What keeps a peer from holding `more`. O(1).
quota_limit quota_excess(const server_config *config, const quota_use *all, const quota_use *peer,
                         quota_kind kind, uint64_t more);
// The same, of that many hundredths of the limits.
quota_limit quota_excess_of(const server_config *config, const quota_use *all,
                            const quota_use *peer, quota_kind kind, uint64_t more,
                            unsigned hundredths);
void quota_take(quota_use *all, quota_use *peer, quota_kind kind, uint64_t count);
void quota_give(quota_use *all, quota_use *peer, quota_kind kind, uint64_t count);
// What all clients can hold at most, of a kind; 0: no limit here.
uint64_t quota_max(const server_config *config, quota_kind kind);

#endif
