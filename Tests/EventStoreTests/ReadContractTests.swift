import Cryptography
import Foundation
import Records
import Testing

@testable import EventStore

@Suite("Every engine: load and follow") struct ReadContractTests {
    @Test(
        "load returns up to `limit` records after a version",
        arguments: Engine.all,
        [
            (after: 0, limit: 100, versions: 1...5), (0, 5, 1...5), (0, 2, 1...2), (3, 100, 4...5), (4, 1, 5...5),
            (5, 100, nil), (9, 100, nil), (2, 0, nil),
        ])
    func loads(engine: Engine, row: (after: Int, limit: Int, versions: ClosedRange<Int>?)) throws {
        let desk = try Desk(engine)
        try desk.fill(.red, to: 5)
        try desk.fill(.blue, to: 3)
        let records = try desk.load(.red, after: row.after, limit: row.limit).get()
        #expect(records.map(\.version) == (row.versions.map(Array.init) ?? []))
        #expect(records.allSatisfy { $0.stream == .red })
    }

    @Test(
        "the newest records of all streams are in the order of their positions", arguments: Engine.all,
        [0, 1, 3, 6, 9])
    func loadsNewest(engine: Engine, limit: Int) throws {
        let desk = try Desk(engine)
        for version in 1...3 {
            try desk.fill(.red, from: version, to: version)
            try desk.fill(.blue, from: version, to: version)
        }
        let inbox = RecordingInbox()
        desk.log.loadNewest(limit, ticket: 5, answer: inbox)
        let newest = try inbox.wait { if case .loaded(5, let result) = $0 { try? result.get() } else { nil } }
        #expect(newest == Array(try desk.everything().records.suffix(limit)))
    }

