// What the wrappers of system calls ask and tell.
#ifndef CFAULTS_DISK_H
#define CFAULTS_DISK_H

#include <limits.h>
#include <stdint.h>

// The path of an open file; 0 where it has none.
int path_of(int file, char path[PATH_MAX]);

// With what a call for a file is to fail; 0 where it is not.
int error_for(int call, int file);

// The name of an open file in the folder that is recorded, empty for the folder itself; 0 where it
// is none of it, or nothing is recorded.
int record_has(int file, char name[NAME_MAX]);

// The same of a path.
int record_has_path(const char *path, char name[NAME_MAX]);

// Writes an event down, and returns its number.
uint64_t record(uint32_t kind, const char *name, uint64_t offset, uint64_t length,
                const void *bytes);

#endif
