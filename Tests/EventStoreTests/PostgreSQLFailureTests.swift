import Cryptography
import Foundation
import Records
import Testing

@testable import EventStore

@Suite("PostgreSQL: failures", .needsServer)
struct PostgreSQLFailureTests {
    private let server: PostgreSQLServer
    private let proxy: DatabaseProxy
    private let place = Place()
    private let inbox = RecordingInbox()
    /// Through the proxy.
    private let desk: Desk
    /// Directly.
    private let other: Desk

    init() throws {
        server = try PostgreSQLServer.shared.get()
        proxy = try DatabaseProxy(to: server)
        other = Desk(try server.open(place))
        desk = Desk(try proxy.open(place) { $0.timing.poll = .milliseconds(20) })
    }

    private func follow() throws {
        try desk.follow(.red, ticket: 1, into: inbox)
        try desk.follow(nil, ticket: 2, into: inbox)
        desk.log.watchAvailability(into: inbox)
        try inbox.wait { $0.last == .availability(.available) }
    }

    private func waitUntilDown() throws { try inbox.wait { $0.contains(where: \.isDown) } }

    private func append(_ number: Int, expecting version: Int) {
        desk.log.append(.numbered(number), to: .red, expecting: version, ticket: Ticket(100 + number), answer: inbox)
    }

    private func answer(_ number: Int) throws -> AppendAnswer { try inbox.answer(Ticket(100 + number)) }

    /// Everyone has got everything once, and the stream's records before the answer.
    private func expectAllTold(_ number: Int) throws {
        let red = try other.load(.red).get()
        #expect(inbox.records(1) == red)
        let answered = try #require(inbox.messages.firstIndex { $0.ticket == Ticket(100 + number) })
        #expect(Array(inbox.messages[..<answered]).records(1).count == red.count)
        let all = try other.everything().records
        try inbox.wait { $0.records(2).count >= all.count }
        #expect(inbox.records(2) == all)
    }

    private func waitUntilWritten(_ count: Int) throws {
        let isThere = (0..<1_000_000).lazy.contains { _ in (try? other.load(.red).get().count) == count }
        try #require(isThere)
    }

    @Test(
        "a COMMIT whose answer is lost is found, also if others have written since", arguments: [false, true])
    func findsCommit(othersGoOn: Bool) throws {
        try desk.fill(.red, to: 1)
        try follow()
        proxy.loseAnswers()
        append(2, expecting: 1)
        try waitUntilWritten(2)
        if othersGoOn { try other.fill(.red, from: 3, to: 4) }
        proxy.drop()
        #expect(try answer(2) == .appended(version: 2))
        try expectAllTold(2)
        #expect(try other.load(.red).get().count == (othersGoOn ? 4 : 2))
    }

    @Test(
        "a commit that never arrived is sent again, and not confused with another writer's",
        arguments: [nil, "other", Draft.numbered(2).id])
    func sendsAgain(overtaking: CommitID?) throws {
        try desk.fill(.red, to: 1)
        try follow()
        proxy.loseRequests()
        append(2, expecting: 1)
        try #require((0..<100_000_000).lazy.contains { _ in proxy.hasLost })
        if let overtaking {
            let draft = Draft(id: overtaking, events: [.test(9)])
            #expect(try other.append(draft, to: .red, expecting: 1) == .appended(version: 2))
        }
        proxy.drop()
        let (answer, end) = (try answer(2), try other.end(of: .red))
        switch overtaking {
        case nil: #expect(answer == .appended(version: 2))
        case "other": #expect(answer == .conflict(.red, actual: end))
        default: #expect(answer == .repeated(version: 2))
        }
        try expectAllTold(2)
    }

    @Test("an unknown outcome is reported as such, and later commits are refused at once")
    func doesNotKnow() throws {
        let desk = Desk(try proxy.open(place) { $0.timing.retryLimit = .milliseconds(300) })
        desk.log.watchAvailability(into: inbox)
        proxy.loseAnswers()
        desk.log.append(.numbered(1), to: .red, expecting: 0, ticket: 101, answer: inbox)
        try waitUntilWritten(1)
        proxy.drop(takingConnections: false)
        try waitUntilDown()
        #expect(try desk.append(.numbered(9), to: .blue, expecting: 0).refusal != nil)
        #expect(try answer(1) == .outcomeUnknown)
        proxy.takeConnections()
        try inbox.wait { $0.last == .availability(.available) }
        #expect(try desk.append(.numbered(1), to: .red, expecting: 0) == .repeated(version: 1))
    }

