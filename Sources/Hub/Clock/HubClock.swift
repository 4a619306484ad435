// Reads the system's clocks by C calls. Only values leave this file.
import Games
import Glibc
import Logging
import Synchronization
import Transport

final class SystemTime: TimeSource {
    /// Two clocks that were read within this span count as read at one moment.
    private static let momentNanoseconds = 1_000_000
    /// Attempts to read such a pair. If the machine is too busy for any, the last one is used.
    private static let attempts = 8

    init() {}

    /// Both clocks at one moment. They are read again if the process was held up in between, which would look as if a
    /// clock had been set.
    func read() -> ClockReading {
        var boot = Self.nanoseconds(CLOCK_BOOTTIME)
        var wall = 0
        for _ in 0..<Self.attempts {
            wall = Self.nanoseconds(CLOCK_REALTIME)
            let after = Self.nanoseconds(CLOCK_BOOTTIME)
            defer { boot = after }
            if after - boot < Self.momentNanoseconds { break }
        }
        return ClockReading(boot: boot, wall: wall)
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int {
        var time = timespec()
        // Neither clock can be missing on Linux.
        clock_gettime(clock, &time)
        return min(max(0, time.tv_sec), ClockReading.latestMilliseconds / 1_000) * 1_000_000_000 + time.tv_nsec
    }
}

/// The hub's time. Only this class asks the system for it. Deadlines, events, the transport's Date, the leaderboard's
/// days and the last sign of life use it.
final class HubClock: ServiceClock {
    private let source: any TimeSource
    private let logger: Logger
    private let time: Mutex<HubTime>
    // Any loop may see the step first.
    private let stepCount = Atomic<Int>(0)

    /// - Parameter start: the clock's current time, in ms since 1970; see `ClockStart`.
    init(_ source: any TimeSource, startingAt start: Milliseconds, logger: Logger) {
        self.source = source
        self.logger = logger
        time = Mutex(HubTime(startingAt: start, source.read()))
    }

    func now() -> Milliseconds {
        // Read outside of the lock, so that no thread waits for another's system call.
        let reading = source.read()
        let (now, step, ahead) = time.withLock { time in
            let step = time.follow(reading)
            return (time.now, step, time.ahead)
        }
        if let step {
            stepCount.add(1, ordering: .relaxed)
            logger.write(.clockWasSet, ["by": "\(step) ms", "hub ahead": "\(ahead) ms"])
        }
        return now
    }

    /// How many times the system's clock was set by over 2 s while the hub ran.
    var steps: Int { stepCount.load(ordering: .relaxed) }

    /// How far hub time is ahead of the system's clock at the last reading; negative if it is behind.
    var ahead: Milliseconds { time.withLock { $0.ahead } }
}
