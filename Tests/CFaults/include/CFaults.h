// A disk that fails, and one whose every write is known: no file system can be told to refuse a
// sync and keep what was written, nor what it would have after a power cut.
#ifndef CFAULTS_H
#define CFAULTS_H

#include <stdint.h>

// Calls that may fail.
enum {
  cfaults_syncs = 1,
  // Of what is to be written a part is.
  cfaults_writes = 2,
};

// From now on such calls for a file, or for any below a folder, fail with an error number, in this
// process; with 0 none does. One path at a time.
void cfaults_fail(int calls, const char *_Nonnull file_or_folder, int error);

// How many calls have failed for it since.
int cfaults_failures(void);

// From now on what this process does to the files of a folder is written down, in another file, as
// a cfaults_event each with the file's name and the bytes behind it. One folder at a time. Returns
// whether that file can be written.
int cfaults_record(const char *_Nonnull folder, const char *_Nonnull into);

// Writes a number down among what happens.
void cfaults_mark(uint64_t number);

// No more is written down. Returns whether all was.
int cfaults_end_record(void);

// What happened to a file.
enum {
  // Bytes were written at an offset.
  cfaults_write = 1,
  // It was given a length.
  cfaults_truncate = 2,
  // It is about to be synced: an event that is counted, from 0, as all are.
  cfaults_sync_begin = 3,
  // The sync that began with an event, counted as `offset` says, has ended, and did not fail.
  cfaults_sync_end = 4,
  // It was removed from the folder.
  cfaults_remove = 5,
  // A number, `offset`, was to be written down.
  cfaults_number = 6,
  // The sync that began with an event, counted as `offset` says, has failed.
  cfaults_sync_failure = 7,
  // It was given another name, which are the bytes behind it, in place of any file of that name.
  cfaults_rename = 8,
};

struct cfaults_event {
  uint32_t kind;
  // How many bytes its name has, which is empty for the folder itself.
  uint32_t name_length;
  uint64_t offset;
  uint64_t length;
};

#endif
