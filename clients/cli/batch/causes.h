// SPDX-License-Identifier: Apache-2.0
// Why models of a batch are in error: how many have each code as that of their first error.
#ifndef SHAPE_CLI_BATCH_CAUSES_H
#define SHAPE_CLI_BATCH_CAUSES_H

#include "clients/cli/batch/journal.h"

// ": no such file", the message of a result that has one, and nothing of others. Reads the record.
void cause_print(FILE *out, const result_ref *ref);
// One line, "errors by cause: 12 shape-mismatch, 3 syntax", worst first; nothing where no model is in error. Reads the
// records of those that are.
void causes_print(FILE *out, const results *list);

#endif
