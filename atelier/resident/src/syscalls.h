/* The system calls of the resident, without a C library. Each answers what the kernel answers: an error is a negative errno. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#if defined(__x86_64__)
enum call {
  CALL_READ = 0, CALL_WRITE = 1, CALL_CLOSE = 3, CALL_MMAP = 9, CALL_MUNMAP = 11, CALL_RT_SIGACTION = 13,
  CALL_RT_SIGPROCMASK = 14, CALL_IOCTL = 16, CALL_MADVISE = 28, CALL_GETPID = 39, CALL_CLONE = 56, CALL_EXECVE = 59,
  CALL_WAIT4 = 61, CALL_KILL = 62, CALL_FCNTL = 72, CALL_CHDIR = 80, CALL_UMASK = 95, CALL_GETPPID = 110,
  CALL_SETSID = 112, CALL_PRCTL = 157, CALL_GETDENTS64 = 217, CALL_CLOCK_GETTIME = 228, CALL_EXIT_GROUP = 231,
  CALL_EPOLL_CTL = 233, CALL_OPENAT = 257, CALL_PPOLL = 271, CALL_EPOLL_PWAIT = 281, CALL_SIGNALFD4 = 289,
  CALL_EPOLL_CREATE1 = 291, CALL_DUP3 = 292, CALL_PIPE2 = 293, CALL_CLOSE_RANGE = 436,
};

static inline long call6(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
enum call {
  CALL_EPOLL_CREATE1 = 20, CALL_EPOLL_CTL = 21, CALL_EPOLL_PWAIT = 22, CALL_DUP3 = 24, CALL_FCNTL = 25, CALL_IOCTL = 29,
  CALL_CHDIR = 49, CALL_OPENAT = 56, CALL_CLOSE = 57, CALL_PIPE2 = 59, CALL_GETDENTS64 = 61, CALL_READ = 63,
  CALL_WRITE = 64, CALL_PPOLL = 73, CALL_SIGNALFD4 = 74, CALL_EXIT_GROUP = 94, CALL_CLOCK_GETTIME = 113,
  CALL_KILL = 129, CALL_RT_SIGACTION = 134, CALL_RT_SIGPROCMASK = 135, CALL_SETSID = 157, CALL_UMASK = 166,
  CALL_PRCTL = 167, CALL_GETPID = 172, CALL_GETPPID = 173, CALL_MUNMAP = 215, CALL_CLONE = 220, CALL_EXECVE = 221,
  CALL_MMAP = 222, CALL_MADVISE = 233, CALL_WAIT4 = 260, CALL_CLOSE_RANGE = 436,
};

static inline long call6(long number, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}
#else
#error "this processor is not known"
#endif

#define CALL(number, a, b, c, d, e) call6((number), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)

enum { ENOENT = 2, EINTR = 4, E2BIG = 7, EAGAIN = 11, ENOMEM = 12, EACCES = 13, EEXIST = 17, ENOTDIR = 20, EINVAL = 22, ESTALE = 116 };
enum { O_RDONLY = 0, O_RDWR = 2, O_NOCTTY = 0400, O_NONBLOCK = 04000, O_CLOEXEC = 02000000 };
enum { SIGKILL = 9, SIGTERM = 15, SIGCHLD = 17, SIGCONT = 18, SIGSTOP = 19, SIGNALS = 64 };
enum { POLLIN = 1, POLLOUT = 4, POLLERR = 8, POLLHUP = 16 };
enum { WNOHANG = 1, WUNTRACED = 2, WALL = 0x40000000 };

struct poll_entry { int fd; short events; short revents; };
struct time { long seconds; long nanoseconds; };
struct signal_report { u32 number; u8 rest[124]; };

static inline long sys_read(int fd, void *to, size_t most) { return CALL(CALL_READ, fd, to, most, 0, 0); }
static inline long sys_write(int fd, const void *from, size_t size) { return CALL(CALL_WRITE, fd, from, size, 0, 0); }
static inline long sys_open(int folder, const char *path, int flags) { return CALL(CALL_OPENAT, folder, path, flags, 0, 0); }
static inline long sys_close(int fd) { return CALL(CALL_CLOSE, fd, 0, 0, 0, 0); }
static inline long sys_dup(int from, int to, int flags) { return CALL(CALL_DUP3, from, to, flags, 0, 0); }
static inline long sys_pipe(int ends[2], int flags) { return CALL(CALL_PIPE2, ends, flags, 0, 0, 0); }
static inline long sys_fcntl(int fd, int what, long value) { return CALL(CALL_FCNTL, fd, what, value, 0, 0); }
static inline long sys_ioctl(int fd, unsigned long what, void *value) { return CALL(CALL_IOCTL, fd, what, value, 0, 0); }
static inline long sys_kill(int pid, int signal) { return CALL(CALL_KILL, pid, signal, 0, 0, 0); }
static inline long sys_wait(int pid, int *status, int flags) { return CALL(CALL_WAIT4, pid, status, flags, 0, 0); }
static inline long sys_prctl(int what, long value) { return CALL(CALL_PRCTL, what, value, 0, 0, 0); }
static inline int sys_getpid(void) { return (int)CALL(CALL_GETPID, 0, 0, 0, 0, 0); }
static inline int sys_getppid(void) { return (int)CALL(CALL_GETPPID, 0, 0, 0, 0, 0); }
static inline long sys_read_folder(int fd, void *to, size_t most) { return CALL(CALL_GETDENTS64, fd, to, most, 0, 0); }
/* a fork; `flags` may say that the parent waits until the child has executed a program or ended */
static inline long sys_fork(long flags) { return CALL(CALL_CLONE, flags | SIGCHLD, 0, 0, 0, 0); }
static inline long sys_poll(struct poll_entry *entries, u32 count, struct time *timeout) {
  return CALL(CALL_PPOLL, entries, count, timeout, 0, 8);
}
static inline long sys_set_signal_mask(const u64 *mask) { return CALL(CALL_RT_SIGPROCMASK, 2, mask, 0, 8, 0); }
static inline long sys_close_from(int first) { return CALL(CALL_CLOSE_RANGE, first, ~0u, 0, 0, 0); }
static inline void *sys_map(size_t size) {
  long at = call6(CALL_MMAP, 0, (long)size, 3 /* read, write */, 0x22 /* private, anonymous */, -1, 0);
  return at < 0 && at > -4096 ? NULL : (void *)at;
}
static inline void sys_unmap(void *at, size_t size) { CALL(CALL_MUNMAP, at, size, 0, 0, 0); }
static inline u64 now_ms(void) {
  struct time time = {0, 0};
  CALL(CALL_CLOCK_GETTIME, 1 /* monotonic */, &time, 0, 0, 0);
  return (u64)time.seconds * 1000 + (u64)time.nanoseconds / 1000000;
}
static inline _Noreturn void sys_exit(int status) {
  for (;;) CALL(CALL_EXIT_GROUP, status, 0, 0, 0, 0);
}
