import EventStore
import Records

/// Writes into the stream `hub`, one entry after the other, whatever others write there meanwhile; again and again,
/// until it was seen there: what a database has said to be written may be lost when it fails over.
final class HubStreamWriter {
    private let surroundings: RoomSurroundings
    /// The first is on its way there while `isAppending`.
    private var queue: HubStreamQueue
    private var isAppending = false
    /// The newest version of the stream that was seen.
    private var seenVersion: Int
    /// Written behind that.
    private var unseen: [any HubStreamEntry] = []
    /// What is next is not written before the stream has been read up to here.
    private var awaitedVersion = 0
    /// Asked of what may say something wrong.
    var isWrong: ((any HubStreamEntry) -> Bool)?

    init(_ surroundings: RoomSurroundings, behind end: StreamEnd) {
        (self.surroundings, queue, seenVersion) = (surroundings, HubStreamQueue(behind: end), end.version)
    }

    func add(_ entry: any HubStreamEntry) {
        queue.add(entry)
        appendNext()
    }

    /// A record of the stream, whoever wrote it.
    func received(_ record: Record) {
        queue.received(record)
        seenVersion = record.version
        unseen.removeAll { $0.commit(expecting: StreamName.hub.start).id == record.commit }
        if awaitedVersion > 0, seenVersion >= awaitedVersion { appendNext() }
    }

    /// The stream has gone back: these are its records now.
    func streamHasGoneBack(to records: [Record]) {
        (seenVersion, awaitedVersion) = (0, 0)
        for record in records { received(record) }
    }

    /// Goes on with what is not there yet. Asked for now and then: the log may have been away, or its queue full, or
    /// have lost what was written.
    func goOn() {
        if queue.next == nil {
            for entry in unseen { queue.add(entry) }
            unseen = []
        }
        appendNext()
    }

    private func appendNext() {
        guard !isAppending, let (entry, commit) = queue.nextEntry(at: surroundings.now) else { return }
        guard seenVersion >= awaitedVersion else { return }
        awaitedVersion = 0
        if entry.maySayWrong, isWrong?(entry) == true {
            queue.dropFirst()
            return appendNext()
        }
        isAppending = true
        surroundings.append(commit) { [self] answer in
            isAppending = false
            do throws(EventLogError) { try queue.settled(answer) } catch { return }
            switch answer {
            case .appended(let version), .repeated(let version):
                if version > seenVersion { unseen.append(entry) }
            case .conflict(_, let actual): if entry.maySayWrong { awaitedVersion = actual.version }
            case .claimed, .renewed, .outcomeUnknown, .unavailable: break
            }
            appendNext()
        }
    }
}
