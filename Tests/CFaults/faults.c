#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CFaults.h"
#include "record.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char failing_path[PATH_MAX];
static int failing_error;
static int count;

void cfaults_fail_syncs(const char *file_or_folder, int error) {
  pthread_mutex_lock(&lock);
  snprintf(failing_path, sizeof failing_path, "%s", file_or_folder);
  failing_error = error;
  count = 0;
  pthread_mutex_unlock(&lock);
}

int cfaults_failed_syncs(void) {
  pthread_mutex_lock(&lock);
  int result = count;
  pthread_mutex_unlock(&lock);
  return result;
}

static int error_for(int file) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  pthread_mutex_lock(&lock);
  int error = failing_error;
  size_t end = strlen(failing_path);
  bool is_meant = end > 0 && strncmp(path, failing_path, end) == 0 &&
                  (path[end] == 0 || path[end] == '/');
  if (!is_meant) error = 0;
  if (error) count += 1;
  pthread_mutex_unlock(&lock);
  return error;
}

static int sync_file(int file, long call) {
  int error = error_for(file);
  if (error) {
    errno = error;
    return -1;
  }
  char name[NAME_MAX];
  int is_recorded = record_has(file, name);
  uint64_t begin = is_recorded ? record(cfaults_sync_begin, name, 0, 0, NULL) : 0;
  int result = (int)syscall(call, file);
  if (is_recorded && !result) record(cfaults_sync_end, name, begin, 0, NULL);
  return result;
}

// The program's own come before those of the C library, also for the libraries that it uses.
int fdatasync(int file) { return sync_file(file, SYS_fdatasync); }

int fsync(int file) { return sync_file(file, SYS_fsync); }
