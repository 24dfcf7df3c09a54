// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE 1  // struct ucred

#include "clients/c/trust.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

// Only root can make that folder.
static const char SYSTEM[] = "/run/shaped/shaped.sock";

static bool is_system(const char *path) { return strcmp(path, SYSTEM) == 0; }

bool client_trusts_folder(const char *path, char *why, size_t size) {
  char folder[512];
  struct stat info;
  const char *slash = strrchr(path, '/');
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
  if (lstat(folder, &info)) return true;  // connecting says why
  const char *wrong = !S_ISDIR(info.st_mode)                         ? "is not a folder"
                      : info.st_mode & (S_IWGRP | S_IWOTH)           ? "can be written to by others"
                      : !is_system(path) && info.st_uid != geteuid() ? "belongs to another user"
                                                                     : NULL;
  if (wrong) snprintf(why, size, "the folder %s %s", folder, wrong);
  return !wrong;
}

bool client_trusts_daemon(const char *path, int fd, char *why, size_t size) {
  char folder[] = "/run/shaped";
  struct ucred user;
  struct stat info;
  socklen_t length = sizeof user;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &user, &length)) {
    snprintf(why, size, "who listens is not known: %s", strerror(errno));
    return false;
  }
  bool good = user.uid == geteuid();
  if (is_system(path)) good = !user.uid || (stat(folder, &info) == 0 && info.st_uid == user.uid);
  if (!good) snprintf(why, size, "it belongs to another user, %lu", (unsigned long)user.uid);
  return good;
}

bool client_default_path(char *path, size_t size) {
  const char *folder = getenv("XDG_RUNTIME_DIR");
  char why[600];
  int length = folder && *folder
                   ? snprintf(path, size, "%s/shaped.sock", folder)
                   : snprintf(path, size, "/tmp/shaped-%ld/shaped.sock", (long)geteuid());
  if (length <= 0 || (size_t)length >= size) return false;
  bool own = access(path, F_OK) == 0 && client_trusts_folder(path, why, sizeof why);
  if (!own && access(SYSTEM, F_OK) == 0) length = snprintf(path, size, "%s", SYSTEM);
  return (size_t)length < size;
}
