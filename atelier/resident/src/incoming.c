/* Splits standard input into frames. Payloads lie in the buffer until the next read. */
#include "incoming.h"

static u8 buffer[2 * (FRAME_HEAD + FRAME_MOST)];
static u32 begin, end;
static bool searching;

u32 incoming_room(void) { return (u32)sizeof buffer - (end - begin); }

void incoming_search(void) { searching = true; }

long incoming_read(void) {
  if (begin == end) begin = end = 0;
  else if (end == sizeof buffer) {
    memmove(buffer, buffer + begin, end - begin);
    end -= begin;
    begin = 0;
  }
  long got = sys_read(0, buffer + end, sizeof buffer - end);
  if (got > 0) end += (u32)got;
  return got;
}

static bool is_hello(const u8 *at) {
  static const u8 head[FRAME_HEAD] = {HELLO, 0, 0, 0, 0, 0, 0, 0, NONCE + 1};
  return same_bytes(at, head, FRAME_HEAD);
}

enum incoming_result incoming_next(struct frame_in *frame) {
  while (begin < end && buffer[begin] == PADDING) begin++;
  while (searching && end - begin >= FRAME_HEAD) {
    if (is_hello(buffer + begin)) searching = false;
    else begin++;
  }
  if (end - begin < FRAME_HEAD) return INCOMING_NONE;
  u8 *at = buffer + begin;
  u32 length = get_u32(at + 5);
  if (length > FRAME_MOST) {
    begin++;
    return INCOMING_BROKEN;
  }
  if (end - begin < FRAME_HEAD + length) return INCOMING_NONE;
  *frame = (struct frame_in){at[0], get_u32(at + 1), at + FRAME_HEAD, length};
  begin += FRAME_HEAD + length;
  return INCOMING_FRAME;
}
