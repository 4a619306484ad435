import Cryptography
import Foundation
import JSON

@testable import Games

/// Tries to find out hands as another player might. It deals a game again with many seeds and compares: a hand is no
/// secret if something that everyone is shown determines it, or if it is the same in all deals that fit what everyone
/// has been shown.
struct HandSearch<Played: Game> {
    /// Enough that shown values repeat, of which a pack of cards has about fifty.
    private static var dealCount: Int { 100 }
    /// Fewer deals that still fit prove nothing.
    private static var fewestDeals: Int { 20 }

    private let players: [Seat]
    private let samples: [Sample]
    /// The other deals that fit everything shown so far.
    private var fitting: [Played]
    /// Seats whose hand was seen with something in it, and those where it differed among the fitting deals.
    private var (seen, differing): (Set<Seat>, Set<Seat>) = ([], [])

    /// One deal: what is shown after the opening, and what only players see.
    private struct Sample {
        var shown: [String: String] = [:]
        var hands: [Seat: Fields] = [:]
        /// The values that came to a hand with the first commands, and that no event showed.
        var gained: [String: String] = [:]
    }

    /// Nil if the game has no hands. `live` is the game that is played; its own fields of `game-started` are `fields`.
    init?(
        _ setup: Played.Setup, players: [Seat], first: Seat, at time: Milliseconds, like live: Played, fields: Fields
    ) {
        guard players.contains(where: { live.hand(of: $0) != nil }) else { return nil }
        self.players = players
        (fitting, seen, differing) = ([], [], [])
        var samples: [Sample] = []
        for number in 0..<Self.dealCount {
            let seed = SHA256.digest(of: "deal \(number)")
            let dealt = setup.dealt(from: seed)
            let game = Played.started(
                options: dealt.options, fields: dealt.fields, players: players, first: first, seed: seed, at: time)
            guard let game else { continue }
            samples.append(Self.sample(game, dealt.fields, players, at: time))
            if dealt.fields == fields, game.view == live.view { fitting.append(game) }
        }
        self.samples = samples
    }

    private static func sample(_ game: Played, _ fields: Fields, _ players: [Seat], at time: Milliseconds) -> Sample {
        var (sample, game) = (Sample(), game)
        collect(.object(fields), at: "game-started", in: &sample.shown)
        for event in game.opening(at: time) {
            collect(.object(game.fields(of: event)), at: event.type, in: &sample.shown)
            game.apply(event, at: time)
        }
        collect(.object(game.view), at: "view", in: &sample.shown)
        for seat in players { sample.hands[seat] = game.hand(of: seat) }
        for share in 0..<3 {
            for seat in game.awaited.sorted().prefix(1) {
                let legal = game.legalCommands(for: seat)
                guard !legal.isEmpty else { continue }
                var (next, told) = (game, [String: String]())
                // A legal command that is refused is another promise's.
                guard let events = try? game.decide(legal[share * legal.count / 3], by: seat, at: time) else {
                    continue
                }
                for event in events {
                    collect(.object(next.fields(of: event)), at: "", in: &told)
                    next.apply(event, at: time)
                }
                for other in players {
                    guard let before = sample.hands[other], let after = next.hand(of: other) else { continue }
                    var new = leaves(of: .object(after))
                    for leaf in leaves(of: .object(before)) { new.firstIndex(of: leaf).map { _ = new.remove(at: $0) } }
                    new.removeAll(where: Set(told.values).contains)
                    if !new.isEmpty {
                        sample.gained["what \(other.brief) draws (\(share))"] = new.joined(separator: " ")
                    }
                }
            }
        }
        return sample
    }

    /// Records the value at each path: lists and objects, and all that is in them.
    private static func collect(_ value: Value, at path: String, in paths: inout [String: String]) {
        switch value {
        case .object(let fields):
            for (name, value) in zip(fields.names, fields.values) { collect(value, at: "\(path).\(name)", in: &paths) }
        case .list(let values):
            for (index, value) in values.enumerated() { collect(value, at: "\(path)[\(index)]", in: &paths) }
            paths["\(path) in any order"] = values.map(\.description).sorted().joined(separator: " ")
        default: paths[path] = value.description
        }
    }

    private static func leaves(of value: Value) -> [String] {
        switch value {
        case .object(let fields): fields.values.flatMap { leaves(of: $0) }
        case .list(let values): values.flatMap { leaves(of: $0) }
        default: [value.description]
        }
    }

    // What the deals have in common at their start.

