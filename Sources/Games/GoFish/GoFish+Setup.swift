import JSON

extension GoFish {
    /// The options: `seats`, `turnTime` (seconds for a question; 0 is off) and `books`.
    public struct Setup: GameSetup {
        /// What a book is.
        enum Books: String, CaseIterable, Sendable {
            /// All cards of a rank.
            case fours
            /// Any two cards of a rank.
            case pairs

            /// Cards of a book.
            var size: Int { self == .fours ? 4 : 2 }
        }

        let seats: Int
        let turnTime: TurnTime
        let books: Books

        public var mode: String { books.rawValue }
        public var options: Fields {
            ["seats": .integer(seats), "turnTime": turnTime.value, "books": .string(books.rawValue)]
        }
        public var fields: Fields { [:] }

        init(_ asked: Fields) throws(Rejection) {
            let reader = try OptionReader(asked, known: ["seats", "turnTime", "books"])
            seats = try reader.integer("seats", in: GoFish.seats) ?? GoFish.seats.upperBound
            turnTime = try TurnTime(reader)
            books = try reader.choice("books", of: Books.self) ?? .fours
        }

        public init?(options: Fields, fields: Fields) {
            // Options that do not fit are the answer nil.
            guard let setup = try? Setup(options) else { return nil }
            self = setup
        }
    }
}
