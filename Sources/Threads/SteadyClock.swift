// Asks the system by a pointer, which it does not keep.
import Glibc

/// Nanoseconds, of a span or of a point in time.
public typealias Nanoseconds = Int

/// The clock for measuring spans.
public enum SteadyClock {
    /// Time since some moment before the start. No one can set this clock, and all threads read the same.
    public static func now() -> Nanoseconds {
        var time = timespec()
        // This clock cannot be missing on Linux.
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
