// SPDX-License-Identifier: Apache-2.0
// An archive of torch.export with one member, stored: what tests wrap around the JSON of a program.
#ifndef TESTS_SUPPORT_STORED_ZIP_H
#define TESTS_SUPPORT_STORED_ZIP_H

#include <stddef.h>

enum { STORED_ZIP_MORE = 256 };  // bytes beside those of the text

// Writes the archive to `out`, which has room for length + STORED_ZIP_MORE bytes; its length.
// name: that of the member, at most 40 bytes.
size_t stored_zip_as(const char *name, const char *text, size_t length, unsigned char *out);
size_t stored_zip(const char *text, size_t length, unsigned char *out);

#endif
