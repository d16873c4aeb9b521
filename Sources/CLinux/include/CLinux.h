// Kernel and C library interfaces that the Glibc module does not export.
#ifndef CLINUX_H
#define CLINUX_H

#include <malloc.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

// Accepts a connection as a non-blocking, close-on-exec socket. Returns its descriptor, or -1 with
// errno set. Calls accept4, whose declaration needs _GNU_SOURCE; defining that here would make
// other types differ from those of the Glibc module.
int clinux_accept(int listener);

// Returns the description of an errno value. Thread-safe. strerrordesc_np needs _GNU_SOURCE.
const char *_Nonnull clinux_error_text(int code);

// Gets the device and inode number of the file at a path. Returns 0, or -1 with errno set.
// It asks for nothing else: since Linux 6.13, asking for a file's times makes the next write to it
// slower, because that write must change them (multigrain timestamps). statx needs _GNU_SOURCE.
int clinux_file_identity(
  const char *_Nonnull path, uint64_t *_Nonnull device, uint64_t *_Nonnull number
);

// Returns the highest number in the names of a folder that are a prefix and 1 to 9 digits; -1 if
// there is none, or if the folder cannot be read.
int64_t clinux_highest_number(const char *_Nonnull folder, const char *_Nonnull prefix);

// Gets the inode number and creation time of the file at a path. The time is 0 where the file
// system does not record it. Returns 0, or -1 with errno set.
int clinux_file_origin(
  const char *_Nonnull path, uint64_t *_Nonnull number, int64_t *_Nonnull seconds,
  uint32_t *_Nonnull nanoseconds
);

#endif
