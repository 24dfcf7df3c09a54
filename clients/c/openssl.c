// SPDX-License-Identifier: Apache-2.0
#ifdef HAVE_LIBSSL

#include "clients/c/openssl.h"

#include <stdio.h>

#include "clients/c/library.h"

static const library_entry ENTRIES[] = {
#define X(function) {#function, offsetof(openssl_api, function)},
#include "clients/c/openssl.def"
#undef X
};

bool openssl_load(openssl_api *api, char *why, size_t size) {
  const char *reason =
      library_load("libssl.so.3", ENTRIES, sizeof ENTRIES / sizeof *ENTRIES, api, &api->library);
  if (reason) snprintf(why, size, "TLS needs OpenSSL 3: %s", reason);
  return !reason;
}

void openssl_unload(openssl_api *api) { library_unload(&api->library); }

#else
typedef int openssl_is_absent;
#endif
