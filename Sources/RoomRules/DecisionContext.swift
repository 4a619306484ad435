import Games

/// A source of random bytes: the system's generator, or a script in tests.
public protocol RandomSource: AnyObject, Sendable {
    /// Exactly `count` bytes.
    func bytes(_ count: Int) -> [UInt8]
}

/// What a command is judged by besides the state. The state never contains any of it, but events record its effects.
public struct DecisionContext: Sendable {
    /// When the command reached the hub; never before the room's last event.
    let now: Milliseconds
    let random: any RandomSource
    let attendance: Attendance

    /// `now` must not be before the room's last event.
    public init(now: Milliseconds, random: any RandomSource, attendance: Attendance) {
        (self.now, self.random, self.attendance) = (now, random, attendance)
    }
}
