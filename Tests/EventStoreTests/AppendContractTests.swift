import Cryptography
import Records
import Testing

@testable import EventStore

@Suite("Every engine: append") struct AppendContractTests {
    @Test("versions have no gaps and positions grow over all streams", arguments: Engine.all)
    func numbersRecords(engine: Engine) throws {
        let desk = try Desk(engine)
        #expect(try desk.append(.numbered(1, events: 3), to: .red, expecting: 0) == .appended(version: 3))
        #expect(try desk.append(.numbered(1, events: 2), to: .blue, expecting: 0) == .appended(version: 2))
        #expect(try desk.append(.numbered(2), to: .red, expecting: 3) == .appended(version: 4))
        #expect(try desk.load(.red).get().map(\.version) == [1, 2, 3, 4])
        #expect(try desk.load(.blue).get().map(\.version) == [1, 2])
        let positions = try desk.everything().records.map(\.position)
        #expect(positions == positions.sorted() && Set(positions).count == 6 && positions[0] > 0)
    }

    @Test("appended events are read back byte for byte", arguments: Engine.all)
    func keepsBytes(engine: Engine) throws {
        let desk = try Desk(engine)
        let events = [
            Event(time: 1, type: "a", shown: [], sealed: nil),
            Event(time: -5, type: "", shown: [0, 255, 34, 0], sealed: []),
            Event(time: .max, type: "Ω’s", shown: Array(repeating: 7, count: 100_000), sealed: [0, 1, 2]),
        ]
        let commit = Draft(id: "ada:é\u{0}1", events: events)
        #expect(try desk.append(commit, to: .red, expecting: 0) == .appended(version: 3))
        let records = try desk.load(.red).get()
        #expect(records.map(\.event) == events)
        #expect(records.allSatisfy { $0.commit == commit.id && $0.stream == .red })
    }

    @Test(
        "an append that expects another version is a conflict and writes nothing", arguments: Engine.all, [0, 1, 3, 9])
    func refusesOtherVersion(engine: Engine, expected: Int) throws {
        let desk = try Desk(engine)
        try desk.fill(.red, to: 2)
        let end = try desk.end(of: .red)
        #expect(try desk.append(.numbered(9, events: 2), to: .red, expecting: expected) == .conflict(.red, actual: end))
        #expect(try desk.load(.red).get().count == 2)
        #expect(try desk.append(.numbered(9, events: 2), to: .red, expecting: 2) == .appended(version: 4))
    }

    @Test("a repeated commit is answered as such, and not written twice", arguments: Engine.all)
    func writesCommitOnce(engine: Engine) throws {
        let place = Place()
        let (old, new) = (Draft.numbered(1, events: 2), Draft.numbered(2, events: 3))
        do {
            let desk = Desk(try engine.open(place))
            _ = try desk.append(old, to: .red, expecting: 0)
            _ = try desk.append(new, to: .red, expecting: 2)
            for expected in [0, 2, 5, 77] {
                #expect(try desk.append(new, to: .red, expecting: expected) == .repeated(version: 5))
                #expect(try desk.append(old, to: .red, expecting: expected) == .repeated(version: 2))
            }
        }
        let desk = Desk(try engine.open(place))
        #expect(try desk.append(old, to: .red, expecting: 5) == .repeated(version: 2))
        #expect(try desk.append(new, to: .red, expecting: 0) == .repeated(version: 5))
        #expect(try desk.load(.red).get().count == 5)
    }

    @Test("a commit is found again, however long ago it was and wherever it began", arguments: Engine.all)
    func findsOldCommits(engine: Engine) throws {
        let place = Place()
        // A long one over versions 768 and 1,024, short ones over 256, 512, 1,280 and 1,792; one ends at 1,536.
        let drafts = (1...400).map { Draft.numbered($0, events: $0 == 200 ? 600 : 3) }
        var ends = [StreamName.red.start]
        for draft in drafts { ends.append(ends[ends.count - 1].after(draft.events)) }
        func expectRepeats(_ desk: Desk) throws {
            for (index, draft) in drafts.enumerated() {
                let commit = draft.commit(to: .red, expecting: ends[index])
                #expect(try desk.append(commit) == .repeated(version: ends[index + 1].version))
            }
        }
        do {
            let desk = Desk(try engine.open(place))
            for (index, draft) in drafts.enumerated() {
                let commit = draft.commit(to: .red, expecting: ends[index])
                #expect(try desk.append(commit) == .appended(version: ends[index + 1].version))
            }
            try expectRepeats(desk)
        }
        try expectRepeats(Desk(try engine.open(place)))
    }

