import JSON

extension Memory {
    /// What a player asks for.
    public enum Command: GameCommand {
        /// `flip {cell}`: turns a card up.
        case flip(cell: Int)
        /// `shuffle`: moves the face-down cards to new places.
        case shuffle

        public enum Kind: String, CaseIterable, Sendable {
            case flip, shuffle
        }

        public init(_ kind: Kind, fields: Fields) throws(Rejection) {
            switch kind {
            case .flip:
                guard let cell = fields["cell"]?.integer else { throw .badField("cell", "a whole number") }
                self = .flip(cell: cell)
            case .shuffle: self = .shuffle
            }
        }

        public var kind: Kind {
            switch self {
            case .flip: .flip
            case .shuffle: .shuffle
            }
        }

        public var fields: Fields {
            switch self {
            case .flip(let cell): ["cell": .integer(cell)]
            case .shuffle: [:]
            }
        }
    }

    /// What has happened. Faces are indices into the theme's; scores are those of all players, in the order of turns.
    public enum Event: GameEvent {
        /// `bonus` is what a pair gains: with the second card of an attempt, in a race with a card whose mate is up.
        /// Nil otherwise, and by rules without a bonus.
        case showCard(cell: Int, face: UInt8, seat: Seat, bonus: Int? = nil)
        case match(first: Int, second: Int, seat: Seat, scores: [Int])
        /// One or two cards are turned down again.
        case hideCard(first: Int, second: Int?, scores: [Int])
        /// There is no deadline without a timer, and while everyone is away.
        case turn(seat: Seat, deadline: Milliseconds?)
        /// A race begins. All may turn up cards at once.
        case turns([Seat])
        case turnExpired(Seat)
        case away(Seat)
        case back(Seat)
        /// The face-down cards have moved.
        case cardsShuffled(seat: Seat, moves: [Move])

        public enum Kind: String, CaseIterable, Sendable {
            case showCard = "show-card"
            case match
            case hideCard = "hide-card"
            case turn, turns
            case turnExpired = "turn-expired"
            case away, back
            case cardsShuffled = "cards-shuffled"
        }

        public var kind: Kind {
            switch self {
            case .showCard: .showCard
            case .match: .match
            case .hideCard: .hideCard
            case .turn: .turn
            case .turns: .turns
            case .turnExpired: .turnExpired
            case .away: .away
            case .back: .back
            case .cardsShuffled: .cardsShuffled
            }
        }
    }

    /// `show-card` {cell, face (its text), seat, bonus?}, `match` {cells, seat, scores}, `hide-card` {cells, scores},
    /// `turn` {seat, deadline?}, `turns` {seats}, `turn-expired`, `away`, `back` {seat}, `cards-shuffled` {seat, moves:
    /// [[from, to], ...]}. Cells are in the order in which they were turned up. `scores` is an object from each
    /// player's seat, as text, to the score: {"0": 3, "1": 2}. Moves are in the order of the cells that they leave.
    public func fields(of event: Event) -> Fields {
        switch event {
        case .showCard(let cell, let face, let seat, let bonus): shown(cell, face, seat, bonus)
        case .match(let first, let second, let seat, let scores):
            ["cells": .integers([first, second]), "seat": .integer(seat.rawValue), "scores": bySeat(scores)]
        case .hideCard(let first, let second, let scores):
            ["cells": .integers([first] + (second.map { [$0] } ?? [])), "scores": bySeat(scores)]
        case .turns(let seats): ["seats": .integers(seats.map(\.rawValue))]
        case .turn(let seat, let deadline?): ["seat": .integer(seat.rawValue), "deadline": .integer(deadline)]
        case .cardsShuffled(let seat, let moves):
            ["seat": .integer(seat.rawValue), "moves": .list(moves.map { .integers([$0.from, $0.to]) })]
        case .turn(let seat, nil), .turnExpired(let seat), .away(let seat), .back(let seat):
            ["seat": .integer(seat.rawValue)]
        }
    }

    public func event(_ kind: Event.Kind, fields: Fields) -> Event? {
        if let race { return event(kind, fields: fields, in: race) }
        // Between two turns only events are possible that end the one and start the other.
        guard !isOver, upNext == nil || kind == .turn || kind == .away else { return nil }
        return switch kind {
        case .showCard: showCard(fields)
        case .match: match(fields)
        case .hideCard: hideCard(fields)
        case .turn: turn(fields)
        case .turnExpired: seat(fields, where: { $0 == current && isTurnToExpire }).map { .turnExpired($0) }
        case .away: seat(fields, where: { $0 == current && isToBeAway }).map { .away($0) }
        case .back: seat(fields, where: { players[$0].isAway }).map { .back($0) }
        case .cardsShuffled: firstUp == nil ? cardsShuffled(fields, where: { $0 == current }) : nil
        case .turns: nil
        }
    }

