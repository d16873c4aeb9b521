#define _GNU_SOURCE
#include "record.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "CFaults.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_recording;
static char folder[PATH_MAX];
static int trace = -1;
static int is_whole;
static uint64_t count;

int cfaults_record(const char *path, const char *into) {
  pthread_mutex_lock(&lock);
  snprintf(folder, sizeof folder, "%s", path);
  trace = open(into, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  is_whole = trace >= 0;
  count = 0;
  pthread_mutex_unlock(&lock);
  atomic_store(&is_recording, trace >= 0);
  return trace >= 0;
}

int cfaults_end_record(void) {
  atomic_store(&is_recording, false);
  pthread_mutex_lock(&lock);
  close(trace);
  trace = -1;
  int result = is_whole;
  pthread_mutex_unlock(&lock);
  return result;
}

void cfaults_mark(uint64_t number) { record(cfaults_number, "", number, 0, NULL); }

static int is_in_folder(const char *path, char *name) {
  size_t end = strlen(folder);
  if (strncmp(path, folder, end) != 0) return 0;
  if (path[end] != 0 && path[end] != '/') return 0;
  snprintf(name, NAME_MAX, "%s", path[end] ? path + end + 1 : "");
  return 1;
}

int record_has(int file, char *name) {
  if (!atomic_load(&is_recording)) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_in_folder(path, name);
}

uint64_t record(uint32_t kind, const char *name, uint64_t offset, uint64_t length,
                const void *bytes) {
  struct cfaults_event event = {kind, (uint32_t)strlen(name), offset, length};
  struct iovec parts[] = {
      {&event, sizeof event},
      {(void *)name, event.name_length},
      {(void *)bytes, bytes ? length : 0},
  };
  size_t all = parts[0].iov_len + parts[1].iov_len + parts[2].iov_len;
  pthread_mutex_lock(&lock);
  if (trace >= 0 && writev(trace, parts, 3) != (ssize_t)all) is_whole = 0;
  uint64_t number = count++;
  pthread_mutex_unlock(&lock);
  return number;
}

// What was written is written down behind it: a sync that began before that is not said to have it.
static ssize_t write_at(int file, const void *bytes, size_t size, off_t offset) {
  ssize_t written = syscall(SYS_pwrite64, file, bytes, size, offset);
  char name[NAME_MAX];
  if (written > 0 && record_has(file, name))
    record(cfaults_write, name, (uint64_t)offset, (uint64_t)written, bytes);
  return written;
}

static int set_length(int file, off_t length) {
  int result = (int)syscall(SYS_ftruncate, file, length);
  char name[NAME_MAX];
  if (!result && record_has(file, name)) record(cfaults_truncate, name, 0, (uint64_t)length, NULL);
  return result;
}

// The program's own come before those of the C library, also for the libraries that it uses.
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
  if (!result && atomic_load(&is_recording) && is_in_folder(path, name))
    record(cfaults_remove, name, 0, 0, NULL);
  return result;
}
