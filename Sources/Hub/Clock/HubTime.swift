import Games

/// What the system's clocks say at one moment, in nanoseconds.
public struct ClockReading: Sendable, Equatable {
    /// Since the machine was started, its sleep included; nobody sets it.
    public var boot: Int
    /// Since 1970 (UTC); whoever runs the machine may set it, and so may a time server.
    public var wall: Int

    public init(boot: Int, wall: Int) { (self.boot, self.wall) = (boot, wall) }
}

/// The hub's time as a fold over readings of the system's clocks: it runs on by `boot`, and follows `wall` so slowly
/// that nobody's deadline moves because somebody set a clock. It never goes back.
struct HubTime: Sendable, Equatable {
    /// It runs faster or slower than `boot` by one part in so many at most.
    static let slewDivisor = 100
    /// The wall clock was set, rather than steered, where it has moved by more than this besides the time that passed.
    static let stepLimitNanoseconds = 2_000_000_000
    /// The latest time that hub time can have, far from where nanoseconds overflow: the year 2255.
    static let latest: Milliseconds = 9_000_000_000_000

    private var nanoseconds: Int
    private var last: ClockReading

    init(startingAt time: Milliseconds, _ reading: ClockReading) {
        nanoseconds = min(max(0, time), Self.latest) * 1_000_000
        last = reading
    }

    var now: Milliseconds { nanoseconds / 1_000_000 }

    /// How far hub time is ahead of the wall clock; negative where it is behind.
    var ahead: Milliseconds { (nanoseconds - last.wall) / 1_000_000 }

    /// Goes on to `reading`; by how much the wall clock was set since the reading before, nil where it was not. A
    /// reading from before the last one, of another thread, changes nothing.
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
