import Synchronization

/// When the first of the certificates in use expires: set as they are read, for any thread to show.
final class CertificateExpiry: Sendable {
    private let time = Atomic(0)

    /// Since 1970; 0: there is no certificate.
    var seconds: Int { time.load(ordering: .relaxed) }

    func set(_ seconds: Int) { time.store(seconds, ordering: .relaxed) }
}
