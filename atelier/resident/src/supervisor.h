/* The process between the resident and a command. */
#pragma once
#include "request.h"

/* what it tells the resident, through a pipe */
enum report_kind { REPORT_STARTED, REPORT_FAILED, REPORT_ENDED };
struct report {
  u32 kind;
  /* process id, stage, or wait status */
  u32 value;
  /* errno of REPORT_FAILED */
  u32 error;
};

/* the ends of a command's pipes that are not the resident's */
struct command_ends {
  int input, output, error, status;
};

/* a fork that becomes the supervisor; answers its process id or a negative errno */
long start_supervisor(const struct command_ends *ends, const struct request *request);
