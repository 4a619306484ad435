// Holds OpenSSL's SSL_CTX; what leaves this file is a Swift value.
import COpenSSL
import Glibc
import Synchronization

/// The PEM files of a server's certificate and key.
public struct TLSFiles: Equatable, Sendable {
    /// The server's own certificate first, then the intermediate ones.
    public var certificate: String
    /// The private key of the first certificate, without a password.
    public var key: String

    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// A server's certificates, and whether it asks its clients for theirs.
public struct TLSOptions: Equatable, Sendable {
    /// A client is shown the first certificate that has the name it asks for, or the first of all.
    public var pairs: [TLSFiles]
    /// Certificates in PEM. Every client has to present one that is signed by one of these; nil if clients need none.
    public var clientAuthority: String?

    public init(pairs: [TLSFiles], clientAuthority: String? = nil) {
        self.pairs = pairs
        self.clientAuthority = clientAuthority
    }
}

/// Which servers a client trusts.
public enum TLSTrust: Equatable, Sendable {
    /// The authorities that this machine trusts.
    case system
    /// Only the certificates in this file, in PEM.
    case authority(path: String)
    /// Any server with any name, for tests.
    case anyone
}

/// What all TLS sessions of a role share: TLS 1.2 or later, AEAD suites with forward secrecy, no renegotiation, ALPN
/// http/1.1.
public final class TLSContext: Sendable {
    /// Each session starts with the first. A server's then switches to the one whose certificate has the requested
    /// name.
    private let contexts: [OwnedContext]
    // `contexts` in the form that OpenSSL searches, ended by nil. Nothing changes it after `init`.
    private nonisolated(unsafe) let list: UnsafeMutablePointer<OpaquePointer?>
    /// Kept as long as there are sessions; nil for a client.
    private let tickets: TLSTicketKeys?
    let isServer: Bool
    /// Whether a client checks the server's certificate and its name.
    let isVerifying: Bool
    /// Problems with the files that keep no client out.
    let notes: [TLSNote]
    /// When the first of the certificates expires, in seconds since 1970; nil if none says so.
    let expiry: Int?
    var context: OpaquePointer { contexts[0].pointer }

    /// A server's context. Reads all files now, so that mistakes in them show before a client connects. `now` is in
    /// milliseconds since 1970.
    init(serving options: TLSOptions, tickets: TLSTicketKeys, at now: Int) throws(TLSError) {
        precondition(!options.pairs.isEmpty, "a server needs a certificate")
        var contexts: [OwnedContext] = []
        var notes: [TLSNote] = []
        var expiries: [Int] = []
        for files in options.pairs {
            let context = try OwnedContext(serving: files)
            if let authority = options.clientAuthority {
                try context.demandCertificates(of: authority)
            } else {
                try context.use(tickets)
            }
            do throws(OCSPStapleError) {
                try context.staple(of: files.certificate, at: now / 1_000)
            } catch { notes.append(TLSNote(error)) }
            notes += TLSNote(ofKey: files.key).map { [$0] } ?? []
            if let validity = context.validity {
                notes += TLSNote(of: files.certificate, validity, at: now / 1_000).map { [$0] } ?? []
                expiries.append(validity.upperBound)
            }
            contexts.append(context)
        }
        self.contexts = contexts
        self.notes = notes
        expiry = expiries.min()
        self.tickets = tickets
        isServer = true
        isVerifying = false
        list = .allocate(capacity: contexts.count + 1)
        for (index, context) in contexts.enumerated() { (list + index).initialize(to: context.pointer) }
        (list + contexts.count).initialize(to: nil)
        flipside_tls_choose_by_name(contexts[0].pointer, list)
    }

    /// A client's context. `own` is presented to servers that ask for a certificate.
    public init(trusting trust: TLSTrust, showing own: TLSFiles? = nil) throws(TLSError) {
        isVerifying = trust != .anyone
        contexts = [try OwnedContext(trusting: trust, showing: own)]
        tickets = nil
        notes = []
        expiry = nil
        isServer = false
        list = .allocate(capacity: 1)
        list.initialize(to: nil)
    }

