import EventStore
import Games
import Records

/// What is to be written into the stream `hub`, one after the other. The commit's id names what it says, so nothing is
/// written twice, however often it is tried.
struct HubStreamQueue {
    private var waiting: [any HubStreamEntry] = []
    /// Where the next append expects the stream to end: somebody else's record may be on its way here.
    private var expected: StreamEnd

    init(behind end: StreamEnd) { expected = end }

    mutating func add(_ entry: any HubStreamEntry) { waiting.append(entry) }

    /// What is to be appended now; nil: all of it is written.
    var next: Commit? { nextEntry(at: 0)?.commit }

    /// With what it says.
    func nextEntry(at now: Milliseconds) -> (entry: any HubStreamEntry, commit: Commit)? {
        waiting.first.map { ($0, $0.commit(expecting: expected, writtenAt: now)) }
    }

    /// The first is not written.
    mutating func dropFirst() { waiting.removeFirst() }

    /// The log's answer to `next`. Throws where the log takes nothing now: it is tried again later.
    mutating func settled(_ answer: AppendAnswer) throws(EventLogError) {
        switch answer {
        // Where a run is there after all, it is not said that it is lost.
        case .appended, .repeated, .renewed: waiting.removeFirst()
        // What it says is so whatever came before it.
        case .conflict(_, let actual): expected = actual
        case .outcomeUnknown, .claimed: break
        case .unavailable(let error): throw error
        }
    }

    /// A record of the stream, whoever wrote it.
    mutating func received(_ record: Record) {
        if record.version > expected.version { expected = record.end }
    }
}

/// What hubs write into the stream `hub`: an outage, or that a clock was right.
protocol HubStreamEntry: Sendable {
    /// Its id follows from what it says.
    func commit(expecting end: StreamEnd) -> Commit
    /// Whether it may be wrong by a record that was not read yet.
    var maySayWrong: Bool { get }
    /// The same, where it matters when it is written: the log may have been away since.
    func commit(expecting end: StreamEnd, writtenAt now: Milliseconds) -> Commit
}

extension HubStreamEntry {
    var maySayWrong: Bool { false }
    func commit(expecting end: StreamEnd, writtenAt now: Milliseconds) -> Commit { commit(expecting: end) }
}
