#define _GNU_SOURCE
#include <string.h>
#include <sys/socket.h>

#include "CLinux.h"

int clinux_accept(int listener) {
  return accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

const char *clinux_error_text(int code) {
  const char *text = strerrordesc_np(code);
  return text ? text : "unknown error";
}
