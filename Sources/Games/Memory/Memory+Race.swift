import JSON

/// With `order: free` there are no turns. All players turn up cards at once. A player who turns up the mate of a card
/// that is up wins both, also if the other card is another player's. Two cards of a pair are therefore never up, and
/// while pairs are left a card lies face down.
extension Memory {
    /// Who turns next: one player after another, or everybody at once.
    enum Order: String, CaseIterable, Sendable { case turns, free }

    /// The cards that are up while everybody turns at once.
    struct Race: Sendable, Equatable {
        struct UpCard: Sendable, Equatable {
            let cell: Int
            /// Who turned it up, as an index into `players`.
            let player: Int
            /// When it was shown.
            var since: Milliseconds
        }

        /// In the order in which they were turned.
        var up: [UpCard] = []
        /// When the cards of a player's attempt turn back, by index into `players`; nil for a player without one, and
        /// for a first card that has no time limit.
        var until: [Milliseconds?]
        /// Which players wait for two cards to turn back. One of these may have been won by another player since.
        var isWaiting: [Bool]

        init(players: Int) {
            until = Array(repeating: nil, count: players)
            isWaiting = Array(repeating: false, count: players)
        }

        /// In the order in which they were turned.
        func cells(of player: Int) -> [Int] { up.filter { $0.player == player }.map(\.cell) }

        func owner(of cell: Int) -> Int? { up.first { $0.cell == cell }?.player }

        /// Takes a card out of its attempt, which is over with its last one.
        mutating func remove(_ cell: Int) {
            guard let player = owner(of: cell) else { return }
            up.removeAll { $0.cell == cell }
            guard !up.contains(where: { $0.player == player }) else { return }
            until[player] = nil
            isWaiting[player] = false
        }

        mutating func extendClock(by span: Milliseconds) {
            for index in up.indices { up[index].since &+= span }
            for player in until.indices { until[player] = until[player].map { $0 &+ span } }
        }
    }

    /// How events change a race; those of turns change nothing.
    mutating func applyInRace(_ event: Event, at time: Milliseconds) {
        switch event {
        case .turns: upNext = nil
        case .showCard(let cell, let face, let seat, _): showCardInRace(cell, face: face, seat: seat, at: time)
        case .match(let first, let second, let seat, let scores):
            guard let index = index(of: seat), race?.owner(of: first) != nil, race?.owner(of: second) == index
            else { return }
            win(first, second, by: index, scores: scores)
            race?.remove(first)
            race?.remove(second)
        case .hideCard(let first, let second, let scores):
            guard race?.owner(of: first) != nil else { return }
            for cell in [first, second].compactMap(\.self) where race?.owner(of: cell) != nil {
                hide(cell)
                race?.remove(cell)
            }
            record(scores)
        case .cardsShuffled(let seat, let moves): shuffleCards(moves, by: seat)
        case .turn, .turnExpired, .away, .back: break
        }
    }

    private mutating func showCardInRace(_ cell: Int, face: UInt8, seat: Seat, at time: Milliseconds) {
        guard let race, cards.indices.contains(cell), cards[cell].side == .down, let index = index(of: seat),
            !race.isWaiting[index]
        else { return }
        let hasMate = mate(of: face, in: race) != nil
        cards[cell].side = .up
        cards[cell].face = face
        self.race?.up.append(Race.UpCard(cell: cell, player: index, since: time))
        if race.cells(of: index).isEmpty {
            players[index].turns += 1
            self.race?.until[index] = setup.turnTime.deadline(from: time)
        } else if !hasMate {
            self.race?.until[index] = time &+ setup.reveal
            self.race?.isWaiting[index] = true
        }
    }

    /// The card that is up and has this face.
    func mate(of face: UInt8, in race: Race) -> Race.UpCard? { race.up.first { cards[$0.cell].face == face } }

    /// Whether the last card that was turned up has its mate up. Then a `match` must follow.
    private func hasPairUp(_ race: Race) -> Bool {
        guard let last = race.up.last else { return false }
        return race.up.dropLast().contains { cards[$0.cell].face == cards[last.cell].face }
    }

    // MARK: Judging

    /// All who have not left and do not wait for their cards to turn back.
    func awaited(in race: Race) -> Set<Seat> {
        guard !isOver, upNext == nil else { return [] }
        return Set(players.indices.filter { !players[$0].isLeft && !race.isWaiting[$0] }.map { players[$0].seat })
    }

