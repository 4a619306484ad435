// Reads the system's clocks by C calls; what leaves this file is a value.
import Games
import Glibc
import Logging
import Synchronization
import Transport

/// Where readings of clocks come from: the system, or a script in tests.
public protocol TimeSource: AnyObject, Sendable {
    func read() -> ClockReading
}

/// The system's clocks.
final class SystemTime: TimeSource {
    /// A pair of clocks that was read within this span is of one moment.
    private static let momentNanoseconds = 1_000_000
    /// Times that a pair is read again. On a machine too busy for any, the last one must do.
    private static let attempts = 8

    init() {}

    /// Both clocks as of one moment: read again where the process was held up between them, since that would look as if
    /// somebody had set a clock.
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
        return min(max(0, time.tv_sec), HubTime.latest / 1_000) * 1_000_000_000 + time.tv_nsec
    }
}

/// What time it is for the hub: the only one who asks the system for it. Deadlines, events, the transport's Date, the
/// leaderboard's days and the note of the last sign of life take it from here.
final class HubClock: ServiceClock {
    private let source: any TimeSource
    private let logger: Logger
    private let time: Mutex<HubTime>
    // Any loop may notice a step.
    private let stepCount = Atomic<Int>(0)

    /// - Parameter start: what the clock reads now, in ms since 1970: see `ClockStart`.
    init(_ source: any TimeSource, startingAt start: Milliseconds, logger: Logger) {
        self.source = source
        self.logger = logger
        time = Mutex(HubTime(startingAt: start, source.read()))
    }

    func now() -> Milliseconds {
        // Read outside of the lock: nobody waits for another one's system call.
        let reading = source.read()
        let (now, step, ahead) = time.withLock { time in
            let step = time.follow(reading)
            return (time.now, step, time.ahead)
        }
        if let step {
            stepCount.add(1, ordering: .relaxed)
            logger.warning(
                "the system's clock was set: no deadline moves, hub time follows by 1 % at most",
                metadata: ["by": "\(step) ms", "hub ahead": "\(ahead) ms"])
        }
        return now
    }

    /// Times that the system's clock was set by over 2 s while the hub ran.
    var steps: Int { stepCount.load(ordering: .relaxed) }

    /// How far hub time is ahead of the system's clock, as last read; negative where it is behind.
    var ahead: Milliseconds { time.withLock { $0.ahead } }
}
