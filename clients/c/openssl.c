// SPDX-License-Identifier: Apache-2.0
#ifdef HAVE_LIBSSL

#include "clients/c/openssl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef struct entry {
  const char *name;
  size_t offset;  // in openssl_api
} entry;

static const entry ENTRIES[] = {
#define X(function) {#function, offsetof(openssl_api, function)},
#include "clients/c/openssl.def"
#undef X
};

bool openssl_load(openssl_api *api, char *why, size_t size) {
  // It installs handlers for the end of the process, so it is never unloaded.
  api->library = dlopen("libssl.so.3", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  bool good = api->library != NULL;
  for (size_t i = 0; i < sizeof ENTRIES / sizeof *ENTRIES && good; i++) {
    void *function = dlsym(api->library, ENTRIES[i].name);
    memcpy((char *)api + ENTRIES[i].offset, &function, sizeof function);
    good = function != NULL;
  }
  if (good) return true;
  const char *reason = dlerror();
  snprintf(why, size, "TLS needs OpenSSL 3: %s", reason ? reason : "it cannot be loaded");
  openssl_unload(api);
  return false;
}

void openssl_unload(openssl_api *api) {
  if (api->library) dlclose(api->library);
  api->library = NULL;
}

#else
typedef int openssl_is_absent;
#endif
