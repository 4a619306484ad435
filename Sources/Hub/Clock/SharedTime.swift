import Games
import Synchronization
import Threads

/// The clocks of a machine that shares its log with others: it runs on by its own, and what time it is follows the
/// clock of the database, which is everybody's.
final class SharedTime: TimeSource {
    private let source: any TimeSource
    /// How far the database's clock is ahead of the machine's uptime.
    private let shift: Atomic<Int>

    /// `time`: by the database, of some moment between two of the machine's uptime.
    init(_ source: any TimeSource, _ time: Milliseconds, between sent: Nanoseconds, and received: Nanoseconds) {
        self.source = source
        shift = Atomic(Self.offset(time, sent, received))
    }

    func read() -> ClockReading {
        let boot = source.read().boot
        return ClockReading(boot: boot, wall: boot + shift.load(ordering: .relaxed))
    }

    var boot: Nanoseconds { source.read().boot }

    func follow(_ time: Milliseconds, between sent: Nanoseconds, and received: Nanoseconds) {
        // What took longer says less than what is known.
        guard received - sent < HubTime.stepLimitNanoseconds else { return }
        shift.store(Self.offset(time, sent, received), ordering: .relaxed)
    }

    private static func offset(_ time: Milliseconds, _ sent: Nanoseconds, _ received: Nanoseconds) -> Int {
        min(max(0, time), HubTime.latest) * 1_000_000 - (sent + received) / 2
    }
}
