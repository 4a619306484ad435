// The system's OpenSSL, and as functions what it has as macros.
#ifndef FLIPSIDE_COPENSSL_H
#define FLIPSIDE_COPENSSL_H

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>

#endif