    @Test("the commits of an erased stream are forgotten, however many", arguments: Engine.all)
    func forgetsErasedCommits(engine: Engine) throws {
        let desk = try Desk(engine)
        try desk.fill(.ada, to: 300)
        for version in [7, 299] {
            #expect(try desk.append(.numbered(version), to: .ada, expecting: 0) == .repeated(version: version))
        }
        #expect(try desk.erase(.ada) == .appended(version: 0))
        #expect(try desk.append(.numbered(301, events: 300), to: .ada, expecting: 0) == .appended(version: 300))
        for (index, old) in [7, 299].enumerated() {
            #expect(
                try desk.append(.numbered(old), to: .ada, expecting: 300 + index) == .appended(version: 301 + index))
        }
    }

    @Test("a stream that has gone back and grown again is a conflict at the same version", arguments: Engine.all)
    func refusesOtherHead(engine: Engine) throws {
        let desk = try Desk(engine)
        // The stream's end before it went back.
        let before = StreamName.red.start.after([.test(1), .test(2)])
        try desk.fill(.red, to: 2)
        let end = try desk.end(of: .red)
        let commit = Draft.numbered(3).commit(to: .red, expecting: before)
        #expect(before.version == end.version)
        #expect(try desk.append(commit) == .conflict(.red, actual: end))
        #expect(try desk.append(.numbered(3), to: .red, expecting: 2) == .appended(version: 3))
    }

    @Test("a new stream is expected at version 0, with the head that follows from its name", arguments: Engine.all)
    func beginsAtOrigin(engine: Engine) throws {
        let desk = try Desk(engine)
        for end in [StreamName.blue.start, .filled(.red, to: 1)] {
            let commit = Draft.numbered(1).commit(to: .red, expecting: end)
            #expect(try desk.append(commit) == .conflict(.red, actual: StreamName.red.start))
        }
        #expect(try desk.load(.red) == .success([]))
    }

    @Test("ids and names are bytes: two encodings of a letter differ", arguments: Engine.all)
    func comparesBytes(engine: Engine) throws {
        let place = Place()
        let writings = ["\u{E9}", "e\u{301}", "e\u{301}\u{0}", "e\u{301}\u{0}2"]
        let streams = writings.map { StreamName.name($0) }
        do {
            let desk = Desk(try engine.open(place))
            for (index, id) in writings.enumerated() {
                let draft = Draft(id: CommitID(text: id), events: [.test(index)])
                #expect(try desk.append(draft, to: .red, expecting: index) == .appended(version: index + 1))
            }
            for stream in streams { try desk.fill(stream, to: 1) }
            #expect(try desk.erase(streams[0]) == .appended(version: 0))
        }
        let desk = Desk(try engine.open(place))
        #expect(try desk.load(streams[0]).get().isEmpty)
        for stream in streams.dropFirst() {
            let records = try desk.load(stream).get()
            #expect(records.map { Array($0.stream.text.utf8) } == [Array(stream.text.utf8)])
        }
        #expect(try desk.load(.red).get().map { Array($0.commit.text.utf8) } == writings.map { Array($0.utf8) })
        for (index, id) in writings.enumerated() {
            let draft = Draft(id: CommitID(text: id), events: [.test(9)])
            #expect(try desk.append(draft, to: .red, expecting: 4) == .repeated(version: index + 1))
        }
    }

    @Test("the same commit id in another stream is another commit", arguments: Engine.all)
    func keepsCommitsApart(engine: Engine) throws {
        let desk = try Desk(engine)
        #expect(try desk.append(.numbered(1, events: 2), to: .red, expecting: 0) == .appended(version: 2))
        #expect(try desk.append(.numbered(1), to: .blue, expecting: 0) == .appended(version: 1))
    }

    @Test("a commit that is under way twice is written once and answered twice", arguments: Engine.all)
    func writesCommitOnceUnderWay(engine: Engine) throws {
        let desk = try Desk(engine)
        let inbox = RecordingInbox()
        for ticket: Ticket in [1, 2] {
            desk.log.append(.numbered(1, events: 2), to: .red, expecting: 0, ticket: ticket, answer: inbox)
        }
        try inbox.wait { $0.count == 2 }
        #expect(inbox.messages == [.settled(1, .appended(version: 2)), .settled(2, .repeated(version: 2))])
        #expect(try desk.load(.red).get().count == 2)
    }

    @Test("the conflict of one append does not affect others", arguments: Engine.all)
    func judgesEachByItself(engine: Engine) throws {
        let desk = try Desk(engine)
        let inbox = RecordingInbox()
        for number in 1...60 {
            // Every third is wrong.
            let expected = number % 3 == 0 ? 5 : 0
            desk.log.append(
                .numbered(number), to: .room("\(number)"), expecting: expected, ticket: Ticket(number), answer: inbox)
        }
        try inbox.wait { $0.count == 60 }
        let wanted: [LogMessage] = (1...60).map {
            let stream = StreamName.room("\($0)")
            return .settled(
                Ticket($0), $0 % 3 == 0 ? .conflict(stream, actual: stream.start) : .appended(version: 1))
        }
        #expect(inbox.messages == wanted)
    }

    @Test("appends to one stream are judged in the order of calls", arguments: Engine.all)
    func keepsOrder(engine: Engine) throws {
        let desk = try Desk(engine)
        let inbox = RecordingInbox()
        for number in 1...50 {
            desk.log.append(
                .numbered(number), to: .red, expecting: number - 1, ticket: Ticket(number), answer: inbox)
        }
        try inbox.wait { $0.count == 50 }
        #expect(inbox.messages == (1...50).map { .settled(Ticket($0), .appended(version: $0)) })
        #expect(try desk.load(.red).get().map(\.commit) == (1...50).map { Draft.numbered($0).id })
    }

    @Test("each record's hash follows from the one before, starting with the stream's name", arguments: Engine.all)
    func chains(engine: Engine) throws {
        let desk = try Desk(engine)
        let sealed = Event(time: 2, type: "b", shown: Array("two".utf8), sealed: Array("secret".utf8))
        let plain = Event(time: 1, type: "a", shown: Array("one".utf8))
        _ = try desk.append(Draft(id: "1", events: [plain, sealed]), to: .red, expecting: 0)
        _ = try desk.append(Draft(id: "2", events: [plain]), to: .red, expecting: 2)
        let origin = SHA256.digest(of: Array("room/red".utf8)).bytes
        let one = SHA256.digest(of: Array("one".utf8)).bytes
        let two = SHA256.digest(of: Array("two".utf8)).bytes + SHA256.digest(of: Array("secret".utf8)).bytes
        let first = SHA256.digest(of: origin + one)
        let second = SHA256.digest(of: first.bytes + two)
        let third = SHA256.digest(of: second.bytes + one)
        #expect(try desk.load(.red).get().map(\.hash) == [first, second, third])
    }

    @Test("appended events survive reopening the log", arguments: Engine.all)
    func survivesReopening(engine: Engine) throws {
        let place = Place()
        let before = try {
            let desk = Desk(try engine.open(place))
            try desk.fill(.red, to: 5)
            try desk.fill(.blue, to: 2)
            return try desk.everything()
        }()
        let desk = Desk(try engine.open(place))
        let after = try desk.everything()
        #expect(after == before)
        try desk.fill(.red, from: 6, to: 6)
        #expect(try desk.load(.red, after: 5).get()[0].position > before.position)
    }

    @Test("a closed log refuses everything, and tells its watchers", arguments: Engine.all)
    func refusesOnceClosed(engine: Engine) throws {
        let desk = try Desk(engine)
        let (watcher, inbox) = (RecordingInbox(), RecordingInbox())
        desk.log.watchAvailability(into: watcher)
        try desk.fill(.red, to: 1)
        desk.log.close()
        #expect(watcher.messages == [.availability(.available), .availability(.unavailable(.closed))])
        #expect(try desk.append(.numbered(2), to: .red, expecting: 1) == .unavailable(.closed))
        #expect(try desk.erase(.ada) == .unavailable(.closed))
        #expect(try desk.load(.red) == .failure(.closed))
        desk.log.follow(.red, after: 0, ticket: 1, into: inbox)
        desk.log.followAll(after: 0, ticket: 2, into: inbox)
        desk.log.watchAvailability(into: inbox)
        try inbox.wait { $0.count == 3 }
        #expect(inbox.messages.contains(.followFailed(1, .closed)))
        #expect(inbox.messages.contains(.followFailed(2, .closed)))
        #expect(inbox.messages.contains(.availability(.unavailable(.closed))))
    }
}
