// SPDX-License-Identifier: Apache-2.0
#include "server/profiles.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#ifdef HAVE_SQLITE3

#include <sqlite3.h>

enum { BUSY_MS = 2000 };

enum { GET, PUT, TRIM, COUNT, STATEMENTS };

struct profile_store {
  uv_mutex_t mutex;
  sqlite3 *db;
  sqlite3_stmt *statements[STATEMENTS];
  int64_t most, all, count;  // of a peer, of all; how many there are
};

static const char SCHEMA[] =
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = NORMAL;"
    "CREATE TABLE IF NOT EXISTS owned"
    " (owner TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL, written INTEGER NOT NULL,"
    " PRIMARY KEY (owner, name));"
    "CREATE INDEX IF NOT EXISTS owned_written ON owned (written);"
    "CREATE INDEX IF NOT EXISTS owned_age ON owned (owner, written);";
// Before there were peers all profiles were one table, which all shared.
static const char MIGRATE[] =
    "BEGIN IMMEDIATE;"
    "INSERT OR IGNORE INTO owned SELECT '', 'shared/' || name, state, written FROM profile;"
    "DROP TABLE profile;"
    "COMMIT;";
static const char *const TEXTS[] = {
    [GET] = "SELECT state FROM owned WHERE owner = ?1 AND name = ?2",
    [PUT] = "INSERT INTO owned (owner, name, state, written) VALUES"
            " (?1, ?2, ?3, (SELECT coalesce(max(written), 0) + 1 FROM owned))"
            " ON CONFLICT (owner, name) DO UPDATE SET state = ?3, written = excluded.written",
    [TRIM] =
        ("DELETE FROM owned WHERE owner = ?1 AND name IN"
         " (SELECT name FROM owned WHERE owner = ?1 ORDER BY written DESC LIMIT -1 OFFSET ?2)"),
    [COUNT] = "SELECT count(*) FROM owned WHERE owner = ?1 OR ?1 IS NULL",
};

// How many profiles a peer has, or (NULL) all have; -1: it cannot be read.
static int64_t count_of(profile_store *s, const char *owner) {
  sqlite3_stmt *count = s->statements[COUNT];
  if (owner) sqlite3_bind_text(count, 1, owner, -1, SQLITE_STATIC);
  int64_t n = sqlite3_step(count) == SQLITE_ROW ? sqlite3_column_int64(count, 0) : -1;
  sqlite3_reset(count);
  sqlite3_clear_bindings(count);
  return n;
}

static bool prepare(profile_store *s) {
  for (int i = 0; i < STATEMENTS; i++) {
    if (sqlite3_prepare_v2(s->db, TEXTS[i], -1, &s->statements[i], NULL) != SQLITE_OK) return false;
  }
  s->count = count_of(s, NULL);
  return s->count >= 0;
}

static bool migrate(sqlite3 *db) {
  bool old = sqlite3_table_column_metadata(db, NULL, "profile", "name", NULL, NULL, NULL, NULL,
                                           NULL) == SQLITE_OK;
  return !old || sqlite3_exec(db, MIGRATE, NULL, NULL, NULL) == SQLITE_OK;
}

// What clients have seen is for the daemon's user alone. SQLite gives its other files the mode of this one.
static bool make_private(const char *path, char *error, size_t size) {
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600);
  struct stat info;
  bool good = fd >= 0 && fstat(fd, &info) == 0;
  if (good && S_ISREG(info.st_mode) && info.st_uid == geteuid() && (info.st_mode & 077)) {
    good = fchmod(fd, info.st_mode & 0700) == 0;
  }
  if (!good) snprintf(error, size, "profile-db: cannot use %s: %s", path, strerror(errno));
  if (fd >= 0) close(fd);
  return good;
}

profile_store *profiles_open(const server_config *config, char *error, size_t size) {
  profile_store *s = calloc(1, sizeof *s);
  *error = 0;
  if (!s || uv_mutex_init(&s->mutex)) {
    snprintf(error, size, "profile-db: out of memory");
    free(s);
    return NULL;
  }
  s->most = (int64_t)config->max_profiles;
  s->all = (int64_t)config->all_profiles;
  const char *path = *config->profile_db ? config->profile_db : ":memory:";
  if (*config->profile_db && !make_private(path, error, size)) {
    profiles_close(s);
    return NULL;
  }
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &s->db, flags, NULL) == SQLITE_OK &&
      sqlite3_busy_timeout(s->db, BUSY_MS) == SQLITE_OK &&
      sqlite3_exec(s->db, SCHEMA, NULL, NULL, NULL) == SQLITE_OK && migrate(s->db) && prepare(s)) {
    return s;
  }
  snprintf(error, size, "profile-db: cannot use %s: %s", path,
           s->db ? sqlite3_errmsg(s->db) : "out of memory");
  profiles_close(s);
  return NULL;
}

void profiles_close(profile_store *s) {
  if (!s) return;
  for (int i = 0; i < STATEMENTS; i++) sqlite3_finalize(s->statements[i]);
  sqlite3_close(s->db);
  uv_mutex_destroy(&s->mutex);
  free(s);
}

