import Glibc

/// The loops' clock for the service's timers and the Date field.
public protocol ServiceClock: AnyObject, Sendable {
    /// Milliseconds since 1970 (UTC). Never goes back, on any thread.
    func now() -> Int
}

/// Reads clocks: the system's, or a test's script.
public protocol TimeSource: AnyObject, Sendable {
    func read() -> ClockReading
}

/// A reading of the system's clocks at one moment, in nanoseconds.
public struct ClockReading: Sendable, Equatable {
    /// The latest time that a clock may show, in the year 2255, far from where nanoseconds overflow.
    public static let latestMilliseconds = 9_000_000_000_000

    /// Since the machine started, including sleep. It cannot be set.
    public var boot: Int
    /// Since 1970 (UTC). The operator or a time server may set it.
    public var wall: Int

    public init(boot: Int, wall: Int) { (self.boot, self.wall) = (boot, wall) }
}

/// The text of a Date field (RFC 9110 section 5.6.7), made once a second.
struct DateText {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private var second = -1
    private var text = ""

    mutating func at(second: Int) -> String {
        guard second != self.second else { return text }
        self.second = second
        var time = time_t(second)
        var parts = tm()
        gmtime_r(&time, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        text =
            "\(Self.days[(second / 86_400) % 7]), \(two(parts.tm_mday)) \(Self.months[Int(parts.tm_mon)]) "
            + "\(parts.tm_year + 1_900) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
        return text
    }
}
