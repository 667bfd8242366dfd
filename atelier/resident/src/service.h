/* The connection to the service: handles its frames. */
#pragma once
#include "incoming.h"

/* handles what was read, as far as there is room for the answers */
void handle_frames(void);
/* Answers HELLO when the commands of the former connection are gone; no other frame is handled before. Milliseconds until it wants to be called again, or -1 */
int continue_hello(void);
/* Ends every command that is not KEEP. What ended commands left behind goes on, and no frame speaks of it again. */
void end_commands(void);
bool commands_are_ending(void);
