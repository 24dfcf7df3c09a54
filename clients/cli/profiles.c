// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/profiles.h"

#include <stdlib.h>
#include <string.h>

// Ends the lines of the file with NUL, and takes those that say something.
static void take_lines(profile_texts *p) {
  for (char *at = p->file.text, *end; *at; at = end) {
    end = at + strcspn(at, "\n");
    if (*end) *end++ = 0;
    at += strspn(at, " \t");
    size_t length = strcspn(at, "\r");
    while (length && (at[length - 1] == ' ' || at[length - 1] == '\t')) length--;
    at[length] = 0;
    if (*at && *at != '#') p->texts[p->count++] = at;
  }
}

bool profiles_read(const command_line *line, profile_texts *p, int *status) {
  const char *path = option_value(line, "profiles");
  size_t room = line->option_count + 1;
  *p = (profile_texts){NULL, 0, {0}};
  *status = EXIT_FINE;
  if (path && !input_read(path, &p->file)) {
    *status = EXIT_UNREADABLE;
    return false;
  }
  for (const char *c = p->file.text; c && *c; c++) room += *c == '\n';
  p->texts = malloc((room + 1) * sizeof *p->texts);
  if (!p->texts) {
    *status = out_of_memory();
    profiles_free(p);
    return false;
  }
  p->count = option_values(line, "profile", p->texts);
  if (path) take_lines(p);
  p->texts[p->count] = NULL;
  if (!path || p->count) return true;
  *status = usage_error(line->command, "'%.200s' has no profile", path);
  profiles_free(p);
  return false;
}

void profiles_free(profile_texts *p) {
  if (p->file.text) input_free(&p->file);
  free(p->texts);
  *p = (profile_texts){NULL, 0, {0}};
}
