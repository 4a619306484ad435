import Synchronization

/// A server's TLS: makes its sessions, with certificates that can be read anew and tickets that outlast that.
public final class TLSServer: Sendable {
    private let options: TLSOptions
    private let tickets: TLSTicketKeys
    private let context: Mutex<TLSContext>

    /// Reads the files now, so that what is wrong with them shows before anyone connects. There is at least one
    /// pair. `now`, here and below: in milliseconds since 1970, of a clock that never goes back.
    public init(_ options: TLSOptions, at now: Int) throws(TLSError) {
        self.options = options
        tickets = try TLSTicketKeys(at: now)
        context = Mutex(try TLSContext(serving: options, tickets: tickets, at: now))
    }

    /// Reads the files again, for `use`. Throws and changes nothing if one is not good.
    public func reread(at now: Int) throws(TLSError) -> TLSContext {
        try TLSContext(serving: options, tickets: tickets, at: now)
    }

    /// From now on new sessions begin with what `reread` gave.
    public func use(_ new: TLSContext) { context.withLock { $0 = new } }

    /// For a connection that comes now; nil if there is no memory.
    public func session(at now: Int) -> TLSSession? {
        tickets.rotate(at: now)
        return TLSSession(context.withLock { $0 }, at: now / 1_000)
    }

    /// What is not as it should be, yet keeps nobody out. Of the files as they were last read.
    public var notes: [TLSNote] { context.withLock { $0.notes } }

    /// When the first of the certificates expires, in seconds since 1970; nil: none says so.
    public var expiry: Int? { context.withLock { $0.expiry } }
}
