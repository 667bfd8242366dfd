/* The frames of version 1: u8 type, u32 command, u32 length, payload. docs/resident.md describes each. */
#pragma once

enum frame {
  PADDING = 0,
  HELLO = 1,
  START = 2,
  INPUT = 3,
  INPUT_END = 4,
  CREDIT = 5,
  RESIZE = 6,
  KILL = 7,
  PING = 8,
  START_MORE = 12,
  HELLO_BACK = 65,
  STARTED = 66,
  FAILED = 67,
  OUTPUT = 68,
  INPUT_CREDIT = 69,
  EXIT = 70,
  KILLED = 71,
  PONG = 72,
};

enum {
  VERSION = 1,
  FRAME_HEAD = 9,
  FRAME_MOST = 65536,
  NONCE = 16,
  /* bytes of a START with all its parts */
  REQUEST_MOST = 1 << 20,
  /* bytes of input that the resident holds for a command */
  INPUT_MOST = 65536,
};

enum start_flag { WITH_INPUT = 1, WITH_TTY = 2, KEEP = 4 };
enum failed_stage { STAGE_FOLDER = 1, STAGE_PROGRAM = 2, STAGE_RESOURCES = 3, STAGE_REQUEST = 4 };
