import RoomRules

/// Requests that a home has not judged yet, in the order in which they are.
struct RequestQueue {
    /// Commands that may wait while an append is under way; past it, `busy`.
    static let limit = 256

    private var waiting: [RoomRequest] = []
    /// Those that can be judged only when the game has been dealt; within the limit, too.
    private var postponed: [RoomRequest] = []

    var isEmpty: Bool { waiting.isEmpty && postponed.isEmpty }
    var isFull: Bool { waiting.count + postponed.count >= Self.limit }
    /// The next to be judged.
    var first: RoomRequest? { waiting.first }

    mutating func add(_ request: RoomRequest) { waiting.append(request) }
    /// To be judged before all others.
    mutating func addFirst(_ request: RoomRequest) { waiting.insert(request, at: 0) }
    mutating func removeFirst() { waiting.removeFirst() }
    mutating func postpone(_ request: RoomRequest) { postponed.append(request) }

    /// What was postponed comes before what has come since.
    mutating func resume() {
        guard !postponed.isEmpty else { return }
        waiting = postponed + waiting
        postponed = []
    }

    /// Whether this player's being back waits to be judged.
    func holdsReturn(of player: PlayerID) -> Bool { waiting.contains { $0.asker == .player(player) } }

    /// All of it, none of which waits any more.
    mutating func takeAll() -> [RoomRequest] {
        defer { (waiting, postponed) = ([], []) }
        return postponed + waiting
    }

    /// All that can be refused, none of which waits any more: that somebody is back stays so.
    mutating func takeRefusable() -> [RoomRequest] {
        let all = postponed + waiting
        (waiting, postponed) = (all.filter(\.isReturn), [])
        return all.filter { !$0.isReturn }
    }
}
