// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/batch/sha256.h"

#include <criterion/criterion.h>
#include <string.h>

static void hash(const char *data, size_t length, size_t piece, bool by_processor,
                 char out[SHA256_TEXT]) {
  sha256 h;
  sha256_init(&h);
  if (!by_processor) h.by_processor = false;
  for (size_t at = 0; at < length; at += piece)
    sha256_add(&h, data + at, length - at < piece ? length - at : piece);
  sha256_text(&h, out);
}

static void expect(const char *data, size_t length, const char *hex) {
  char out[SHA256_TEXT];
  for (int by_processor = 0; by_processor < 2; by_processor++) {
    hash(data, length, length + 1, by_processor, out);
    cr_expect_str_eq(out, hex, "%zu bytes", length);
    hash(data, length, 3, by_processor, out);
    cr_expect_str_eq(out, hex, "%zu bytes in pieces", length);
  }
}

// FIPS 180-4 and its examples.
Test(sha256, examples) {
  expect("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  expect(two, strlen(two), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

// Both ways give the same, wherever a block ends.
Test(sha256, lengths) {
  char data[300], one[SHA256_TEXT], other[SHA256_TEXT];
  for (size_t i = 0; i < sizeof data; i++) data[i] = (char)(i * 37 ^ i >> 3);
  for (size_t length = 0; length <= sizeof data; length++) {
    hash(data, length, 64, true, one);
    hash(data, length, 7, false, other);
    cr_expect_str_eq(one, other, "%zu bytes", length);
  }
}
