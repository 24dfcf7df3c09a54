// SPDX-License-Identifier: Apache-2.0
#ifdef HAVE_SQLITE3

#include "clients/cli/batch/sqlite.h"

#include <stdio.h>

#include "clients/c/library.h"

static const library_entry ENTRIES[] = {
#define X(function) {#function, offsetof(sqlite_api, function)},
#include "clients/cli/batch/sqlite.def"
#undef X
};

bool sqlite_load(sqlite_api *api, char *why, size_t size) {
  const char *reason = library_load("libsqlite3.so.0", ENTRIES, sizeof ENTRIES / sizeof *ENTRIES,
                                    api, &api->library);
  if (reason) snprintf(why, size, "a database needs SQLite 3: %s", reason);
  return !reason;
}

void sqlite_unload(sqlite_api *api) { library_unload(&api->library); }

#else
typedef int sqlite_is_absent;
#endif
