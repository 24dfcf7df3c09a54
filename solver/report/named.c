// SPDX-License-Identifier: Apache-2.0
#include "solver/report/named.h"

#include <assert.h>
#include <string.h>

bool report_argument_name(const shape_report *r, const char *name, size_t length,
                          argument_name *out) {
  const report_function *f = r->function_count ? &r->functions[0] : NULL;
  if (!f) return false;
  const argument_list list = {NULL, f->arguments, f->argument_count};
  return argument_name_find(r->graph, list, name, length, out);
}

void report_put_argument(const shape_report *r, shape_strbuf *out, uint32_t argument) {
  const report_function *f = &r->functions[0];
  uint32_t length;
  assert(r->function_count && argument < f->argument_count);
  const argument_list list = {NULL, f->arguments, f->argument_count};
  const char *name = argument_name_of(r->graph, list, argument, &length);
  strbuf_printf(out, "argument %u", argument);
  if (name) strbuf_printf(out, " (%.*s)", (int)length, name);
}

term_id report_named_term(const shape_report *r, const char *name, size_t length) {
  argument_name found;
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    report_text known = r->symbols[i].name;
    if (known.length == length && memcmp(known.text, name, length) == 0) return r->symbols[i].term;
  }
  if (!report_argument_name(r, name, length, &found)) return TERM_NONE;
  const report_function *f = &r->functions[0];
  const report_elements *v = f->argument_values ? &f->argument_values[found.argument] : NULL;
  if (found.element)
    return v && v->items && found.index < v->count ? v->items[found.index] : TERM_NONE;
  const report_shape *s = &r->shapes[r->value_shapes[f->arguments + found.argument]];
  return s->ranked && found.index < s->rank ? s->dims[found.index] : TERM_NONE;
}
