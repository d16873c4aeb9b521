// The system's SQLite, and a shorthand for what Swift cannot say: the destructor that is no
// function, SQLITE_TRANSIENT.
#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

// Binds bytes that SQLite copies.
static inline int csqlite_bind_bytes(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

#endif
