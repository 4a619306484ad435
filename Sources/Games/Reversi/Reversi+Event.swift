import JSON

extension Reversi {
    /// What a player asks for.
    public enum Command: GameCommand {
        /// `place {cell}`: places a disc on a cell from 0 (a1) to 63 (h8), row by row.
        case place(cell: Int)
        case resign

        public enum Kind: String, CaseIterable, Sendable {
            case place, resign
        }

        public init(_ kind: Kind, fields: Fields) throws(Rejection) {
            switch kind {
            case .place:
                guard let cell = fields["cell"]?.integer else { throw .badField("cell", "a whole number") }
                self = .place(cell: cell)
            case .resign: self = .resign
            }
        }

        public var kind: Kind {
            switch self {
            case .place: .place
            case .resign: .resign
            }
        }

        public var fields: Fields {
            switch self {
            case .place(let cell): ["cell": .integer(cell)]
            case .resign: [:]
            }
        }
    }

    /// What has happened in a game.
    public enum Event: BoardEvent {
        /// `flips` has a bit for each disc that was turned over.
        case placeDisc(cell: Int, seat: Seat, flips: UInt64)
        /// The seat has no legal move.
        case pass(Seat)
        case turn(seat: Seat, deadline: Milliseconds?)
        case turnExpired(Seat)
        case resigned(Seat)

        public enum Kind: String, CaseIterable, Sendable {
            case placeDisc = "place-disc"
            case pass, turn
            case turnExpired = "turn-expired"
            case resigned
        }

        public var kind: Kind {
            switch self {
            case .placeDisc: .placeDisc
            case .pass: .pass
            case .turn: .turn
            case .turnExpired: .turnExpired
            case .resigned: .resigned
            }
        }
    }

    /// `place-disc` {cell, seat, flips: the cells turned over, ascending}, `turn` {seat, deadline?}, `pass`,
    /// `turn-expired`, `resigned` {seat}.
    public func fields(of event: Event) -> Fields {
        switch event {
        case .placeDisc(let cell, let seat, let flips):
            ["cell": .integer(cell), "seat": .integer(seat.rawValue), "flips": .integers(flips.cells)]
        case .turn(let seat, let deadline?): ["seat": .integer(seat.rawValue), "deadline": .integer(deadline)]
        case .turn(let seat, nil), .pass(let seat), .turnExpired(let seat), .resigned(let seat):
            ["seat": .integer(seat.rawValue)]
        }
    }

    public func event(_ kind: Event.Kind, fields: Fields) -> Event? {
        guard !isOver, let seat = fields["seat"]?.integer.map({ Seat($0) }), players.contains(seat) else { return nil }
        switch kind {
        case .placeDisc:
            guard hasTurn, seat == mover, let cell = fields["cell"]?.integer, (0..<64).contains(cell),
                position.empty & 1 << UInt64(cell) != 0
            else { return nil }
            let flips = position.flips(at: cell)
            guard flips != 0, fields["flips"]?.integers == flips.cells else { return nil }
            return .placeDisc(cell: cell, seat: seat, flips: flips)
        case .pass: return !hasTurn && seat == mover && position.moves == 0 ? .pass(seat) : nil
        case .turn: return readTurn(of: seat, fields)
        case .turnExpired: return seat == mover && clock.deadline != nil ? .turnExpired(seat) : nil
        case .resigned: return hasTurn ? .resigned(seat) : nil
        }
    }
}
