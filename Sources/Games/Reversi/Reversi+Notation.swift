extension Reversi {
    /// The game so far in the usual form: `f5d6c3`. Passes are left out, since they follow from the moves.
    public var notation: String { placed.map { Reversi.name(ofCell: Int($0)) }.joined() }

    /// `a1` is cell 0, `h8` is 63.
    static func name(ofCell cell: Int) -> String {
        String(UnicodeScalar(UInt8(ascii: "a") + UInt8(cell % 8))) + String(cell / 8 + 1)
    }
}
