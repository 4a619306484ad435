// Calls OpenSSL with pointers to Swift's bytes; what leaves this file is a value.
import COpenSSL

/// HMAC with SHA-256 (RFC 2104). For rare use.
public func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> Digest {
    var code = [UInt8](repeating: 0, count: Digest.size)
    let done = HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &code, nil)
    guard done != nil, let digest = Digest(bytes: code) else { preconditionFailure("OpenSSL has no HMAC with SHA-256") }
    return digest
}

extension Digest {
    /// Compares in constant time, so that an attacker who guesses learns nothing from how long it takes.
    public func isSame(as other: Digest) -> Bool { CRYPTO_memcmp(bytes, other.bytes, Digest.size) == 0 }
}
