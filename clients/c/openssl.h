// SPDX-License-Identifier: Apache-2.0
// OpenSSL 3, loaded when an address of TLS is used for the first time: to load it takes longer than to check a small
// program, which every start of a program that is linked with it would pay.
#ifndef SHAPE_CLIENT_OPENSSL_H
#define SHAPE_CLIENT_OPENSSL_H

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdbool.h>

typedef struct openssl_api {
  void *library;
#define X(function) __typeof__(&(function)) function;
#include "clients/c/openssl.def"
#undef X
} openssl_api;

// False after filling `why`: it is not on this machine.
bool openssl_load(openssl_api *api, char *why, size_t size);
void openssl_unload(openssl_api *api);

#endif
