#include "COpenSSL.h"
#include <string.h>

// A BIO without memory of its own. Its data is the wire of the current call, or NULL between calls.

static int wire_read(BIO *bio, char *bytes, size_t capacity, size_t *count) {
    flipside_wire *wire = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    *count = 0;
    if (wire == NULL || wire->input_count == 0) {
        BIO_set_retry_read(bio);
        return 0;
    }
    size_t part = wire->input_count < capacity ? wire->input_count : capacity;
    memcpy(bytes, wire->input, part);
    wire->input += part;
    wire->input_count -= part;
    *count = part;
    return 1;
}

static int wire_write(BIO *bio, const char *bytes, size_t size, size_t *count) {
    flipside_wire *wire = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    *count = 0;
    size_t room = wire == NULL ? 0 : wire->output_capacity - wire->output_count;
    size_t part = size < room ? size : room;
    if (part == 0) {
        BIO_set_retry_write(bio);
        return 0;
    }
    memcpy(wire->output + wire->output_count, bytes, part);
    wire->output_count += part;
    *count = part;
    return 1;
}

static long wire_control(BIO *bio, int command, long number, void *pointer) {
    (void)bio, (void)number, (void)pointer;
    return command == BIO_CTRL_FLUSH;
}

static BIO_METHOD *wire_method = NULL;
static CRYPTO_ONCE wire_once = CRYPTO_ONCE_STATIC_INIT;

static void make_wire_method(void) {
    BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "wire");
    if (method == NULL) return;
    BIO_meth_set_read_ex(method, wire_read);
    BIO_meth_set_write_ex(method, wire_write);
    BIO_meth_set_ctrl(method, wire_control);
    wire_method = method;
}

// Without this, OpenSSL would ask for a key's password on the terminal.
static int no_password(char *buffer, int size, int is_writing, void *pointer) {
    (void)buffer, (void)size, (void)is_writing, (void)pointer;
    return -1;
}

static const unsigned char http[] = "\x08http/1.1";

// RFC 7301: a client that offers other protocols but not this one gets the alert no_application_protocol.
static int select_protocol(SSL *ssl, const unsigned char **chosen, unsigned char *chosen_size,
                           const unsigned char *offered, unsigned int offered_size, void *pointer) {
    (void)ssl, (void)pointer;
    int found = SSL_select_next_proto((unsigned char **)chosen, chosen_size, http, sizeof http - 1,
                                      offered, offered_size);
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

// The suites of TLS 1.2 that encrypt and authenticate in one step (AEAD) with keys for one session only (ephemeral
// ECDH), as RFC 9325 section 4.2 recommends. TLS 1.3 has no others.
static const char suites[] =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";

SSL_CTX *flipside_tls_context(int is_server) {
    SSL_CTX *context = SSL_CTX_new(is_server ? TLS_server_method() : TLS_client_method());
    if (context == NULL) return NULL;
    // Nothing older, no matter what the system's openssl.cnf says.
    if (SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1 || SSL_CTX_set_cipher_list(context, suites) != 1) {
        SSL_CTX_free(context);
        return NULL;
    }
    // A client that names ChaCha20 first has no AES in hardware, so it gets ChaCha20.
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE
                                     | SSL_OP_PRIORITIZE_CHACHA);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE
                                  | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_default_passwd_cb(context, no_password);
    if (is_server) {
        static const unsigned char name[] = "flipside";
        SSL_CTX_set_session_id_context(context, name, sizeof name - 1);
        SSL_CTX_set_alpn_select_cb(context, select_protocol, NULL);
    } else if (SSL_CTX_set_alpn_protos(context, http, sizeof http - 1) != 0) {
        SSL_CTX_free(context);
        return NULL;
    }
    return context;
}

SSL *flipside_tls_session(SSL_CTX *context, int is_server) {
    if (!CRYPTO_THREAD_run_once(&wire_once, make_wire_method) || wire_method == NULL) return NULL;
    SSL *ssl = SSL_new(context);
    BIO *bio = BIO_new(wire_method);
    if (ssl == NULL || bio == NULL) {
        SSL_free(ssl);
        BIO_free(bio);
        return NULL;
    }
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl, bio, bio);
    if (is_server) SSL_set_accept_state(ssl);
    else SSL_set_connect_state(ssl);
    return ssl;
}

int flipside_tls_name(SSL *ssl, const char *name) {
    // RFC 6066 section 3: an address is not a name. SSL_set1_host tells the two apart by itself.
    ASN1_OCTET_STRING *address = a2i_IPADDRESS(name);
    int is_address = address != NULL;
    ASN1_OCTET_STRING_free(address);
    ERR_clear_error();
    return (is_address || SSL_set_tlsext_host_name(ssl, name) == 1) && SSL_set1_host(ssl, name) == 1;
}

static void begin(SSL *ssl, flipside_wire *wire) {
    ERR_clear_error();
    BIO_set_data(SSL_get_rbio(ssl), wire);
}

static flipside_tls_outcome end(SSL *ssl, int result) {
    BIO_set_data(SSL_get_rbio(ssl), NULL);
    if (result == 1) return flipside_tls_done;
    switch (SSL_get_error(ssl, result)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE: return flipside_tls_waiting;
    case SSL_ERROR_ZERO_RETURN: return flipside_tls_closed;
    default: return flipside_tls_failed;
    }
}

flipside_tls_outcome flipside_tls_read(SSL *ssl, flipside_wire *wire, void *bytes, size_t capacity, size_t *count) {
    begin(ssl, wire);
    *count = 0;
    return end(ssl, SSL_read_ex(ssl, bytes, capacity, count));
}

flipside_tls_outcome flipside_tls_write(SSL *ssl, flipside_wire *wire, const void *bytes, size_t count, size_t *taken) {
    begin(ssl, wire);
    *taken = 0;
    return end(ssl, SSL_write_ex(ssl, bytes, count, taken));
}

void flipside_tls_close(SSL *ssl, flipside_wire *wire) {
    begin(ssl, wire);
    (void)end(ssl, SSL_shutdown(ssl));
}
