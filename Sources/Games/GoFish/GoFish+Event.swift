import JSON

extension GoFish {
    /// What a player asks for.
    public enum Command: GameCommand {
        /// `ask {seat, rank}`: asks the player of `seat` for all cards of a rank.
        case ask(Seat, rank: String)
        case resign

        public enum Kind: String, CaseIterable, Sendable {
            case ask, resign
        }

        public init(_ kind: Kind, fields: Fields) throws(Rejection) {
            switch kind {
            case .ask:
                guard let seat = fields["seat"]?.integer else { throw .badField("seat", "a whole number") }
                guard let rank = fields["rank"]?.string else { throw .badField("rank", "a text") }
                self = .ask(Seat(seat), rank: rank)
            case .resign: self = .resign
            }
        }

        public var kind: Kind {
            switch self {
            case .ask: .ask
            case .resign: .resign
            }
        }

        public var fields: Fields {
            switch self {
            case .ask(let seat, let rank): ["seat": .integer(seat.rawValue), "rank": .string(rank)]
            case .resign: [:]
            }
        }
    }

    /// What has happened in a game.
    public enum Event: GameEvent {
        /// `count` cards went from `asked` to `seat`.
        case cardsAsked(Seat, of: Seat, Rank, count: Int)
        /// A card from the pond. The rank is only known if the player had just asked for it.
        case cardDrawn(Seat, Rank?)
        case book(Seat, Rank)
        case turn(seat: Seat, deadline: Milliseconds?)
        case turnExpired(Seat)
        case resigned(Seat)

        public enum Kind: String, CaseIterable, Sendable {
            case cardsAsked = "cards-asked"
            case cardDrawn = "card-drawn"
            case book
            case turn
            case turnExpired = "turn-expired"
            case resigned
        }

        public var kind: Kind {
            switch self {
            case .cardsAsked: .cardsAsked
            case .cardDrawn: .cardDrawn
            case .book: .book
            case .turn: .turn
            case .turnExpired: .turnExpired
            case .resigned: .resigned
            }
        }

        var seat: Seat {
            switch self {
            case .cardsAsked(let seat, _, _, _), .cardDrawn(let seat, _), .book(let seat, _), .turn(let seat, _),
                .turnExpired(let seat), .resigned(let seat):
                seat
            }
        }
    }

    /// `cards-asked` {seat, of, rank, count: 0 if it was in vain}, `card-drawn` {seat, rank?: if it was just asked
    /// for}, `book` {seat, rank}, `turn` {seat, deadline?}, `turn-expired`, `resigned` {seat}.
    public func fields(of event: Event) -> Fields {
        var fields: Fields = ["seat": .integer(event.seat.rawValue)]
        switch event {
        case .cardsAsked(_, let asked, let rank, let count):
            fields["of"] = .integer(asked.rawValue)
            fields["rank"] = .string(rank.name)
            fields["count"] = .integer(count)
        case .cardDrawn(_, let rank): fields["rank"] = rank.map { .string($0.name) }
        case .book(_, let rank): fields["rank"] = .string(rank.name)
        case .turn(_, let deadline): fields["deadline"] = deadline.map { .integer($0) }
        case .turnExpired, .resigned: break
        }
        return fields
    }

    public func event(_ kind: Event.Kind, fields: Fields) -> Event? {
        guard let event = read(kind, fields), fits(event) else { return nil }
        return event
    }

    private func read(_ kind: Event.Kind, _ fields: Fields) -> Event? {
        guard let seat = fields["seat"]?.integer.map({ Seat($0) }) else { return nil }
        let rank = fields["rank"]?.string.flatMap { Rank($0) }
        switch kind {
        case .cardsAsked:
            guard let asked = fields["of"]?.integer, let rank, let count = fields["count"]?.integer else { return nil }
            return .cardsAsked(seat, of: Seat(asked), rank, count: count)
        case .cardDrawn: return fields["rank"] == nil || rank != nil ? .cardDrawn(seat, rank) : nil
        case .book: return rank.map { .book(seat, $0) }
        case .turn:
            guard let deadline = fields["deadline"] else { return .turn(seat: seat, deadline: nil) }
            return deadline.integer.map { .turn(seat: seat, deadline: $0) }
        case .turnExpired: return .turnExpired(seat)
        case .resigned: return .resigned(seat)
        }
    }
}
