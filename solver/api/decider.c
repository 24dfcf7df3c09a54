// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdlib.h>

#include "solver/api/decide/decide.h"
#include "solver/api/token.h"

struct shape_decider {
  shape_arena scratch, replies;
  arena_mark empty;  // of scratch
  shape_strbuf reply;
  shape_trace trace;
  uint64_t spent;
  decide_counts counts;
  decide_options options;
};

_Static_assert((int)SHAPE_DECISION_ANSWER == (int)DECIDE_FINE &&
                   (int)SHAPE_DECISION_ERROR == (int)DECIDE_ERROR &&
                   (int)SHAPE_DECISION_BUDGET == (int)DECIDE_BUDGET &&
                   (int)SHAPE_DECISION_NO == (int)DECIDE_REFUTED,
               "a decision has another value in the header");

typedef struct decider_call {
  shape_decider *decider;
  uint64_t memory;
  const char *request;
  size_t length;
  decide_outcome outcome;
} decider_call;

static void prepare(void *data) {
  decider_call *call = data;
  decide_scratch_init(&call->decider->scratch, &call->decider->replies, call->memory);
}

shape_decider *shape_decider_new(const shape_limits *given, const shape_decider_options *chosen) {
  shape_limits limits;
  shape_decider_options options;
  api_read_struct(&limits, sizeof limits, given);
  api_read_struct(&options, sizeof options, chosen);
  shape_decider *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  shape_token *token = limits.token;
  d->trace = (shape_trace){limits.trace_tags, limits.trace, limits.trace_to};
  d->options =
      (decide_options){.steps = limits.steps,
                       .bits = limits.bits,
                       .stop = token ? &token->stop : (const atomic_int *)limits.stop,
                       .certify = options.certify,
                       .readable = options.readable,
                       .counts = &d->counts,
                       .spent = &d->spent,
                       .progress = token ? &token->steps : (atomic_uint_least64_t *)limits.progress,
                       .trace = d->trace.tags && d->trace.write ? &d->trace : NULL};
  arena_init(&d->replies, 0);
  decider_call call = {.decider = d, .memory = limits.memory};
  if (arena_protect(&d->replies, prepare, &call) == SHAPE_OK) {
    d->empty = arena_get_mark(&d->scratch);
    strbuf_init(&d->reply, &d->replies);
    return d;
  }
  shape_decider_free(d);
  return NULL;
}

void shape_decider_free(shape_decider *d) {
  if (!d) return;
  arena_destroy(&d->replies);  // and scratch, its child
  free(d);
}

static void answer(void *data) {
  decider_call *call = data;
  shape_decider *d = call->decider;
  call->outcome = decide_line(&d->scratch, &d->options, call->request, call->length, &d->reply);
}

shape_status shape_decider_answer(shape_decider *d, const char *request, size_t length,
                                  shape_write *write, void *to, shape_decision *decision) {
  decider_call call = {.decider = d, .request = request, .length = length};
  d->reply.length = 0;
  shape_status status = arena_protect(&d->replies, answer, &call);
  if (status != SHAPE_OK) {  // in the middle of a request
    arena_rewind(&d->scratch, d->empty);
    return status;
  }
  assert(d->reply.length);
  if (decision) *decision = (shape_decision)call.outcome;
  write(to, d->reply.data, d->reply.length);
  return SHAPE_OK;
}

shape_claims shape_decider_claims(const shape_decider *d) {
  assert(d->counts.confirmed + d->counts.contradicted <= d->counts.claims);
  return (shape_claims){d->counts.claims, d->counts.confirmed, d->counts.contradicted};
}