    func flip(_ cell: Int, by index: Int, in race: Race, at now: Milliseconds) throws(Rejection) -> [Event] {
        guard !race.isWaiting[index] else { throw .waitForReveal }
        try checkIsDown(cell)
        let seat = players[index].seat
        guard let mate = mate(of: deck[cell], in: race) else {
            return [.showCard(cell: cell, face: deck[cell], seat: seat)]
        }
        let bonus = setup.rule.hasBonus ? Memory.bonus(from: mate.since, at: now) : nil
        return [
            .showCard(cell: cell, face: deck[cell], seat: seat, bonus: bonus),
            .match(
                first: mate.cell, second: cell, seat: seat, scores: scoresAfterMatch(by: index, bonus: bonus ?? 0)),
        ]
    }

    /// Every attempt whose time is up turns back.
    func wake(_ race: Race, at now: Milliseconds) -> [Event] {
        let due = race.until.indices.filter { race.until[$0].map { $0 <= now } ?? false }
        var rest = self
        return due.compactMap { index in
            let event = rest.hiding(of: index, in: race, isScored: true)
            if let event { rest.apply(event, at: now) }
            return event
        }
    }

    /// Turns the cards of a player down again; nil if there are none. Only two cards cost anything, and not those of a
    /// player who leaves.
    func hiding(of index: Int, in race: Race, isScored: Bool) -> Event? {
        let cells = race.cells(of: index)
        guard let first = cells.first else { return nil }
        guard cells.count == 2 else { return .hideCard(first: first, second: nil, scores: scores) }
        let scores = isScored ? scoresAfterMismatch(first, cells[1], by: index) : scores
        return .hideCard(first: first, second: cells[1], scores: scores)
    }

    // MARK: Reading events

    /// The event with these fields, if it can happen now.
    func event(_ kind: Event.Kind, fields: Fields, in race: Race) -> Event? {
        guard !isOver, (upNext != nil) == (kind == .turns), !hasPairUp(race) || kind == .match else { return nil }
        switch kind {
        case .turns:
            let seats = players.map(\.seat)
            return fields["seats"]?.integers == seats.map(\.rawValue) ? .turns(seats) : nil
        case .showCard:
            guard let (cell, face, seat) = card(fields, where: { !race.isWaiting[$0] }) else { return nil }
            let hasBonus = setup.rule.hasBonus && mate(of: face, in: race) != nil
            guard hasBonus else {
                return fields["bonus"] == nil ? .showCard(cell: cell, face: face, seat: seat) : nil
            }
            guard let bonus = fields["bonus"]?.integer, (0...Memory.mostBonus).contains(bonus) else { return nil }
            return .showCard(cell: cell, face: face, seat: seat, bonus: bonus)
        case .match:
            guard hasPairUp(race), let last = race.up.last, let mate = mate(of: cards[last.cell].face, in: race),
                fields["cells"]?.integers == [mate.cell, last.cell],
                let seat = seat(fields, where: { $0 == last.player }), let scores = scores(fields)
            else { return nil }
            return .match(first: mate.cell, second: last.cell, seat: seat, scores: scores)
        case .hideCard:
            guard let cells = fields["cells"]?.integers, let first = cells.first,
                let owner = race.owner(of: first), race.cells(of: owner) == cells, let scores = scores(fields)
            else { return nil }
            return .hideCard(first: first, second: cells.count > 1 ? cells[1] : nil, scores: scores)
        case .cardsShuffled: return race.up.isEmpty ? cardsShuffled(fields, where: { _ in true }) : nil
        case .turn, .turnExpired, .away, .back: return nil
        }
    }

    // MARK: View

    /// `attempts`: for each seat with cards up {cells, until?, bonusFrom?}.
    func attempts(in race: Race) -> Value {
        var attempts = Fields()
        for (index, player) in players.enumerated() {
            let cells = race.cells(of: index)
            guard !cells.isEmpty else { continue }
            var attempt: Fields = ["cells": .integers(cells)]
            attempt["until"] = race.until[index].map { .integer($0) }
            if setup.rule.hasBonus, !race.isWaiting[index] {
                attempt["bonusFrom"] = race.up.first { $0.player == index }.map { .integer($0.since) }
            }
            attempts[String(player.seat.rawValue)] = .object(attempt)
        }
        return .object(attempts)
    }
}
