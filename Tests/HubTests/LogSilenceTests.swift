import EventStore
import Games
import Testing

@testable import Hub
@testable import RoomRules
@testable import Rooms

@Suite("A log that delays appends without an error") struct LogSilenceTests {
    /// A game of 20 s a turn, 2 s into a turn.
    private let table = ClockTests.table
    private let deadline: Milliseconds

    init() throws {
        deadline = try #require(table.state.deadline)
        table.hub.pass(2_000)
    }

    @Test("the time for an answer costs no one", arguments: [1_001, 5_000, 25_000, 3_600_000])
    func silent(span: Milliseconds) {
        flip(0, settling: false)
        table.hub.wait(span)
        table.hub.settle()
        #expect(isDone("flip 0"))
        #expect(table.state.deadline == deadline + span)
        table.hub.pass(17_999)
        #expect(table.watcher.last("turn-expired") == nil)
        table.hub.pass(1)
        #expect(table.watcher.last("turn-expired") != nil)
    }

    @Test("an answer within a second is not late")
    func patience() {
        flip(0, settling: false)
        table.hub.wait(1_000)
        table.hub.settle()
        #expect(isDone("flip 0"))
        #expect(table.state.deadline == deadline)
        #expect(table.hub.storage.records(of: .hub).compactMap { Outage($0) }.isEmpty)
    }

    @Test("in that time no clock is judged, and messages wait")
    func meanwhile() {
        flip(0, settling: false)
        table.hub.wait(5_000)
        flip(1, settling: false)
        table.hub.wait(25_000)
        table.hub.settle()
        #expect(isDone("flip 0") && isDone("flip 1"))
        #expect(table.watcher.last("clock-extended")?["ms"]?.integer == 30_000)
        #expect(table.watcher.last("turn-expired") == nil)
    }

    @Test("it is one outage, together with the one that the log reports in the end")
    func unavailable() {
        let began = table.hub.now
        flip(0, settling: false)
        table.hub.wait(10_000)
        table.hub.log.stopWrites(.cannotWrite(reason: "no answer"))
        table.hub.settle()
        table.hub.pass(15_000)
        table.hub.log.resumeWrites()
        table.hub.settle()
        let outages = table.hub.storage.records(of: .hub).compactMap { Outage($0) }
        #expect(outages.first?.from == began)
        #expect(outages.reduce(0) { $0 + $1.until - $1.from } == 25_000)
        #expect(table.watcher.last("turn-expired") == nil)
        #expect(table.state.deadline == deadline + 25_000)
    }

    @Test("a reported stall began when the disk stalled, also for rooms that wrote nothing")
    func stalled() {
        table.hub.pass(4_000)
        let began = table.hub.now - 2_250
        table.hub.log.stopWrites(.stalled(milliseconds: 2_250))
        table.hub.settle()
        table.hub.pass(30_000)
        #expect(table.watcher.last("turn-expired") == nil)
        table.hub.log.resumeWrites()
        table.hub.settle()
        let outages = table.hub.storage.records(of: .hub).compactMap { Outage($0) }
        #expect(outages.map(\.from) == [began])
        #expect(table.state.deadline == deadline + 32_250)
    }

    @Test("rooms learn that the log is back, even if the outage's own record is delayed")
    func back() {
        let shard = table.hub.shard!
        table.hub.log.stopWrites(.cannotWrite(reason: "no answer"))
        table.hub.settle()
        // The room could not be read in between.
        shard.rooms[table.code]?.stream.life = .unread
        table.hub.log.resumeWrites()
        table.hub.step()
        table.hub.wait(5_000)
        table.hub.settle()
        #expect(table.hub.storage.records(of: .hub).compactMap { Outage($0) }.count == 2)
        #expect(shard.rooms[table.code]?.life == .awake)
    }

    private func flip(_ cell: Int, settling: Bool = true) {
        _ = table.mover.command("flip", ["cell": .integer(cell)], id: "flip \(cell)", settling: settling)
    }

    private func isDone(_ id: String) -> Bool {
        table.mover.messages.last { $0["id"]?.string == id }?["type"]?.string == "ok"
    }
}
