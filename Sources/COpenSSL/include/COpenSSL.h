// The system's OpenSSL, with functions for its macros.
#ifndef FLIPSIDE_COPENSSL_H
#define FLIPSIDE_COPENSSL_H

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

/// Where a session reads the peer's bytes and writes its own, for one call. It keeps no pointer to them afterwards, so
/// the same two buffers serve any number of sessions.
typedef struct {
    const unsigned char *input;
    size_t input_count;
    unsigned char *output;
    size_t output_capacity;
    size_t output_count;
} flipside_wire;

/// The result of a call. Waiting is for more bytes of the peer, or for room, which an ample output never lacks.
typedef enum {
    flipside_tls_done,
    flipside_tls_waiting,
    flipside_tls_closed,
    flipside_tls_failed,
} flipside_tls_outcome;

/// A context with what this program requires of every session: TLS 1.2 or later, only AEAD suites with forward secrecy,
/// no renegotiation, no compression, buffers freed when idle, tickets instead of a cache, ALPN http/1.1. NULL if there
/// is no memory.
SSL_CTX *flipside_tls_context(int is_server);

/// A session whose bytes go through `flipside_wire`. NULL if there is no memory.
SSL *flipside_tls_session(SSL_CTX *context, int is_server);

/// Makes a client send the host it wants, unless that is an address (RFC 6066 section 3), and check it against the
/// certificate. 1 on success.
int flipside_tls_name(SSL *ssl, const char *name);

/// Continues the handshake, then decrypts up to `capacity` bytes.
flipside_tls_outcome flipside_tls_read(SSL *ssl, flipside_wire *wire, void *bytes, size_t capacity, size_t *count);
/// Encrypts up to one record.
flipside_tls_outcome flipside_tls_write(SSL *ssl, flipside_wire *wire, const void *bytes, size_t count, size_t *taken);
/// Tells the peer that nothing more will be sent (close_notify).
void flipside_tls_close(SSL *ssl, flipside_wire *wire);

/// Switches sessions that start with `first` to the first of `contexts` whose certificate has the requested name, if
/// one does (RFC 6066 section 3). NULL ends `contexts`, which must outlive the sessions.
void flipside_tls_choose_by_name(SSL_CTX *first, SSL_CTX *const *contexts);

/// An authority's statement about a certificate in DER (OCSP, RFC 6960), and when it expires, in seconds since 1970.
typedef struct {
    const unsigned char *bytes;
    size_t size;
    int64_t end;
} flipside_staple;

typedef enum {
    flipside_ocsp_good,
    flipside_ocsp_malformed,
    /// Not about the context's certificate.
    flipside_ocsp_of_another,
    /// Revoked or unknown.
    flipside_ocsp_not_good,
    /// Does not say when it expires.
    flipside_ocsp_endless,
} flipside_ocsp_verdict;

/// Judges `staple` for the certificate of `context`, and sets its `end` if the result is good. Clients check the
/// signature.
flipside_ocsp_verdict flipside_ocsp_judge(SSL_CTX *context, flipside_staple *staple);
/// Sends `staple`, which must outlive the sessions, to clients that ask for it (RFC 6066 section 8).
void flipside_tls_staple(SSL_CTX *context, flipside_staple *staple);
/// Tells a session the time, in seconds since 1970.
void flipside_tls_time(SSL *ssl, int64_t now);

/// When the certificate of `context` is valid, in seconds since 1970. 1 if it says so.
int flipside_tls_validity(SSL_CTX *context, int64_t *begin, int64_t *end);

/// For contexts without tickets.
static const uint64_t flipside_tls_no_tickets = SSL_OP_NO_TICKET;

/// The keys of session tickets, shared by contexts and threads. The current one makes tickets; the previous one is
/// still accepted.
typedef struct flipside_ticket_keys flipside_ticket_keys;
enum { flipside_ticket_key_bytes = 80 };

/// Starts with one key of `flipside_ticket_key_bytes` random bytes; NULL if there is no memory.
flipside_ticket_keys *flipside_ticket_keys_make(const unsigned char *first);
void flipside_ticket_keys_free(flipside_ticket_keys *keys);
/// Makes `next` the current key and forgets the previous one. 1 on success.
int flipside_ticket_keys_rotate(flipside_ticket_keys *keys, const unsigned char *next);
/// Makes the context's tickets with `keys`, which must outlive its sessions. 1 on success.
int flipside_tls_use_tickets(SSL_CTX *context, flipside_ticket_keys *keys);

#endif
