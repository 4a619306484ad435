/// What must be at one place of a commit.
enum Expected {
    case play(GameEvent)
    /// All members but `v`, `t` and `more`. Those named in `open` may have any value, or be missing.
    case table(JSON, open: [String])

    static func table(_ type: String, _ members: KeyValuePairs<String, JSON?>, open: [String] = []) -> Expected {
        var all = [JSON.Member("type", .text(type))]
        for (name, value) in members { if let value { all.append(JSON.Member(name, value)) } }
        return .table(.object(all), open: open)
    }

    /// The difference from a recorded event; nil if there is none.
    func difference(from actual: JSON) -> String? {
        switch self {
        case .play(let event):
            // A member of the next game and the table.
            event.difference(from: actual, ignoring: ["commitment"])
        case .table(let expected, let open): expected.difference(from: actual, ignoring: ["v", "t", "more"] + open)
        }
    }

    /// The same, if players who have left by absence may have played longer by these spans, by seat.
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

/// The required result of a command.
enum CommandVerdict {
    /// It is refused by one of these codes. The order of checks is not promised.
    case refused(Set<String>)
    /// Its commit begins with these events, and their consequences follow. Empty if there is nothing to do.
    case events([Expected])
    /// It waits until the game has begun.
    case waits
    /// Its effect is not an event.
    case unrecorded
}
