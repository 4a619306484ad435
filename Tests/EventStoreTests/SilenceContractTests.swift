import Cryptography
import Records
import Testing

@testable import EventStore

@Suite("Times in which no run renewed its lease, on every engine that several may write to")
struct SilenceContractTests {
    private let place = Place()
    private let start = 1_700_000_000_000

    private func open(_ run: String, _ engine: Engine) throws -> Node { try Node(run, engine, at: place) }

    /// Seconds after `start`.
    private func silence(_ since: Int, _ until: Int) -> Silence {
        Silence(since: start + since * 1_000, until: start + until * 1_000)
    }

    private func setClock(_ seconds: Int, _ engine: Engine) throws {
        try engine.setClock(place, start + seconds * 1_000)
    }

    @Test(
        "the first renewal finds no silence, and a later one finds those that lasted long enough",
        arguments: Engine.shared)
    func finds(engine: Engine) throws {
        let (one, two) = (try open("one", engine).leases, try open("two", engine).leases)
        #expect(try one.answer().get().silences.isEmpty)
        var time = start
        for (passed, leases) in [(0, one), (Silence.least - 1, two), (Silence.least - 1, one)] {
            time += passed
            try engine.setClock(place, time)
            #expect(try leases.answer(renewing: "").get().silences.isEmpty)
        }
        try engine.setClock(place, time + Silence.least)
        let found = [Silence(since: time, until: time + Silence.least)]
        #expect(try two.answer(renewing: "").get().silences == found)
        for leases in [one, two] {
            #expect(try leases.answer().get().silences == found)
            #expect(try leases.answer(renewing: "").get().silences == found)
        }
    }

    @Test("a run that does not serve ends no silence, but learns of each", arguments: Engine.shared)
    func joins(engine: Engine) throws {
        let (serving, joining) = (try open("serving", engine).leases, try open("joining", engine).leases)
        let outside = SilenceReport(isServing: false)
        try setClock(0, engine)
        #expect(try joining.answer(renewing: "", silences: outside).get().silences.isEmpty)
        try setClock(10, engine)
        #expect(try serving.answer(renewing: "").get().silences.isEmpty)
        for seconds in [12, 14, 16] {
            try setClock(seconds, engine)
            #expect(try joining.answer(renewing: "", silences: outside).get().silences.isEmpty)
        }
        #expect(try serving.answer(renewing: "").get().silences == [silence(10, 16)])
        #expect(try joining.answer(renewing: "", silences: outside).get().silences == [silence(10, 16)])
    }

    @Test("a fenced run ends and deletes no silence", arguments: Engine.shared)
    func fenced(engine: Engine) throws {
        let (lost, other) = (try open("lost", engine), try open("other", engine))
        for seconds in [0, 5] {
            try setClock(seconds, engine)
            _ = lost.leases.answer(renewing: "")
        }
        #expect(try other.desk.append(.fence("lost")) == .appended(version: 1))
        let report = SilenceReport(isServing: true, recorded: [silence(0, 5)], in: try other.desk.end(of: .hub))
        try setClock(10, engine)
        #expect(try lost.leases.answer(renewing: "", silences: report).get().isFenced)
        #expect(try other.leases.answer(renewing: "").get().silences == [silence(0, 5), silence(5, 10)])
    }

    @Test("a clock that is set back moves nothing back", arguments: Engine.shared)
    func setBack(engine: Engine) throws {
        let leases = try open("one", engine).leases
        for seconds in [0, -3_600, -3_000, 2] {
            try setClock(seconds, engine)
            #expect(try leases.answer(renewing: "").get().silences.isEmpty)
        }
        try setClock(7, engine)
        #expect(try leases.answer(renewing: "").get().silences == [silence(2, 7)])
    }

    @Test("a silence that a run has seen in the log is gone for all", arguments: Engine.shared)
    func deletes(engine: Engine) throws {
        let (one, two) = (try open("one", engine), try open("two", engine))
        for seconds in [0, 5, 10, 15] {
            try setClock(seconds, engine)
            _ = one.leases.answer(renewing: "")
        }
        try one.desk.fill(.hub, to: 3)
        let end = try one.desk.end(of: .hub, at: 2)
        var report = SilenceReport(
            isServing: true, recorded: [silence(5, 10), silence(10, 16), silence(20, 25)], in: end)
        let left = [silence(0, 5), silence(10, 15)]
        #expect(try two.leases.answer(renewing: "", silences: report).get().silences == left)
        #expect(try one.leases.answer().get().silences == left)
        // Both report it at once, and neither waits for the other.
        report.recorded = left
        #expect(try renewed([one.leases, two.leases], report).contains([]))
        #expect(try one.leases.answer().get().silences.isEmpty)
    }

    @Test("a silence stays until the log has the record that the run has seen", arguments: Engine.shared)
    func checksLog(engine: Engine) throws {
        let one = try open("one", engine)
        for seconds in [0, 5] {
            try setClock(seconds, engine)
            _ = one.leases.answer(renewing: "")
        }
        try one.desk.fill(.hub, to: 2)
        let ends = [
            StreamEnd(version: 2, head: SHA256.digest(of: "another")),
            StreamEnd(version: 3, head: try one.desk.end(of: .hub).head),
        ]
        for end in ends {
            let report = SilenceReport(isServing: true, recorded: [silence(0, 5)], in: end)
            #expect(try one.leases.answer(renewing: "", silences: report).get().silences == [silence(0, 5)])
        }
    }

    @Test("an answer has the oldest silences, up to a limit", arguments: Engine.shared)
    func limits(engine: Engine) throws {
        let one = try open("one", engine)
        let all = (0...Silence.answerLimit).map { silence($0 * 5, $0 * 5 + 5) }
        for number in 0...all.count {
            try setClock(number * 5, engine)
            _ = one.leases.answer(renewing: "")
        }
        let told = try one.leases.answer().get().silences
        #expect(told == all.dropLast())
        try one.desk.fill(.hub, to: 1)
        let report = SilenceReport(isServing: true, recorded: told, in: try one.desk.end(of: .hub))
        #expect(try one.leases.answer(renewing: "", silences: report).get().silences == all.suffix(1))
    }

    @Test("of runs that renew at the same time one finds the silence, and all learn of it", arguments: Engine.shared)
    func races(engine: Engine) throws {
        let runs = try ["one", "two", "three"].map { try open($0, engine).leases }
        try setClock(0, engine)
        _ = runs[0].answer(renewing: "")
        for round in 1...40 {
            try setClock(round * 5, engine)
            let found = (0..<round).map { silence($0 * 5, $0 * 5 + 5) }
            #expect(try renewed(runs, SilenceReport(isServing: true)) == runs.map { _ in found })
        }
    }

    /// The answers of runs that renew at the same time.
    private func renewed(_ runs: [any LeaseStore], _ report: SilenceReport) throws -> [[Silence]] {
        let replies = runs.map { _ in Reply<Result<LeaseRenewal, EventLogError>>() }
        for (leases, reply) in zip(runs, replies) {
            leases.renew([], presence: PresenceReport(), silences: report, answer: reply.take)
        }
        return try replies.map { try $0.wait().get().silences }
    }
}