    @Test("a silent server blocks no one: later appends are refused, and the first is found once it answers")
    func givesUpSilence() throws {
        let log = try proxy.open(place) { options in
            options.timeouts.answer = .milliseconds(100)
            options.timing.retryLimit = .seconds(60)
        }
        let desk = Desk(log)
        desk.log.watchAvailability(into: inbox)
        proxy.loseAnswers()
        desk.log.append(.numbered(1), to: .red, expecting: 0, ticket: 101, answer: inbox)
        try waitUntilDown()
        for number in 2...5 {
            #expect(try desk.append(.numbered(number), to: .blue, expecting: 0).refusal != nil)
        }
        #expect(!inbox.messages.contains { $0.ticket == 101 })
        proxy.drop()
        #expect(try answer(1) == .appended(version: 1))
        #expect(try other.load(.red).get().count == 1)
    }

    @Test("the outcome of an erasure whose answer is lost is unknown") func claimsNoErasure() throws {
        try desk.fill(.ada, to: 1)
        let end = try other.end(of: .ada)
        proxy.loseAnswers()
        desk.log.append(.erasing(.ada, at: end), ticket: 101, answer: inbox)
        try #require((0..<1_000_000).lazy.contains { _ in (try? other.load(.ada).get().isEmpty) == true })
        proxy.drop()
        #expect(try answer(1) == .outcomeUnknown)
    }

    @Test("records written while the connection is down are delivered once it is back, and only once") func catchesUp()
        throws
    {
        try desk.fill(.red, to: 1)
        try follow()
        proxy.drop(takingConnections: false)
        try waitUntilDown()
        try other.fill(.red, from: 2, to: 5)
        try other.fill(.blue, to: 3)
        proxy.takeConnections()
        try inbox.wait { $0.availability == .available }
        append(6, expecting: 5)
        #expect(try answer(6) == .appended(version: 6))
        try expectAllTold(6)
        // Reading works again too.
        #expect(try desk.load(.red).get().count == 6)
    }

