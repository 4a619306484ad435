import Foundation

/// How figures are written in the tables of `flipside top`.
enum TopText {
    static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// At the right end of a column, after at least one space.
    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }

    static func whole(_ number: Double) -> String { String(format: "%.0f", number) }

    /// Three digits of a small number, all of a large one.
    static func figure(_ number: Double) -> String {
        if number == 0 || number >= 100 { return whole(number) }
        return String(format: number >= 10 ? "%.1f" : "%.2f", number)
    }

    static func bytes(_ number: Double) -> String {
        let units = ["B", "kB", "MB", "GB"]
        var (rest, unit) = (number, 0)
        while rest >= 1_000, unit < units.count - 1 { (rest, unit) = (rest / 1_000, unit + 1) }
        return (unit == 0 ? whole(rest) : figure(rest)) + " " + units[unit]
    }

    static func span(_ seconds: Double) -> String {
        if seconds == .infinity { return "> 13 s" }
        if seconds >= 1 { return figure(seconds) + " s" }
        return seconds >= 0.001 ? figure(seconds * 1_000) + " ms" : whole(seconds * 1_000_000) + " µs"
    }
}
