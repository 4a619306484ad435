import Records
import Testing

@testable import EventStore

@Suite("PostgreSQL: how far followers of all streams are served") struct FeedTests {
    @Test(
        "positions are delivered up to the first gap that is not settled",
        arguments: [
            (settled: 0, after: 0, [], 0), (0, 0, [1, 2, 3], 3), (0, 0, [2, 3], 0), (0, 0, [1, 3, 4], 1),
            (0, 4, [5, 6, 8], 2), (3, 0, [1, 3, 4, 5], 4), (3, 0, [2, 5], 1), (9, 4, [6, 9, 10, 12], 3),
            (7, 9, [11], 0),
        ])
    func tells(row: (settled: Int, after: Int, positions: [Int], count: Int)) {
        var feed = Feed()
        feed.positionsSeen(upTo: row.settled, writers: [])
        #expect(feed.tellable(row.positions, after: row.after) == row.count)
    }

    @Test("a position is settled once all writers of that time have ended")
    func settles() {
        var feed = Feed()
        feed.positionsSeen(upTo: 10, writers: ["a", "b"])
        feed.positionsSeen(upTo: 20, writers: ["b", "c"])
        #expect(feed.settled == 0)
        feed.positionsSeen(upTo: 30, writers: ["c", "d"])
        #expect(feed.settled == 10)
        feed.positionsSeen(upTo: 40, writers: ["d"])
        #expect(feed.settled == 10)
        feed.positionsSeen(upTo: 50, writers: [])
        #expect(feed.settled == 50)
        // A server that lags takes nothing back: the reader starts again there.
        feed.positionsSeen(upTo: 5, writers: [])
        #expect(feed.settled == 50)
    }

    @Test("pauses between attempts grow to a limit, and start again after a stable connection")
    func pauses() {
        var pause = ReconnectPause()
        let now = ContinuousClock.now
        let first = (0..<8).map { _ in pause.next(at: now) }
        #expect(first.prefix(3) == [.milliseconds(100), .milliseconds(200), .milliseconds(400)])
        #expect(first.suffix(2) == [.seconds(5), .seconds(5)])
        pause.noteConnected(at: now)
        #expect(pause.next(at: now + .seconds(4)) == .seconds(5))
        pause.noteConnected(at: now)
        #expect(pause.next(at: now + .seconds(6)) == .milliseconds(100))
    }
}

@Suite("PostgreSQL: which records of others are new to followers") struct FollowedStreamsTests {
    private let inbox = RecordingInbox()
    private var outbox = Outbox()

    private func records(_ stream: StreamName, _ versions: ClosedRange<Int>, at position: Int = 0) -> [Record] {
        var end = stream.start
        return (1...versions.upperBound).map { version in
            let event = Event.test(version)
            end.advance(by: event)
            return Record(
                stream: stream, version: version, position: position + version, commit: "c", event: event,
                hash: end.head)
        }.filter { versions.contains($0.version) }
    }

    private func followed(_ stream: StreamName, id: Int?, to version: Int) -> FollowedStreams {
        var followed = FollowedStreams()
        let end = version == 0 ? stream.start : records(stream, version...version)[0].end
        followed.add(CatchUp(.stream(stream), ticket: 1, inbox: inbox), to: stream, at: .init(id: id, end: end))
        return followed
    }

    @Test(
        "only new records are delivered, and a stream is read if they do not follow",
        arguments: [
            (id: 7, of: 7, 3...4, isClear: true, told: [3, 4]), (7, 7, 2...3, true, [3]), (7, 7, 1...2, true, []),
            (7, 7, 4...4, false, []), (7, 8, 3...3, false, []), (nil, 8, 1...2, true, [1, 2]),
            (nil, 8, 2...2, false, []),
        ] as [(id: Int?, of: Int, ClosedRange<Int>, isClear: Bool, told: [Int])])
    mutating func tells(row: (id: Int?, of: Int, versions: ClosedRange<Int>, isClear: Bool, told: [Int])) {
        var followed = followed(.ada, id: row.id, to: row.id == nil ? 0 : 2)
        #expect(followed.tell(records(.ada, row.versions), of: row.of, in: &outbox) == row.isClear)
        outbox.flush()
        #expect(inbox.records(1).map(\.version) == row.told)
        #expect(followed.states[.ada]?.end.version == row.told.last ?? (row.id == nil ? 0 : 2))
    }

    @Test("an erasure concerns the stream of its number, not a later one of the same name")
    mutating func tellsErasure() {
        var followed = followed(.ada, id: 7, to: 2)
        let erasure = Erasure(position: 9, head: StreamName.red.origin)
        followed.tell(erasure, of: 8, in: &outbox)
        followed.tell(erasure, of: 7, in: &outbox)
        #expect(followed.tell(records(.ada, 1...1), of: 8, in: &outbox))
        followed.tell(erasure, of: 7, in: &outbox)
        outbox.flush()
        #expect(inbox.messages == [.erased(1, erasure), .records(1, records(.ada, 1...1))])
    }

    @Test("followers of all streams get a commit at once only if nothing can come before it")
    mutating func tellsAll() {
        var followed = FollowedStreams()
        followed.addToAll(CatchUp(.all, ticket: 2, inbox: inbox), at: 4)
        let red = records(.red, 1...3, at: 4)
        #expect(!followed.tellAll(.records(Array(red[1...1])), in: &outbox))
        #expect(followed.tellAll(.records(Array(red[..<2])), in: &outbox))
        #expect(followed.reached == 6)
        let slice = FeedSlice(
            after: 5, entries: red.map { .record($0, stream: 1) }, reached: 8, isHeld: false, isFull: false)
        #expect(followed.tell(slice, in: &outbox).isEmpty)
        outbox.flush()
        #expect(followed.reached == 8 && inbox.records(2) == red)
    }
}
