import JSON

@testable import Games

/// Games as in a room's log, one event on each line with the view after it, for the page's own fold.
struct PageLog {
    private(set) var bytes: [UInt8] = []
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
        write(.object(line.merging(besides)))
        bytes.append(UInt8(ascii: "\n"))
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

    /// Whose turn it is, and what that seat may do.
    mutating func say(_ turn: Seat, legal: [GameStep]) {
        let commands = legal.map { Value.object(Fields([("type", .string($0.type))]).merging($0.fields)) }
        write(.object(["turn": .integer(turn.rawValue), "legal": .list(commands)]))
        bytes.append(UInt8(ascii: "\n"))
    }

    mutating func append(_ other: PageLog) { bytes += other.bytes }

    private static func fields(of result: PlayerResult) -> Fields {
        let own: Fields = ["seat": .integer(result.seat.rawValue), "score": .integer(result.score)]
        return own.merging(result.figures).merging(["time": .integer(result.time)])
    }

    private mutating func write(_ value: Value) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let flag): bytes += (flag ? "true" : "false").utf8
        case .integer(let number): bytes += String(number).utf8
        case .fraction(let number): bytes += String(number).utf8
        case .string(let text):
            bytes.append(UInt8(ascii: "\""))
            for byte in text.utf8 {
                if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    let digits = String(byte, radix: 16)
                    bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
                } else {
                    bytes.append(byte)
                }
            }
            bytes.append(UInt8(ascii: "\""))
        case .list(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(value)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let fields):
            bytes.append(UInt8(ascii: "{"))
            for (index, name) in fields.names.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(.string(name))
                bytes.append(UInt8(ascii: ":"))
                write(fields.values[index])
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}
