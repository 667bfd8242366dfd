/* Tries the system calls that the seccomp profile of containers refuses, and exits with the number of the first one that the kernel
   carried out or judged by its arguments; 0: all were refused. The numbers are those of the list in src/engine/confinement.ts. */
#include "../src/syscalls.h"

#if defined(__x86_64__)
__asm__(".globl _start\n_start:\n  xor %ebp, %ebp\n  and $-16, %rsp\n  call probe_main\n");
enum {
  CALL_SYSLOG = 103, CALL_MOUNT = 165, CALL_UMOUNT2 = 166, CALL_ADD_KEY = 248, CALL_REQUEST_KEY = 249, CALL_KEYCTL = 250,
  CALL_UNSHARE = 272, CALL_PERF_EVENT_OPEN = 298, CALL_SETNS = 308, CALL_BPF = 321, CALL_USERFAULTFD = 323,
};
#elif defined(__aarch64__)
__asm__(".globl _start\n_start:\n  mov x29, #0\n  mov x30, #0\n  bl probe_main\n");
enum {
  CALL_UMOUNT2 = 39, CALL_MOUNT = 40, CALL_UNSHARE = 97, CALL_SYSLOG = 116, CALL_ADD_KEY = 217, CALL_REQUEST_KEY = 218,
  CALL_KEYCTL = 219, CALL_PERF_EVENT_OPEN = 241, CALL_SETNS = 268, CALL_BPF = 280, CALL_USERFAULTFD = 282,
};
#endif
enum { CALL_IO_URING_SETUP = 425, CALL_OPEN_TREE = 428, CALL_MOVE_MOUNT = 429, CALL_CLONE3 = 435 };
enum { EPERM = 1, ENOSYS = 38 };
enum { CLONE_FS = 0x200, CLONE_NEWUSER = 0x10000000, SESSION_KEYRING = -3, SIZE_OF_LOG = 10 };

static bool is_refused(long result) { return result == -EPERM || result == -ENOSYS; }

/* The arguments are such that the kernel itself answers neither of the two, and that nothing is changed. */
_Noreturn void probe_main(void) {
  const bool refused[] = {
    is_refused(CALL(CALL_KEYCTL, 0, SESSION_KEYRING, 0, 0, 0)),
    is_refused(CALL(CALL_ADD_KEY, 0, 0, 0, 0, 0)),
    is_refused(CALL(CALL_REQUEST_KEY, 0, 0, 0, 0, 0)),
    is_refused(CALL(CALL_UNSHARE, 0, 0, 0, 0, 0)),
    is_refused(CALL(CALL_SETNS, -1, 0, 0, 0, 0)),
    is_refused(CALL(CALL_MOUNT, 0, 0, 0, 0, 0)),
    is_refused(CALL(CALL_UMOUNT2, 0, 0, 0, 0, 0)),
    is_refused(CALL(CALL_OPEN_TREE, -1, 0, 0, 0, 0)),
    is_refused(CALL(CALL_MOVE_MOUNT, -1, 0, -1, 0, 0)),
    is_refused(CALL(CALL_CLONE, CLONE_NEWUSER | CLONE_FS, 0, 0, 0, 0)),
    /* a C library falls back to clone after this one error alone */
    CALL(CALL_CLONE3, 0, 0, 0, 0, 0) == -ENOSYS,
    is_refused(CALL(CALL_BPF, 0, 0, 0, 0, 0)),
    is_refused(CALL(CALL_USERFAULTFD, -1, 0, 0, 0, 0)),
    is_refused(CALL(CALL_IO_URING_SETUP, 0, 0, 0, 0, 0)),
    is_refused(CALL(CALL_PERF_EVENT_OPEN, 0, 0, 0, 0, 0)),
    is_refused(CALL(CALL_SYSLOG, SIZE_OF_LOG, 0, 0, 0, 0)),
  };
  for (size_t i = 0; i < sizeof refused; i++) {
    if (!refused[i]) sys_exit((int)i + 1);
  }
  sys_exit(0);
}
