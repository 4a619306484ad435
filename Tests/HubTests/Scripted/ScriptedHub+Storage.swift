import EventStore
import Games
import Records
import Testing

@testable import Hub
@testable import RoomRules

// What others do to a hub's storage.
extension ScriptedHub {
    /// The database fails over to `replica`, which the hub finds three seconds later. Then so many reads fail.
    func failOver(to replica: InMemoryStorage, failedReadings: Int = 0) {
        storage.failOver(to: replica)
        log.poll()
        settle()
        pass(3_000)
        for _ in 0..<failedReadings { log.putIn(.unreadable(.cannotRead(reason: "a test"))) }
        log.reconnect()
        settle()
    }

    /// Another writer records that players sit down on these seats, which this hub has not read.
    func seatOthers(on seats: some Sequence<Int>, in code: String, at time: Milliseconds? = nil) {
        let (log, stream) = (BlockingLog(InMemoryLog(storage: storage, run: run)), StreamName.room(code))
        for seat in seats {
            let end = storage.end(of: stream)
            let taken = SeatTaken(seated: SeatedPlayer(seat: Seat(seat), player: "somebody\(seat)"))
            let event = EventCoding.encode(.own(taken), version: end.version + 1, at: time ?? now, more: false)
            let commit = Commit(id: "other/\(seat)", appending: [event], to: stream, expecting: end)
            #expect(log.append(commit) == .appended(version: end.version + 1))
        }
    }
}
