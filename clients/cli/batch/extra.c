// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/batch/extra.h"

#include <stdlib.h>
#include <string.h>

#include "clients/cli/batch/output.h"

void kept_add(void *to, const char *data, size_t length) {
  kept_text *k = to;
  if (length > k->capacity - k->length && !k->failed) {
    size_t capacity = 2 * k->capacity + length + 4096;
    char *grown = realloc(k->data, capacity);
    k->failed = !grown;
    if (grown) {
      k->data = grown;
      k->capacity = capacity;
    }
  }
  if (k->failed) return;
  memcpy(k->data + k->length, data, length);
  k->length += length;
}

static cJSON *parsed(kept_text *text) {
  cJSON *doc =
      text->failed || !text->length ? NULL : cJSON_ParseWithLength(text->data, text->length);
  free(text->data);
  return doc;
}

// The member as JSON, kept by `doc`.
static const char *member_text(cJSON *doc, const cJSON *object, const char *key) {
  const cJSON *value = field(object, key);
  char *text =
      cJSON_IsNumber(value) || cJSON_IsString(value) ? cJSON_PrintUnformatted(value) : NULL;
  const cJSON *made = text ? cJSON_AddStringToObject(doc, "", text) : NULL;
  cJSON_free(text);
  return made ? made->valuestring : NULL;
}

// Of the entry, which is the first function. The texts are the result's. Work that leaves operations out is not given as a number.
void *extra_cost(subject *s, batch_extra *out) {
  shape_emit_options options = SHAPE_STRUCT(shape_emit_options);
  shape_dims_options dims = SHAPE_STRUCT(shape_dims_options);
  kept_text text = {0};
  options.dims = &dims;
  text.failed = subject_emit(s, "cost-json", &options, kept_add, &text).status != SHAPE_OK;
  cJSON *doc = parsed(&text);
  const cJSON *entry = cJSON_GetArrayItem(field(doc, "functions"), 0);
  out->peak_bytes = member_text(doc, entry, "peak_bytes");
  if (!cJSON_GetArraySize(field(entry, "uncounted"))) out->flops = member_text(doc, entry, "flops");
  return doc;
}

void extra_end(void *cost) { cJSON_Delete(cost); }

int64_t extra_free_dims(subject *s) {
  kept_text text = {0};
  shape_generalization *g = shape_program_generalize(s->program, NULL);
  text.failed = !g || shape_generalization_emit(g, "json", kept_add, NULL, &text) != SHAPE_OK;
  shape_generalization_free(g);
  cJSON *doc = parsed(&text);
  const cJSON *argument, *was;
  int64_t found = doc && field(doc, "arguments") ? 0 : -1;
  cJSON_ArrayForEach(argument, field(doc, "arguments")) {
    const cJSON *dims = field(argument, "dims");
    int at = 0;
    cJSON_ArrayForEach(was, field(argument, "was")) {
      const cJSON *now = cJSON_GetArrayItem(dims, at++);
      found += cJSON_IsNumber(was) && now && !cJSON_IsNumber(now);
    }
  }
  cJSON_Delete(doc);
  return found;
}