    func checkDeals(_ found: inout Findings) {
        let shown = Column.all(samples.map(\.shown)).filter { $0.distinct > 1 }
        for column in shown where !column.isList && column.distinct == samples.count {
            found.expect(
                false, .secrets,
                "\(column.path) is different with each of \(samples.count) seeds, and so reveals the seed")
        }
        for (index, seat) in players.enumerated() {
            for other in players[..<index] {
                let both = samples.map { ($0.hands[other], $0.hands[seat]) }
                let isShared = both.allSatisfy { $0 == $1 } && both.contains { $0.0 != both[0].0 }
                found.expect(!isShared, .secrets, "\(other.brief) and \(seat.brief) always have the same hand")
            }
            let own = samples.map { sample in
                var paths: [String: String] = [:]
                if let hand = sample.hands[seat] {
                    Self.collect(.object(hand), at: "the hand of \(seat.brief)", in: &paths)
                }
                return paths
            }
            check(Column.all(own), &found, shown)
        }
        check(Column.all(samples.map(\.gained)), &found, shown)
    }

    private func check(_ secrets: [Column], _ found: inout Findings, _ shown: [Column]) {
        for secret in secrets {
            guard let column = shown.first(where: { $0.determines(secret) }) else { continue }
            found.expect(
                false, .secrets,
                "\(column.path) determines \(secret.path), which must follow from nothing that is shown")
        }
    }

    // What is the same in all deals that fit.

    mutating func apply(_ step: GameStep, at time: Milliseconds, like live: Played) {
        fitting = fitting.compactMap { deal in
            guard let event = deal.event(step),
                deal.fields(of: event).isSame(as: step.fields)
            else { return nil }
            var deal = deal
            deal.apply(event, at: time)
            return deal.view == live.view ? deal : nil
        }
        guard live.outcome == nil, fitting.count >= Self.fewestDeals else { return fitting = [] }
        for seat in players {
            guard let hand = live.hand(of: seat), !Self.leaves(of: .object(hand)).isEmpty else { continue }
            seen.insert(seat)
            if fitting.contains(where: { $0.hand(of: seat) != hand }) { differing.insert(seat) }
        }
        if differing.count == players.count { fitting = [] }
    }

    mutating func applyLeaving(of seat: Seat, at time: Milliseconds) {
        for index in fitting.indices { fitting[index].applyLeaving(of: seat, at: time) }
    }

    mutating func extendClock(by span: Milliseconds) {
        for index in fitting.indices { fitting[index].extendClock(by: span) }
    }

    /// After the game.
    func conclude(_ found: inout Findings) {
        for seat in seen.subtracting(differing).sorted() {
            found.expect(
                false, .secrets, "the hand of \(seat.brief) is the same with every seed that fits what is shown")
        }
    }
}

/// The values of one path in all deals, as numbers; -1 where it is missing.
private struct Column {
    let path: String
    let values: [Int]
    let distinct: Int
    /// The values themselves, to compare whole lists.
    let texts: [String?]

    var isList: Bool { path.hasSuffix(" in any order") }

    static func all(_ samples: [[String: String]]) -> [Column] {
        let paths = Set(samples.flatMap(\.keys)).sorted()
        return paths.map { path in
            var numbers: [String: Int] = [:]
            let texts = samples.map { $0[path] }
            let values = texts.map { text -> Int in
                guard let text else { return -1 }
                return numbers[text]
                    ?? {
                        numbers[text] = numbers.count
                        return numbers.count - 1
                    }()
            }
            return Column(path: path, values: values, distinct: numbers.count, texts: texts)
        }
    }

    /// Whether equal values here always come with equal values there, too often for a coincidence.
    func determines(_ secret: Column) -> Bool {
        let there = secret.values.indices.filter { secret.values[$0] >= 0 }
        guard secret.distinct > 1, there.count > 1 else { return false }
        if isList, secret.isList, there.allSatisfy({ texts[$0] == secret.texts[$0] }) { return true }
        var (first, counts) = ([Int: Int](), [Int: Int]())
        var repetitions = 0
        for index in there {
            counts[secret.values[index], default: 0] += 1
            guard let before = first[values[index]] else {
                first[values[index]] = secret.values[index]
                continue
            }
            guard before == secret.values[index] else { return false }
            repetitions += 1
        }
        // The chance that so many repetitions agree by accident is at most `commonest` to that power.
        let commonest = Double(counts.values.max() ?? 0) / Double(there.count)
        return Double(repetitions) * -log(commonest) > 20
    }
}
