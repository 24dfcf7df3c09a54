// SPDX-License-Identifier: Apache-2.0
#include "solver/api/program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "solver/formats/formats.h"
#include "solver/formats/json/encode.h"

shape_program *shape_program_new(const shape_limits *limits) {
  shape_program *p = malloc(sizeof *p);
  if (!p) return NULL;
  *p = (shape_program){.name = "program"};
  api_read_struct(&p->limits, sizeof p->limits, limits);
  p->trace = (shape_trace){p->limits.trace_tags, p->limits.trace, p->limits.trace_to};
  return p;
}

void shape_program_free(shape_program *p) {
  if (!p) return;
  shape_run_free(p->built);
  free(p->own_name);
  free(p);
}

const shape_error *shape_program_error(const shape_program *p) { return &p->error; }

// False: the error is set.
static bool take(shape_program *p, const void *bytes, size_t length, const char *name) {
  if (p->loaded || p->built || !bytes) {
    api_fail(&p->error, SHAPE_INVALID, "%s", bytes ? "the program has contents" : "no bytes");
    return false;
  }
  if (name && !(p->own_name = malloc(strlen(name) + 1))) {
    api_fail(&p->error, SHAPE_MEMORY, "no memory for the name");
    return false;
  }
  if (name) p->name = strcpy(p->own_name, name);
  p->bytes = bytes;
  p->length = length;
  return true;
}

shape_status shape_program_load(shape_program *p, const void *bytes, size_t length,
                                const char *name) {
  if (!take(p, bytes, length, name)) return p->error.status;
  const char *advice;
  p->loaded = p->recognised = format_of(bytes, length, &p->format, &advice);
  if (p->loaded) return SHAPE_OK;
  api_fail(&p->error, SHAPE_UNSUPPORTED, "%s", advice);
  return SHAPE_UNSUPPORTED;
}

shape_status shape_program_load_json(shape_program *p, const char *text, size_t length,
                                     const char *name) {
  if (!take(p, text, length, name)) return p->error.status;
  p->loaded = p->validated = true;
  return SHAPE_OK;
}

const char *shape_program_limit(const shape_program *p, uint64_t *value) {
  *value = p->excess.value;
  return p->excess.limit;
}

void shape_program_set_external(shape_program *p, shape_external read, void *data) {
  p->external = read;
  p->external_data = data;
}

typedef struct encoding {
  shape_program *program;
  bool lost;  // an operation goes on at a block that was never added
} encoding;

static bool has_successors(const shape_graph *g) {
  for (uint32_t i = 0; i < g->successors.count; i++) {
    const graph_successor *s = &g->successors.items[i];
    region_id region = g->blocks[g->ops[s->op].parent].region;
    if (region != ID_NONE && s->block >= g->regions[region].block_count) return false;
  }
  return true;
}

static void encode(shape_run *run, void *data) {
  encoding *x = data;
  shape_strbuf out;
  assert(x->program->graph == shape_run_graph(run));
  x->lost = !has_successors(x->program->graph);
  if (x->lost) return;
  strbuf_init(&out, shape_run_graph(run)->arena);
  graph_json_encode(x->program->graph, &out);
  x->program->bytes = strbuf_text(&out);
  x->program->length = out.length;
}

bool program_has_bytes(shape_program *p) {
  encoding x = {p, false};
  if (p->bytes) return true;
  if (!p->built) {
    api_fail(&p->error, SHAPE_INVALID, "the program has no contents");
    return false;
  }
  shape_status status = shape_run_protect(p->built, encode, &x);
  if (status != SHAPE_OK) api_fail(&p->error, status, "%s", shape_status_message(status));
  if (x.lost) api_fail(&p->error, SHAPE_INVALID, "a successor is no block of its region");
  return status == SHAPE_OK && !x.lost;
}
