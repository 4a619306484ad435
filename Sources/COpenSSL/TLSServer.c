// What only a server's context has: a choice of certificates, keys of tickets, stapled OCSP responses.
#include "COpenSSL.h"
#include <openssl/core_names.h>
#include <openssl/ocsp.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <time.h>

// Names

static int choose_by_name(SSL *ssl, int *alert, void *contexts) {
    const char *name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    if (name == NULL) return SSL_TLSEXT_ERR_NOACK;
    // By RFC 9525 section 6.3, only subjectAltName counts, and a wildcard is the whole leftmost label.
    const unsigned int rules = X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS;
    for (SSL_CTX *const *each = contexts; *each != NULL; each++) {
        if (X509_check_host(SSL_CTX_get0_certificate(*each), name, 0, rules, NULL) != 1) continue;
        if (SSL_set_SSL_CTX(ssl, *each) != NULL) return SSL_TLSEXT_ERR_OK;
        *alert = SSL_AD_INTERNAL_ERROR;
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    }
    // No certificate has the name. The client sees from the certificate which server it has reached.
    return SSL_TLSEXT_ERR_NOACK;
}

void flipside_tls_choose_by_name(SSL_CTX *first, SSL_CTX *const *contexts) {
    SSL_CTX_set_tlsext_servername_callback(first, choose_by_name);
    SSL_CTX_set_tlsext_servername_arg(first, (void *)contexts);
}

// Validity

int flipside_tls_validity(SSL_CTX *context, int64_t *begin, int64_t *end) {
    const X509 *certificate = SSL_CTX_get0_certificate(context);
    struct tm first, last;
    if (certificate == NULL || ASN1_TIME_to_tm(X509_get0_notBefore(certificate), &first) != 1
        || ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &last) != 1) return 0;
    *begin = timegm(&first);
    *end = timegm(&last);
    return 1;
}

// Stapled OCSP responses

// The part of a response about this certificate, by its serial number.
static OCSP_SINGLERESP *find_response(OCSP_BASICRESP *basic, const X509 *certificate) {
    for (int index = 0; index < OCSP_resp_count(basic); index++) {
        OCSP_SINGLERESP *single = OCSP_resp_get0(basic, index);
        ASN1_INTEGER *serial = NULL;
        OCSP_id_get0_info(NULL, NULL, NULL, &serial, (OCSP_CERTID *)OCSP_SINGLERESP_get0_id(single));
        if (serial != NULL && ASN1_INTEGER_cmp(serial, X509_get0_serialNumber(certificate)) == 0) return single;
    }
    return NULL;
}

static flipside_ocsp_verdict judge(OCSP_BASICRESP *basic, const X509 *certificate, int64_t *end) {
    OCSP_SINGLERESP *single = find_response(basic, certificate);
    if (single == NULL) return flipside_ocsp_of_another;
    ASN1_GENERALIZEDTIME *next = NULL;
    if (OCSP_single_get0_status(single, NULL, NULL, NULL, &next) != V_OCSP_CERTSTATUS_GOOD) return flipside_ocsp_not_good;
    struct tm parts;
    if (next == NULL || ASN1_TIME_to_tm(next, &parts) != 1) return flipside_ocsp_endless;
    *end = timegm(&parts);
    return flipside_ocsp_good;
}

flipside_ocsp_verdict flipside_ocsp_judge(SSL_CTX *context, flipside_staple *staple) {
    const unsigned char *bytes = staple->bytes;
    OCSP_RESPONSE *response = d2i_OCSP_RESPONSE(NULL, &bytes, (long)staple->size);
    OCSP_BASICRESP *basic = response == NULL ? NULL : OCSP_response_get1_basic(response);
    flipside_ocsp_verdict verdict = flipside_ocsp_malformed;
    if (basic != NULL) verdict = judge(basic, SSL_CTX_get0_certificate(context), &staple->end);
    OCSP_BASICRESP_free(basic);
    OCSP_RESPONSE_free(response);
    ERR_clear_error();
    return verdict;
}

static int send_staple(SSL *ssl, void *argument) {
    const flipside_staple *staple = argument;
    if ((int64_t)(intptr_t)SSL_get_app_data(ssl) >= staple->end) return SSL_TLSEXT_ERR_NOACK;
    unsigned char *copy = OPENSSL_memdup(staple->bytes, staple->size);
    if (copy == NULL) return SSL_TLSEXT_ERR_NOACK;
    SSL_set_tlsext_status_ocsp_resp(ssl, copy, (long)staple->size);
    return SSL_TLSEXT_ERR_OK;
}

