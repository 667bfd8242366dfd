/* What a START frame asks for. */
#pragma once
#include "bytes.h"
#include "frames.h"

struct request {
  u8 flags;
  u16 columns, rows;
  u32 credit;
  const char *folder;
  char **arguments;
  char **environment;
};

/* reads and changes `payload`; the lists are valid until the next call. False when it breaks a rule. */
bool read_request(u8 *payload, u32 length, char *const *own_environment, struct request *request);
const char *environment_value(char *const *environment, const char *name);
