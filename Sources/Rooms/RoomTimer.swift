import Games
import RoomRules

/// The one timer of a room: set to the earliest of what its parts wait for, in hub time.
final class RoomTimer {
    let token: UInt64
    private let timers: any ShardTimers
    private var streamDue: Milliseconds?
    private var homeDue: Milliseconds?
    private var edgeDue: Milliseconds?
    private var armed: Milliseconds?

    init(_ token: UInt64, of timers: any ShardTimers) { (self.token, self.timers) = (token, timers) }

    /// When the stream must be read again; nil if it need not be.
    func set(stream due: Milliseconds?) {
        streamDue = due
        arm()
    }

    /// When the home must act; nil if never.
    func set(home due: Milliseconds?) {
        homeDue = due
        arm()
    }

    /// When the edge must send presence; nil if never.
    func set(edge due: Milliseconds?) {
        edgeDue = due
        arm()
    }

    func cancel() {
        (streamDue, homeDue, edgeDue) = (nil, nil, nil)
        arm()
    }

    /// The timer has fired, and each part sets it again. True if the stream waited for it.
    func fired() -> Bool {
        defer { (streamDue, homeDue, edgeDue, armed) = (nil, nil, nil, nil) }
        return streamDue != nil
    }

    /// Does nothing if the timer is set to this time already.
    private func arm() {
        let next = earlier(streamDue, earlier(homeDue, edgeDue))
        guard next != armed else { return }
        armed = next
        if let next { timers.arm(token, at: next) } else { timers.cancel(token) }
    }
}
