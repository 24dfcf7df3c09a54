// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE 1  // syscall

#include "proto/process/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#ifdef __linux__

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

// --- the filter

#if defined(__x86_64__)
#define SANDBOX_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define SANDBOX_ARCH AUDIT_ARCH_AARCH64
#endif

enum { RULES_MAX = 200, X32_BIT = 0x40000000 };

typedef struct filter_text {
  struct sock_filter rules[RULES_MAX];
  unsigned short count;
} filter_text;

// What computing in memory takes, and reading and writing descriptors that are open.
static const uint16_t COMPUTES[] = {
    SYS_read,        SYS_write,        SYS_readv,          SYS_writev,
    SYS_recvfrom,    SYS_sendto,       SYS_recvmsg,        SYS_sendmsg,
    SYS_close,       SYS_ppoll,        SYS_futex,          SYS_munmap,
    SYS_mremap,      SYS_brk,          SYS_madvise,        SYS_exit,
    SYS_exit_group,  SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_rt_sigaction,
    SYS_sigaltstack, SYS_getpid,       SYS_clock_gettime,  SYS_gettimeofday,
    SYS_getrandom,   SYS_gettid,       SYS_fstat,          SYS_restart_syscall,
    SYS_sched_yield, SYS_getrusage,    SYS_lseek,          SYS_sched_getaffinity,
#ifdef SYS_poll
    SYS_poll,
#endif
};
// What reading a file takes beside open, whose flags are checked.
static const uint16_t READS[] = {SYS_pread64,  SYS_newfstatat, SYS_readlinkat, SYS_getcwd,
#ifdef SYS_statx
                                 SYS_statx,
#endif
#ifdef SYS_readlink
                                 SYS_readlink, SYS_stat,       SYS_lstat,
#endif
                                 SYS_fadvise64};

#ifdef SANDBOX_ARCH

static void add(filter_text *f, struct sock_filter rule) {
  if (f->count < RULES_MAX) f->rules[f->count++] = rule;
}

static void load(filter_text *f, size_t offset) {
  add(f, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}
static void answer(filter_text *f, uint32_t what) {
  add(f, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what));
}
static void refuse(filter_text *f) { answer(f, SECCOMP_RET_ERRNO | EPERM); }

// The accumulator is the number of the call, before and after each of these.
static void allow(filter_text *f, uint32_t number) {
  add(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
  answer(f, SECCOMP_RET_ALLOW);
}

static size_t argument(unsigned index) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return offsetof(struct seccomp_data, args) + index * sizeof(uint64_t);
#else
  return offsetof(struct seccomp_data, args) + index * sizeof(uint64_t) + sizeof(uint32_t);
#endif
}

// Allows a call where this test of an argument does not skip the next rule.
static void allow_where(filter_text *f, uint32_t number, unsigned index, struct sock_filter test) {
  add(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4));
  load(f, argument(index));
  add(f, test);
  answer(f, SECCOMP_RET_ALLOW);
  refuse(f);
}

// Allows a call whose argument has none of these bits.
static void allow_without(filter_text *f, uint32_t number, unsigned index, uint32_t bits) {
  allow_where(f, number, index,
              (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0));
}

