import Synchronization

/// A server's TLS: makes its sessions, with certificates that can be read anew and tickets that outlast that.
public final class TLSServer: Sendable {
    private let options: TLSOptions
    private let tickets: TLSTicketKeys
    private let context: Mutex<TLSContext>

    /// Reads the files now, so that what is wrong with them shows before anyone connects. There is at least one
    /// pair. `now`, here and below: in milliseconds, of a clock that never goes back.
    public init(_ options: TLSOptions, at now: Int) throws(TLSError) {
        self.options = options
        tickets = try TLSTicketKeys(at: now)
        context = Mutex(try TLSContext(serving: options, tickets: tickets))
    }

    /// Reads the files again, for new sessions. Throws and changes nothing if one is not good.
    public func reload() throws(TLSError) {
        let new = try TLSContext(serving: options, tickets: tickets)
        context.withLock { $0 = new }
    }

    /// For a connection that comes now; nil if there is no memory.
    public func session(at now: Int) -> TLSSession? {
        tickets.rotate(at: now)
        return TLSSession(context.withLock { $0 })
    }
}
