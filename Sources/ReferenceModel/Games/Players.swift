import Cryptography

/// Who plays a game, in the order of turns, and what becomes of them. `index` is a place in that order.
struct Players: Sendable {
    struct Player: Sendable {
        let seat: Int
        let player: String
        let isComputer: Bool
        let nonce: [UInt8]?
        /// Milliseconds for which the player has played before leaving; nil: has not left.
        var playedFor: Int?
        /// A computer has played for the player.
        var wasHelped = false
        /// It does so now.
        var isHelped = false
    }

    private(set) var all: [Player]
    /// By seat; -1: does not play.
    private let indices: [Int]

    init(_ started: JSON) throws(BrokenPromise) {
        guard let list = started["seats"]?.list, !list.isEmpty else { throw BrokenPromise(rule, "it has no seats") }
        var indices = [Int](repeating: -1, count: 16)
        var all: [Player] = []
        for entry in list {
            let player = try Self.player(entry)
            guard indices.indices.contains(player.seat), indices[player.seat] < 0 else {
                throw BrokenPromise(rule, "seat \(player.seat) stands there twice, or cannot be: \(started)")
            }
            guard all.last.map({ $0.seat < player.seat }) ?? true else {
                throw BrokenPromise(rule, "turns do not go round in the order of seats: \(started)")
            }
            guard !all.contains(where: { $0.player == player.player }) else {
                throw BrokenPromise(rule, "\(player.player) has two seats: \(started)")
            }
            indices[player.seat] = all.count
            all.append(player)
        }
        guard let first = started["first"]?.number, indices.indices.contains(first), indices[first] >= 0 else {
            throw BrokenPromise(rule, "who begins does not play: \(started)")
        }
        (self.all, self.indices) = (all, indices)
    }

    private static func player(_ entry: JSON) throws(BrokenPromise) -> Player {
        guard let seat = entry["seat"]?.number, let player = entry["player"]?.text else {
            throw BrokenPromise(rule, "a seat is none: \(entry)")
        }
        var nonce: [UInt8]?
        if let opened = entry["nonce"] {
            guard let bytes = opened.text.flatMap({ [UInt8](hex: $0) }), bytes.count == 16,
                entry["commitment"]?.text == SHA256.digest(of: bytes).bytes.hex
            else { throw BrokenPromise(rule, "a nonce does not fit what was committed to: \(entry)") }
            nonce = bytes
        }
        let isComputer = entry["bot"] != nil
        guard isComputer == (player == "bot-\(seat)") else {
            throw BrokenPromise(rule, "a computer's player is bot- and its seat: \(entry)")
        }
        return Player(seat: seat, player: player, isComputer: isComputer, nonce: nonce)
    }

    var count: Int { all.count }
    var seats: [Int] { all.map(\.seat) }
    var humans: Int { all.count { !$0.isComputer } }
    /// Those who have not left.
    var remaining: Int { all.count { $0.playedFor == nil } }
    var humansRemaining: Int { all.count { $0.playedFor == nil && !$0.isComputer } }
    var nonces: [(seat: Int, nonce: [UInt8])] { all.compactMap { one in one.nonce.map { (one.seat, $0) } } }

    func index(of seat: Int) -> Int? {
        guard indices.indices.contains(seat), indices[seat] >= 0 else { return nil }
        return indices[seat]
    }

    subscript(index: Int) -> Player { all[index] }

    mutating func leave(_ index: Int, after played: Int) { all[index].playedFor = played }

    mutating func help(_ seat: Int, _ isHelped: Bool) {
        guard let index = index(of: seat) else { return }
        all[index].isHelped = isHelped
        if isHelped { all[index].wasHelped = true }
    }

    /// Whom people played against, as the leaderboard has it.
    var against: String { all.count == 1 ? "alone" : humans > 1 ? "people" : "computers" }

    /// `reveal` of the game's end.
    func reveal(_ serverSeed: [UInt8]?) -> JSON? {
        guard let serverSeed else { return nil }
        let opened = nonces.sorted { $0.seat < $1.seat }
        return [
            "seed": .text(serverSeed.hex),
            "nonces": .list(opened.map { ["seat": .number($0.seat), "nonce": .text($0.nonce.hex)] }),
        ]
    }

    // MARK: Results

    /// How it has gone for who has played until now, or until leaving.
    func result(_ index: Int, score: Int, time: Int) -> GameResult {
        let player = all[index]
        return GameResult(
            seat: player.seat, player: player.player, score: score, place: 0, time: player.playedFor ?? time,
            hasLeft: player.playedFor != nil, wasHelped: player.wasHelped, isComputer: player.isComputer)
    }

    /// `results` of a game played to its end: of several people, in turns of less than an hour, who is gone has left.
    func leave(_ results: [GameResult], _ gone: [Absence], at time: Int, turnTime: Int) -> [GameResult] {
        guard humans > 1, (1..<3_600_000).contains(turnTime) else { return results }
        return results.map { result in
            var result = result
            if let absence = gone.first(where: { $0.seat == result.seat }), let index = index(of: result.seat),
                !all[index].isComputer, !all[index].isHelped, !result.hasLeft
            {
                result.hasLeft = true
                result.time = max(0, result.time - (time - absence.since))
            }
            return result
        }
    }
}

/// `results` with their places: those who left stand behind the others, and those who are equal share one.
func placed(_ results: [GameResult], isBetter: (GameResult, GameResult) -> Bool) -> [GameResult] {
    results.map { result in
        var result = result
        result.place =
            1
            + results.count { other in
                other.hasLeft == result.hasLeft ? isBetter(other, result) : result.hasLeft
            }
        return result
    }
}

private let rule = "a game begins as its room and its rules say"
