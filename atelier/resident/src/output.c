/* Moves output from commands to the service, never more than it gave credit for. */
#include "outgoing.h"
#include "streams.h"

enum { FIONREAD = 0x541b, TERMINAL_HOLDS = 2 * 65536, MOST = FRAME_MOST - 1 };

static void drop_output(struct output *output) {
  static u8 dropped[FRAME_MOST];
  long got = sys_read(output->fd, dropped, sizeof dropped);
  if (got == 0 || (got < 0 && got != -EAGAIN && got != -EINTR)) close_fd(&output->fd);
}

bool wants_output(const struct command *command, const struct output *output) {
  if (output->fd < 0) return false;
  if (command->phase == LEFT || (command->is_unread && command->phase == RUNNING)) return true;
  return command->phase == RUNNING && output->credit > 0 && outgoing_room() >= OUTPUT_ROOM;
}

/* sends one frame of at most so many bytes; what read(2) answered */
static long send_output(struct command *command, int stream, u64 most) {
  struct output *output = command->output + stream;
  if (most > output->credit) most = output->credit;
  if (most > MOST) most = MOST;
  u8 *payload = outgoing_begin();
  long got = sys_read(output->fd, payload + 1, most);
  if (got > 0) {
    payload[0] = (u8)(stream + 1);
    outgoing_end(OUTPUT, command->id, (u32)got + 1);
    output->credit -= (u64)got;
  }
  return got;
}

void read_output(struct command *command, int stream) {
  struct output *output = command->output + stream;
  if (!wants_output(command, output)) return;
  if (command->phase == LEFT || command->is_unread) return drop_output(output);
  long got = send_output(command, stream, MOST);
  if (got == 0 || (got < 0 && got != -EAGAIN && got != -EINTR)) close_fd(&output->fd);
}

void limit_output(struct command *command) {
  for (int i = 0; i < OUTPUTS; i++) {
    struct output *output = command->output + i;
    int held = 0;
    if (output->fd < 0 || command->is_unread) continue;
    if (command->terminal >= 0) held = TERMINAL_HOLDS;
    else sys_ioctl(output->fd, FIONREAD, &held);
    output->left = held < 0 ? 0 : (u32)held;
  }
}

bool drain_output(struct command *command) {
  bool done = true;
  for (int i = 0; i < OUTPUTS; i++) {
    struct output *output = command->output + i;
    while (output->left > 0 && output->credit > 0 && outgoing_room() >= OUTPUT_ROOM) {
      long got = send_output(command, i, output->left);
      if (got == -EINTR) continue;
      /* nothing is left: it is a terminal, or some process read what the pipe held */
      output->left = got <= 0 ? 0 : output->left - (u32)got;
    }
    if (output->left > 0) done = false;
  }
  return done;
}
