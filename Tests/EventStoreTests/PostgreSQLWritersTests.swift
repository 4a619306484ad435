import Cryptography
import Foundation
import Records
import Testing

@testable import EventStore

/// Two logs on one database, as with two nodes.
@Suite("PostgreSQL: several writers", .needsServer)
struct PostgreSQLWritersTests {
    private let server: PostgreSQLServer
    private let place = Place()
    private let here: Desk
    private let there: Desk
    private let inbox = RecordingInbox()

    init() throws {
        server = try PostgreSQLServer.shared.get()
        here = Desk(try server.open(place) { $0.timing.poll = .milliseconds(20) })
        there = Desk(try server.open(place) { $0.timing.poll = .milliseconds(20) })
    }

    private func follow(_ stream: StreamName) throws { try here.follow(stream, ticket: 1, into: inbox) }

    private func followAll() throws { try here.follow(nil, ticket: 2, into: inbox) }

    @Test("others' records come before those appended after them here")
    func tellsBeforeAppend() throws {
        try follow(.red)
        try there.fill(.red, to: 3)
        #expect(try here.append(.numbered(4), to: .red, expecting: 3) == .appended(version: 4))
        try inbox.wait { $0.records(1).count == 4 }
        #expect(inbox.records(1) == (try there.load(.red).get()))
    }

    @Test("without polling, an erased stream that others have started again is delivered before a conflict")
    func tellsErasure() throws {
        try here.fill(.ada, to: 2)
        try follow(.ada)
        let end = try there.end(of: .ada)
        #expect(try there.erase(.ada) == .appended(version: 0))
        let again = Draft(id: "again", events: [.test(7)])
        #expect(try there.append(again, to: .ada, expecting: 0) == .appended(version: 1))
        let answer = try here.append(.numbered(3), to: .ada, expecting: 0)
        #expect(answer == .conflict(.ada, actual: try there.end(of: .ada)))
        try inbox.wait { $0.records(1).count == 3 }
        #expect(inbox.records(1).map(\.version) == [1, 2, 1])
        let told = inbox.messages.filter { $0.ticket == 1 }
        guard case .erased(1, let erasure) = told.dropLast().last else { throw NothingCame(messages: told) }
        #expect(erasure.head == end.head && told.count { $0.isErasure } == 1)
    }

