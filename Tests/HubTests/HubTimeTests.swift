import Cryptography
import EventStore
import Games
import Records
import Testing
import Transport

@testable import Hub
@testable import RoomRules

@Suite("Hub time runs by the boot clock and follows the wall clock slowly") struct HubTimeTests {
    static let second = 1_000_000_000
    static let sizes = [
        1, -1, 2, -2, 3, -3, 60, -60, 600, -600, 3_600, -3_600, 86_400, -86_400, 31_536_000, -31_536_000,
    ]

    @Test("setting a clock moves hub time by at most 1 % of the time that passes", arguments: sizes)
    func steps(step: Int) {
        var reading = ClockReading(boot: 5 * Self.second, wall: 1_700_000_000 * Self.second)
        var time = HubTime(startingAt: 1_700_000_000_000, reading)
        reading.wall += step * Self.second
        for turn in 1...1_000 {
            let before = time.now
            reading.boot += Self.second / 10
            reading.wall += Self.second / 10
            let noticed = time.follow(reading)
            #expect(noticed == (turn == 1 && abs(step) > 2 ? step * 1_000 : nil))
            #expect((99...101).contains(time.now - before))
        }
        // 100 s at 1 % are a second: smaller differences are gone by then.
        let off = step.signum() * max(0, abs(step) * 1_000 - 1_000)
        #expect(abs(time.ahead + off) <= 1)
    }

    @Test("a process that did not run sees the time that passed, without a step")
    func gap() {
        var reading = ClockReading(boot: 0, wall: 1_700_000_000 * Self.second)
        var time = HubTime(startingAt: 1_700_000_000_000, reading)
        reading.boot += 25 * Self.second
        reading.wall += 25 * Self.second
        #expect(time.follow(reading) == nil)
        #expect(time.now == 1_700_000_025_000)
    }

    @Test("a late reading of another thread changes nothing")
    func order() {
        let first = ClockReading(boot: 0, wall: 1_700_000_000 * Self.second)
        let late = ClockReading(boot: Self.second, wall: 1_700_000_001 * Self.second)
        var time = HubTime(startingAt: 1_700_000_000_000, first)
        _ = time.follow(ClockReading(boot: 2 * Self.second, wall: 1_700_000_002 * Self.second))
        let before = time
        #expect(time.follow(late) == nil)
        #expect(time == before)
    }

    @Test(
        "a hub can start from any time of a log", arguments: [Int.min, -1, 0, ClockReading.latestMilliseconds, Int.max])
    func extremes(start: Milliseconds) {
        var time = HubTime(startingAt: start, ClockReading(boot: 0, wall: 1_700_000_000 * Self.second))
        _ = time.follow(ClockReading(boot: Self.second, wall: 1_700_000_001 * Self.second))
        #expect((0...ClockReading.latestMilliseconds + 1_000).contains(time.now))
    }
}

@Suite("Outages in the log") struct OutageRecordTests {
    static let here = Outage.Loop(index: shardIndex(ofRoom: "k3m7pq", count: 2), count: 2)
    static let elsewhere = Outage.Loop(index: 1 - here.index, count: 2)

    private static let silence = Silence(since: 11, until: 29)

    @Test("an outage reads back from the log unchanged", arguments: [nil, here, elsewhere], [nil, silence])
    func record(loop: Outage.Loop?, silence: Silence?) throws {
        let storage = InMemoryStorage()
        let outage = Outage(from: 10, until: 30, loop: loop, silence: silence)
        let commit = outage.commit(expecting: StreamName.hub.start)
        _ = BlockingLog(InMemoryLog(storage: storage)).append(commit)
        let records = storage.records(of: .hub)
        #expect(records.compactMap { Outage($0) } == [outage])
        #expect(HubHistory(records).outages.holds(Self.silence) == (silence != nil))
    }

    @Test("a silence is recorded once, though each node knows it by its own clock")
    func oneRecord() {
        let log = BlockingLog(InMemoryLog(storage: InMemoryStorage()))
        let commits = [0, 7].map { lead in
            Outage(from: 11 + lead, until: 29 + lead, silence: Self.silence).commit(expecting: StreamName.hub.start)
        }
        #expect(commits.map { log.append($0) } == [.appended(version: 1), .repeated(version: 1)])
    }
}
