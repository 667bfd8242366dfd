/* Writes the entries of a tar to standard output. */
#include "archive.h"

enum { BLOCK = 512, SHORT_NAME = 100, ROOM = 65536 };

static u8 room[ROOM];
static u32 filled;

static void flush(void) {
  for (u32 done = 0; done < filled;) {
    long written = sys_write(1, room + done, filled - done);
    if (written > 0) done += (u32)written;
    else if (written != -EINTR) sys_exit(ARCHIVE_BROKEN);
  }
  filled = 0;
}

_Noreturn void end_archive(enum archive_end status) {
  flush();
  sys_exit(status);
}

static void put(const void *bytes, u64 size) {
  for (const u8 *from = bytes; size > 0;) {
    u32 part = size < ROOM - filled ? (u32)size : ROOM - filled;
    memcpy(room + filled, from, part);
    filled += part;
    from += part;
    size -= part;
    if (filled == ROOM) flush();
  }
}

static void put_padding(u64 size) {
  static const u8 zeros[BLOCK];
  put(zeros, (BLOCK - size % BLOCK) % BLOCK);
}

static void octal(u8 *to, u32 digits, u64 value) {
  while (digits-- > 0) {
    to[digits] = (u8)('0' + (value & 7));
    value >>= 3;
  }
}

static void copy_short(u8 *to, const char *text) {
  size_t length = text_length(text);
  memcpy(to, text, length < SHORT_NAME ? length : SHORT_NAME);
}

static void put_block(const char *name, char kind, const struct file_state *state, u64 size, const char *link) {
  u8 block[BLOCK] = {0};
  int64_t seconds = state->modified.seconds;
  copy_short(block, name);
  octal(block + 100, 7, state->mode & 07777);
  octal(block + 108, 7, state->user);
  octal(block + 116, 7, state->group);
  octal(block + 124, 11, size);
  octal(block + 136, 11, seconds < 0 ? 0 : (u64)seconds);
  memset(block + 148, ' ', 8);
  block[156] = (u8)kind;
  copy_short(block + 157, link);
  memcpy(block + 257, "ustar\00000", 8);
  u64 sum = 0;
  for (u32 i = 0; i < BLOCK; i++) sum += block[i];
  octal(block + 148, 6, sum);
  block[154] = 0;
  put(block, BLOCK);
}

static u32 put_record(u8 *to, const char *key, const char *value) {
  size_t key_length = text_length(key), length = text_length(value);
  u64 total = key_length + length + 3, digits = 1;
  for (u64 limit = 10; total + digits >= limit; limit *= 10) digits++;
  total += digits;
  u64 rest = total;
  for (u64 i = digits; i-- > 0; rest /= 10) to[i] = (u8)('0' + rest % 10);
  to[digits] = ' ';
  memcpy(to + digits + 1, key, key_length);
  to[digits + 1 + key_length] = '=';
  memcpy(to + digits + 2 + key_length, value, length);
  to[total - 1] = '\n';
  return (u32)total;
}

void put_header(const char *name, char kind, const struct file_state *state, u64 size, const char *link) {
  static u8 records[32768];
  u32 length = 0;
  if (size >= 1ull << 33) end_archive(ARCHIVE_BROKEN);
  if (text_length(name) > SHORT_NAME) length += put_record(records, "path", name);
  if (text_length(link) > SHORT_NAME) length += put_record(records + length, "linkpath", link);
  if (length > 0) {
    put_block("PaxHeaders/x", 'x', state, length, "");
    put(records, length);
    put_padding(length);
  }
  put_block(name, kind, state, size, link);
}

void put_content(int fd, u64 size) {
  for (u64 left = size; left > 0;) {
    u32 part = left < ROOM - filled ? (u32)left : ROOM - filled;
    long got = sys_read(fd, room + filled, part);
    if (got == -EINTR) continue;
    /* it became shorter: the tar breaks off */
    if (got <= 0) end_archive(ARCHIVE_BROKEN);
    filled += (u32)got;
    left -= (u64)got;
    if (filled == ROOM) flush();
  }
  put_padding(size);
}

void put_end(void) {
  static const u8 zeros[2 * BLOCK];
  put(zeros, sizeof zeros);
}
