// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/batch/output.h"

#include <stdlib.h>
#include <string.h>

#include "clients/cli/batch/batch.h"
#include "clients/cli/output_file.h"

static const output_form *const FORMS[] = {&OUTPUT_JSONL, &OUTPUT_CSV, &OUTPUT_SARIF, &OUTPUT_HTML,
                                           &OUTPUT_DATABASE};
enum { FORM_COUNT = sizeof FORMS / sizeof *FORMS };
_Static_assert((int)FORM_COUNT == (int)BATCH_OUTPUTS, "one path for each form");

const cJSON *field(const cJSON *object, const char *key) {
  return object ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

const char *field_text(const cJSON *object, const char *key) {
  const char *text = cJSON_GetStringValue(field(object, key));
  return text ? text : "";
}

double field_number(const cJSON *object, const char *key) {
  const cJSON *item = field(object, key);
  return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

double field_in(const cJSON *object, const char *outer, const char *key) {
  return field_number(field(object, outer), key);
}

bool outputs_given(const command_line *line, batch_outputs *outputs) {
  int standard = 0;
  outputs->manual = option_value(line, "manual");
  outputs->count = 0;
  for (unsigned i = 0; i < FORM_COUNT; i++) {
    outputs->paths[i] = option_value(line, FORMS[i]->option);
    outputs->count += outputs->paths[i] != NULL;
    bool is_standard = outputs->paths[i] && strcmp(outputs->paths[i], "-") == 0;
    if (is_standard && !FORMS[i]->is_stream) {
      usage_error(line->command, "a database is a file, it cannot go to standard output");
      return false;
    }
    standard += is_standard;
  }
  outputs->uses_standard_output = standard;
  if (standard > 1) usage_error(line->command, "only one output can go to standard output");
  return standard <= 1;
}

typedef struct open_output {
  output o;
  const output_form *form;
  output_file to;  // of a stream
} open_output;

static bool open_one(open_output *out) {
  if (!out->form->is_stream) return true;
  if (!output_file_open(&out->to, out->o.path)) return cannot_write("batch", out->o.path);
  out->o.file = out->to.file;
  return true;
}

static bool close_one(open_output *out, bool complete) {
  if (!out->form->is_stream) return true;
  return output_file_close(&out->to, complete) || (complete && cannot_write("batch", out->o.path));
}

static bool add_all(open_output *outs, size_t count, const results *list) {
  bool ok = true, reads = false;
  for (size_t k = 0; k < count; k++) reads |= !outs[k].form->takes_text;
  for (size_t i = 0; ok && i < list->count; i++) {
    char *text = results_read(&list->items[i]);
    cJSON *record = text && reads ? cJSON_ParseWithLength(text, list->items[i].length) : NULL;
    ok = text && (record || !reads);
    for (size_t k = 0; ok && k < count; k++) {
      if (outs[k].form->add)
        ok = outs[k].form->add(&outs[k].o, text, list->items[i].length, record);
      if (ok && outs[k].o.file && ferror(outs[k].o.file))
        ok = cannot_write("batch", outs[k].o.path);
    }
    cJSON_Delete(record);
    free(text);
  }
  return ok;
}

bool outputs_write(const batch_outputs *outputs, const results *list) {
  open_output outs[FORM_COUNT];
  size_t count = 0;
  bool ok = true;
  for (unsigned i = 0; ok && i < FORM_COUNT; i++) {
    if (!outputs->paths[i]) continue;
    outs[count] = (open_output){.o = {.path = outputs->paths[i], .manual = outputs->manual},
                                .form = FORMS[i]};
    ok = open_one(&outs[count]);
    if (!ok) break;
    if (FORMS[i]->begin && !FORMS[i]->begin(&outs[count].o)) {
      ok = false;
      close_one(&outs[count], false);
      break;
    }
    count++;
  }
  if (count) ok = ok && add_all(outs, count, list);
  for (size_t k = 0; k < count; k++) {
    if (outs[k].form->end && !outs[k].form->end(&outs[k].o, ok)) ok = false;
    if (!close_one(&outs[k], ok)) ok = false;
  }
  return ok;
}
