// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/names.h"

#include <string.h>

bool report_argument_name(const char *name, size_t length, uint32_t *argument, uint32_t *axis) {
  size_t i = 3;
  uint64_t numbers[2] = {0, UINT32_MAX};
  if (length < 4 || memcmp(name, "arg", 3) != 0) return false;
  for (int part = 0; part < 2 && i < length; part++) {
    if (part == 1) {
      if (name[i++] != '.' || i == length) return false;
      numbers[1] = 0;
    }
    size_t first = i;
    for (; i < length && name[i] >= '0' && name[i] <= '9' && i < first + 9; i++) {
      numbers[part] = numbers[part] * 10 + (uint64_t)(name[i] - '0');
    }
    if (i == first) return false;
  }
  *argument = (uint32_t)numbers[0];
  *axis = (uint32_t)numbers[1];
  return i == length;
}

term_id report_named_term(const shape_report *r, const char *name, size_t length) {
  uint32_t argument, axis;
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    report_text known = r->symbols[i].name;
    if (known.length == length && memcmp(known.text, name, length) == 0) return r->symbols[i].term;
  }
  const report_function *f = r->function_count ? &r->functions[0] : NULL;
  if (!f || !report_argument_name(name, length, &argument, &axis) || argument >= f->argument_count)
    return TERM_NONE;
  if (axis == UINT32_MAX) {
    const report_elements *v = f->argument_values ? &f->argument_values[argument] : NULL;
    return v && v->items && v->count ? v->items[0] : TERM_NONE;
  }
  const report_shape *s = &r->shapes[r->value_shapes[f->arguments + argument]];
  return s->ranked && axis < s->rank ? s->dims[axis] : TERM_NONE;
}
