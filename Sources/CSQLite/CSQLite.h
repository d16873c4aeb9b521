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

#endif
#endif
