/* The commands in use, found by id and by supervisor. */
#include "command.h"

struct command commands[COMMANDS_MOST];
u32 commands_end;

struct command *find_command(u32 id) {
  EACH_COMMAND(command)
    if (command->id == id && !command->is_silent) return command;
  return NULL;
}

struct command *find_supervised(int supervisor) {
  if (supervisor == 0) return NULL;
  EACH_COMMAND(command)
    if (command->supervisor == supervisor) return command;
  return NULL;
}

struct command *new_command(u32 id) {
  u32 place = 0;
  while (place < commands_end && commands[place].phase != FREE) place++;
  if (place == COMMANDS_MOST) return NULL;
  if (place == commands_end) commands_end++;
  struct command *command = commands + place;
  *command = (struct command){.phase = ASSEMBLING, .id = id, .status_fd = -1, .terminal = -1, .input = {.fd = -1}};
  command->output[STANDARD_OUTPUT].fd = command->output[STANDARD_ERROR].fd = -1;
  return command;
}

u32 count_running(void) {
  u32 count = 0;
  EACH_COMMAND(command)
    if (command->phase != LEFT && command->refused == 0) count++;
  return count;
}

void close_fd(int *fd) {
  if (*fd >= 0) sys_close(*fd);
  *fd = -1;
}

void release_command(struct command *command) {
  for (int i = 0; i < OUTPUTS; i++) close_fd(&command->output[i].fd);
  close_fd(&command->input.fd);
  close_fd(&command->status_fd);
  close_fd(&command->terminal);
  if (command->input.data != NULL) sys_unmap(command->input.data, INPUT_MOST);
  if (command->request != NULL) sys_unmap(command->request, REQUEST_MOST);
  command->phase = FREE;
  while (commands_end > 0 && commands[commands_end - 1].phase == FREE) commands_end--;
}
