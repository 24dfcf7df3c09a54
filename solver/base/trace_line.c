// SPDX-License-Identifier: Apache-2.0
#include "solver/base/trace_line.h"

#include <assert.h>
#include <string.h>

static const char *const NAMES[] = {
#define X(tag, what) #tag,
#include "solver/base/trace.def"
#undef X
};

uint32_t trace_parse(const char *names) {
  uint32_t tags = 0;
  if (strcmp(names, "all") == 0) return (1u << TRACE_COUNT) - 1;
  for (const char *at = names;;) {
    size_t length = strcspn(at, ",");
    uint32_t tag = 0;
    while (tag < TRACE_COUNT &&
           !(strlen(NAMES[tag]) == length && memcmp(NAMES[tag], at, length) == 0))
      tag++;
    if (tag == TRACE_COUNT) return 0;
    tags |= 1u << tag;
    if (!at[length]) return tags;
    at += length + 1;
  }
}

void trace_open(shape_budget *budget, const shape_trace *trace) {
  budget->trace = trace;
  if (!trace) return;
  budget->trace_text = arena_alloc(budget->arena, sizeof *budget->trace_text);
  strbuf_init_sink(budget->trace_text, budget->arena, trace->write, trace->data);
  strbuf_reserve(budget->trace_text, 1);
}

void trace_share(shape_budget *budget, const shape_budget *from) {
  budget->trace = from->trace;
  budget->trace_text = from->trace_text;
}

shape_strbuf *trace_begin(shape_budget *budget, trace_tag tag) {
  assert((unsigned)tag < TRACE_COUNT && budget->trace_text);
  strbuf_printf(budget->trace_text, "%s: ", NAMES[tag]);
  return budget->trace_text;
}

void trace_end(shape_budget *budget) {
  strbuf_putc(budget->trace_text, '\n');
  strbuf_flush(budget->trace_text);
}

void trace_say(shape_budget *budget, trace_tag tag, const char *format, ...) {
  if (!trace_wants(budget, tag)) return;
  va_list args;
  va_start(args, format);
  strbuf_vprintf(trace_begin(budget, tag), format, args);
  va_end(args);
  trace_end(budget);
}
