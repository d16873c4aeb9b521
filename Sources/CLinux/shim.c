#define _GNU_SOURCE
#include <sys/socket.h>

#include "CLinux.h"

int clinux_accept(int listener) {
  return accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
