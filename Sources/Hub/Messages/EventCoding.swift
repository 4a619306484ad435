import EventStore
import Games

/// Between a room's events and the records of the log.
enum EventCoding {
    /// An event as it will stand in the log: `{"v":...,"t":...,"type":...,...}`, the bytes that every member gets.
    static func encode(_ event: RoomEvent, version: Int, at time: Milliseconds) -> Event {
        let type = event.type
        let start: Fields = ["v": .integer(version), "t": .integer(time), "type": .string(type)]
        let shown = start.merging(event.fields)
        return Event(time: time, type: type, shown: JSONWriter.bytes(shown), sealed: event.sealed)
    }

    /// What a record says; nil if it is no event of a room.
    static func decode(_ record: Record) -> RoomEvent? { decode(record.event, version: record.version) }

    /// As it will be read at this version.
    static func decode(_ event: Event, version: Int) -> RoomEvent? {
        guard let fields = shownFields(event, version: version) else { return nil }
        return RoomEvent(type: event.type, fields: fields, sealed: event.sealed)
    }

    /// The fields of a record behind `v`, `t` and `type`; nil where these do not agree with the record.
    static func shownFields(_ record: Record) -> Fields? { shownFields(record.event, version: record.version) }

    private static func shownFields(_ event: Event, version: Int) -> Fields? {
        // What is no JSON is no event: the caller says which record it was.
        guard let value = try? JSONReader.read(event.shown), let fields = value.object,
            fields.names.starts(with: ["v", "t", "type"]), fields.values[0].integer == version,
            fields.values[1].integer == event.time, fields.values[2].string == event.type
        else { return nil }
        return fields.dropFirst(3)
    }
}
