// The system's SQLite, and shorthands for what Swift cannot say: the destructor that is no
// function, SQLITE_TRANSIENT, and a function of any arguments.
#ifndef CSQLITE_H
#define CSQLITE_H

#if !__has_include(<sqlite3.h>)
#error "sqlite3.h is missing: install libsqlite3-dev (Debian, Ubuntu) or sqlite-devel (Fedora)"
#else

#include <sqlite3.h>

// Binds bytes that SQLite copies.
static inline int csqlite_bind_bytes(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// Has the log stay as it is when the connection is closed, and not be copied into the file.
static inline int csqlite_leave_log(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

#endif
#endif
