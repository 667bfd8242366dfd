/* What the whole program shares. */
#pragma once
#include "syscalls.h"

extern char *const *own_environment;
extern bool is_process_1;

/* commands are being ended, then the program */
bool is_ending(void);
/* the service has broken the protocol: nothing that follows can be understood */
void lose_connection(void);
