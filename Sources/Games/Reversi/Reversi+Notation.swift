extension Reversi {
    /// Why a game's record cannot be read.
    public enum NotationError: Error, Equatable, Sendable {
        /// A move is a letter from a to h and a digit from 1 to 8.
        case unreadable(String, move: Int)
        /// The cell has a disc already, or the move would flip none.
        case illegal(String, move: Int)

        /// For a person.
        public var sentence: String {
            switch self {
            case .unreadable(let text, let move):
                "Move \(move) is `\(text)`. A move is a column from a to h and a row from 1 to 8, as in f5."
            case .illegal(let text, let move): "Move \(move), \(text), is not legal there."
            }
        }
    }

    /// The game so far in the usual form: `f5d6c3`. Passes are left out, since they follow from the moves.
    public var notation: String { placed.map { Reversi.name(ofCell: Int($0)) }.joined() }

    /// `a1` is cell 0, `h8` is 63.
    static func name(ofCell cell: Int) -> String {
        String(UnicodeScalar(UInt8(ascii: "a") + UInt8(cell % 8))) + String(cell / 8 + 1)
    }

    /// The number of the cell with this name, in small or capital letters; nil if there is none.
    static func cell(named name: Substring) -> Int? {
        let bytes = Array(name.lowercased().utf8)
        guard bytes.count == 2, (UInt8(ascii: "a")...UInt8(ascii: "h")).contains(bytes[0]),
            (UInt8(ascii: "1")...UInt8(ascii: "8")).contains(bytes[1])
        else { return nil }
        return Int(bytes[0] - UInt8(ascii: "a")) + 8 * Int(bytes[1] - UInt8(ascii: "1"))
    }

    /// Plays a record: the position at its end, as the player to move sees it, and whether that is black.
    public static func position(after notation: String) throws(NotationError) -> (position: Position, isBlack: Bool) {
        var (position, isBlack) = (Position.start, true)
        var rest = Substring(notation)
        var number = 0
        while !rest.isEmpty {
            number += 1
            let text = rest.prefix(2)
            rest = rest.dropFirst(2)
            guard let cell = cell(named: text) else { throw .unreadable(String(text), move: number) }
            if position.moves == 0 { (position, isBlack) = (position.passed, !isBlack) }
            guard position.moves & 1 << UInt64(cell) != 0 else { throw .illegal(String(text), move: number) }
            position = position.placing(cell, flipping: position.flips(at: cell))
            isBlack.toggle()
        }
        if position.moves == 0, !position.isOver { (position, isBlack) = (position.passed, !isBlack) }
        return (position, isBlack)
    }
}
