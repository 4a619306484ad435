/// Opens once, for threads that wait for it.
public struct Latch: Sendable {
    private let mailbox = Mailbox<Never>(limit: 0)

    public init() {}

    public func open() { mailbox.close() }

    /// Waits until it is open, at most for `limit`, and returns whether it is.
    public func wait(_ limit: Duration) -> Bool { mailbox.takeAll(waiting: limit) == nil }
}
