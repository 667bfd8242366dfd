/* The system calls for the sockets and the file of the relay. */
#pragma once
#include "syscalls.h"

#if defined(__x86_64__)
enum socket_call {
  CALL_SOCKET = 41, CALL_SHUTDOWN = 48, CALL_BIND = 49, CALL_LISTEN = 50, CALL_SETSOCKOPT = 54, CALL_UNLINKAT = 263,
  CALL_RENAMEAT = 264, CALL_ACCEPT4 = 288,
};
#else
enum socket_call {
  CALL_UNLINKAT = 35, CALL_RENAMEAT = 38, CALL_SOCKET = 198, CALL_BIND = 200, CALL_LISTEN = 201, CALL_SETSOCKOPT = 208,
  CALL_SHUTDOWN = 210, CALL_ACCEPT4 = 242,
};
#endif

enum { AF_INET = 2, SOCK_STREAM = 1, SOL_SOCKET = 1, SO_REUSEADDR = 2, SO_LINGER = 13, SHUT_WR = 1, LOOPBACK = 0x7f000001 };
enum { O_WRONLY = 1, O_CREAT = 0100, O_EXCL = 0200, AT_CWD = -100 };
