/// When players may not have been heard, in ms of the hub's time: a link between two hubs was cut, or rooms had no
/// home. What a room gives back for that nobody outside can say to the millisecond: here stands how much it may be.
struct UnheardSpans {
    /// A link that is cut may have brought nothing for so long.
    private static let silence = 3_500
    /// Who is heard again says so within this, however late the log is.
    private static let returning = 12_000
    /// A room that another hub judges is judged again within this.
    private static let moving = 16_000
    /// More is not given back, nor asked for.
    private static let reach = 120_000

    /// Links that are cut, and since when.
    private var cut: [String: Int] = [:]
    private var spans: [(from: Int, to: Int)] = []

    mutating func cut(_ link: String, at time: Int) { cut[link] = cut[link] ?? time }

    /// The link is made anew, or nobody needs it any more.
    mutating func mended(_ link: String, at time: Int) {
        if let since = cut.removeValue(forKey: link) { missed(since: since, at: time) }
    }

    /// A node has not said since when its rooms could not be played.
    mutating func missed(since: Int, at time: Int) { add(since - Self.silence, time + Self.returning) }

    /// Rooms have other homes.
    mutating func moved(at time: Int) { add(time - Self.returning, time + Self.moving) }

    private mutating func add(_ from: Int, _ to: Int) {
        spans.removeAll { $0.to < from - Self.reach }
        spans.append((from, to))
    }

    /// How much of the time from `start` to `end` it may be.
    func between(_ start: Int, _ end: Int) -> Int {
        guard !spans.isEmpty || !cut.isEmpty else { return 0 }
        let all = spans + cut.values.map { ($0 - Self.silence, end) }
        var (sum, reached) = (0, start)
        for span in all.sorted(by: { $0.from < $1.from }) {
            let (from, to) = (max(span.from, reached), min(span.to, end))
            guard from < to else { continue }
            sum += to - from
            reached = to
        }
        return sum
    }
}