// Allows a call whose argument has this value.
static void allow_with(filter_text *f, uint32_t number, unsigned index, uint32_t value) {
  allow_where(f, number, index,
              (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
}

static bool enter_seccomp(sandbox_kind kind) {
  filter_text f = {.count = 0};
  load(&f, offsetof(struct seccomp_data, arch));
  add(&f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SANDBOX_ARCH, 1, 0));
  answer(&f, SECCOMP_RET_KILL_PROCESS);
  load(&f, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
  add(&f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1));
  answer(&f, SECCOMP_RET_KILL_PROCESS);
#endif
  for (size_t i = 0; i < sizeof COMPUTES / sizeof *COMPUTES; i++) allow(&f, COMPUTES[i]);
  // No memory is both made by the process and executable; abort() signals the process itself only.
  allow_without(&f, SYS_mmap, 2, PROT_EXEC);
  allow_without(&f, SYS_mprotect, 2, PROT_EXEC);
  allow_with(&f, SYS_tgkill, 0, (uint32_t)getpid());
  if (kind == SANDBOX_READS_FILES) {
    for (size_t i = 0; i < sizeof READS / sizeof *READS; i++) allow(&f, READS[i]);
    allow_without(&f, SYS_openat, 2, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND);
#ifdef SYS_open
    allow_without(&f, SYS_open, 1, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND);
#endif
    allow_with(&f, SYS_prlimit64, 0, 0);
  }
  refuse(&f);
  if (f.count == RULES_MAX) return false;
  const struct sock_fprog program = {f.count, f.rules};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

#else
static bool enter_seccomp(sandbox_kind kind) { return (void)kind, false; }
#endif

// --- Landlock. The structures are those of the kernel; its header may be older than the kernel that runs.

typedef struct landlock_rules {
  uint64_t files, network, scopes;
} landlock_rules;
typedef struct __attribute__((packed)) landlock_path {
  uint64_t allowed;
  int32_t folder;
} landlock_path;

enum {
  LANDLOCK_CREATE = 444,
  LANDLOCK_ADD = 445,
  LANDLOCK_RESTRICT = 446,
  LANDLOCK_VERSION = 1,
  LANDLOCK_BENEATH = 1,
  READ_FILE = 1 << 2,
  READ_FOLDER = 1 << 3
};

static int landlock_version(void) {
  long version = syscall(LANDLOCK_CREATE, NULL, 0, LANDLOCK_VERSION);
  return version > 0 ? (int)version : 0;
}

static bool enter_landlock(sandbox_kind kind) {
  int version = landlock_version();
  if (!version) return false;
  // Version 1 knows 13 rights over files, 2 renames between folders, 3 truncates, 5 controls devices; 4 knows binding and
  // connecting TCP sockets, 6 abstract Unix sockets and signals.
  unsigned rights = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  landlock_rules rules = {(UINT64_C(1) << rights) - 1, version >= 4 ? 3 : 0, version >= 6 ? 3 : 0};
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  int set = (int)syscall(LANDLOCK_CREATE, &rules, size, 0);
  if (set < 0) return false;
  bool good = true;
  if (kind == SANDBOX_READS_FILES) {
    int root = open("/", O_PATH | O_CLOEXEC);
    landlock_path path = {READ_FILE | READ_FOLDER, root};
    good = root >= 0 && syscall(LANDLOCK_ADD, set, LANDLOCK_BENEATH, &path, 0) == 0;
    if (root >= 0) close(root);
  }
  good = good && syscall(LANDLOCK_RESTRICT, set, 0) == 0;
  close(set);
  return good;
}

// --- all of it

unsigned sandbox_available(void) {
  unsigned have = SANDBOX_NO_PRIVILEGES;
  if (landlock_version()) have |= SANDBOX_LANDLOCK;
#ifdef SANDBOX_ARCH
  // A filter that is nowhere: the kernel says so only where it knows filters.
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) != 0 && errno == EFAULT)
    have |= SANDBOX_SECCOMP;
#endif
  return have;
}

unsigned sandbox_enter(sandbox_kind kind) {
  unsigned in_force = 0;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) in_force |= SANDBOX_NO_PRIVILEGES;
  if (in_force && enter_landlock(kind)) in_force |= SANDBOX_LANDLOCK;
  if (in_force && enter_seccomp(kind)) in_force |= SANDBOX_SECCOMP;
  return in_force;
}

#else

unsigned sandbox_available(void) { return 0; }
unsigned sandbox_enter(sandbox_kind kind) { return (void)kind, 0; }

#endif

void process_close_from(int lowest) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, (unsigned)lowest, ~0u, 0) == 0) return;
#endif
  long most = sysconf(_SC_OPEN_MAX);
  if (most < 0 || most > 1 << 20) most = 1 << 20;
  for (int fd = lowest; fd < most; fd++) close(fd);
}

void process_end_with(pid_t parent) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != parent) _exit(0);
}
