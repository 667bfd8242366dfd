/*
 * Killing goes in passes over /proc. Each pass stops whatever is below the supervisor, as soon as it sees it: a stopped process
 * cannot fork, and keeps its place in a limit of processes. A pass that saw nothing new kills them all. Two passes that saw
 * nothing alive are the end. Nothing here forks or reserves memory.
 */
#include "kill.h"
#include "process-table.h"

enum { STRAYS = COMMANDS_MOST, START_PATIENCE_MS = 200, SUPERVISOR_PATIENCE_MS = 100, WAIT_MOST_MS = 1000 };

static struct process_table tables[2], *current = tables, *before = tables + 1;
static bool hunts_strays;
static struct hunt stray_hunt;
static u64 next_pass;
static u32 wait_ms;

bool strays_left(void) { return hunts_strays; }

void kill_command(struct command *command) {
  if (command->is_killed) return;
  command->is_killed = true;
  command->hunt = (struct hunt){.began = now_ms()};
  next_pass = wait_ms = 0;
}

void kill_strays(void) {
  hunts_strays = true;
  stray_hunt = (struct hunt){.began = now_ms()};
  next_pass = wait_ms = 0;
}

static struct hunt *hunt_of(short owner) {
  if (owner == NO_OWNER) return NULL;
  if (owner == STRAYS) return hunts_strays ? &stray_hunt : NULL;
  return commands[owner].is_killed ? &commands[owner].hunt : NULL;
}

/* a supervisor owns what is below it, and is not a part of it */
static short owner_by_parent(const struct process *process) {
  struct command *command = find_supervised(process->parent);
  if (command != NULL) return (short)(command - commands);
  if (process->parent == sys_getpid()) return find_supervised(process->id) == NULL ? STRAYS : NO_OWNER;
  struct process *parent = find_process(current, process->parent);
  return parent == NULL ? NO_OWNER : parent->owner;
}

static void stop(struct process *process) {
  struct hunt *hunt = hunt_of(process->owner);
  if (hunt == NULL || !process->is_alive) return;
  sys_kill(process->id, SIGSTOP);
  hunt->found++;
  struct process *known = find_process(before, process->id);
  if (hunt->passes == 0 || known == NULL || known->owner != process->owner) hunt->fresh++;
}

/* stopped at once: a process that forks and ends would be gone when the pass is over */
static void seen(struct process *process) {
  process->owner = owner_by_parent(process);
  stop(process);
}

/* Children whose id is lower than that of their parent. Answers whether a process may have escaped from view. */
static bool find_owners_again(void) {
  bool changed = true, has_loose = false;
  while (changed) {
    changed = false;
    for (u32 i = 0; i < current->count; i++) {
      struct process *process = current->rows + i;
      if (process->owner != NO_OWNER || process->parent == 0) continue;
      process->owner = owner_by_parent(process);
      if (process->owner == NO_OWNER) continue;
      stop(process);
      changed = true;
    }
  }
  for (u32 i = 0; i < current->count; i++) {
    struct process *process = current->rows + i;
    if (process->owner != NO_OWNER || process->parent == 0 || find_process(current, process->parent)) continue;
    process->is_loose = true;
    struct process *known = find_process(before, process->id);
    if (known == NULL || !known->is_loose || known->parent != process->parent) has_loose = true;
  }
  return has_loose;
}

static void kill_found(void) {
  for (u32 i = 0; i < current->count; i++) {
    struct hunt *hunt = hunt_of(current->rows[i].owner);
    if (hunt != NULL && hunt->fresh == 0) sys_kill(current->rows[i].id, SIGKILL);
  }
}

/* true when two passes in a row saw nothing alive */
static bool end_pass(struct hunt *hunt, bool has_loose) {
  hunt->passes++;
  hunt->quiet_passes = hunt->found == 0 && !has_loose ? hunt->quiet_passes + 1 : 0;
  if (hunt->fresh > 0 || hunt->quiet_passes == 1) wait_ms = 0;
  return hunt->quiet_passes >= 2;
}

/* Its processes are gone, so it ends by itself, unless another process has stopped it. */
static void end_supervisor(struct command *command) {
  if (command->supervisor == 0) return;
  sys_kill(command->supervisor, SIGCONT);
  if (now_ms() - command->hunt.began < SUPERVISOR_PATIENCE_MS || command->hunt.quiet_passes < 5) return;
  command->supervisor_killed = true;
  sys_kill(command->supervisor, SIGKILL);
}

/* it has not executed its program yet, so a pass may have come too early */
static bool is_starting(struct command *command) {
  if (command->phase != STARTING) return false;
  if (now_ms() - command->hunt.began > START_PATIENCE_MS) sys_kill(command->supervisor, SIGKILL);
  return true;
}

static void end_passes(bool has_loose) {
  wait_ms = wait_ms == 0 ? 1 : wait_ms * 2 > WAIT_MOST_MS ? WAIT_MOST_MS : wait_ms * 2;
  EACH_COMMAND(command) {
    if (!command->is_killed || command->lost_supervisor) continue;
    if (end_pass(&command->hunt, has_loose || is_starting(command))) end_supervisor(command);
  }
  if (!hunts_strays || !end_pass(&stray_hunt, has_loose)) return;
  hunts_strays = false;
  EACH_COMMAND(command)
    if (command->lost_supervisor) nothing_runs(command);
}

static bool has_work(void) {
  if (hunts_strays) return true;
  EACH_COMMAND(command)
    if (command->is_killed) return true;
  return false;
}

int continue_killing(void) {
  if (!has_work()) return -1;
  u64 now = now_ms();
  if (now < next_pass) return (int)(next_pass - now);
  struct process_table *last = before;
  before = current;
  current = last;
  EACH_COMMAND(command) command->hunt.found = command->hunt.fresh = 0;
  stray_hunt.found = stray_hunt.fresh = 0;
  if (read_processes(current, seen)) {
    bool has_loose = find_owners_again();
    kill_found();
    end_passes(has_loose);
  } else wait_ms = WAIT_MOST_MS;
  next_pass = now + wait_ms;
  return has_work() ? (int)wait_ms : -1;
}
