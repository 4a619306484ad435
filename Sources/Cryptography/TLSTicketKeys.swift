// Owns OpenSSL's side of the keys by pointer; what leaves this file is a Swift value.
import COpenSSL
import Synchronization

/// What a server's session tickets are made with (RFC 5077, RFC 8446 section 4.6.1): who comes back with one is greeted
/// without a certificate and a signature. Contexts that share it take each other's tickets.
final class TLSTicketKeys: Sendable {
    /// How long a key makes tickets, in milliseconds; for as long again it is still taken. Whoever gets hold of the
    /// keys can read resumed sessions of TLS 1.2 of a day, and no older ones.
    static let period = 12 * 3_600_000

    // What is behind it has a lock of its own.
    nonisolated(unsafe) let keys: OpaquePointer
    private let since: Mutex<Int>

    /// `now`, here and below: of a clock in milliseconds that never goes back.
    init(at now: Int) throws(TLSError) {
        guard let keys = flipside_ticket_keys_make(Self.newKey()) else { throw .noMemory }
        self.keys = keys
        since = Mutex(now)
    }

    deinit { flipside_ticket_keys_free(keys) }

    /// Puts a new key in the current one's place, if it is time: said before each session, so that no ticket is taken
    /// for longer.
    func rotate(at now: Int) {
        since.withLock { since in
            let periods = (now - since) / Self.period
            guard periods >= 1 else { return }
            for _ in 0..<min(periods, 2) {
                precondition(flipside_ticket_keys_rotate(keys, Self.newKey()) == 1, "a lock can be taken")
            }
            since += periods * Self.period
        }
    }

    private static func newKey() -> [UInt8] { randomBytes(flipside_ticket_key_bytes) }
}
