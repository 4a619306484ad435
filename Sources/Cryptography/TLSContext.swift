// Holds OpenSSL's SSL_CTX; what leaves this file is a Swift value.
import COpenSSL
import Glibc

/// Where a server's certificate and key are, as PEM.
public struct TLSFiles: Equatable, Sendable {
    /// The server's own certificate first, then those between it and a root.
    public var certificate: String
    /// The private key of the first certificate, without a password.
    public var key: String

    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// Why TLS cannot be had.
public enum TLSError: Error, Equatable, Sendable {
    /// The file is missing or may not be read; `reason` is the system's.
    case unreadable(path: String, reason: String)
    case notACertificate(path: String)
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
        case .notAKey(let path): "\(path) holds no private key in PEM without a password"
        case .mismatch(let certificate, let key):
            "the key in \(key) is not the one of the certificate in \(certificate)"
        case .noMemory: "OpenSSL has no memory left"
        }
    }
}

/// What all TLS sessions of one role have in common: TLS 1.2 or later, AEAD suites with forward secrecy, no
/// renegotiation, ALPN http/1.1.
public final class TLSContext: Sendable {
    // OpenSSL counts references to a context with atomics; after `init` nothing here changes it.
    nonisolated(unsafe) let context: OpaquePointer
    let isServer: Bool
    /// Stay for as long as there are sessions; nil: a client's.
    private let tickets: TLSTicketKeys?

    /// A server's: reads both files now, so that what is wrong with them shows before anyone connects.
    init(serving files: TLSFiles, tickets: TLSTicketKeys) throws(TLSError) {
        for path in [files.certificate, files.key] {
            if let reason = whyUnreadable(path) { throw .unreadable(path: path, reason: reason) }
        }
        guard let context = flipside_tls_context(1) else { throw .noMemory }
        self.context = context
        self.tickets = tickets
        isServer = true
        guard flipside_tls_use_tickets(context, tickets.keys) == 1 else { throw .noMemory }
        // In seconds, by the system's clock.
        SSL_CTX_set_timeout(context, TLSTicketKeys.period / 1_000)
        ERR_clear_error()
        guard SSL_CTX_use_certificate_chain_file(context, files.certificate) == 1 else {
            throw .notACertificate(path: files.certificate)
        }
        guard SSL_CTX_use_PrivateKey_file(context, files.key, SSL_FILETYPE_PEM) == 1 else {
            // OpenSSL compares the two here already.
            let isOther = ERR_peek_last_error() & 0x7FFFFF == UInt(X509_R_KEY_VALUES_MISMATCH)
            if isOther { throw .mismatch(certificate: files.certificate, key: files.key) }
            throw .notAKey(path: files.key)
        }
        guard SSL_CTX_check_private_key(context) == 1 else {
            throw .mismatch(certificate: files.certificate, key: files.key)
        }
    }

    /// A client's that trusts the certificates in `authority` and asks for one that fits the host's name; nil trusts
    /// anyone (for measuring, and for tests).
    public init(trusting authority: String?) throws(TLSError) {
        guard let context = flipside_tls_context(0) else { throw .noMemory }
        self.context = context
        tickets = nil
        isServer = false
        guard let authority else { return }
        if let reason = whyUnreadable(authority) { throw .unreadable(path: authority, reason: reason) }
        guard SSL_CTX_load_verify_file(context, authority) == 1 else { throw .notACertificate(path: authority) }
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    }

    deinit { SSL_CTX_free(context) }
}

/// The system's words for why `path` cannot be opened as a file; nil if it can.
private func whyUnreadable(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return String(cString: strerror(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return String(cString: strerror(errno)) }
    return status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : nil
}
