// Calls OpenSSL with a pointer to Swift's bytes; what leaves this file is a value.
import COpenSSL

/// `count` bytes that nobody can foretell, from OpenSSL's generator (seeded by the kernel).
public func randomBytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    // Without randomness neither a seed nor a token would be worth anything: there is no way to go on.
    precondition(RAND_bytes(&bytes, Int32(count)) == 1, "the system gives no random bytes")
    return bytes
}
