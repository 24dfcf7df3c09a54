// SPDX-License-Identifier: Apache-2.0
#include "server/profiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#ifdef HAVE_SQLITE3

#include <sqlite3.h>

enum { BUSY_MS = 2000 };

struct profile_store {
  uv_mutex_t mutex;
  sqlite3 *db;
  sqlite3_stmt *get, *put, *trim;
  int64_t most;
};

static const char SCHEMA[] =
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = NORMAL;"
    "CREATE TABLE IF NOT EXISTS profile"
    " (name TEXT PRIMARY KEY, state TEXT NOT NULL, written INTEGER NOT NULL);"
    "CREATE INDEX IF NOT EXISTS profile_written ON profile (written);";
static const char GET[] = "SELECT state FROM profile WHERE name = ?1";
static const char PUT[] =
    "INSERT INTO profile (name, state, written) VALUES"
    " (?1, ?2, (SELECT coalesce(max(written), 0) + 1 FROM profile))"
    " ON CONFLICT (name) DO UPDATE SET state = ?2, written = excluded.written";
static const char TRIM[] = "DELETE FROM profile WHERE name IN"
                           " (SELECT name FROM profile ORDER BY written DESC LIMIT -1 OFFSET ?1)";

profile_store *profiles_open(const server_config *config, char *error, size_t size) {
  profile_store *s = calloc(1, sizeof *s);
  *error = 0;
  if (!s || uv_mutex_init(&s->mutex)) {
    snprintf(error, size, "profile-db: no memory");
    free(s);
    return NULL;
  }
  s->most = (int64_t)config->max_profiles;
  const char *path = *config->profile_db ? config->profile_db : ":memory:";
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &s->db, flags, NULL) == SQLITE_OK &&
      sqlite3_busy_timeout(s->db, BUSY_MS) == SQLITE_OK &&
      sqlite3_exec(s->db, SCHEMA, NULL, NULL, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(s->db, GET, -1, &s->get, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(s->db, PUT, -1, &s->put, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(s->db, TRIM, -1, &s->trim, NULL) == SQLITE_OK) {
    return s;
  }
  snprintf(error, size, "profile-db: cannot use %s: %s", path,
           s->db ? sqlite3_errmsg(s->db) : "no memory");
  profiles_close(s);
  return NULL;
}

void profiles_close(profile_store *s) {
  if (!s) return;
  sqlite3_finalize(s->get);
  sqlite3_finalize(s->put);
  sqlite3_finalize(s->trim);
  sqlite3_close(s->db);
  uv_mutex_destroy(&s->mutex);
  free(s);
}

// Work that may leave through the arena does so behind the lock, not past it.
typedef struct locked_work {
  profile_store *store;
  shape_arena *arena;
  json_slice name, state;
  void (*fold)(void *work, json_slice before, shape_strbuf *after);
  void *work;
  bool good;
} locked_work;

static void bind_name(sqlite3_stmt *statement, json_slice name) {
  sqlite3_bind_text(statement, 1, name.text, (int)name.length, SQLITE_STATIC);
}

static void get(void *data) {
  locked_work *w = data;
  sqlite3_stmt *statement = w->store->get;
  bind_name(statement, w->name);
  if (sqlite3_step(statement) != SQLITE_ROW) return;
  size_t length = (size_t)sqlite3_column_bytes(statement, 0);
  const char *text = (const char *)sqlite3_column_text(statement, 0);
  if (text) w->state = (json_slice){arena_strndup(w->arena, text, length), length};
}

static void update(void *data) {
  locked_work *w = data;
  shape_strbuf after;
  get(w);
  sqlite3_reset(w->store->get);
  strbuf_init(&after, w->arena);
  w->fold(w->work, w->state, &after);
  bind_name(w->store->put, w->name);
  sqlite3_bind_text(w->store->put, 2, after.data, (int)after.length, SQLITE_STATIC);
  w->good = sqlite3_step(w->store->put) == SQLITE_DONE;
  sqlite3_bind_int64(w->store->trim, 1, w->store->most);
  if (w->good) w->good = sqlite3_step(w->store->trim) == SQLITE_DONE;
}

static void run_locked(locked_work *w, void (*body)(void *data)) {
  uv_mutex_lock(&w->store->mutex);
  shape_status status = arena_protect(w->arena, body, w);
  sqlite3_stmt *const all[] = {w->store->get, w->store->put, w->store->trim};
  for (int i = 0; i < 3; i++) {
    sqlite3_reset(all[i]);
    sqlite3_clear_bindings(all[i]);
  }
  uv_mutex_unlock(&w->store->mutex);
  if (status != SHAPE_OK) arena_fail(w->arena, status);
}

json_slice profiles_get(profile_store *store, shape_arena *arena, json_slice name) {
  locked_work w = {.store = store, .arena = arena, .name = name};
  run_locked(&w, get);
  return w.state;
}

bool profiles_update(profile_store *store, shape_arena *arena, json_slice name,
                     void (*fold)(void *work, json_slice before, shape_strbuf *after), void *work) {
  locked_work w = {.store = store, .arena = arena, .name = name, .fold = fold, .work = work};
  run_locked(&w, update);
  return w.good;
}

#else

profile_store *profiles_open(const server_config *config, char *error, size_t size) {
  *error = 0;
  if (*config->profile_db)
    snprintf(error, size, "profile-db: this program was built without SQLite");
  return NULL;
}
void profiles_close(profile_store *s) { (void)s; }
json_slice profiles_get(profile_store *s, shape_arena *arena, json_slice name) {
  return (void)s, (void)arena, (void)name, (json_slice){0};
}
bool profiles_update(profile_store *s, shape_arena *arena, json_slice name,
                     void (*fold)(void *work, json_slice before, shape_strbuf *after), void *work) {
  return (void)s, (void)arena, (void)name, (void)fold, (void)work, false;
}

#endif
