import EventStore
import Games
import Testing

@testable import Hub
@testable import RoomRules

@Suite("A blocked process") struct StandstillTests {
    /// A game of 20 s a turn, which has just begun.
    static var table: Table { ClockTests.table }

    @Test("a blocked process costs no one time", arguments: [1_001, 5_000, 25_000, 3_600_000])
    func stoodStill(span: Milliseconds) throws {
        let table = Self.table
        let deadline = try #require(table.state.deadline)
        table.hub.pass(12_000)
        table.hub.standStill(span)
        #expect(table.watcher.last("turn-expired") == nil)
        #expect(table.watcher.last("clock-extended")?["ms"]?.integer == span)
        #expect(table.watcher.last("clock-extended")?["deadline"]?.integer == deadline + span)
        #expect(table.hub.counters.stalls.value == 1)
        table.hub.pass(7_999)
        #expect(table.watcher.last("turn-expired") == nil)
        table.hub.pass(1)
        #expect(table.watcher.last("turn-expired") != nil)
    }

    @Test(
        "until an outage of the loop is durable no clock is judged, and no one is told to try again",
        arguments: [true, false])
    func notDurable(written: Bool) throws {
        let table = Self.table
        table.hub.log.putIn(.outcomeUnknown(written: written))
        table.hub.standStill(25_000) { table.mover.command("flip", ["cell": 0], id: "late", settling: false) }
        #expect(table.watcher.events.suffix(2).map { $0["type"] } == ["clock-extended", "show-card"])
        #expect(table.hub.storage.records(of: .hub).compactMap { Outage($0) }.count == 1)
    }

    @Test("loops that were blocked together each have their own record, and continue after it")
    func together() throws {
        let table = Self.table
        let other = Outage(from: 1, until: 2, loop: Outage.Loop(index: 1, count: 2))
        table.hub.log.putIn(.overtaken(by: other.commit(expecting: table.hub.storage.end(of: .hub))))
        table.hub.standStill(25_000) { table.mover.command("flip", ["cell": 0], id: "late", settling: false) }
        #expect(table.watcher.events.suffix(2).map { $0["type"] } == ["clock-extended", "show-card"])
        #expect(table.hub.storage.records(of: .hub).compactMap { Outage($0) }.map(\.loop?.index) == [1, 0])
    }

    @Test(
        "an outage that is recorded in spite of an error does not end before the log is back",
        arguments: [true, false])
    func longerOutage(written: Bool) throws {
        let table = Self.table
        let deadline = try #require(table.state.deadline)
        table.hub.log.stopWrites(.cannotWrite(reason: "disk full"))
        table.hub.settle()
        table.hub.pass(5_000)
        table.hub.log.putIn(.outcomeUnknown(written: written))
        table.hub.log.resumeWrites()
        table.hub.log.stopWrites(.cannotWrite(reason: "disk full"))
        table.hub.settle()
        table.hub.pass(30_000)
        #expect(table.watcher.last("turn-expired") == nil)
        #expect(table.mover.command("flip", ["cell": 0])?["code"] == "log-unavailable")
        table.hub.log.resumeWrites()
        table.hub.settle()
        #expect(table.hub.room(table.code).deadline == deadline + 35_000)
        #expect(table.mover.command("flip", ["cell": 0])?["type"] == "ok")
    }

    @Test("a process that was blocked while its log could not be written costs no one time")
    func stoodStillWithoutLog() throws {
        let table = Self.table
        let deadline = try #require(table.state.deadline)
        table.hub.log.stopWrites(.cannotWrite(reason: "disk full"))
        table.hub.settle()
        table.hub.pass(1_000)
        table.hub.standStill(25_000)
        table.hub.pass(4_000)
        #expect(table.watcher.last("turn-expired") == nil)
        table.hub.log.resumeWrites()
        table.hub.settle()
        #expect(table.hub.room(table.code).deadline == deadline + 30_000)
        #expect(table.mover.command("flip", ["cell": 0])?["type"] == "ok")
    }

    @Test("a kill right after a stall costs no one time, since the note of life is from before it")
    func killedAfterStandstill() {
        let table = Self.table
        table.hub.pass(1_000)
        let played = table.hub.counters.lastPlayed.value
        table.hub.log.stopWrites(.cannotWrite(reason: "disk full"))
        table.hub.standStill(25_000)
        table.hub.pass(2_000)
        #expect(table.hub.counters.lastPlayed.value == played)
        table.hub.log.resumeWrites()
        table.hub.settle()
        table.hub.pass(1)
        #expect(table.hub.counters.lastPlayed.value == table.hub.now)
    }

    @Test("the stall does not count as absence of a disconnected player")
    func absence() {
        let table = Table(["columns": 2, "rows": 3, "theme": "numbers", "turnTime": 0])
        table.annPage.leave()
        table.hub.pass(50_000)
        table.hub.standStill(60_000)
        table.hub.pass(9_999)
        #expect(table.watcher.last("host-changed") == nil)
        table.hub.pass(1)
        #expect(table.watcher.last("host-changed") != nil)
    }

    @Test("time in which the log takes no writes does not count as absence", arguments: [true, false])
    func absenceWithoutLog(goesBefore: Bool) {
        let table = Table(["columns": 2, "rows": 3, "theme": "numbers", "turnTime": 0])
        if goesBefore {
            table.annPage.leave()
            table.hub.pass(50_000)
        }
        table.hub.log.stopWrites(.cannotWrite(reason: "disk full"))
        table.hub.settle()
        table.hub.pass(30_000)
        // Within an outage of the log it is part of that.
        table.hub.standStill(5_000)
        if !goesBefore { table.annPage.leave() }
        table.hub.pass(40_000)
        table.hub.log.resumeWrites()
        table.hub.settle()
        table.hub.pass(goesBefore ? 9_999 : 59_999)
        #expect(table.watcher.last("host-changed") == nil)
        table.hub.pass(1)
        #expect(table.watcher.last("host-changed") != nil)
    }

    @Test("a sleeping room whose deadline passed during a stall still gets its time")
    func sleeping() throws {
        let table = Table(["columns": 2, "rows": 3, "turnTime": 600])
        let deadline = try #require(table.state.deadline)
        table.sleep()
        table.hub.standStill(900_000)
        table.hub.pass(479_000)
        let expired = { table.hub.storage.records(of: .room(table.code)).first { $0.event.type == "turn-expired" } }
        #expect(expired() == nil)
        table.hub.pass(2_000)
        #expect(expired()?.event.time == deadline + 900_000)
    }
}
