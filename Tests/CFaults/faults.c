#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "CFaults.h"
#include "disk.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int failing_calls;
static char failing_path[PATH_MAX];
static int failing_error;
static int count;

void cfaults_fail(int calls, const char *file_or_folder, int error) {
  pthread_mutex_lock(&lock);
  failing_calls = calls;
  snprintf(failing_path, sizeof failing_path, "%s", file_or_folder);
  failing_error = error;
  count = 0;
  pthread_mutex_unlock(&lock);
}

int cfaults_failures(void) {
  pthread_mutex_lock(&lock);
  int result = count;
  pthread_mutex_unlock(&lock);
  return result;
}

int path_of(int file, char path[PATH_MAX]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return 1;
}

int error_for(int call, int file) {
  pthread_mutex_lock(&lock);
  int error = failing_calls & call ? failing_error : 0;
  size_t end = strlen(failing_path);
  char path[PATH_MAX];
  bool is_meant = error && end > 0 && path_of(file, path) &&
                  strncmp(path, failing_path, end) == 0 && (path[end] == 0 || path[end] == '/');
  if (!is_meant) error = 0;
  if (error) count += 1;
  pthread_mutex_unlock(&lock);
  return error;
}
