/* `resident archive PATH`: a file or a folder as a tar on standard output, with the rights of its user. */
#pragma once
#include "bytes.h"

/* how it ends besides 0 */
enum archive_end { ARCHIVE_BROKEN = 1, ARCHIVE_ABSENT = 3, ARCHIVE_OTHER_KIND = 4, ARCHIVE_DENIED = 5 };

enum { AT_FDCWD = -100, AT_EMPTY_PATH = 0x1000, O_PATH = 010000000 };
#if defined(__x86_64__)
enum { CALL_FCHMOD = 91, CALL_GETEUID = 107, CALL_READLINKAT = 267, CALL_FCHMODAT = 268, CALL_STATX = 332, O_NOFOLLOW = 0400000 };
#else
enum { CALL_FCHMOD = 52, CALL_FCHMODAT = 53, CALL_READLINKAT = 78, CALL_GETEUID = 175, CALL_STATX = 291, O_NOFOLLOW = 0100000 };
#endif

/* struct statx of the kernel */
struct file_state {
  u32 mask, block_size;
  u64 attributes;
  u32 names, user, group;
  u16 mode, spare;
  u64 inode, size, blocks, attributes_mask;
  struct { int64_t seconds; u32 nanoseconds, spare; } accessed, created, changed, modified;
  u32 of_device_major, of_device_minor, device_major, device_minor;
  u64 rest[14];
};

enum { KIND = 0170000, KIND_FOLDER = 0040000, KIND_FILE = 0100000, KIND_LINK = 0120000 };

/* opens a name without waiting and without following a link at its end: the descriptor stands for that file from then on */
long pin(int folder, const char *name, struct file_state *state);
/* the same in an open folder, which its owner may search whatever its mode is */
long pin_below(int folder, const struct file_state *folder_state, const char *name, struct file_state *state);
/* opens for reading what is pinned */
long open_pinned(int fd, const struct file_state *state);
/* ends the program with this status, after what was put so far */
_Noreturn void end_archive(enum archive_end status);

void put_header(const char *name, char kind, const struct file_state *state, u64 size, const char *link);
void put_content(int fd, u64 size);
void put_end(void);

_Noreturn void archive_main(const char *path);
