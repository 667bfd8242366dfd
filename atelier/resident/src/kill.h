/* Ends every process of a command, whatever it does against it. */
#pragma once
#include "command.h"

void kill_command(struct command *command);
/* kills children of the resident that are not supervisors: a supervisor was killed, and these were below it */
void kill_strays(void);
bool strays_left(void);
/* Does what is due. Answers the milliseconds until it wants to be called again, or -1. */
int continue_killing(void);
