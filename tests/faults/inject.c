// SPDX-License-Identifier: Apache-2.0
// Loaded in front of the C library (LD_PRELOAD): makes one call fail, as a machine without memory or disk does.
//
//   FAULT_CALL    alloc (malloc, calloc, realloc, aligned), read (read, pread, recv), write (write, pwrite, writev, send) or
//                 sync (fsync, fdatasync, ftruncate)
//   FAULT_AT      the number of the call that fails, from 1; 0: none
//   FAULT_LAST    the last one that fails; absent: FAULT_AT alone
//   FAULT_ERROR   errno of a failing read, write or sync; of the first two, 0: it moves one byte only, and -1: the process is
//                 killed there
//   FAULT_PART    how much of a write there is then before, in percent; 0: it is not made
//   FAULT_COUNT   a file that gets the number of calls when the process exits
//
// Reads and writes of files and sockets count: libuv's pipes and event descriptors cannot fail, and it aborts if they do.
// Only in the process that loads it: its children run without faults.
// stdio of glibc calls the kernel without these symbols; what is tested writes through write().
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { KILLED = -1 };  // as an error

typedef enum fault_call { CALL_NONE, CALL_ALLOC, CALL_READ, CALL_WRITE, CALL_SYNC } fault_call;

// State of a preloaded library is global by nature: there is one C library in front of which it is.
static fault_call chosen;
static unsigned long first, last, part;
static int error;
static atomic_ulong count;
static atomic_bool dying;
static pid_t owner;

static unsigned long number(const char *name, unsigned long otherwise) {
  const char *text = getenv(name);
  return text ? strtoul(text, NULL, 10) : otherwise;
}

__attribute__((constructor)) static void begin(void) {
  const char *call = getenv("FAULT_CALL");
  if (!call) return;
  first = number("FAULT_AT", 0);
  last = number("FAULT_LAST", first);
  part = number("FAULT_PART", 100);
  error = (int)number("FAULT_ERROR", ENOSPC);
  chosen = !strcmp(call, "alloc")  ? CALL_ALLOC
           : !strcmp(call, "read") ? CALL_READ
           : !strcmp(call, "sync") ? CALL_SYNC
                                   : CALL_WRITE;
  atomic_store(&count, 0);
  owner = getpid();
  unsetenv("FAULT_CALL");
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAULT_COUNT");
  if (!path || chosen == CALL_NONE || getpid() != owner) return;
  unsigned long calls = atomic_load(&count);
  chosen = CALL_NONE;
  char text[32];
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int length = snprintf(text, sizeof text, "%lu\n", calls);
  if (fd >= 0 && write(fd, text, (size_t)length) == length) close(fd);
}

static bool fails(fault_call call) {
  if (call != chosen || getpid() != owner) return false;
  unsigned long n = atomic_fetch_add(&count, 1) + 1;
  return n >= first && n <= last && first;
}

// The next definition of a symbol. dlsym may allocate: glibc's own does not for symbols that exist.
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static bool no_memory(void) {
  if (!fails(CALL_ALLOC)) return false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t size) { return no_memory() ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return no_memory() ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t size) { return no_memory() ? NULL : __libc_realloc(p, size); }
void *aligned_alloc(size_t alignment, size_t size) {
  return no_memory() ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void **p, size_t alignment, size_t size) {
  if (no_memory()) return ENOMEM;
  *p = __libc_memalign(alignment, size);
  return *p ? 0 : ENOMEM;
}

// After a call in which the process dies.
static ssize_t moved(ssize_t n) {
  if (atomic_load(&dying)) raise(SIGKILL);
  return n;
}

// How much of `size` bytes a call moves: all, one, or none (false, with errno).
static bool moves(fault_call call, int fd, size_t *size) {
  struct stat info;
  if (call != chosen || fstat(fd, &info) != 0) return true;
  if ((!S_ISREG(info.st_mode) && !S_ISSOCK(info.st_mode)) || !fails(call)) return true;
  if (error == KILLED) {
    if (part == 0) raise(SIGKILL);
    *size = (*size * part + 99) / 100;
    atomic_store(&dying, true);
    return true;
  }
  if (error) {
    errno = error;
    return false;
  }
  if (*size > 1) *size = 1;
  return true;
}

ssize_t read(int fd, void *to, size_t size) {
  return moves(CALL_READ, fd, &size) ? NEXT(read)(fd, to, size) : -1;
}
ssize_t pread(int fd, void *to, size_t size, off_t at) {
  return moves(CALL_READ, fd, &size) ? NEXT(pread)(fd, to, size, at) : -1;
}
ssize_t recv(int fd, void *to, size_t size, int flags) {
  return moves(CALL_READ, fd, &size) ? NEXT(recv)(fd, to, size, flags) : -1;
}
ssize_t write(int fd, const void *from, size_t size) {
  return moves(CALL_WRITE, fd, &size) ? moved(NEXT(write)(fd, from, size)) : -1;
}
ssize_t pwrite(int fd, const void *from, size_t size, off_t at) {
  return moves(CALL_WRITE, fd, &size) ? moved(NEXT(pwrite)(fd, from, size, at)) : -1;
}
// What SQLite calls.
ssize_t pread64(int fd, void *to, size_t size, off64_t at) {
  return moves(CALL_READ, fd, &size) ? NEXT(pread64)(fd, to, size, at) : -1;
}
ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at) {
  return moves(CALL_WRITE, fd, &size) ? moved(NEXT(pwrite64)(fd, from, size, at)) : -1;
}
ssize_t send(int fd, const void *from, size_t size, int flags) {
  return moves(CALL_WRITE, fd, &size) ? moved(NEXT(send)(fd, from, size, flags)) : -1;
}
ssize_t writev(int fd, const struct iovec *parts, int n) {
  size_t size = n > 0 ? parts[0].iov_len : 0, whole = size;
  if (!moves(CALL_WRITE, fd, &size)) return -1;
  if (size == whole) return moved(NEXT(writev)(fd, parts, n));
  struct iovec piece = {parts[0].iov_base, size};
  return moved(NEXT(writev)(fd, &piece, 1));
}

static bool not_kept(void) {
  if (!fails(CALL_SYNC)) return false;
  errno = error;
  return true;
}

int fsync(int fd) { return not_kept() ? -1 : NEXT(fsync)(fd); }
int fdatasync(int fd) { return not_kept() ? -1 : NEXT(fdatasync)(fd); }
int ftruncate(int fd, off_t size) { return not_kept() ? -1 : NEXT(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { return not_kept() ? -1 : NEXT(ftruncate64)(fd, size); }