    /// Figures of all players, in the order of turns, as an object by seat.
    func bySeat(_ figures: [Int]) -> Value {
        var fields = Fields()
        for (player, figure) in zip(players, figures) { fields[String(player.seat.rawValue)] = .integer(figure) }
        return .object(fields)
    }

    private func shown(_ cell: Int, _ face: UInt8, _ seat: Seat, _ bonus: Int?) -> Fields {
        var fields: Fields = [
            "cell": .integer(cell), "face": .string(text(of: face)), "seat": .integer(seat.rawValue),
        ]
        fields["bonus"] = bonus.map { .integer($0) }
        return fields
    }

    private func showCard(_ fields: Fields) -> Event? {
        guard secondUp == nil, let (cell, face, seat) = card(fields, where: { $0 == current }) else { return nil }
        guard setup.rule.hasBonus, firstUp != nil else {
            return fields["bonus"] == nil ? .showCard(cell: cell, face: face, seat: seat) : nil
        }
        guard let bonus = fields["bonus"]?.integer, (0...Memory.mostBonus).contains(bonus) else { return nil }
        return .showCard(cell: cell, face: face, seat: seat, bonus: bonus)
    }

    /// A face-down card that a player turns up.
    func card(_ fields: Fields, where fits: (Int) -> Bool) -> (cell: Int, face: UInt8, seat: Seat)? {
        guard let cell = fields["cell"]?.integer, cards.indices.contains(cell), cards[cell].side == .down,
            let seat = seat(fields, where: fits), let text = fields["face"]?.string, let face = face(text, on: cell)
        else { return nil }
        return (cell, face, seat)
    }

    private func match(_ fields: Fields) -> Event? {
        guard let first = firstUp, let second = secondUp, cards[first].face == cards[second].face,
            fields["cells"]?.integers == [first, second], let seat = seat(fields, where: { $0 == current }),
            let scores = scores(fields)
        else { return nil }
        return .match(first: first, second: second, seat: seat, scores: scores)
    }

    private func hideCard(_ fields: Fields) -> Event? {
        guard let first = firstUp, let scores = scores(fields),
            fields["cells"]?.integers == [first] + (secondUp.map { [$0] } ?? [])
        else { return nil }
        return .hideCard(first: first, second: secondUp, scores: scores)
    }

    private var isTurnToExpire: Bool { firstUp == nil && turnDeadline != nil }

    /// Whether the player has let too many turns run out, including the current one.
    private var isToBeAway: Bool {
        let player = players[current]
        return upNext != nil && !player.isAway && player.expiredTurns >= Memory.expiredTurnsUntilAway
    }

    private func turn(_ fields: Fields) -> Event? {
        guard firstUp == nil, let seat = seat(fields, where: { $0 == upNext }) else { return nil }
        guard let deadline = fields["deadline"] else { return .turn(seat: seat, deadline: nil) }
        return deadline.integer.map { .turn(seat: seat, deadline: $0) }
    }

    func cardsShuffled(_ fields: Fields, where fits: (Int) -> Bool) -> Event? {
        guard let seat = seat(fields, where: fits), let list = fields["moves"]?.list
        else { return nil }
        let moves = list.compactMap { move in
            move.integers.flatMap { $0.count == 2 ? Move(from: $0[0], to: $0[1]) : nil }
        }
        guard moves.count == list.count, isPermutation(moves), areDrawn(moves) else { return nil }
        return .cardsShuffled(seat: seat, moves: moves)
    }

    /// The field `seat` of a player who is still in the game and whose index fits.
    func seat(_ fields: Fields, where fits: (Int) -> Bool) -> Seat? {
        guard let number = fields["seat"]?.integer, let index = index(of: Seat(number)), !players[index].isLeft,
            fits(index)
        else { return nil }
        return players[index].seat
    }

    func scores(_ fields: Fields) -> [Int]? {
        guard let object = fields["scores"]?.object, object.count == players.count else { return nil }
        let scores = players.compactMap { object[String($0.seat.rawValue)]?.integer }
        return scores.count == players.count ? scores : nil
    }

    /// The index of the face with this text; nil if there is none, or if another one was dealt to `cell`.
    private func face(_ text: String, on cell: Int) -> UInt8? {
        guard deck.isEmpty else { return setup.faces[Int(deck[cell])] == text ? deck[cell] : nil }
        return setup.faces.firstIndex(of: text).map { UInt8($0) }
    }
}
