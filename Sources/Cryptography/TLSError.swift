/// Why TLS cannot be set up.
public enum TLSError: Error, Equatable, Sendable {
    /// The file is missing or may not be read; `reason` is the system's.
    case unreadable(path: String, reason: String)
    case notACertificate(path: String)
    /// An RSA key with fewer bits than clients accept today.
    case shortKey(path: String)
    /// Signed with a broken digest such as SHA-1.
    case weakSignature(path: String)
    /// Not PEM, not a private key, or one with a password.
    case notAKey(path: String)
    /// Both are good but do not belong together.
    case mismatch(certificate: String, key: String)
    case noMemory

    /// Tells the person who starts the program which file is wrong and why.
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
            "the key in \(key) does not belong to the certificate in \(certificate)"
        case .noMemory: "OpenSSL has no memory left"
        }
    }
}
