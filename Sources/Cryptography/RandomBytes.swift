// Calls OpenSSL with a pointer to Swift's bytes; what leaves this file is a value.
import COpenSSL

/// `count` unpredictable bytes from OpenSSL's generator, which the kernel seeds.
public func randomBytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    // Without randomness no seed and no token is safe, so the process must not continue.
    precondition(RAND_bytes(&bytes, Int32(count)) == 1, "the system has no random bytes")
    return bytes
}
