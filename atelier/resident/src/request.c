/* Reads the payload of START: texts become texts of C where they lie, and the environment is laid over the resident's own. */
#include "request.h"

enum { LIST_MOST = 65535, OWN_MOST = 4096 };

static char *arguments[LIST_MOST + 1];
static char *environment[OWN_MOST + LIST_MOST + 2];

struct reader {
  u8 *at, *end;
  bool failed;
};

static u8 *take(struct reader *reader, u32 size) {
  static u8 zeros[4];
  if (reader->failed || (size_t)(reader->end - reader->at) < size) {
    reader->failed = true;
    return zeros;
  }
  u8 *taken = reader->at;
  reader->at += size;
  return taken;
}

/* The text is moved back by one, over its own length, so that the NUL at its end overwrites nothing else. */
static char *take_text(struct reader *reader) {
  u32 length = get_u32(take(reader, 4));
  u8 *bytes = take(reader, length);
  if (reader->failed) return "";
  for (u32 i = 0; i < length; i++)
    if (bytes[i] == 0) reader->failed = true;
  char *text = (char *)bytes - 1;
  memmove(text, bytes, length);
  text[length] = 0;
  return text;
}

static size_t name_length(const char *variable) {
  size_t length = 0;
  while (variable[length] != 0 && variable[length] != '=') length++;
  return length;
}

static bool has_name(char *const *list, const char *name, size_t length) {
  for (; *list != NULL; list++)
    if (name_length(*list) == length && same_bytes(*list, name, length)) return true;
  return false;
}

const char *environment_value(char *const *list, const char *name) {
  size_t length = text_length(name);
  for (; *list != NULL; list++)
    if (name_length(*list) == length && same_bytes(*list, name, length) && (*list)[length] == '=')
      return *list + length + 1;
  return NULL;
}

static void add(char *variable, u32 *count) {
  environment[(*count)++] = variable;
  environment[*count] = NULL;
}

static void add_own(char *const *own, u32 *count) {
  for (u32 most = *count + OWN_MOST; *own != NULL && *count < most; own++)
    if (!has_name(environment, *own, name_length(*own))) add(*own, count);
}

static void read_arguments(struct reader *reader) {
  u32 count = get_u16(take(reader, 2));
  if (count == 0) reader->failed = true;
  for (u32 i = 0; i < count; i++) arguments[i] = take_text(reader);
  arguments[count] = NULL;
}

static u32 read_variables(struct reader *reader) {
  u32 count = get_u16(take(reader, 2));
  for (u32 i = 0; i < count; i++) {
    environment[i] = take_text(reader);
    size_t name = name_length(environment[i]);
    if (name == 0 || environment[i][name] == 0) reader->failed = true;
  }
  environment[count] = NULL;
  return count;
}

bool read_request(u8 *payload, u32 length, char *const *own_environment, struct request *request) {
  static char terminal[] = "TERM=xterm";
  struct reader reader = {payload, payload + length, false};
  request->flags = *take(&reader, 1);
  request->columns = get_u16(take(&reader, 2));
  request->rows = get_u16(take(&reader, 2));
  request->credit = get_u32(take(&reader, 4));
  request->folder = take_text(&reader);
  read_arguments(&reader);
  u32 count = read_variables(&reader);
  if (reader.failed || reader.at != reader.end) return false;
  if (request->flags & ~(WITH_INPUT | WITH_TTY | KEEP)) return false;
  add_own(own_environment, &count);
  if ((request->flags & WITH_TTY) && environment_value(environment, "TERM") == NULL) add(terminal, &count);
  request->arguments = arguments;
  request->environment = environment;
  return true;
}
