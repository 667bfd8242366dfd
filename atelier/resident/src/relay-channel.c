/* A connection of a program to the relay, and the channel that it is for the service. */
#include "relay.h"
#include "sockets.h"

enum { GRANT_LEAST = WINDOW / 4 };

struct channel channels[CHANNELS_MOST];

struct channel *find_channel(u32 id) {
  for (u32 i = 0; id != 0 && i < CHANNELS_MOST; i++)
    if (channels[i].id == id) return channels + i;
  return NULL;
}

struct channel *free_channel(void) {
  for (u32 i = 0; i < CHANNELS_MOST; i++)
    if (channels[i].id == 0) return channels + i;
  return NULL;
}

void open_channel(struct channel *channel, int fd) {
  static u32 last;
  u8 *data = sys_map(WINDOW);
  if (data == NULL) {
    sys_close(fd);
    return;
  }
  if (++last == 0) last = 1;
  *channel = (struct channel){.id = last, .fd = fd, .credit = WINDOW, .data = data};
  relay_send(RELAY_OPEN, last, NULL, 0);
}

void drop_channel(struct channel *channel) {
  sys_close(channel->fd);
  sys_unmap(channel->data, WINDOW);
  channel->id = 0;
}

void reset_channel(struct channel *channel) {
  int linger[2] = {1, 0};
  CALL(CALL_SETSOCKOPT, channel->fd, SOL_SOCKET, SO_LINGER, linger, sizeof linger);
  drop_channel(channel);
}

static void break_channel(struct channel *channel) {
  relay_send(RELAY_CLOSE, channel->id, NULL, 0);
  drop_channel(channel);
}

bool wants_read(const struct channel *channel) { return !channel->program_ended && channel->credit > 0; }

bool wants_write(const struct channel *channel) { return channel->end > channel->begin; }

static void drop_if_ended(struct channel *channel) {
  if (channel->program_ended && channel->service_ended && !wants_write(channel)) drop_channel(channel);
}

void read_channel(struct channel *channel) {
  static u8 bytes[READ_MOST];
  u64 most = channel->credit < READ_MOST ? channel->credit : READ_MOST;
  long got = sys_read(channel->fd, bytes, most);
  if (got == -EAGAIN || got == -EINTR) return;
  if (got < 0) return break_channel(channel);
  if (got > 0) {
    channel->credit -= (u64)got;
    return relay_send(RELAY_DATA, channel->id, bytes, (u32)got);
  }
  channel->program_ended = true;
  relay_send(RELAY_END, channel->id, NULL, 0);
  drop_if_ended(channel);
}

static void grant(struct channel *channel) {
  if (channel->taken == 0 || channel->service_ended) return;
  if (channel->taken < GRANT_LEAST && wants_write(channel)) return;
  relay_send_u32(RELAY_CREDIT, channel->id, channel->taken);
  channel->taken = 0;
}

void write_channel(struct channel *channel) {
  while (wants_write(channel)) {
    long written = sys_write(channel->fd, channel->data + channel->begin, channel->end - channel->begin);
    if (written == -EINTR) continue;
    if (written == -EAGAIN) return grant(channel);
    if (written <= 0) return break_channel(channel);
    channel->begin += (u32)written;
    channel->taken += (u32)written;
  }
  channel->begin = channel->end = 0;
  grant(channel);
  if (!channel->service_ended) return;
  CALL(CALL_SHUTDOWN, channel->fd, SHUT_WR, 0, 0, 0);
  drop_if_ended(channel);
}

bool take_data(struct channel *channel, const u8 *bytes, u32 length) {
  if (channel->service_ended || length > WINDOW - (channel->end - channel->begin)) return false;
  if (length > WINDOW - channel->end) {
    memmove(channel->data, channel->data + channel->begin, channel->end - channel->begin);
    channel->end -= channel->begin;
    channel->begin = 0;
  }
  memcpy(channel->data + channel->end, bytes, length);
  channel->end += length;
  write_channel(channel);
  return true;
}

void end_channel(struct channel *channel) {
  channel->service_ended = true;
  write_channel(channel);
}
