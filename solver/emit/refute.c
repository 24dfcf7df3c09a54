// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/refute.h"

#include "solver/base/strbuf.h"

static void drop(void *to, const char *data, size_t length) { (void)to, (void)data, (void)length; }

bool refute_confirms(const analyze_request *request, const report_witness *run, const char *claim,
                     shape_arena *arena) {
  analyze_request again = *request;
  uint32_t count = request->binding_count + run->count;
  const char **bindings = arena_alloc(arena, (count + 1) * sizeof *bindings);
  for (uint32_t i = 0; i < request->binding_count; i++) bindings[i] = request->bindings[i];
  for (uint32_t i = 0; i < run->count; i++) {
    shape_strbuf text;
    strbuf_init(&text, arena);
    strbuf_printf(&text, "%s=%lld", run->items[i].name, (long long)run->items[i].value);
    bindings[request->binding_count + i] = strbuf_text(&text);
  }
  again.bindings = bindings;
  again.binding_count = count;
  again.output = ANALYZE_JSON;
  again.that = claim;
  again.is_confirmation = true;
  analyze_reply reply;
  analyze(&again, drop, NULL, &reply);
  return reply.status == SHAPE_OK && !reply.errors && !reply.open && reply.answer == SHAPE_NO;
}
