// SPDX-License-Identifier: Apache-2.0
// Graphviz as a child process: it crashes, hangs or is absent without harm to us.
#ifndef SHAPE_CLI_GRAPHVIZ_H
#define SHAPE_CLI_GRAPHVIZ_H

#include <stdbool.h>
#include <stddef.h>

// What `dot -Tplain` makes of a text in its language; the text says which layout it wants. malloc'ed with *length bytes;
// NULL after a message on stderr, also where it is absent or needs more than two minutes.
char *graphviz_layout(const char *command, const char *dot, size_t dot_length, size_t *length);

#endif
