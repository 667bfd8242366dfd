/* Input and output of a command. */
#pragma once
#include "command.h"

/* reserves what holds the input, of which the first credit is sent with STARTED */
long open_input(struct input *input);
/* false when more came than was granted, and does not fit */
bool take_input(struct command *command, const u8 *bytes, u32 length);
void end_input(struct command *command);
void write_input(struct command *command);
void drop_input(struct command *command);

/* whether the stream would be read now */
bool wants_output(const struct command *command, const struct output *output);
void read_output(struct command *command, int stream);
/* at the end of its first process: EXIT waits for what the pipes hold now */
void limit_output(struct command *command);
/* sends what EXIT waits for, as far as there is credit; true when that is everything */
bool drain_output(struct command *command);
