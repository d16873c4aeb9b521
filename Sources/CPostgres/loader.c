#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "CPostgres.h"

// The declarations of libpq that are used (libpq-fe.h).
typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef struct {
  char *keyword, *envvar, *compiled, *val, *label, *dispchar;
  int dispsize;
} PQconninfoOption;
typedef void (*PQnoticeReceiver)(void *context, const PGresult *result);

enum { CONNECTION_OK = 0, DIAG_SQLSTATE = 'C', DIAG_MESSAGE = 'M', MAX_VALUES = 16 };

#define FUNCTIONS(X)                                                                        \
  X(PGconn *, PQconnectdbParams, (const char *const *, const char *const *, int))           \
  X(void, PQfinish, (PGconn *))                                                             \
  X(int, PQstatus, (const PGconn *))                                                        \
  X(int, PQconsumeInput, (PGconn *))                                                        \
  X(int, PQbackendPID, (const PGconn *))                                                    \
  X(int, PQsocket, (const PGconn *))                                                        \
  X(char *, PQerrorMessage, (const PGconn *))                                               \
  X(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *, PQnoticeReceiver, void *))            \
  X(PGresult *, PQprepare, (PGconn *, const char *, const char *, int, const unsigned *))   \
  X(PGresult *, PQexec, (PGconn *, const char *))                                           \
  X(int, PQsendQueryPrepared,                                                               \
    (PGconn *, const char *, int, const char *const *, const int *, const int *, int))      \
  X(int, PQenterPipelineMode, (PGconn *))                                                   \
  X(int, PQexitPipelineMode, (PGconn *))                                                    \
  X(int, PQpipelineSync, (PGconn *))                                                        \
  X(PGresult *, PQgetResult, (PGconn *))                                                    \
  X(int, PQresultStatus, (const PGresult *))                                                \
  X(char *, PQresultErrorField, (const PGresult *, int))                                    \
  X(char *, PQcmdStatus, (PGresult *))                                                      \
  X(int, PQntuples, (const PGresult *))                                                     \
  X(int, PQgetisnull, (const PGresult *, int, int))                                         \
  X(int, PQgetlength, (const PGresult *, int, int))                                         \
  X(char *, PQgetvalue, (const PGresult *, int, int))                                       \
  X(void, PQclear, (PGresult *))                                                            \
  X(PQconninfoOption *, PQconninfoParse, (const char *, char **))                           \
  X(void, PQconninfoFree, (PQconninfoOption *))                                             \
  X(void, PQfreemem, (void *))

#define DECLARE(type, name, arguments) static type(*name) arguments;
FUNCTIONS(DECLARE)

