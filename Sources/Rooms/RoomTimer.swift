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

    /// When the stream is to be read again; nil: not.
    func set(stream due: Milliseconds?) {
        streamDue = due
        arm()
    }

    /// When the home has something to do; nil: nothing.
    func set(home due: Milliseconds?) {
        homeDue = due
        arm()
    }

    /// When the edge has something to tell; nil: nothing.
    func set(edge due: Milliseconds?) {
        edgeDue = due
        arm()
    }

    func cancel() {
        (streamDue, homeDue, edgeDue) = (nil, nil, nil)
        arm()
    }

    /// It has fired: each part says anew what it waits for. True where the stream has waited.
    func fired() -> Bool {
        defer { (streamDue, homeDue, edgeDue, armed) = (nil, nil, nil, nil) }
        return streamDue != nil
    }

    /// Not again for the time that it is set to.
    private func arm() {
        let next = earlier(streamDue, earlier(homeDue, edgeDue))
        guard next != armed else { return }
        armed = next
        if let next { timers.arm(token, at: next) } else { timers.cancel(token) }
    }
}
