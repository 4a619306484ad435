import JSON

@testable import Games

/// Games as in a room's log, one event on each line with the view after it, for the page's own fold.
struct PageLog {
    private(set) var bytes: [UInt8] = []
    /// Where each appended log ends.
    private var ends: [Int] = []
    private var version = 0
    private var game = ""

    mutating func open<Played: Game>(_ kind: Played.Type, _ options: Fields) {
        game = kind.name
        let fields: Fields = [
            "game": .string(game), "options": .object(options), "visibility": "public", "host": "p0",
        ]
        let facts: Fields = [
            "seats": .integers([kind.seats.lowerBound, kind.seats.upperBound]), "levels": .strings(kind.computerLevels),
        ]
        add("room-opened", fields, at: 0, view: nil, besides: ["facts": .object(facts)])
    }

    mutating func add(
        _ type: String, _ fields: Fields, at time: Milliseconds, view: Fields?, besides: Fields = [:]
    ) {
        version += 1
        let event: Fields = ["v": .integer(version), "t": .integer(time), "type": .string(type)]
        let line: Fields = [
            "event": .object(event.merging(fields)), "view": view.map { .object($0) } ?? .null,
        ]
        write(line.merging(besides))
    }

    mutating func leave(_ seat: Seat, _ result: PlayerResult?, at time: Milliseconds, view: Fields) {
        let fields: Fields = [
            "seat": .integer(seat.rawValue), "player": .string("p\(seat.rawValue)"), "reason": "left",
            "game": .string(game), "mode": "", "number": 1, "against": "people",
            "result": .object(result.map { Self.fields(of: $0) } ?? [:]),
        ]
        add("player-left", fields, at: time, view: view)
    }

    mutating func end(_ outcome: Outcome, at time: Milliseconds, view: Fields) {
        let fields: Fields = [
            "game": .string(game), "mode": "", "number": 1, "reason": .string(outcome.reason.rawValue),
            "results": .list(outcome.results.map { .object(Self.fields(of: $0)) }),
        ]
        add("game-ended", fields, at: time, view: view)
    }

    /// The legal moves of `seat`, one of those that the game awaits, and the hand that its player sees.
    mutating func addMoves(_ legal: [GameStep], of seat: Seat, awaited: Set<Seat>, hand: Fields?) {
        let commands = legal.map { Value.object(Fields([("type", .string($0.type))]).merging($0.fields)) }
        var line: Fields = [
            "seat": .integer(seat.rawValue), "awaited": .integers(awaited.map(\.rawValue).sorted()),
            "legal": .list(commands),
        ]
        line["hand"] = hand.map { .object($0) }
        write(line)
    }

    mutating func append(_ other: PageLog) {
        bytes += other.bytes
        ends.append(bytes.count)
    }

    /// The first `count` of the logs that were appended.
    func prefix(_ count: Int) -> PageLog {
        var first = PageLog()
        first.bytes = Array(bytes[..<(ends.prefix(count).last ?? 0)])
        return first
    }

    private static func fields(of result: PlayerResult) -> Fields {
        let own: Fields = ["seat": .integer(result.seat.rawValue), "score": .integer(result.score)]
        return own.merging(result.figures).merging(["time": .integer(result.time)])
    }

    private mutating func write(_ line: Fields) { bytes += JSONWriter.bytes(line) + [UInt8(ascii: "\n")] }
}
