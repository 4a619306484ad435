import Games
import JSON
import Records

/// Converts a room's events to records of the log and back.
public enum EventCoding {
    /// The fields that every event begins with.
    private static let start = ["v", "t", "type"]
    /// The next field, which is true if more events of the commit follow. No event has another field of this name.
    private static let more = "more"

    /// An event for the log: `{"v":...,"t":...,"type":...,...}`. These are the bytes that every member gets. `more` is
    /// false for the last event of a commit.
    public static func encode(_ event: RoomEvent, version: Int, at time: Milliseconds, more: Bool) -> Event {
        let type = event.type
        var writer = JSONWriter(eventOf: type, version: version, at: time)
        if more { writer.append(JSONWriter.more) }
        writer.closeObject(with: event.fields)
        return Event(time: time, type: type, shown: writer.bytes, sealed: event.sealed)
    }

    /// Whether `written`, the encoded `event`, will read back as `event` at this version.
    static func isFaithful(_ written: Event, to event: RoomEvent, version: Int, more: Bool) -> Bool {
        // Nearly all are a game's, which are stored as they are. Whether JSON can hold their fields is known without
        // reading them back.
        if case .game(let step) = event, step.sealed == nil {
            return !RoomEvent.isOwn(step.type) && step.fields[Self.more] == nil && step.fields[RoomEvent.seal] == nil
                && JSONReader.readsBack(step.fields, after: more ? start + [Self.more] : start)
        }
        return decode(written, version: version) == event
    }

    /// The event of a record; nil if it is not an event of a room.
    public static func decode(_ record: Record) -> RoomEvent? { decode(record.event, version: record.version) }

    static func decode(_ event: Event, version: Int) -> RoomEvent? {
        guard let fields = shownFields(event, version: version) else { return nil }
        return RoomEvent(type: event.type, fields: fields, sealed: event.sealed)
    }

    /// The fields of a record after `v`, `t`, `type` and `more`; nil if those do not agree with the record.
    public static func shownFields(_ record: Record) -> Fields? { shownFields(record.event, version: record.version) }

    /// Whether a record says that more of its commit follow; false if it is not an event.
    public static func saysMore(_ record: Record) -> Bool { header(of: record.event, version: record.version).more }

    /// How `encode` begins an event, and whether this one has `more`.
    private static func header(of event: Event, version: Int) -> (bytes: [UInt8], more: Bool) {
        var writer = JSONWriter(eventOf: event.type, version: version, at: event.time)
        let rest = event.shown.dropFirst(writer.bytes.count)
        guard rest.starts(with: JSONWriter.more), event.shown.starts(with: writer.bytes) else {
            return (writer.bytes, false)
        }
        writer.append(JSONWriter.more)
        return (writer.bytes, true)
    }

    private static func shownFields(_ event: Event, version: Int) -> Fields? {
        // If it begins as `encode` writes it, the beginning need not be read.
        let header = header(of: event, version: version)
        let names = header.more ? start + [more] : start
        if let fields = JSONReader.fields(of: event.shown, after: header.bytes, names), fields[more] == nil {
            return fields
        }
        // What is not JSON is not an event either. The caller says which record it was.
        guard let value = try? JSONReader.read(event.shown), var fields = value.object, fields.count >= start.count,
            zip(fields.elements, start).allSatisfy({ $0.0 == $1 }),
            fields.elements[0].1.integer == version, fields.elements[1].1.integer == event.time,
            fields.elements[2].1.string == event.type
        else { return nil }
        fields.removeFirst(start.count)
        if let value = fields[more] {
            guard fields.elements[0].0 == more, value == true else { return nil }
            fields.removeFirst(1)
        }
        return fields
    }
}
