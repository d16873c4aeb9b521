#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "CLinux.h"

int clinux_accept(int listener) {
  return accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

const char *clinux_error_text(int code) {
  const char *text = strerrordesc_np(code);
  return text ? text : "unknown error";
}

int64_t clinux_highest_number(const char *folder, const char *prefix) {
  int64_t highest = -1;
  DIR *names = opendir(folder);
  if (names == NULL) return highest;
  size_t length = strlen(prefix);
  for (struct dirent *entry; (entry = readdir(names)) != NULL;) {
    const char *digits = entry->d_name + length;
    if (strncmp(entry->d_name, prefix, length) != 0) continue;
    size_t count = strspn(digits, "0123456789");
    if (count < 1 || count > 9 || digits[count] != 0) continue;
    int64_t number = strtoll(digits, NULL, 10);
    if (number > highest) highest = number;
  }
  closedir(names);
  return highest;
}

int clinux_file_origin(
    const char *path, uint64_t *number, int64_t *seconds, uint32_t *nanoseconds) {
  struct statx status;
  if (statx(AT_FDCWD, path, AT_STATX_SYNC_AS_STAT, STATX_INO | STATX_BTIME, &status) != 0) {
    return -1;
  }
  int is_known = (status.stx_mask & STATX_BTIME) != 0;
  *number = status.stx_ino;
  *seconds = is_known ? status.stx_btime.tv_sec : 0;
  *nanoseconds = is_known ? status.stx_btime.tv_nsec : 0;
  return 0;
}

int clinux_file_identity(const char *path, uint64_t *device, uint64_t *number) {
  struct statx status;
  if (statx(AT_FDCWD, path, AT_STATX_SYNC_AS_STAT, STATX_INO, &status) != 0) return -1;
  *device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
  *number = status.stx_ino;
  return 0;
}
