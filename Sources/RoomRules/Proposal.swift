import Games
import JSON

/// A proposal to all seats of a room, and who agrees so far. Computers always agree, and are in none of its lists.
public struct Proposal: Equatable, Sendable {
    enum Subject: String, Sendable {
        /// To end the running game and deal it again. All who are asked must agree.
        case restart
        /// To play another game after one has ended, with those who agree, if there are enough.
        case rematch
    }

    /// How long to wait for answers.
    static let answerTimeout: Milliseconds = 30_000
    /// How long a player may propose nothing after a restart that failed.
    static let restartPause: Milliseconds = 60_000
    /// The same after a proposal that was withdrawn, since everyone sees each one.
    static let withdrawalPause: Milliseconds = 5_000

    let subject: Subject
    /// Who proposed it.
    let player: PlayerID
    /// The current seat of that player.
    private(set) var seat: Seat
    /// The version of its event.
    let version: Int
    /// Seats that have yet to answer, in order.
    private(set) var asked: [Seat]
    /// Seats that agree, in order.
    private(set) var agreed: [Seat]
    var deadline: Milliseconds

    init(_ proposed: Proposed, version: Int) {
        (subject, seat, player) = (proposed.subject, proposed.seat, proposed.player)
        (self.version, deadline) = (version, proposed.deadline)
        (asked, agreed) = (proposed.asked, [proposed.seat])
    }

    mutating func recordAnswer(of seat: Seat, agrees: Bool) {
        forget(seat)
        if agrees { agreed = (agreed + [seat]).sorted() }
    }

    /// A player who sits down agrees to a rematch.
    mutating func noteArrival(of player: PlayerID, at seat: Seat) {
        guard subject == .rematch else { return }
        recordAnswer(of: seat, agrees: true)
        if player == self.player { self.seat = seat }
    }

    /// Removes `seat` from both lists.
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
