import JSON

extension DotsAndBoxes {
    /// The options: `seats`, `turnTime` (seconds; 0 is off) and `size` (dots a side).
    public struct Setup: GameSetup {
        static let defaultSize = 5

        let seats: Int
        let turnTime: TurnTime
        let grid: Grid

        public var mode: String { "\(grid.size)x\(grid.size)" }
        public var options: Fields {
            ["seats": .integer(seats), "turnTime": turnTime.value, "size": .integer(grid.size)]
        }
        /// The board in dots.
        public var fields: Fields {
            ["board": .object(["columns": .integer(grid.size), "rows": .integer(grid.size)])]
        }

        init(_ asked: Fields) throws(Rejection) {
            let reader = try OptionReader(asked, known: ["seats", "turnTime", "size"])
            seats = try reader.integer("seats", in: DotsAndBoxes.seats) ?? DotsAndBoxes.seats.upperBound
            turnTime = try TurnTime(reader)
            grid = Grid.ofSize(try reader.integer("size", in: Grid.sizes) ?? Self.defaultSize)
        }

        public init?(options: Fields, fields: Fields) {
            // Options that do not fit are the answer nil.
            guard let setup = try? Setup(options), fields["board"] == setup.fields["board"] else { return nil }
            self = setup
        }

        public static func == (one: Setup, other: Setup) -> Bool {
            (one.seats, one.turnTime, one.grid.size) == (other.seats, other.turnTime, other.grid.size)
        }
    }
}