// Work that may leave through the arena does so after the lock is given back.
typedef struct locked_work {
  profile_store *store;
  shape_arena *arena;
  const char *owner;
  json_slice name, state;
  void (*fold)(void *work, json_slice before, shape_strbuf *after);
  void *work;
  bool found, full, good;
} locked_work;

static sqlite3_stmt *statement_of(const locked_work *w, int which) {
  assert(which >= 0 && (size_t)which < sizeof w->store->statements / sizeof *w->store->statements);
  sqlite3_stmt *statement = w->store->statements[which];
  sqlite3_bind_text(statement, 1, w->owner, -1, SQLITE_STATIC);
  return statement;
}

static void bind_name(sqlite3_stmt *statement, json_slice name) {
  sqlite3_bind_text(statement, 2, name.text, (int)name.length, SQLITE_STATIC);
}

static void get(void *data) {
  locked_work *w = data;
  sqlite3_stmt *statement = statement_of(w, GET);
  bind_name(statement, w->name);
  if (sqlite3_step(statement) != SQLITE_ROW) return;
  size_t length = (size_t)sqlite3_column_bytes(statement, 0);
  const char *text = (const char *)sqlite3_column_text(statement, 0);
  w->found = true;
  if (text) w->state = (json_slice){arena_strndup(w->arena, text, length), length};
}

// Leaves the peer that many profiles at most.
static bool trim(locked_work *w, int64_t most) {
  sqlite3_stmt *statement = statement_of(w, TRIM);
  sqlite3_bind_int64(statement, 2, most);
  bool good = sqlite3_step(statement) == SQLITE_DONE;
  if (good) w->store->count -= sqlite3_changes(w->store->db);
  assert(w->store->count >= 0);
  sqlite3_reset(statement);
  return good;
}

static void update(void *data) {
  locked_work *w = data;
  profile_store *s = w->store;
  shape_strbuf after;
  get(w);
  sqlite3_reset(s->statements[GET]);
  strbuf_init(&after, w->arena);
  w->fold(w->work, w->state, &after);
  // Where all have as many as they may, one more of this peer's costs it another one.
  bool tight = !w->found && s->count >= s->all;
  int64_t most = tight ? count_of(s, w->owner) : s->most;
  w->full = tight && most == 0;
  if (w->full || most < 0) return;
  sqlite3_stmt *put = statement_of(w, PUT);
  bind_name(put, w->name);
  sqlite3_bind_text(put, 3, after.data, (int)after.length, SQLITE_STATIC);
  w->good = sqlite3_step(put) == SQLITE_DONE;
  if (!w->good || w->found) return;
  s->count++;
  w->good = trim(w, most < s->most ? most : s->most);
}

static void run_locked(locked_work *w, void (*body)(void *data)) {
  static const char SHARED[] = "shared/";
  bool shared =
      w->name.length >= sizeof SHARED - 1 && memcmp(w->name.text, SHARED, sizeof SHARED - 1) == 0;
  if (shared) w->owner = "";
  uv_mutex_lock(&w->store->mutex);
  shape_status status = arena_protect(w->arena, body, w);
  for (int i = 0; i < STATEMENTS; i++) {
    sqlite3_reset(w->store->statements[i]);
    sqlite3_clear_bindings(w->store->statements[i]);
  }
  uv_mutex_unlock(&w->store->mutex);
  if (status != SHAPE_OK) arena_fail(w->arena, status);
}

json_slice profiles_get(profile_store *store, shape_arena *arena, const char *asker,
                        json_slice name) {
  locked_work w = {.store = store, .arena = arena, .owner = asker, .name = name};
  run_locked(&w, get);
  return w.state;
}

bool profiles_update(profile_store *store, shape_arena *arena, const char *asker, json_slice name,
                     void (*fold)(void *work, json_slice before, shape_strbuf *after), void *work,
                     rpc_failure *failure) {
  locked_work w = {
      .store = store, .arena = arena, .owner = asker, .name = name, .fold = fold, .work = work};
  run_locked(&w, update);
  if (w.good) return true;
  rpc_fail(failure, w.full ? RPC_QUEUE_FULL : RPC_INTERNAL, "%s",
           w.full ? "the server keeps as many profiles as it may"
                  : "the profile could not be written");
  if (w.full) {
    failure->limit = "all-profiles";
    failure->limit_value = (uint64_t)store->all;
  }
  return false;
}

#else

profile_store *profiles_open(const server_config *config, char *error, size_t size) {
  *error = 0;
  if (*config->profile_db)
    snprintf(error, size, "profile-db: this program was built without SQLite");
  return NULL;
}
void profiles_close(profile_store *s) { (void)s; }
json_slice profiles_get(profile_store *s, shape_arena *arena, const char *asker, json_slice name) {
  return (void)s, (void)arena, (void)asker, (void)name, (json_slice){0};
}
bool profiles_update(profile_store *s, shape_arena *arena, const char *asker, json_slice name,
                     void (*fold)(void *work, json_slice before, shape_strbuf *after), void *work,
                     rpc_failure *failure) {
  return (void)s, (void)arena, (void)asker, (void)name, (void)fold, (void)work, (void)failure,
         false;
}

#endif
