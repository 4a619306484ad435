import EventStore

/// Writes into the stream `hub`, one entry after the other, whatever others write there meanwhile.
final class HubStreamWriter {
    private let surroundings: RoomSurroundings
    /// The first is on its way there while `isAppending`.
    private var queue: HubStreamQueue
    private var isAppending = false

    init(_ surroundings: RoomSurroundings, behind end: StreamEnd) {
        (self.surroundings, queue) = (surroundings, HubStreamQueue(behind: end))
    }

    func add(_ entry: any HubStreamEntry) {
        queue.add(entry)
        appendNext()
    }

    /// A record of the stream, whoever wrote it.
    func received(_ record: Record) { queue.received(record) }

    /// Goes on with what is not written yet. Asked for now and then: the log may have been away, or its queue full.
    func appendNext() {
        guard !isAppending, let commit = queue.next else { return }
        isAppending = true
        surroundings.append(commit) { [self] answer in
            isAppending = false
            do throws(EventLogError) { try queue.settled(answer) } catch { return }
            appendNext()
        }
    }
}
