import Games

/// Over how long clients that lose their hub spread their first attempt to come back.
enum ReconnectSpread {
    /// What a loop can greet besides its games.
    private static let greetingsPerSecond = 500
    /// The longest first pause of a client that was given no spread.
    private static let usualPause: Milliseconds = 300
    /// No client is asked to wait longer than this, however many there are.
    private static let limit: Milliseconds = 10_000

    /// For `members` of one loop, who come to `loops` others; nil if they come no faster by themselves than they can be
    /// greeted.
    static func span(members: Int, loops: Int) -> Milliseconds? {
        let span = members * 1_000 / (greetingsPerSecond * loops)
        return span > usualPause ? min(span, limit) : nil
    }
}
