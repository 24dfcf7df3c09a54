// SPDX-License-Identifier: Apache-2.0
// Profiles by peer and name, in a file or in memory.
#include "server/profiles.h"

#ifdef HAVE_SQLITE3

#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct store {
  char folder[32], path[64];
  server_config config;
  profile_store *profiles;
  shape_arena arena;
} store;

static void reopen(store *s) {
  char error[256];
  profiles_close(s->profiles);
  s->profiles = profiles_open(&s->config, error, sizeof error);
  cr_assert(s->profiles, "%s", error);
}

static void open_store(store *s, uint64_t most, uint64_t all) {
  *s = (store){.folder = "/tmp/shaped-profiles-XXXXXX"};
  cr_assert(mkdtemp(s->folder));
  snprintf(s->path, sizeof s->path, "%s/db", s->folder);
  s->config.max_profiles = most;
  s->config.all_profiles = all;
  snprintf(s->config.profile_db, CONFIG_TEXT_MAX, "%s", s->path);
  arena_init(&s->arena, 0);
  reopen(s);
}

static void close_store(store *s) {
  static const char *const ENDS[] = {"", "-wal", "-shm"};
  profiles_close(s->profiles);
  for (int i = 0; i < 3; i++) {
    char path[80];
    snprintf(path, sizeof path, "%s%s", s->path, ENDS[i]);
    unlink(path);
  }
  cr_expect_eq(rmdir(s->folder), 0);
  arena_destroy(&s->arena);
}

static json_slice slice(const char *text) { return (json_slice){text, strlen(text)}; }

static void expect_state(store *s, const char *peer, const char *name, const char *state) {
  json_slice found = profiles_get(s->profiles, &s->arena, peer, slice(name));
  cr_expect(slice_is(found, state), "%s of %s: '%.*s'", name, peer, (int)found.length, found.text);
}

static void append(void *work, json_slice before, shape_strbuf *after) {
  strbuf_add(after, before.text, before.length);
  strbuf_puts(after, work);
}

static rpc_code add(store *s, const char *peer, const char *name, const char *text) {
  rpc_failure failure = {.code = RPC_OK};
  bool good = profiles_update(s->profiles, &s->arena, peer, slice(name), append,
                              (void *)(uintptr_t)text, &failure);
  cr_expect_eq(good, failure.code == RPC_OK);
  cr_expect(failure.code != RPC_QUEUE_FULL || strcmp(failure.limit, "all-profiles") == 0);
  return failure.code;
}

typedef void of_profile(store *s, const char *peer, const char *name, const char *text);

// Calls the function for each of "a p 12; b p -": a peer, a name, and a text, where - is an empty one.
static void each_profile(store *s, const char *says, of_profile *function) {
  char peer[16], name[16], text[16];
  for (int length; sscanf(says, " %15s %15s %15[^; ]%n", peer, name, text, &length) == 3;) {
    function(s, peer, name, strcmp(text, "-") == 0 ? "" : text);
    says += length;
    says += *says == ';';
  }
  cr_assert_eq(*says, 0, "%s", says);
}

static void expect_states(store *s, const char *says) { each_profile(s, says, expect_state); }

static void add_one(store *s, const char *peer, const char *name, const char *text) {
  cr_expect_eq(add(s, peer, name, text), RPC_OK, "%s of %s", name, peer);
}

static void add_all(store *s, const char *says) { each_profile(s, says, add_one); }

Test(profiles, each_peer_has_its_own_and_shared_ones_are_one) {
  store s;
  open_store(&s, 10, 10);
  expect_state(&s, "a", "p", "");
  add_all(&s, "a p 1; a p 2; a shared/p 3; b shared/p 4");
  expect_states(&s, "a p 12; b p -; c shared/p 34");
  expect_state(&s, "", "p", "");
  close_store(&s);
}

Test(profiles, they_outlive_the_daemon_and_are_private) {
  store s;
  struct stat info;
  open_store(&s, 10, 10);
  add(&s, "a", "p", "kept");
  cr_assert_eq(chmod(s.path, 0644), 0);
  reopen(&s);
  expect_state(&s, "a", "p", "kept");
  cr_expect(stat(s.path, &info) == 0 && (info.st_mode & 0777) == 0600);
  close_store(&s);
}

Test(profiles, the_oldest_of_a_peer_makes_room) {
  store s;
  open_store(&s, 2, 10);
  add_all(&s, "a 1 x; a 2 x; b 1 x; a 1 y; a 3 x");  // "1" is written again, so "2" is the oldest
  expect_states(&s, "a 1 xy; a 2 -; a 3 x; b 1 x");
  close_store(&s);
}

Test(profiles, where_all_have_as_many_as_they_may_a_peer_makes_room_by_its_own) {
  store s;
  open_store(&s, 10, 2);
  add_all(&s, "a 1 x; b 1 x");
  cr_expect_eq(add(&s, "c", "1", "x"), RPC_QUEUE_FULL);
  expect_state(&s, "c", "1", "");
  cr_expect_eq(add(&s, "a", "2", "x"), RPC_OK);
  expect_states(&s, "a 1 -; b 1 x");
  reopen(&s);
  cr_expect_eq(add(&s, "c", "1", "x"), RPC_QUEUE_FULL, "it knows how many there are");
  cr_expect_eq(add(&s, "b", "1", "y"), RPC_OK, "what is there may change");
  close_store(&s);
}

Test(profiles, in_memory_they_end_with_the_daemon) {
  store s;
  open_store(&s, 10, 10);
  s.config.profile_db[0] = 0;
  reopen(&s);
  add(&s, "a", "p", "x");
  expect_state(&s, "a", "p", "x");
  reopen(&s);
  expect_state(&s, "a", "p", "");
  profiles_close(NULL);
  close_store(&s);
}

Test(profiles, a_file_of_before_there_were_peers_is_shared) {
  store s;
  sqlite3 *db;
  open_store(&s, 10, 10);
  cr_assert_eq(sqlite3_open(s.path, &db), SQLITE_OK);
  cr_assert_eq(
      sqlite3_exec(db,
                   "CREATE TABLE profile (name TEXT PRIMARY KEY, state TEXT, written INTEGER);"
                   "INSERT INTO profile VALUES ('p', 'old', 1);",
                   NULL, NULL, NULL),
      SQLITE_OK);
  sqlite3_close(db);
  reopen(&s);
  expect_state(&s, "a", "shared/p", "old");
  reopen(&s);
  expect_state(&s, "b", "shared/p", "old");
  close_store(&s);
}

Test(profiles, files_that_are_none_are_named) {
  store s;
  char error[256];
  open_store(&s, 10, 10);
  server_config config = s.config;
  snprintf(config.profile_db, CONFIG_TEXT_MAX, "%s/none/db", s.folder);
  cr_expect_null(profiles_open(&config, error, sizeof error));
  cr_expect(strstr(error, "profile-db: cannot use ") && strstr(error, "/none/db: "), "%s", error);
  profiles_close(s.profiles);
  s.profiles = NULL;
  FILE *file = fopen(s.path, "w");
  cr_assert(file &&
            fputs("this is no database, and it is long enough to be seen as none", file) > 0);
  cr_assert_eq(fclose(file), 0);
  cr_expect_null(profiles_open(&s.config, error, sizeof error));
  cr_expect(strstr(error, "is not a database"), "%s", error);
  close_store(&s);
}

#endif