    deinit { list.deallocate() }
}

/// One SSL_CTX, freed with its owner.
private final class OwnedContext: Sendable {
    // OpenSSL counts references to a context with atomics; nothing here changes it after `init`.
    nonisolated(unsafe) let pointer: OpaquePointer
    private let staple = Mutex<OCSPStaple?>(nil)

    private init(isServer: Bool) throws(TLSError) {
        guard let pointer = flipside_tls_context(isServer ? 1 : 0) else { throw .noMemory }
        self.pointer = pointer
    }

    deinit { SSL_CTX_free(pointer) }

    convenience init(serving files: TLSFiles) throws(TLSError) {
        try self.init(isServer: true)
        try use(files)
    }

    convenience init(trusting trust: TLSTrust, showing own: TLSFiles?) throws(TLSError) {
        try self.init(isServer: false)
        if let own { try use(own) }
        switch trust {
        case .system: guard SSL_CTX_set_default_verify_paths(pointer) == 1 else { throw .noMemory }
        case .authority(let path): try self.trust(path)
        case .anyone: return
        }
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
    }

    func use(_ tickets: TLSTicketKeys) throws(TLSError) {
        guard flipside_tls_use_tickets(pointer, tickets.keys) == 1 else { throw .noMemory }
        // In seconds, by the system's clock.
        SSL_CTX_set_timeout(pointer, TLSTicketKeys.period / 1_000)
    }

    /// When the certificate is valid, in seconds since 1970; nil if it does not say so.
    var validity: ClosedRange<Int>? {
        var (begin, end) = (Int64(0), Int64(0))
        guard flipside_tls_validity(pointer, &begin, &end) == 1, begin <= end else { return nil }
        return Int(begin)...Int(end)
    }

    /// Staples the OCSP response beside `certificate`, if there is one.
    func staple(of certificate: String, at now: Int) throws(OCSPStapleError) {
        let found = try OCSPStaple(of: certificate, in: pointer, at: now)
        staple.withLock { $0 = found }
    }

    /// Without tickets: a client that comes back presents its certificate again, since it may be trusted no longer.
    func demandCertificates(of authority: String) throws(TLSError) {
        try trust(authority)
        guard let names = SSL_load_client_CA_file(authority) else { throw .notACertificate(path: authority) }
        SSL_CTX_set_client_CA_list(pointer, names)
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        SSL_CTX_set_options(pointer, flipside_tls_no_tickets)
        SSL_CTX_set_num_tickets(pointer, 0)
    }

    private func trust(_ authority: String) throws(TLSError) {
        try checkReadable(authority)
        guard SSL_CTX_load_verify_file(pointer, authority) == 1 else { throw .notACertificate(path: authority) }
    }

    private func use(_ files: TLSFiles) throws(TLSError) {
        for path in [files.certificate, files.key] { try checkReadable(path) }
        ERR_clear_error()
        guard SSL_CTX_use_certificate_chain_file(pointer, files.certificate) == 1 else {
            switch Int32(ERR_peek_last_error() & 0x7FFFFF) {
            case SSL_R_EE_KEY_TOO_SMALL, SSL_R_CA_KEY_TOO_SMALL: throw .shortKey(path: files.certificate)
            case SSL_R_CA_MD_TOO_WEAK: throw .weakSignature(path: files.certificate)
            default: throw .notACertificate(path: files.certificate)
            }
        }
        guard SSL_CTX_use_PrivateKey_file(pointer, files.key, SSL_FILETYPE_PEM) == 1 else {
            // OpenSSL already compares the two here.
            let isOther = ERR_peek_last_error() & 0x7FFFFF == UInt(X509_R_KEY_VALUES_MISMATCH)
            if isOther { throw .mismatch(certificate: files.certificate, key: files.key) }
            throw .notAKey(path: files.key)
        }
        guard SSL_CTX_check_private_key(pointer) == 1 else {
            throw .mismatch(certificate: files.certificate, key: files.key)
        }
    }
}

/// Throws the system's reason if `path` cannot be opened as a file.
private func checkReadable(_ path: String) throws(TLSError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
        throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .unreadable(path: path, reason: "it is a folder") }
}
