// SPDX-License-Identifier: Apache-2.0
// Libraries that are loaded when they are first needed. A struct holds a pointer for each of their functions.
#ifndef SHAPE_CLIENT_LIBRARY_H
#define SHAPE_CLIENT_LIBRARY_H

#include <stddef.h>

typedef struct library_entry {
  const char *name;
  size_t offset;  // of its pointer in the struct
} library_entry;

// Loads the library and fills the pointers of `api`. NULL, or the reason why it cannot, which is valid until the next
// call; then `*library` is NULL.
const char *library_load(const char *file, const library_entry *entries, size_t count, void *api,
                         void **library);
void library_unload(void **library);

#endif
