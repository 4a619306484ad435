import EventStore
import Records
import RoomRules
import Rooms

/// Writes into the stream `hub`, one entry after the other, while others also write. It repeats each until it is
/// seen there, since a database that fails over may lose what it has confirmed.
public final class HubStreamWriter {
    private let surroundings: RoomSurroundings
    /// While `isAppending`, its first entry is being written.
    private var queue: HubStreamQueue
    private var isAppending = false
    /// The newest version of the stream that was seen.
    private var seenVersion: Int
    /// Entries written after that version.
    private var unseen: [any HubStreamEntry] = []
    /// The next entry is not written before the stream has been read up to here.
    private var awaitedVersion = 0
    /// Asked about entries that may be wrong.
    var isWrong: ((any HubStreamEntry) -> Bool)?

    /// The stream was read up to `end`.
    public init(_ surroundings: RoomSurroundings, behind end: StreamEnd) {
        (self.surroundings, queue, seenVersion) = (surroundings, HubStreamQueue(behind: end), end.version)
    }

    /// Writes an entry after those that wait.
    public func add(_ entry: any HubStreamEntry) {
        queue.add(entry)
        appendNext()
    }

    /// Takes a record of the stream by any writer.
    public func recordAppended(_ record: Record) {
        queue.recordAppended(record)
        seenVersion = record.version
        unseen.removeAll { $0.commit(expecting: StreamName.hub.start).id == record.commit }
        if awaitedVersion > 0, seenVersion >= awaitedVersion { appendNext() }
    }

    /// The stream has gone back to these records.
    public func streamHasGoneBack(to records: [Record]) {
        (seenVersion, awaitedVersion) = (0, 0)
        for record in records { recordAppended(record) }
    }

    /// Writes what is missing. Called now and then, since the log may have been away, too busy, or lost entries.
    public func writeMissingEntries() {
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
            do throws(EventLogError) { try queue.appendSettled(answer) } catch { return }
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
