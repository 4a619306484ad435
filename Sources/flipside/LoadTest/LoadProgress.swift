import Foundation

/// Reports a test's progress on standard error; a terminal shows it in one line that is overwritten.
final class LoadProgress {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var flipsBefore = 0
    private var hasLine = false

    /// `seconds` into playing; nil before and after it.
    func show(_ tally: LoadTally, _ what: String, seconds: Int?) {
        var text = seconds.map { "\($0) s: " } ?? ""
        text += "\(what): \(tally.rooms.count) rooms, \(tally.players) players, \(tally.watchers) watchers"
        if tally.returning > 0 { text += ", \(tally.returned) of \(tally.returning) back" }
        if seconds != nil {
            text += ", \(tally.flipsDone - flipsBefore) flips, \(tally.deliveries) deliveries"
            if let slow = tally.delivery.percentile(0.99) { text += ", p99 \(LoadResult.milliseconds(slow)) ms" }
            flipsBefore = tally.flipsDone
        }
        let faults = tally.faults.values.reduce(0, +)
        if faults > 0 { text += ", \(faults) faults" }
        // Erases the rest of a longer line.
        write(isTerminal ? "\r\(text)\u{1B}[K" : text + "\n")
        hasLine = true
    }

    /// Starts a new line for later output.
    func endLine() { if isTerminal, hasLine { write("\n") } }

    private func write(_ text: String) { StandardStreams.say(text) }
}
