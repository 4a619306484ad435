import Games
import JSON

/// A game ended.
public struct GameEnded: OwnEvent {
    public static let type = "game-ended"

    /// The game that ended, or that could not be dealt.
    public let game: PlayedGame
    /// Why it ended.
    public let reason: GameEndReason
    /// In the order of turns; empty if no result counts.
    public let results: [NamedResult]
    /// Whether it was decided before anyone had moved. Someone has won, but no result is ranked.
    public var isUnplayed = false
    /// Opens what the game was dealt from; nil if it is not dealt.
    public let reveal: Reveal?
    /// The seed of the next game; nil if there is none, or if it is not dealt.
    let seed: ServerSeed?

    public var fields: Fields {
        var fields = game.fields.merging([
            "results": .list(results.map { .object($0.fields) }), "reason": .string(reason.rawValue),
        ])
        if isUnplayed { fields["unplayed"] = true }
        if let reveal { fields["reveal"] = .object(reveal.fields) }
        if let seed { fields["commitment"] = .string(seed.commitment.hex) }
        return fields
    }

    public var sealed: [UInt8]? { seed?.bytes }

    public static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        guard let game = PlayedGame(fields), let results = fields["results"]?.list,
            let reason = fields["reason"]?.string.flatMap({ GameEndReason(rawValue: $0) }),
            let seed = ServerSeed.read(fields, sealed)
        else { return nil }
        let read = results.compactMap { $0.object.flatMap { NamedResult($0) } }
        guard read.count == results.count else { return nil }
        guard let reveal = Reveal.read(fields) else { return nil }
        return Self(
            game: game, reason: reason, results: read, isUnplayed: fields["unplayed"]?.bool ?? false,
            reveal: reveal.reveal, seed: seed.seed)
    }

    public func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        var facts = room.facts
        if let dealing = room.dealing {
            // The game could not be dealt. The one before it, if any, is still shown.
            guard reason == .fault else { return false }
            facts.gameNumber = dealing.start.number
            facts.dealing = nil
        } else {
            guard room.phase == .running else { return false }
        }
        facts.phase = room.lastStart == nil ? .waiting : .ended
        facts.lastEnd = self
        facts.seed = seed
        for seat in room.playing.keys where room.isHelped(seat) { facts.seating.computers[seat] = nil }
        facts.playing = [:]
        facts.proposal = nil
        facts.wins.countWin(of: self, at: time)
        room.facts = facts
        return true
    }
}

/// Why a game ended.
public enum GameEndReason: Equatable, Sendable {
    /// By its own rules, or because everyone left.
    case game(Outcome.Reason)
    /// All agreed to deal it again, and the next game starts at once.
    case restart
    /// Its room was closed.
    case closed
    /// It did something that the log cannot hold. It has no results.
    case fault

    /// Whether the game ended before it was decided. Then no one has won.
    public var isUndecided: Bool {
        switch self {
        case .game(.left), .game(.stalled), .restart, .closed, .fault: true
        case .game(.finished), .game(.time), .game(.resigned): false
        }
    }
}

extension GameEndReason: RawRepresentable {
    /// As in the field `reason`.
    public var rawValue: String {
        switch self {
        case .game(let reason): reason.rawValue
        case .restart: "restart"
        case .closed: "closed"
        case .fault: "fault"
        }
    }

    public init?(rawValue: String) {
        switch rawValue {
        case "restart": self = .restart
        case "closed": self = .closed
        case "fault": self = .fault
        default:
            guard let reason = Outcome.Reason(rawValue: rawValue) else { return nil }
            self = .game(reason)
        }
    }
}
