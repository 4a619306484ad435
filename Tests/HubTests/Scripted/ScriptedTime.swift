import Games
import Synchronization
import Transport

@testable import Hub
@testable import Rooms

/// The system's clocks, under the test's control.
final class ScriptedTime: TimeSource {
    private let reading = Mutex(ClockReading(boot: 0, wall: 1_700_000_000_000_000_000))

    func read() -> ClockReading { reading.withLock { $0 } }

    /// Time passes on both clocks.
    func pass(_ span: Milliseconds) {
        reading.withLock {
            $0.boot += span * 1_000_000
            $0.wall += span * 1_000_000
        }
    }

    /// Sets the wall clock.
    func setWall(by step: Milliseconds) { reading.withLock { $0.wall += step * 1_000_000 } }
}

/// Timers that a test fires.
final class ScriptedTimers: ShardTimers {
    private var armed: [UInt64: Milliseconds] = [:]
    func arm(_ token: UInt64, at time: Milliseconds) { armed[token] = time }
    func cancel(_ token: UInt64) { armed[token] = nil }
    func reset() { armed = [:] }
    var next: (token: UInt64, time: Milliseconds)? {
        armed.min { ($0.value, $0.key) < ($1.value, $1.key) }.map { ($0.key, $0.value) }
    }
}
