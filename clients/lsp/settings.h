// SPDX-License-Identifier: Apache-2.0
// What users can set, from the table settings.def.
#ifndef SHAPE_CLIENTS_LSP_SETTINGS_H
#define SHAPE_CLIENTS_LSP_SETTINGS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SETTING_TEXT_MAX = 128, SETTING_LIST_MAX = 32 };

typedef struct setting_text {
  char text[SETTING_TEXT_MAX];
} setting_text;

typedef struct setting_list {
  char *items[SETTING_LIST_MAX];  // malloc'ed
  uint32_t count;
} setting_list;

#define SETTING_TEXT   setting_text
#define SETTING_FLAG   bool
#define SETTING_TEXTS  setting_list
#define SETTING_NUMBER uint64_t

typedef struct lsp_settings {
#define X(name, field, kind, start, values, help) SETTING_##kind field;
#include "clients/lsp/settings.def"
#undef X
} lsp_settings;

typedef struct setting_row {
  const char *name, *kind, *start, *values, *help;
} setting_row;

uint32_t settings_count(void);
const setting_row *settings_row(uint32_t index);

void settings_init(lsp_settings *settings);
void settings_free(lsp_settings *settings);
// Takes the members of an object that are settings. Values that are none are left as they were; *problem, `size` bytes,
// gets a sentence about the first of them, or "". Returns whether anything changed.
bool settings_take(lsp_settings *settings, const cJSON *object, char *problem, size_t size);

#endif
