// Owns OpenSSL's side of the keys by pointer; what leaves this file is a Swift value.
import COpenSSL
import Synchronization

/// The keys of a server's session tickets (RFC 5077, RFC 8446 section 4.6.1). A client with a ticket needs no
/// certificate and no signature. Contexts that share the keys accept each other's tickets.
final class TLSTicketKeys: Sendable {
    /// How long a key makes tickets, in milliseconds; it is accepted for as long again. An attacker who gets the keys
    /// can read resumed TLS 1.2 sessions of one day, but no older ones.
    static let period = 12 * 3_600_000

    // The object behind the pointer has a lock of its own.
    nonisolated(unsafe) let keys: OpaquePointer
    private let since: Mutex<Int>

    /// `now`, here and below, is of a clock in milliseconds that never goes back.
    init(at now: Int) throws(TLSError) {
        guard let keys = flipside_ticket_keys_make(Self.newKey()) else { throw .noMemory }
        self.keys = keys
        since = Mutex(now)
    }

    deinit { flipside_ticket_keys_free(keys) }

    /// Replaces the current key if it is time. Called before each session, so that no ticket is accepted for longer.
    func rotate(at now: Int) {
        since.withLock { since in
            let periods = (now - since) / Self.period
            guard periods >= 1 else { return }
            for _ in 0..<min(periods, 2) {
                precondition(flipside_ticket_keys_rotate(keys, Self.newKey()) == 1, "a lock can be acquired")
            }
            since += periods * Self.period
        }
    }

    private static func newKey() -> [UInt8] { randomBytes(flipside_ticket_key_bytes) }
}
