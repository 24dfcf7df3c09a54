// SPDX-License-Identifier: Apache-2.0
#include "clients/c/library.h"

#include <dlfcn.h>
#include <string.h>

const char *library_load(const char *file, const library_entry *entries, size_t count, void *api,
                         void **library) {
  // Some install handlers for the end of the process, so none is ever taken out of it, and one that lacks a function
  // need not be closed, which would end the text of dlerror().
  *library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  int good = *library != NULL;
  for (size_t i = 0; i < count && good; i++) {
    void *function = dlsym(*library, entries[i].name);
    memcpy((char *)api + entries[i].offset, &function, sizeof function);
    good = function != NULL;
  }
  if (good) return NULL;
  const char *reason = dlerror();
  *library = NULL;
  return reason ? reason : "it cannot be loaded";
}

void library_unload(void **library) {
  if (*library) dlclose(*library);
  *library = NULL;
}
