/* Opens a pseudo-terminal, which needs nothing but /dev/ptmx. */
#include "terminal.h"

enum { TIOCSWINSZ = 0x5414, TIOCSPTLCK = 0x40045431, TIOCGPTPEER = 0x5441 };

long open_terminal(int *terminal, int *other) {
  long result = sys_open(0, "/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (result < 0) return result;
  *terminal = (int)result;
  int locked = 0;
  result = sys_ioctl(*terminal, TIOCSPTLCK, &locked);
  if (result < 0) return result;
  result = sys_ioctl(*terminal, TIOCGPTPEER, (void *)(long)(O_RDWR | O_NOCTTY | O_CLOEXEC));
  *other = (int)result;
  return result;
}

void set_size(int terminal, u16 columns, u16 rows) {
  u16 size[4] = {rows, columns, 0, 0};
  sys_ioctl(terminal, TIOCSWINSZ, size);
}
