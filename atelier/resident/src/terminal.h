/* Pseudo-terminals. */
#pragma once
#include "syscalls.h"

/* opens both sides; answers 0 or a negative errno */
long open_terminal(int *terminal, int *other);
void set_size(int terminal, u16 columns, u16 rows);
