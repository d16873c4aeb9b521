// System calls of files, which fail and are written down. The program's own come before those of
// the C library, also for the libraries that it uses.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CFaults.h"
#include "disk.h"

static int sync_file(int file, long call) {
  char name[NAME_MAX];
  int is_recorded = record_has(file, name);
  uint64_t begin = is_recorded ? record(cfaults_sync_begin, name, 0, 0, NULL) : 0;
  int error = error_for(cfaults_syncs, file);
  int result = error ? -1 : (int)syscall(call, file);
  if (!error && result) error = errno;
  if (is_recorded) record(error ? cfaults_sync_failure : cfaults_sync_end, name, begin, 0, NULL);
  errno = error;
  return result;
}

// What was written is written down behind it: a sync that began before that is not said to have it.
static ssize_t write_at(int file, const void *bytes, size_t size, off_t offset) {
  int error = error_for(cfaults_writes, file);
  if (error) size /= 2;
  ssize_t written = size ? syscall(SYS_pwrite64, file, bytes, size, offset) : 0;
  char name[NAME_MAX];
  if (written > 0 && record_has(file, name))
    record(cfaults_write, name, (uint64_t)offset, (uint64_t)written, bytes);
  if (!error) return written;
  errno = error;
  return -1;
}

static int set_length(int file, off_t length) {
  int result = (int)syscall(SYS_ftruncate, file, length);
  char name[NAME_MAX];
  if (!result && record_has(file, name)) record(cfaults_truncate, name, 0, (uint64_t)length, NULL);
  return result;
}

int fdatasync(int file) { return sync_file(file, SYS_fdatasync); }

int fsync(int file) { return sync_file(file, SYS_fsync); }

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  return write_at(file, bytes, size, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
  return write_at(file, bytes, size, offset);
}

int ftruncate(int file, off_t length) { return set_length(file, length); }

int ftruncate64(int file, off64_t length) { return set_length(file, length); }

int unlink(const char *path) {
  int result = (int)syscall(SYS_unlink, path);
  char name[NAME_MAX];
  if (!result && record_has_path(path, name)) record(cfaults_remove, name, 0, 0, NULL);
  return result;
}

int rename(const char *path, const char *to) {
  int result = (int)syscall(SYS_renameat, AT_FDCWD, path, AT_FDCWD, to);
  char name[NAME_MAX], other[NAME_MAX];
  if (!result && record_has_path(path, name) && record_has_path(to, other))
    record(cfaults_rename, name, 0, strlen(other), other);
  return result;
}
