import EventStore
import Games
import Records
import RoomRules

/// Entries for the stream `hub`, which are written one after the other. A commit's id follows from its content, so
/// nothing is written twice, however often it is tried.
public struct HubStreamQueue {
    private var waiting: [any HubStreamEntry] = []
    /// The end that the next append expects. Another writer's record may be on its way here.
    private var expected: StreamEnd

    /// Nothing waits. The stream was read up to `end`.
    public init(behind end: StreamEnd) { expected = end }

    /// Adds an entry to be written after the others.
    public mutating func add(_ entry: any HubStreamEntry) { waiting.append(entry) }

    /// The next commit; nil if everything is written.
    public var next: Commit? { nextEntry(at: 0)?.commit }

    func nextEntry(at now: Milliseconds) -> (entry: any HubStreamEntry, commit: Commit)? {
        waiting.first.map { ($0, $0.commit(expecting: expected, writtenAt: now)) }
    }

    /// Drops the first entry unwritten.
    mutating func dropFirst() { waiting.removeFirst() }

    /// Takes the log's answer to `next`. Throws if the log takes no writes now, so that it is tried again later.
    public mutating func appendSettled(_ answer: AppendAnswer) throws(EventLogError) {
        switch answer {
        // A run that renewed its lease is not recorded as lost.
        case .appended, .repeated, .renewed: waiting.removeFirst()
        // The entry is true, no matter what came before it.
        case .conflict(_, let actual): expected = actual
        case .outcomeUnknown, .claimed: break
        case .unavailable(let error): throw error
        }
    }

    /// Takes a record of the stream by any writer.
    mutating func recordAppended(_ record: Record) {
        if record.version > expected.version { expected = record.end }
    }
}
