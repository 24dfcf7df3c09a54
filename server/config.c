// SPDX-License-Identifier: Apache-2.0
#include "server/config.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "proto/json/text.h"
#include "proto/process/wrap.h"

typedef enum option_type {
  TYPE_IS_TEXT,
  TYPE_IS_COUNT,
  TYPE_IS_BYTES,
  TYPE_IS_TIME,
  TYPE_IS_MODE
} option_type;

typedef struct option_row {
  const char *name;
  option_type type;
  const char *text;  // default of TEXT
  uint64_t number;   // default of the others
  uint64_t least, most;
  bool reload;
  const char *doc;
  size_t offset;
} option_row;

#define DEFAULT_TEXT(value)  value, 0
#define DEFAULT_COUNT(value) NULL, value
#define DEFAULT_BYTES(value) NULL, value
#define DEFAULT_TIME(value)  NULL, value
#define DEFAULT_MODE(value)  NULL, value

static const option_row ROWS[] = {
#define X(field, name, type, value, least, most, reload, doc)                                      \
  {name,                                                                                           \
   TYPE_IS_##type,                                                                                 \
   DEFAULT_##type(value),                                                                          \
   least,                                                                                          \
   most,                                                                                           \
   reload,                                                                                         \
   doc,                                                                                            \
   offsetof(server_config, field)},
#include "server/options.def"
#undef X
};
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };

