import Foundation

struct LoadResult {
    let plan: LoadPlan
    var tally = LoadTally()
    /// In nanoseconds, as all times here.
    var setupTime = 0
    /// 0 if it did not get that far.
    var playTime = 0
    var hasReturned = false

    init(_ plan: LoadPlan) { self.plan = plan }

    /// Why the test did not do what it should, a sentence each; empty if it did.
    var failures: [String] {
        var failures: [String] = []
        func check(_ missing: Int, _ sentence: String) { if missing > 0 { failures.append(sentence) } }
        let rooms = plan.rooms - tally.rooms.count
        check(rooms, "\(rooms) of \(plan.rooms) rooms could not be opened with all their players.")
        check(tally.failedWatchers, "\(tally.failedWatchers) watchers could not connect.")
        check(tally.failedNewcomers, "\(tally.failedNewcomers) newcomers could not connect.")
        check(tally.lost, "\(tally.lost) connections were lost.")
        check(tally.flipsRefused, "\(tally.flipsRefused) flips were refused.")
        // At most one flip of each room is unfinished at the end.
        let undone = tally.flipsDue - tally.flipsDone - tally.flipsRefused
        if undone * 100 > tally.flipsDue {
            failures.append(
                "\(undone) of \(tally.flipsDue) flips were not done in time: the hub is too slow, or the rate is more "
                    + "than the game allows (a room makes 10 flips a second while its cards are unknown).")
        }
        let away = tally.returning - tally.returned
        if hasReturned { check(away, "\(away) of \(tally.returning) did not come back in time.") }
        return failures + advice
    }

    private var advice: [String] {
        tally.faults.keys.sorted().compactMap { name in Problem(name: name).advice.map { "`\(name)`: \($0)." } }
    }

    static func milliseconds(_ nanoseconds: Int) -> String {
        let time = Double(nanoseconds) / 1e6
        return String(format: time < 10 ? "%.2f" : time < 100 ? "%.1f" : "%.0f", time)
    }

    // MARK: The table

    var table: String {
        var lines = [
            "rooms: \(Self.grouped(tally.rooms.count)), players: \(Self.grouped(tally.players)), "
                + "spectators: \(Self.grouped(tally.watchers)); there after \(Self.seconds(setupTime)) s"
        ]
        if tally.slowReaders > 0 {
            lines[0] += "; slow readers: \(tally.slowReaders), of whom the hub cut \(tally.cutSlowReaders)"
        }
        if tally.newcomers > 0 { lines[0] += "; newcomers: \(tally.newcomers)" }
        if playTime > 0 {
            let rate = Double(tally.flipsDone) * 1e9 / Double(playTime)
            lines.append(
                "\(Self.grouped(tally.flipsDone)) flips of \(Self.grouped(tally.flipsDue)) that were due, "
                    + "in \(Self.seconds(playTime)) s: \(Self.grouped(Int(rate.rounded()))) a second, "
                    + "\(Self.grouped(tally.deliveries)) deliveries")
        }
        if hasReturned {
            lines.append(
                "\(Self.grouped(tally.returned)) of \(Self.grouped(tally.returning)) who went at once were back after "
                    + "\(Self.milliseconds(tally.returnTime)) ms, \(Self.grouped(tally.resumed)) with what they had "
                    + "missed, with \(tally.retries) further attempts")
        }
        let (sent, received) = (Self.megabytes(tally.sentBytes), Self.megabytes(tally.receivedBytes))
        lines.append("\(sent) MB sent, \(received) MB received")
        lines += ["", Self.row(["ms", "count", "p50", "p90", "p99", "p99.9", "max"])]
        for (_, name, histogram) in histograms where histogram.count > 0 {
            lines.append(
                Self.row([name, Self.grouped(histogram.count)] + Self.times(histogram).map { Self.milliseconds($0) }))
        }
        if !tally.faults.isEmpty { lines += ["", "What went wrong:"] }
        for (name, count) in tally.faults.sorted(by: { $0.key < $1.key }) { lines.append("\(count) x \(name)") }
        return lines.joined(separator: "\n")
    }

    private var histograms: [(key: String, name: String, LatencyHistogram)] {
        [
            ("flipToMember", "flip, due to member", tally.delivery), ("flipToAnswer", "flip, due to ok", tally.answer),
            ("generatorLateness", "of it sent late here", tally.lateness), ("connect", "TCP and TLS", tally.connect),
            ("handshake", "opening handshake", tally.handshake), ("welcome", "hello to welcome", tally.welcome),
        ]
    }

    private static let parts = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("max", 1)]

    private static func times(_ histogram: LatencyHistogram) -> [Int] {
        parts.map { histogram.percentile($0.1) ?? 0 }
    }

    private static func row(_ cells: [String]) -> String {
        zip(cells, [22, 12, 9, 9, 9, 9, 9]).enumerated().map { index, cell in
            let blanks = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
            return index == 0 ? cell.0 + blanks : blanks + cell.0
        }.joined()
    }

    private static func grouped(_ number: Int) -> String {
        var (digits, text) = (String(number), "")
        while digits.count > 3 {
            text = "," + digits.suffix(3) + text
            digits.removeLast(3)
        }
        return digits + text
    }

    private static func seconds(_ nanoseconds: Int) -> String { String(format: "%.1f", Double(nanoseconds) / 1e9) }
    private static func megabytes(_ bytes: Int) -> String { String(format: "%.1f", Double(bytes) / 1e6) }

    // MARK: JSON

    /// Times in milliseconds.
    func json() throws -> Data {
        var latencies: [String: Any] = [:]
        for (key, _, histogram) in histograms where histogram.count > 0 {
            var times: [String: Any] = ["count": histogram.count]
            for (part, time) in zip(Self.parts, Self.times(histogram)) { times[part.0] = Double(time) / 1e6 }
            latencies[key] = times
        }
        var all: [String: Any] = [
            "rooms": tally.rooms.count, "players": tally.players, "spectators": tally.watchers,
            "slowReaders": ["there": tally.slowReaders, "cut": tally.cutSlowReaders], "newcomers": tally.newcomers,
            "lost": tally.lost, "setupSeconds": Double(setupTime) / 1e9, "playSeconds": Double(playTime) / 1e9,
            "flips": [
                "due": tally.flipsDue, "done": tally.flipsDone, "refused": tally.flipsRefused,
                "deliveries": tally.deliveries,
            ],
            "bytes": ["sent": tally.sentBytes, "received": tally.receivedBytes], "milliseconds": latencies,
            "faults": tally.faults, "failures": failures,
        ]
        if hasReturned {
            all["reconnect"] = [
                "gone": tally.returning, "back": tally.returned, "resumed": tally.resumed, "retries": tally.retries,
                "seconds": Double(tally.returnTime) / 1e9,
            ]
        }
        return try JSONSerialization.data(withJSONObject: all, options: [.prettyPrinted, .sortedKeys])
    }
}
