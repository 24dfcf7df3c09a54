// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE  // F_SETLEASE, F_SETOWN_EX, MAP_ANONYMOUS, mremap
#include "clients/cli/input_window.h"

#include "clients/cli/options.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

struct input_window {
  int fd;
  size_t length, bytes;  // of the text; of the mapping, which is at least one byte longer
  char *text;
  pthread_t keeper;
  pthread_mutex_t lock;  // of what follows
  pthread_cond_t answered;
  enum { ASKING, LEASED, REFUSED, COPIED, CLOSED } state;
  // Pages are given back at each call whose number divides by `every`: the kernel inspects all pages of the mapping, and
  // calls that are more than a file of this length should need are not worth it.
  uint32_t every, left;
  size_t given, most;  // how often they were; after which `every` grows
};

// The kernel takes a lease away from a process that does not give it up in time, as one that is stopped (45 seconds), and a
// page that the disk cannot read is SIGBUS. What was read by then may be anything.
static _Noreturn void give_up(int ignored) {
  static const char message[] = "shape: the file changed while it was read, or cannot be read\n";
  ssize_t n = write(STDERR_FILENO, message, sizeof message - 1);
  (void)n, (void)ignored;
  _exit(EXIT_UNREADABLE);
}

// Others of a file system that is on another machine, or in another process (FUSE), do not ask for leases here.
static bool is_local(int fd) {
  static const uint32_t local[] = {0xef53,     0x58465342, 0x9123683e, 0x01021994, 0xf2f52010,
                                   0x2fc12fc1, 0x794c7630, 0xca451a4e, 0x858458f6};
  struct statfs info;  // above: ext, XFS, Btrfs, tmpfs, F2FS, ZFS, overlayfs, bcachefs, ramfs
  if (fstatfs(fd, &info) != 0) return false;
  for (size_t i = 0; i < sizeof local / sizeof *local; i++) {
    if ((uint32_t)info.f_type == local[i]) return true;
  }
  return false;
}

static char *memory_for(size_t bytes) {
  char *at =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}

// Puts memory with the same contents where the file was, in one step, so that who reads there does not notice. Private
// pages of the mapping itself would go with the file's when it is truncated.
static bool copy_pages(const input_window *w) {
  char *copy = memory_for(w->bytes);
  if (!copy) return false;
  memcpy(copy, w->text, w->length);
  if (mremap(copy, w->bytes, w->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, w->text) != MAP_FAILED)
    return true;
  munmap(copy, w->bytes);
  return false;
}

// What the thread that owns the file waits for: SIGIO when its lease is to end.
static sigset_t kept_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGIO);
  sigaddset(&signals, SIGTSTP);
  return signals;
}

static bool take_lease(int fd) {
  const struct f_owner_ex owner = {F_OWNER_TID, gettid()};
  return is_local(fd) && fcntl(fd, F_SETOWN_EX, &owner) == 0 && fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
}

// Stops the process where a signal to stop came, unless who started it has that ignored.
static void let_stop(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

// A process that is stopped cannot end its lease: it does so before.
static void *keep(void *data) {
  input_window *w = data;
  const sigset_t signals = kept_signals();
  int signal;
  pthread_mutex_lock(&w->lock);
  w->state = take_lease(w->fd) ? LEASED : REFUSED;
  pthread_cond_signal(&w->answered);
  bool leased = w->state == LEASED;
  while (w->state == LEASED || w->state == COPIED) {
    pthread_mutex_unlock(&w->lock);
    sigwait(&signals, &signal);
    pthread_mutex_lock(&w->lock);
    bool asked = signal == SIGTSTP || fcntl(w->fd, F_GETLEASE) != F_RDLCK;
    if (w->state == LEASED && asked && copy_pages(w)) {  // else they wait
      w->state = COPIED;
      leased = false;
      if (fcntl(w->fd, F_SETLEASE, F_UNLCK) != 0) give_up(0);
    }
    if (signal != SIGTSTP) continue;
    pthread_kill(pthread_self(), SIGTSTP);
    let_stop();
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
  }
  if (leased && fcntl(w->fd, F_SETLEASE, F_UNLCK) != 0) give_up(0);
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

// Ends the thread, and with the file its lease.
static void end(input_window *w) {
  pthread_mutex_lock(&w->lock);
  w->state = CLOSED;
  pthread_mutex_unlock(&w->lock);
  pthread_kill(w->keeper, SIGIO);
  pthread_join(w->keeper, NULL);
  let_stop();
}

static bool begin(input_window *w) {
  const sigset_t signals = kept_signals();
  pthread_sigmask(SIG_BLOCK, &signals, NULL);  // in each thread that begins from now on
  if (pthread_create(&w->keeper, NULL, keep, w) != 0) {
    let_stop();
    return false;
  }
  pthread_mutex_lock(&w->lock);
  while (w->state == ASKING) pthread_cond_wait(&w->answered, &w->lock);
  bool leased = w->state != REFUSED;
  pthread_mutex_unlock(&w->lock);
  if (!leased) end(w);
  return leased;
}

// The file over memory that has a NUL where the file ends with a page. Nothing changes the file now.
static bool map(input_window *w) {
  struct stat info;
  if (fstat(w->fd, &info) != 0 || (size_t)info.st_size != w->length) return false;
  w->text = memory_for(w->bytes);
  if (!w->text) return false;
  if (mmap(w->text, w->length, PROT_READ, MAP_PRIVATE | MAP_FIXED, w->fd, 0) != MAP_FAILED)
    return true;
  munmap(w->text, w->bytes);
  return false;
}

input_window *input_window_open(int fd, size_t length) {
  enum { BYTES_OF_A_LOOK = 1 << 26, BYTES_OF_A_CALL = 1 << 14 };
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  input_window *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  *w = (input_window){.fd = fcntl(fd, F_DUPFD_CLOEXEC, 0),
                      .length = length,
                      .bytes = (length / page + 1) * page,
                      .every = 1 + (uint32_t)(length / BYTES_OF_A_LOOK),
                      .most = length / BYTES_OF_A_CALL};
  w->left = w->every;
  pthread_mutex_init(&w->lock, NULL);
  pthread_cond_init(&w->answered, NULL);
  if (w->fd >= 0 && begin(w)) {
    if (map(w)) {
      sigaction(SIGBUS, &(struct sigaction){.sa_handler = give_up}, NULL);
      return w;
    }
    end(w);
  }
  if (w->fd >= 0) close(w->fd);
  free(w);
  return NULL;
}

char *input_window_text(const input_window *w) { return w->text; }

void input_window_poll(void *window) {
  input_window *w = window;
  if (--w->left) return;
  if (++w->given % w->most == 0 && w->every <= UINT32_MAX / 2) w->every *= 2;
  w->left = w->every;
  pthread_mutex_lock(&w->lock);
  if (w->state == LEASED) madvise(w->text, w->bytes, MADV_DONTNEED);
  pthread_mutex_unlock(&w->lock);
}

void input_window_close(input_window *w) {
  end(w);
  munmap(w->text, w->bytes);
  close(w->fd);
  free(w);
}
