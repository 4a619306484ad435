import EventStore
import Games
import Records
import Testing
import Threads

@testable import Cluster
@testable import Hub
@testable import RoomRules

@Suite("Times in which no node could reach the database") struct SilenceWatchTests {
    private static let start = 1_700_000_000_000

    /// Seconds after `start`, by the database's clock.
    private static func silence(_ since: Int, _ until: Int) -> Silence {
        Silence(since: start + since * 1_000, until: start + until * 1_000)
    }

    /// The content of an answer that came `time` seconds after `start`, and was asked for a moment before.
    fileprivate struct Look {
        var time = 1_000
        var silences: [Silence] = []
        var isServing = true
        /// How far the hub's clock is ahead of the database's.
        var lead = 0
    }

    private static func take(_ look: Look, in watch: inout SilenceWatch, _ outages: Outages = Outages()) -> [Outage] {
        let time = start + look.time * 1_000
        let uptime = look.time * 1_000_000_000
        let renewal = LeaseRenewal(time: time, isFenced: false, leases: [], silences: look.silences)
        watch.leaseRenewed(renewal, isServing: look.isServing, sent: uptime, answered: uptime, at: time + look.lead)
        return watch.takeUnrecorded(in: outages)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The answer before; nil if there was none.
        fileprivate var before: Look?
        fileprivate let look: Look
        /// From when to when, in seconds after `start`.
        var outage: [Int] = []
    }

    @Test(
        "a silence is an outage, limited to the time in which this run did not renew its lease",
        arguments: [
            Case(
                testDescription: "the first answer says one", look: Look(silences: [silence(10, 310)]),
                outage: [10, 310]),
            Case(
                testDescription: "the hub's clock is ahead",
                look: Look(silences: [silence(10, 310)], lead: 2_000), outage: [12, 312]),
            Case(
                testDescription: "it has renewed ahead and behind", before: Look(time: 700),
                look: Look(silences: [silence(700, 1_000)]), outage: [700, 1_000]),
            Case(
                testDescription: "the database's clock was set forward", before: Look(time: 999),
                look: Look(silences: [silence(10, 999)])),
            Case(
                testDescription: "it was, while nobody could reach the database", before: Look(time: 990),
                look: Look(silences: [silence(10, 999)]), outage: [989, 999]),
            Case(
                testDescription: "it did not serve ahead of it",
                before: Look(time: 999, isServing: false),
                look: Look(silences: [silence(10, 310)]), outage: [10, 310]),
        ])
    func spans(one: Case) {
        var watch = SilenceWatch()
        if let before = one.before { #expect(Self.take(before, in: &watch).isEmpty) }
        let new = Self.take(one.look, in: &watch)
        #expect(
            new.map { [$0.from, $0.until] } == (one.outage.isEmpty ? [] : [one.outage.map { Self.start + $0 * 1_000 }]))
        #expect(new.allSatisfy { $0.silence == one.look.silences.first && $0.loop == nil })
        // A silence that is not an outage need not be in the log.
        #expect(watch.areAllIn(Outages()) == one.outage.isEmpty)
    }

    @Test("silences from before the database's clock was set back end now, and keep their distance")
    func setBack() {
        var watch = SilenceWatch()
        let found = Self.take(
            Look(time: 400, silences: [Self.silence(3_900, 3_910), Self.silence(3_950, 4_000)]), in: &watch)
        #expect(
            found.map { [$0.from, $0.until] } == [[300, 310], [350, 400]].map { $0.map { Self.start + $0 * 1_000 } })
    }

    @Test("each is recorded once, and reported once the log has it, by any node")
    func records() {
        var (watch, outages) = (SilenceWatch(), Outages())
        let (one, two) = (Self.silence(10, 20), Self.silence(30, 40))
        func recorded() -> [Silence] {
            watch.report(isServing: true, in: outages, endingAt: StreamName.hub.start).recorded
        }
        #expect(Self.take(Look(silences: [one]), in: &watch, outages).map(\.silence) == [one])
        #expect(
            Self.take(Look(time: 1_050, silences: [one, two]), in: &watch, outages).map(\.silence) == [two]
        )
        #expect(recorded().isEmpty && !watch.areAllIn(outages))
        // Another node has found it, by its own clock.
        outages.add(Outage(from: Self.start + 10_100, until: Self.start + 20_100, silence: one))
        #expect(recorded() == [one] && !watch.areAllIn(outages))
        outages.add(Outage(from: Self.start + 30_000, until: Self.start + 40_000, silence: two))
        #expect(recorded() == [one, two] && watch.areAllIn(outages))
        // It is deleted once that has been reported.
        #expect(Self.take(Look(time: 1_051, silences: [two]), in: &watch, outages).isEmpty)
        #expect(recorded() == [two])
        #expect(Self.take(Look(time: 1_052), in: &watch, outages).isEmpty)
        #expect(recorded().isEmpty && watch.areAllIn(outages))
    }

    @Test("a silence that the log has lost is recorded again")
    func lost() {
        var watch = SilenceWatch()
        let one = Self.silence(10, 20)
        let recorded = Outages([Outage(from: Self.start + 10_000, until: Self.start + 20_000, silence: one)])
        #expect(Self.take(Look(silences: [one]), in: &watch, recorded).isEmpty)
        #expect(Self.take(Look(time: 1_050), in: &watch, recorded).isEmpty)
        #expect(Self.take(Look(time: 1_100, silences: [one]), in: &watch).map(\.silence) == [one])
    }

    @Test("nodes record a silence once, delete it, and judge nothing before they have read it")
    func nodes() throws {
        let cluster = ScriptedCluster(count: 3, hasKeepers: true)
        cluster.setDatabase(away: true)
        cluster.pass(30_000)
        cluster.setDatabase(away: false)
        for node in cluster.nodes { #expect(!node.shard.surroundings.canPlay) }
        for _ in 0..<20 {
            cluster.pass(100)
            for node in cluster.nodes where node.shard.surroundings.canPlay {
                #expect(node.shard.surroundings.history.outages != Outages())
            }
        }
        #expect(cluster.recorded.count { $0 == Outage.type } == 1)
        let outage = try #require(cluster.disk.log.records(of: .hub).compactMap { Outage($0) }.last)
        let silence = try #require(outage.silence)
        #expect(abs(outage.until - outage.from - 31_000) <= 1_000 && outage.loop == nil)
        cluster.pass(3_000)
        #expect(cluster.unrecordedSilences == [])
        for node in cluster.nodes {
            #expect(node.shard.surroundings.canPlay && node.shard.surroundings.history.outages.holds(silence))
        }
        #expect(cluster.recorded.count { $0 == Outage.type } == 1)
    }

    @Test("setting the database's clock forward costs no clock anything", arguments: [5_000, 3_600_000])
    func clockSet(step: Milliseconds) {
        let cluster = ScriptedCluster(count: 3, hasKeepers: true)
        cluster.pass(2_000)
        cluster.clock.setWall(by: step)
        cluster.pass(5_000)
        #expect(!cluster.recorded.contains(Outage.type) && cluster.unrecordedSilences == [])
        for node in cluster.nodes { #expect(node.shard.surroundings.canPlay) }
    }
}

extension ScriptedCluster {
    /// The silences in the database that no run has reported as recorded.
    fileprivate var unrecordedSilences: [Silence]? {
        try? NodeStart.read(InMemoryLeaseStore(storage: disk.log, run: "watcher") { 0 }).silences
    }
}
