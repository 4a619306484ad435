import JSON

extension DotsAndBoxes {
    /// What a player asks for.
    public enum Command: GameCommand {
        /// `draw {line}`: draws a line, numbered as in `Grid`.
        case draw(line: Int)
        case resign

        public enum Kind: String, CaseIterable, Sendable {
            case draw, resign
        }

        public init(_ kind: Kind, fields: Fields) throws(Rejection) {
            switch kind {
            case .draw:
                guard let line = fields["line"]?.integer else { throw .badField("line", "a whole number") }
                self = .draw(line: line)
            case .resign: self = .resign
            }
        }

        public var kind: Kind {
            switch self {
            case .draw: .draw
            case .resign: .resign
            }
        }

        public var fields: Fields {
            switch self {
            case .draw(let line): ["line": .integer(line)]
            case .resign: [:]
            }
        }
    }

    /// What has happened in a game.
    public enum Event: GameEvent {
        /// `boxes` are those that the line completes, ascending.
        case drawLine(line: Int, seat: Seat, boxes: [Int])
        case turn(seat: Seat, deadline: Milliseconds?)
        case turnExpired(Seat)
        case resigned(Seat)

        public enum Kind: String, CaseIterable, Sendable {
            case drawLine = "draw-line"
            case turn
            case turnExpired = "turn-expired"
            case resigned
        }

        public var kind: Kind {
            switch self {
            case .drawLine: .drawLine
            case .turn: .turn
            case .turnExpired: .turnExpired
            case .resigned: .resigned
            }
        }
    }

    /// `draw-line` {seat, line, boxes?: those that it completes}, `turn` {seat, deadline?}, `turn-expired`, `resigned`
    /// {seat}.
    public func fields(of event: Event) -> Fields {
        switch event {
        case .drawLine(let line, let seat, let boxes):
            boxes.isEmpty
                ? ["seat": .integer(seat.rawValue), "line": .integer(line)]
                : ["seat": .integer(seat.rawValue), "line": .integer(line), "boxes": .integers(boxes)]
        case .turn(let seat, let deadline?): ["seat": .integer(seat.rawValue), "deadline": .integer(deadline)]
        case .turn(let seat, nil), .turnExpired(let seat), .resigned(let seat): ["seat": .integer(seat.rawValue)]
        }
    }

    public func event(_ kind: Event.Kind, fields: Fields) -> Event? {
        guard !isOver, let seat = fields["seat"]?.integer.map({ Seat($0) }), playing.contains(seat) else { return nil }
        switch kind {
        case .drawLine:
            guard hasTurn, seat == mover, let line = fields["line"]?.integer, grid.isFree(line, drawn) else {
                return nil
            }
            let boxes = grid.boxes(completedBy: line, drawn)
            guard fields["boxes"] == (boxes.isEmpty ? nil : .integers(boxes)) else { return nil }
            return .drawLine(line: line, seat: seat, boxes: boxes)
        case .turn:
            guard seat == mover, !hasTurn else { return nil }
            guard let deadline = fields["deadline"] else { return .turn(seat: seat, deadline: nil) }
            return deadline.integer.map { .turn(seat: seat, deadline: $0) }
        case .turnExpired: return seat == mover && clock.deadline != nil ? .turnExpired(seat) : nil
        case .resigned: return hasTurn ? .resigned(seat) : nil
        }
    }
}
