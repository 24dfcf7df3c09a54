// SPDX-License-Identifier: Apache-2.0
// Any bytes as a line of `shape decide`: one line of JSON, the same when asked again, confirmed by the checker or not
// claimed; and as text for people. What the checker contradicts is a wrong answer.
#include <stdlib.h>
#include <string.h>

#include "solver/api/decide/decide.h"
#include "solver/formats/json/validate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STEPS = 20000, MEMORY = 64 << 20 };

typedef struct fuzz_work {
  shape_arena scratch, arena;
  decide_options options;
  const char *line;
  size_t length;
  shape_strbuf out;
} fuzz_work;

static void ask(void *data) {
  fuzz_work *w = data;
  strbuf_init(&w->out, &w->arena);
  decide_line(&w->scratch, &w->options, w->line, w->length, &w->out);
}

// False where memory ran out.
static bool answer(fuzz_work *w, const uint8_t *data, size_t size, decide_options options) {
  *w = (fuzz_work){.options = options, .line = (const char *)data, .length = size};
  arena_init(&w->scratch, MEMORY);
  arena_init(&w->arena, MEMORY);
  return arena_protect(&w->arena, ask, w) == SHAPE_OK;
}

static void end(fuzz_work *w) {
  arena_destroy(&w->scratch);
  arena_destroy(&w->arena);
}

static void check_json(fuzz_work *w) {
  const json_limits limits = {0, JSON_DEPTH_MAX};
  const char *clean;
  size_t length;
  json_error error;
  if (!w->out.length || w->out.data[w->out.length - 1] != '\n') abort();
  if (memchr(w->out.data, '\n', w->out.length - 1)) abort();
  // An id is echoed as it was written, and may be a number that no double holds: that is JSON, and INVALID for validation.
  if (!json_validate(&w->arena, &limits, w->out.data, w->out.length, &clean, &length, &error) &&
      error.status != SHAPE_INVALID) {
    abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_work first, again, text;
  decide_counts counts = {0};
  if (memchr(data, '\n', size)) return 0;
  bool good = answer(&first, data, size, (decide_options){.steps = STEPS});
  bool same = answer(&again, data, size, (decide_options){.steps = STEPS});
  if (good != same) abort();
  if (good) {
    check_json(&first);
    if (first.out.length != again.out.length ||
        memcmp(first.out.data, again.out.data, first.out.length) != 0) {
      abort();
    }
  }
  end(&first);
  end(&again);
  if (answer(&first, data, size,
             (decide_options){.steps = STEPS, .certify = true, .counts = &counts})) {
    check_json(&first);
  }
  if (counts.contradicted) abort();
  answer(&text, data, size, (decide_options){.steps = STEPS, .readable = true});
  end(&first);
  end(&text);
  return 0;
}
