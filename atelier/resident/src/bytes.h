/* Bytes in memory, and the big-endian numbers of frames. */
#pragma once
#include "syscalls.h"

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
size_t text_length(const char *text);
bool same_bytes(const void *one, const void *other, size_t size);

static inline u16 get_u16(const u8 *at) { return (u16)(at[0] << 8 | at[1]); }
static inline u32 get_u32(const u8 *at) { return (u32)at[0] << 24 | (u32)at[1] << 16 | (u32)at[2] << 8 | at[3]; }
static inline void put_u32(u8 *at, u32 value) {
  at[0] = (u8)(value >> 24);
  at[1] = (u8)(value >> 16);
  at[2] = (u8)(value >> 8);
  at[3] = (u8)value;
}
