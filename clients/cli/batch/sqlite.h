// SPDX-License-Identifier: Apache-2.0
// SQLite, loaded when a batch writes a database: to load it takes longer than to check a small program, which every
// start of a program that is linked with it would pay.
#ifndef SHAPE_CLI_SQLITE_H
#define SHAPE_CLI_SQLITE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct sqlite_api {
  void *library;
#define X(function) __typeof__(&(function)) function;
#include "clients/cli/batch/sqlite.def"
#undef X
} sqlite_api;

// False after filling `why`: it is not on this machine.
bool sqlite_load(sqlite_api *api, char *why, size_t size);
void sqlite_unload(sqlite_api *api);

#endif
