// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/output_file.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// In a folder of its own, which is where the test runs.
static void in_folder(void) {
  char folder[] = "/tmp/output_file_XXXXXX";
  cr_assert(mkdtemp(folder));
  cr_assert_eq(chdir(folder), 0);
}

static bool writes(const char *path, const char *text, bool complete) {
  output_file to;
  if (!output_file_open(&to, path)) return false;
  fputs(text, to.file);
  return output_file_close(&to, complete);
}

static void expect(const char *path, const char *text) {
  char found[64] = "";
  FILE *file = fopen(path, "rb");
  cr_assert(file, "no %s", path);
  found[fread(found, 1, sizeof found - 1, file)] = 0;
  fclose(file);
  cr_expect_str_eq(found, text);
}

Test(output_file, appears_when_it_is_complete) {
  in_folder();
  cr_expect(writes("new", "one", true));
  expect("new", "one");
  cr_expect(writes("new", "two", false));
  expect("new", "one");
  cr_expect_eq(access("new.part", F_OK), -1);
  cr_expect(writes("new", "three", true));
  expect("new", "three");
}

Test(output_file, what_cannot_be_written_has_a_reason) {
  in_folder();
  cr_assert_eq(mkdir("folder", 0700), 0);
  cr_expect(!writes("folder", "", true));
  cr_expect_eq(errno, EISDIR);
  cr_expect(!writes("none/file", "", true));
  cr_expect_eq(errno, ENOENT);
}

Test(output_file, a_link_stays_and_the_mode_of_the_file) {
  struct stat info;
  in_folder();
  cr_expect(writes("real", "old", true));
  cr_assert_eq(chmod("real", 0600), 0);
  cr_assert_eq(symlink("real", "link"), 0);
  cr_expect(writes("link", "new", true));
  cr_assert_eq(lstat("link", &info), 0);
  cr_expect(S_ISLNK(info.st_mode));
  cr_assert_eq(lstat("real", &info), 0);
  cr_expect_eq(info.st_mode & 0777, 0600);
  expect("real", "new");
}

Test(output_file, a_link_to_nothing_leads_to_the_file) {
  struct stat info;
  in_folder();
  cr_assert_eq(symlink("real", "link"), 0);
  cr_expect(writes("link", "new", true));
  cr_assert_eq(lstat("link", &info), 0);
  cr_expect(S_ISLNK(info.st_mode));
  expect("real", "new");
  cr_assert_eq(symlink("none/file", "lost"), 0);
  cr_expect(!writes("lost", "", true));
  cr_expect_eq(errno, ENOENT);
}

Test(output_file, a_pipe_stays_one) {
  struct stat info;
  char found[8] = "";
  in_folder();
  cr_assert_eq(mkfifo("pipe", 0600), 0);
  int reader = open("pipe", O_RDONLY | O_NONBLOCK);
  cr_assert_geq(reader, 0);
  cr_expect(writes("pipe", "text", true));
  cr_expect_eq(read(reader, found, sizeof found - 1), 4);
  cr_expect_str_eq(found, "text");
  cr_assert_eq(lstat("pipe", &info), 0);
  cr_expect(S_ISFIFO(info.st_mode));
  close(reader);
}
