// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/argument_name.h"

#include <assert.h>
#include <string.h>

enum { DIGITS_MAX = 9 };

static bool read_number(const char *text, size_t length, uint32_t *out) {
  *out = 0;
  if (!length || length > DIGITS_MAX) return false;
  for (size_t i = 0; i < length; i++) {
    if (text[i] < '0' || text[i] > '9') return false;
    *out = *out * 10 + (uint32_t)(text[i] - '0');
  }
  return true;
}

// What follows the name of the value: nothing, ".1" or "[1]". Returns the length of the name; 0: it is none.
static size_t read_index(const char *name, size_t length, bool whole, argument_name *out) {
  *out = (argument_name){.element = true, .whole = whole};
  if (whole || length < 3) return whole ? length : 0;
  out->element = name[length - 1] == ']';
  size_t end = length - out->element, at = end;
  while (at && name[at - 1] >= '0' && name[at - 1] <= '9') at--;
  if (at < 2 || name[at - 1] != (out->element ? '[' : '.')) return 0;
  return read_number(name + at, end - at, &out->index) ? at - 1 : 0;
}

static bool is_position(const char *name, size_t length, uint32_t *argument) {
  return length > 3 && memcmp(name, "arg", 3) == 0 && read_number(name + 3, length - 3, argument);
}

static value_id value_at(argument_list list, uint32_t i) {
  return list.values ? list.values[i] : list.first + i;
}

static bool find_value(const shape_graph *g, argument_list list, const char *name, size_t length,
                       uint32_t *argument) {
  uint32_t found = 0;
  for (uint32_t i = 0; length && i < list.count; i++) {
    uint32_t known;
    assert(value_at(list, i) < g->value_count);
    const char *text = graph_value_text(g, value_at(list, i), &known);
    if (known != length || memcmp(text, name, length) != 0) continue;
    *argument = i;
    found++;
  }
  return found == 1;
}

bool argument_name_find(const shape_graph *g, argument_list list, const char *name, size_t length,
                        argument_name *out) {
  bool source = length && *name == '%';
  name += source;
  length -= source;
  for (int whole = 1; whole >= 0; whole--) {
    size_t known = read_index(name, length, whole, out);
    if (known && !source && is_position(name, known, &out->argument))
      return out->argument < list.count;
    if (known && find_value(g, list, name, known, &out->argument)) return true;
  }
  return false;
}

// A name of the grammar of expressions (term/parse.h), which needs no quotes in it.
static bool is_plain(const char *text, uint32_t length) {
  for (uint32_t i = 0; i < length; i++) {
    char c = text[i];
    bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
    if (!letter && !(i && ((c >= '0' && c <= '9') || c == '.'))) return false;
  }
  return length > 0;
}

const char *argument_name_of(const shape_graph *g, argument_list list, uint32_t argument,
                             uint32_t *length) {
  uint32_t found;
  assert(argument < list.count);
  const char *text = graph_value_text(g, value_at(list, argument), length);
  return is_plain(text, *length) && !is_position(text, *length, &found) ? text : NULL;
}
