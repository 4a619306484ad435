import Cryptography
import Records

/// The streams of a log as plain values, and the contract's rules about appending.
struct Ledger: Sendable {
    /// All records, by position.
    private(set) var records: [Record] = []
    /// All erasures, by position. No engine knows which streams they erased; it is for tests.
    private(set) var erased: [(erasure: Erasure, stream: StreamName)] = []
    private var erasuresOfStreams: [StreamName: [Erasure]] = [:]
    /// The highest position drawn so far; an erasure takes one too.
    private(set) var lastPosition = 0
    /// A stream that has a part of a commit after this version.
    private var torn: (stream: StreamName, version: Int)?
    private var streams: [StreamName: [Record]] = [:]
    /// Streams altered without the log's knowledge. The chains of all others are known to be sound.
    private var altered: Set<StreamName> = []
    /// The last version of each commit.
    private var commits: [StreamName: [CommitID: Int]] = [:]

    func records(of stream: StreamName) -> [Record] { streams[stream] ?? [] }

    func end(of stream: StreamName) -> StreamEnd { streams[stream]?.last?.end ?? stream.start }

    /// Where `stream` ended at `version`, which it has reached.
    func end(of stream: StreamName, at version: Int) -> StreamEnd {
        version == 0 ? stream.start : records(of: stream)[version - 1].end
    }

    /// Whether `stream` ends, or once ended, at `end`.
    func hasReached(_ end: StreamEnd, in stream: StreamName) -> Bool {
        end.version <= records(of: stream).count && self.end(of: stream, at: end.version) == end
    }

    func erasures(of stream: StreamName) -> [Erasure] { erasuresOfStreams[stream] ?? [] }

    /// Why `commit` may not be written now; nil if it may.
    func refusal(of commit: Commit) -> AppendResult? {
        for part in commit.parts {
            if let version = commits[part.stream]?[commit.id] { return .repeated(version: version) }
        }
        for part in commit.parts where end(of: part.stream) != part.expected {
            return .conflict(part.stream, actual: end(of: part.stream))
        }
        return nil
    }

    /// What `commit`, which fits, will write. Its positions are used up in any case.
    mutating func draw(_ commit: Commit, with hasher: SHA256) -> [StreamChange] {
        commit.parts.map { part in
            switch part {
            case .append(let events, let stream, var end):
                return .records(
                    events.map { event in
                        end.advance(by: event, with: hasher)
                        lastPosition += 1
                        return Record(
                            stream: stream, version: end.version, position: lastPosition, commit: commit.id,
                            event: event, hash: end.head)
                    })
            case .erase(let stream, let end):
                lastPosition += 1
                return .erased(Erasure(position: lastPosition, head: end.head), of: stream)
            }
        }
    }

    mutating func write(_ changes: [StreamChange]) {
        for change in changes {
            switch change {
            case .records(let new): write(new)
            case .erased(let erasure, let stream):
                cutBack(stream, to: 0)
                let later = erased(after: erasure.position).startIndex
                erased.insert((erasure, stream), at: later)
                erasuresOfStreams[stream, default: []].append(erasure)
            }
        }
    }

    /// Records of one commit and stream, between whose positions there are no others.
    private mutating func write(_ new: [Record]) {
        guard let first = new.first, let last = new.last else { return }
        streams[first.stream, default: []] += new
        commits[first.stream, default: [:]][first.commit] = last.version
        records.insert(contentsOf: new, at: firstIndex(from: first.position))
    }

    /// Writes the beginning of `commit` if it fits, as a crash in the middle of a write may leave it.
    mutating func tear(_ commit: Commit, with hasher: SHA256) {
        guard case .append(let events, let stream, let end) = commit.parts[0], self.end(of: stream) == end,
            commits[stream]?[commit.id] == nil
        else { return }
        torn = (stream, end.version)
        let part = Array(events.prefix((events.count + 1) / 2))
        write(draw(Commit(id: commit.id, appending: part, to: stream, expecting: end), with: hasher))
    }

    /// Drops torn parts: a log that is opened has whole commits.
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

    func records(after position: Int) -> ArraySlice<Record> { records[firstIndex(from: position + 1)...] }

    func erased(after position: Int) -> ArraySlice<(erasure: Erasure, stream: StreamName)> {
        erased.suffix(erased.reversed().prefix { $0.erasure.position > position }.count)
    }

    /// The changes after `position` up to `last`, in the order of positions.
    func changes(after position: Int, through last: Int) -> [StreamChange] {
        let records = records(after: position).prefix { $0.position <= last }
        let erased = erased(after: position).prefix { $0.erasure.position <= last }
        let changes = records.byCommit.map { StreamChange.records($0) } + erased.map { .erased($0, of: $1) }
        return erased.isEmpty ? changes : changes.sorted { $0.position < $1.position }
    }

    /// The last position that has a record or erasure.
    var lastThere: Int { max(records.last?.position ?? 0, erased.last?.erasure.position ?? 0) }

    /// The end of the positions that follow `position` without a gap.
    func unbrokenEnd(after position: Int) -> Int {
        var (records, erased, end) = (records(after: position), erased(after: position), position)
        while true {
            if records.first?.position == end + 1 {
                records.removeFirst()
            } else if erased.first?.erasure.position == end + 1 {
                erased.removeFirst()
            } else {
                return end
            }
            end += 1
        }
    }

    /// The index of the record at this position; nil if it is gone.
    private func index(ofPosition position: Int) -> Int? {
        let index = firstIndex(from: position)
        return index < records.count && records[index].position == position ? index : nil
    }

    /// The index of the first record at or after `position`.
    private func firstIndex(from position: Int) -> Int {
        records.partitioningIndex { $0.position >= position }
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

    /// Up to `limit` records after `version`, checked from the record at `version` on.
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

extension StreamChange {
    /// Nil only for no records.
    public var stream: StreamName? {
        switch self {
        case .records(let records): records.first?.stream
        case .erased(_, let stream): stream
        }
    }

    var position: Int {
        switch self {
        case .records(let records): records.last?.position ?? 0
        case .erased(let erasure, _): erasure.position
        }
    }

    func message(_ ticket: Ticket) -> LogMessage {
        switch self {
        case .records(let records): .records(ticket, records)
        case .erased(let erasure, _): .erased(ticket, erasure)
        }
    }
}

extension Collection<Record> {
    /// Split by commit and stream, as they were written.
    var byCommit: [[Record]] {
        var commits: [[Record]] = []
        for record in self {
            if let last = commits.last?.last, last.commit == record.commit, last.stream == record.stream {
                commits[commits.count - 1].append(record)
            } else {
                commits.append([record])
            }
        }
        return commits
    }
}
