import JSON

@testable import Games

// What holds for hands. That nobody can compute them is `HandSearch`.
extension ContractPlay {
    /// An event may have changed hands. All players have one or none has, and a fold without the seed knows none.
    mutating func handsChanged(_ found: inout Findings) {
        for seat in players { hands[seat] = live.hand(of: seat) }
        guard live.outcome == nil else { return }
        let (with, without) = (present.filter { hands[$0] != nil }, present.filter { hands[$0] == nil })
        if let one = with.first, let other = without.first {
            found.expect(false, .hands, "\(one.brief) has a hand and \(other.brief) has none")
        }
        if let seat = players.first(where: { shown.state.hand(of: $0) != nil }) {
            found.expect(false, .hands, "a fold that does not know the seed has a hand of \(seat.brief)")
        }
    }

    /// The hands are still those after the latest event.
    func checkHands(_ place: String, _ found: inout Findings) {
        for seat in players {
            let (old, new) = (hands[seat], live.hand(of: seat))
            found.expect(
                old == new, .hands,
                "the hand of \(seat.brief) was \(old?.brief ?? "none") and is \(new?.brief ?? "none") \(place)")
        }
    }
}
