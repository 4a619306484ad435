import Cryptography
import Games
import JSON

/// What `dealing` or `game-started` fixes for the game.
struct GameStart {
    let options: Fields
    /// The game's own: all fields that are neither the room's nor common to all events.
    let fields: Fields
    /// In the order of turns.
    let seats: [Seat]
    private let people: Int
    /// Opened nonces.
    private let nonces: [(seat: Int, nonce: String)]

    private static let others: Set = [
        "v", "t", "type", "more", "number", "options", "seats", "first", "awaited", "deadline",
    ]

    init(_ event: Value) {
        let players = event["seats"]?.list ?? []
        options = event["options"]?.object ?? [:]
        fields = Fields(event.elements.filter { !Self.others.contains($0.0) })
        seats = players.map { Seat($0["seat"]?.integer ?? -1) }
        people = players.count { $0["bot"] == nil }
        nonces = players.compactMap { player in
            player["nonce"]?.string.map { (player["seat"]?.integer ?? -1, $0) }
        }
    }

    /// The game's seed (Protocol.md, "The deck"); nil if the room has none.
    func seed(_ serverSeed: [UInt8]?) -> Digest? {
        let opened = nonces.map { (Seat($0.seat), [UInt8](hex: $0.nonce) ?? []) }
        return serverSeed.flatMap { Digest(bytes: $0) }.map {
            gameSeed(serverSeed: $0, nonces: Dictionary(opened) { first, _ in first })
        }
    }

    /// `reveal` in `game-ended`.
    func reveal(_ serverSeed: [UInt8]) -> Fields {
        let opened = nonces.sorted { $0.seat < $1.seat }.map { seat, nonce -> Value in
            .object(["seat": .integer(seat), "nonce": .string(nonce)])
        }
        return ["seed": .string(serverSeed.hex), "nonces": .list(opened)]
    }

    /// Throws if `kind` does not set up this game with the options asked for, or from what `dealing` has fixed.
    /// `seed` is the game's; nil before it is known.
    func check(
        _ kind: any Game.Type, asked: Fields, fixed dealing: Fields? = nil, dealtFrom seed: Digest? = nil
    ) throws(BrokenPromise) {
        if let dealing {
            let fixed = GameStart(.object(dealing))
            let difference = difference(from: (fixed.options, fixed.fields), of: kind, dealtFrom: seed)
            guard let difference else { return }
            throw BrokenPromise(GameFold.rule, difference)
        }
        var asked = asked
        // No one waits for a single person.
        if people == 1, asked["turnTime"] == nil { asked["turnTime"] = 0 }
        var difference: String?
        for number in 0..<Self.draws {
            // The hub draws what is public (a theme) from words of its own. Some words must give what it shows.
            var draw = RandomWords(seed: SHA256.digest(of: "\(number)"))
            let setup: (options: Fields, fields: Fields)
            do throws(Rejection) {
                setup = try kind.setupFields(asked, players: seats.count, draw: &draw)
            } catch { throw BrokenPromise(GameFold.rule, error.sentence) }
            guard let different = self.difference(from: setup, of: kind, dealtFrom: seed) else { return }
            difference = difference ?? different
        }
        throw BrokenPromise(GameFold.rule, difference ?? "")
    }

    /// Enough for each of a few dozen themes to be drawn.
    private static let draws = 500

    /// The difference from `setup`, completed with what follows from the seed; nil if there is none.
    private func difference(
        from setup: (options: Fields, fields: Fields), of kind: any Game.Type, dealtFrom seed: Digest?
    ) -> String? {
        var setup = setup
        if let seed {
            guard let dealt = kind.dealtFields(options: setup.options, fields: setup.fields, seed: seed) else {
                return "it cannot be dealt"
            }
            setup = dealt
        }
        return setup.options.difference(from: options).map { "of its options, \($0)" }
            ?? setup.fields.difference(from: fields)
    }
}
