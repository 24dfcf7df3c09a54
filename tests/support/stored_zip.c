// SPDX-License-Identifier: Apache-2.0
#include "tests/support/stored_zip.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

static void put(unsigned char **to, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; i++) *(*to)++ = (unsigned char)((uint64_t)value >> 8 * i);
}

size_t stored_zip_as(const char *name, const char *text, size_t length, unsigned char *out) {
  uint32_t name_length = (uint32_t)strlen(name);
  uint32_t size = (uint32_t)length, crc = (uint32_t)crc32(0, (const Bytef *)text, size);
  unsigned char *at = out;
  for (int central = 0; central < 2; central++) {
    uint32_t begin = (uint32_t)(at - out);
    put(&at, central ? 0x02014b50 : 0x04034b50, 4);
    put(&at, 20, central ? 4 : 2);
    put(&at, 0, 8);
    put(&at, crc, 4);
    put(&at, size, 4);
    put(&at, size, 4);
    put(&at, name_length, 4);
    for (int i = 0; central && i < 4; i++) put(&at, 0, i < 3 ? 4 : 0);
    if (central) put(&at, 0, 2), put(&at, 0, 0);
    memcpy(at, name, name_length);
    at += name_length;
    if (!central && size) memcpy(at, text, size), at += size;
    if (!central) continue;
    uint32_t directory = (uint32_t)(at - out) - begin;
    put(&at, 0x06054b50, 4);
    put(&at, 0, 4);
    put(&at, 1, 2);
    put(&at, 1, 2);
    put(&at, directory, 4);
    put(&at, begin, 4);
    put(&at, 0, 2);
  }
  return (size_t)(at - out);
}

size_t stored_zip(const char *text, size_t length, unsigned char *out) {
  return stored_zip_as("m/models/model.json", text, length, out);
}
