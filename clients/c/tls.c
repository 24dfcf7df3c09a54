// SPDX-License-Identifier: Apache-2.0
#include "clients/c/tls.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBSSL

#include <poll.h>
#include <pthread.h>
#include <signal.h>

#include "clients/c/openssl.h"
#include "clients/c/socket.h"

struct client_tls {
  openssl_api api;
  SSL_CTX *context;
  SSL *ssl;  // of the connection there is; NULL: none
  bool wants_write;
  char *name, *token;
  char reason[200];
};

// --- signals

// OpenSSL writes to the socket without MSG_NOSIGNAL. Around its calls SIGPIPE is blocked in this thread, and one that came
// of them is taken away, so that a program needs no handler.
typedef struct quiet {
  sigset_t pipe, before;
  bool pending;  // another one, from before
} quiet;

static void begin_quiet(quiet *q) {
  sigset_t pending;
  sigemptyset(&q->pipe);
  sigaddset(&q->pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &q->pipe, &q->before);
  q->pending = sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE);
  errno = 0;
}

// errno stays what it is.
static void end_quiet(const quiet *q) {
  static const struct timespec at_once = {0};
  int kept = errno;
  while (!q->pending && sigtimedwait(&q->pipe, NULL, &at_once) < 0 && errno == EINTR) continue;
  pthread_sigmask(SIG_SETMASK, &q->before, NULL);
  errno = kept;
}

// --- settings

static const char *setting(const char *given, const char *variable) {
  if (given) return *given ? given : NULL;
  const char *value = getenv(variable);
  return value && *value ? value : NULL;
}

static bool cannot_use(const openssl_api *o, const char *what, const char *path, char *why,
                       size_t size) {
  unsigned long code = o->ERR_peek_last_error();
  const char *reason = code ? o->ERR_reason_error_string(code) : NULL;
  snprintf(why, size, "%s: cannot use '%.100s': %s", what, path, reason ? reason : "unknown");
  o->ERR_clear_error();
  return false;
}

// A library does not ask at the terminal: a key that needs a pass phrase cannot be used.
static int no_phrase(char *to, int size, int writing, void *data) {
  (void)to, (void)size, (void)writing, (void)data;
  return -1;
}

static bool load_files(client_tls *t, const shape_client_tls *settings, char *why, size_t size) {
  const openssl_api *o = &t->api;
  const char *ca = setting(settings->ca, "SHAPED_TLS_CA");
  const char *certificate = setting(settings->certificate, "SHAPED_TLS_CERT");
  const char *key = setting(settings->key, "SHAPED_TLS_KEY");
  o->ERR_clear_error();
  if (ca ? o->SSL_CTX_load_verify_locations(t->context, ca, NULL) != 1
         : o->SSL_CTX_set_default_verify_paths(t->context) != 1) {
    return cannot_use(o, "authorities", ca ? ca : "those of the system", why, size);
  }
  if (!certificate && !key) return true;
  if (!certificate || !key) {
    snprintf(why, size, "a certificate needs its key, and a key its certificate");
    return false;
  }
  if (o->SSL_CTX_use_certificate_chain_file(t->context, certificate) != 1) {
    return cannot_use(o, "certificate", certificate, why, size);
  }
  return (o->SSL_CTX_use_PrivateKey_file(t->context, key, SSL_FILETYPE_PEM) == 1 &&
          o->SSL_CTX_check_private_key(t->context) == 1) ||
         cannot_use(o, "key", key, why, size);
}

// The first line of the file that is neither empty nor a comment: the daemon's own file of tokens will do.
static char *read_token(const openssl_api *o, const char *path, char *why, size_t size) {
  char line[CLIENT_TOKEN_MAX + 2];
  FILE *file = fopen(path, "r");
  if (!file) {
    snprintf(why, size, "cannot read '%.100s': %s", path, strerror(errno));
    return NULL;
  }
  char *token = NULL;
  while (!token && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\r\n")] = '\0';
    if (*line && *line != '#') token = strdup(line);
  }
  fclose(file);
  o->OPENSSL_cleanse(line, sizeof line);
  if (!token) snprintf(why, size, "there is no token in '%.100s'", path);
  return token;
}

