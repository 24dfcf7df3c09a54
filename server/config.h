// SPDX-License-Identifier: Apache-2.0
// The settings of the daemon: options.def filled from defaults, the config file, then flags.
#ifndef SERVER_CONFIG_H
#define SERVER_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/json/write.h"

enum { CONFIG_TEXT_MAX = 256 };

typedef char config_TEXT[CONFIG_TEXT_MAX];
typedef uint64_t config_COUNT, config_BYTES, config_TIME, config_MODE;

typedef struct server_config {
#define X(field, name, type, value, least, most, reload, doc) config_##type field;
#include "server/options.def"
#undef X
} server_config;

typedef enum config_action { CONFIG_RUN, CONFIG_CHECK, CONFIG_HELP, CONFIG_VERSION } config_action;

typedef struct config_line {
  config_action action;
  const char *file;  // --config, or NULL
} config_line;

// Defaults, then the file that argv names, then argv. False after filling `error`.
bool config_read(server_config *config, int argc, char **argv, config_line *line, char *error,
                 size_t size);
// For a daemon that runs: files have to be regular ones, so that nothing waits.
bool config_read_again(server_config *config, int argc, char **argv, config_line *line, char *error,
                       size_t size);
// True where two configurations differ in a row that cannot be reloaded; its name goes to *name.
bool config_needs_restart(const server_config *a, const server_config *b, const char **name);
const char *config_name_at(size_t offset);  // of the option whose field begins there
// Whether `isolate` has one of its values; false after filling `error`.
bool config_check_isolate(const server_config *config, char *error, size_t size);
void config_help(void);                                                 // to stdout
void config_write_limits(const server_config *config, json_writer *w);  // members of an object

#endif
