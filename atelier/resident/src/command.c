/* The life of a command after its start: what its supervisor reports becomes frames. */
#include "command.h"
#include "outgoing.h"
#include "streams.h"
#include "supervisor.h"
#include "terminal.h"

static void started(struct command *command, u32 process) {
  command->phase = RUNNING;
  if (!command->is_silent) outgoing_put_u32(STARTED, command->id, process);
  if (command->input.data != NULL) write_input(command);
}

static void failed(struct command *command, const struct report *report) {
  u8 payload[5] = {(u8)report->value};
  put_u32(payload + 1, report->error);
  if (!command->is_silent) outgoing_put(FAILED, command->id, payload, sizeof payload);
  for (int i = 0; i < OUTPUTS; i++) close_fd(&command->output[i].fd);
  close_fd(&command->input.fd);
  close_fd(&command->terminal);
  command->phase = LEFT;
}

void command_ended(struct command *command, int status) {
  if (command->phase == STARTING) started(command, 0);
  if (command->phase != RUNNING) return;
  command->wait_status = status;
  command->phase = ENDED;
  if (command->input.data != NULL) drop_input(command);
  limit_output(command);
  send_exit(command);
}

void send_exit(struct command *command) {
  if (command->phase != ENDED || !drain_output(command)) return;
  if (!command->is_silent) outgoing_put_u32(EXIT, command->id, (u32)command->wait_status);
  command->phase = LEFT;
  close_fd(&command->terminal);
  close_fd(&command->status_fd);
  if (command->supervisor == 0 && !command->lost_supervisor) release_command(command);
}

void read_status(struct command *command) {
  struct report report;
  while (command->phase != FREE && command->status_fd >= 0) {
    long got = sys_read(command->status_fd, &report, sizeof report);
    if (got == -EAGAIN || got == -EINTR) return;
    if (got != sizeof report) return close_fd(&command->status_fd);
    if (report.kind == REPORT_FAILED) failed(command, &report);
    else if (report.kind == REPORT_STARTED && command->phase == STARTING) started(command, report.value);
    else if (report.kind == REPORT_ENDED) command_ended(command, (int)report.value);
  }
}

void supervisor_ended(struct command *command, int status) {
  bool by_signal = (status & 0x7f) != 0;
  read_status(command);
  command->supervisor = 0;
  command->lost_supervisor = by_signal && !command->supervisor_killed;
  if (!command->lost_supervisor) nothing_runs(command);
}

void nothing_runs(struct command *command) {
  command->lost_supervisor = false;
  if (command->is_killed && !command->is_silent) outgoing_put(KILLED, command->id, NULL, 0);
  command->is_killed = false;
  if (command->phase == LEFT) release_command(command);
  else command_ended(command, SIGKILL);
}

void leave_output(struct command *command) {
  command->is_unread = true;
  for (int i = 0; i < OUTPUTS; i++) command->output[i].left = 0;
  send_exit(command);
}

void resize_terminal(struct command *command, u16 columns, u16 rows) {
  if (command->terminal >= 0) set_size(command->terminal, columns, rows);
}

void give_credit(struct command *command, u32 stream, u32 bytes) {
  if (stream < 1 || stream > OUTPUTS) return;
  struct output *output = command->output + stream - 1;
  output->credit += bytes;
  if (output->credit > UINT32_MAX) output->credit = UINT32_MAX;
  send_exit(command);
}
