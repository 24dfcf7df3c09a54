// SPDX-License-Identifier: Apache-2.0
// shape ops: the tables of operations, for people.
#include <stdio.h>
#include <string.h>

#include "clients/cli/options.h"
#include "proto/json/write.h"
#include "solver/shape.h"

static bool wanted(const command_line *line, const shape_operation *row) {
  for (uint32_t i = 0; i < line->operand_count; i++) {
    if (strstr(row->name, line->operands[i]) || strcmp(row->rule, line->operands[i]) == 0)
      return true;
  }
  return !line->operand_count;
}

static void write_row(const shape_operation *row) {
  char versions[32] = "";
  if (row->since)
    snprintf(versions, sizeof versions, row->until ? " %u-%u" : " %u-", row->since, row->until);
  char name[96];
  snprintf(name, sizeof name, "%s%s", row->name, versions);
  printf("%-38s %-20s %s\n", name, row->rule, row->source);
}

static void write_json_row(const shape_operation *row, shape_arena *arena) {
  shape_strbuf text;
  json_writer w;
  strbuf_init(&text, arena);
  json_writer_init(&w, &text);
  json_begin_object(&w);
  json_key(&w, "name");
  json_string(&w, row->name);
  json_key(&w, "rule");
  json_string(&w, row->rule);
  json_key(&w, "source");
  json_string(&w, row->source);
  json_key(&w, "since");
  json_int(&w, row->since);
  json_key(&w, "until");
  json_int(&w, row->until);
  json_end_object(&w);
  puts(strbuf_text(&text));
}

typedef struct ops_work {
  const command_line *line;
  shape_arena arena;
  uint32_t shown;
} ops_work;

static void list_ops(void *data) {
  ops_work *w = data;
  bool json = option_given(w->line, "json");
  shape_operation row;
  for (uint32_t i = 0; shape_operation_at(i, &row); i++) {
    if (!wanted(w->line, &row)) continue;
    w->shown++;
    if (json) {
      arena_mark mark = arena_get_mark(&w->arena);
      write_json_row(&row, &w->arena);
      arena_rewind(&w->arena, mark);
    } else {
      write_row(&row);
    }
  }
}

int cmd_ops(const command_line *line) {
  ops_work w = {.line = line};
  arena_init(&w.arena, 0);
  shape_status status = arena_protect(&w.arena, list_ops, &w);
  arena_destroy(&w.arena);
  if (status != SHAPE_OK) {
    fprintf(stderr, "shape ops: %s\n", shape_status_message(status));
    return EXIT_NO_ANSWER;
  }
  if (w.shown) return EXIT_FINE;
  fprintf(stderr, "shape ops: no operation or rule is called '%s'\n", line->operands[0]);
  return EXIT_ERRORS;
}
