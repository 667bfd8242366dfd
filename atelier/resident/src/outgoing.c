/* Keeps frames in one linear buffer until standard output takes them. */
#include "outgoing.h"

static u8 *queue;
static u32 head, tail;

void outgoing_open(void) {
  queue = sys_map(OUTGOING_SIZE);
  if (queue == NULL) sys_exit(1);
  /* commands never see it, and forking is quicker */
  CALL(CALL_MADVISE, queue, OUTGOING_SIZE, 10 /* MADV_DONTFORK */, 0, 0);
}

u32 outgoing_room(void) { return OUTGOING_SIZE - (tail - head); }

bool outgoing_waits(void) { return tail > head; }

void outgoing_clear(void) { head = tail = 0; }

static void make_space(u32 size) {
  if (tail + size <= OUTGOING_SIZE) return;
  memmove(queue, queue + head, tail - head);
  tail -= head;
  head = 0;
}

static void put_head(enum frame type, u32 command, u32 length) {
  u8 *at = queue + tail;
  at[0] = (u8)type;
  put_u32(at + 1, command);
  put_u32(at + 5, length);
}

void outgoing_put(enum frame type, u32 command, const void *payload, u32 length) {
  /* cannot happen: frames of the service are handled only with CONTROL_ROOM */
  if (outgoing_room() < FRAME_HEAD + length) return;
  make_space(FRAME_HEAD + length);
  put_head(type, command, length);
  memcpy(queue + tail + FRAME_HEAD, payload, length);
  tail += FRAME_HEAD + length;
}

void outgoing_put_u32(enum frame type, u32 command, u32 value) {
  u8 payload[4];
  put_u32(payload, value);
  outgoing_put(type, command, payload, sizeof payload);
}

u8 *outgoing_begin(void) {
  make_space(FRAME_HEAD + FRAME_MOST);
  return queue + tail + FRAME_HEAD;
}

void outgoing_end(enum frame type, u32 command, u32 length) {
  put_head(type, command, length);
  tail += FRAME_HEAD + length;
}

bool outgoing_flush(void) {
  while (tail > head) {
    long written = sys_write(1, queue + head, tail - head);
    if (written == -EINTR) continue;
    if (written == -EAGAIN) return true;
    if (written <= 0) return false;
    head += (u32)written;
  }
  head = tail = 0;
  return true;
}
