import Cryptography
import JSON

@testable import Games

/// Cards that the pile does not need: each player has two, and one more for each time they take stones.
extension Pile {
    static func deck(from seed: Digest) -> [Int] {
        var (words, deck) = (RandomWords(seed: seed), Array(1...24))
        words.shuffle(&deck)
        return deck
    }

    func hand(of seat: Seat) -> Fields? {
        guard fault.hasHands, let place = players.firstIndex(of: seat), fault != .handOfMoverOnly || seat == mover
        else { return nil }
        guard let deck else { return fault == .handWithoutSeed ? ["cards": .list([])] : nil }
        if fault == .handCounts { shared.count += 1 }
        var cards = fault == .handForAll ? Array(deck.prefix(2)) : Array(deck[place * 2..<place * 2 + 2])
        cards += deck[6...].dropFirst(place * 6).prefix(min(6, taken[seat] ?? 0))
        if fault == .handCounts { cards.append(shared.count) }
        if fault == .handMovesInOutage { cards.append(outages) }
        return ["cards": .integers(cards)]
    }

    /// The card that the mover draws next, as a fault shows it with the turn.
    var next: Fields {
        guard fault == .turnShowsNext, let deck, let place = players.firstIndex(of: mover),
            let card = deck[6...].dropFirst(place * 6).prefix(6).dropFirst(taken[mover] ?? 0).first
        else { return [:] }
        return ["next": .integer(card)]
    }
}

extension Pile.Setup {
    func leak(from seed: Digest) -> Value? {
        switch fault {
        case .startShowsSeed: .string("\(seed)")
        case .startShowsHand: .integers(Pile.deck(from: seed).prefix(2).sorted())
        default: nil
        }
    }
}