struct cpostgres_connection {
  PGconn *handle;
  int warnings;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *fault = NULL;

static void load(void) {
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fault =
      "the client library of PostgreSQL, libpq.so.5, is missing: install libpq5 (Debian, Ubuntu) "
      "or libpq (Fedora)";
    return;
  }
#define FIND(type, name, arguments)                    \
  if (!(*(void **)(&name) = dlsym(library, #name))) { \
    fault = "libpq.so.5 is too old: install version 14 or later of the package libpq5"; \
    return;                                            \
  }
  FUNCTIONS(FIND)
}

const char *cpostgres_load(void) {
  pthread_once(&once, load);
  return fault;
}

int cpostgres_parse(const char *uri, char *password, size_t size) {
  char *message = NULL;
  PQconninfoOption *options = PQconninfoParse(uri, &message);
  if (message) PQfreemem(message);
  if (!options) return -1;
  int outcome = 0;
  password[0] = 0;
  for (PQconninfoOption *option = options; option->keyword; option++) {
    if (strcmp(option->keyword, "password") != 0 || !option->val) continue;
    if (strlen(option->val) < size) strcpy(password, option->val);
    else outcome = -1;
  }
  PQconninfoFree(options);
  return outcome;
}

// Counts warnings: a commit that tells one did not wait for what it was to wait for.
static void receive(void *context, const PGresult *result) {
  const char *state = PQresultErrorField(result, DIAG_SQLSTATE);
  cpostgres_connection *connection = context;
  if (state && strncmp(state, "01", 2) == 0) connection->warnings++;
}

cpostgres_connection *cpostgres_connect(
    const char *uri, const char *connect_timeout_seconds, const char *user_timeout_milliseconds) {
  // What stands before the URI are defaults, and what stands behind it wins.
  const char *const keywords[] = {
    "connect_timeout", "keepalives_idle", "keepalives_interval", "keepalives_count",
    "tcp_user_timeout", "fallback_application_name", "dbname", NULL,
  };
  const char *const values[] = {
    connect_timeout_seconds, "2", "1", "2", user_timeout_milliseconds, "tree-server", uri, NULL,
  };
  cpostgres_connection *connection = calloc(1, sizeof *connection);
  if (!connection) return NULL;
  connection->handle = PQconnectdbParams(keywords, values, 1);
  if (!connection->handle) {
    free(connection);
    return NULL;
  }
  PQsetNoticeReceiver(connection->handle, receive, connection);
  return connection;
}

void cpostgres_close(cpostgres_connection *connection) {
  PQfinish(connection->handle);
  free(connection);
}

int cpostgres_is_usable(const cpostgres_connection *connection) {
  return PQstatus(connection->handle) == CONNECTION_OK;
}

int cpostgres_look(cpostgres_connection *connection) {
  return PQconsumeInput(connection->handle) == 1 && cpostgres_is_usable(connection);
}

const char *cpostgres_message(const cpostgres_connection *connection) {
  return PQerrorMessage(connection->handle);
}

int cpostgres_socket(const cpostgres_connection *connection) {
  return PQsocket(connection->handle);
}

int cpostgres_process(const cpostgres_connection *connection) {
  return PQbackendPID(connection->handle);
}

int cpostgres_take_warnings(cpostgres_connection *connection) {
  int count = connection->warnings;
  connection->warnings = 0;
  return count;
}

cpostgres_result *cpostgres_prepare(
    cpostgres_connection *connection, const char *name, const char *sql) {
  return (cpostgres_result *)PQprepare(connection->handle, name, sql, 0, NULL);
}

cpostgres_result *cpostgres_run(cpostgres_connection *connection, const char *sql) {
  return (cpostgres_result *)PQexec(connection->handle, sql);
}

int cpostgres_send(
    cpostgres_connection *connection, const char *name, int count, const uint8_t *bytes,
    const int32_t *lengths) {
  const char *values[MAX_VALUES];
  int sizes[MAX_VALUES], formats[MAX_VALUES];
  if (count > MAX_VALUES) return -1;
  const char *next = (const char *)bytes;
  for (int place = 0; place < count; place++) {
    int isNull = lengths[place] < 0;
    sizes[place] = isNull ? 0 : lengths[place];
    values[place] = isNull ? NULL : next ? next : "";
    formats[place] = 1;
    if (next) next += sizes[place];
  }
  return PQsendQueryPrepared(connection->handle, name, count, values, sizes, formats, 1) ? 0 : -1;
}

int cpostgres_begin_pipeline(cpostgres_connection *connection) {
  return PQenterPipelineMode(connection->handle) ? 0 : -1;
}

int cpostgres_end_pipeline(cpostgres_connection *connection) {
  return PQexitPipelineMode(connection->handle) ? 0 : -1;
}

int cpostgres_sync(cpostgres_connection *connection) {
  return PQpipelineSync(connection->handle) ? 0 : -1;
}

cpostgres_result *cpostgres_next(cpostgres_connection *connection) {
  return (cpostgres_result *)PQgetResult(connection->handle);
}

static const PGresult *plain(const cpostgres_result *result) { return (const PGresult *)result; }

int cpostgres_status(const cpostgres_result *result) { return PQresultStatus(plain(result)); }

const char *cpostgres_state(const cpostgres_result *result) {
  const char *state = PQresultErrorField(plain(result), DIAG_SQLSTATE);
  return state ? state : "";
}

const char *cpostgres_error(const cpostgres_result *result) {
  const char *message = PQresultErrorField(plain(result), DIAG_MESSAGE);
  return message ? message : "";
}

const char *cpostgres_tag(const cpostgres_result *result) {
  return PQcmdStatus((PGresult *)result);
}

int cpostgres_rows(const cpostgres_result *result) { return PQntuples(plain(result)); }

int cpostgres_length(const cpostgres_result *result, int row, int column) {
  if (PQgetisnull(plain(result), row, column)) return -1;
  return PQgetlength(plain(result), row, column);
}

const char *cpostgres_value(const cpostgres_result *result, int row, int column) {
  return PQgetvalue(plain(result), row, column);
}

void cpostgres_clear(cpostgres_result *result) { PQclear((PGresult *)result); }
