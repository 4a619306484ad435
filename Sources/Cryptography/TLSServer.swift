import Synchronization

/// A server's TLS: makes its sessions, with a certificate that can be read anew and tickets that outlast that.
public final class TLSServer: Sendable {
    private let files: TLSFiles
    private let tickets: TLSTicketKeys
    private let context: Mutex<TLSContext>

    /// Reads the files now, so that what is wrong with them shows before anyone connects. `now`, here and below: in
    /// milliseconds, of a clock that never goes back.
    public init(_ files: TLSFiles, at now: Int) throws(TLSError) {
        self.files = files
        tickets = try TLSTicketKeys(at: now)
        context = Mutex(try TLSContext(serving: files, tickets: tickets))
    }

    /// Reads the files again, for new sessions. Throws and changes nothing if they are not good.
    public func reload() throws(TLSError) {
        let new = try TLSContext(serving: files, tickets: tickets)
        context.withLock { $0 = new }
    }

    /// For a connection that comes now; nil if there is no memory.
    public func session(at now: Int) -> TLSSession? {
        tickets.rotate(at: now)
        return TLSSession(context.withLock { $0 })
    }
}