static bool fail(char *error, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(char *error, size_t size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(error, size, format, args);
  va_end(args);
  return false;
}

static char *text_of(server_config *c, const option_row *row) { return (char *)c + row->offset; }
static uint64_t *number_of(server_config *c, const option_row *row) {
  return (uint64_t *)((char *)c + row->offset);
}

static const option_row *find_row(const char *name, size_t length) {
  for (unsigned i = 0; i < ROW_COUNT; i++) {
    if (strlen(ROWS[i].name) == length && memcmp(ROWS[i].name, name, length) == 0) return &ROWS[i];
  }
  return NULL;
}

static void set_defaults(server_config *config) {
  memset(config, 0, sizeof *config);
  for (unsigned i = 0; i < ROW_COUNT; i++) {
    if (ROWS[i].text) {
      snprintf(text_of(config, &ROWS[i]), CONFIG_TEXT_MAX, "%s", ROWS[i].text);
    } else {
      *number_of(config, &ROWS[i]) = ROWS[i].number;
    }
  }
}

// What a number is multiplied by for what follows it; 0 where it is unknown.
static uint64_t unit_of(option_type type, const char *suffix) {
  if (!*suffix) return 1;
  if (type == TYPE_IS_TIME) {
    return strcmp(suffix, "ms") == 0  ? 1
           : strcmp(suffix, "s") == 0 ? 1000
           : strcmp(suffix, "m") == 0 ? 60000
                                      : 0;
  }
  if (type != TYPE_IS_BYTES || suffix[1]) return 0;
  switch (*suffix) {
  case 'k':
  case 'K': return 1 << 10;
  case 'M': return 1 << 20;
  case 'G': return 1 << 30;
  default: return 0;
  }
}

static bool set_row(server_config *config, const option_row *row, const char *value, char *error,
                    size_t size) {
  if (row->type == TYPE_IS_TEXT) {
    if (strlen(value) >= CONFIG_TEXT_MAX) {
      return fail(error, size, "%s: the text is longer than %d bytes", row->name,
                  CONFIG_TEXT_MAX - 1);
    }
    snprintf(text_of(config, row), CONFIG_TEXT_MAX, "%s", value);
    return true;
  }
  char *end;
  errno = 0;
  unsigned long long number = strtoull(value, &end, row->type == TYPE_IS_MODE ? 8 : 10);
  uint64_t unit = unit_of(row->type, end), product;
  if (*value < '0' || *value > '9' || errno || !unit ||
      __builtin_mul_overflow((uint64_t)number, unit, &product)) {
    return fail(error, size, "%s: '%.60s' is not a %s", row->name, value,
                row->type == TYPE_IS_BYTES  ? "number of bytes (such as 64M)"
                : row->type == TYPE_IS_TIME ? "time (such as 500ms, 10s, 2m)"
                : row->type == TYPE_IS_MODE ? "mode in octal (such as 0660)"
                                            : "number");
  }
  if (product < row->least || product > row->most) {
    return fail(error, size, "%s: %s is not between %llu and %llu", row->name, value,
                (unsigned long long)row->least, (unsigned long long)row->most);
  }
  *number_of(config, row) = product;
  return true;
}

// `dashes` are those of the command line, where there are options beside the rows, and a value may follow '='.
static bool unknown_option(const char *dashes, const char *name, char *error, size_t size) {
  static const char *const OTHERS[] = {"config", "check-config", "help", "version"};
  size_t length = strcspn(name, "=");
  misspelt given = misspelt_near(name, length);
  for (unsigned i = 0; i < ROW_COUNT; i++)
    misspelt_offer(&given, ROWS[i].name, strlen(ROWS[i].name));
  for (unsigned i = 0; *dashes && i < sizeof OTHERS / sizeof *OTHERS; i++)
    misspelt_offer(&given, OTHERS[i], strlen(OTHERS[i]));
  if (!given.name) return fail(error, size, "unknown option '%s%.60s'", dashes, name);
  return fail(error, size, "unknown option '%s%.60s', did you mean '%s%s'?", dashes, name, dashes,
              given.name);
}

static bool config_set(server_config *config, const char *name, const char *value, char *error,
                       size_t size) {
  const option_row *row = find_row(name, strlen(name));
  if (!row) return unknown_option("", name, error, size);
  return set_row(config, row, value, error, size);
}

// One line of a config file: `name = value`, or nothing but white space and a comment.
static bool read_line(server_config *config, char *line, char *error, size_t size) {
  line += strspn(line, " \t");
  if (*line == '#' || *line == 0 || *line == '\n' || *line == '\r') return true;
  size_t length = strcspn(line, " \t=\r\n");
  char *rest = line + length + strspn(line + length, " \t");
  if (*rest != '=') return fail(error, size, "expected NAME = VALUE");
  char *value = rest + 1 + strspn(rest + 1, " \t");
  size_t end = strcspn(value, "\r\n");
  while (end && (value[end - 1] == ' ' || value[end - 1] == '\t')) end--;
  value[end] = 0;
  line[length] = 0;
  return config_set(config, line, value, error, size);
}

static bool read_file(server_config *config, const char *path, char *error, size_t size) {
  FILE *file = fopen(path, "r");
  if (!file) return fail(error, size, "cannot read %s: %s", path, strerror(errno));
  char line[1024], why[512];
  bool good = true;
  for (unsigned number = 1; good && fgets(line, sizeof line, file); number++) {
    good = (strchr(line, '\n') || feof(file)) ? read_line(config, line, why, sizeof why)
                                              : fail(why, sizeof why, "the line is too long");
    if (!good) fail(error, size, "%s:%u: %s", path, number, why);
  }
  if (good && ferror(file)) good = fail(error, size, "cannot read %s: %s", path, strerror(errno));
  fclose(file);
  return good;
}

// The option of argv[i]; its value is after '=' or is the next word. False: no such option, or no value.
static bool read_flag(int argc, char **argv, int *i, const option_row **row, const char **value,
                      char *error, size_t size) {
  const char *word = argv[*i];
  if (strncmp(word, "--", 2) != 0 || !word[2])
    return fail(error, size, "unknown option '%.60s'", word);
  size_t length = strcspn(word + 2, "=");
  *row = find_row(word + 2, length);
  if (!*row && !(length == 6 && memcmp(word + 2, "config", 6) == 0))
    return unknown_option("--", word + 2, error, size);
  if (word[2 + length] == '=') {
    *value = word + 2 + length + 1;
  } else if (++*i < argc) {
    *value = argv[*i];
  } else {
    return fail(error, size, "'%.60s' needs a value", word);
  }
  return true;
}

// A pipe has been read already, and to open it would wait for a writer: for ever, with the whole daemon.
static bool is_regular(const char *path, char *error, size_t size) {
  struct stat info;
  if (stat(path, &info)) return fail(error, size, "cannot read %s: %s", path, strerror(errno));
  return S_ISREG(info.st_mode) ||
         fail(error, size, "cannot read %s: it is not a regular file, which a reload needs", path);
}

static bool read_all(server_config *config, int argc, char **argv, bool again, config_line *line,
                     char *error, size_t size) {
  const option_row *row = NULL;
  const char *value = NULL;
  *line = (config_line){CONFIG_RUN, NULL};
  set_defaults(config);
  // The file first, wherever it is named: flags win over it.
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 1; i < argc; i++) {
      if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
        line->action = CONFIG_HELP;
        return true;
      }
      if (strcmp(argv[i], "--version") == 0) {
        line->action = CONFIG_VERSION;
        return true;
      }
      if (strcmp(argv[i], "--check-config") == 0) {
        line->action = CONFIG_CHECK;
        continue;
      }
      if (!read_flag(argc, argv, &i, &row, &value, error, size)) return false;
      if (!row) line->file = value;
      if (row && pass == 1 && !set_row(config, row, value, error, size)) return false;
    }
    if (pass == 1 || !line->file) continue;
    if (again && !is_regular(line->file, error, size)) return false;
    if (!read_file(config, line->file, error, size)) return false;
  }
  return true;
}

