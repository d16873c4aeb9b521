#pragma once
#include <stddef.h>

// Requests of libcurl, which is loaded at run time, so that no headers of it are needed. Foundation
// for Linux needs the same library.

/// A set of connections, for one thread.
typedef struct ccurl_line ccurl_line;
/// A running request.
typedef struct ccurl_exchange ccurl_exchange;

/// Functions that receive an answer, on the thread of the line.
typedef struct {
  void *context;
  /// Receives a line of a head, with its line break.
  void (*line)(void *context, const char *bytes, size_t count);
  /// Receives a piece of the content, decompressed.
  void (*piece)(void *context, const char *bytes, size_t count);
  /// Receives the fault that ended the exchange, or NULL. The exchange is freed afterwards.
  void (*end)(void *context, const char *fault);
} ccurl_receiver;

/// Returns 1 if libcurl 7.66 or later is installed.
int ccurl_is_installed(void);
/// Creates a signal that ends the wait of a line; -1 if there are no descriptors left.
int ccurl_new_signal(void);
/// Ends the wait of the line that has a signal, from any thread.
void ccurl_send_signal(int signal);

/// Opens a line, which takes over a signal.
ccurl_line *ccurl_open(int signal);
/// Closes a line that has no exchanges, and its signal.
void ccurl_close(ccurl_line *line);

/// Begins an exchange. `fields` are lines of the head, and end with NULL. A `body` may be NULL.
ccurl_exchange *ccurl_begin(ccurl_line *line, const char *url, const char *method,
                            const char *const *fields, const char *body, size_t count,
                            ccurl_receiver receiver);
/// Ends an exchange early. Its receiver is not called again.
void ccurl_cancel(ccurl_line *line, ccurl_exchange *exchange);

/// Waits until something happens, and calls the receivers.
void ccurl_work(ccurl_line *line);
