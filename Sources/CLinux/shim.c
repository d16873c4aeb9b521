#define _GNU_SOURCE
#include <fcntl.h>
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

int clinux_file_identity(const char *path, uint64_t *device, uint64_t *number) {
  struct statx status;
  if (statx(AT_FDCWD, path, AT_STATX_SYNC_AS_STAT, STATX_INO, &status) != 0) return -1;
  *device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
  *number = status.stx_ino;
  return 0;
}
