/*
 * `resident relay`: listens on the loopback address of the container and passes each connection on to the service, where it ends
 * in the proxy. It ends with its standard input, and trusts the service, which does not trust it. See docs/egress.md.
 */
#include "relay.h"
#include "incoming.h"
#include "sockets.h"

enum { STANDARD_INPUT, LISTENER, FIRST_CHANNEL, BACKLOG = 128 };

static int listener = -1;
/* connections that the service still lets it accept */
static u64 accepts;

static void write_all(const u8 *bytes, size_t size) {
  while (size > 0) {
    long written = sys_write(1, bytes, size);
    if (written == -EINTR) continue;
    if (written <= 0) sys_exit(1);
    bytes += written;
    size -= (size_t)written;
  }
}

void relay_send(enum relay_frame type, u32 channel, const void *payload, u32 length) {
  static u8 frame[FRAME_HEAD + READ_MOST];
  frame[0] = (u8)type;
  put_u32(frame + 1, channel);
  put_u32(frame + 5, length);
  memcpy(frame + FRAME_HEAD, payload, length);
  write_all(frame, FRAME_HEAD + length);
}

void relay_send_u32(enum relay_frame type, u32 channel, u32 value) {
  u8 payload[4];
  put_u32(payload, value);
  relay_send(type, channel, payload, sizeof payload);
}

static long open_listener(u16 port) {
  struct { u16 family; u8 port[2]; u8 address[4]; u8 rest[8]; } place = {.family = AF_INET, .port = {(u8)(port >> 8), (u8)port}};
  put_u32(place.address, LOOPBACK);
  int yes = 1;
  long fd = CALL(CALL_SOCKET, AF_INET, SOCK_STREAM | O_NONBLOCK | O_CLOEXEC, 0, 0, 0);
  if (fd < 0) return fd;
  CALL(CALL_SETSOCKOPT, fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  long error = CALL(CALL_BIND, fd, &place, sizeof place, 0, 0);
  if (error == 0) error = CALL(CALL_LISTEN, fd, BACKLOG, 0, 0, 0);
  if (error == 0) return fd;
  sys_close((int)fd);
  return error;
}

static void take_listen(const struct frame_in *frame) {
  if (listener >= 0 || frame->length != 2) sys_exit(1);
  long result = open_listener(get_u16(frame->payload));
  if (result < 0) return relay_send_u32(RELAY_FAILED, 0, (u32)-result);
  listener = (int)result;
  relay_send(RELAY_LISTENING, 0, NULL, 0);
}

static void take_for_channel(struct channel *channel, const struct frame_in *frame) {
  if (frame->type == RELAY_DATA && !take_data(channel, frame->payload, frame->length)) sys_exit(1);
  if (frame->type == RELAY_END) end_channel(channel);
  if (frame->type == RELAY_CLOSE) reset_channel(channel);
  if (frame->type == RELAY_CREDIT && frame->length == 4) channel->credit += get_u32(frame->payload);
}

static void take_relay_frame(const struct frame_in *frame) {
  struct channel *channel = find_channel(frame->command);
  if (channel != NULL) take_for_channel(channel, frame);
  else if (frame->type == RELAY_LISTEN) take_listen(frame);
  else if (frame->type == RELAY_FILE) take_file(frame->payload, frame->length);
  else if (frame->type == RELAY_CREDIT && frame->command == 0 && frame->length == 4) accepts += get_u32(frame->payload);
}

static void read_service(void) {
  struct frame_in frame;
  long got = incoming_read();
  if (got == -EINTR || got == -EAGAIN) return;
  if (got <= 0) sys_exit(0);
  for (;;) {
    enum incoming_result result = incoming_next(&frame);
    if (result == INCOMING_BROKEN) sys_exit(1);
    if (result == INCOMING_NONE) return;
    take_relay_frame(&frame);
  }
}

static void accept_channel(void) {
  struct channel *channel = free_channel();
  long fd = CALL(CALL_ACCEPT4, listener, NULL, NULL, O_NONBLOCK | O_CLOEXEC, 0);
  if (fd < 0) return;
  accepts--;
  open_channel(channel, (int)fd);
}

/* a connection of which nothing is wanted is not watched: its end would be reported over and over */
static void watch_all(struct poll_entry *entries) {
  entries[STANDARD_INPUT] = (struct poll_entry){0, POLLIN, 0};
  entries[LISTENER] = (struct poll_entry){accepts > 0 && free_channel() != NULL ? listener : -1, POLLIN, 0};
  for (u32 i = 0; i < CHANNELS_MOST; i++) {
    const struct channel *channel = channels + i;
    short events = 0;
    if (channel->id != 0 && wants_read(channel)) events |= POLLIN;
    if (channel->id != 0 && wants_write(channel)) events |= POLLOUT;
    entries[FIRST_CHANNEL + i] = (struct poll_entry){events != 0 ? channel->fd : -1, events, 0};
  }
}

static void handle_channel(struct channel *channel, u32 id, short ready) {
  if (channel->id == id && wants_write(channel) && (ready & ~POLLIN)) write_channel(channel);
  if (channel->id == id && wants_read(channel) && (ready & ~POLLOUT)) read_channel(channel);
}

_Noreturn void relay_main(void) {
  static struct poll_entry entries[FIRST_CHANNEL + CHANNELS_MOST];
  static const u64 ignored[4] = {1};
  CALL(CALL_RT_SIGACTION, 13 /* SIGPIPE */, ignored, 0, 8, 0);
  for (;;) {
    watch_all(entries);
    if (sys_poll(entries, FIRST_CHANNEL + CHANNELS_MOST, NULL) <= 0) continue;
    for (u32 i = 0; i < CHANNELS_MOST; i++)
      if (entries[FIRST_CHANNEL + i].revents != 0)
        handle_channel(channels + i, channels[i].id, entries[FIRST_CHANNEL + i].revents);
    if (entries[LISTENER].revents != 0) accept_channel();
    if (entries[STANDARD_INPUT].revents != 0) read_service();
  }
}
