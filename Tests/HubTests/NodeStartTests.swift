import EventStore
import Games
import Records
import Testing

@testable import Cluster
@testable import Hub
@testable import RoomRules

@Suite("The time of a node that starts") struct NodeStartTests {
    /// `ahead`: how far the database's clock is ahead of the other node's last report about it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let ahead: Milliseconds
        let isTaken: Bool
    }

    @Test(
        "it starts at the time of a node that has just spoken, however far that is from the database's",
        arguments: [
            Case(testDescription: "at once", ahead: 0, isTaken: true),
            Case(testDescription: "a moment ago", ahead: 900, isTaken: true),
            Case(
                testDescription: "longer ago than is waited for", ahead: LeaseWatch.limit + 1, isTaken: false),
            Case(testDescription: "by a clock that was set back since", ahead: -7_200_000, isTaken: false),
            Case(testDescription: "by a clock that was set forward since", ahead: 7_200_000, isTaken: false),
        ])
    func others(one: Case) throws {
        let wall = 1_700_000_000_000
        let storage = InMemoryStorage()
        let note = NodeNote(node: NodeName("a"), address: "http://a", now: wall + 300_000, wall: wall)
        let others = InMemoryLeaseStore(storage: storage, run: "1") { wall }
        others.renew(note.bytes, presence: PresenceReport(), silences: SilenceReport(isServing: true)) { _ in }
        let leases = InMemoryLeaseStore(storage: storage, run: "2") { wall + one.ahead }
        let start = try NodeStart(leases, NodeOptions(name: "b"), run: "2", ScriptedTime())
        let run = NodeRun(node: NodeName("a"), run: "1", address: "http://a")
        #expect(start.time(of: [run]) == (one.isTaken ? wall + 300_000 + one.ahead : nil))
        #expect(start.leastTime(of: [run]) == wall + 300_000)
        // The lease of an ended run does not matter.
        #expect(start.time(of: []) == nil)
        #expect(start.leastTime(of: []) == nil)
    }
}
