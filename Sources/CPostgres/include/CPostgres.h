// The client library of PostgreSQL, libpq, loaded at run time: nothing of it is needed to build the
// program, or to run it with other storage. Only what is used here is declared
// (postgresql.org/docs/15/libpq.html).
#ifndef CPOSTGRES_H
#define CPOSTGRES_H

#include <stddef.h>
#include <stdint.h>

// A connection, used by one thread at a time.
typedef struct cpostgres_connection cpostgres_connection;
// The answer to one statement.
typedef struct cpostgres_result cpostgres_result;

// The status of a result (ExecStatusType).
enum {
  CPOSTGRES_COMMAND_OK = 1,
  CPOSTGRES_TUPLES_OK = 2,
  CPOSTGRES_PIPELINE_SYNC = 10,
};

// Loads the library once. Returns NULL, or the reason why it cannot be used. Thread-safe; all
// other functions need a call of this one that returned NULL.
const char *_Nullable cpostgres_load(void);

// Copies the password of a connection URI to a buffer; an empty one if it has none.
// Returns 0, or -1 if the library does not accept the URI or the password does not fit.
int cpostgres_parse(const char *_Nonnull uri, char *_Nonnull password, size_t size);

// Connects. Returns NULL if there is no memory; a connection that failed is not usable and has a
// message. The times hold unless the URI has others: that for connecting, and that for which sent
// bytes may be unacknowledged before the connection counts as lost (TCP_USER_TIMEOUT).
cpostgres_connection *_Nullable cpostgres_connect(
  const char *_Nonnull uri, const char *_Nonnull connect_timeout_seconds,
  const char *_Nonnull user_timeout_milliseconds
);

// Returns the socket, or -1 if there is none. The library closes it when the connection is lost.
int cpostgres_socket(const cpostgres_connection *_Nonnull connection);

// Closes a connection.
void cpostgres_close(cpostgres_connection *_Nonnull connection);

// Returns 1 unless the connection is known to be lost.
int cpostgres_is_usable(const cpostgres_connection *_Nonnull connection);

// Reads what has arrived, without waiting. Returns 1 unless the connection is lost.
int cpostgres_look(cpostgres_connection *_Nonnull connection);

// Returns the last error of the connection, which ends with a line feed.
const char *_Nonnull cpostgres_message(const cpostgres_connection *_Nonnull connection);

// Returns the process of the server for this connection.
int cpostgres_process(const cpostgres_connection *_Nonnull connection);

// Returns the number of warnings since the last call.
int cpostgres_take_warnings(cpostgres_connection *_Nonnull connection);

// Prepares a statement under a name.
cpostgres_result *_Nullable cpostgres_prepare(
  cpostgres_connection *_Nonnull connection, const char *_Nonnull name, const char *_Nonnull sql
);

// Runs statements without parameters.
cpostgres_result *_Nullable cpostgres_run(
  cpostgres_connection *_Nonnull connection, const char *_Nonnull sql
);

// Sends a prepared statement with parameters in binary, one behind another in `bytes`; a length of
// -1 is NULL. There are at most 16. Returns 0, or -1.
int cpostgres_send(
  cpostgres_connection *_Nonnull connection, const char *_Nonnull name, int count,
  const uint8_t *_Nullable bytes, const int32_t *_Nullable lengths
);

// Begins and ends a pipeline, and marks the end of what is sent. Return 0, or -1.
int cpostgres_begin_pipeline(cpostgres_connection *_Nonnull connection);
int cpostgres_end_pipeline(cpostgres_connection *_Nonnull connection);
int cpostgres_sync(cpostgres_connection *_Nonnull connection);

// Waits for the next result; NULL behind the last one of a statement.
cpostgres_result *_Nullable cpostgres_next(cpostgres_connection *_Nonnull connection);

int cpostgres_status(const cpostgres_result *_Nonnull result);
// Returns the five characters of SQLSTATE; an empty string if there is none.
const char *_Nonnull cpostgres_state(const cpostgres_result *_Nonnull result);
// Returns the message of an error without its details, which may have data.
const char *_Nonnull cpostgres_error(const cpostgres_result *_Nonnull result);
// Returns the tag of a command, such as COMMIT.
const char *_Nonnull cpostgres_tag(const cpostgres_result *_Nonnull result);
int cpostgres_rows(const cpostgres_result *_Nonnull result);
// Returns the length of a value in bytes, or -1 for NULL.
int cpostgres_length(const cpostgres_result *_Nonnull result, int row, int column);
const char *_Nullable cpostgres_value(
  const cpostgres_result *_Nonnull result, int row, int column
);
void cpostgres_clear(cpostgres_result *_Nonnull result);

#endif
