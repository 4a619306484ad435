import RoomRules

/// Requests that a home has not judged yet, in order.
struct RequestQueue {
    /// Commands that may wait while an append is under way. More are refused as `busy`.
    static let limit = 256

    private var waiting: [RoomRequest] = []
    /// Requests that can be judged only when the game has been dealt. They count toward the limit.
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

    /// Puts what was postponed before what has come since.
    mutating func resume() {
        guard !postponed.isEmpty else { return }
        waiting = postponed + waiting
        postponed = []
    }

    /// Whether a request waits that marks this player as back.
    func holdsReturn(of player: PlayerID) -> Bool { waiting.contains { $0.asker == .player(player) } }

    /// Removes and returns all requests.
    mutating func takeAll() -> [RoomRequest] {
        defer { (waiting, postponed) = ([], []) }
        return postponed + waiting
    }

    /// Removes and returns all requests that can be refused. Returns of players stay.
    mutating func takeRefusable() -> [RoomRequest] {
        let all = postponed + waiting
        (waiting, postponed) = (all.filter(\.isReturn), [])
        return all.filter { !$0.isReturn }
    }
}
