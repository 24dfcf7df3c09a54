// SPDX-License-Identifier: Apache-2.0
#include "server/tls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBSSL

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "server/tls_tokens.h"

struct tls_context {
  SSL_CTX *ssl;
  tls_tokens tokens;
  bool wants_token, wants_certificate;
  bool phrase;  // a file wanted a pass phrase
};

struct tls_session {
  SSL *ssl;
  BIO *in, *out;  // the SSL's
  bool asked;     // for a certificate, when it began
  unsigned long error;
  char room[TLS_ROOM];
};

static bool fail(char *error, size_t size, const char *what, const char *path) {
  // The first error is the cause; the last says most where it is not an error of the system.
  unsigned long cause = ERR_peek_error(), code = ERR_peek_last_error();
  const char *why = ERR_SYSTEM_ERROR(cause) ? strerror(ERR_GET_REASON(cause))
                    : code                  ? ERR_reason_error_string(code)
                                            : NULL;
  snprintf(error, size, "%s: cannot use '%s': %s", what, path, why ? why : "it holds none");
  ERR_clear_error();
  return false;
}

// A daemon cannot ask for a pass phrase, and must not wait at a terminal that it happens to have.
static int no_phrase(char *to, int size, int writing, void *data) {
  tls_context *t = data;
  (void)to, (void)size, (void)writing;
  t->phrase = true;
  return -1;
}

static bool fail_key(tls_context *t, const char *path, char *error, size_t size) {
  if (!t->phrase) return fail(error, size, "tls-key", path);
  snprintf(
      error, size,
      "tls-key: '%s' needs a pass phrase, and the daemon cannot ask for one: remove it (openssl "
      "pkey -in OLD "
      "-out NEW), and let only the daemon read the file",
      path);
  ERR_clear_error();
  return false;
}

// Lists of revoked certificates, one of each authority: without one, none of its certificates is good.
static bool load_revoked(tls_context *t, const server_config *c, char *error, size_t size) {
  X509_STORE *store = SSL_CTX_get_cert_store(t->ssl);
  X509_LOOKUP *lookup = X509_STORE_add_lookup(store, X509_LOOKUP_file());
  if (!lookup || X509_load_crl_file(lookup, c->tls_crl, X509_FILETYPE_PEM) < 1 ||
      X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL) != 1) {
    return fail(error, size, "tls-crl", c->tls_crl);
  }
  return true;
}

static bool load_authorities(tls_context *t, const server_config *c, char *error, size_t size) {
  STACK_OF(X509_NAME) *names = SSL_load_client_CA_file(c->tls_client_ca);
  if (!names || SSL_CTX_load_verify_locations(t->ssl, c->tls_client_ca, NULL) != 1) {
    sk_X509_NAME_pop_free(names, X509_NAME_free);
    return fail(error, size, "tls-client-ca", c->tls_client_ca);
  }
  SSL_CTX_set_client_CA_list(t->ssl, names);
  SSL_CTX_set_verify(t->ssl, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
  return !*c->tls_crl || load_revoked(t, c, error, size);
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
  t->wants_certificate = *c->tls_client_ca != 0;
  if (t->wants_token && !tls_tokens_read(&t->tokens, c->token_file, error, size)) return false;
  if (!t->wants_certificate && *c->tls_crl) {
    snprintf(error, size, "tls-crl: it needs tls-client-ca");
    return false;
  }
  if (t->wants_certificate) return load_authorities(t, c, error, size);
  if (t->wants_token) return true;
  snprintf(error, size, "tls: clients need a credential: give tls-client-ca, token-file or both");
  return false;
}
tls_context *tls_context_new(const server_config *config, char *error, size_t size) {
  tls_context *t = calloc(1, sizeof *t);
  if (t) t->ssl = SSL_CTX_new(TLS_server_method());
  if (!t || !t->ssl) {
    snprintf(error, size, "tls: out of memory");
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

bool tls_knows_token(const tls_context *t, const char *token, size_t length, tls_token *shown) {
  tls_tokens_digest(token, length, shown->digest);
  shown->shown = tls_tokens_hold(&t->tokens, shown->digest);
  return shown->shown;
}

// Whether the certificate that the session showed is one that the context takes.
static bool verify_again(const tls_context *t, const SSL *ssl) {
  X509 *cert = SSL_get0_peer_certificate(ssl);
  X509_STORE_CTX *work = cert ? X509_STORE_CTX_new() : NULL;
  bool good = work &&
              X509_STORE_CTX_init(work, SSL_CTX_get_cert_store(t->ssl), cert,
                                  SSL_get_peer_cert_chain(ssl)) == 1 &&
              X509_STORE_CTX_set_default(work, "ssl_client") == 1 && X509_verify_cert(work) == 1;
  X509_STORE_CTX_free(work);
  ERR_clear_error();
  return good;
}

bool tls_still_good(const tls_context *t, const tls_session *s, const tls_token *token) {
  // A handshake goes on as it began, so one that did not ask for what is needed now cannot do.
  if (!SSL_is_init_finished(s->ssl)) return s->asked || !t->wants_certificate;
  if (t->wants_certificate && !verify_again(t, s->ssl)) return false;
  return !token || !t->wants_token || (token->shown && tls_tokens_hold(&t->tokens, token->digest));
}

void tls_name(const tls_session *s, const tls_token *token, char *to, size_t size) {
  enum { DIGEST = SHA256_DIGEST_LENGTH, SHOWN = 20 };
  unsigned char digest[DIGEST] = {0}, names[2 * DIGEST] = {0};
  X509 *cert = SSL_get0_peer_certificate(s->ssl);
  if (cert) {
    X509_NAME_digest(X509_get_issuer_name(cert), EVP_sha256(), names, NULL);
    X509_NAME_digest(X509_get_subject_name(cert), EVP_sha256(), names + DIGEST, NULL);
    SHA256(names, sizeof names, digest);
  } else if (token) {
    SHA256(token->digest, sizeof token->digest,
           digest);  // not what a file of tokens would be searched for
  }
  size_t used = (size_t)snprintf(to, size, "%s:", cert ? "cert" : "token");
  for (unsigned i = 0; i < SHOWN && used + 3 <= size; i++) {
    used += (size_t)snprintf(to + used, size - used, "%02x", digest[i]);
  }
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
  s->asked = context->wants_certificate;
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
bool tls_knows_token(const tls_context *t, const char *token, size_t length, tls_token *shown) {
  return (void)t, (void)token, (void)length, (void)shown, false;
}
bool tls_still_good(const tls_context *t, const tls_session *s, const tls_token *token) {
  return (void)t, (void)s, (void)token, false;
}
void tls_name(const tls_session *s, const tls_token *token, char *to, size_t size) {
  (void)s, (void)token, snprintf(to, size, "token:");
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
