import Threads

extension Loop {
    /// The turn in which these ended has sent what it could.
    func countHandshakes(until end: Nanoseconds) {
        for handshake in handshakes { counters.add(handshake, until: end) }
        handshakes.removeAll(keepingCapacity: true)
    }

    /// A turn starts after a wait of `wait` ms. Events that came during the turn before waited for its end, and timers
    /// waited for as long as the system overslept.
    func recordTurn(_ turn: TurnTime, after wait: Milliseconds) {
        let before = context.turn.began
        context.turn = turn
        // There was nothing to wait for before the first turn.
        guard before > 0 else { return }
        counters.lag.add(turn.lastEnded - before + max(0, turn.began - turn.lastEnded - wait * 1_000_000))
    }

    func count(_ refusal: Admission.Refusal, of peer: Peer) {
        counters.limits.add(refusal.limit)
        // Nodes have a limit of their own, which no option sets.
        if peer.door != .nodes { service.limitPassed(refusal.limit, by: peer) }
    }

    /// Records how much waits for a connection: its socket takes no more, took everything, or is gone.
    func recordWaiting(_ bytes: Int, for token: UInt64) {
        waiting.set(bytes, of: token)
        counters.waitingBytes.set(waiting.sum)
    }
}

/// Bytes that wait for blocked sockets. Other connections are not recorded, so they cost nothing.
struct WaitingBytes {
    private var ofToken: [UInt64: Int] = [:]
    private(set) var sum = 0

    var isEmpty: Bool { ofToken.isEmpty }

    /// 0 if nothing waits for the connection with this token, or if it is gone.
    mutating func set(_ bytes: Int, of token: UInt64) {
        sum += bytes - (ofToken[token] ?? 0)
        ofToken[token] = bytes == 0 ? nil : bytes
    }
}
