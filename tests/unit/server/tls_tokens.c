// SPDX-License-Identifier: Apache-2.0
#ifdef HAVE_LIBSSL

#include "server/tls_tokens.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The tokens of a file with that text and mode; false: it is refused, for a reason that has `why`.
static bool read_text(tls_tokens *tokens, const char *text, mode_t mode, const char *why) {
  char path[] = "/tmp/shaped-tokens-XXXXXX", error[256] = "";
  int fd = mkstemp(path);
  cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
  cr_assert_eq(fchmod(fd, mode), 0);
  close(fd);
  bool good = tls_tokens_read(tokens, path, error, sizeof error);
  unlink(path);
  cr_expect_eq(good, !why, "%s: %s", text, error);
  if (why) cr_expect(strstr(error, why), "%s: %s", text, error);
  return good;
}

static bool holds(const tls_tokens *tokens, const char *token) {
  unsigned char digest[TOKEN_DIGEST];
  tls_tokens_digest(token, strlen(token), digest);
  return tls_tokens_hold(tokens, digest);
}

static char *repeated(char c, int times, const char *end) {
  char *text = malloc((size_t)times + strlen(end) + 1);
  memset(text, c, (size_t)times);
  strcpy(text + times, end);
  return text;
}

Test(tls_tokens, lines_are_tokens) {
  tls_tokens t;
  cr_assert(read_text(&t, "# ours\n\nabcdefghijklmnop\r\n0123456789abcdef0", 0600, NULL));
  cr_assert_eq(t.count, 2);
  cr_assert(holds(&t, "abcdefghijklmnop") && holds(&t, "0123456789abcdef0"));
  cr_assert_not(holds(&t, "0123456789abcdef"));
  cr_assert_not(holds(&t, "abcdefghijklmnop\r"));
  cr_assert_not(holds(&t, ""));
  cr_assert_not(holds(&t, "# ours"));
}

Test(tls_tokens, have_a_length) {
  static const struct {
    int length;
    const char *why;
  } ROWS[] = {{15, ":1: a token has 16"}, {16, NULL}, {255, NULL}, {256, ":1:"}, {1000, ":1:"}};
  static const char *const ENDS[] = {"", "\n", "\r\n"};
  tls_tokens t;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    for (size_t k = 0; k < sizeof ENDS / sizeof *ENDS; k++) {
      char *text = repeated('x', ROWS[i].length, ENDS[k]);
      bool good = read_text(&t, text, 0600, ROWS[i].why);
      text[strcspn(text, "\r\n")] = 0;
      cr_expect(!good || (t.count == 1 && holds(&t, text)));
      free(text);
    }
  }
}

// Nothing of a comment is a token, however long it is.
Test(tls_tokens, comments_have_any_length) {
  tls_tokens t;
  for (int length = 250; length < 600; length++) {
    char *text = repeated('#', length, "\nabcdefghijklmnop\n");
    cr_assert(read_text(&t, text, 0600, NULL));
    cr_assert_eq(t.count, 1);
    cr_assert(holds(&t, "abcdefghijklmnop"));
    free(text);
  }
  char *text = repeated('#', 600, "\nshort\n");
  read_text(&t, text, 0600, ":2: a token has 16");
  free(text);
}

Test(tls_tokens, are_at_most_sixty_four) {
  char text[(TOKENS_MAX + 1) * 20 + 1], *to = text;
  tls_tokens t;
  for (int i = 0; i < TOKENS_MAX; i++) to += sprintf(to, "token-number-%06d\n", i);
  cr_assert(read_text(&t, text, 0600, NULL));
  cr_assert(t.count == TOKENS_MAX && holds(&t, "token-number-000063"));
  sprintf(to, "token-number-%06d\n", TOKENS_MAX);
  read_text(&t, text, 0600, ":65:");
}

Test(tls_tokens, files_that_are_refused) {
  tls_tokens t;
  char error[256] = "";
  read_text(&t, "", 0600, "there is no token");
  read_text(&t, "# none\n\n", 0600, "there is no token");
  read_text(&t, "abcdefghijklmnop\n", 0604, "others may read");
  read_text(&t, "abcdefghijklmnop\n", 0602, "others may read or write");
  cr_assert(read_text(&t, "abcdefghijklmnop\n", 0640, NULL));
  cr_assert_not(tls_tokens_read(&t, "/nonexistent/tokens", error, sizeof error));
  cr_assert(strstr(error, "cannot read /nonexistent/tokens"), "%s", error);
  cr_assert_not(holds(&t, "abcdefghijklmnop"), "what was read before is forgotten");
}

#endif
