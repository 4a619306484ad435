import Glibc

/// The loops' clock for the service's timers and the Date field.
public protocol ServiceClock: AnyObject, Sendable {
    /// Milliseconds since 1970 (UTC). Never goes back, on any thread.
    func now() -> Int
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
