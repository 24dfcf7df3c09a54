// SPDX-License-Identifier: Apache-2.0
// Results as lines: JSONL (the records as they are) and CSV (RFC 4180).
#include <stdlib.h>
#include <string.h>

#include "clients/cli/batch/output.h"

static bool add_jsonl(output *o, const char *text, size_t length, const cJSON *record) {
  (void)record;
  fwrite(text, 1, length, o->file);
  fputc('\n', o->file);
  return true;
}

const output_form OUTPUT_JSONL = {"jsonl", true, true, NULL, add_jsonl, NULL};

// A text that begins like a formula is one for spreadsheets; a quote in front of it keeps it a text.
static void put_csv(FILE *to, const char *text) {
  bool formula = *text && strchr("=+-@\t\r", *text);
  if (!formula && !strpbrk(text, ",\"\r\n")) {
    fputs(text, to);
    return;
  }
  fputs(formula ? "\"'" : "\"", to);
  for (; *text; text++) {
    if (*text == '"') fputc('"', to);
    fputc(*text, to);
  }
  fputc('"', to);
}

static const char *const COLUMNS[] = {
    "path",   "status",  "format",    "bytes",      "ops",         "known",       "symbolic",
    "opaque", "symbols", "guards",    "unchecked",  "constraints", "diagnostics", "message",
    "hash",   "ms",      "free_dims", "peak_bytes", "flops"};

static bool begin_csv(output *o) {
  for (size_t i = 0; i < sizeof COLUMNS / sizeof *COLUMNS; i++) {
    fprintf(o->file, "%s%s", i ? "," : "", COLUMNS[i]);
  }
  fputs("\r\n", o->file);
  return true;
}

static const char *first_error(const cJSON *record) {
  const cJSON *d;
  const char *text = field_text(record, "message");
  cJSON_ArrayForEach(d, field(field(record, "summary"), "diagnostics")) {
    if (!*text && strcmp(field_text(d, "severity"), "error") == 0) text = field_text(d, "message");
  }
  return text;
}

static bool add_csv(output *o, const char *text, size_t length, const cJSON *record) {
  (void)text, (void)length;
  const cJSON *s = field(record, "summary");
  FILE *f = o->file;
  put_csv(f, field_text(record, "path"));
  fprintf(f, ",%s,%s,%.0f", field_text(record, "status"), field_text(record, "format"),
          field_number(record, "bytes"));
  fprintf(f, ",%.0f,%.0f,%.0f,%.0f", field_number(s, "ops"), field_in(s, "dims", "known"),
          field_in(s, "dims", "symbolic"), field_in(s, "dims", "opaque"));
  fprintf(f, ",%.0f,%.0f,%.0f,%.0f,%.0f,", field_number(s, "symbols"),
          field_number(s, "guard_count"), field_number(s, "unchecked_count"),
          field_number(s, "constraint_count"), field_number(s, "diagnostic_count"));
  put_csv(f, first_error(record));
  fprintf(f, ",%s,", field_text(record, "hash"));
  if (field(record, "ms")) fprintf(f, "%.3f", field_number(record, "ms"));
  static const char *const EXTRA[] = {"free_dims", "peak_bytes", "flops"};
  for (size_t i = 0; i < sizeof EXTRA / sizeof *EXTRA; i++) {
    fputc(',', f);
    const cJSON *value = field(record, EXTRA[i]);
    if (cJSON_IsNumber(value)) fprintf(f, "%.0f", value->valuedouble);
    if (cJSON_IsString(value)) put_csv(f, value->valuestring);
  }
  fputs("\r\n", f);
  return true;
}

const output_form OUTPUT_CSV = {"csv", true, false, begin_csv, add_csv, NULL};
