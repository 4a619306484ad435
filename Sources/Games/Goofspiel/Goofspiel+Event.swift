import JSON

extension Goofspiel {
    /// What a player asks for.
    public enum Command: GameCommand {
        /// `bid {card}`: for the prizes at stake. A bid stands.
        case bid(card: Int)
        case resign

        public enum Kind: String, CaseIterable, Sendable {
            case bid, resign
        }

        public init(_ kind: Kind, fields: Fields) throws(Rejection) {
            switch kind {
            case .bid:
                guard let card = fields["card"]?.integer else { throw .badField("card", "a whole number") }
                self = .bid(card: card)
            case .resign: self = .resign
            }
        }

        public var kind: Kind {
            switch self {
            case .bid: .bid
            case .resign: .resign
            }
        }

        public var fields: Fields {
            switch self {
            case .bid(let card): ["card": .integer(card)]
            case .resign: [:]
            }
        }
    }

    /// What has happened in a game.
    public enum Event: GameEvent {
        /// All who are not out may bid, until the deadline.
        case prizeShown(Int, deadline: Milliseconds?)
        /// The card is nil as read from the public log.
        case bidSealed(Seat, card: Int?)
        /// All bids of the round, in the order of turns. `stake` is what the winner gets.
        case bidsShown([Bid], winner: Seat?, stake: Int)
        case turnExpired(Seat)
        case resigned(Seat)

        public enum Kind: String, CaseIterable, Sendable {
            case prizeShown = "prize-shown"
            case bidSealed = "bid-sealed"
            case bidsShown = "bids-shown"
            case turnExpired = "turn-expired"
            case resigned
        }

        public var kind: Kind {
            switch self {
            case .prizeShown: .prizeShown
            case .bidSealed: .bidSealed
            case .bidsShown: .bidsShown
            case .turnExpired: .turnExpired
            case .resigned: .resigned
            }
        }
    }

    /// `prize-shown` {prize, deadline?}, `bid-sealed` {seat}, `bids-shown` {bids: [{seat, card, late?: true if the game
    /// made it}], winner?, stake}, `turn-expired`, `resigned` {seat}.
    public func fields(of event: Event) -> Fields {
        switch event {
        case .prizeShown(let prize, let deadline):
            var fields: Fields = ["prize": .integer(prize)]
            fields["deadline"] = deadline.map { .integer($0) }
            return fields
        case .bidsShown(let bids, let winner, let stake):
            var fields: Fields = ["bids": .list(bids.map { .object($0.fields) })]
            fields["winner"] = winner.map { .integer($0.rawValue) }
            fields["stake"] = .integer(stake)
            return fields
        case .bidSealed(let seat, _), .turnExpired(let seat), .resigned(let seat):
            return ["seat": .integer(seat.rawValue)]
        }
    }

    public static func isSealed(_ kind: Event.Kind) -> Bool { kind == .bidSealed }

    /// {card} of a bid.
    public func sealedFields(of event: Event) -> Fields? {
        guard case .bidSealed(_, let card?) = event else { return nil }
        return ["card": .integer(card)]
    }

    public func event(_ event: Event, unsealing fields: Fields) -> Event? {
        guard case .bidSealed(let seat, nil) = event, fields.count == 1, let card = fields["card"]?.integer else {
            return nil
        }
        let unsealed = Event.bidSealed(seat, card: card)
        return fits(unsealed) ? unsealed : nil
    }

    public func event(_ kind: Event.Kind, fields: Fields) -> Event? {
        guard let event = read(kind, fields), fits(event) else { return nil }
        return event
    }

    private func read(_ kind: Event.Kind, _ fields: Fields) -> Event? {
        let seat = fields["seat"]?.integer.map { Seat($0) }
        switch kind {
        case .prizeShown:
            guard let prize = fields["prize"]?.integer else { return nil }
            guard let deadline = fields["deadline"] else { return .prizeShown(prize, deadline: nil) }
            return deadline.integer.map { .prizeShown(prize, deadline: $0) }
        case .bidSealed: return seat.map { .bidSealed($0, card: nil) }
        case .bidsShown:
            guard let list = fields["bids"]?.list, let stake = fields["stake"]?.integer else { return nil }
            let bids = list.compactMap { $0.object.flatMap { Bid($0) } }
            guard bids.count == list.count else { return nil }
            guard let winner = fields["winner"] else { return .bidsShown(bids, winner: nil, stake: stake) }
            return winner.integer.map { .bidsShown(bids, winner: Seat($0), stake: stake) }
        case .turnExpired: return seat.map { .turnExpired($0) }
        case .resigned: return seat.map { .resigned($0) }
        }
    }
}

extension Goofspiel.Bid {
    /// As in `bids-shown`.
    fileprivate init?(_ fields: Fields) {
        guard let seat = fields["seat"]?.integer, let card = fields["card"]?.integer,
            fields["late"] == nil || fields["late"] == true
        else { return nil }
        self.init(seat: Seat(seat), card: card, isLate: fields["late"] != nil)
    }

    fileprivate var fields: Fields {
        var fields: Fields = ["seat": .integer(seat.rawValue), "card": .integer(card)]
        if isLate { fields["late"] = true }
        return fields
    }
}
