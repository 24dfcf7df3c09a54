// SPDX-License-Identifier: Apache-2.0
// Base64 of RFC 4648, with padding. Nothing else is accepted: no line breaks, no other alphabet.
#ifndef PROTO_METHODS_BASE64_H
#define PROTO_METHODS_BASE64_H

#include <stdbool.h>
#include <stddef.h>

// `out` has room for length / 4 * 3 bytes. False when the text is not base64.
bool base64_decode(const char *text, size_t length, char *out, size_t *out_length);
// `out` has room for (length + 2) / 3 * 4 bytes; returns how many were written.
size_t base64_encode(const char *data, size_t length, char *out);

#endif
