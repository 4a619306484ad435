import Games
import JSON
import Records

/// The identity of a log, kept in its stream `hub`. A backup of the log, or a copy on another engine, keeps it.
public struct LogOrigin: HubStreamEntry, Equatable, Sendable {
    static let type = "log-begun"

    /// The name of the run that started the log: 8 random bytes, in hexadecimal.
    public let id: String
    let time: Milliseconds

    public init(id: String, at time: Milliseconds) { (self.id, self.time) = (id, time) }

    /// Always with the same id. If hubs start at once on a shared log, the first one's entry stays.
    public func commit(expecting end: StreamEnd) -> Commit {
        let fields: Fields = ["type": .string(Self.type), "id": .string(id)]
        let event = Event(time: time, type: Self.type, shown: JSONWriter.bytes(fields))
        return Commit(id: "\(Self.type)", appending: [event], to: .hub, expecting: end)
    }

    /// Nil for other records.
    init?(_ record: Record) {
        guard record.event.type == Self.type, let fields = (try? JSONReader.read(record.event.shown))?.object,
            let id = fields["id"]?.string
        else { return nil }
        self.init(id: id, at: record.event.time)
    }
}
