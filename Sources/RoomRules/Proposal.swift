import Games
import JSON

/// What somebody has proposed to the table, and how far it agrees. Computers always do, and are in no list of this.
public struct Proposal: Equatable, Sendable {
    enum Subject: String, Sendable {
        /// To end the running game and deal it again: all who are asked must agree.
        case restart
        /// Another game after the one that has ended: with those who agree, if they are enough.
        case rematch
    }

    /// How long answers are waited for.
    static let answerTimeout: Milliseconds = 30_000
    /// How long a player whose restart nobody wanted waits before proposing another one.
    static let restartPause: Milliseconds = 60_000
    /// How long one who has taken something back does: everybody hears of each.
    static let withdrawalPause: Milliseconds = 5_000

    let subject: Subject
    /// Who proposed it.
    let player: PlayerID
    /// Where that was, or is by now.
    private(set) var seat: Seat
    /// Of its event.
    let version: Int
    /// Whose answers are awaited, in order.
    private(set) var asked: [Seat]
    /// Who wants it, in order.
    private(set) var agreed: [Seat]
    var deadline: Milliseconds

    init(_ proposed: Proposed, version: Int) {
        (subject, seat, player) = (proposed.subject, proposed.seat, proposed.player)
        (self.version, deadline) = (version, proposed.deadline)
        (asked, agreed) = (proposed.asked, [proposed.seat])
    }

    mutating func note(_ seat: Seat, agrees: Bool) {
        forget(seat)
        if agrees { agreed = (agreed + [seat]).sorted() }
    }

    /// Whoever sits down says by it that a next game is wanted.
    mutating func noteArrival(of player: PlayerID, at seat: Seat) {
        guard subject == .rematch else { return }
        note(seat, agrees: true)
        if player == self.player { self.seat = seat }
    }

    /// Nobody waits for `seat`, nor does it want anything.
    mutating func forget(_ seat: Seat) {
        stopAsking { $0 == seat }
        agreed.removeAll { $0 == seat }
    }

    mutating func stopAsking(_ isAskedNoMore: (Seat) -> Bool) { asked.removeAll(where: isAskedNoMore) }

    /// As in `welcome`.
    var fields: Fields {
        [
            "v": .integer(version), "what": .string(subject.rawValue), "seat": .integer(seat.rawValue),
            "player": .string(player),
            "asked": .integers(asked.map(\.rawValue)), "agreed": .integers(agreed.map(\.rawValue)),
            "deadline": .integer(deadline),
        ]
    }
}
