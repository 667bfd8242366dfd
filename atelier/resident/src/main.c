/*
 * The resident: runs commands inside a container for a service outside, over standard input and output. See docs/resident.md.
 * One thread and one loop, which sleeps in poll until there is something to do.
 */
#include "archive.h"
#include "command.h"
#include "kill.h"
#include "outgoing.h"
#include "relay.h"
#include "resident.h"
#include "service.h"
#include "streams.h"

enum { PR_SET_DUMPABLE = 4, PR_SET_CHILD_SUBREAPER = 36, EPOLLET_IN = (int)0x80000001, WATCHES = 4, END_PATIENCE_MS = 2000 };

char *const *own_environment;
bool is_process_1;

static int signals_fd, revival_fd = -1;
static bool input_ended;
static u64 ending_since;
static int end_status;

static struct poll_entry entries[3 + WATCHES * COMMANDS_MOST];
static struct command *watched[3 + WATCHES * COMMANDS_MOST];

bool is_ending(void) { return ending_since != 0; }

static void begin_end(int status) {
  if (is_ending()) return;
  ending_since = now_ms();
  end_status = status;
  end_commands();
}

void lose_connection(void) {
  if (is_process_1) incoming_search();
  else begin_end(1);
}

/*
 * Nobody reads on when the input has ended: with some engines it ends for good. Process 1 stays, since another writer may come.
 * The end would be reported over and over, so from then on only changes are: an edge-triggered set in the poll.
 */
static void end_of_input(void) {
  bool is_new = !input_ended;
  input_ended = true;
  if (!is_process_1) return begin_end(0);
  if (is_new) end_commands();
  if (revival_fd >= 0) return;
  struct { u32 events; u64 data; } __attribute__((packed)) event = {(u32)EPOLLET_IN, 0};
  revival_fd = (int)CALL(CALL_EPOLL_CREATE1, O_CLOEXEC, 0, 0, 0, 0);
  if (revival_fd >= 0 && CALL(CALL_EPOLL_CTL, revival_fd, 1 /* add */, 0, &event, 0) < 0) close_fd(&revival_fd);
}

static void read_input(void) {
  u8 event[16];
  if (input_ended) call6(CALL_EPOLL_PWAIT, revival_fd, (long)event, 1, 0, 0, 8);
  long got = incoming_read();
  if (got > 0) input_ended = false;
  else if (got == 0 || (got != -EAGAIN && got != -EINTR)) end_of_input();
}

static void wait_for_children(void) {
  int status = 0;
  long child;
  while ((child = sys_wait(-1, &status, WNOHANG | WUNTRACED | WALL)) > 0) {
    struct command *command = find_supervised((int)child);
    if (command == NULL) continue;
    if ((status & 0xff) == 0x7f) {
      sys_kill((int)child, SIGCONT);
      continue;
    }
    supervisor_ended(command, status);
    if (command->lost_supervisor) kill_strays();
  }
}

static void read_signals(void) {
  struct signal_report report;
  bool ends = false;
  while (sys_read(signals_fd, &report, sizeof report) == sizeof report)
    if (report.number == SIGTERM) ends = true;
  if (ends && is_process_1) sys_exit(128 + SIGTERM);
  if (ends) begin_end(0);
  wait_for_children();
}

static u32 watch(u32 count, struct command *command, int fd, short events) {
  entries[count] = (struct poll_entry){fd, events, 0};
  watched[count] = command;
  return count + 1;
}

static u32 fill_entries(void) {
  u32 count = watch(0, NULL, signals_fd, POLLIN);
  bool reads = !is_ending() && incoming_room() > 0 && outgoing_room() >= CONTROL_ROOM;
  count = watch(count, NULL, !reads ? -1 : input_ended ? revival_fd : 0, POLLIN);
  count = watch(count, NULL, outgoing_waits() ? 1 : -1, POLLOUT);
  EACH_COMMAND(command) {
    if (command->status_fd >= 0) count = watch(count, command, command->status_fd, POLLIN);
    for (int i = 0; i < OUTPUTS; i++)
      if (wants_output(command, command->output + i)) count = watch(count, command, command->output[i].fd, POLLIN);
    if (command->input.fd >= 0 && (command->input.end > command->input.begin || command->input.ends))
      count = watch(count, command, command->input.fd, POLLOUT);
  }
  return count;
}

