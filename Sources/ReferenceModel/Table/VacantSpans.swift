/// When rooms of several hubs may have had no home, in ms of hub time. No one outside can say to the millisecond how
/// much time a room gives back for that. This is the maximum.
struct VacantSpans {
    /// How long after its last sign of life a node declares itself lost.
    private static let silence = 3_500
    /// How far the time that a home has lost may precede its successor's clock.
    private static let returning = 12_000
    /// Within this time another hub judges the room again.
    private static let moving = 16_000
    /// No more is given back, nor asked for.
    private static let reach = 86_400_000

    private var spans: [(from: Int, to: Int)] = []

    /// Something keeps nodes from their work.
    mutating func hubHindered(since: Int, at time: Int) {
        let (from, to) = (since - Self.silence, time + Self.moving)
        if spans.last?.from == from { spans[spans.count - 1].to = to } else { add(from, to) }
    }

    /// Rooms have other homes.
    mutating func roomMoved(at time: Int) { add(time - Self.returning, time + Self.moving) }

    private mutating func add(_ from: Int, _ to: Int) {
        spans.removeAll { $0.to < from - Self.reach }
        spans.append((from, to))
    }

    /// The part of the time from `start` to `end`.
    func between(_ start: Int, _ end: Int) -> Int {
        var (sum, reached) = (0, start)
        for span in spans.sorted(by: { $0.from < $1.from }) {
            let (from, to) = (max(span.from, reached), min(span.to, end))
            guard from < to else { continue }
            sum += to - from
            reached = to
        }
        return sum
    }
}
