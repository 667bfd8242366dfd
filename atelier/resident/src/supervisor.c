/*
 * A fork of the resident for each command, which starts the command's program and stays until no process of the command is left.
 * It is a subreaper, so a process that detaches itself stays below it, and belongs to one command.
 */
#include "supervisor.h"

enum { STATUS = 3, FIRST_OTHER = 4, CLONE_VFORK = 0x4000 };
enum { PR_SET_PDEATHSIG = 1, PR_SET_NAME = 15, PR_SET_CHILD_SUBREAPER = 36 };
enum { TIOCSCTTY = 0x540e };

static void report(u32 kind, u32 value, u32 error) {
  struct report report = {kind, value, error};
  sys_write(STATUS, &report, sizeof report);
}

static _Noreturn void fail(enum failed_stage stage, long error) {
  report(REPORT_FAILED, stage, (u32)-error);
  sys_exit(127);
}

static long execute(const char *path, const struct request *request) {
  return CALL(CALL_EXECVE, path, request->arguments, request->environment, 0, 0);
}

/* executes the program where the path of the command's own environment leads to it */
static long execute_on_path(const struct request *request) {
  static const char usual[] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  static char place[4096];
  const char *program = request->arguments[0];
  size_t length = text_length(program);
  const char *path = environment_value(request->environment, "PATH");
  long result = -ENOENT;
  for (const char *at = path == NULL ? usual : path, *end;; at = end + 1) {
    for (end = at; *end != 0 && *end != ':';) end++;
    size_t folder = (size_t)(end - at);
    if (folder + length + 2 <= sizeof place) {
      memcpy(place, at, folder);
      if (folder > 0) place[folder++] = '/';
      memcpy(place + folder, program, length + 1);
      long error = execute(place, request);
      if (error != -ENOENT && error != -ENOTDIR && error != -EACCES) return error;
      if (error == -EACCES) result = error;
    }
    if (*end == 0) return result;
  }
}

static _Noreturn void become_command(const struct request *request) {
  static const u64 no_signals = 0;
  CALL(CALL_SETSID, 0, 0, 0, 0, 0);
  CALL(CALL_UMASK, 022, 0, 0, 0, 0);
  if (request->flags & WITH_TTY) sys_ioctl(0, TIOCSCTTY, NULL);
  if (request->folder[0] != 0) {
    long error = CALL(CALL_CHDIR, request->folder, 0, 0, 0, 0);
    if (error < 0) fail(STAGE_FOLDER, error);
  }
  sys_set_signal_mask(&no_signals);
  const char *program = request->arguments[0];
  bool has_slash = false;
  for (const char *at = program; *at != 0; at++)
    if (*at == '/') has_slash = true;
  if (program[0] == 0) fail(STAGE_PROGRAM, -ENOENT);
  fail(STAGE_PROGRAM, has_slash ? execute(program, request) : execute_on_path(request));
}

static void keep_own_descriptors(const struct command_ends *ends) {
  sys_dup(ends->input, 0, 0);
  sys_dup(ends->output, 1, 0);
  sys_dup(ends->error, 2, 0);
  if (ends->status != STATUS) sys_dup(ends->status, STATUS, O_CLOEXEC);
  if (sys_close_from(FIRST_OTHER) < 0)
    for (int fd = FIRST_OTHER; fd < 4096; fd++) sys_close(fd);
}

static _Noreturn void supervise(const struct command_ends *ends, const struct request *request, int resident) {
  sys_prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (sys_getppid() != resident) sys_exit(1);
  sys_prctl(PR_SET_CHILD_SUBREAPER, 1);
  sys_prctl(PR_SET_NAME, (long)"supervisor");
  keep_own_descriptors(ends);
  /* goes on when the program was executed or REPORT_FAILED was written */
  long command = sys_fork(CLONE_VFORK);
  if (command == 0) become_command(request);
  if (command < 0) fail(STAGE_RESOURCES, command);
  report(REPORT_STARTED, (u32)command, 0);
  for (int fd = 0; fd < STATUS; fd++) sys_close(fd);
  for (;;) {
    int status = 0;
    long ended = sys_wait(-1, &status, WALL);
    /* a child that asked to be traced reports that it stops */
    bool stopped = (status & 0xff) == 0x7f;
    if (ended == command && !stopped) report(REPORT_ENDED, (u32)status, 0);
    if (ended < 0 && ended != -EINTR) sys_exit(0);
  }
}

long start_supervisor(const struct command_ends *ends, const struct request *request) {
  int resident = sys_getpid();
  long supervisor = sys_fork(0);
  if (supervisor == 0) supervise(ends, request, resident);
  return supervisor;
}
