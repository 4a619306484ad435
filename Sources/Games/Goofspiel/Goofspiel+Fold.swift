// Which events can come next, and how they change the state.
extension Goofspiel {
    /// Whether an event can come next. A fold of the public log also accepts prizes in another order than the seed's,
    /// and bids of other cards than were sealed.
    func fits(_ event: Event) -> Bool {
        guard !isOver else { return false }
        switch event {
        case .prizeShown(let next, _):
            guard prize == nil, prizesLeft.contains(next) else { return false }
            return prizes.map { $0[rounds.count] == next } ?? true
        case .bidSealed(let seat, let card):
            return isBidding && undecided.contains(seat) && card.map { cards(of: seat).contains($0) } ?? true
        case .bidsShown(let bids, let winner, let stake):
            return areComplete(bids) && stake == self.stake && winner == Self.winner(of: bids)
        case .turnExpired(let seat): return deadline != nil && seat == undecided.first
        case .resigned(let seat): return isBidding && playing.contains(seat)
        }
    }

    /// Whether players may still bid.
    private var isBidding: Bool { !undecided.isEmpty && !pending.values.contains(.late) }

    /// Whether `bids` are those of all players who are not out, as far as they are known.
    private func areComplete(_ bids: [Bid]) -> Bool {
        guard prize != nil, undecided.isEmpty, bids.map(\.seat) == playing else { return false }
        return bids.allSatisfy { bid in
            let hand = cards(of: bid.seat)
            return switch pending[bid.seat] {
            case .sealed(let card): !bid.isLate && hand.contains(bid.card) && (card == nil || card == bid.card)
            case .late: bid.isLate && bid.card == hand.lowest
            case nil: false
            }
        }
    }

    /// The highest bid that was made only once wins.
    static func winner(of bids: [Bid]) -> Seat? {
        bids.filter { bid in bids.count { $0.card == bid.card } == 1 }.max { $0.card < $1.card }?.seat
    }

    public mutating func apply(_ event: Event, at time: Milliseconds) {
        clock.latest = time
        guard fits(event) else { return }
        switch event {
        case .prizeShown(let next, let deadline):
            prize = next
            prizesLeft.remove(next)
            stake += next
            clock.deadline = deadline
        case .bidSealed(let seat, let card):
            pending[seat] = .sealed(card: card)
            (late[seat], hasMoves) = (nil, true)
        case .bidsShown(let bids, let winner, _): endRound(bids, winner)
        case .turnExpired(let seat):
            late[seat, default: 0] += 1
            pending[seat] = .late
            if late[seat] == Self.mostLateBids { remove(seat, .time, at: time) }
        case .resigned(let seat): remove(seat, .resigned, at: time)
        }
    }

    private mutating func endRound(_ bids: [Bid], _ winner: Seat?) {
        guard let prize else { return }
        rounds.append(Round(prize: prize, stake: stake, bids: bids, winner: winner))
        for bid in bids { hands[bid.seat]?.remove(bid.card) }
        if winner != nil { stake = 0 }
        (self.prize, pending, clock.deadline) = (nil, [:], nil)
    }

    /// The player's bid in this round, if any, counts for nothing.
    mutating func applyExit(of seat: Seat) {
        (pending[seat], late[seat]) = (nil, nil)
        if isOver { clock.deadline = nil }
    }
}
