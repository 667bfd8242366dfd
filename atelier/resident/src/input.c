/* Moves input to commands, and grants the service as much again as a command has taken. */
#include "outgoing.h"
#include "streams.h"

enum { GRANT_LEAST = INPUT_MOST / 4 };

long open_input(struct input *input) {
  input->data = sys_map(INPUT_MOST);
  if (input->data == NULL) return -ENOMEM;
  CALL(CALL_MADVISE, input->data, INPUT_MOST, 10 /* MADV_DONTFORK */, 0, 0);
  input->taken = INPUT_MOST;
  return 0;
}

static void grant(struct command *command) {
  struct input *input = &command->input;
  if (input->taken == 0 || command->phase == STARTING || command->is_silent) return;
  if (input->taken < GRANT_LEAST && input->end > input->begin) return;
  outgoing_put_u32(INPUT_CREDIT, command->id, input->taken);
  input->taken = 0;
}

void drop_input(struct command *command) {
  struct input *input = &command->input;
  close_fd(&input->fd);
  input->taken += input->end - input->begin;
  input->begin = input->end = 0;
  grant(command);
}

/* a terminal has no end of input: the character for it is sent */
static bool write_end(struct command *command) {
  if (command->terminal < 0) return true;
  return sys_write(command->input.fd, "\4", 1) != -EAGAIN;
}

void write_input(struct command *command) {
  struct input *input = &command->input;
  while (input->fd >= 0 && input->end > input->begin) {
    long written = sys_write(input->fd, input->data + input->begin, input->end - input->begin);
    if (written == -EINTR) continue;
    if (written == -EAGAIN) return grant(command);
    if (written <= 0) return drop_input(command);
    input->begin += (u32)written;
    input->taken += (u32)written;
  }
  input->begin = input->end = 0;
  if (input->fd >= 0 && input->ends && write_end(command)) close_fd(&input->fd);
  grant(command);
}

bool take_input(struct command *command, const u8 *bytes, u32 length) {
  struct input *input = &command->input;
  if (length > INPUT_MOST - (input->end - input->begin)) return false;
  if (input->fd < 0 || input->ends) {
    input->taken += length;
    grant(command);
    return true;
  }
  if (input->end + length > INPUT_MOST) {
    memmove(input->data, input->data + input->begin, input->end - input->begin);
    input->end -= input->begin;
    input->begin = 0;
  }
  memcpy(input->data + input->end, bytes, length);
  input->end += length;
  write_input(command);
  return true;
}

void end_input(struct command *command) {
  command->input.ends = true;
  write_input(command);
}
