/* Walks a folder by descriptors, so that no part of a path can be exchanged below it, and writes what it holds as a tar. */
#include "archive.h"

enum { LEVELS = 128, NAME_ROOM = 8192, LISTING = 8192, LINKS_MOST = 20000, LINK_NAMES = 4 << 20 };

struct level {
  int fd;
  u32 name_length;
  struct file_state state;
  long at, end;
  u8 listing[LISTING];
};

static struct level levels[LEVELS];
static u32 depth;
static char name[NAME_ROOM + 1];
static struct { u64 inode; u32 device_major, device_minor, name_at; } links[LINKS_MOST];
static char link_names[LINK_NAMES];
static u32 link_count, link_end;

/* the name under which a file with several names was written before; NULL: this is its first */
static const char *earlier_name(const struct file_state *state) {
  for (u32 i = 0; i < link_count; i++)
    if (links[i].inode == state->inode && links[i].device_minor == state->device_minor &&
        links[i].device_major == state->device_major)
      return link_names + links[i].name_at;
  u32 size = (u32)text_length(name) + 1;
  if (link_count == LINKS_MOST || LINK_NAMES - link_end < size) return NULL;
  links[link_count].inode = state->inode;
  links[link_count].device_major = state->device_major;
  links[link_count].device_minor = state->device_minor;
  links[link_count++].name_at = link_end;
  memcpy(link_names + link_end, name, size);
  link_end += size;
  return NULL;
}

static void set_name(u32 at, const char *part) {
  size_t length = text_length(part);
  bool is_below = at > 0;
  if (at + is_below + length > NAME_ROOM) end_archive(ARCHIVE_BROKEN);
  if (is_below) name[at++] = '/';
  memcpy(name + at, part, length + 1);
}

static void enter(int fd, const struct file_state *state) {
  if (depth == LEVELS) end_archive(ARCHIVE_BROKEN);
  struct level *level = levels + depth++;
  level->fd = fd;
  level->name_length = (u32)text_length(name);
  level->state = *state;
  level->at = level->end = 0;
}

static void put_file(int fd, const struct file_state *state) {
  const char *earlier = state->names > 1 ? earlier_name(state) : NULL;
  put_header(name, earlier ? '1' : '0', state, earlier ? 0 : state->size, earlier ? earlier : "");
  if (!earlier) put_content(fd, state->size);
}

static long put_link(int pinned, const struct file_state *state) {
  static char target[4097];
  long length = CALL(CALL_READLINKAT, pinned, "", target, sizeof target - 1, 0);
  if (length < 0) return length;
  target[length] = 0;
  put_header(name, '2', state, 0, target);
  return 0;
}

/* a negative errno if it cannot be read; nothing is written then. FIFOs, sockets and devices are left out. */
static long put_entry(int pinned, const struct file_state *state) {
  u32 kind = state->mode & KIND;
  if (kind == KIND_LINK) return put_link(pinned, state);
  if (kind != KIND_FILE && kind != KIND_FOLDER) return 0;
  long fd = open_pinned(pinned, state);
  if (fd < 0) return fd;
  if (kind == KIND_FOLDER) {
    if (name[0] != 0) put_header(name, '5', state, 0, "");
    enter((int)fd, state);
    return 0;
  }
  put_file((int)fd, state);
  sys_close((int)fd);
  return 0;
}

/* the service reads it with the rights of its owner, whose number takes the place of a link */
static void put_denied(const struct file_state *state) {
  char number[11];
  char *at = number + 10;
  *at = 0;
  u32 left = state->user;
  do *--at = (char)('0' + left % 10);
  while ((left /= 10) > 0);
  put_header(name, 'D', state, 0, at);
}

/* removed since its name was read */
static bool is_gone(long error) { return error == -ENOENT || error == -ESTALE; }

/* an entry that is neither gone nor denied may not be missing from a tar that looks whole */
static void leave_out(long error, const struct file_state *owned) {
  if (error == -EACCES) put_denied(owned);
  else if (!is_gone(error)) end_archive(ARCHIVE_BROKEN);
}

static void take_name(struct level *level, const char *part) {
  struct file_state state;
  set_name(level->name_length, part);
  long pinned = pin_below(level->fd, &level->state, part, &state);
  if (pinned < 0) return leave_out(pinned, &level->state);
  long error = put_entry((int)pinned, &state);
  if (error < 0) leave_out(error, &state);
  sys_close((int)pinned);
}

/* of the root folder, these are the kernel's own */
static bool is_left_out(const char *part, bool is_root) {
  static const char names[][6] = {".", "..", "proc", "sys", "dev"};
  for (u32 i = 0; i < (is_root && depth == 1 ? 5u : 2u); i++)
    if (same_bytes(part, names[i], text_length(names[i]) + 1)) return true;
  return false;
}

static void walk(bool is_root) {
  while (depth > 0) {
    struct level *level = levels + depth - 1;
    if (level->at == level->end) {
      level->at = 0;
      level->end = sys_read_folder(level->fd, level->listing, LISTING);
      if (level->end < 0 && !is_gone(level->end)) end_archive(ARCHIVE_BROKEN);
      if (level->end <= 0) {
        sys_close(level->fd);
        depth--;
        continue;
      }
    }
    u8 *entry = level->listing + level->at;
    level->at += entry[16] | entry[17] << 8;
    if (!is_left_out((char *)entry + 19, is_root)) take_name(level, (char *)entry + 19);
  }
}

/* the owner of the deepest folder on the way that can be looked at */
static u32 owner_on_the_way(const char *path) {
  static char shorter[4097];
  size_t length = text_length(path);
  if (length >= sizeof shorter) return 0;
  memcpy(shorter, path, length + 1);
  for (; length > 1; length--) {
    if (shorter[length - 1] != '/') continue;
    struct file_state state;
    shorter[length - 1] = 0;
    long pinned = pin(AT_FDCWD, shorter, &state);
    if (pinned >= 0) return state.user;
  }
  return 0;
}

/* the service then reads it with the rights of this owner */
static _Noreturn void refuse(long error, u32 owner) {
  if (is_gone(error) || error == -ENOTDIR) sys_exit(ARCHIVE_ABSENT);
  if (error != -EACCES) sys_exit(ARCHIVE_BROKEN);
  u8 number[4];
  put_u32(number, owner);
  sys_write(2, number, sizeof number);
  sys_exit(ARCHIVE_DENIED);
}

_Noreturn void archive_main(const char *path) {
  struct file_state state;
  bool is_root = same_bytes(path, "/", 2);
  long pinned = pin(AT_FDCWD, path, &state);
  if (pinned < 0) refuse(pinned, owner_on_the_way(path));
  u32 kind = state.mode & KIND;
  if (kind != KIND_FILE && kind != KIND_FOLDER) sys_exit(ARCHIVE_OTHER_KIND);
  set_name(0, is_root ? "" : "t");
  long error = put_entry((int)pinned, &state);
  if (error < 0) refuse(error, state.user);
  sys_close((int)pinned);
  walk(is_root);
  put_end();
  end_archive(0);
}
