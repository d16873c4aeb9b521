#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "CFaults.h"
#include "disk.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_recording;
static char folder[PATH_MAX];
static int trace = -1;
static bool is_whole;
static uint64_t count;

int cfaults_record(const char *path, const char *into) {
  pthread_mutex_lock(&lock);
  snprintf(folder, sizeof folder, "%s", path);
  trace = open(into, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  is_whole = trace >= 0;
  count = 0;
  pthread_mutex_unlock(&lock);
  atomic_store(&is_recording, is_whole);
  return is_whole;
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

int record_has_path(const char *path, char name[NAME_MAX]) {
  if (!atomic_load(&is_recording)) return 0;
  size_t end = strlen(folder);
  if (strncmp(path, folder, end) != 0) return 0;
  if (path[end] != 0 && path[end] != '/') return 0;
  snprintf(name, NAME_MAX, "%s", path[end] ? path + end + 1 : "");
  return 1;
}

int record_has(int file, char name[NAME_MAX]) {
  char path[PATH_MAX];
  return atomic_load(&is_recording) && path_of(file, path) && record_has_path(path, name);
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
  if (trace >= 0 && writev(trace, parts, 3) != (ssize_t)all) is_whole = false;
  uint64_t number = count++;
  pthread_mutex_unlock(&lock);
  return number;
}
