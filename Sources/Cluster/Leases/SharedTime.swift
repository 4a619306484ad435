import Games
import Synchronization
import Threads
import Transport

/// The clocks of a machine that shares its log with others. Time passes by its own clock, and follows the clock of the
/// database, which all share.
public final class SharedTime: TimeSource {
    /// A slower answer is less precise than what is known.
    private static let answerLimit: Nanoseconds = 2_000_000_000

    private let source: any TimeSource
    /// How far the database's clock is ahead of the machine's uptime.
    private let shift: Atomic<Int>

    /// `time` is the database's, at a moment between the two uptimes.
    init(_ source: any TimeSource, _ time: Milliseconds, between sent: Nanoseconds, and received: Nanoseconds) {
        self.source = source
        shift = Atomic(Self.offset(time, sent, received))
    }

    public func read() -> ClockReading {
        let boot = source.read().boot
        return ClockReading(boot: boot, wall: boot + shift.load(ordering: .relaxed))
    }

    var boot: Nanoseconds { source.read().boot }

    func follow(_ time: Milliseconds, between sent: Nanoseconds, and received: Nanoseconds) {
        guard received - sent < Self.answerLimit else { return }
        shift.store(Self.offset(time, sent, received), ordering: .relaxed)
    }

    private static func offset(_ time: Milliseconds, _ sent: Nanoseconds, _ received: Nanoseconds) -> Int {
        min(max(0, time), ClockReading.latestMilliseconds) * 1_000_000 - (sent + received) / 2
    }
}
