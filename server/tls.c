// SPDX-License-Identifier: Apache-2.0
#include "server/tls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBSSL

#include <openssl/err.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "server/tls_tokens.h"

struct tls_context {
  SSL_CTX *ssl;
  tls_tokens tokens;
  bool wants_token;
  bool phrase;  // a file wanted a pass phrase
};

struct tls_session {
  SSL *ssl;
  BIO *in, *out;  // the SSL's
  unsigned long error;
  char room[TLS_ROOM];
};

static bool fail(char *error, size_t size, const char *what, const char *path) {
  // The first error is the cause; the last says most where it is no error of the system.
  unsigned long cause = ERR_peek_error(), code = ERR_peek_last_error();
  const char *why = ERR_SYSTEM_ERROR(cause) ? strerror(ERR_GET_REASON(cause))
                    : code                  ? ERR_reason_error_string(code)
                                            : NULL;
  snprintf(error, size, "%s: cannot use '%s': %s", what, path, why ? why : "it holds none");
  ERR_clear_error();
  return false;
}

// A daemon has nobody to ask, and must not wait at a terminal that it happens to have.
static int no_phrase(char *to, int size, int writing, void *data) {
  tls_context *t = data;
  (void)to, (void)size, (void)writing;
  t->phrase = true;
  return -1;
}

static bool fail_key(tls_context *t, const char *path, char *error, size_t size) {
  if (!t->phrase) return fail(error, size, "tls-key", path);
  snprintf(error, size,
           "tls-key: '%s' needs a pass phrase, and the daemon asks nobody: take it off (openssl "
           "pkey -in OLD "
           "-out NEW), and let nobody but the daemon read the file",
           path);
  ERR_clear_error();
  return false;
}

