// SPDX-License-Identifier: Apache-2.0
// Whose daemon is it at a socket that no one named? The default sockets are in folders that only their user can write to,
// and what answers there is that user's; anything else is not asked, as it could read programs and forge answers. A socket
// that an option or a variable names is trusted as it is.
#ifndef SHAPE_CLIENT_TRUST_H
#define SHAPE_CLIENT_TRUST_H

#include <stdbool.h>
#include <stddef.h>

// Writes the default path: the user's own daemon, else that of the system. Where there is neither, the user's.
bool client_default_path(char *path, size_t size);
// Whether the folder of a default path is to be trusted, or is not there. False: `why` says what is wrong.
bool client_trusts_folder(const char *path, char *why, size_t size);
// Whether the one who listens at the other end of a connection to it may be trusted.
bool client_trusts_daemon(const char *path, int fd, char *why, size_t size);

#endif
