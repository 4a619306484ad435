/// The wait before a connection is tried again: longer each time, until one has lasted for a while.
struct ReconnectPause: Sendable {
    static let shortest = Duration.milliseconds(100)
    static let longest = Duration.seconds(5)

    private var last = Duration.zero
    private var connected: ContinuousClock.Instant?

    mutating func noteConnected(at now: ContinuousClock.Instant = .now) { connected = now }

    mutating func next(at now: ContinuousClock.Instant = .now) -> Duration {
        if let connected, connected.duration(to: now) > ReconnectPause.longest { last = .zero }
        connected = nil
        last = last == .zero ? ReconnectPause.shortest : min(last * 2, ReconnectPause.longest)
        return last
    }
}
