import RoomRules
import Transport

/// The clocks of a machine: one only runs, the other can be set.
// Sendable only for the compiler: a world runs on one thread.
final class SimulatedMachine: TimeSource, @unchecked Sendable {
    /// `milliseconds`: how far its clock is ahead of the right time.
    init(ahead milliseconds: Int) { wallOffset = Self.start + milliseconds * 1_000_000 }

    /// Nanoseconds since the machine was started.
    var boot = 0
    /// How far the wall clock is ahead of that.
    var wallOffset: Int
    static let start = 1_767_225_600_000_000_000

    func read() -> ClockReading { ClockReading(boot: boot, wall: boot + wallOffset) }

    /// The wall clock's time, in ms since 1970.
    var wall: Int { (boot + wallOffset) / 1_000_000 }
}

/// A hub's random bytes.
// Sendable only for the compiler: a world runs on one thread.
final class SimulatedRandom: RandomSource, @unchecked Sendable {
    private var choices: Choices

    init(_ choices: Choices) { self.choices = choices }

    func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let word = choices.next()
            for shift in stride(from: 0, to: 64, by: 8) where bytes.count < count {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return bytes
    }
}
