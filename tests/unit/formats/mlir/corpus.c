// SPDX-License-Identifier: Apache-2.0
// The programs beside the repository, where they are there: those that must be right read without an error, and pretty
// forms are never taken for unknown ones.
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/formats/mlir/reading.h"

static char *load(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(*length + 1);
  cr_assert_eq(fread(text, 1, *length, file), *length);
  text[*length] = 0;
  fclose(file);
  return text;
}

// The verdict that goes with a program: false when it is that there is an error.
static bool is_right(const char *path) {
  char json[512];
  size_t length;
  snprintf(json, sizeof json, "%.*s.json", (int)(strlen(path) - 5), path);
  char *text = load(json, &length);
  bool right = !text || !strstr(text, "\"status\": \"error\"");
  free(text);
  return right;
}

static void check_operations(reading *r, const char *path) {
  for (op_id op = 0; op < r->graph.op_count; op++) {
    const char *name = graph_op_name(&r->graph, op);
    if (strncmp(name, "stablehlo.", 10) != 0 && strncmp(name, "func.", 5) != 0) continue;
    for (uint32_t i = 0; i < r->graph.ops[op].result_count; i++) {
      cr_expect_neq(r->graph.values[graph_result(&r->graph, op, i)].type, TYPE_NONE, "%s: %s", path,
                    name);
    }
  }
}

static void read_program(const char *path) {
  size_t length;
  char *text = load(path, &length);
  cr_assert_not_null(text);
  reading r;
  reading_init(&r, text, length, 0);
  if (is_right(path)) {
    cr_expect_str_empty(reading_errors(&r), "%s\n%s", path, reading_errors(&r));
    check_operations(&r, path);
  }
  reading_destroy(&r);
  free(text);
}

static unsigned read_folder(const char *folder) {
  DIR *dir = opendir(folder);
  if (!dir) return 0;
  unsigned count = 0;
  for (struct dirent *entry; (entry = readdir(dir));) {
    size_t length = strlen(entry->d_name);
    if (length < 5 || strcmp(entry->d_name + length - 5, ".mlir") != 0) continue;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    read_program(path);
    count++;
  }
  closedir(dir);
  return count;
}

Test(mlir_corpus, reads) {
  static const char *const FOLDERS[] = {
      "stablehlo/infer",    "stablehlo/refine", "stablehlo/specialize",
      "stablehlo/symbolic", "stablehlo/verify", "symbolic",
      "bladedisc"};
  unsigned count = 0;
  for (unsigned i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
    char folder[256];
    snprintf(folder, sizeof folder, "../shared/corpus/%s", FOLDERS[i]);
    count += read_folder(folder);
  }
  if (!count) cr_skip_test("the programs of ../shared are not there");
}
