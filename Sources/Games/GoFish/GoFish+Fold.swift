// Which events can come next, and how they change the state.
extension GoFish {
    /// Whether an event can come next. A fold of the public log, which knows no hands, also accepts answers, draws and
    /// books that the cards would not allow.
    func fits(_ event: Event) -> Bool {
        guard !isOver, playing.contains(event.seat) else { return false }
        let isAsking = stage == .asking && emptyHanded == nil
        switch event {
        case .cardsAsked(let seat, let asked, let rank, let count):
            return isAsking && seat == mover && canGive(rank, count, from: asked, to: seat)
        case .cardDrawn(let seat, let rank):
            if stage == .fishing { return seat == mover && canFish(rank) }
            return rank == nil && seat == emptyHanded && completedBook == nil
        case .book(let seat, let rank):
            guard case .settling = stage, count(of: seat) >= setup.books.size else { return false }
            return deck == nil ? cardsLeft(of: rank) > 0 : completedBook == Book(seat: seat, rank: rank)
        case .turn(let seat, _):
            guard case .settling = stage else { return false }
            return emptyHanded == nil && completedBook == nil && seat == nextMover
        case .turnExpired(let seat): return isAsking && seat == mover && deadline != nil
        case .resigned: return isAsking
        }
    }

    private func canGive(_ rank: Rank, _ count: Int, from asked: Seat, to asker: Seat) -> Bool {
        guard asked != asker, playing.contains(asked), self.count(of: asked) > 0 else { return false }
        if let deck { return deck.hand(of: asker).count(of: rank) > 0 && deck.hand(of: asked).count(of: rank) == count }
        return (0...self.count(of: asked)).contains(count) && count < min(setup.books.size, cardsLeft(of: rank))
    }

    /// Whether the mover can draw a card that is shown as `rank`, or not shown.
    private func canFish(_ rank: Rank?) -> Bool {
        guard let asked = last?.rank else { return false }
        if let deck { return rank == (deck.top == asked ? asked : nil) }
        return rank == nil || (rank == asked && cardsLeft(of: asked) > 1)
    }

    /// The first player without a card, if there are cards to draw.
    var emptyHanded: Seat? { pond == 0 ? nil : inOrder.first { count(of: $0) == 0 } }

    /// The first book in a hand; nil in a fold of the public log.
    var completedBook: Book? {
        guard let deck, case .settling = stage else { return nil }
        for seat in inOrder {
            let hand = deck.hand(of: seat)
            if let rank = hand.ranks.first(where: { hand.count(of: $0) >= setup.books.size }) {
                return Book(seat: seat, rank: rank)
            }
        }
        return nil
    }

    /// Who is to ask next; nil if no player has a card.
    var nextMover: Seat? {
        if stage == .settling(again: true), !isOut(mover), count(of: mover) > 0 { return mover }
        return playing(after: mover).first { count(of: $0) > 0 }
    }

    private var inOrder: [Seat] { (isOut(origin) ? [] : [origin]) + playing(after: origin).filter { $0 != origin } }

    public mutating func apply(_ event: Event, at time: Milliseconds) {
        clock.latest = time
        guard fits(event) else { return }
        switch event {
        case .cardsAsked(let seat, let asked, let rank, let count): ask(seat, asked, rank, count)
        case .cardDrawn(let seat, let rank): draw(seat, rank)
        case .book(let seat, let rank):
            counts[seat, default: 0] -= setup.books.size
            deck?.layDown(rank, setup.books.size, of: seat)
            books.append(Book(seat: seat, rank: rank))
            idleTurns = 0
        case .turn(let seat, let deadline): (mover, stage, clock.deadline) = (seat, .asking, deadline)
        case .turnExpired(let seat): expireTurn(of: seat, at: time)
        case .resigned(let seat): remove(seat, .resigned, at: time)
        }
    }

    private mutating func ask(_ seat: Seat, _ asked: Seat, _ rank: Rank, _ count: Int) {
        last = Question(asker: seat, asked: asked, rank: rank, count: count)
        (late[seat], origin, clock.deadline) = (nil, seat, nil)
        if count > 0 {
            counts[asked, default: 0] -= count
            counts[seat, default: 0] += count
            deck?.give(rank, from: asked, to: seat)
            (idleTurns, stage) = (0, .settling(again: true))
        } else if pond > 0 {
            stage = .fishing
        } else {
            passTurn()
        }
    }

    private mutating func draw(_ seat: Seat, _ rank: Rank?) {
        counts[seat, default: 0] += 1
        pond -= 1
        deck?.draw(seat)
        idleTurns = 0
        guard stage == .fishing else { return }
        last?.hasDrawn = true
        last?.isLucky = rank != nil
        stage = .settling(again: rank != nil)
    }

    private mutating func expireTurn(of seat: Seat, at time: Milliseconds) {
        late[seat, default: 0] += 1
        if late[seat] == Self.mostLateTurns { return remove(seat, .time, at: time) }
        (origin, clock.deadline) = (seat, nil)
        passTurn()
    }

    /// Ends a turn in which no card moved.
    private mutating func passTurn() {
        stage = .settling(again: false)
        idleTurns += 1
        isStalled = pond == 0 && idleTurns >= Self.idleRounds * playing.count
    }

    /// Cards that go under the pond need not reset the idle turns: one must be drawn before the pond is empty again.
    mutating func applyExit(of seat: Seat) {
        let count = count(of: seat)
        pond += count
        (counts[seat], late[seat], origin) = (0, nil, seat)
        deck?.returnHand(of: seat)
        if seat == mover { stage = .settling(again: false) }
        if seat == mover || isOver { clock.deadline = nil }
    }
}
