/* Moves and compares bytes. The compiler calls the first three by their names. */
#include "bytes.h"

void *memmove(void *to, const void *from, size_t size) {
  u8 *target = to;
  const u8 *source = from;
  if (target <= source || target >= source + size) return memcpy(to, from, size);
  while (size-- > 0) target[size] = source[size];
  return to;
}

void *memcpy(void *to, const void *from, size_t size) {
#if defined(__x86_64__)
  void *target = to;
  __asm__ volatile("rep movsb" : "+D"(target), "+S"(from), "+c"(size) : : "memory");
#else
  u8 *target = to;
  const u8 *source = from;
  for (; size > 0; size--) *target++ = *source++;
#endif
  return to;
}

void *memset(void *to, int value, size_t size) {
  u8 *target = to;
  for (; size > 0; size--) *target++ = (u8)value;
  return to;
}

size_t text_length(const char *text) {
  size_t length = 0;
  while (text[length] != 0) length++;
  return length;
}

bool same_bytes(const void *one, const void *other, size_t size) {
  const u8 *a = one, *b = other;
  for (; size > 0; size--)
    if (*a++ != *b++) return false;
  return true;
}
