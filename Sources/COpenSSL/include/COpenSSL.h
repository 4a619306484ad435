// The system's OpenSSL, and as functions what it has as macros.
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

/// Where a session finds the bytes of the peer and leaves its own, for the length of one call: a session keeps no
/// pointer into them afterwards, so the same two buffers serve any number of sessions.
typedef struct {
    const unsigned char *input;
    size_t input_count;
    unsigned char *output;
    size_t output_capacity;
    size_t output_count;
} flipside_wire;

/// What a call came to. Waiting: for more bytes of the peer, or (never with an ample output) for room.
typedef enum {
    flipside_tls_done,
    flipside_tls_waiting,
    flipside_tls_closed,
    flipside_tls_failed,
} flipside_tls_outcome;

/// A context with what this program wants of every session: TLS 1.2 or later, AEAD suites with forward secrecy alone, no
/// renegotiation, no compression, buffers given back when idle, tickets instead of a cache, ALPN http/1.1.
/// NULL if there is no memory.
SSL_CTX *flipside_tls_context(int is_server);

/// A session whose bytes go through `flipside_wire`. NULL if there is no memory.
SSL *flipside_tls_session(SSL_CTX *context, int is_server);

/// Has a client name the host it wants (RFC 6066 section 3), unless that is an address, and hold the certificate against
/// it. 1 if it could.
int flipside_tls_name(SSL *ssl, const char *name);

/// Goes on with the handshake, then decrypts up to `capacity` bytes.
flipside_tls_outcome flipside_tls_read(SSL *ssl, flipside_wire *wire, void *bytes, size_t capacity, size_t *count);
/// Encrypts up to one record.
flipside_tls_outcome flipside_tls_write(SSL *ssl, flipside_wire *wire, const void *bytes, size_t count, size_t *taken);
/// Says that nothing more will be sent (close_notify).
void flipside_tls_close(SSL *ssl, flipside_wire *wire);

/// Has a server that begins each session with `first` go on with the first of `contexts` whose certificate bears the name
/// that the client wants (RFC 6066 section 3), if one does. NULL ends `contexts`, which have to outlive its sessions.
void flipside_tls_choose_by_name(SSL_CTX *first, SSL_CTX *const *contexts);

/// What an authority says of a certificate (OCSP, RFC 6960), as DER, and from when on it counts no more, in seconds since
/// 1970.
typedef struct {
    const unsigned char *bytes;
    size_t size;
    int64_t end;
} flipside_staple;

typedef enum {
    flipside_ocsp_good,
    flipside_ocsp_malformed,
    /// Says nothing of the context's certificate.
    flipside_ocsp_of_another,
    /// Revoked, or not known.
    flipside_ocsp_not_good,
    /// Does not say until when it counts.
    flipside_ocsp_endless,
} flipside_ocsp_verdict;

/// What `staple` says of the certificate of `context`; `end` is set if that is good. Who signed it, clients check.
flipside_ocsp_verdict flipside_ocsp_judge(SSL_CTX *context, flipside_staple *staple);
/// Sends `staple`, which has to outlive the sessions, to clients that ask for it (RFC 6066 section 8).
void flipside_tls_staple(SSL_CTX *context, flipside_staple *staple);
/// Tells a session what time it is, in seconds since 1970.
void flipside_tls_time(SSL *ssl, int64_t now);

/// From when and until when the certificate of `context` counts, in seconds since 1970. 1 if it says so.
int flipside_tls_validity(SSL_CTX *context, int64_t *begin, int64_t *end);

/// For contexts without tickets.
static const uint64_t flipside_tls_no_tickets = SSL_OP_NO_TICKET;

/// The keys of session tickets, for contexts and threads to share: the current one makes tickets, the one before is still
/// taken.
typedef struct flipside_ticket_keys flipside_ticket_keys;
enum { flipside_ticket_key_bytes = 80 };

/// With one key, of `flipside_ticket_key_bytes` random bytes; NULL if there is no memory.
flipside_ticket_keys *flipside_ticket_keys_make(const unsigned char *first);
void flipside_ticket_keys_free(flipside_ticket_keys *keys);
/// The current key becomes the one before, and that is forgotten. 1 if it could.
int flipside_ticket_keys_rotate(flipside_ticket_keys *keys, const unsigned char *next);
/// Has the context's tickets made with `keys`, which have to outlive its sessions. 1 if it could.
int flipside_tls_use_tickets(SSL_CTX *context, flipside_ticket_keys *keys);

#endif
