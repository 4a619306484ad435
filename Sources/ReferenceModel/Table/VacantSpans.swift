/// When rooms of several hubs may have had no home, in ms of the hub's time. What a room gives back for that nobody
/// outside can say to the millisecond: here stands how much it may be.
struct VacantSpans {
    /// A node takes itself for lost so long after it could say last that it is there.
    private static let silence = 3_500
    /// What a home has lost is known ahead of its next one's clock by this.
    private static let returning = 12_000
    /// A room that another hub judges is judged again within this.
    private static let moving = 16_000
    /// More is not given back, nor asked for.
    private static let reach = 86_400_000

    private var spans: [(from: Int, to: Int)] = []

    /// Something keeps nodes from their work.
    mutating func hindered(since: Int, at time: Int) {
        let (from, to) = (since - Self.silence, time + Self.moving)
        if spans.last?.from == from { spans[spans.count - 1].to = to } else { add(from, to) }
    }

    /// Rooms have other homes.
    mutating func moved(at time: Int) { add(time - Self.returning, time + Self.moving) }

    private mutating func add(_ from: Int, _ to: Int) {
        spans.removeAll { $0.to < from - Self.reach }
        spans.append((from, to))
    }

    /// How much of the time from `start` to `end` it may be.
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
