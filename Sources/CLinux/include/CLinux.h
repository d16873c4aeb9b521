// What the Glibc module leaves out of the interfaces of kernel and C library.
#ifndef CLINUX_H
#define CLINUX_H

#include <malloc.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

// accept4 without the address: a connection that neither blocks nor is inherited. The declaration
// of accept4 itself needs _GNU_SOURCE, which would change other types against the Glibc module's.
int clinux_accept(int listener);

// What an error number means, of any thread; strerrordesc_np needs _GNU_SOURCE, too.
const char *_Nonnull clinux_error_text(int code);

// Which file a path leads to, and nothing else of it: since Linux 6.13 the next write of a file
// whose times somebody asked for takes longer, as it must give it others (multigrain timestamps).
// statx needs _GNU_SOURCE. Returns 0, or -1 with errno set.
int clinux_file_identity(
  const char *_Nonnull path, uint64_t *_Nonnull device, uint64_t *_Nonnull number
);

// The number of a file on its device and the moment it was made, 0 where its file system does not
// tell. Returns 0, or -1 with errno set.
int clinux_file_origin(
  const char *_Nonnull path, uint64_t *_Nonnull number, int64_t *_Nonnull seconds,
  uint32_t *_Nonnull nanoseconds
);

#endif
