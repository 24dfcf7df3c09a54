// SPDX-License-Identifier: Apache-2.0
#include "clients/lsp/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/lsp/settings.h"
#include "proto/process/wrap.h"
#include "solver/shape.h"

typedef struct option_row {
  const char *name;
  char letter;
  const char *argument, *help;
} option_row;

static const option_row ROWS[] = {
#define X(name, letter, argument, help) {name, letter, argument, help},
#include "clients/lsp/options.def"
#undef X
};
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };

static void print_help(void) {
  printf("usage: shape-lsp [OPTION]...\n\n"
         "A language server (LSP 3.17) that shows in an editor what is known of the shapes\n"
         "of the tensors in an MLIR program, and why. It is started by the editor and\n"
         "speaks over standard input and output.\n\noptions:\n");
  for (int i = 0; i < ROW_COUNT; i++) {
    char left[40], help[WRAP_TEXT];
    int n = ROWS[i].letter ? snprintf(left, sizeof left, "-%c, ", ROWS[i].letter)
                           : snprintf(left, sizeof left, "    ");
    snprintf(left + n, sizeof left - (size_t)n, "--%s%s%s", ROWS[i].name,
             ROWS[i].argument ? " " : "", ROWS[i].argument ? ROWS[i].argument : "");
    printf("  %-24s  %s\n", left, wrap_text(help, ROWS[i].help, 28));
  }
  printf("\nsettings, below \"shaped\" in those of the editor:\n");
  for (uint32_t i = 0; i < settings_count(); i++) {
    const setting_row *row = settings_row(i);
    char text[WRAP_TEXT], wrapped[WRAP_TEXT];
    snprintf(text, sizeof text, "%s%s%s%s%s%s", row->help, *row->values ? " (" : "", row->values,
             *row->values ? ")" : "", *row->start ? "; default " : "", row->start);
    printf("  %-12s  %s\n", row->name, wrap_text(wrapped, text, 16));
  }
  printf("\nexamples:\n"
         "  shape-lsp                                what an editor runs\n"
         "  shape-lsp --connect /run/shaped.sock     a daemon does the work\n"
         "  shape-lsp --log /tmp/lsp.log             and keeps what was said\n"
         "\nexit status: 0 after `shutdown` and `exit`, 1 when the editor went away without,\n"
         "2 wrong usage, 3 a file cannot be written\n");
}

static int wrong(const char *format, const char *what) {
  fprintf(stderr, "shape-lsp: ");
  fprintf(stderr, format, what);
  fprintf(stderr, "\nhint: shape-lsp --help lists what there is\n");
  return 2;
}

static const option_row *find(const char *word, size_t length) {
  for (int i = 0; i < ROW_COUNT; i++) {
    if (strlen(ROWS[i].name) == length && memcmp(ROWS[i].name, word, length) == 0) return &ROWS[i];
  }
  return NULL;
}

int options_parse(int argc, char **argv, lsp_options *out) {
  memset(out, 0, sizeof *out);
  out->progress_after = 400;
  for (int i = 1; i < argc; i++) {
    const char *word = argv[i], *equals = strchr(word, '=');
    const option_row *row = NULL;
    if (strncmp(word, "--", 2) == 0) {
      row = find(word + 2, equals ? (size_t)(equals - word - 2) : strlen(word + 2));
    } else if (strcmp(word, "-h") == 0) {
      row = find("help", 4);
    }
    if (!row) return wrong("unknown option '%.60s'", word);
    const char *value = equals ? equals + 1 : NULL;
    if (row->argument && !value) value = i + 1 < argc ? argv[++i] : NULL;
    if (row->argument && !value) return wrong("the option '--%s' needs a value", row->name);
    if (!row->argument && value) return wrong("the option '--%s' takes no value", row->name);
    if (strcmp(row->name, "help") == 0) {
      print_help();
      return 0;
    }
    if (strcmp(row->name, "version") == 0) {
      printf("shape-lsp " SHAPE_VERSION "\n");
      return 0;
    }
    if (strcmp(row->name, "connect") == 0) out->connect = value;
    if (strcmp(row->name, "log") == 0) out->log = value;
    if (strcmp(row->name, "progress-after") == 0) {
      char *end;
      out->progress_after = strtol(value, &end, 10);
      if (!*value || *end || out->progress_after < 0)
        return wrong("the value of '--progress-after' is '%.60s', expected milliseconds", value);
    }
  }
  return -1;
}
