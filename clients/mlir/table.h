// SPDX-License-Identifier: Apache-2.0
// A map from pointers of MLIR to identifiers. Handles of MLIR are unique pointers, so their address is the key.
#ifndef SHAPED_TABLE_H
#define SHAPED_TABLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct shaped_table {
  const void **keys;  // open addressing; NULL: free
  uint32_t *values;
  uint32_t count, capacity;  // a power of two, at least twice the count
} shaped_table;

// False: no memory. A key that is there gets the new value. Amortised O(1).
bool shaped_table_put(shaped_table *table, const void *key, uint32_t value);
// UINT32_MAX: it is not there.
uint32_t shaped_table_get(const shaped_table *table, const void *key);
void shaped_table_free(shaped_table *table);

#endif
