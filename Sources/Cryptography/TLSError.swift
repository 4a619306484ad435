/// Why TLS cannot be had.
public enum TLSError: Error, Equatable, Sendable {
    /// The file is missing or may not be read; `reason` is the system's.
    case unreadable(path: String, reason: String)
    case notACertificate(path: String)
    /// Of RSA: fewer bits than clients accept today.
    case shortKey(path: String)
    /// Signed by way of a digest that is broken, such as SHA-1.
    case weakSignature(path: String)
    /// Not PEM, no private key, or one with a password.
    case notAKey(path: String)
    /// Each is good, but they do not belong together.
    case mismatch(certificate: String, key: String)
    case noMemory

    /// For the person who starts the program: which file, and what is wrong with it.
    public var sentence: String {
        switch self {
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
        case .notACertificate(let path): "\(path) holds no certificate in PEM that OpenSSL can use"
        case .shortKey(let path):
            "the certificate in \(path), or one after it there, has a key that is too short: RSA needs 2,048 bits or "
                + "more"
        case .weakSignature(let path):
            "the certificate in \(path), or one after it there, has a signature that is too weak: it needs SHA-256 or "
                + "better"
        case .notAKey(let path): "\(path) holds no private key in PEM without a password"
        case .mismatch(let certificate, let key):
            "the key in \(key) is not the one of the certificate in \(certificate)"
        case .noMemory: "OpenSSL has no memory left"
        }
    }
}
