// SPDX-License-Identifier: Apache-2.0
#include "clients/c/tls.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBSSL

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>

#include "clients/c/socket.h"

struct client_tls {
  SSL_CTX *context;
  BIO_METHOD *method;
  SSL *ssl;  // of the connection there is; NULL: none
  int fd;
  bool wants_write;
  char *name, *token;
  char reason[200];
};

// --- the socket, as OpenSSL sees it

static int bio_result(BIO *bio, ssize_t n, bool writing) {
  BIO_clear_retry_flags(bio);
  if (n >= 0) return (int)n;
  if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return -1;
  if (writing) {
    BIO_set_retry_write(bio);
  } else {
    BIO_set_retry_read(bio);
  }
  return -1;
}

static int bio_write(BIO *bio, const char *data, int length) {
  const client_tls *t = BIO_get_data(bio);
  return bio_result(bio, send(t->fd, data, (size_t)length, MSG_NOSIGNAL), true);
}

static int bio_read(BIO *bio, char *to, int room) {
  const client_tls *t = BIO_get_data(bio);
  return bio_result(bio, recv(t->fd, to, (size_t)room, 0), false);
}

static long bio_control(BIO *bio, int command, long number, void *pointer) {
  (void)bio, (void)number, (void)pointer;
  return command == BIO_CTRL_FLUSH;
}

static BIO_METHOD *make_method(void) {
  // An index of its own would be one of 128 that a process has.
  BIO_METHOD *m = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "client socket");
  if (!m) return NULL;
  BIO_meth_set_write(m, bio_write);
  BIO_meth_set_read(m, bio_read);
  BIO_meth_set_ctrl(m, bio_control);
  return m;
}

// --- settings

static const char *setting(const char *given, const char *variable) {
  if (given) return *given ? given : NULL;
  const char *value = getenv(variable);
  return value && *value ? value : NULL;
}

static bool cannot_use(const char *what, const char *path, char *why, size_t size) {
  unsigned long code = ERR_peek_last_error();
  const char *reason = code ? ERR_reason_error_string(code) : NULL;
  snprintf(why, size, "%s: cannot use '%.100s': %s", what, path, reason ? reason : "unknown");
  ERR_clear_error();
  return false;
}

// A library does not ask at the terminal: a key that needs a pass phrase cannot be used.
static int no_phrase(char *to, int size, int writing, void *data) {
  (void)to, (void)size, (void)writing, (void)data;
  return -1;
}

static bool load_files(client_tls *t, const shape_client_tls *settings, char *why, size_t size) {
  const char *ca = setting(settings->ca, "SHAPED_TLS_CA");
  const char *certificate = setting(settings->certificate, "SHAPED_TLS_CERT");
  const char *key = setting(settings->key, "SHAPED_TLS_KEY");
  ERR_clear_error();
  if (ca ? SSL_CTX_load_verify_locations(t->context, ca, NULL) != 1
         : SSL_CTX_set_default_verify_paths(t->context) != 1) {
    return cannot_use("authorities", ca ? ca : "those of the system", why, size);
  }
  if (!certificate && !key) return true;
  if (!certificate || !key) {
    snprintf(why, size, "a certificate needs its key, and a key its certificate");
    return false;
  }
  if (SSL_CTX_use_certificate_chain_file(t->context, certificate) != 1) {
    return cannot_use("certificate", certificate, why, size);
  }
  return (SSL_CTX_use_PrivateKey_file(t->context, key, SSL_FILETYPE_PEM) == 1 &&
          SSL_CTX_check_private_key(t->context) == 1) ||
         cannot_use("key", key, why, size);
}

// The first line of the file that is neither empty nor a comment: the daemon's own file of tokens will do.
static char *read_token(const char *path, char *why, size_t size) {
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
  OPENSSL_cleanse(line, sizeof line);
  if (!token) snprintf(why, size, "there is no token in '%.100s'", path);
  return token;
}

