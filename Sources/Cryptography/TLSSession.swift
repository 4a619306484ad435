// Calls OpenSSL with pointers into the caller's spans, which it does not keep; what leaves this file is a Swift value.
import COpenSSL

/// One side of a TLS connection as a function of bytes, from records to plaintext and back. It does no I/O and has no
/// buffers of its own: every call borrows the caller's spans and keeps no pointer to them.
// Unchecked: a session is handed over whole with its connection, and only the loop that has it calls it.
public final class TLSSession: @unchecked Sendable {
    /// The plaintext that fits in one record (RFC 8446 section 5.1).
    public static let recordBytes = 16_384
    /// Room for a record besides its plaintext with any cipher (RFC 5246 section 6.2.3 allows 2,048), and for anything
    /// else that a session sends by itself.
    public static let overheadBytes = 2_048
    /// Plaintext of an incomplete record that a session may hold, and returns on top of what a later call brings.
    public static let heldBytes = recordBytes

    private let session: OpaquePointer
    private let context: TLSContext

    /// Nil if there is no memory. A client's `name` is the host or address that it wants; the certificate must have it
    /// too. A server's `now`, in seconds since 1970, decides what it may staple.
    public init?(_ context: TLSContext, name: String? = nil, at now: Int = 0) {
        // The chain alone would prove that the server is trusted, but not that it is the one that was meant.
        precondition(!context.isVerifying || name != nil, "a client that verifies needs the server's name")
        guard let session = flipside_tls_session(context.context, context.isServer ? 1 : 0) else { return nil }
        self.session = session
        self.context = context
        flipside_tls_time(session, Int64(now))
        if let name, flipside_tls_name(session, name) != 1 { return nil }
    }

    deinit { SSL_free(session) }

    /// The state of a session after a call.
    public enum State: Equatable, Sendable {
        /// All input was used, and the session continues.
        case open
        /// The peer will send nothing more (close_notify).
        case ended
        /// Not TLS, no common version or cipher, or a broken record. The alert in `encrypted` is the last thing to
        /// send.
        case failed
    }

    /// What a call wrote into the caller's buffers.
    public struct Outcome: Equatable, Sendable {
        public var plainBytes = 0
        public var encryptedBytes = 0
        public var state = State.open
    }

    /// Whether the handshake is done.
    public var isEstablished: Bool { SSL_is_init_finished(session) == 1 }

    /// `TLSv1.3` or `TLSv1.2`, once the handshake is done.
    public var version: String { String(cString: SSL_get_version(session)) }

    /// Why a client does not trust that this is the server it wants, in OpenSSL's words; nil if it does, or if the
    /// handshake has not got that far.
    public var distrust: String? {
        let result = SSL_get_verify_result(session)
        guard context.isVerifying, result != Int(X509_V_OK) else { return nil }
        return String(cString: X509_verify_cert_error_string(result))
    }

    /// Why the call before this one failed, in OpenSSL's words. Only valid on the same thread, before a call of any
    /// other session.
    public var failure: String {
        // OpenSSL has words for most numbers, and returns a null pointer for the rest.
        guard let words = ERR_reason_error_string(ERR_peek_last_error()) else { return "the handshake failed" }
        return String(cString: words)
    }

    /// Takes all of the peer's `records`. Writes their plaintext to `plain` (as large as `records` and `heldBytes`
    /// together), and handshake messages and alerts to send to `encrypted`.
    public func decrypt(_ records: RawSpan, into plain: inout MutableRawSpan, encrypted: inout MutableRawSpan)
        -> Outcome
    {
        var outcome = Outcome()
        records.withUnsafeBytes { records in
            plain.withUnsafeMutableBytes { plain in
                encrypted.withUnsafeMutableBytes { encrypted in
                    var wire = makeWire(from: records, to: encrypted)
                    outcome = read(&wire, into: plain)
                }
            }
        }
        return outcome
    }

    private func read(_ wire: inout flipside_wire, into plain: UnsafeMutableRawBufferPointer) -> Outcome {
        var outcome = Outcome()
        // Each round but the last takes at least one byte of plaintext, and there are at most `plain.count`.
        while outcome.plainBytes < plain.count {
            var count = 0
            let rest = plain.baseAddress?.advanced(by: outcome.plainBytes)
            let result = flipside_tls_read(session, &wire, rest, plain.count - outcome.plainBytes, &count)
            outcome.plainBytes += count
            if result == flipside_tls_done { continue }
            if result == flipside_tls_closed { outcome.state = .ended }
            if result == flipside_tls_failed { outcome.state = .failed }
            break
        }
        outcome.encryptedBytes = wire.output_count
        return outcome
    }

    /// Encrypts as much of the front of `plain` as `encrypted` has room for, which is at least one record and its
    /// overhead; nil if the session is broken.
    public func encrypt(_ plain: RawSpan, into encrypted: inout MutableRawSpan) -> Outcome? {
        var outcome = Outcome()
        let isWhole = plain.withUnsafeBytes { plain in
            encrypted.withUnsafeMutableBytes { encrypted in
                var wire = makeWire(from: UnsafeRawBufferPointer(start: nil, count: 0), to: encrypted)
                let good = write(plain, to: &wire, &outcome)
                outcome.encryptedBytes = wire.output_count
                return good
            }
        }
        return isWhole ? outcome : nil
    }

    private func write(_ plain: UnsafeRawBufferPointer, to wire: inout flipside_wire, _ outcome: inout Outcome) -> Bool
    {
        while outcome.plainBytes < plain.count {
            let count = min(plain.count - outcome.plainBytes, TLSSession.recordBytes)
            // A record must be finished in the call that starts it, or OpenSSL would demand the same bytes again.
            guard wire.output_capacity - wire.output_count >= count + TLSSession.overheadBytes else { return true }
            var taken = 0
            let rest = plain.baseAddress?.advanced(by: outcome.plainBytes)
            guard flipside_tls_write(session, &wire, rest, count, &taken) == flipside_tls_done else { return false }
            outcome.plainBytes += taken
        }
        return true
    }

    /// Writes the close_notify of this side, at most `overheadBytes`, to `encrypted`; returns its size.
    public func close(encrypted: inout MutableRawSpan) -> Int {
        encrypted.withUnsafeMutableBytes { encrypted in
            var wire = makeWire(from: UnsafeRawBufferPointer(start: nil, count: 0), to: encrypted)
            flipside_tls_close(session, &wire)
            return wire.output_count
        }
    }

    private func makeWire(from input: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer) -> flipside_wire
    {
        flipside_wire(
            input: input.baseAddress?.assumingMemoryBound(to: UInt8.self), input_count: input.count,
            output: output.baseAddress?.assumingMemoryBound(to: UInt8.self), output_capacity: output.count,
            output_count: 0)
    }
}