    @Test(
        "an idle session that the server ends is replaced without anyone noticing",
        arguments: ["append", "follow", "check"])
    func replacesSession(noticedBy moment: String) throws {
        try desk.fill(.red, to: 1)
        try follow()
        let sessions = proxy.taken
        proxy.drop()
        if moment == "follow" {
            try desk.follow(.red, ticket: 3, into: inbox)
            #expect(inbox.records(3).count == 1)
        }
        // The reader's session, which polls, and the writer's.
        if moment == "check" { try #require((0..<1_000_000_000).lazy.contains { _ in proxy.taken >= sessions + 2 }) }
        append(2, expecting: 1)
        #expect(try answer(2) == .appended(version: 2))
        try expectAllTold(2)
        #expect(!inbox.messages.contains { $0.isDown } && desk.log.counters.failures == 0)
    }

    enum Use: CaseIterable {
        case follow, followAll, append, fence, conflict, poll, pollOfHub, claim, release
    }

    @Test(
        "a session that the server ends while it is used is replaced without anyone noticing", arguments: Use.allCases)
    func replacesUsedSession(use: Use) throws {
        let log = try proxy.open(place, for: "a") { options in
            options.timing.poll = use == .conflict ? .seconds(60) : .milliseconds(20)
        }
        let desk = Desk(log)
        try desk.fill(.red, to: 2)
        try desk.follow(use == .pollOfHub ? .hub : .red, ticket: 1, into: inbox)
        if use == .followAll || use == .poll { try desk.follow(nil, ticket: 2, into: inbox) }
        log.watchAvailability(into: inbox)
        let sessions = proxy.taken
        switch use {
        case .follow:
            // The reader's session reads first, and then the writer's.
            proxy.endSession(at: "read piece", after: 1)
            try desk.follow(.red, ticket: 3, into: inbox)
            #expect(inbox.records(3).map(\.version) == [1, 2])
        case .followAll:
            proxy.endSession(at: "read last")
            try desk.follow(nil, ticket: 3, into: inbox)
            #expect(inbox.records(3).count == 2)
        case .append:
            proxy.endSession(at: "append")
            #expect(try desk.append(.numbered(3), to: .red, expecting: 2) == .appended(version: 3))
        case .fence:
            proxy.endSession(at: "enter to fence")
            // What follows it in the same call must not overtake it.
            let end = StreamName.hub.start.after([.test(1)])
            let next = Commit(id: "next", appending: [.test(2)], to: .hub, expecting: end)
            log.append([TicketedCommit(.fence("b"), 4), TicketedCommit(next, 5)], answer: inbox)
            #expect(try inbox.answer(4) == .appended(version: 1))
            #expect(try inbox.answer(5) == .appended(version: 2))
        case .conflict:
            try other.fill(.red, from: 3, to: 4)
            proxy.endSession(at: "read piece")
            log.append(.numbered(9), to: .red, expecting: 2, ticket: 4, answer: inbox)
            #expect(try inbox.answer(4) == .conflict(.red, actual: other.end(of: .red)))
        case .poll:
            proxy.endSession(at: "read slice")
            try other.fill(.red, from: 3, to: 4)
            try inbox.wait { $0.records(1).count == 4 && $0.records(2).count == 4 }
        case .pollOfHub:
            proxy.endSession(at: "read piece")
            try other.fill(.hub, to: 2)
            try inbox.wait { $0.records(1).count == 2 }
        case .claim:
            proxy.endSession(at: "claim")
            log.claim(.red, ticket: 4, answer: inbox)
            _ = try inbox.wait { if case .claimed(4, .success) = $0 { true } else { nil } }
        case .release:
            log.claim(.red, ticket: 4, answer: inbox)
            proxy.endSession(at: "release")
            log.release(.red, owed: 1, at: 2, ticket: 5, answer: inbox)
            _ = try inbox.wait { if case .released(5, .success) = $0 { true } else { nil } }
            let home = "(SELECT home FROM \(place.schema).streams WHERE name = 'room/red')"
            #expect(try server.connect().text(home) == nil)
        }
        #expect(proxy.taken > sessions)
        if use != .pollOfHub { #expect(inbox.records(1) == (try other.load(.red).get())) }
        #expect(!inbox.messages.contains { $0.isDown } && log.counters.failures == 0)
    }

    @Test("after a session is replaced, others' records are delivered before the next commit is judged")
    func replacedSessionCatchesUp() throws {
        try desk.fill(.red, to: 1)
        try follow()
        proxy.drop()
        try other.fill(.red, from: 2, to: 3)
        append(4, expecting: 3)
        #expect(try answer(4) == .appended(version: 4))
        try expectAllTold(4)
        #expect(!inbox.messages.contains { $0.isDown })
    }

    @Test("a log that went back while the connection was down ends followers of all streams") func noticesGoingBack()
        throws
    {
        try desk.fill(.red, to: 3)
        try follow()
        proxy.drop(takingConnections: false)
        try waitUntilDown()
        try server.run("DELETE FROM @.records WHERE version > 1", in: place)
        proxy.takeConnections()
        let error = try inbox.wait { if case .followFailed(2, let error) = $0 { error } else { nil } }
        #expect(error == .cannotRead(reason: "the log has gone back from position 3 to 1"))
        #expect(
            try inbox.wait { if case .followFailed(1, let error) = $0 { error } else { nil } }
                == .chainBroken(stream: .red, version: 3))
    }

    @Test("a power loss of the server loses nothing acknowledged")
    func survivesRestart() throws {
        let server = try PostgreSQLServer(isDurable: true)
        let log = try server.open(place) { $0.timing.retryLimit = .seconds(60) }
        let desk = Desk(log)
        let watcher = RecordingInbox()
        log.followAll(after: 0, ticket: 2, into: inbox)
        log.watchAvailability(into: watcher)
        var acknowledged = StreamName.red.start
        func append() throws -> AppendAnswer {
            let draft = Draft.numbered(acknowledged.version + 1)
            let answer = try desk.append(draft.commit(to: .red, expecting: acknowledged))
            if case .appended = answer { acknowledged = acknowledged.after(draft.events) }
            return answer
        }
        for number in 1...20 { #expect(try append() == .appended(version: number)) }
        // If it fails, the test does.
        let restart = Thread {
            try? server.stop(); try? server.start()
        }
        restart.start()
        while !restart.isFinished || watcher.messages.last != .availability(.available) {
            switch try append() {
            case .appended, .unavailable: break
            case let answer: Issue.record("\(answer)")
            }
        }
        #expect(watcher.messages.contains { $0.isDown })
        #expect(try append() == .appended(version: acknowledged.version))
        let red = try desk.load(.red).get()
        #expect(red.map(\.version) == Array(1...acknowledged.version) && red.last?.end == acknowledged)
        let everything = try desk.everything().records
        try inbox.wait { $0.records(2).count >= red.count }
        #expect(inbox.records(2) == everything)
    }
}
