// SPDX-License-Identifier: Apache-2.0
#include <stdint.h>
#include <string.h>

#include "deploy/tables/tables.h"

// Text of a table as text of a page: roff has its own meaning for these characters, and for a line that begins with one.
static void text(FILE *out, const char *s) {
  if (*s == '.' || *s == '\'') fputs("\\&", out);
  for (; *s; s++) {
    switch (*s) {
    case '\\': fputs("\\e", out); break;
    case '-': fputs("\\-", out); break;
    case '\'': fputs("\\(aq", out); break;
    case '`': fputs("\\(ga", out); break;
    case '^': fputs("\\(ha", out); break;
    case '~': fputs("\\(ti", out); break;
    default: fputc(*s, out);
    }
  }
}

static void in_font(FILE *out, char font, const char *s) {
  fprintf(out, "\\f%c", font);
  text(out, s);
  fputs("\\fR", out);
}

static void item(FILE *out, const char *name, const char *argument, const char *help) {
  fputs(".TP\n", out);
  in_font(out, 'B', name);
  if (argument && *argument) {
    fputc(' ', out);
    in_font(out, 'I', argument);
  }
  fputc('\n', out);
  text(out, help);
  fputc('\n', out);
}

static void cli_option(FILE *out, const char *name, char letter, const char *argument,
                       const char *help) {
  char spelled[64];
  if (letter) {
    snprintf(spelled, sizeof spelled, "-%c, --%s", letter, name);
  } else {
    snprintf(spelled, sizeof spelled, "--%s", name);
  }
  item(out, spelled, argument, help);
}

static void cli_options(FILE *out, const char *of) {
#define X(command, name, letter, argument, help)                                                   \
  if (strcmp(command, of) == 0) cli_option(out, name, letter, argument, help);
#include "clients/cli/options.def"
#undef X
}

static void cli_examples(FILE *out, const char *of) {
  bool any = false;
#define X(command, example)                                                                        \
  if (strcmp(command, of) == 0) {                                                                  \
    fputs(any ? "" : ".PP\nExamples:\n.PP\n.nf\n", out);                                           \
    any = true;                                                                                    \
    fputs("    ", out);                                                                            \
    text(out, example);                                                                            \
    fputc('\n', out);                                                                              \
  }
#include "clients/cli/examples.def"
#undef X
  if (any) fputs(".fi\n", out);
}

static void cli_command(FILE *out, const char *name, const char *arguments, const char *summary) {
  fputs(".SS ", out);
  text(out, name);
  fputs("\n.B shape ", out);
  text(out, name);
  fputs("\n.RI [ OPTION ]...\n", out);
  if (*arguments) {
    text(out, arguments);
    fputc('\n', out);
  }
  fputs(".PP\n", out);
  text(out, summary);
  fputc('\n', out);
  cli_options(out, name);
  cli_examples(out, name);
}

void roff_commands(FILE *out) {
#define X(name, function, arguments, summary) cli_command(out, name, arguments, summary);
#include "clients/cli/commands.def"
#undef X
}

void roff_common(FILE *out) { cli_options(out, ""); }

// ---------------------------------------------------------------- the daemon

static void number(char *to, size_t size, const char *type, uint64_t n) {
  unsigned long long v = n;
  if (strcmp(type, "MODE") == 0) {
    snprintf(to, size, "%04llo", v);
  } else if (strcmp(type, "TIME") == 0) {
    snprintf(to, size, v && v % 1000 == 0 ? "%llus" : "%llums", v && v % 1000 == 0 ? v / 1000 : v);
  } else if (strcmp(type, "BYTES") == 0 && v && v % (1 << 20) == 0) {
    snprintf(to, size, v % (1 << 30) == 0 ? "%lluG" : "%lluM",
             v % (1 << 30) == 0 ? v >> 30 : v >> 20);
  } else {
    snprintf(to, size, "%llu", v);
  }
}

static void daemon_option(FILE *out, const char *dashes, const char *name, const char *type,
                          const char *words, uint64_t value, uint64_t least, uint64_t most,
                          bool reload, const char *doc) {
  char spelled[64], shown[4][32], argument[40];
  bool is_text = strcmp(type, "TEXT") == 0;
  snprintf(spelled, sizeof spelled, "%s%s", dashes, name);
  snprintf(argument, sizeof argument, "%s%s", *dashes ? "" : "= ", type);
  item(out, spelled, argument, doc);
  if (is_text && *words) fprintf(out, "(default: %s)\n", words);
  if (!is_text) {
    number(shown[0], sizeof shown[0], type, value);
    number(shown[1], sizeof shown[1], type, least);
    number(shown[2], sizeof shown[2], type, most);
    fprintf(out, "(default: %s; from %s to %s)\n", shown[0], shown[1], shown[2]);
  }
  if (!*dashes && reload) fputs("Taken over by a reload.\n", out);
}

#define TEXT_TEXT(value)    value
#define TEXT_COUNT(value)   ""
#define TEXT_BYTES(value)   ""
#define TEXT_TIME(value)    ""
#define TEXT_MODE(value)    ""
#define NUMBER_TEXT(value)  0
#define NUMBER_COUNT(value) value
#define NUMBER_BYTES(value) value
#define NUMBER_TIME(value)  value
#define NUMBER_MODE(value)  value

static void daemon_options(FILE *out, const char *dashes) {
#define X(field, name, type, value, least, most, reload, doc)                                      \
  daemon_option(out, dashes, name, #type, TEXT_##type(value), NUMBER_##type(value), least, most,   \
                reload, doc);
#include "server/options.def"
#undef X
}

void roff_daemon_options(FILE *out) { daemon_options(out, "--"); }
void roff_config(FILE *out) { daemon_options(out, ""); }

void roff_metrics(FILE *out) {
#define X(field, kind, name, help) item(out, "shaped_" name, #kind, help);
#include "server/metrics.def"
#undef X
}

// ---------------------------------------------------------------- the protocol

void roff_methods(FILE *out) {
#define X(name, function, where, summary) item(out, name, NULL, summary);
#include "proto/methods.def"
#undef X
}

static void protocol_error(FILE *out, const char *name, int code, bool retry, const char *message) {
  char spelled[64], number_text[16];
  size_t i = 0;
  if (code == 0) return;  // OK is not an error
  for (; name[i] && i + 1 < sizeof spelled; i++) {
    spelled[i] = (char)(name[i] == '_'                     ? '-'
                        : name[i] >= 'A' && name[i] <= 'Z' ? name[i] + 32
                                                           : name[i]);
  }
  spelled[i] = '\0';
  snprintf(number_text, sizeof number_text, "%d", code);
  item(out, spelled, number_text, message);
  if (retry) fputs("(the same request may succeed later)\n", out);
}

void roff_errors(FILE *out) {
#define X(name, code, retry, message) protocol_error(out, #name, code, retry, message);
#include "proto/errors.def"
#undef X
}

void roff_lsp_options(FILE *out) {
#define X(name, letter, argument, help) cli_option(out, name, letter, argument, help);
#include "clients/lsp/options.def"
#undef X
}

void roff_lsp_settings(FILE *out) {
  char said[512];
#define X(name, field, kind, start, values, help)                                                  \
  snprintf(said, sizeof said, "%s%s%s%s%s%s", help, *(values) ? " (" : "", values,                 \
           *(values) ? ")" : "", *(start) ? "; default " : "", start);                             \
  item(out, name, NULL, said);
#include "clients/lsp/settings.def"
#undef X
}
