import JSON

extension Goofspiel {
    /// The options: `seats`, `turnTime` (seconds for a bid; 0 is off) and `cards` (of each player).
    public struct Setup: GameSetup {
        static let cardCounts = 4...13

        let seats: Int
        let turnTime: TurnTime
        /// Each player has the cards from 1 to this, and these are the prizes too.
        let cards: Int

        public var mode: String { String(cards) }
        public var options: Fields {
            ["seats": .integer(seats), "turnTime": turnTime.value, "cards": .integer(cards)]
        }
        public var fields: Fields { [:] }

        init(_ asked: Fields) throws(Rejection) {
            let reader = try OptionReader(asked, known: ["seats", "turnTime", "cards"])
            seats = try reader.integer("seats", in: Goofspiel.seats) ?? Goofspiel.seats.upperBound
            turnTime = try TurnTime(reader)
            cards = try reader.integer("cards", in: Self.cardCounts) ?? Self.cardCounts.upperBound
        }

        public init?(options: Fields, fields: Fields) {
            // Options that do not fit are the answer nil.
            guard let setup = try? Setup(options) else { return nil }
            self = setup
        }
    }
}
