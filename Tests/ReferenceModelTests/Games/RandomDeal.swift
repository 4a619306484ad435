import Cryptography
import JSON
@testable import ReferenceModel

@testable import Games

/// Seeds, nonces and commitments of a game, drawn for a test.
struct RandomDeal {
    let serverSeed: Digest
    private var nonces: [Seat: [UInt8]] = [:]
    private var commitments: [Seat: Digest] = [:]

    init(_ players: [Seat], computers: Set<Seat>, _ words: inout RandomWords) {
        serverSeed = SHA256.digest(of: "seed \(words.next())")
        for seat in players where !computers.contains(seat) && words.number(below: 3) > 0 {
            let nonce = Array(SHA256.digest(of: "nonce \(words.next())").bytes.prefix(nonceSize))
            commitments[seat] = SHA256.digest(of: nonce)
            // Some do not open theirs.
            if words.number(below: 3) > 0 { nonces[seat] = nonce }
        }
    }

    var seed: Digest { gameSeed(serverSeed: serverSeed, nonces: nonces) }

    /// `seats` of `game-started`.
    func seats(_ players: [Seat], _ computers: Set<Seat>) -> [Value] {
        players.map { seat in
            let isComputer = computers.contains(seat)
            var fields: Fields = [
                "seat": .integer(seat.rawValue),
                "player": .string(isComputer ? "bot-\(seat.rawValue)" : "p\(seat.rawValue)"),
            ]
            if isComputer { fields["bot"] = "easy" }
            fields["commitment"] = commitments[seat].map { .string($0.hex) }
            fields["nonce"] = nonces[seat].map { .string($0.hex) }
            return .object(fields)
        }
    }
}

/// As a game has it: within `JSON` the name is another's.
typealias GameValue = Value

extension JSON {
    init(_ fields: Fields) { self = .object(fields.elements.map { JSON.Member($0.0, JSON($0.1)) }) }

    init(_ value: GameValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .number(number)
        case .fraction: preconditionFailure("no game's event holds a fraction")
        case .string(let text): self = .text(text)
        case .list(let values): self = .list(values.map { JSON($0) })
        case .object(let fields): self = JSON(fields)
        }
    }
}

extension Value {
    init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let number): self = .integer(number)
        case .text(let text): self = .string(text)
        case .list(let list): self = .list(list.map { Value($0) })
        case .object(let members): self = .object(Fields(members.map { ($0.name, Value($0.value)) }))
        }
    }
}

extension [(String, Value)] {
    var fields: Fields { Fields(self) }
}

extension RandomWords {
    /// The next word, which is not taken.
    var peek: UInt32 {
        var copy = self
        return copy.next()
    }
}
