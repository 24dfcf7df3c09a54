// SPDX-License-Identifier: Apache-2.0
// TLS over memory: the other side is OpenSSL's client, which sees nothing but the bytes that are to be sent.
#ifdef HAVE_LIBSSL

#include "server/tls.h"

#include <criterion/criterion.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOKEN "a-token-of-the-file"

typedef struct world {
  char folder[32], cert[64], key[64], tokens[64], error[256];
  X509 *x509;
  EVP_PKEY *pkey;
  server_config config;
} world;

static FILE *create(const char *path) {
  FILE *f = fopen(path, "w");
  cr_assert(f && fchmod(fileno(f), 0600) == 0);
  return f;
}

// A certificate that is its own authority.
static void certify(world *w) {
  w->pkey = EVP_EC_gen("P-256");
  w->x509 = X509_new();
  cr_assert(w->pkey && w->x509);
  X509_NAME *name = X509_get_subject_name(w->x509);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"unit", -1, -1, 0);
  X509_set_issuer_name(w->x509, name);
  X509_set_version(w->x509, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(w->x509), 1);
  X509_gmtime_adj(X509_getm_notBefore(w->x509), -3600);
  X509_gmtime_adj(X509_getm_notAfter(w->x509), 3600);
  X509_set_pubkey(w->x509, w->pkey);
  cr_assert(X509_sign(w->x509, w->pkey, EVP_sha256()) > 0);
}

static void world_open(world *w) {
  memset(w, 0, sizeof *w);
  strcpy(w->folder, "/tmp/shaped-tls-XXXXXX");
  cr_assert(mkdtemp(w->folder));
  snprintf(w->cert, sizeof w->cert, "%s/cert", w->folder);
  snprintf(w->key, sizeof w->key, "%s/key", w->folder);
  snprintf(w->tokens, sizeof w->tokens, "%s/tokens", w->folder);
  certify(w);
  FILE *f = create(w->cert);
  cr_assert_eq(PEM_write_X509(f, w->x509), 1);
  fclose(f);
  f = create(w->key);
  cr_assert_eq(PEM_write_PrivateKey(f, w->pkey, NULL, NULL, 0, NULL, NULL), 1);
  fclose(f);
  f = create(w->tokens);
  fputs(TOKEN "\n", f);
  fclose(f);
  char *argv[] = {"shaped", NULL};
  config_line line;
  cr_assert(config_read(&w->config, 1, argv, &line, w->error, sizeof w->error), "%s", w->error);
  snprintf(w->config.tls_cert, sizeof w->config.tls_cert, "%s", w->cert);
  snprintf(w->config.tls_key, sizeof w->config.tls_key, "%s", w->key);
}

static void world_close(world *w) {
  unlink(w->cert);
  unlink(w->key);
  unlink(w->tokens);
  rmdir(w->folder);
  X509_free(w->x509);
  EVP_PKEY_free(w->pkey);
}

static void use_tokens(world *w) {
  snprintf(w->config.token_file, sizeof w->config.token_file, "%s", w->tokens);
}

static void use_authority(world *w) {
  snprintf(w->config.tls_client_ca, sizeof w->config.tls_client_ca, "%s", w->cert);
}

static tls_context *context_of(world *w) {
  tls_context *t = tls_context_new(&w->config, w->error, sizeof w->error);
  cr_assert(t, "%s", w->error);
  return t;
}

// --- the client

typedef struct client {
  SSL_CTX *context;
  SSL *ssl;
  BIO *in, *out;
} client;

static client client_open(const world *w, bool certificate) {
  client c = {.context = SSL_CTX_new(TLS_client_method())};
  if (certificate) {
    cr_assert_eq(SSL_CTX_use_certificate(c.context, w->x509), 1);
    cr_assert_eq(SSL_CTX_use_PrivateKey(c.context, w->pkey), 1);
  }
  c.ssl = SSL_new(c.context);
  c.in = BIO_new(BIO_s_mem());
  c.out = BIO_new(BIO_s_mem());
  SSL_set_bio(c.ssl, c.in, c.out);
  SSL_set_connect_state(c.ssl);
  return c;
}

