// SPDX-License-Identifier: Apache-2.0
// Terms as the table holds them, for traces: symbols s0, s1, ..., parts in order of index, nothing folded back. Unlike
// print.h it makes no terms and takes no steps, so that looking changes nothing. Deep terms are cut: #17 is term 17.
#ifndef SHAPE_TERM_OUTLINE_H
#define SHAPE_TERM_OUTLINE_H

#include "solver/term/term.h"

void term_outline(shape_strbuf *out, const term_table *table, term_id id);

#endif
