// Calls OpenSSL with pointers to Swift's bytes; what leaves this file is a value.
import COpenSSL

/// HMAC with SHA-256 (RFC 2104): who has `key` can tell that who made this has it, too. For what is rare.
public func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> Digest {
    var code = [UInt8](repeating: 0, count: Digest.size)
    let done = HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &code, nil)
    guard done != nil, let digest = Digest(bytes: code) else { preconditionFailure("OpenSSL has no HMAC with SHA-256") }
    return digest
}

extension Digest {
    /// Whether both are the same, in a time that says nothing of where they differ: for codes that others guess at.
    public func isSame(as other: Digest) -> Bool { CRYPTO_memcmp(bytes, other.bytes, Digest.size) == 0 }
}
