import Synchronization

/// When the first of the current certificates expires. It is set when they are read, and any thread may read it.
final class CertificateExpiry: Sendable {
    private let time = Atomic(0)

    /// Since 1970; 0 without certificates.
    var seconds: Int { time.load(ordering: .relaxed) }

    func set(_ seconds: Int) { time.store(seconds, ordering: .relaxed) }
}
