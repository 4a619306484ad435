import Foundation
import ProtocolOracles
import Records
import Synchronization
import Testing

@testable import EventStore

@Suite("PostgreSQL: claims", .needsServer)
struct PostgreSQLClaimTests {
    private let server: PostgreSQLServer
    private let place = Place()

    init() throws { server = try PostgreSQLServer.shared.get() }

    @Test("a claim that the server has lost is made again with the next connection, or reported lost")
    func claimsAgain() throws {
        let proxy = try DatabaseProxy(to: server)
        let log = try proxy.open(place, for: "a")
        let (desk, inbox) = (Desk(log), RecordingInbox())
        for stream in [StreamName.red, .blue, .ada] {
            try desk.fill(stream, to: 1)
            log.claim(stream, ticket: 1, answer: inbox)
        }
        try inbox.wait { $0.count == 3 }
        try server.run("UPDATE @.streams SET home = NULL WHERE name = 'room/red'", in: place)
        try server.run("UPDATE @.streams SET home = 'b' WHERE name = 'room/blue'", in: place)
        proxy.drop()
        #expect(try desk.append(.numbered(2), to: .red, expecting: 1) == .appended(version: 2))
        try inbox.wait { $0.last == .claimLost(.blue) && $0.count == 4 }
        #expect(try desk.append(.numbered(2), to: .blue, expecting: 1) == .claimed(.blue))
        let home = "(SELECT encode(home, 'escape') FROM \(place.schema).streams WHERE name = 'room/red')"
        #expect(try server.connect().text(home) == "a")
        #expect(try desk.append(.numbered(2), to: .ada, expecting: 1) == .appended(version: 2))
    }

    @Test(
        "clients that race, stall and are killed never append to a room that they do not hold",
        arguments: [3, 5, 8])
    func races(count: Int) throws {
        let race = try ClaimRace(server, place, seed: UInt64(count))
        let clients = (0..<count).map { ClaimRacer(race, number: $0) }
        let underWay = DispatchGroup()
        for client in clients {
            underWay.enter()
            Thread.detachNewThread {
                client.main()
                underWay.leave()
            }
        }
        try #require(underWay.wait(timeout: .now() + 120) == .success)
        try race.check()
    }
}

/// Rooms that each belong to one run at a time, and what was done to them.
private final class ClaimRace: Sendable {
    static let rooms = (0..<8).map { StreamName.room("race\($0)") }

    struct Report {
        /// Runs that may be fenced: those under way.
        var runs: Set<String> = []
        /// How often a run gave a room up.
        var releases: [String: [StreamName: Int]] = [:]
        var appends = 0
        var takeovers = 0
        var wrong: [String] = []
    }

    let server: PostgreSQLServer
    let place: Place
    let seed: UInt64
    let report = Mutex(Report())

    init(_ server: PostgreSQLServer, _ place: Place, seed: UInt64) throws {
        (self.server, self.place, self.seed) = (server, place, seed)
        let desk = Desk(try server.open(place))
        for room in ClaimRace.rooms { try desk.fill(room, to: 1) }
    }

    func complain(_ problem: String) { report.withLock { $0.wrong.append(problem) } }

    /// Compares the log with what was done: a room changes its run only by a fence or a release, and no run writes
    /// after its fence.
    func check() throws {
        let desk = Desk(try server.open(place))
        let report = report.withLock { $0 }
        #expect(report.wrong == [])
        #expect(report.appends > 50 && report.takeovers > 2, "\(report.appends) appends, \(report.takeovers) takeovers")
        let fences = Dictionary(
            uniqueKeysWithValues: try desk.load(.hub).get().map { ($0.commit.text, $0.position) })
        for room in ClaimRace.rooms {
            var releases = report.releases
            var holder: String?
            for record in try desk.load(room).get().dropFirst() {
                let run = String(record.commit.text.prefix { $0 != "/" })
                if let fence = fences[run] { #expect(record.position < fence, "\(run) wrote after its fence") }
                if let before = holder, before != run, fences[before].map({ $0 > record.position }) ?? true {
                    let left = (releases[before]?[room] ?? 0) - 1
                    #expect(left >= 0, "\(room.text) went from \(before) to \(run) at \(record.version)")
                    releases[before, default: [:]][room] = left
                }
                holder = run
            }
        }
    }
}

/// One node after the other, as supervisors restart them: each claims, appends, blocks, is killed, and fences others.
private final class ClaimRacer: @unchecked Sendable {
    // Used only by its own thread.
    private let race: ClaimRace
    private let number: Int
    private var random: SeededGenerator
    private var starts = 0
    private var run = ""
    private var log: PostgreSQLLog?
    private var held: [StreamName: StreamEnd] = [:]
    private var count = 0

