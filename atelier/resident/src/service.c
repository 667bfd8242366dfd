/* What each frame of the service does. */
#include "service.h"
#include "command.h"
#include "kill.h"
#include "outgoing.h"
#include "resident.h"
#include "streams.h"

enum { HELLO_PATIENCE_MS = 1000 };

static bool hello_waits;
static u8 nonce[NONCE];
static u64 hello_came;

void end_commands(void) {
  EACH_COMMAND(command) {
    if (command->phase == ASSEMBLING) {
      release_command(command);
      continue;
    }
    bool goes_on = command->phase == LEFT || (command->flags & KEEP);
    if (command->phase == LEFT || !goes_on) command->is_silent = true;
    if (!goes_on) kill_command(command);
    leave_output(command);
  }
}

bool commands_are_ending(void) {
  EACH_COMMAND(command)
    if (command->is_silent && command->is_killed) return true;
  return false;
}

static void answer_hello(void) {
  u8 payload[NONCE + 6 + 4 * COMMANDS_MOST];
  u32 count = 0;
  EACH_COMMAND(command)
    if ((command->flags & KEEP) && command->phase != LEFT && !command->is_silent)
      put_u32(payload + NONCE + 6 + 4 * count++, command->id);
  memcpy(payload, nonce, NONCE);
  payload[NONCE] = VERSION;
  payload[NONCE + 1] = is_process_1;
  put_u32(payload + NONCE + 2, count);
  outgoing_put(HELLO_BACK, 0, payload, NONCE + 6 + 4 * count);
  hello_waits = false;
}

int continue_hello(void) {
  if (!hello_waits) return -1;
  u64 waited = now_ms() - hello_came;
  if (commands_are_ending() && waited < HELLO_PATIENCE_MS) return (int)(HELLO_PATIENCE_MS - waited);
  answer_hello();
  return -1;
}

static void take_hello(const u8 *payload) {
  memcpy(nonce, payload, NONCE);
  hello_waits = true;
  hello_came = now_ms();
  outgoing_clear();
  end_commands();
  continue_hello();
}

static void take_kill(u32 id) {
  struct command *command = find_command(id);
  if (command != NULL && command->phase == ASSEMBLING) {
    release_command(command);
    command = NULL;
  }
  if (command == NULL || (command->supervisor == 0 && !command->lost_supervisor)) outgoing_put(KILLED, id, NULL, 0);
  else kill_command(command);
}

static void take_for_command(struct command *command, const struct frame_in *frame) {
  const u8 *payload = frame->payload;
  if (frame->type == INPUT && !take_input(command, payload, frame->length)) lose_connection();
  if (frame->type == INPUT_END) end_input(command);
  if (frame->type == CREDIT && frame->length == 5) give_credit(command, payload[0], get_u32(payload + 1));
  if (frame->type == RESIZE && frame->length == 4) resize_terminal(command, get_u16(payload), get_u16(payload + 2));
}

static void take_frame(const struct frame_in *frame) {
  struct command *command;
  switch (frame->type) {
    case HELLO:
      if (frame->length == NONCE + 1) take_hello(frame->payload);
      break;
    case START:
      take_start(frame->command, frame->payload, frame->length);
      break;
    case START_MORE:
      take_start_part(frame->command, frame->payload, frame->length);
      break;
    case KILL:
      take_kill(frame->command);
      break;
    case PING:
      if (frame->length == 8) outgoing_put(PONG, frame->command, frame->payload, 8);
      break;
    default:
      command = find_command(frame->command);
      if (command != NULL && command->phase != ASSEMBLING) take_for_command(command, frame);
  }
}

void handle_frames(void) {
  struct frame_in frame;
  while (outgoing_room() >= CONTROL_ROOM && !hello_waits && !is_ending()) {
    enum incoming_result result = incoming_next(&frame);
    if (result == INCOMING_NONE) return;
    if (result == INCOMING_FRAME) take_frame(&frame);
    else lose_connection();
  }
}
