import Cryptography
import Records
import Testing

@testable import EventStore

@Suite("Every engine: erase") struct EraseContractTests {
    @Test("an erased stream is as if it had never existed", arguments: Engine.all)
    func erases(engine: Engine) throws {
        let place = Place()
        let desk = Desk(try engine.open(place))
        try desk.fill(.red, to: 1)
        try desk.fill(.ada, to: 2)
        let before = try desk.everything().position
        #expect(try desk.erase(.ada) == .appended(version: 0))
        #expect(try desk.load(.ada) == .success([]))
        #expect(try desk.everything().records.map(\.stream) == [.red])
        // Its commits are forgotten too, and its positions are not reused.
        #expect(try desk.append(.numbered(1), to: .ada, expecting: 0) == .appended(version: 1))
        let again = try desk.load(.ada).get()
        #expect(again.map(\.version) == [1])
        #expect(again[0].position > before)
    }

    @Test("positions are not reused, also when the log is opened again", arguments: Engine.all)
    func keepsPositions(engine: Engine) throws {
        let place = Place()
        let before = try {
            let desk = Desk(try engine.open(place))
            try desk.fill(.ada, to: 3)
            let position = try desk.everything().position
            #expect(try desk.erase(.ada) == .appended(version: 0))
            return position
        }()
        let desk = Desk(try engine.open(place))
        try desk.fill(.red, to: 1)
        #expect(try desk.load(.red).get()[0].position > before)
    }

    @Test("erasing an empty stream is a conflict, and no one is told", arguments: Engine.all)
    func erasesNothing(engine: Engine) throws {
        let desk = try Desk(engine)
        let inbox = RecordingInbox()
        try desk.follow(nil, ticket: 1, into: inbox)
        #expect(try desk.erase(.ada) == .conflict(.ada, actual: StreamName.ada.start))
        try desk.fill(.red, to: 1)
        try inbox.wait { $0.count == 2 }
        #expect(!inbox.messages.contains { $0.isErasure })
    }

    @Test("followers of the stream, or of all, learn of the erasure before the answer", arguments: Engine.all)
    func tellsFollowers(engine: Engine) throws {
        let desk = try Desk(engine)
        try desk.fill(.ada, to: 1)
        let (inbox, other) = (RecordingInbox(), RecordingInbox())
        try desk.follow(.ada, ticket: 1, into: inbox)
        try desk.follow(nil, ticket: 2, into: inbox)
        try desk.follow(.red, ticket: 3, into: other)
        let last = try #require(try desk.load(.ada).get().last)
        desk.log.append(.erasing(.ada, at: last.end), ticket: 4, answer: inbox)
        try inbox.wait { $0.count == 7 }
        let erasure = Erasure(position: last.position + 1, head: last.hash)
        #expect(
            Array(inbox.messages[4...])
                == [.erased(1, erasure), .erased(2, erasure), .settled(4, .appended(version: 0))])
        try desk.fill(.ada, to: 1)
        try inbox.wait { $0.recordCount >= 4 }
        #expect(inbox.records(1).map(\.version) == [1, 1])
        #expect(other.messages.count == 1)
    }

    @Test(
        "followers of all get erasures in their place, also after the log was opened again", arguments: Engine.all)
    func tellsLater(engine: Engine) throws {
        let place = Place()
        let (first, second): (Record, Record) = try {
            let desk = Desk(try engine.open(place))
            try desk.fill(.red, to: 1)
            try desk.fill(.ada, to: 1)
            let first = try desk.load(.ada).get()[0]
            #expect(try desk.erase(.ada) == .appended(version: 0))
            try desk.fill(.red, from: 2, to: 2)
            let again = Draft(id: "again", events: [.test(7)])
            #expect(try desk.append(again, to: .ada, expecting: 0) == .appended(version: 1))
            return (first, try desk.load(.ada).get()[0])
        }()
        let desk = Desk(try engine.open(place))
        let red = try desk.load(.red).get()
        let erasure = Erasure(position: first.position + 1, head: first.hash)
        let told = try desk.told()
        #expect(told == [.records(9, [red[0]]), .erased(9, erasure), .records(9, [red[1], second])])
        #expect(try desk.told(after: red[0].position) == Array(told[1...]))
        #expect(try desk.told(after: erasure.position) == [.records(9, [red[1], second])])
        #expect(erasure.position < red[1].position)
    }

    @Test("many erasures come in order, over several deliveries", arguments: Engine.all)
    func tellsMany(engine: Engine) throws {
        let desk = try Desk(engine)
        let many = CatchUp.pieceLimit + 10
        for number in 1...many {
            try desk.fill(.ada, to: 1)
            #expect(try desk.erase(.ada) == .appended(version: 0))
            if number == many / 2 { try desk.fill(.red, to: 1) }
        }
        let told = try desk.told()
        let positions = told.compactMap { if case .erased(_, let erasure) = $0 { erasure.position } else { nil } }
        #expect(positions.count == many && positions == positions.sorted())
        #expect(told.recordCount == 1)
        #expect(told.firstIndex { if case .records = $0 { true } else { false } } == many / 2)
    }

    @Test("a stream with another end is not erased", arguments: Engine.all)
    func erasesOnlyWhatIsMeant(engine: Engine) throws {
        let desk = try Desk(engine)
        try desk.fill(.ada, to: 1)
        let end = try desk.end(of: .ada)
        #expect(try desk.append(.erasing(.ada, at: end)) == .appended(version: 0))
        _ = try desk.append(Draft(id: "another", events: [.test(9)]), to: .ada, expecting: 0)
        #expect(try desk.append(.erasing(.ada, at: end)) == .conflict(.ada, actual: try desk.end(of: .ada)))
        #expect(try desk.load(.ada).get().count == 1)
        #expect(try desk.told().count == 2)
    }
}

extension Desk {
    /// All records and erasures that a follower of all streams gets, with ticket 9.
    fileprivate func told(after position: Int = 0) throws -> [LogMessage] {
        let inbox = RecordingInbox()
        try follow(nil, after: position, ticket: 9, into: inbox)
        log.unfollow(9, into: inbox)
        return inbox.messages.filter { if case .caughtUp = $0 { false } else { true } }
    }
}