    init(_ race: ClaimRace, number: Int) {
        (self.race, self.number) = (race, number)
        random = SeededGenerator(seed: race.seed &* 1_000 &+ UInt64(number))
    }

    func main() {
        do {
            try start()
            for _ in 0..<120 { try act() }
        } catch { race.complain("\(run): \(error)") }
        race.report.withLock { _ = $0.runs.remove(run) }
        log?.close()
    }

    private func start() throws {
        log?.close()
        (starts, held) = (starts + 1, [:])
        run = "\(number).\(starts)"
        log = try PostgreSQLLog(address: race.server.address, run: run, options: .init(schema: race.place.schema))
        race.report.withLock { _ = $0.runs.insert(run) }
    }

    private func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    private func act() throws {
        let room = ClaimRace.rooms[below(ClaimRace.rooms.count)]
        switch below(100) {
        case 0..<80: try play(in: room)
        case 80..<90: try release(room)
        case 90..<94: try standStill(in: room)
        case 94..<96: try die(in: room)
        default: try fenceSomebody()
        }
    }

    private func play(in room: StreamName) throws {
        if held[room] == nil {
            guard let claim = try claim(room), claim.holder == run else { return }
            held[room] = claim.end
        }
        for _ in 0...below(3) { try append(to: room) }
    }

    private func claim(_ room: StreamName) throws -> Claim? {
        let inbox = RecordingInbox()
        log?.claim(room, ticket: 1, answer: inbox)
        let answer = try inbox.wait { if case .claimed(1, let result) = $0 { result } else { nil } }
        switch answer {
        case .success(let claim):
            if claim.since != nil { race.report.withLock { $0.takeovers += 1 } }
            return claim
        case .failure(.fenced): try start()
        case .failure(.busy): break
        case .failure(let error): throw error
        }
        return nil
    }

    private func append(to room: StreamName) throws {
        guard let end = held[room] else { return }
        count += 1
        let draft = Draft(id: "\(run)/\(count)", events: [.test(count)])
        switch try appended(draft.commit(to: room, expecting: end)) {
        case .appended:
            held[room] = end.after(draft.events)
            race.report.withLock { $0.appends += 1 }
        case .unavailable(.fenced): try start()
        case let answer: race.complain("\(run), which holds \(room.text), is told \(answer)")
        }
    }

    private func appended(_ commit: Commit) throws -> AppendAnswer {
        let inbox = RecordingInbox()
        log?.append(commit, ticket: 2, answer: inbox)
        return try inbox.answer(2)
    }

    private func release(_ room: StreamName) throws {
        guard held[room] != nil else { return }
        let inbox = RecordingInbox()
        // It may be done before its answer arrives.
        race.report.withLock { $0.releases[run, default: [:]][room, default: 0] += 1 }
        log?.release(room, owed: below(2) == 0 ? nil : count, at: count, ticket: 3, answer: inbox)
        let answer = try inbox.wait { if case .released(3, let result) = $0 { result } else { nil } }
        held[room] = nil
        if case .failure(.fenced) = answer { try start() }
    }

    /// A transaction of this run that claims a room and then stops for a while.
    private func openClaim(of room: StreamName) throws -> ServerConnection {
        try race.server.run(
            """
            BEGIN; SELECT @.enter('\(run)', \(DatabaseSchema.lockClass), '@'::regnamespace::oid::int);
            SELECT @.claim('\(run)', '\(room.text)')
            """, in: race.place)
    }

    private func standStill(in room: StreamName) throws {
        do {
            let connection = try openClaim(of: room)
            // The stall itself.
            Thread.sleep(forTimeInterval: Double(below(60)) / 1_000)
            try connection.run("COMMIT")
        } catch let error as PostgreSQLError where error.isFenced {
            try start()
        } catch let error as PostgreSQLError where error.isHeld {}
    }

    /// Killed in the middle of a claim, and started again.
    private func die(in room: StreamName) throws {
        let connection = try? openClaim(of: room)  // A fenced run does not get so far.
        // The server notices the lost connection at some point.
        Thread.sleep(forTimeInterval: Double(below(20)) / 1_000)
        _ = connection?.isAlive()
        try start()
    }

    private func fenceSomebody() throws {
        let runs = race.report.withLock { $0.runs.sorted() }
        guard runs.count > 1 else { return }
        let other = runs[below(runs.count)]
        guard other != run else { return }
        var end = StreamName.hub.start
        while true {
            let id = CommitID(text: other)
            switch try appended(.fence(other, id: id, at: end, settled: count, time: count)) {
            case .conflict(_, let actual): end = actual
            case .appended, .repeated: return race.report.withLock { _ = $0.runs.remove(other) }
            case .unavailable(.fenced): return try start()
            case .unavailable: return
            case let answer: return race.complain("a fence is told \(answer)")
            }
        }
    }
}