static bool load(tls_context *t, const server_config *c, char *error, size_t size) {
  ERR_clear_error();
  if (!*c->tls_cert || !*c->tls_key) {
    snprintf(error, size, "tls: the options tls-cert and tls-key are needed, too");
    return false;
  }
  if (SSL_CTX_use_certificate_chain_file(t->ssl, c->tls_cert) != 1) {
    return fail(error, size, "tls-cert", c->tls_cert);
  }
  if (SSL_CTX_use_PrivateKey_file(t->ssl, c->tls_key, SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(t->ssl) != 1) {
    return fail_key(t, c->tls_key, error, size);
  }
  t->wants_token = *c->token_file != 0;
  if (t->wants_token && !tls_tokens_read(&t->tokens, c->token_file, error, size)) return false;
  if (!*c->tls_client_ca) {
    if (t->wants_token) return true;
    snprintf(error, size, "tls: clients need a credential: give tls-client-ca, token-file or both");
    return false;
  }
  STACK_OF(X509_NAME) *names = SSL_load_client_CA_file(c->tls_client_ca);
  if (!names || SSL_CTX_load_verify_locations(t->ssl, c->tls_client_ca, NULL) != 1) {
    sk_X509_NAME_pop_free(names, X509_NAME_free);
    return fail(error, size, "tls-client-ca", c->tls_client_ca);
  }
  SSL_CTX_set_client_CA_list(t->ssl, names);
  SSL_CTX_set_verify(t->ssl, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
  return true;
}

tls_context *tls_context_new(const server_config *config, char *error, size_t size) {
  tls_context *t = calloc(1, sizeof *t);
  if (t) t->ssl = SSL_CTX_new(TLS_server_method());
  if (!t || !t->ssl) {
    snprintf(error, size, "tls: no memory");
    tls_context_free(t);
    return NULL;
  }
  SSL_CTX_set_default_passwd_cb(t->ssl, no_phrase);
  SSL_CTX_set_default_passwd_cb_userdata(t->ssl, t);
  SSL_CTX_set_min_proto_version(t->ssl, TLS1_3_VERSION);
  // Every connection shows its credentials anew: nothing is resumed.
  SSL_CTX_set_session_cache_mode(t->ssl, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(t->ssl, 0);
  SSL_CTX_set_mode(t->ssl, SSL_MODE_RELEASE_BUFFERS);
  if (load(t, config, error, size)) return t;
  tls_context_free(t);
  return NULL;
}

void tls_context_free(tls_context *t) {
  if (!t) return;
  SSL_CTX_free(t->ssl);
  OPENSSL_cleanse(&t->tokens, sizeof t->tokens);
  free(t);
}

bool tls_needs_token(const tls_context *t) { return t->wants_token; }

bool tls_knows_token(const tls_context *t, const char *token, size_t length) {
  return tls_tokens_hold(&t->tokens, token, length);
}

tls_session *tls_session_new(tls_context *context) {
  tls_session *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->ssl = SSL_new(context->ssl);
  s->in = BIO_new(BIO_s_mem());
  s->out = BIO_new(BIO_s_mem());
  if (!s->ssl || !s->in || !s->out) {
    BIO_free(s->in);
    BIO_free(s->out);
    SSL_free(s->ssl);
    free(s);
    return NULL;
  }
  SSL_set_bio(s->ssl, s->in, s->out);
  SSL_set_accept_state(s->ssl);
  return s;
}

void tls_session_free(tls_session *s) {
  if (!s) return;
  SSL_free(s->ssl);
  free(s);
}

char *tls_room(tls_session *s) { return s->room; }
bool tls_established(const tls_session *s) { return SSL_is_init_finished(s->ssl); }

bool tls_feed(tls_session *s, const char *data, size_t length) {
  return BIO_write(s->in, data, (int)length) == (int)length;
}

tls_event tls_read(tls_session *s, char *to, size_t room, size_t *length) {
  ERR_clear_error();
  if (SSL_read_ex(s->ssl, to, room, length) == 1) return TLS_DATA;
  int why = SSL_get_error(s->ssl, 0);
  if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) return TLS_MORE;
  if (why == SSL_ERROR_ZERO_RETURN) return TLS_CLOSED;
  s->error = ERR_peek_error();
  ERR_clear_error();
  return TLS_FAILED;
}

bool tls_write(tls_session *s, const char *data, size_t length) {
  size_t written = 0;
  ERR_clear_error();
  return !length || (SSL_write_ex(s->ssl, data, length, &written) == 1 && written == length);
}

char *tls_take(tls_session *s, size_t *length) {
  size_t pending = BIO_ctrl_pending(s->out);
  *length = pending;
  if (!pending) return NULL;
  char *data = malloc(pending);
  if (data && BIO_read_ex(s->out, data, pending, length) == 1) return data;
  free(data);
  *length = 1;
  return NULL;
}

const char *tls_reason(const tls_session *s, char *to, size_t size) {
  long verified = SSL_get_verify_result(s->ssl);
  const char *why = ERR_reason_error_string(s->error);
  if (verified != X509_V_OK) why = X509_verify_cert_error_string(verified);
  snprintf(to, size, "%s", why ? why : "the connection ended");
  return to;
}

const char *tls_peer(const tls_session *s, char *to, size_t size) {
  X509 *cert = SSL_get1_peer_certificate(s->ssl);
  *to = 0;
  if (cert) X509_NAME_oneline(X509_get_subject_name(cert), to, (int)size);
  X509_free(cert);
  return to;
}

#else

tls_context *tls_context_new(const server_config *config, char *error, size_t size) {
  (void)config;
  snprintf(error, size, "tls: this program was built without OpenSSL 3");
  return NULL;
}

void tls_context_free(tls_context *t) { (void)t; }
bool tls_needs_token(const tls_context *t) { return t != NULL; }
bool tls_knows_token(const tls_context *t, const char *token, size_t length) {
  return (void)t, (void)token, (void)length, false;
}
tls_session *tls_session_new(tls_context *t) { return (void)t, NULL; }
void tls_session_free(tls_session *s) { (void)s; }
char *tls_room(tls_session *s) { return (void)s, NULL; }
bool tls_established(const tls_session *s) { return (void)s, false; }
bool tls_feed(tls_session *s, const char *data, size_t length) {
  return (void)s, (void)data, (void)length, false;
}
tls_event tls_read(tls_session *s, char *to, size_t room, size_t *length) {
  return (void)s, (void)to, (void)room, (void)length, TLS_FAILED;
}
bool tls_write(tls_session *s, const char *data, size_t length) {
  return (void)s, (void)data, (void)length, false;
}
char *tls_take(tls_session *s, size_t *length) { return (void)s, *length = 0, NULL; }
const char *tls_reason(const tls_session *s, char *to, size_t size) {
  return (void)s, (void)size, *to = 0, to;
}
const char *tls_peer(const tls_session *s, char *to, size_t size) {
  return (void)s, (void)size, *to = 0, to;
}

#endif
