/* A command: what the resident knows of it, from its START until nothing of it runs. */
#pragma once
#include "bytes.h"
#include "frames.h"

enum phase {
  FREE,
  /* START_MORE has come, START has not */
  ASSEMBLING,
  /* the supervisor is there, the program is not yet executed */
  STARTING,
  RUNNING,
  /* its first process has ended; what its pipes held then is being sent */
  ENDED,
  /* EXIT or FAILED was sent; what it left behind goes on */
  LEFT,
};

enum { STANDARD_OUTPUT, STANDARD_ERROR, OUTPUTS };

struct output {
  int fd;
  u64 credit;
  /* in the phase ENDED: bytes that EXIT waits for */
  u32 left;
};

struct input {
  int fd;
  /* bytes that wait in `data`, which holds INPUT_MOST */
  u8 *data;
  u32 begin, end;
  /* what was taken and not yet granted again */
  u32 taken;
  bool ends;
};

/* how far the killing of some processes is; see kill.c */
struct hunt {
  u64 began;
  u32 passes, quiet_passes;
  /* in this pass: living processes, and those that the pass before did not see */
  u32 found, fresh;
};

struct command {
  enum phase phase;
  u32 id;
  u8 flags;
  /* no frame speaks of it: its connection is gone */
  bool is_silent;
  /* its output is read and dropped: nobody gives credit for it */
  bool is_unread;

  /* parts of a START, and why it will be refused */
  u8 *request;
  u32 request_length;
  u32 refused;

  /* 0: it has ended */
  int supervisor;
  int status_fd;
  /* it ended before its processes did: those are children of the resident now */
  bool lost_supervisor;
  int wait_status;
  int terminal;
  struct output output[OUTPUTS];
  struct input input;

  /* all that runs below the supervisor is being killed */
  bool is_killed, supervisor_killed;
  struct hunt hunt;
};

enum { COMMANDS_MOST = 512, RUNNING_MOST = 64 };

extern struct command commands[COMMANDS_MOST];
/* every command in use has a lower index */
extern u32 commands_end;

#define EACH_COMMAND(command) \
  for (struct command *command = commands; command < commands + commands_end; command++) \
    if (command->phase != FREE)

struct command *find_command(u32 id);
struct command *find_supervised(int supervisor);
/* NULL: there is no place */
struct command *new_command(u32 id);
u32 count_running(void);
/* forgets a command of which nothing runs and of which everything was said */
void release_command(struct command *command);
void close_fd(int *fd);

/* frames of the service */
void take_start(u32 id, u8 *payload, u32 length);
void take_start_part(u32 id, const u8 *payload, u32 length);
void resize_terminal(struct command *command, u16 columns, u16 rows);
void give_credit(struct command *command, u32 stream, u32 bytes);

/* what happens to a command */
void read_status(struct command *command);
void supervisor_ended(struct command *command, int status);
void command_ended(struct command *command, int status);
void nothing_runs(struct command *command);
/* nobody reads its output any more */
void leave_output(struct command *command);
/* sends EXIT when everything before it was sent */
void send_exit(struct command *command);
