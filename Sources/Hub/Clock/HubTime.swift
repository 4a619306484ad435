import Games
import Transport

/// The hub's time, folded from readings of the system's clocks. It runs with `boot` and follows `wall` so slowly that
/// setting a clock moves no deadline. It never goes back.
struct HubTime: Sendable, Equatable {
    /// It runs faster or slower than `boot` by at most one part in this many.
    static let slewDivisor = 100
    /// A change of the wall clock by more than this, besides elapsed time, counts as set and not as steered.
    static let stepLimitNanoseconds = 2_000_000_000

    private var nanoseconds: Int
    private var last: ClockReading

    init(startingAt time: Milliseconds, _ reading: ClockReading) {
        nanoseconds = min(max(0, time), ClockReading.latestMilliseconds) * 1_000_000
        last = reading
    }

    var now: Milliseconds { nanoseconds / 1_000_000 }

    /// How far hub time is ahead of the wall clock; negative if it is behind.
    var ahead: Milliseconds { (nanoseconds - last.wall) / 1_000_000 }

    /// Advances to `reading`. Returns by how much the wall clock was set since the last reading; nil if it was not. A
    /// reading that is older than the last one, from another thread, changes nothing.
    mutating func follow(_ reading: ClockReading) -> Milliseconds? {
        let elapsed = reading.boot - last.boot
        guard elapsed > 0 else { return nil }
        let step = reading.wall - last.wall - elapsed
        last = reading
        nanoseconds += elapsed
        let slew = elapsed / Self.slewDivisor
        nanoseconds -= min(max(nanoseconds - reading.wall, -slew), slew)
        return abs(step) > Self.stepLimitNanoseconds ? step / 1_000_000 : nil
    }
}
