// SPDX-License-Identifier: Apache-2.0
#include "clients/lsp/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const setting_row ROWS[] = {
#define X(name, field, kind, start, values, help) {name, #kind, start, values, help},
#include "clients/lsp/settings.def"
#undef X
};

uint32_t settings_count(void) { return sizeof ROWS / sizeof *ROWS; }
const setting_row *settings_row(uint32_t index) { return &ROWS[index]; }

// --- values: each says whether the node is one; *changed where it is another one than before

static bool is_listed(const char *values, const char *text) {
  size_t length = strlen(text);
  for (const char *at = values; *at;) {
    size_t n = strcspn(at, "|");
    if (n == length && memcmp(at, text, n) == 0) return true;
    at += n + (at[n] == '|');
  }
  return !*values;
}

static bool take_TEXT(setting_text *to, const cJSON *node, const char *values, bool *changed) {
  if (!cJSON_IsString(node) || strlen(node->valuestring) >= sizeof to->text) return false;
  if (!is_listed(values, node->valuestring)) return false;
  *changed |= strcmp(to->text, node->valuestring) != 0;
  snprintf(to->text, sizeof to->text, "%s", node->valuestring);
  return true;
}

static bool take_FLAG(bool *to, const cJSON *node, const char *values, bool *changed) {
  (void)values;
  if (!cJSON_IsBool(node)) return false;
  *changed |= *to != (bool)cJSON_IsTrue(node);
  *to = cJSON_IsTrue(node);
  return true;
}

static bool take_NUMBER(uint64_t *to, const cJSON *node, const char *values, bool *changed) {
  (void)values;
  if (!cJSON_IsNumber(node) || !(node->valuedouble >= 0 && node->valuedouble < 9e15)) return false;
  uint64_t value = (uint64_t)node->valuedouble;
  *changed |= *to != value;
  *to = value;
  return true;
}

static void clear(setting_list *list) {
  for (uint32_t i = 0; i < list->count; i++) free(list->items[i]);
  list->count = 0;
}

static bool same_list(const setting_list *list, const cJSON *node) {
  uint32_t i = 0;
  for (const cJSON *item = node->child; item; item = item->next, i++) {
    if (i >= list->count || strcmp(list->items[i], item->valuestring) != 0) return false;
  }
  return i == list->count;
}

static bool take_TEXTS(setting_list *to, const cJSON *node, const char *values, bool *changed) {
  (void)values;
  if (!cJSON_IsArray(node) || cJSON_GetArraySize(node) > SETTING_LIST_MAX) return false;
  for (const cJSON *item = node->child; item; item = item->next) {
    if (!cJSON_IsString(item)) return false;
  }
  if (same_list(to, node)) return true;
  *changed = true;
  clear(to);
  for (const cJSON *item = node->child; item; item = item->next) {
    size_t size = strlen(item->valuestring) + 1;
    char *copy = malloc(size);
    if (!copy) return true;
    memcpy(copy, item->valuestring, size);
    to->items[to->count++] = copy;
  }
  return true;
}

// --- the start

static void start_TEXT(setting_text *to, const char *start) {
  snprintf(to->text, sizeof to->text, "%s", start);
}
static void start_FLAG(bool *to, const char *start) { *to = strcmp(start, "true") == 0; }
static void start_NUMBER(uint64_t *to, const char *start) { *to = strtoull(start, NULL, 10); }
static void start_TEXTS(setting_list *to, const char *start) {
  (void)start;
  to->count = 0;
}

void settings_init(lsp_settings *settings) {
  memset(settings, 0, sizeof *settings);
#define X(name, field, kind, start, values, help) start_##kind(&settings->field, start);
#include "clients/lsp/settings.def"
#undef X
}

void settings_free(lsp_settings *settings) {
  clear(&settings->assume);
  clear(&settings->specialise);
}

bool settings_take(lsp_settings *settings, const cJSON *object, char *problem, size_t size) {
  bool changed = false;
  const cJSON *node;
  *problem = 0;
  if (!cJSON_IsObject(object)) return false;
#define X(name, field, kind, start, values, help)                                                  \
  node = cJSON_GetObjectItemCaseSensitive(object, name);                                           \
  if (node && !cJSON_IsNull(node) && !take_##kind(&settings->field, node, values, &changed) &&     \
      !*problem) {                                                                                 \
    snprintf(problem, size, "shaped.%s has a value that is none of it: %s", name,                  \
             *(values) ? values : #kind);                                                          \
  }
#include "clients/lsp/settings.def"
#undef X
  return changed;
}
