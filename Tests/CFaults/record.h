// What the wrappers of system calls tell the record.
#ifndef CFAULTS_RECORD_H
#define CFAULTS_RECORD_H

#include <stdint.h>

// The name of an open file in the folder, empty for the folder itself; 0 where it is none of it, or
// nothing is recorded.
int record_has(int file, char *name);

// Writes an event down, and returns its number.
uint64_t record(uint32_t kind, const char *name, uint64_t offset, uint64_t length,
                const void *bytes);

#endif
