import Foundation
import JSON
import Logging
import Rooms

/// The form of the log's lines.
public enum LogFormat: String, CaseIterable, Sendable {
    /// `2026-01-01T00:00:00.000Z notice transport: message key=value key="another value"`
    case text
    /// An object in each line (RFC 8259): `time` (RFC 3339, UTC), `level`, `part` if there is one, `message`, and
    /// `metadata` if there is any.
    case json

    private static let timeFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// A line with its end. Messages and values stay on the line and cannot imitate other parts of it.
    func line(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata, at wall: Int) -> [UInt8] {
        // In the middle of the millisecond, so that rounding cannot change it.
        let time = Date(timeIntervalSince1970: (Double(wall / 1_000_000) + 0.5) / 1_000).formatted(Self.timeFormat)
        var metadata = metadata
        let part = metadata.removeValue(forKey: HubLoggers.key)
        switch self {
        case .text:
            var line = "\(time) \(level.rawValue)"
            if let part { line += " \(Self.escaped("\(part)"))" }
            line += ": " + Self.escaped(message)
            for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
                line += " \(Self.escaped(key))=\(Self.word("\(value)"))"
            }
            return Array(line.utf8) + [UInt8(ascii: "\n")]
        case .json:
            var line: Fields = ["time": .string(time), "level": .string(level.rawValue)]
            line["part"] = part.map { Self.value($0) }
            line["message"] = .string(message)
            if !metadata.isEmpty { line["metadata"] = .object(Self.fields(metadata)) }
            return JSONWriter.bytes(line) + [UInt8(ascii: "\n")]
        }
    }

    /// One word, in quotes if a reader could take it for several or for none.
    private static func word(_ text: String) -> String {
        let escaped = escaped(text)
        let isPlain = escaped == text && !text.isEmpty && !text.contains { " =\"".contains($0) }
        return isPlain ? text : "\"\(escaped.replacing("\"", with: "\\\""))\""
    }

    /// Escapes characters that end a line, move a terminal's cursor or change the direction of text.
    private static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: mustBeEscaped) else { return text }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if mustBeEscaped(scalar) {
                escaped.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            } else {
                escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F || scalar == "\\" }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }

    private static func fields(_ metadata: Logger.Metadata) -> Fields {
        Fields(metadata.sorted { $0.key < $1.key }.map { ($0.key, value($0.value)) })
    }

    private static func value(_ value: Logger.Metadata.Value) -> Value {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let number as Int): .integer(number)
        case .stringConvertible(let other): .string(other.description)
        case .array(let values): .list(values.map { Self.value($0) })
        case .dictionary(let values): .object(fields(values))
        }
    }
}