void flipside_tls_staple(SSL_CTX *context, flipside_staple *staple) {
    SSL_CTX_set_tlsext_status_cb(context, send_staple);
    SSL_CTX_set_tlsext_status_arg(context, staple);
}

void flipside_tls_time(SSL *ssl, int64_t now) { SSL_set_app_data(ssl, (void *)(intptr_t)now); }

// Session tickets

typedef struct {
    unsigned char name[16];
    unsigned char cipher[32];
    unsigned char mac[32];
} ticket_key;

_Static_assert(sizeof(ticket_key) == flipside_ticket_key_bytes, "a key is its bytes");

struct flipside_ticket_keys {
    CRYPTO_RWLOCK *lock;
    ticket_key current;
    ticket_key previous;
};

flipside_ticket_keys *flipside_ticket_keys_make(const unsigned char *first) {
    flipside_ticket_keys *keys = OPENSSL_zalloc(sizeof *keys);
    if (keys == NULL) return NULL;
    keys->lock = CRYPTO_THREAD_lock_new();
    if (keys->lock == NULL) {
        OPENSSL_free(keys);
        return NULL;
    }
    // Never a key that others could know, such as zeros.
    memcpy(&keys->current, first, sizeof keys->current);
    keys->previous = keys->current;
    return keys;
}

void flipside_ticket_keys_free(flipside_ticket_keys *keys) {
    CRYPTO_THREAD_lock_free(keys->lock);
    OPENSSL_clear_free(keys, sizeof *keys);
}

int flipside_ticket_keys_rotate(flipside_ticket_keys *keys, const unsigned char *next) {
    if (!CRYPTO_THREAD_write_lock(keys->lock)) return 0;
    keys->previous = keys->current;
    memcpy(&keys->current, next, sizeof keys->current);
    CRYPTO_THREAD_unlock(keys->lock);
    return 1;
}

// The key for a new ticket, or the one that an old ticket names. 0: neither; 1: it is accepted; 2: accepted and
// replaced.
static int find_key(SSL *ssl, const unsigned char *name, int is_new, ticket_key *key) {
    flipside_ticket_keys *keys = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
    if (keys == NULL || !CRYPTO_THREAD_read_lock(keys->lock)) return 0;
    int found = 1;
    if (is_new || memcmp(name, keys->current.name, sizeof keys->current.name) == 0) {
        *key = keys->current;
    } else if (memcmp(name, keys->previous.name, sizeof keys->previous.name) == 0) {
        *key = keys->previous;
        found = 2;
    } else {
        found = 0;
    }
    CRYPTO_THREAD_unlock(keys->lock);
    // Used only once, so that a ticket does not show that two sessions belong to one client (RFC 8446 appendix C.4).
    return found == 1 && !is_new && SSL_version(ssl) == TLS1_3_VERSION ? 2 : found;
}

// RFC 5077 section 4: AES in CBC mode, then an HMAC.
static int protect_ticket(SSL *ssl, unsigned char *name, unsigned char *iv, EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac,
                          int is_new) {
    ticket_key key;
    int found = find_key(ssl, name, is_new, &key);
    if (found == 0) return 0;
    if (is_new) memcpy(name, key.name, sizeof key.name);
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key.mac, sizeof key.mac),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, "SHA256", 0),
        OSSL_PARAM_construct_end(),
    };
    int is_good = (!is_new || RAND_bytes(iv, EVP_CIPHER_get_iv_length(EVP_aes_256_cbc())) == 1)
                  && EVP_CipherInit_ex(cipher, EVP_aes_256_cbc(), NULL, key.cipher, iv, is_new) == 1
                  && EVP_MAC_CTX_set_params(mac, parameters) == 1;
    OPENSSL_cleanse(&key, sizeof key);
    return is_good ? found : -1;
}

int flipside_tls_use_tickets(SSL_CTX *context, flipside_ticket_keys *keys) {
    return SSL_CTX_set_app_data(context, keys) == 1
           && SSL_CTX_set_tlsext_ticket_key_evp_cb(context, protect_ticket) == 1;
}