    @Test("follow delivers older records, says so, then new ones before the append's answer", arguments: Engine.all)
    func follows(engine: Engine) throws {
        let desk = try Desk(engine)
        try desk.fill(.red, to: 3)
        let inbox = RecordingInbox()
        desk.log.follow(.red, after: 1, ticket: 7, into: inbox)
        let head = try inbox.wait { if case .caughtUp(7, version: 3, let head) = $0 { head } else { nil } }
        let earlier = inbox.outbox.count
        desk.log.append(.numbered(4, events: 2), to: .red, expecting: 3, ticket: 8, answer: inbox)
        try inbox.wait { $0.contains(.settled(8, .appended(version: 5))) }

        let all = try desk.load(.red).get()
        #expect(head == all[2].hash)
        #expect(inbox.records(7) == Array(all[1...]))
        // Records and answer of one commit come together, in this order.
        #expect(
            Array(inbox.outbox[earlier...])
                == [[.records(7, Array(all[3...])), .settled(8, .appended(version: 5))]])
    }

    @Test("a stream without records is followed from its origin", arguments: Engine.all)
    func followsNothing(engine: Engine) throws {
        let desk = try Desk(engine)
        let inbox = RecordingInbox()
        desk.log.follow(.red, after: 0, ticket: 1, into: inbox)
        try inbox.wait { !$0.isEmpty }
        #expect(inbox.messages == [.caughtUp(1, version: 0, head: StreamName.red.origin)])
        try desk.fill(.blue, to: 1)
        try desk.fill(.red, to: 1)
        try inbox.wait { $0.count == 2 }
        #expect(inbox.records(1).map(\.stream) == [.red])
    }

    @Test("following all streams delivers their records in the order of positions", arguments: Engine.all)
    func followsAll(engine: Engine) throws {
        let desk = try Desk(engine)
        for version in 1...4 {
            try desk.fill(.red, from: version, to: version)
            try desk.fill(.blue, from: version, to: version)
        }
        let inbox = RecordingInbox()
        let third = try desk.everything().records[2].position
        desk.log.followAll(after: third, ticket: 1, into: inbox)
        let reached = try inbox.wait { if case .caughtUp(1, let position, _) = $0 { position } else { nil } }
        try desk.fill(.ada, to: 2)
        try inbox.wait { $0.recordCount >= 7 }
        let everything = try desk.everything()
        #expect(everything.records.count == 10)
        #expect(inbox.records(1) == Array(everything.records[3...]))
        #expect(reached == everything.records[7].position)
        #expect(everything.position == everything.records[9].position)
    }

    @Test("several followers of one stream each have their own ticket, until they unfollow", arguments: Engine.all)
    func followsManyTimes(engine: Engine) throws {
        let desk = try Desk(engine)
        let (first, second) = (RecordingInbox(), RecordingInbox())
        try desk.follow(.red, ticket: 1, into: first)
        try desk.follow(.red, ticket: 2, into: first)
        try desk.follow(.red, ticket: 1, into: second)
        try desk.fill(.red, to: 1)
        desk.log.unfollow(1, into: first)
        try desk.fill(.red, from: 2, to: 2)
        // An inbox gets everything in order, so with this nothing older is under way.
        #expect(try desk.everything().records.count == 2)
        try second.wait { $0.count == 3 }
        #expect(first.records(1).map(\.version) == [1])
        #expect(first.records(2).map(\.version) == [1, 2])
        #expect(second.records(1).map(\.version) == [1, 2])
    }

    @Test("there are no gaps or repeats while others append", arguments: Engine.all)
    func followsWhileOthersAppend(engine: Engine) throws {
        let desk = try Desk(engine)
        let log = desk.log
        let (writer, done) = (RecordingInbox(), 400)
        let thread = Thread {
            var ends = [StreamName.red: StreamName.red.start, .blue: StreamName.blue.start]
            for version in 1...done {
                let stream = version.isMultiple(of: 2) ? StreamName.red : .blue
                let (draft, end) = (Draft.numbered(version), ends[stream, default: stream.start])
                log.append(draft.commit(to: stream, expecting: end), ticket: Ticket(version), answer: writer)
                ends[stream] = end.after(draft.events)
            }
        }
        thread.start()
        var inboxes: [RecordingInbox] = []
        for _ in 0..<20 {
            let inbox = RecordingInbox()
            log.follow(.red, after: 0, ticket: 1, into: inbox)
            log.followAll(after: 0, ticket: 2, into: inbox)
            _ = try inbox.wait { if case .caughtUp = $0 { true } else { nil } }
            inboxes.append(inbox)
        }
        try writer.wait { $0.count == done }
        let (red, all) = (try desk.load(.red).get(), try desk.everything().records)
        #expect(red.count == done / 2 && all.count == done)
        for inbox in inboxes {
            try inbox.wait { $0.recordCount >= done + done / 2 }
            #expect(inbox.records(1) == red)
            #expect(inbox.records(2) == all)
        }
    }

    @Test("a follower after the newest version gets only new records", arguments: Engine.all)
    func followsFromTheEnd(engine: Engine) throws {
        let desk = try Desk(engine)
        try desk.fill(.red, to: 2)
        let inbox = RecordingInbox()
        try desk.follow(.red, after: 2, ticket: 1, into: inbox)
        try desk.fill(.red, from: 3, to: 3)
        try inbox.wait { $0.count == 2 }
        #expect(inbox.records(1).map(\.version) == [3])
    }

    @Test("an altered record breaks its stream's chain at its version when it is read", arguments: Engine.all)
    func findsAlteration(engine: Engine) throws {
        let place = Place()
        let desk = Desk(try engine.open(place))
        try desk.fill(.red, to: 5)
        try engine.alter(place)
        let broken = EventLogError.chainBroken(stream: .red, version: 3)
        #expect(try desk.load(.red) == .failure(broken))
        #expect(try desk.load(.red, limit: 2).get().count == 2 && desk.load(.red, after: 3).get().count == 2)
        let inbox = RecordingInbox()
        desk.log.follow(.red, after: 0, ticket: 1, into: inbox)
        try inbox.wait { $0 == [.followFailed(1, broken)] }
        // Other streams continue, and so do followers of all.
        try desk.fill(.blue, to: 2)
        #expect(try desk.everything().records.count == 7)
    }
}
