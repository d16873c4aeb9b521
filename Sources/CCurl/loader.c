#include "CCurl.h"

#ifdef __linux__

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

// The declarations of libcurl that are used (curl/curl.h). Their numbers never change.
typedef void CURL;
typedef void CURLM;
struct curl_slist;
typedef struct {
  int msg;
  CURL *easy_handle;
  union {
    void *whatever;
    int result;
  } data;
} CURLMsg;

struct curl_waitfd {
  int fd;
  short events, revents;
};

enum {
  WAIT_POLLIN = 1,
  GLOBAL_DEFAULT = 3,
  MSG_DONE = 1,
  INFO_PRIVATE = 0x100000 + 21,
  OPT_HTTPGET = 80,
  OPT_POST = 47,
  OPT_NOSIGNAL = 99,
  OPT_PROTOCOLS = 181,
  OPT_TCP_KEEPALIVE = 213,
  OPT_SUPPRESS_CONNECT_HEADERS = 265,
  OPT_WRITEDATA = 10001,
  OPT_URL = 10002,
  OPT_HTTPHEADER = 10023,
  OPT_HEADERDATA = 10029,
  OPT_CUSTOMREQUEST = 10036,
  OPT_ACCEPT_ENCODING = 10102,
  OPT_PRIVATE = 10103,
  OPT_COPYPOSTFIELDS = 10165,
  OPT_WRITEFUNCTION = 20011,
  OPT_HEADERFUNCTION = 20079,
  OPT_POSTFIELDSIZE_LARGE = 30120,
  PROTOCOL_HTTP = 1,
  PROTOCOL_HTTPS = 2,
  LONGEST_WAIT = 60 * 1000
};

#define FUNCTIONS(X)                                                                  \
  X(int, curl_global_init, (long))                                                    \
  X(CURL *, curl_easy_init, (void))                                                   \
  X(int, curl_easy_setopt, (CURL *, int, ...))                                        \
  X(int, curl_easy_getinfo, (CURL *, int, ...))                                       \
  X(const char *, curl_easy_strerror, (int))                                          \
  X(void, curl_easy_cleanup, (CURL *))                                                \
  X(CURLM *, curl_multi_init, (void))                                                 \
  X(int, curl_multi_add_handle, (CURLM *, CURL *))                                    \
  X(int, curl_multi_remove_handle, (CURLM *, CURL *))                                 \
  X(int, curl_multi_perform, (CURLM *, int *))                                        \
  X(int, curl_multi_poll, (CURLM *, struct curl_waitfd *, unsigned, int, int *))      \
  X(CURLMsg *, curl_multi_info_read, (CURLM *, int *))                                \
  X(int, curl_multi_cleanup, (CURLM *))                                               \
  X(struct curl_slist *, curl_slist_append, (struct curl_slist *, const char *))      \
  X(void, curl_slist_free_all, (struct curl_slist *))

#define DECLARE(type, name, arguments) static type(*name) arguments;
FUNCTIONS(DECLARE)

struct ccurl_line {
  CURLM *multi;
  int signal;
};

struct ccurl_exchange {
  CURL *easy;
  struct curl_slist *fields;
  ccurl_receiver receiver;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded = 0;

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(type, name, arguments)                  \
  *(void **)&name = dlsym(library, #name);           \
  if (!name) return;
  FUNCTIONS(FIND)
  is_loaded = curl_global_init(GLOBAL_DEFAULT) == 0;
}

int ccurl_is_installed(void) {
  pthread_once(&once, load);
  return is_loaded;
}

int ccurl_new_signal(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

void ccurl_send_signal(int signal) { eventfd_write(signal, 1); }

ccurl_line *ccurl_open(int signal) {
  ccurl_line *line = malloc(sizeof *line);
  if (line) *line = (ccurl_line){.multi = curl_multi_init(), .signal = signal};
  if (!line || !line->multi) abort();
  return line;
}

void ccurl_close(ccurl_line *line) {
  curl_multi_cleanup(line->multi);
  close(line->signal);
  free(line);
}

static size_t receive_line(char *bytes, size_t size, size_t count, void *context) {
  ccurl_exchange *exchange = context;
  exchange->receiver.line(exchange->receiver.context, bytes, size * count);
  return size * count;
}

static size_t receive_piece(char *bytes, size_t size, size_t count, void *context) {
  ccurl_exchange *exchange = context;
  exchange->receiver.piece(exchange->receiver.context, bytes, size * count);
  return size * count;
}

static void free_exchange(ccurl_line *line, ccurl_exchange *exchange) {
  curl_multi_remove_handle(line->multi, exchange->easy);
  curl_easy_cleanup(exchange->easy);
  curl_slist_free_all(exchange->fields);
  free(exchange);
}

ccurl_exchange *ccurl_begin(ccurl_line *line, const char *url, const char *method,
                            const char *const *fields, const char *body, size_t count,
                            ccurl_receiver receiver) {
  ccurl_exchange *exchange = calloc(1, sizeof *exchange);
  CURL *easy = curl_easy_init();
  if (!exchange || !easy) abort();
  exchange->easy = easy;
  exchange->receiver = receiver;
  for (; *fields; fields++) exchange->fields = curl_slist_append(exchange->fields, *fields);
  curl_easy_setopt(easy, OPT_URL, url);
  curl_easy_setopt(easy, OPT_PROTOCOLS, (long)(PROTOCOL_HTTP | PROTOCOL_HTTPS));
  curl_easy_setopt(easy, OPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, OPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy, OPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy, OPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(easy, OPT_HTTPHEADER, exchange->fields);
  if (body || strcmp(method, "POST") == 0) {
    curl_easy_setopt(easy, OPT_POST, 1L);
    curl_easy_setopt(easy, OPT_POSTFIELDSIZE_LARGE, (long long)count);
    curl_easy_setopt(easy, OPT_COPYPOSTFIELDS, body ? body : "");
  } else {
    curl_easy_setopt(easy, OPT_HTTPGET, 1L);
  }
  curl_easy_setopt(easy, OPT_CUSTOMREQUEST, method);
  curl_easy_setopt(easy, OPT_HEADERFUNCTION, receive_line);
  curl_easy_setopt(easy, OPT_HEADERDATA, exchange);
  curl_easy_setopt(easy, OPT_WRITEFUNCTION, receive_piece);
  curl_easy_setopt(easy, OPT_WRITEDATA, exchange);
  curl_easy_setopt(easy, OPT_PRIVATE, exchange);
  curl_multi_add_handle(line->multi, easy);
  return exchange;
}

void ccurl_cancel(ccurl_line *line, ccurl_exchange *exchange) { free_exchange(line, exchange); }

void ccurl_work(ccurl_line *line) {
  int left;
  eventfd_t count;
  struct curl_waitfd signal = {.fd = line->signal, .events = WAIT_POLLIN};
  curl_multi_poll(line->multi, &signal, 1, LONGEST_WAIT, NULL);
  eventfd_read(line->signal, &count);
  curl_multi_perform(line->multi, &left);
  CURLMsg *message;
  while ((message = curl_multi_info_read(line->multi, &left))) {
    if (message->msg != MSG_DONE) continue;
    int result = message->data.result;
    ccurl_exchange *exchange;
    curl_easy_getinfo(message->easy_handle, INFO_PRIVATE, &exchange);
    exchange->receiver.end(exchange->receiver.context, result ? curl_easy_strerror(result) : NULL);
    free_exchange(line, exchange);
  }
}

#endif
