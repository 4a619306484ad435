import Threads

// What a loop counts of its turns.
extension Loop {
    /// The turn that brought these to their end has sent what it could.
    func countHandshakes(until end: Nanoseconds) {
        for handshake in handshakes { counters.add(handshake, until: end) }
        handshakes.removeAll(keepingCapacity: true)
    }

    /// A turn begins. What came while the one before was under way has waited for its end, and what was due behind a
    /// wait of `wait` ms for as long as the system has overslept that.
    func begin(_ turn: TurnTime, behind wait: Milliseconds) {
        let before = context.turn.began
        context.turn = turn
        // Before the first turn there was nothing to wait for.
        guard before > 0 else { return }
        counters.lag.add(turn.lastEnded - before + max(0, turn.began - turn.lastEnded - wait * 1_000_000))
    }

    /// A connection of `peer` is one too many.
    func count(_ refusal: Admission.Refusal, of peer: Peer) {
        counters.limits.add(refusal.limit)
        // Nodes have a limit of their own, which no option sets.
        if peer.door != .nodes { service.passed(refusal.limit, by: peer) }
    }

    /// So much waits for a connection whose socket takes no more, or took all, or is gone.
    func note(_ bytes: Int, waitingFor token: UInt64) {
        waiting.set(bytes, of: token)
        counters.waitingBytes.set(waiting.sum)
    }
}

/// The bytes that wait for sockets that take no more: kept for these alone, so that others cost nothing.
struct WaitingBytes {
    private var ofToken: [UInt64: Int] = [:]
    private(set) var sum = 0

    var isEmpty: Bool { ofToken.isEmpty }

    /// 0: the connection of this token has nothing that waits, or is gone.
    mutating func set(_ bytes: Int, of token: UInt64) {
        sum += bytes - (ofToken[token] ?? 0)
        ofToken[token] = bytes == 0 ? nil : bytes
    }
}
