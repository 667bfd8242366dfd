/* The queue of frames to the service. It is bounded: ask for room before adding a large frame. */
#pragma once
#include "bytes.h"
#include "frames.h"

enum {
  OUTGOING_SIZE = 5 * 65536,
  /* room without which no further frame of the service is handled; the answers to one fit into half of it */
  CONTROL_ROOM = 16384,
  /* room without which no output of a command is read */
  OUTPUT_ROOM = 2 * CONTROL_ROOM + FRAME_HEAD + FRAME_MOST,
};

void outgoing_open(void);
u32 outgoing_room(void);
bool outgoing_waits(void);
void outgoing_put(enum frame type, u32 command, const void *payload, u32 length);
void outgoing_put_u32(enum frame type, u32 command, u32 value);
/* where the payload of the next frame goes, for up to FRAME_MOST bytes; outgoing_end makes it a frame */
u8 *outgoing_begin(void);
void outgoing_end(enum frame type, u32 command, u32 length);
void outgoing_clear(void);
/* false when nobody can read any more */
bool outgoing_flush(void);