static void handle_command(struct command *command, int fd) {
  if (command->phase == FREE) return;
  if (fd == command->input.fd) write_input(command);
  for (int i = 0; i < OUTPUTS; i++)
    if (fd == command->output[i].fd) read_output(command, i);
  if (fd == command->status_fd) read_status(command);
}

/* begins at another command each time, so that one with much output does not keep the room from others */
static void handle_commands(u32 count) {
  static u32 turn;
  u32 others = count - 3;
  turn++;
  for (u32 i = 0; i < others; i++) {
    u32 place = 3 + (turn + i) % others;
    if (entries[place].revents != 0) handle_command(watched[place], entries[place].fd);
  }
}

static void flush_output(void) {
  if (outgoing_flush()) return;
  outgoing_clear();
  if (!is_process_1) begin_end(0);
}

static int sooner(int one, int other) { return one < 0 ? other : other < 0 || one < other ? one : other; }

/* ends the program when nothing goes on; what cannot be ended is not waited for */
static int continue_end(void) {
  if (!is_ending()) return -1;
  u64 waited = now_ms() - ending_since;
  if (commands_are_ending() && waited < END_PATIENCE_MS) return (int)(END_PATIENCE_MS - waited);
  EACH_COMMAND(command)
    if (!command->is_killed) return -1;
  sys_exit(end_status);
}

/* what waited for room in the queue goes on as soon as some was made */
static void handle_and_flush(void) {
  bool was_full;
  do {
    handle_frames();
    EACH_COMMAND(command) send_exit(command);
    was_full = outgoing_room() < OUTPUT_ROOM;
    flush_output();
  } while (was_full && outgoing_room() >= OUTPUT_ROOM);
}

static void run_once(void) {
  int timeout = sooner(sooner(continue_killing(), continue_hello()), continue_end());
  handle_and_flush();
  u32 count = fill_entries();
  struct time time = {timeout / 1000, timeout % 1000 * 1000000L};
  if (sys_poll(entries, count, timeout < 0 ? NULL : &time) <= 0) return;
  if (entries[0].revents != 0) read_signals();
  handle_commands(count);
  if (entries[1].revents != 0) read_input();
  handle_and_flush();
}

static void reset_signals(void) {
  static const u64 action[4], all = ~0ull;
  for (int signal = 1; signal <= SIGNALS; signal++) CALL(CALL_RT_SIGACTION, signal, action, 0, 8, 0);
  sys_set_signal_mask(&all);
  u64 read = 1ull << (SIGTERM - 1) | 1ull << (SIGCHLD - 1);
  signals_fd = (int)CALL(CALL_SIGNALFD4, -1, &read, 8, O_NONBLOCK | O_CLOEXEC, 0);
  if (signals_fd < 0) sys_exit(1);
}

static void prepare_descriptors(void) {
  for (int fd = 0; fd < 3; fd++)
    if (sys_fcntl(fd, 1 /* F_GETFD */, 0) < 0) sys_open(0, "/dev/null", O_RDWR);
  if (sys_close_from(3) < 0)
    for (int fd = 3; fd < 4096; fd++) sys_close(fd);
  for (int fd = 0; fd < 2; fd++) sys_fcntl(fd, 4 /* F_SETFL */, sys_fcntl(fd, 3 /* F_GETFL */, 0) | O_NONBLOCK);
}

_Noreturn void resident_main(long *stack) {
  long count = stack[0];
  own_environment = (char *const *)(stack + count + 2);
  is_process_1 = sys_getpid() == 1;
  if (count == 3 && same_bytes((const char *)stack[2], "archive", sizeof "archive")) archive_main((const char *)stack[3]);
  sys_prctl(PR_SET_DUMPABLE, 0);
  if (count == 2 && same_bytes((const char *)stack[2], "relay", sizeof "relay")) relay_main();
  sys_prctl(PR_SET_CHILD_SUBREAPER, 1);
  prepare_descriptors();
  reset_signals();
  outgoing_open();
  for (;;) run_once();
}
