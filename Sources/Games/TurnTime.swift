import JSON

/// The option `turnTime`: how long a move may take.
struct TurnTime: Sendable, Equatable {
    /// In seconds, besides 0.
    static let range = 5...604_800
    /// Without the option, in seconds.
    static let usual = 30

    /// 0 is off.
    let seconds: Int

    init(seconds: Int) { self.seconds = seconds }

    /// Throws a `Rejection` if the option is not in range.
    init(_ options: OptionReader) throws(Rejection) {
        seconds = try options.integer("turnTime", in: Self.range, off: 0, unit: " seconds") ?? Self.usual
    }

    /// As an option.
    var value: Value { .integer(seconds) }

    /// When a move that starts now runs out of time; nil without a limit. Wraps, since a damaged log can have any time.
    func deadline(from now: Milliseconds) -> Milliseconds? { seconds > 0 ? now &+ seconds * 1_000 : nil }
}
