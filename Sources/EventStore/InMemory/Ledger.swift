import Cryptography
import Records

/// The streams of a log as plain values: what is in them, and the contract's rules about what may be appended.
struct Ledger: Sendable {
    /// All records, by position.
    private(set) var records: [Record] = []
    /// All erasures, by position. What was erased no engine can tell, but whoever looks on.
    private(set) var erased: [(erasure: Erasure, stream: StreamName)] = []
    private var erasuresOfStreams: [StreamName: [Erasure]] = [:]
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

    /// Where `stream` ended at `version`, which it has reached.
    func end(of stream: StreamName, at version: Int) -> StreamEnd {
        version == 0 ? stream.start : records(of: stream)[version - 1].end
    }

    /// Whether `stream` has a record that ends it so, or had when it ended there.
    func hasReached(_ end: StreamEnd, in stream: StreamName) -> Bool {
        end.version <= records(of: stream).count && self.end(of: stream, at: end.version) == end
    }

    /// The erasures of `stream`, in order.
    func erasures(of stream: StreamName) -> [Erasure] { erasuresOfStreams[stream] ?? [] }

    /// Why `commit` may not be written as all is now; nil if it may.
    func refusal(of commit: Commit) -> AppendResult? {
        for part in commit.parts {
            if let version = commits[part.stream]?[commit.id] { return .repeated(version: version) }
        }
        for part in commit.parts where end(of: part.stream) != part.expected {
            return .conflict(part.stream, actual: end(of: part.stream))
        }
        return nil
    }

    /// What `commit`, which fits, is to write. The positions in it are used up, whatever becomes of it.
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

    /// Of one commit and stream: their positions have no others between them.
    private mutating func write(_ new: [Record]) {
        guard let first = new.first, let last = new.last else { return }
        streams[first.stream, default: []] += new
        commits[first.stream, default: [:]][first.commit] = last.version
        records.insert(contentsOf: new, at: firstIndex(from: first.position))
    }

    /// Writes the beginning of `commit`, as a crash in the middle of it would leave behind, if it fits.
    mutating func tear(_ commit: Commit, with hasher: SHA256) {
        guard case .append(let events, let stream, let end) = commit.parts[0], self.end(of: stream) == end,
            commits[stream]?[commit.id] == nil
        else { return }
        torn = (stream, end.version)
        let part = Array(events.prefix((events.count + 1) / 2))
        write(draw(Commit(id: commit.id, appending: part, to: stream, expecting: end), with: hasher))
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

    /// The erasures behind `position`, in order.
    func erased(after position: Int) -> ArraySlice<(erasure: Erasure, stream: StreamName)> {
        erased.suffix(erased.reversed().prefix { $0.erasure.position > position }.count)
    }

    /// What was done behind `position` and not behind `last`, in the order of positions.
    func changes(after position: Int, through last: Int) -> [StreamChange] {
        let records = records(after: position).prefix { $0.position <= last }
        let erased = erased(after: position).prefix { $0.erasure.position <= last }
        let changes = records.byCommit.map { StreamChange.records($0) } + erased.map { .erased($0, of: $1) }
        return erased.isEmpty ? changes : changes.sorted { $0.position < $1.position }
    }

    /// The last position that is there.
    var lastThere: Int { max(records.last?.position ?? 0, erased.last?.erasure.position ?? 0) }

    /// Up to which position none is missing behind `position`.
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

extension StreamChange {
    var stream: StreamName? {
        switch self {
        case .records(let records): records.first?.stream
        case .erased(_, let stream): stream
        }
    }

    /// Of the last that it did.
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
    /// Those of one commit and stream together, as they were written.
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
