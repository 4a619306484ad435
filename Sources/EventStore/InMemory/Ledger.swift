import Cryptography

/// The streams of a log as plain values: the contract's rules without queues and inboxes.
struct Ledger: Sendable {
    /// All records, by position.
    private(set) var records: [Record] = []
    /// In the order of their positions.
    private(set) var erasures: [Erasure] = []
    private(set) var erasedStreams: [(position: Int, stream: StreamName)] = []
    /// The highest position given so far; erasing takes one too.
    private(set) var lastPosition = 0
    /// A stream with a part of a commit behind this version.
    private var torn: (stream: StreamName, version: Int)?
    private var streams: [StreamName: [Record]] = [:]
    /// Streams that somebody has altered behind the log's back: the chains of all others hold as they were made.
    private var altered: Set<StreamName> = []
    /// The last version of each commit.
    private var commits: [StreamName: [CommitID: Int]] = [:]

    func records(of stream: StreamName) -> [Record] { streams[stream] ?? [] }

    func end(of stream: StreamName) -> StreamEnd { streams[stream]?.last?.end ?? stream.start }

    mutating func append(_ commit: Commit, with hasher: SHA256) -> AppendResult {
        for part in commit.parts {
            if let version = commits[part.stream]?[commit.id] { return .repeated(version: version) }
        }
        for part in commit.parts where end(of: part.stream) != part.expected {
            return .conflict(part.stream, actual: end(of: part.stream))
        }
        return .written(
            commit.parts.map { part in
                switch part {
                case .append(let events, let stream, _):
                    .records(append(events, of: commit.id, to: stream, with: hasher))
                case .erase(let stream, _): .erased(erase(stream), of: stream)
                }
            })
    }

    private mutating func append(
        _ events: [Event], of commit: CommitID, to stream: StreamName, with hasher: SHA256
    ) -> [Record] {
        var end = end(of: stream)
        let new = events.map { event in
            end.advance(by: event, with: hasher)
            lastPosition += 1
            return Record(
                stream: stream, version: end.version, position: lastPosition, commit: commit, event: event,
                hash: end.head)
        }
        streams[stream, default: []] += new
        records += new
        commits[stream, default: [:]][commit] = end.version
        return new
    }

    private mutating func erase(_ stream: StreamName) -> Erasure {
        lastPosition += 1
        let erasure = Erasure(position: lastPosition, head: end(of: stream).head)
        cutBack(stream, to: 0)
        erasures.append(erasure)
        erasedStreams.append((lastPosition, stream))
        return erasure
    }

    /// Writes the beginning of `commit`, as a crash in the middle of it would leave behind, if it fits.
    mutating func tear(_ commit: Commit, with hasher: SHA256) {
        guard case .append(let events, let stream, let end) = commit.parts[0], self.end(of: stream) == end,
            commits[stream]?[commit.id] == nil
        else { return }
        torn = (stream, end.version)
        _ = append(Array(events.prefix((events.count + 1) / 2)), of: commit.id, to: stream, with: hasher)
    }

    /// Drops what is torn: whoever opens a log finds whole commits.
    mutating func recover() {
        if let (stream, version) = torn { cutBack(stream, to: version) }
        torn = nil
    }

    mutating func cutBack(_ stream: StreamName, to version: Int) {
        for record in records(of: stream).reversed() where record.version > version {
            if let index = index(ofPosition: record.position) { records.remove(at: index) }
        }
        streams[stream]?.removeAll { $0.version > version }
        commits[stream] = commits[stream]?.filter { $0.value <= version }
    }

    /// The records behind `position`, in order.
    func records(after position: Int) -> ArraySlice<Record> { records[firstIndex(from: position + 1)...] }

    /// Where the record of this position is among all; nil where it is gone.
    private func index(ofPosition position: Int) -> Int? {
        let index = firstIndex(from: position)
        return index < records.count && records[index].position == position ? index : nil
    }

    /// Where the first record is among all whose position is not below `position`.
    private func firstIndex(from position: Int) -> Int {
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            if records[middle].position < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func alter(_ stream: StreamName, version: Int, shown: [UInt8]) {
        guard let old = streams[stream]?[version - 1] else {
            preconditionFailure("there is no record \(version) in \(stream.text)")
        }
        let event = Event(time: old.event.time, type: old.event.type, shown: shown, sealed: old.event.sealed)
        let record = Record(
            stream: stream, version: version, position: old.position, commit: old.commit, event: event, hash: old.hash)
        streams[stream]?[version - 1] = record
        altered.insert(stream)
        records = records.map { $0.position == old.position ? record : $0 }
    }

    /// Up to `limit` records behind `version`, checked from the one at `version` on.
    func load(
        _ stream: StreamName, after version: Int, limit: Int, with hasher: SHA256
    ) throws(EventLogError) -> [Record] {
        let existing = records(of: stream)
        guard version < existing.count else { return [] }
        let loaded = existing[version...].prefix(limit)
        if altered.contains(stream) {
            let head = version == 0 ? stream.origin : existing[version - 1].hash
            var chain = Chain(of: stream, version: version, head: head, with: hasher)
            for record in loaded { try chain.accept(record) }
        }
        return Array(loaded)
    }
}