static bool set_token(client_tls *t, const shape_client_tls *settings, char *why, size_t size) {
  const char *path = settings->token ? NULL : setting(NULL, "SHAPED_TOKEN_FILE");
  if (path) {
    t->token = read_token(path, why, size);
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
  if (t) {
    t->fd = -1;
    t->context = SSL_CTX_new(TLS_client_method());
    t->method = make_method();
    t->name = strdup(settings->name && *settings->name ? settings->name : host);
  }
  if (!t || !t->context || !t->method || !t->name) {
    snprintf(why, size, "out of memory");
  } else {
    SSL_CTX_set_min_proto_version(t->context, TLS1_3_VERSION);
    SSL_CTX_set_default_passwd_cb(t->context, no_phrase);
    SSL_CTX_set_verify(t->context, SSL_VERIFY_PEER, NULL);
    // Bytes that wait to be sent move with the buffer that they wait in.
    SSL_CTX_set_mode(t->context, SSL_MODE_ENABLE_PARTIAL_WRITE |
                                     SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                     SSL_MODE_RELEASE_BUFFERS);
    if (load_files(t, settings, why, size) && set_token(t, settings, why, size)) return t;
  }
  client_tls_free(t);
  return NULL;
}

static void drop(client_tls *t) {
  SSL_free(t->ssl);
  t->ssl = NULL;
  t->fd = -1;
  t->wants_write = false;
}

void client_tls_free(client_tls *t) {
  if (!t) return;
  drop(t);
  SSL_CTX_free(t->context);
  BIO_meth_free(t->method);
  free(t->name);
  if (t->token) OPENSSL_cleanse(t->token, strlen(t->token));
  free(t->token);
  free(t);
}

const char *client_tls_token(const client_tls *t) { return t->token; }
const char *client_tls_reason(const client_tls *t) { return t->reason; }
bool client_tls_wants_write(const client_tls *t) { return t->wants_write; }

// --- connections

// Sets errno, and the reason, for a call of OpenSSL that returned `result`; errno is still that of the socket.
static void note_failure(client_tls *t, int result) {
  int from_socket = errno, what = SSL_get_error(t->ssl, result);
  unsigned long code = ERR_peek_error();
  long verified = SSL_get_verify_result(t->ssl);
  t->wants_write = what == SSL_ERROR_WANT_WRITE;
  if (what == SSL_ERROR_WANT_READ || what == SSL_ERROR_WANT_WRITE) {
    errno = EAGAIN;
  } else if (what == SSL_ERROR_SYSCALL && from_socket) {
    errno = from_socket;
  } else if (ERR_GET_REASON(code) == SSL_R_UNEXPECTED_EOF_WHILE_READING || !code) {
    errno = ECONNRESET;
  } else {
    const char *why = ERR_reason_error_string(code);
    if (verified != X509_V_OK) why = X509_verify_cert_error_string(verified);
    snprintf(t->reason, sizeof t->reason, "TLS: %s", why ? why : "unknown");
    errno = EPROTO;
  }
  ERR_clear_error();
}

static bool prepare(client_tls *t, int fd) {
  BIO *bio = BIO_new(t->method);
  t->ssl = SSL_new(t->context);
  t->fd = fd;
  if (!bio || !t->ssl) {
    BIO_free(bio);
    return false;
  }
  BIO_set_data(bio, t);
  BIO_set_init(bio, 1);
  SSL_set_bio(t->ssl, bio, bio);
  X509_VERIFY_PARAM *expected = SSL_get0_param(t->ssl);
  if (X509_VERIFY_PARAM_set1_ip_asc(expected, t->name) == 1) return true;
  ERR_clear_error();  // no number, so a name
  X509_VERIFY_PARAM_set_hostflags(expected, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT |
                                                X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return SSL_set1_host(t->ssl, t->name) == 1 && SSL_set_tlsext_host_name(t->ssl, t->name) == 1;
}

bool client_tls_begin(client_tls *t, int fd, int64_t deadline) {
  drop(t);
  if (!prepare(t, fd)) {
    drop(t);
    errno = ENOMEM;
    return false;
  }
  for (;;) {
    ERR_clear_error();
    errno = 0;
    int result = SSL_connect(t->ssl);
    if (result == 1) return true;
    note_failure(t, result);
    if (errno != EAGAIN) return false;
    if (!client_wait(fd, t->wants_write ? POLLOUT : POLLIN, deadline)) return false;
  }
}

void client_tls_end(client_tls *t) {
  if (t->ssl && SSL_is_init_finished(t->ssl)) SSL_shutdown(t->ssl);
  ERR_clear_error();
  drop(t);
}

ssize_t client_tls_send(client_tls *t, const char *data, size_t length) {
  size_t sent = 0;
  bool waited = t->wants_write;
  ERR_clear_error();
  errno = 0;
  if (SSL_write_ex(t->ssl, data, length, &sent) == 1) return (ssize_t)sent;
  note_failure(t, 0);
  if (errno == EAGAIN) t->wants_write = waited;  // bytes that are queued say so themselves
  return -1;
}

ssize_t client_tls_recv(client_tls *t, char *to, size_t room) {
  size_t got = 0;
  ERR_clear_error();
  errno = 0;
  t->wants_write = false;
  if (SSL_read_ex(t->ssl, to, room, &got) == 1) return (ssize_t)got;
  if (SSL_get_error(t->ssl, 0) == SSL_ERROR_ZERO_RETURN) return 0;
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
