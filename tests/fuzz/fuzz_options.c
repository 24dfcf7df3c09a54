// SPDX-License-Identifier: Apache-2.0
// Any bytes as a config file, and after a NUL as flags: options within their ranges, or an error that says why.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "server/config.h"
#include "solver/formats/json/validate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FLAGS = 16, FLAG_SIZE = 600 };

typedef struct fuzz_line {
  char path[64], flags[FLAGS][FLAG_SIZE];
  char *argv[FLAGS + 3];
  int argc;
} fuzz_line;

// Words are made flags, so that none names another file.
static void add_flags(fuzz_line *line, const uint8_t *data, size_t size) {
  while (size && line->argc < FLAGS + 2) {
    const uint8_t *end = memchr(data, 0, size);
    size_t length = end ? (size_t)(end - data) : size;
    char *flag = line->flags[line->argc - 3];
    snprintf(flag, FLAG_SIZE, "--%.*s", (int)(length < 500 ? length : 500), (const char *)data);
    if (strncmp(flag, "--config", 8) != 0) line->argv[line->argc++] = flag;
    if (!end) return;
    size -= length + 1;
    data = end + 1;
  }
}

static void write_limits(void *data) {
  void **both = data;
  json_writer w;
  json_writer_init(&w, both[0]);
  json_begin_object(&w);
  config_write_limits(both[1], &w);
  json_end_object(&w);
}

static void check(server_config *config) {
  shape_arena arena;
  shape_strbuf out;
  const char *name, *clean;
  size_t length;
  json_error error;
  if (config_needs_restart(config, config, &name)) abort();
  if (config->max_depth < 8 || config->max_depth > 900 || config->socket_mode > 0777) abort();
  if (strlen(config->socket) >= CONFIG_TEXT_MAX) abort();
  arena_init(&arena, 0);
  strbuf_init(&out, &arena);
  void *both[2] = {&out, config};
  if (arena_protect(&arena, write_limits, both) != SHAPE_OK ||
      !json_validate(&arena, NULL, out.data, out.length, &clean, &length, &error)) {
    abort();
  }
  arena_destroy(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz_line line;
  static char program[] = "shaped", option[] = "--config";
  server_config config;
  config_line what;
  char error[512] = "";
  const uint8_t *nul = memchr(data, 0, size);
  size_t file = nul ? (size_t)(nul - data) : size;
  int fd = memfd_create("options", MFD_CLOEXEC);
  if (fd < 0 || write(fd, data, file) != (ssize_t)file) abort();
  snprintf(line.path, sizeof line.path, "/proc/self/fd/%d", fd);
  line.argv[0] = program;
  line.argv[1] = option;
  line.argv[2] = line.path;
  line.argc = 3;
  if (nul) add_flags(&line, nul + 1, size - file - 1);
  line.argv[line.argc] = NULL;
  if (config_read(&config, line.argc, line.argv, &what, error, sizeof error)) {
    check(&config);
  } else if (!*error || !memchr(error, 0, sizeof error)) {
    abort();
  }
  close(fd);
  return 0;
}
