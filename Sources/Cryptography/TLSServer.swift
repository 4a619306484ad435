import Synchronization

/// Makes a server's TLS sessions. Its certificates can be read again, and tickets outlast that.
public final class TLSServer: Sendable {
    private let options: TLSOptions
    private let tickets: TLSTicketKeys
    private let context: Mutex<TLSContext>

    /// Reads the files now, so that mistakes in them show before a client connects. There is at least one pair. `now`,
    /// here and below, is in milliseconds since 1970, of a clock that never goes back.
    public init(_ options: TLSOptions, at now: Int) throws(TLSError) {
        self.options = options
        tickets = try TLSTicketKeys(at: now)
        context = Mutex(try TLSContext(serving: options, tickets: tickets, at: now))
    }

    /// Reads the files again, for `use`. Throws and changes nothing if one of them is bad.
    public func reread(at now: Int) throws(TLSError) -> TLSContext {
        try TLSContext(serving: options, tickets: tickets, at: now)
    }

    /// New sessions use what `reread` returned from now on.
    public func use(_ new: TLSContext) { context.withLock { $0 = new } }

    /// For a new connection; nil if there is no memory.
    public func session(at now: Int) -> TLSSession? {
        tickets.rotate(at: now)
        return TLSSession(context.withLock { $0 }, at: now / 1_000)
    }

    /// Problems with the files, as they were last read, that keep no client out.
    public var notes: [TLSNote] { context.withLock { $0.notes } }

    /// When the first of the certificates expires, in seconds since 1970; nil if none says so.
    public var expiry: Int? { context.withLock { $0.expiry } }
}
