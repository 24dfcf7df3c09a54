// SPDX-License-Identifier: Apache-2.0
// Profiles by peer and name, in SQLite: in a file where the option profile-db names one, else in memory. Any thread may
// call; one lock orders them. A profile that was answered for is in the file's log (WAL), so it survives kill -9; what the
// file system loses with the power is at most the newest. A name that begins with "shared/" is one for all peers. Beyond
// `max-profiles` of a peer, or `all-profiles`, those of that peer go that were written longest ago; the shared ones count
// as one peer's. The file is for its user alone. Without SQLite nothing can be opened and the daemon says that it keeps no
// profiles.
#ifndef SERVER_PROFILES_H
#define SERVER_PROFILES_H

#include "proto/methods/method.h"
#include "server/config.h"

typedef struct profile_store profile_store;

// NULL after filling `error`, which stays empty where profiles are not part of the program.
profile_store *profiles_open(const server_config *config, char *error, size_t size);
void profiles_close(profile_store *store);  // NULL: nothing
json_slice profiles_get(profile_store *store, shape_arena *arena, const char *asker,
                        json_slice name);
// False after filling `failure`.
bool profiles_update(profile_store *store, shape_arena *arena, const char *asker, json_slice name,
                     void (*fold)(void *work, json_slice before, shape_strbuf *after), void *work,
                     rpc_failure *failure);

#endif