    @Test("of two appends at one version one always wins, and the other learns of it")
    func races() async throws {
        // The long test has 100,000 races.
        let isLong = ProcessInfo.processInfo.environment["FLIPSIDE_LONG_TESTS"] != nil
        let (rounds, streams) = (isLong ? 5_000 : 60, (0..<20).map { StreamName.room("race \($0)") })
        let desks = [here, there]
        var ends = streams.map(\.start)
        for round in 1...rounds {
            let inboxes = desks.map { _ in RecordingInbox() }
            for (stream, end) in zip(streams, ends) {
                for (node, desk) in desks.enumerated() {
                    let draft = Draft(id: "\(node):\(round)", events: [.test(round * 2 + node)])
                    desk.log.append(
                        draft.commit(to: stream, expecting: end), ticket: Ticket(ends.firstIndex(of: end) ?? 0),
                        answer: inboxes[node])
                }
            }
            for inbox in inboxes { try inbox.wait { $0.count == streams.count } }
            for index in streams.indices {
                let answers = inboxes.compactMap { inbox in
                    inbox.messages.compactMap {
                        if case .settled(Ticket(index), let answer) = $0 { answer } else { nil }
                    }.first
                }
                let winner = try #require(answers.firstIndex(of: .appended(version: round)))
                ends[index] = ends[index].after([.test(round * 2 + winner)])
                #expect(answers[1 - winner] == .conflict(streams[index], actual: ends[index]))
            }
        }
        for (stream, end) in zip(streams, ends) { #expect(try here.end(of: stream) == end) }
        let records = try here.everything().records
        #expect(records.count == rounds * streams.count)
        for stream in streams {
            #expect(records.filter { $0.stream == stream }.map(\.version) == Array(1...rounds), "a gap, or one twice")
        }
        let counters = desks.map(\.log.counters)
        #expect(counters.reduce(0) { $0 + $1.records } == rounds * streams.count)
        #expect(counters.reduce(0) { $0 + $1.conflicts } == rounds * streams.count)
    }

    @Test("followers of all wait for positions that an append may yet fill, but for no other long transaction")
    func waitsForPositions() throws {
        try followAll()
        let lock = "pg_advisory_xact_lock_shared(\(DatabaseSchema.lockClass), '@'::regnamespace::oid::int)"
        // Like a node that has drawn a position and is slow to commit.
        var slow = try server.run(
            """
            BEGIN; SELECT \(lock); INSERT INTO @.streams (name, version, head) VALUES ('room/slow', 1, '\\x00');
            INSERT INTO @.records SELECT nextval('@.positions'), id, 1, 1, 'slow', 'x', '', NULL, '\\x00'
            FROM @.streams WHERE name = 'room/slow'
            """, in: place)
        let other = try server.run("BEGIN ISOLATION LEVEL REPEATABLE READ; DELETE FROM @.erasures", in: place)
        try here.fill(.red, to: 2)
        try there.fill(.blue, to: 2)
        // It has been polled many times since then.
        #expect(try here.everything().records.isEmpty && inbox.records(2).isEmpty)
        try slow.run("COMMIT")
        try inbox.wait { $0.records(2).count == 5 }
        #expect(inbox.records(2).map(\.stream.text) == ["room/slow", "room/red", "room/red", "room/blue", "room/blue"])
        // A rolled-back one leaves a gap.
        slow = try server.run("BEGIN; SELECT \(lock); SELECT nextval('@.positions')", in: place)
        try here.fill(.red, from: 3, to: 3)
        #expect(inbox.records(2).count == 5)
        try slow.run("ROLLBACK")
        try inbox.wait { $0.records(2).count == 6 }
        try other.run("ROLLBACK")
    }

    @Test("others see an append transaction as one as long as it lasts") func isSeen() throws {
        try here.fill(.red, to: 1)
        let reader = try DatabaseConnector(server.address, schema: place.schema).openReader()
        #expect(try reader.frontier() == (1, []))
        // A lock that delays it in the middle.
        let slow = try server.run("BEGIN; LOCK TABLE @.records IN SHARE MODE", in: place)
        here.log.append(.numbered(2), to: .red, expecting: 1, ticket: 1, answer: inbox)
        #expect((0..<100_000).lazy.contains { _ in (try? reader.frontier().writers.count) == 1 })
        try slow.run("ROLLBACK")
        try inbox.wait { $0 == [.settled(1, .appended(version: 2))] }
        #expect(try reader.frontier() == (2, []))
    }

    @Test(
        "a stream in another transaction is waited for, but not too long, and others continue",
        arguments: [0, 1])
    func waitsForStreams(version: Int) throws {
        if version > 0 { try here.fill(.red, to: version) }
        // Like a node that is stopped before its COMMIT.
        let slow = try server.run(
            """
            BEGIN; SELECT @.append(NULL, 'slow', '{room/red}', '{\(version)}',
            '{"\\\\x\(StreamEnd.filled(.red, to: version).head.hex)"}', '{1}', '{1}', '{slow}', '{x}', '{NULL}', '{x}')
            """, in: place)
        let quick = Desk(try server.open(place) { $0.timing.retryLimit = .milliseconds(50) })
        let refusal = try quick.append(.numbered(9), to: .red, expecting: version).refusal
        #expect(refusal?.sentence.contains("room/red") == true)
        for number in 1...2 {
            here.log.append(
                .numbered(version + number), to: .red, expecting: version + number - 1, ticket: Ticket(number),
                answer: inbox)
        }
        #expect(try here.append(.numbered(1), to: .blue, expecting: 0) == .appended(version: 1))
        #expect(inbox.messages.isEmpty)
        try slow.run("ROLLBACK")
        let answers = [1, 2].map { LogMessage.settled(Ticket($0), .appended(version: version + $0)) }
        try inbox.wait { $0 == answers }
    }

    @Test("a stream that has gone back, as on a replica, ends its followers")
    func noticesGoingBack() throws {
        try here.fill(.red, to: 3)
        try follow(.red)
        let head = try #require(try here.load(.red, after: 1).get().first).hash
        try server.run("DELETE FROM @.records WHERE version > 2", in: place)
        try server.run("UPDATE @.streams SET version = 2, head = '\\x\(head.hex)'", in: place)
        let other = Draft(id: "other", events: [.test(77)])
        #expect(try there.append(other, to: .red, expecting: 2) == .appended(version: 3))
        let end = try there.end(of: .red)
        here.log.append(.numbered(4), to: .red, expecting: 3, ticket: 8, answer: inbox)
        try inbox.wait { $0.last == .settled(8, .conflict(.red, actual: end)) }
        #expect(inbox.messages.contains(.followFailed(1, .chainBroken(stream: .red, version: 3))))
    }
}