static void client_close(client *c) {
  SSL_free(c->ssl);
  SSL_CTX_free(c->context);
}

// Bytes in both directions until both have nothing to say; what the server read last.
static tls_event exchange(tls_session *s, client *c, char *to, size_t room, size_t *length) {
  tls_event last = TLS_MORE;
  for (int i = 0; i < 16; i++) {
    char bytes[TLS_ROOM];
    if (!SSL_is_init_finished(c->ssl)) SSL_do_handshake(c->ssl);
    int n = BIO_read(c->out, bytes, sizeof bytes);
    if (n > 0) cr_assert(tls_feed(s, bytes, (size_t)n));
    if (last == TLS_MORE) last = tls_read(s, to, room, length);
    size_t taken;
    char *out = tls_take(s, &taken);
    if (out) cr_assert_eq(BIO_write(c->in, out, (int)taken), (int)taken);
    free(out);
    if (n <= 0 && !taken) break;
  }
  return last;
}

// --- tests

Test(tls, a_context_needs_a_key_and_a_credential_of_clients) {
  world w;
  world_open(&w);
  cr_expect_null(tls_context_new(&w.config, w.error, sizeof w.error));
  cr_expect(strstr(w.error, "clients need a credential"), "%s", w.error);
  use_tokens(&w);
  tls_context *t = context_of(&w);
  cr_expect(tls_needs_token(t));
  tls_context_free(t);
  w.config.tls_key[0] = 0;
  cr_expect_null(tls_context_new(&w.config, w.error, sizeof w.error));
  cr_expect(strstr(w.error, "tls-key"), "%s", w.error);
  snprintf(w.config.tls_key, sizeof w.config.tls_key, "%s", w.tokens);  // no key
  cr_expect_null(tls_context_new(&w.config, w.error, sizeof w.error));
  cr_expect(strstr(w.error, w.tokens), "%s", w.error);
  snprintf(w.config.tls_key, sizeof w.config.tls_key, "%s", w.key);
  snprintf(w.config.tls_crl, sizeof w.config.tls_crl, "%s", w.cert);
  cr_expect_null(tls_context_new(&w.config, w.error, sizeof w.error));
  cr_expect(strstr(w.error, "tls-crl"), "%s", w.error);
  tls_context_free(NULL);
  world_close(&w);
}

Test(tls, a_client_with_a_token_is_heard_and_answered) {
  world w;
  world_open(&w);
  use_tokens(&w);
  tls_context *t = context_of(&w);
  tls_session *s = tls_session_new(t);
  client c = client_open(&w, false);
  char got[64], name[64];
  size_t length = 0;
  cr_assert_not(tls_established(s));
  cr_expect(tls_still_good(t, s, NULL));
  cr_expect_eq(exchange(s, &c, got, sizeof got, &length), TLS_MORE);
  cr_assert(tls_established(s) && SSL_is_init_finished(c.ssl));
  cr_assert_eq(SSL_write(c.ssl, "ask", 3), 3);
  cr_assert_eq(exchange(s, &c, got, sizeof got, &length), TLS_DATA);
  cr_expect(length == 3 && memcmp(got, "ask", 3) == 0);
  cr_assert(tls_write(s, "answer", 6) && tls_write(s, "", 0));
  exchange(s, &c, got, sizeof got, &length);
  cr_expect(SSL_read(c.ssl, got, sizeof got) == 6 && memcmp(got, "answer", 6) == 0);

  tls_token token, other;
  cr_expect(tls_knows_token(t, TOKEN, strlen(TOKEN), &token) && token.shown);
  cr_expect_not(tls_knows_token(t, TOKEN, strlen(TOKEN) - 1, &other) || other.shown);
  cr_expect(tls_still_good(t, s, &token));
  cr_expect_not(tls_still_good(t, s, &other));
  tls_name(s, &token, name, sizeof name);
  cr_expect(strncmp(name, "token:", 6) == 0 && strlen(name) == 46, "%s", name);
  cr_expect_str_eq(tls_peer(s, got, sizeof got), "");

  cr_assert_eq(SSL_shutdown(c.ssl), 0);
  cr_expect_eq(exchange(s, &c, got, sizeof got, &length), TLS_CLOSED);
  client_close(&c);
  tls_session_free(s);
  tls_context_free(t);
  world_close(&w);
}

