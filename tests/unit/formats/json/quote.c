// SPDX-License-Identifier: Apache-2.0
// Ways to look for the end of a string, and to copy it, against looking byte by byte.
#include <criterion/criterion.h>

#include "solver/formats/json/quote.h"

static const char *slowly(const char *at, const char *end) {
  while (at < end && *at != '"' && *at != '\\') at++;
  return at < end ? at : NULL;
}

typedef const char *finder(const char *at, const char *end);

// Finds what is near, and never says that something is near which is not; what no whole word reaches may be left.
static void agrees(finder *find, size_t word, const char *at, const char *end) {
  const char *want = slowly(at, end), *found = find(at, end);
  size_t whole = (size_t)(end - at) / word * word;
  bool is_near = want && (size_t)(want - at) < QUOTE_NEAR && (size_t)(want - at) < whole;
  cr_assert_eq(found, is_near ? want : NULL, "%zu of %zu", want ? (size_t)(want - at) : 0,
               (size_t)(end - at));
}

Test(quote, near) {
  // What looks like the two where only some bits are compared, and what a subtraction borrows from.
  static const char OTHERS[] = {'a', 0, 1, '!', '#', '[', ']', (char)0xa2, (char)0xdc, (char)0xff};
  char text[QUOTE_NEAR + 16];
  for (size_t length = 0; length <= sizeof text; length++) {
    for (size_t other = 0; other < sizeof OTHERS; other++) {
      memset(text, OTHERS[other], sizeof text);
      for (size_t stop = 0; stop <= length; stop++) {
        char *end = text + length;
        if (stop < length) text[stop] = stop % 2 ? '"' : '\\';
        agrees(quote_near_words, 8, text, end);
#ifdef __SSE2__
        agrees(quote_near, 16, text, end);
#endif
        if (stop < length) text[stop] = OTHERS[other];
      }
    }
  }
}

static bool is_special(char c) {
  unsigned char byte = (unsigned char)c;
  return byte < 0x20 || byte >= 0x80 || c == '"' || c == '\\';
}

Test(quote, plain_sixteen) {
  char text[16], copy[18];
  for (unsigned i = 0; i < 16 * 256; i++) {
    memset(text, 'a', sizeof text);
    memset(copy, '-', sizeof copy);
    text[i / 256] = (char)(i % 256);
    cr_assert_eq(put_plain_sixteen(copy + 1, text), !is_special((char)(i % 256)), "%u", i);
    cr_assert(memcmp(copy + 1, text, 16) == 0 && copy[0] == '-' && copy[17] == '-', "%u", i);
  }
}

Test(quote, special_of_block) {
  char text[SPECIAL_BLOCK];
  for (unsigned i = 0; i < SPECIAL_BLOCK * 256; i++) {
    const unsigned at = i / 256, other = (at * 37 + 11) % SPECIAL_BLOCK;
    memset(text, 'a', sizeof text);
    text[other] = '"';
    text[at] = (char)(i % 256);
    uint64_t bits = at == other ? 0 : UINT64_C(1) << other;
    if (is_special(text[at])) bits |= UINT64_C(1) << at;
    cr_assert_eq(special_of_block(text), bits, "%u", i);
  }
}

#ifdef __SSE2__
Test(quote, special) {
  char text[QUOTE_NEAR + 16];
  for (size_t length = 0; length <= sizeof text; length++) {
    size_t whole = length / 16 * 16 < QUOTE_NEAR ? length / 16 * 16 : QUOTE_NEAR;
    for (unsigned byte = 0; byte < 256; byte++) {
      memset(text, 'a', sizeof text);
      size_t at = length ? byte * 7 % length : 0;
      text[at] = (char)byte;
      bool found = is_special((char)byte) && at < whole;
      cr_assert_eq(special_near(text, text + length), found ? text + at : NULL, "%u of %zu", byte,
                   length);
    }
  }
}
#endif
