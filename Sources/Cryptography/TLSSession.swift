// Calls OpenSSL with pointers into the caller's spans, which it does not keep; what leaves this file is a Swift value.
import COpenSSL

/// One side of a TLS connection as a function of bytes: records in, plaintext out, and the other way round. It does no
/// I/O and owns no buffer of the caller's: every call borrows the caller's spans and keeps no pointer to them.
// Unchecked: a session is given away whole with its connection, and only the loop that has it calls it.
public final class TLSSession: @unchecked Sendable {
    /// Plaintext that one call of `encrypt` takes: what fits in one record (RFC 8446 section 5.1).
    public static let recordBytes = 16_384
    /// Room that a record needs besides its plaintext, whatever the cipher (RFC 5246 section 6.2.3 allows 2,048), and
    /// that anything else needs that a session says by itself.
    public static let overheadBytes = 2_048
    /// Plaintext of an incomplete record that a session may hold, and give besides what a call brings.
    public static let heldBytes = recordBytes

    private let session: OpaquePointer
    private let context: TLSContext

    /// Nil if there is no memory. `name` is a client's: the host, or the address, that it wants to speak to, which it
    /// then also asks of the certificate. `now`: a server's, in seconds since 1970, for what it may show.
    public init?(_ context: TLSContext, name: String? = nil, at now: Int = 0) {
        // The chain alone would prove that it is somebody, not who.
        precondition(!context.isVerifying || name != nil, "a client that verifies knows whom it wants")
        guard let session = flipside_tls_session(context.context, context.isServer ? 1 : 0) else { return nil }
        self.session = session
        self.context = context
        flipside_tls_time(session, Int64(now))
        if let name, flipside_tls_name(session, name) != 1 { return nil }
    }

    deinit { SSL_free(session) }

    /// How a session stands after a call.
    public enum State: Equatable, Sendable {
        /// Goes on: everything that came was taken.
        case open
        /// The peer will send nothing more (close_notify).
        case ended
        /// Not TLS, no common version or cipher, a broken record: what is in `encrypted` (an alert) is the last.
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

    /// Why a client does not believe that the server is the one it wants, in OpenSSL's words; nil where it does, or the
    /// handshake has not come so far.
    public var distrust: String? {
        let result = SSL_get_verify_result(session)
        guard context.isVerifying, result != Int(X509_V_OK) else { return nil }
        return String(cString: X509_verify_cert_error_string(result))
    }

    /// What made the call before this one fail, in OpenSSL's words: for the same thread, and ahead of any other
    /// session's call.
    public var failure: String {
        // OpenSSL gives its words for any number, and a null pointer where it has none.
        guard let words = ERR_reason_error_string(ERR_peek_last_error()) else { return "the handshake failed" }
        return String(cString: words)
    }

    /// Takes all of `records`, as they came from the peer, and writes what they say to `plain` (as large as `records`
    /// and `heldBytes` together) and what is to be sent in answer to `encrypted` (handshake, alerts).
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
        // Each round but the last takes at least a byte of plaintext, of which there are at most `plain.count`.
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

    /// Encrypts the front of `plain` into the front of `encrypted`, as much as there is room for;
    /// nil if the session is broken. `encrypted` takes at least one record and its overhead.
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
            // A record begun must be ended in the same call: OpenSSL would want the same bytes again.
            guard wire.output_capacity - wire.output_count >= count + TLSSession.overheadBytes else { return true }
            var taken = 0
            let rest = plain.baseAddress?.advanced(by: outcome.plainBytes)
            guard flipside_tls_write(session, &wire, rest, count, &taken) == flipside_tls_done else { return false }
            outcome.plainBytes += taken
        }
        return true
    }

    /// Says that this side will send nothing more; the bytes for it, of `overheadBytes` at most, are in `encrypted`.
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
