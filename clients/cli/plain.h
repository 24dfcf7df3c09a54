// SPDX-License-Identifier: Apache-2.0
// Text of strangers (names in programs, names of files) for people: what a terminal would obey becomes `?`.
#ifndef SHAPE_CLI_PLAIN_H
#define SHAPE_CLI_PLAIN_H

#include <stdio.h>

void print_plain(FILE *to, const char *text);                       // one line of it
void print_plain_lines(FILE *to, const char *text, size_t length);  // line ends stay

#endif