static bool set_token(client_tls *t, const shape_client_tls *settings, char *why, size_t size) {
  const char *path = settings->token ? NULL : setting(NULL, "SHAPED_TOKEN_FILE");
  if (path) {
    t->token = read_token(&t->api, path, why, size);
    return t->token != NULL;
  }
  if (!settings->token || !*settings->token) return true;
  t->token = strdup(settings->token);
  if (t->token && strlen(t->token) <= CLIENT_TOKEN_MAX) return true;
  snprintf(why, size, "a token has at most %d bytes", CLIENT_TOKEN_MAX);
  return false;
}

client_tls *client_tls_new(const shape_client_tls *settings, const char *host, char *why,
                           size_t size) {
  static const shape_client_tls none = {.ca = NULL};
  if (!settings) settings = &none;
  client_tls *t = calloc(1, sizeof *t);
  if (!t || !openssl_load(&t->api, why, size)) {
    if (!t) snprintf(why, size, "out of memory");
    free(t);
    return NULL;
  }
  const openssl_api *o = &t->api;
  t->context = o->SSL_CTX_new(o->TLS_client_method());
  t->name = strdup(settings->name && *settings->name ? settings->name : host);
  if (!t->context || !t->name) {
    snprintf(why, size, "out of memory");
  } else {
    o->SSL_CTX_ctrl(t->context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_3_VERSION, NULL);
    o->SSL_CTX_set_default_passwd_cb(t->context, no_phrase);
    o->SSL_CTX_set_verify(t->context, SSL_VERIFY_PEER, NULL);
    // Bytes that wait to be sent move with the buffer that they wait in.
    const long mode = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                      SSL_MODE_RELEASE_BUFFERS;
    o->SSL_CTX_ctrl(t->context, SSL_CTRL_MODE, mode, NULL);
    if (load_files(t, settings, why, size) && set_token(t, settings, why, size)) return t;
  }
  client_tls_free(t);
  return NULL;
}

static void drop(client_tls *t) {
  t->api.SSL_free(t->ssl);
  t->ssl = NULL;
  t->wants_write = false;
}

void client_tls_free(client_tls *t) {
  if (!t) return;
  drop(t);
  t->api.SSL_CTX_free(t->context);
  free(t->name);
  if (t->token) t->api.OPENSSL_cleanse(t->token, strlen(t->token));
  free(t->token);
  openssl_unload(&t->api);
  free(t);
}

const char *client_tls_token(const client_tls *t) { return t->token; }
const char *client_tls_reason(const client_tls *t) { return t->reason; }
bool client_tls_wants_write(const client_tls *t) { return t->wants_write; }

// --- connections

// Sets errno, and the reason, for a call of OpenSSL that returned `result`; errno is still that of the socket.
static void note_failure(client_tls *t, int result) {
  const openssl_api *o = &t->api;
  int from_socket = errno, what = o->SSL_get_error(t->ssl, result);
  unsigned long code = o->ERR_peek_error();
  long verified = o->SSL_get_verify_result(t->ssl);
  t->wants_write = what == SSL_ERROR_WANT_WRITE;
  if (what == SSL_ERROR_WANT_READ || what == SSL_ERROR_WANT_WRITE) {
    errno = EAGAIN;
  } else if (what == SSL_ERROR_SYSCALL && from_socket) {
    errno = from_socket;
  } else if (ERR_GET_REASON(code) == SSL_R_UNEXPECTED_EOF_WHILE_READING || !code) {
    errno = ECONNRESET;
  } else {
    const char *why = o->ERR_reason_error_string(code);
    if (verified != X509_V_OK) why = o->X509_verify_cert_error_string(verified);
    snprintf(t->reason, sizeof t->reason, "TLS: %s", why ? why : "unknown");
    errno = EPROTO;
  }
  o->ERR_clear_error();
}

