/// Moves, the most promising first. They are only sorted as far as they are used, and usually the first one is enough.
struct MoveOrder {
    /// More than the moves of any position, at most 33.
    private var entries = InlineArray<40, Int>(repeating: 0)
    private var count = 0
    private var nextIndex = 0

    /// `promise` is from -2^40 to 2^40; the highest comes first.
    mutating func add(_ cell: Int, promise: Int) {
        guard count < entries.count else { return }
        entries[count] = promise << 6 | cell
        count += 1
    }

    mutating func next() -> Int? {
        guard nextIndex < count else { return nil }
        var top = nextIndex
        var other = nextIndex + 1
        while other < count {
            if entries[other] > entries[top] { top = other }
            other += 1
        }
        let cell = entries[top] & 63
        entries[top] = entries[nextIndex]
        nextIndex += 1
        return cell
    }
}
