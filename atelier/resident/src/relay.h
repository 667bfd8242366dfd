/* The relay: a listener on the loopback address whose connections become channels over standard input and output. */
#pragma once
#include "bytes.h"
#include "frames.h"

/* the frames of the relay, in the form of the others; docs/egress.md describes each */
enum relay_frame {
  RELAY_LISTEN = 1,
  RELAY_DATA = 2,
  RELAY_END = 3,
  RELAY_CLOSE = 4,
  RELAY_CREDIT = 5,
  RELAY_FILE = 6,
  RELAY_LISTENING = 65,
  RELAY_FAILED = 66,
  RELAY_OPEN = 67,
  RELAY_FILE_WRITTEN = 72,
};

/* bytes of each direction of a channel that wait for the other side; the first credit of both sides */
enum { WINDOW = 65536, CHANNELS_MOST = 64, READ_MOST = 32768 };

struct channel {
  /* 0: this place is free */
  u32 id;
  int fd;
  /* bytes that may be sent to the service */
  u64 credit;
  /* what waits for the program of the container, in WINDOW bytes */
  u8 *data;
  u32 begin, end;
  /* what it took and was not yet granted again */
  u32 taken;
  bool service_ended, program_ended;
};

extern struct channel channels[CHANNELS_MOST];

_Noreturn void relay_main(void);
void relay_send(enum relay_frame type, u32 channel, const void *payload, u32 length);
void relay_send_u32(enum relay_frame type, u32 channel, u32 value);

struct channel *find_channel(u32 id);
struct channel *free_channel(void);
void open_channel(struct channel *channel, int fd);
bool wants_read(const struct channel *channel);
bool wants_write(const struct channel *channel);
void read_channel(struct channel *channel);
void write_channel(struct channel *channel);
/* false when more came than was granted */
bool take_data(struct channel *channel, const u8 *bytes, u32 length);
void end_channel(struct channel *channel);
void drop_channel(struct channel *channel);
/* so that the program does not take what came for the whole */
void reset_channel(struct channel *channel);

/* a part of the file of certificates; an empty one completes it */
void take_file(const u8 *bytes, u32 length);
