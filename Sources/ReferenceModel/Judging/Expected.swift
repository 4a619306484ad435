/// What must stand at one place of a commit.
enum Expected {
    case play(GameEvent)
    /// All members but `v`, `t` and `more`; those named in `open` may be anything, or be missing.
    case table(JSON, open: [String])

    static func table(_ type: String, _ members: KeyValuePairs<String, JSON?>, open: [String] = []) -> Expected {
        var all = [JSON.Member("type", .text(type))]
        for (name, value) in members { if let value { all.append(JSON.Member(name, value)) } }
        return .table(.object(all), open: open)
    }

    /// In what an event that was recorded differs from it; nil: in nothing.
    func difference(from actual: JSON) -> String? {
        switch self {
        case .play(let event):
            // Of the next game, and the table's.
            event.difference(from: actual, ignoring: ["commitment"])
        case .table(let expected, let open): expected.difference(from: actual, ignoring: ["v", "t", "more"] + open)
        }
    }

    /// The same, where those who have left by being absent may have played for longer by these spans, by their seats.
    func difference(from actual: JSON, later spans: [Int: ClosedRange<Int>]) -> String? {
        guard !spans.isEmpty, case .play(.gameEnded(var ending)) = self, let results = actual["results"]?.list,
            results.count == ending.results.count
        else { return difference(from: actual) }
        for (index, result) in ending.results.enumerated() where result.hasLeft {
            guard let span = spans[result.seat], let time = results[index]["time"]?.number,
                span.contains(time - result.time)
            else { continue }
            ending.results[index].time = time
        }
        return Expected.play(.gameEnded(ending)).difference(from: actual)
    }

    var type: String {
        switch self {
        case .play(let event): event.type
        case .table(let event, _): event["type"]?.text ?? ""
        }
    }
}

/// What a command must lead to.
enum CommandVerdict {
    /// It is refused by one of these codes: in which order they are looked for is not promised.
    case refused(Set<String>)
    /// With these begins its commit; what they settle comes behind them. None: there is nothing to do.
    case events([Expected])
    /// It waits until the game has begun.
    case waits
    /// What comes of it is no event.
    case unrecorded
}
