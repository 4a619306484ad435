import JSON
import Records

// Outages in the stream `hub`.
extension Outage: HubStreamEntry {
    static let type = "outage"

    public func commit(expecting end: StreamEnd) -> Commit {
        var fields: Fields = ["type": .string(Self.type), "from": .integer(from), "to": .integer(until)]
        if let loop { (fields["loop"], fields["loops"]) = (.integer(loop.index), .integer(loop.count)) }
        if let silence { fields["silence"] = .integers([silence.since, silence.until]) }
        // Each node knows it by its own clock, but only one is recorded.
        let name = silence.map { "silence/\($0.since)-\($0.until)" } ?? "outage/\(from)-\(until)"
        return Commit(
            id: CommitID(text: name + (loop.map { "/\($0.index)" } ?? "")),
            appending: [Event(time: until, type: Self.type, shown: JSONWriter.bytes(fields))], to: .hub, expecting: end)
    }

    /// Nil for other records.
    public init?(_ record: Record) {
        guard record.event.type == Self.type, let fields = (try? JSONReader.read(record.event.shown))?.object,
            let from = fields["from"]?.integer, let until = fields["to"]?.integer
        else { return nil }
        self.init(from: from, until: until)
        if let index = fields["loop"]?.integer, let count = fields["loops"]?.integer, count > 0 {
            loop = Loop(index: index, count: count)
        }
        if let times = fields["silence"]?.integers, times.count == 2 {
            silence = Silence(since: times[0], until: times[1])
        }
    }
}
