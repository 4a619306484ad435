/// What a room's players have seen of a board, and the card to turn up next: one of a known pair, or else an unseen
/// one. Cards that differ stay up for a while, and this makes them as rare as possible.
struct KnownCards {
    /// Large, so that most of a test is the middle of games.
    static let columns = 6
    static let rows = 8
    /// How long two cards that differ stay up, in milliseconds; the shortest allowed.
    static let reveal = 200
    /// How many flips such a game has, roughly.
    static let flipsOfGame = 76

    private var faces: [String?] = Array(repeating: nil, count: columns * rows)
    private var firstOfFace: [String: Int] = [:]
    private var pairs: [(Int, Int)] = []
    private var won: Set<Int> = []
    private var nextUnknown = 0
    /// One or two cells.
    private(set) var up: [Int] = []

    /// A card is shown. Returns whether it is the second one and differs from the first.
    mutating func show(_ cell: Int, face: String) -> Bool {
        guard faces.indices.contains(cell) else { return false }
        if faces[cell] == nil {
            faces[cell] = face
            if let other = firstOfFace[face] { pairs.append((other, cell)) } else { firstOfFace[face] = cell }
        }
        up.append(cell)
        return up.count == 2 && faces[up[0]] != face
    }

    mutating func match() {
        won.formUnion(up)
        up = []
    }

    mutating func hide() { up = [] }

    /// Nil if the game is over.
    mutating func choose() -> Int? {
        if let first = up.first {
            let mate = pairs.first { ($0.0 == first || $0.1 == first) && !won.contains($0.0) }
            if let mate { return mate.0 == first ? mate.1 : mate.0 }
        } else {
            while let pair = pairs.last {
                guard won.contains(pair.0) else { return pair.0 }
                pairs.removeLast()
            }
        }
        while nextUnknown < faces.count, faces[nextUnknown] != nil { nextUnknown += 1 }
        return nextUnknown < faces.count ? nextUnknown : nil
    }
}
