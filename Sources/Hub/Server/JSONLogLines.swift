import Foundation
import Games
import Logging

/// Writes a JSON object (RFC 8259) a line: `time` (RFC 3339, UTC), `level`, `part` where a line has one, `message`, and
/// `metadata` where there is any.
public struct JSONLogLines: LogHandler {
    public var logLevel = Logger.Level.info
    public var metadata: Logger.Metadata = [:]
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameter write: takes a line with its end; to the standard error, where none is given.
    public init(write: @escaping @Sendable ([UInt8]) -> Void = { FileHandle.standardError.write(Data($0)) }) {
        self.write = write
    }

    public func log(event: LogEvent) {
        var metadata = metadata.merging(event.metadata ?? [:]) { _, own in own }
        let part = metadata.removeValue(forKey: HubLoggers.key)
        var line: Fields = [
            "time": .string(Date.now.formatted(Self.timeFormat)), "level": .string(event.level.rawValue),
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
