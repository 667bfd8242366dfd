/* The frames from the service. */
#pragma once
#include "bytes.h"
#include "frames.h"

struct frame_in {
  u8 type;
  u32 command;
  u8 *payload;
  u32 length;
};

enum incoming_result { INCOMING_NONE, INCOMING_FRAME, INCOMING_BROKEN };

u32 incoming_room(void);
/* what read(2) answers for standard input */
long incoming_read(void);
enum incoming_result incoming_next(struct frame_in *frame);
/* after a frame that cannot be: skips everything until the next HELLO */
void incoming_search(void);