bool config_read(server_config *config, int argc, char **argv, config_line *line, char *error,
                 size_t size) {
  return read_all(config, argc, argv, false, line, error, size);
}

bool config_read_again(server_config *config, int argc, char **argv, config_line *line, char *error,
                       size_t size) {
  if (!read_all(config, argc, argv, true, line, error, size)) return false;
  const char *const files[] = {config->tls_cert, config->tls_key, config->tls_client_ca,
                               config->tls_crl, config->token_file};
  for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
    if (*files[i] && !is_regular(files[i], error, size)) return false;
  }
  return true;
}

bool config_needs_restart(const server_config *a, const server_config *b, const char **name) {
  for (unsigned i = 0; i < ROW_COUNT; i++) {
    const option_row *row = &ROWS[i];
    if (row->reload) continue;
    const char *x = (const char *)a + row->offset, *y = (const char *)b + row->offset;
    bool same = row->text ? strcmp(x, y) == 0 : memcmp(x, y, sizeof(uint64_t)) == 0;
    if (same) continue;
    *name = row->name;
    return true;
  }
  return false;
}

const char *config_name_at(size_t offset) {
  for (unsigned i = 0; i < ROW_COUNT; i++) {
    if (ROWS[i].offset == offset) return ROWS[i].name;
  }
  return NULL;
}

// The default as it is written in a configuration.
static void put_default(const option_row *row, char *out, size_t size) {
  unsigned long long n = row->number;
  bool whole = !(n & ((1 << 30) - 1));
  switch (row->type) {
  case TYPE_IS_TEXT: snprintf(out, size, "%s", *row->text ? row->text : "none"); break;
  case TYPE_IS_MODE: snprintf(out, size, "%04llo", n); break;
  case TYPE_IS_TIME:
    snprintf(out, size, "%llu%s", n % 1000 || !n ? n : n / 1000, n % 1000 || !n ? "ms" : "s");
    break;
  case TYPE_IS_BYTES:
    snprintf(out, size, "%llu%c", n >> 30 && whole ? n >> 30 : n >> 20,
             n >> 30 && whole ? 'G' : 'M');
    break;
  case TYPE_IS_COUNT: snprintf(out, size, "%llu", n); break;
  }
}

void config_help(void) {
  printf("usage: shaped [--config FILE] [--OPTION VALUE]...\n"
         "The daemon of Shaped: answers JSON-RPC 2.0 on a Unix socket.\n\n"
         "  --config FILE          options as lines of NAME = VALUE; flags win over it\n"
         "  --check-config         say whether the options are valid, and exit\n"
         "  --help, --version\n\noptions, with their defaults:\n");
  for (unsigned i = 0; i < ROW_COUNT; i++) {
    char value[64], text[WRAP_TEXT], wrapped[WRAP_TEXT];
    put_default(&ROWS[i], value, sizeof value);
    snprintf(text, sizeof text, "%s [%s]", ROWS[i].doc, value);
    printf("  --%-20s %s\n", ROWS[i].name, wrap_text(wrapped, text, 25));
  }
  printf("\nTimes end in ms, s or m (a plain number: ms), bytes in k, M or G.\n"
         "SIGTERM ends it when its requests are answered, a second one at once.\n"
         "SIGHUP reads the config file again.\n");
}

void config_write_limits(const server_config *config, json_writer *w) {
  for (unsigned i = 0; i < ROW_COUNT; i++) {
    const option_row *row = &ROWS[i];
    if (strncmp(row->name, "max-", 4) != 0 && strcmp(row->name, "deadline") != 0) continue;
    json_key_string(w, row->name);
    json_int(w, (int64_t) * (const uint64_t *)((const char *)config + row->offset));
  }
}

bool config_check_isolate(const server_config *config, char *error, size_t size) {
  static const char *const VALUES[] = {"auto", "yes", "no"};
  for (unsigned i = 0; i < sizeof VALUES / sizeof *VALUES; i++) {
    if (strcmp(config->isolate, VALUES[i]) == 0) return true;
  }
  return fail(error, size, "isolate: '%.60s' is not auto, yes or no", config->isolate);
}
