import EventStore
import Games
import Records
import Testing

@testable import Hub
@testable import RoomRules
@testable import Rooms

@Suite("Several nodes: time owed by earlier homes") struct VacancyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// How long ago nothing was owed, and its last home left; nil if the claim does not say.
        let since: Milliseconds?
        let vacant: Milliseconds?
        /// The time in which no node judged the room, from how long ago to how long ago.
        let lost: [Milliseconds]

        init(_ name: String, since: Milliseconds?, vacant: Milliseconds?, lost: [Milliseconds]) {
            (testDescription, self.since, self.vacant, self.lost) = (name, since, vacant, lost)
        }
    }

    @Test(
        "time is lost up to the claim if that comes within 10 s of the last home's end, or else up to that end",
        arguments: [
            Case("nothing", since: nil, vacant: nil, lost: []),
            Case("nothing, though it went", since: nil, vacant: 3_000, lost: []),
            Case("a node died just now", since: 6_000, vacant: 1_000, lost: [6_000, 0]),
            Case("a node died, whenever that was", since: 6_000, vacant: nil, lost: [6_000, 0]),
            Case("it was drained just now", since: 4_000, vacant: 4_000, lost: [4_000, 0]),
            Case("one died a moment ago, after another", since: 90_000, vacant: 9_999, lost: [90_000, 0]),
            Case("10 s ago", since: 16_000, vacant: 10_000, lost: [16_000, 0]),
            Case("longer ago: nobody was waiting", since: 16_001, vacant: 10_001, lost: [16_001, 10_001]),
            Case("it was drained longer ago", since: 10_001, vacant: 10_001, lost: []),
            Case("by clocks that differ", since: 10_500, vacant: 11_000, lost: []),
        ])
    func takes(one: Case) throws {
        let hub = ScriptedHub()
        let (now, stream) = (hub.now, StreamName.room("k3m7pq"))
        let claim = Claim(
            stream: stream, holder: hub.run, since: one.since.map { now - $0 }, vacant: one.vacant.map { now - $0 },
            end: stream.start)
        var lost = LostTime()
        lost.roomClaimed(claim, at: now, hub.shard.surroundings)
        lost.endVacancy(now: now)
        #expect(lost.outages.all.map { [now - $0.from, now - $0.until] } == (one.lost.isEmpty ? [] : [one.lost]))
        #expect(lost.vacantSince == nil)
    }
}
