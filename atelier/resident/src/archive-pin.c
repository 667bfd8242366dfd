/* Opens files by what they are, not by what their names mean later: a file may become a FIFO or a link at any moment. */
#include "archive.h"

long pin(int folder, const char *name, struct file_state *state) {
  long fd = sys_open(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return fd;
  long failure = CALL(CALL_STATX, fd, "", AT_EMPTY_PATH, 0x7ff /* all basic fields */, state);
  if (failure >= 0) return fd;
  sys_close((int)fd);
  return failure;
}

static bool is_own(const struct file_state *state) { return state->user == (u32)CALL(CALL_GETEUID, 0, 0, 0, 0, 0); }

long pin_below(int folder, const struct file_state *folder_state, const char *name, struct file_state *state) {
  long fd = pin(folder, name, state);
  if (fd != -EACCES || !is_own(folder_state)) return fd;
  if (CALL(CALL_FCHMOD, folder, (folder_state->mode & 07777) | 0500, 0, 0, 0) < 0) return fd;
  fd = pin(folder, name, state);
  CALL(CALL_FCHMOD, folder, folder_state->mode & 07777, 0, 0, 0);
  return fd;
}

long open_pinned(int fd, const struct file_state *state) {
  char path[32] = "/proc/self/fd/";
  char *at = path + 14;
  int unit = 1;
  while (fd / unit >= 10) unit *= 10;
  for (; unit > 0; unit /= 10) *at++ = (char)('0' + fd / unit % 10);
  int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  long opened = sys_open(AT_FDCWD, path, flags);
  if (opened != -EACCES || !is_own(state)) return opened;
  /* the owner of a file may read it whatever its mode is: the mode allows it for a moment */
  if (CALL(CALL_FCHMODAT, AT_FDCWD, path, (state->mode & 07777) | 0500, 0, 0) < 0) return opened;
  opened = sys_open(AT_FDCWD, path, flags);
  CALL(CALL_FCHMODAT, AT_FDCWD, path, state->mode & 07777, 0, 0);
  return opened;
}
