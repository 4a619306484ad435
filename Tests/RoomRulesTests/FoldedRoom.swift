import Cryptography
import Games
import JSON
import ProtocolOracles
import Records
import Synchronization
import Testing

@testable import RoomRules

/// A room of Memory with 2 x 3 cards and without a hub. Its log has every decision at once.
struct FoldedRoom {
    static let code = "k3m7pq"

    let games: GameCatalog
    private(set) var state: RoomState
    private(set) var records: [Record] = []
    var attendance = Attendance(now: 0)
    var now: Milliseconds = 1_000
    private let random = SeededBytes()

    init(host: PlayerID = "ann") throws {
        games = try GameCatalog(GameList.all)
        state = RoomState(code: Self.code, games: games)
        let opening = Decision(on: state, context)
        opening.add(
            RoomOpened(
                game: "memory", options: try Memory.options(["columns": 2, "rows": 3, "theme": "numbers"]),
                visibility: .public, host: host, seed: .known(random.bytes(Digest.size))))
        try append(opening)
    }

    var context: DecisionContext { DecisionContext(now: now, random: random, attendance: attendance) }

    mutating func connect(_ player: PlayerID) {
        attendance.record(.opened, at: now)
        attendance.record(.came(player), at: now)
    }

    func decide(_ type: String, _ fields: Fields = [:], by player: PlayerID) throws -> Decision {
        let command = try #require(try RoomCommand(type: type, fields: fields, game: state.kind))
        return try state.decide(command, by: player, context)
    }

    mutating func command(_ type: String, _ fields: Fields = [:], by player: PlayerID) throws {
        try append(try decide(type, fields, by: player))
    }

    /// The records that a log makes of `decision`.
    func recorded(_ decision: Decision) throws -> [Record] {
        try decision.write()
        var end = state.end
        return decision.written.map { event in
            end.advance(by: event)
            return Record(
                stream: .room(Self.code), version: end.version, position: end.version,
                commit: .room(after: state.version, run: "run"), event: event, hash: end.head)
        }
    }

    mutating func append(_ decision: Decision) throws {
        let new = try recorded(decision)
        for record in new { try state.apply(record) }
        records += new
    }
}

private final class SeededBytes: RandomSource {
    private let generator = Mutex(SeededGenerator(seed: 1))

    func bytes(_ count: Int) -> [UInt8] {
        generator.withLock { generator in (0..<count).map { _ in .random(in: 0...255, using: &generator) } }
    }
}
