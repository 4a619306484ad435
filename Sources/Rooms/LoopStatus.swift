import Games
import RoomRules

/// What a loop knows of the log and of other nodes, by which its rooms may be played or not.
struct LoopStatus {
    var history: HubHistory
    var unreadable: Set<String>
    var isLogDown = false
    var isStandingStill = false
    var leaseEnd = Milliseconds.max
    var logSilence = LogSilence()

    func isOutageUnrecorded(at now: Milliseconds) -> Bool {
        isLogDown || isStandingStill || logSilence.begun(at: now) != nil
    }
}

extension RoomSurroundings {
    /// Times in which rooms could not be played, and who serves them.
    public var history: HubHistory {
        get { status.history }
        _modify { yield &status.history }
    }
    /// Events that this or another node cannot read.
    public var unreadable: Set<String> { status.unreadable }
    /// True from when the log stops taking writes until the outage is recorded.
    public var isLogDown: Bool {
        get { status.isLogDown }
        set {
            status.isLogDown = newValue
            counters.logIsDown.set(newValue ? 1 : 0)
        }
    }
    /// True from the first turn after this loop was blocked until that outage is recorded.
    public var isStandingStill: Bool {
        get { status.isStandingStill }
        set { status.isStandingStill = newValue }
    }
    /// Until when the other nodes count on this one, by what it has told them; without other nodes for ever.
    public var leaseEnd: Milliseconds {
        get { status.leaseEnd }
        set { status.leaseEnd = newValue }
    }
    /// From when an append is handed over until the log answers one.
    public var logSilence: LogSilence {
        get { status.logSilence }
        set { status.logSilence = newValue }
    }
    /// Whether an outage is not over, or not in the log yet.
    var isOutageUnrecorded: Bool { status.isOutageUnrecorded(at: now) }
    /// Whether commands and clocks may be judged.
    public var canPlay: Bool { now <= status.leaseEnd && !isOutageUnrecorded }
    /// Whether a new connection can be served. A loop that was blocked for a moment continues at once.
    public var isReadyToPlay: Bool { now <= status.leaseEnd && !status.isLogDown }
}
