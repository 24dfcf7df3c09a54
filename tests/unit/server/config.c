// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/config.h"

static bool set(server_config *config, const char *name, const char *value) {
  char error[256] = "";
  char option[64];
  config_line line;
  snprintf(option, sizeof option, "--%s", name);
  char *argv[] = {"shaped", option, (char *)value, NULL};
  bool good = config_read(config, 3, argv, &line, error, sizeof error);
  cr_assert(good || *error);
  return good;
}

static server_config defaults(void) {
  char *argv[] = {"shaped", NULL};
  server_config config;
  config_line line;
  char error[256];
  cr_assert(config_read(&config, 1, argv, &line, error, sizeof error));
  return config;
}

Test(config, units) {
  server_config c = defaults();
  cr_assert(set(&c, "max-message", "2M") && c.max_message == 2 << 20);
  cr_assert(set(&c, "max-message", "4096") && c.max_message == 4096);
  cr_assert(set(&c, "deadline", "2s") && c.deadline == 2000);
  cr_assert(set(&c, "deadline", "1m") && c.deadline == 60000);
  cr_assert(set(&c, "deadline", "7ms") && c.deadline == 7);
  cr_assert(set(&c, "socket-mode", "0600") && c.socket_mode == 0600);
  cr_assert(set(&c, "socket", "/x") && strcmp(c.socket, "/x") == 0);
}

Test(config, what_is_refused) {
  server_config c = defaults();
  static const char *const INVALID[][2] = {
      {"max-message", "2X"}, {"max-message", ""},
      {"max-message", "-1"}, {"max-message", "99999999999999999999G"},
      {"max-message", "1"},  {"deadline", "2h"},
      {"deadline", "0"},     {"socket-mode", "0999"},
      {"workers", "257"},    {"workers", "1 "},
      {"nonsense", "1"}};
  for (unsigned i = 0; i < sizeof INVALID / sizeof *INVALID; i++) {
    cr_assert_not(set(&c, INVALID[i][0], INVALID[i][1]), "%s = %s", INVALID[i][0], INVALID[i][1]);
  }
  char text[CONFIG_TEXT_MAX + 1];
  memset(text, 'x', sizeof text);
  text[CONFIG_TEXT_MAX] = 0;
  cr_assert_not(set(&c, "socket", text));
}

Test(config, every_default_is_within_its_bounds) {
  server_config c = defaults();
  char text[32];
#define CHECK_TEXT(field, name)
#define CHECK_MODE(field, name)
#define CHECK_NUMBER(field, name)                                                                  \
  snprintf(text, sizeof text, "%llu", (unsigned long long)c.field);                                \
  cr_assert(set(&c, name, text), "%s", name);
#define CHECK_COUNT CHECK_NUMBER
#define CHECK_BYTES CHECK_NUMBER
#define CHECK_TIME(field, name)
#define X(field, name, type, value, least, most, reload, doc) CHECK_##type(field, name)
#include "server/options.def"
#undef X
}

Test(config, flags_win_over_the_file) {
  char path[] = "/tmp/shaped-config.XXXXXX", error[256];
  int fd = mkstemp(path);
  cr_assert(fd >= 0);
  FILE *file = fdopen(fd, "w");
  fputs("# a comment\n\nworkers = 3\n\tmax-batch=\t9  \n", file);
  fclose(file);
  server_config c;
  config_line line;
  char *argv[] = {"shaped", "--workers=5", "--config", path, "--check-config", NULL};
  cr_assert(config_read(&c, 5, argv, &line, error, sizeof error), "%s", error);
  cr_assert(c.workers == 5 && c.max_batch == 9 && line.action == CONFIG_CHECK);
  server_config other = c;
  const char *name;
  other.max_batch = 10;
  cr_assert_not(config_needs_restart(&c, &other, &name));
  other.workers = 6;
  cr_assert(config_needs_restart(&c, &other, &name) && strcmp(name, "workers") == 0);
  unlink(path);
}
