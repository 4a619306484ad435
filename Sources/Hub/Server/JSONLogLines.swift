import Foundation
import Games
import Logging

/// Writes a JSON object (RFC 8259) a line: `time` (RFC 3339, UTC), `level`, `part` where a line has one, `message`, and
/// `metadata` where there is any.
public struct JSONLogLines: LogHandler {
    public var logLevel = Logger.Level.info
    public var metadata: Logger.Metadata = [:]
    private let source: any TimeSource
    private let write: @Sendable ([UInt8]) -> Void

    /// To the standard error, with the system's time.
    public init() { self.init(SystemTime()) { FileHandle.standardError.write(Data($0)) } }

    /// - Parameter write: takes a line with its end.
    init(_ source: any TimeSource, write: @escaping @Sendable ([UInt8]) -> Void) {
        (self.source, self.write) = (source, write)
    }

    public func log(event: LogEvent) {
        var metadata = metadata.merging(event.metadata ?? [:]) { _, own in own }
        let part = metadata.removeValue(forKey: HubLoggers.key)
        // In the middle of the millisecond, so that no rounding makes it another.
        let seconds = (Double(source.read().wall / 1_000_000) + 0.5) / 1_000
        let time = Date(timeIntervalSince1970: seconds).formatted(Self.timeFormat)
        var line: Fields = [
            "time": .string(time), "level": .string(event.level.rawValue),
        ]
        line["part"] = part.map { Self.value($0) }
        line["message"] = .string("\(event.message)")
        if !metadata.isEmpty { line["metadata"] = .object(Self.fields(metadata)) }
        write(JSONWriter.bytes(line) + [UInt8(ascii: "\n")])
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    private static let timeFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

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
