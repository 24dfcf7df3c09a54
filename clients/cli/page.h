// SPDX-License-Identifier: Apache-2.0
// A page of the manual as text for a terminal of 80 columns: what is Markdown for readers of the site only is left out.
#ifndef SHAPE_CLI_PAGE_H
#define SHAPE_CLI_PAGE_H

#include <stddef.h>
#include <stdio.h>

void print_page(FILE *to, const char *text, size_t length);

#endif
