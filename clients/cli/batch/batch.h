// SPDX-License-Identifier: Apache-2.0
// shape batch: a zoo of models, each analysed in a child process, results in a journal, reports from it.
//
//   paths -> workers (children: take a model, read it, hash it, analyse it, send a record) -> pool (parent)
//   pool -> journal -> outputs, once all is done, in order of paths
//
// Only the parent writes. A worker that dies, or is ended because its time is over, costs the result of the model that
// it worked on, and is replaced.
#ifndef SHAPE_CLI_BATCH_BATCH_H
#define SHAPE_CLI_BATCH_BATCH_H

#include "clients/cli/batch/journal.h"
#include "clients/cli/batch/paths.h"
#include "clients/cli/options.h"

typedef struct batch_options {
  const char *const *bindings, *const *assumptions;
  uint32_t binding_count, assumption_count;
  uint64_t steps;       // 0: the default
  uint64_t memory;      // bytes
  uint64_t timeout_ms;  // of one model
  uint32_t jobs;
  bool isolate;     // one process per model instead of one per job
  bool quiet;       // no progress
  bool no_times;    // leave out what differs between two runs
  bool kept;        // records are read when all is done, or by a later run
  bool cost;        // memory and work of each model
  bool generalize;  // how many of its fixed dims could be free
  char digest[9];   // of the options that change answers
} batch_options;

enum { BATCH_OUTPUTS = 5 };

typedef struct batch_outputs {
  const char *paths[BATCH_OUTPUTS];  // in the order of output.c's table; NULL: not asked for
  const char *manual;                // where the manual is; NULL: nowhere
  unsigned count;
  bool uses_standard_output;
} batch_outputs;

// Analyses the models of `paths` that `known` has no result for. done: one result per path, in no order. False after a
// message: the journal cannot be written or processes cannot be made.
bool pool_run(const batch_options *options, const batch_paths *paths, const results *known,
              journal *j, results *done);

// Writes sorted results. Files appear whole or not at all. False after a message.
bool outputs_write(const batch_outputs *outputs, const results *list);
// What the command line asks for. False after a message.
bool outputs_given(const command_line *line, batch_outputs *outputs);

#endif
