import EventStore
import Records
import Testing

@testable import Rooms

@Suite("What a turn asks of the log") struct LoopLogTests {
    private let log = InMemoryLog(pace: .stepped)
    private let loop: LoopLog

    init() { loop = LoopLog(log, answering: AppendAnswers()) }

    private func append(_ count: Int) {
        let stream = StreamName.room("abcdef")
        for number in 1...count {
            let event = Event(time: 0, type: "test", shown: [])
            loop.append(
                Commit(id: CommitID(text: "\(number)"), appending: [event], to: stream, expecting: stream.start),
                ticket: Ticket(number))
        }
    }

    @Test("appends are handed over at its end, or once there are sixteen", arguments: [(15, 0), (16, 16), (33, 32)])
    func gathers(count: Int, handedOver: Int) {
        append(count)
        #expect(log.waiting == handedOver)
        loop.handOver()
        #expect(log.waiting == count)
        loop.handOver()
        #expect(log.waiting == count)
    }

    enum Call: CaseIterable, Sendable { case load, loadNewest, follow, followAll, unfollow, watch }

    @Test("appends come before the next call of another kind", arguments: Call.allCases)
    func keepsOrder(call: Call) {
        append(1)
        switch call {
        case .load: loop.load(.room("abcdef"), after: 0, limit: 1, ticket: 2)
        case .loadNewest: loop.loadNewest(1) { _ in }
        case .follow: loop.follow(.room("abcdef"), after: 0, ticket: 2)
        case .followAll: loop.followAll(after: 0, ticket: 2)
        case .unfollow: loop.unfollow(2)
        case .watch: loop.watchAvailability()
        }
        #expect(log.waiting == 2 && log.nextAppend?.id.text == "1")
    }

    @Test("what was dropped is not handed over")
    func discards() {
        append(1)
        loop.discard()
        loop.handOver()
        #expect(log.waiting == 0)
    }
}
