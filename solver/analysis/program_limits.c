// SPDX-License-Identifier: Apache-2.0
#include "solver/analysis/program_limits.h"

#include <assert.h>
#include <stdio.h>

static bool exceeds(program_excess *excess, const char *limit, uint64_t value, uint64_t found,
                    const char *what) {
  assert(found > value);
  excess->limit = limit;
  excess->value = value;
  snprintf(excess->message, sizeof excess->message,
           "the program has %llu %s, over the limit of %llu", (unsigned long long)found, what,
           (unsigned long long)value);
  return false;
}

bool program_nodes_within(const program_limits *limits, uint64_t nodes, program_excess *excess) {
  excess->limit = NULL;
  if (!limits->nodes || nodes <= limits->nodes) return true;
  return exceeds(excess, "max-nodes", limits->nodes, nodes, "operations");
}

bool program_rank_within(const program_limits *limits, uint64_t rank, program_excess *excess) {
  excess->limit = NULL;
  if (!limits->rank || rank <= limits->rank) return true;
  return exceeds(excess, "max-rank", limits->rank, rank, "axes in one tensor");
}

bool program_within(const program_limits *limits, const shape_graph *graph,
                    program_excess *excess) {
  if (!program_nodes_within(limits, graph->op_count, excess)) return false;
  uint32_t most = 0;
  for (uint32_t i = 0; i < graph->types.count; i++) {
    const graph_type *t = type_get(&graph->types, i);
    if (t->kind == TYPE_TENSOR && t->rank > most) most = t->rank;
  }
  return program_rank_within(limits, most, excess);
}
