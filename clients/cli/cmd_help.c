// SPDX-License-Identifier: Apache-2.0
// shape help: the explanations of the manual, what a diagnostic means, and the usage of commands.
#include <stdio.h>
#include <string.h>

#include "clients/cli/options.h"
#include "clients/cli/page.h"
#include "clients/cli/plain.h"
#include "solver/shape.h"

// The pages of deploy/manual/explanations: "\f", the name, a line end and the text of each.
static const unsigned char PAGES[] = {
#include <help.inc>
};

typedef struct topic {
  const char *name, *title, *text;
  size_t name_length, title_length, length;
} topic;

// The page at *at, which moves to the next one; false: there is none.
static bool next_topic(const char **at, topic *out) {
  const char *end = (const char *)PAGES + sizeof PAGES;
  if (*at >= end) return false;
  const char *stop = memchr(*at + 1, '\f', (size_t)(end - *at - 1));
  if (!stop) stop = end;
  out->name = *at + 1;
  out->text = (const char *)memchr(out->name, '\n', (size_t)(stop - out->name)) + 1;
  out->name_length = (size_t)(out->text - 1 - out->name);
  out->length = (size_t)(stop - out->text);
  out->title = strstr(out->text, "\n# ");
  out->title = out->title ? out->title + 3 : out->text;
  out->title_length = strcspn(out->title, "\n");
  *at = stop;
  return true;
}

static bool print_topic(const char *name) {
  topic t;
  for (const char *at = (const char *)PAGES; next_topic(&at, &t);) {
    if (strlen(name) != t.name_length || memcmp(name, t.name, t.name_length) != 0) continue;
    print_page(stdout, t.text, t.length);
    return true;
  }
  return false;
}

static bool print_code(const char *code, const char *before) {
  shape_code row;
  for (uint32_t i = 0; shape_code_at(i, &row); i++) {
    if (strcmp(row.code, code) != 0) continue;
    printf("%s%s\n\n", before, code);
    print_page(stdout, row.cause, strlen(row.cause));
    putchar('\n');
    print_page(stdout, row.remedy, strlen(row.remedy));
    return true;
  }
  return false;
}

static void print_topics(void) {
  topic t;
  printf("\ntopics of shape help:\n");
  for (const char *at = (const char *)PAGES; next_topic(&at, &t);) {
    printf("  %-18.*s%.*s\n", (int)t.name_length, t.name, (int)t.title_length, t.title);
  }
  printf("  CODE              what the code in brackets of a message means: shape-mismatch\n"
         "  COMMAND           the same as shape COMMAND --help\n");
}

static int unknown_topic(const char *name) {
  misspelt given = misspelt_near(name, strlen(name));
  topic t;
  shape_code row;
  offer_commands(&given);
  for (const char *at = (const char *)PAGES; next_topic(&at, &t);)
    misspelt_offer(&given, t.name, t.name_length);
  for (uint32_t i = 0; shape_code_at(i, &row); i++)
    misspelt_offer(&given, row.code, strlen(row.code));
  fprintf(stderr, "shape help: unknown topic '");
  print_plain(stderr, name);
  if (given.name)
    fprintf(stderr, "', did you mean '%.*s'?\n", (int)given.name_length, given.name);
  else
    fprintf(stderr, "'\n");
  fprintf(stderr, "hint: shape help lists what there is\n");
  return EXIT_USAGE;
}

int cmd_help(const command_line *line) {
  if (line->operand_count > 1) return usage_error("help", "one TOPIC is needed");
  const char *name = line->operand_count ? line->operands[0] : NULL;
  if (!name || command_find(name)) {
    print_usage(name);
    if (!name) print_topics();
    if (name) print_code(name, "\nas the code of a diagnostic: ");
    return EXIT_FINE;
  }
  if (print_topic(name) || print_code(name, "")) return EXIT_FINE;
  return unknown_topic(name);
}