static bool prepare(client_tls *t, int fd) {
  const openssl_api *o = &t->api;
  t->ssl = o->SSL_new(t->context);
  if (!t->ssl || o->SSL_set_fd(t->ssl, fd) != 1) return false;
  X509_VERIFY_PARAM *expected = o->SSL_get0_param(t->ssl);
  if (o->X509_VERIFY_PARAM_set1_ip_asc(expected, t->name) == 1) return true;
  o->ERR_clear_error();  // no number, so a name
  o->X509_VERIFY_PARAM_set_hostflags(expected, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT |
                                                   X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return o->SSL_set1_host(t->ssl, t->name) == 1 &&
         o->SSL_ctrl(t->ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, t->name) == 1;
}

bool client_tls_begin(client_tls *t, int fd, int64_t deadline) {
  drop(t);
  if (!prepare(t, fd)) {
    drop(t);
    errno = ENOMEM;
    return false;
  }
  for (;;) {
    quiet q;
    t->api.ERR_clear_error();
    begin_quiet(&q);
    int result = t->api.SSL_connect(t->ssl);
    end_quiet(&q);
    if (result == 1) return true;
    note_failure(t, result);
    if (errno != EAGAIN) return false;
    if (!client_wait(fd, t->wants_write ? POLLOUT : POLLIN, deadline)) return false;
  }
}

void client_tls_end(client_tls *t) {
  quiet q;
  begin_quiet(&q);
  if (t->ssl && t->api.SSL_is_init_finished(t->ssl)) t->api.SSL_shutdown(t->ssl);
  end_quiet(&q);
  t->api.ERR_clear_error();
  drop(t);
}

ssize_t client_tls_send(client_tls *t, const char *data, size_t length) {
  quiet q;
  size_t sent = 0;
  bool waited = t->wants_write;
  t->api.ERR_clear_error();
  begin_quiet(&q);
  int result = t->api.SSL_write_ex(t->ssl, data, length, &sent);
  end_quiet(&q);
  if (result == 1) return (ssize_t)sent;
  note_failure(t, 0);
  if (errno == EAGAIN) t->wants_write = waited;  // bytes that are queued say so themselves
  return -1;
}

ssize_t client_tls_recv(client_tls *t, char *to, size_t room) {
  quiet q;
  size_t got = 0;
  t->wants_write = false;
  t->api.ERR_clear_error();
  begin_quiet(&q);
  int result = t->api.SSL_read_ex(t->ssl, to, room, &got);
  end_quiet(&q);
  if (result == 1) return (ssize_t)got;
  if (t->api.SSL_get_error(t->ssl, 0) == SSL_ERROR_ZERO_RETURN) return 0;
  note_failure(t, 0);
  return -1;
}

#else

client_tls *client_tls_new(const shape_client_tls *settings, const char *host, char *why,
                           size_t size) {
  (void)settings, (void)host;
  snprintf(why, size, "this client was built without OpenSSL 3, so without TLS");
  return NULL;
}

void client_tls_free(client_tls *t) { (void)t; }
const char *client_tls_token(const client_tls *t) { return (void)t, NULL; }
bool client_tls_begin(client_tls *t, int fd, int64_t deadline) {
  return (void)t, (void)fd, (void)deadline, errno = EPROTO, false;
}
void client_tls_end(client_tls *t) { (void)t; }
ssize_t client_tls_send(client_tls *t, const char *data, size_t length) {
  return (void)t, (void)data, (void)length, errno = EPROTO, -1;
}
ssize_t client_tls_recv(client_tls *t, char *to, size_t room) {
  return (void)t, (void)to, (void)room, errno = EPROTO, -1;
}
bool client_tls_wants_write(const client_tls *t) { return (void)t, false; }
const char *client_tls_reason(const client_tls *t) { return (void)t, ""; }

#endif
