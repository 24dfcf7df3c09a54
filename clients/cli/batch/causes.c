// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/batch/causes.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "clients/cli/batch/output.h"
#include "clients/cli/plain.h"

enum { CAUSES_MAX = 64, CODE_MAX = 40 };

typedef struct cause {
  char code[CODE_MAX];
  size_t count;
} cause;

static void first_error(const result_ref *ref, char code[CODE_MAX]) {
  char *text = results_read(ref);
  cJSON *record = text ? cJSON_Parse(text) : NULL;
  const cJSON *d;
  code[0] = 0;
  const cJSON *summary = cJSON_GetObjectItemCaseSensitive(record, "summary");
  cJSON_ArrayForEach(d, cJSON_GetObjectItemCaseSensitive(summary, "diagnostics")) {
    if (*code || strcmp(field_text(d, "severity"), "error") != 0) continue;
    snprintf(code, CODE_MAX, "%s", field_text(d, "code"));
  }
  if (!*code) snprintf(code, CODE_MAX, "other");
  cJSON_Delete(record);
  free(text);
}

void cause_print(FILE *out, const result_ref *ref) {
  char *text = results_read(ref);
  cJSON *record = text ? cJSON_Parse(text) : NULL;
  const char *message = field_text(record, "message");
  if (*message) {
    fputs(": ", out);
    print_plain(out, message);
  }
  cJSON_Delete(record);
  free(text);
}

// More first, then by code.
static int by_count(const void *a, const void *b) {
  const cause *x = a, *y = b;
  return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
                              : strcmp(x->code, y->code);
}

void causes_print(FILE *out, const results *list) {
  cause causes[CAUSES_MAX];
  size_t count = 0;
  for (size_t i = 0; i < list->count; i++) {
    char code[CODE_MAX];
    size_t k = 0;
    if (list->items[i].status != BATCH_ERROR) continue;
    first_error(&list->items[i], code);
    while (k < count && strcmp(causes[k].code, code) != 0) k++;
    if (k == CAUSES_MAX) k--;  // there are fewer codes
    if (k == count) {
      memcpy(causes[count].code, code, CODE_MAX);
      causes[count++].count = 0;
    }
    causes[k].count++;
  }
  if (!count) return;
  qsort(causes, count, sizeof *causes, by_count);
  fputs("errors by cause: ", out);
  for (size_t k = 0; k < count; k++)
    fprintf(out, "%s%zu %s", k ? ", " : "", causes[k].count, causes[k].code);
  fputc('\n', out);
}
