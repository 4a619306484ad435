import Cryptography
import Synchronization

/// What an `InMemoryLog` has written. It outlives the log's crash as a disk would: open another log on it.
public final class InMemoryStorage: Sendable {
    private let ledger = Mutex(Ledger())

    public init() {}

    /// All records of `stream`, as they are: unchecked.
    public func records(of stream: StreamName) -> [Record] {
        ledger.withLock { $0.records(of: stream) }
    }

    /// All records of all streams in the order of their positions, unchecked.
    public var records: [Record] { ledger.withLock { $0.records } }

    /// Alters a record behind the log's back: from there on the stream's chain is broken.
    public func alter(_ stream: StreamName, version: Int, shown: [UInt8]) {
        ledger.withLock { $0.alter(stream, version: version, shown: shown) }
    }

    func withLedger<Answer: Sendable>(_ body: (inout Ledger) -> Answer) -> Answer {
        ledger.withLock { body(&$0) }
    }
}

/// The streams of a log as plain values: the contract's rules without queues and inboxes.
struct Ledger: Sendable {
    /// All records, by position.
    private(set) var records: [Record] = []
    /// In the order of their positions.
    private(set) var erasures: [Erasure] = []
    /// The highest position given so far; erasing takes one too.
    private(set) var lastPosition = 0
    private var streams: [StreamName: [Record]] = [:]
    /// The last version of each commit.
    private var commits: [StreamName: [String: Int]] = [:]

    func records(of stream: StreamName) -> [Record] { streams[stream] ?? [] }

    func version(of stream: StreamName) -> Int { streams[stream]?.count ?? 0 }

    mutating func append(
        _ commit: Commit, to stream: StreamName, expecting expected: Int, with hasher: SHA256
    ) -> Judgement {
        if let version = commits[stream]?[commit.id] { return .repeated(version: version) }
        let existing = records(of: stream)
        guard existing.count == expected else { return .conflict(actual: existing.count) }
        var head = existing.last?.hash ?? stream.origin
        var new: [Record] = []
        for event in commit.events {
            head = Record.head(after: head, shown: event.shown, sealed: event.sealed, with: hasher)
            lastPosition += 1
            new.append(
                Record(
                    stream: stream, version: expected + new.count + 1, position: lastPosition, commit: commit.id,
                    event: event, hash: head))
        }
        streams[stream, default: []] += new
        records += new
        commits[stream, default: [:]][commit.id] = expected + new.count
        return .written(new)
    }

    mutating func erase(_ stream: StreamName, endingAt head: Digest?) -> ErasureJudgement {
        let erased = records(of: stream)
        guard let end = erased.last?.hash else { return .nothing }
        guard head == nil || head == end else { return .conflict(actual: erased.count) }
        streams[stream] = nil
        commits[stream] = nil
        records.removeAll { $0.stream == stream }
        lastPosition += 1
        let erasure = Erasure(position: lastPosition, head: end)
        erasures.append(erasure)
        return .erased(erasure)
    }

    mutating func alter(_ stream: StreamName, version: Int, shown: [UInt8]) {
        guard let old = streams[stream]?[version - 1] else {
            preconditionFailure("there is no record \(version) in \(stream.text)")
        }
        let event = Event(time: old.event.time, type: old.event.type, shown: shown, sealed: old.event.sealed)
        let altered = Record(
            stream: stream, version: version, position: old.position, commit: old.commit, event: event, hash: old.hash)
        streams[stream]?[version - 1] = altered
        records = records.map { $0.position == old.position ? altered : $0 }
    }

    /// Up to `limit` records behind `version`, checked from the one at `version` on.
    func load(
        _ stream: StreamName, after version: Int, limit: Int, with hasher: SHA256
    ) throws(EventLogError) -> [Record] {
        let existing = records(of: stream)
        guard version < existing.count else { return [] }
        let head = version == 0 ? stream.origin : existing[version - 1].hash
        var chain = Chain(of: stream, version: version, head: head, with: hasher)
        let loaded = existing[version..<min(existing.count, version + limit)]
        for record in loaded { try chain.accept(record) }
        return Array(loaded)
    }
}