Test(tls, a_certificate_is_shown_where_an_authority_is_given) {
  world w;
  world_open(&w);
  use_authority(&w);
  tls_context *t = context_of(&w);
  char got[64], name[64];
  size_t length = 0;
  for (int shown = 0; shown < 2; shown++) {
    tls_session *s = tls_session_new(t);
    client c = client_open(&w, shown);
    cr_expect_eq(exchange(s, &c, got, sizeof got, &length), shown ? TLS_MORE : TLS_FAILED);
    cr_expect_eq(tls_established(s), (bool)shown);
    if (shown) {
      tls_name(s, NULL, name, sizeof name);
      cr_expect(strncmp(name, "cert:", 5) == 0 && strlen(name) == 45, "%s", name);
      cr_expect(strstr(tls_peer(s, got, sizeof got), "CN=unit"), "%s", got);
      cr_expect(tls_still_good(t, s, NULL));
    } else {
      cr_expect(strstr(tls_reason(s, got, sizeof got), "certificate"), "%s", got);
    }
    client_close(&c);
    tls_session_free(s);
  }
  cr_expect_not(tls_needs_token(t));
  tls_context_free(t);
  world_close(&w);
}

// A certificate, or a handshake, that did for an earlier context does not where the new one takes others.
Test(tls, what_was_good_is_judged_by_the_newest_context) {
  world w, other;
  world_open(&w);
  world_open(&other);
  use_authority(&w);
  use_authority(&other);
  tls_context *t = context_of(&w), *newer = context_of(&other);
  tls_session *s = tls_session_new(t);
  client c = client_open(&w, true);
  char got[64];
  size_t length;
  exchange(s, &c, got, sizeof got, &length);
  cr_assert(tls_established(s));
  cr_expect(tls_still_good(t, s, NULL));
  cr_expect_not(tls_still_good(newer, s, NULL));
  client_close(&c);
  tls_session_free(s);

  w.config.tls_client_ca[0] = 0;
  use_tokens(&w);
  tls_context *by_token = context_of(&w);
  s = tls_session_new(by_token);
  cr_expect(tls_still_good(by_token, s, NULL));
  cr_expect_not(tls_still_good(newer, s, NULL));  // it asked for no certificate
  tls_session_free(s);
  tls_context_free(by_token);
  tls_context_free(t);
  tls_context_free(newer);
  world_close(&w);
  world_close(&other);
}

Test(tls, what_is_no_handshake_ends_with_an_alert) {
  world w;
  world_open(&w);
  use_tokens(&w);
  tls_context *t = context_of(&w);
  tls_session *s = tls_session_new(t);
  char got[64];
  size_t length;
  cr_expect_null(tls_take(s, &length));
  cr_expect_eq(length, 0);
  cr_assert(tls_feed(s, "GET / HTTP/1.1\r\n\r\n", 18));
  cr_expect_eq(tls_read(s, got, sizeof got, &length), TLS_FAILED);
  cr_expect(*tls_reason(s, got, sizeof got));
  cr_expect_not(tls_established(s));
  cr_expect(tls_room(s));
  tls_session_free(s);
  tls_session_free(NULL);
  tls_context_free(t);
  world_close(&w);
}

#endif
