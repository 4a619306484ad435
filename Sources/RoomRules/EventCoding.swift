import Games
import JSON
import Records

/// Between a room's events and the records of the log.
public enum EventCoding {
    /// What every event begins with.
    private static let start = ["v", "t", "type"]
    /// Comes next, true, if more events of the same commit follow. No event has a field of its own by this name.
    private static let more = "more"

    /// An event as it will stand in the log: `{"v":...,"t":...,"type":...,...}`, the bytes that every member gets.
    /// `more`: it is not the last of its commit.
    public static func encode(_ event: RoomEvent, version: Int, at time: Milliseconds, more: Bool) -> Event {
        let type = event.type
        var writer = JSONWriter(eventOf: type, version: version, at: time)
        if more { writer.append(JSONWriter.more) }
        writer.closeObject(with: event.fields)
        return Event(time: time, type: type, shown: writer.bytes, sealed: event.sealed)
    }

    /// Whether `written`, which `event` was encoded to, will be read as `event` at this version.
    static func isFaithful(_ written: Event, to event: RoomEvent, version: Int, more: Bool) -> Bool {
        // Nearly all are a game's, which are carried as they are: that JSON can say their fields is told without
        // reading them back.
        if case .game(let step) = event {
            return !RoomEvent.isOwn(step.type) && step.fields[Self.more] == nil
                && JSONReader.readsBack(step.fields, after: more ? start + [Self.more] : start)
        }
        return decode(written, version: version) == event
    }

    /// What a record says; nil if it is no event of a room.
    public static func decode(_ record: Record) -> RoomEvent? { decode(record.event, version: record.version) }

    /// As it will be read at this version.
    static func decode(_ event: Event, version: Int) -> RoomEvent? {
        guard let fields = shownFields(event, version: version) else { return nil }
        return RoomEvent(type: event.type, fields: fields, sealed: event.sealed)
    }

    /// The fields of a record behind `v`, `t`, `type` and `more`; nil where these do not agree with the record.
    public static func shownFields(_ record: Record) -> Fields? { shownFields(record.event, version: record.version) }

    /// Whether a record says that more of its commit follow. False where it is no event.
    public static func saysMore(_ record: Record) -> Bool { header(of: record.event, version: record.version).more }

    /// What an event begins with as it is written here, and whether `more` is part of it.
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
        // As it is written here: nothing of the beginning needs to be read.
        let header = header(of: event, version: version)
        let names = header.more ? start + [more] : start
        if let fields = JSONReader.fields(of: event.shown, after: header.bytes, names), fields[more] == nil {
            return fields
        }
        // What is no JSON is no event: the caller says which record it was.
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
