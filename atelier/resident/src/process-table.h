/* The processes that /proc shows, and what each belongs to. */
#pragma once
#include "syscalls.h"

enum { PROCESSES_MOST = 32768, NO_OWNER = -1 };

struct process {
  int id, parent;
  short owner;
  /* false for one that has ended and was not waited for */
  bool is_alive;
  /* its parent was not seen: it may have ended in between */
  bool is_loose;
};

struct process_table {
  u32 count;
  /* by id */
  struct process rows[PROCESSES_MOST];
};

struct process *find_process(struct process_table *table, int id);
/* reads them all and calls `seen` at once for each, whose earlier ones are in the table; false when /proc cannot be read */
bool read_processes(struct process_table *table, void (*seen)(struct process *process));
