import Games
import JSON
import Records
import RoomRules

/// A record as a line that people read: `   17  12:04:31.250  show-card      cell 3, face 🐧, seat 0`.
public func sentence(of record: Record) -> String {
    let fields = EventCoding.shownFields(record) ?? [:]
    let words = fields.elements.map { name, value in "\(name) \(text(value))" }
    let version = String(record.version)
    let type = record.event.type
    return String(repeating: " ", count: max(0, 5 - version.count)) + version + "  " + timeOfDay(record.event.time)
        + "  " + type + String(repeating: " ", count: max(1, 15 - type.count)) + words.joined(separator: ", ")
}

private func text(_ value: Value) -> String {
    switch value {
    case .string(let text): return text
    case .list(let values): return "[" + values.map { text($0) }.joined(separator: " ") + "]"
    case .object(let fields): return "{" + fields.elements.map { "\($0): \(text($1))" }.joined(separator: ", ") + "}"
    default:
        var writer = JSONWriter(reserving: 16)
        writer.write(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// UTC, to the millisecond.
private func timeOfDay(_ time: Milliseconds) -> String {
    func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    let day = time % 86_400_000
    return padded(day / 3_600_000, 2) + ":" + padded(day / 60_000 % 60, 2) + ":" + padded(day / 1_000 % 60, 2) + "."
        + padded(day % 1_000, 3)
}
