/* Reads /proc/[id]/stat of every process. */
#include "process-table.h"
#include "bytes.h"

struct folder_entry {
  u64 inode, offset;
  u16 size;
  u8 type;
  char name[];
};

enum { FIELD_STATE = 3, FIELD_PARENT = 4, FIELD_THREADS = 20 };

static int read_number(const char *text) {
  int value = 0;
  for (; *text >= '0' && *text <= '9'; text++) value = value * 10 + (*text - '0');
  return value;
}

/* The name of a program may hold spaces and brackets, so the fields begin after the last bracket. */
static bool parse_stat(const char *text, size_t length, struct process *process) {
  const char *end = text + length, *at = end;
  while (at > text && *at != ')') at--;
  if (at == text) return false;
  char state = 0;
  int threads = 0;
  for (int field = FIELD_STATE - 1; at < end; at++) {
    if (*at != ' ') continue;
    field++;
    if (field == FIELD_STATE) state = at[1];
    else if (field == FIELD_PARENT) process->parent = read_number(at + 1);
    else if (field == FIELD_THREADS) {
      threads = read_number(at + 1);
      break;
    }
  }
  /* of a process whose first thread has ended, other threads may run */
  process->is_alive = (state != 'Z' && state != 'X') || threads > 1;
  return state != 0;
}

static bool read_stat(int proc, const char *name, struct process *process) {
  char path[32], text[1024];
  size_t length = text_length(name);
  if (length > 16) return false;
  memcpy(path, name, length);
  memcpy(path + length, "/stat", 6);
  int fd = (int)sys_open(proc, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  long got = sys_read(fd, text, sizeof text - 1);
  sys_close(fd);
  if (got <= 0) return false;
  text[got] = 0;
  process->id = read_number(name);
  return parse_stat(text, (size_t)got, process);
}

/* /proc lists them by id, so this is nearly always the end */
static struct process *insert(struct process_table *table, const struct process *process) {
  u32 place = table->count;
  while (place > 0 && table->rows[place - 1].id > process->id) place--;
  memmove(table->rows + place + 1, table->rows + place, (table->count - place) * sizeof *process);
  table->rows[place] = *process;
  table->count++;
  return table->rows + place;
}

struct process *find_process(struct process_table *table, int id) {
  u32 low = 0, high = table->count;
  while (low < high) {
    u32 middle = (low + high) / 2;
    if (table->rows[middle].id < id) low = middle + 1;
    else high = middle;
  }
  return low < table->count && table->rows[low].id == id ? table->rows + low : NULL;
}

bool read_processes(struct process_table *table, void (*seen)(struct process *process)) {
  static char entries[8192] __attribute__((aligned(8)));
  table->count = 0;
  int proc = (int)sys_open(0, "/proc", O_RDONLY | O_CLOEXEC);
  if (proc < 0) return false;
  long got;
  while ((got = sys_read_folder(proc, entries, sizeof entries)) > 0) {
    struct folder_entry *entry;
    for (long at = 0; at < got; at += entry->size) {
      entry = (struct folder_entry *)(entries + at);
      struct process process = {.owner = NO_OWNER};
      if (entry->name[0] < '1' || entry->name[0] > '9') continue;
      if (table->count < PROCESSES_MOST && read_stat(proc, entry->name, &process)) seen(insert(table, &process));
    }
  }
  sys_close(proc);
  return got == 0 && table->count > 0;
}
