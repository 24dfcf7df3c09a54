// SPDX-License-Identifier: Apache-2.0
// What the files of shape_remote.h share.
#ifndef SHAPE_CLIENT_REMOTE_H
#define SHAPE_CLIENT_REMOTE_H

#include "clients/c/shape_remote.h"
#include "clients/c/writer.h"

struct shape_remote_edits {
  params_writer items;  // of the list of edits
};

// Memory of answers: blocks that are all freed together.
typedef struct answer_pool {
  struct answer_block *first;
} answer_pool;

void remote_pool_free(answer_pool *pool);

// Replies as structs in the pool's memory. False: no memory.
bool remote_read_answers(answer_pool *pool, shape_json result, size_t count,
                         shape_remote_answer *answers);
bool remote_read_changes(answer_pool *pool, shape_json result, shape_remote_changes *changes);
bool remote_read_guards(answer_pool *pool, shape_json result, shape_remote_guards *guards);

void remote_write_target(params_writer *w, shape_remote_target target);
void remote_write_graph(params_writer *w, const shape_remote_graph *graph);

#endif
