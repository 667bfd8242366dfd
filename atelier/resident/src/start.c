/* Starts a command: its pipes or its terminal, and its supervisor. */
#include "command.h"
#include "outgoing.h"
#include "resident.h"
#include "streams.h"
#include "supervisor.h"
#include "terminal.h"

static void refuse(u32 id, enum failed_stage stage, u32 error) {
  u8 payload[5] = {(u8)stage};
  put_u32(payload + 1, error);
  outgoing_put(FAILED, id, payload, sizeof payload);
}

static void no_block(int fd) { sys_fcntl(fd, 4 /* F_SETFL */, sys_fcntl(fd, 3 /* F_GETFL */, 0) | O_NONBLOCK); }

/* a pipe of which one end is the resident's, and does not block */
static long open_pipe(int *own, int *other, bool is_input) {
  int ends[2];
  long result = sys_pipe(ends, O_CLOEXEC);
  if (result < 0) return result;
  *own = ends[is_input ? 1 : 0];
  *other = ends[is_input ? 0 : 1];
  no_block(*own);
  return 0;
}

static long open_terminal_ends(struct command *command, const struct request *request, struct command_ends *ends) {
  long result = open_terminal(&command->terminal, &ends->input);
  if (result < 0) return result;
  no_block(command->terminal);
  resize_terminal(command, request->columns, request->rows);
  ends->output = (int)sys_fcntl(ends->input, 1030 /* F_DUPFD_CLOEXEC */, 3);
  ends->error = (int)sys_fcntl(ends->input, 1030, 3);
  command->output[STANDARD_OUTPUT].fd = (int)sys_fcntl(command->terminal, 1030, 3);
  command->input.fd = (int)sys_fcntl(command->terminal, 1030, 3);
  return ends->error < 0 ? ends->error : command->input.fd < 0 ? command->input.fd : 0;
}

static long open_pipes(struct command *command, const struct request *request, struct command_ends *ends) {
  long result = 0;
  if (request->flags & WITH_INPUT) result = open_pipe(&command->input.fd, &ends->input, true);
  else result = ends->input = (int)sys_open(0, "/dev/null", O_RDONLY | O_CLOEXEC);
  if (result >= 0) result = open_pipe(&command->output[STANDARD_OUTPUT].fd, &ends->output, false);
  if (result >= 0) result = open_pipe(&command->output[STANDARD_ERROR].fd, &ends->error, false);
  return result;
}

static long open_ends(struct command *command, const struct request *request, struct command_ends *ends) {
  long result = open_pipe(&command->status_fd, &ends->status, false);
  if (result < 0) return result;
  if (request->flags & (WITH_INPUT | WITH_TTY)) {
    result = open_input(&command->input);
    if (result < 0) return result;
  }
  return request->flags & WITH_TTY ? open_terminal_ends(command, request, ends) : open_pipes(command, request, ends);
}

static void start(struct command *command, u8 *payload, u32 length) {
  struct request request;
  struct command_ends ends = {-1, -1, -1, -1};
  if (!read_request(payload, length, own_environment, &request)) {
    refuse(command->id, STAGE_REQUEST, EINVAL);
    release_command(command);
    return;
  }
  command->flags = request.flags;
  long result = open_ends(command, &request, &ends);
  if (result >= 0) result = start_supervisor(&ends, &request);
  close_fd(&ends.input);
  close_fd(&ends.output);
  close_fd(&ends.error);
  close_fd(&ends.status);
  if (result < 0) {
    refuse(command->id, STAGE_RESOURCES, (u32)-result);
    release_command(command);
    return;
  }
  command->supervisor = (int)result;
  command->phase = STARTING;
  for (int i = 0; i < OUTPUTS; i++) command->output[i].credit = request.credit;
}

void take_start_part(u32 id, const u8 *payload, u32 length) {
  struct command *command = find_command(id);
  if (id == 0) return lose_connection();
  if (command == NULL) {
    command = new_command(id);
    if (command == NULL) return lose_connection();
    if (count_running() > RUNNING_MOST) command->refused = EAGAIN;
  }
  if (command->phase != ASSEMBLING) return lose_connection();
  if (command->refused == 0 && command->request == NULL) command->request = sys_map(REQUEST_MOST);
  if (command->request == NULL && command->refused == 0) command->refused = ENOMEM;
  if (command->request_length + length > REQUEST_MOST) command->refused = E2BIG;
  if (command->refused != 0) return;
  memcpy(command->request + command->request_length, payload, length);
  command->request_length += length;
}

void take_start(u32 id, u8 *payload, u32 length) {
  struct command *command = find_command(id);
  if (id == 0 || (command != NULL && command->phase != ASSEMBLING)) return refuse(id, STAGE_REQUEST, EEXIST);
  if (command == NULL && count_running() >= RUNNING_MOST) return refuse(id, STAGE_RESOURCES, EAGAIN);
  if (command != NULL) {
    take_start_part(id, payload, length);
    payload = command->request;
    length = command->request_length;
  } else {
    command = new_command(id);
    if (command == NULL) return refuse(id, STAGE_RESOURCES, EAGAIN);
  }
  if (command->refused != 0) {
    refuse(id, STAGE_RESOURCES, command->refused);
    return release_command(command);
  }
  start(command, payload, length);
  if (command->phase != STARTING || command->request == NULL) return;
  sys_unmap(command->request, REQUEST_MOST);
  command->request = NULL;
}
