// The system's SQLite, and wrappers for what Swift cannot call: SQLITE_TRANSIENT, which is a
// cast integer and not a function, and functions with variable arguments.
#ifndef CSQLITE_H
#define CSQLITE_H

#if !__has_include(<sqlite3.h>)
#error "sqlite3.h is missing: install libsqlite3-dev (Debian, Ubuntu) or sqlite-devel (Fedora)"
#else

#include <sqlite3.h>

// Binds a blob, which SQLite copies.
static inline int csqlite_bind_bytes(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// Keeps the write-ahead log when the connection closes, instead of checkpointing it.
static inline int csqlite_leave_log(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// Has SQLite copy all of the write-ahead log into the file again, also where another process keeps
// the shared memory beyond the end of this one. It sets the number of copied frames to 0, which is
// at offset 96 of the WAL index, under the lock of checkpoints, which is number 1
// (sqlite.org/walformat.html, sections 2.1 and 2.3).
static inline int csqlite_forget_copies(sqlite3 *connection) {
  enum { checkpoint_lock = 1, copied_frames = 96 / 4, region_bytes = 32768 };
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (!file || !file->pMethods || file->pMethods->iVersion < 2) return SQLITE_ERROR;
  code = file->pMethods->xShmLock(
      file, checkpoint_lock, 1, SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE);
  if (code != SQLITE_OK) return code;
  void volatile *index = 0;
  code = file->pMethods->xShmMap(file, 0, region_bytes, 0, &index);
  if (code == SQLITE_OK && index) ((unsigned volatile *)index)[copied_frames] = 0;
  file->pMethods->xShmLock(file, checkpoint_lock, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE);
  return code;
}

#endif
#endif
