// SPDX-License-Identifier: Apache-2.0
#include "proto/methods/base64.h"

#include <criterion/criterion.h>
#include <string.h>

// RFC 4648, section 10.
static const char *const VECTORS[][2] = {
    {"", ""},
    {"f", "Zg=="},
    {"fo", "Zm8="},
    {"foo", "Zm9v"},
    {"foob", "Zm9vYg=="},
    {"fooba", "Zm9vYmE="},
    {"foobar", "Zm9vYmFy"},
    {"\xfb\xff\xbf", "+/+/"},
};

Test(base64, vectors_of_the_standard) {
  for (size_t i = 0; i < sizeof VECTORS / sizeof *VECTORS; i++) {
    char out[16];
    size_t length;
    const char *plain = VECTORS[i][0], *coded = VECTORS[i][1];
    length = base64_encode(plain, strlen(plain), out);
    cr_expect(length == strlen(coded) && memcmp(out, coded, length) == 0, "%s", coded);
    cr_assert(base64_decode(coded, strlen(coded), out, &length), "%s", coded);
    cr_expect(length == strlen(plain) && memcmp(out, plain, length) == 0, "%s", coded);
  }
}

Test(base64, refuses_other_texts) {
  static const char *const MISMATCH[] = {"Z",    "Zg",    "Zg=",      "Zh==",   "Zm9=",
                                         "Z===", "====",  "Zg==Zg==", "Zm 9",   "Zm9-",
                                         "Zm9_", "Zm9\n", "=m9v",     "\x80m9v"};
  for (size_t i = 0; i < sizeof MISMATCH / sizeof *MISMATCH; i++) {
    char out[16];
    size_t length;
    cr_expect_not(base64_decode(MISMATCH[i], strlen(MISMATCH[i]), out, &length), "%s", MISMATCH[i]);
  }
}
