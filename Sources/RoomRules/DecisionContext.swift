import Games

/// Where random bytes come from: the system's generator, or a script in tests.
public protocol RandomSource: AnyObject, Sendable {
    func bytes(_ count: Int) -> [UInt8]
}

/// What a command is judged by besides the state: nothing of it is ever part of the state, but events record what
/// followed from it.
public struct DecisionContext: Sendable {
    /// When the command reached the hub; never before the room's last event.
    let now: Milliseconds
    let random: any RandomSource
    let attendance: Attendance

    public init(now: Milliseconds, random: any RandomSource, attendance: Attendance) {
        (self.now, self.random, self.attendance) = (now, random, attendance)
    }
}
