import Foundation
import Games
import JSON
import Testing

/// The protocol's JSON Schema, and messages that match it.
struct ProtocolSchema {
    static let path = "Sources/Hub/Hub.docc/Resources/flipside.v1.schema.json"

    private let definitions: [String: Value]

    init() throws {
        let schema = try JSONDecoder().decode(Value.self, from: Data(Project.text(Self.path).utf8))
        let named = try #require(schema.object?["$defs"]?.object)
        definitions = Dictionary(uniqueKeysWithValues: zip(named.names, named.values))
    }

    /// The names after `prefix`, such as `room-opened` after `event.`.
    func names(behind prefix: String) -> Set<String> {
        Set(definitions.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) })
    }

    /// The fields of a kind of message except `hidden`, unordered, optional ones with a question mark.
    func fields(of name: String, without hidden: Set<String>) throws -> Set<String> {
        let definition = try #require(definitions[name]?.object, "the schema has no \(name)")
        let required = definition["required"]?.strings ?? []
        let all = (definition["properties"]?.object?.names ?? []).filter { !hidden.contains($0) }
        return Set(all.map { required.contains($0) ? $0 : $0 + "?" })
    }

    /// Nil if the schema has none of this name.
    func definition(_ name: String) -> Fields? { definitions[name]?.object }

    /// What a definition says of a field; nil if it has no such field.
    func field(_ name: String, of definition: String) -> Fields? {
        definitions[definition]?.object?["properties"]?.object?[name]?.object
    }

    /// The definition of a game's options; nil if the schema has none.
    func optionsDefinition(of game: String) -> String? {
        let cases = definitions["gameOptions"]?.object?["allOf"]?.list ?? []
        let found = cases.first { $0["if"]?["properties"]?["game"]?["const"]?.string == game }
        return found?["then"]?["properties"]?["options"]?["$ref"]?.string.map { String($0.dropFirst("#/$defs/".count)) }
    }

    /// The smallest message of this kind, and the largest.
    func samples(of name: String) throws -> [Fields] {
        let definition = try #require(definitions[name], "the schema has no \(name)")
        return [false, true].compactMap { sample(definition, isFull: $0).object }
    }

    private func sample(_ schema: Value, isFull: Bool, number: Int = 0) -> Value {
        guard var fields = schema.object else { return .null }
        if let name = fields["$ref"]?.string?.dropFirst("#/$defs/".count) {
            guard let definition = definitions[String(name)]?.object else { return .null }
            fields["$ref"] = nil
            return sample(.object(definition.merging(fields)), isFull: isFull, number: number)
        }
        if let value = fields["const"] ?? fields["examples"]?.list?.first { return value }
        if let values = fields["enum"]?.list { return values[0] }
        switch fields["type"]?.string ?? fields["type"]?.list?.first?.string {
        case "integer": return .integer(fields["minimum"]?.integer ?? 1)
        case "boolean": return true
        case "string": return .string(text(fields["pattern"]?.string, number))
        case "array":
            guard let items = fields["items"] else { return .list([]) }
            let count = fields["minItems"]?.integer ?? (isFull ? 1 : 0)
            return .list((0..<count).map { sample(items, isFull: isFull, number: $0) })
        case "object":
            guard let properties = fields["properties"]?.object else {
                return .object(fields["additionalProperties"].map { ["0": sample($0, isFull: isFull)] } ?? [:])
            }
            let required = fields["required"]?.strings ?? []
            return .object(
                Fields(
                    zip(properties.names, properties.values).filter { isFull || required.contains($0.0) }
                        .map { ($0, sample($1, isFull: isFull)) }))
        default: return fields["anyOf"]?.list?.last.map { sample($0, isFull: isFull) } ?? .null
        }
    }

    /// As many hexadecimal digits as the pattern wants, or else a word.
    private func text(_ pattern: String?, _ number: Int) -> String {
        let digits = pattern?.firstMatch(of: /\[0-9a-f\]\{(?<count>[0-9]+)\}/).flatMap { Int($0.output.count) }
        return digits.map { String(repeating: "0", count: $0) } ?? "word\(number)"
    }
}

extension Value {
    /// A field of an object; nil if there is none.
    fileprivate subscript(name: String) -> Value? { object?[name] }
}

extension Value: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .integer(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let values = try? container.decode([Value].self) {
            self = .list(values)
        } else {
            self = .object(Fields(try container.decode([String: Value].self).sorted { $0.key < $1.key }.map { $0 }))
        }
    }

    /// With the fields of all objects in one order, since JSON has none.
    var sorted: Value {
        switch self {
        case .list(let values): .list(values.map(\.sorted))
        case .object(let fields):
            .object(Fields(zip(fields.names, fields.values.map(\.sorted)).sorted { $0.0 < $1.0 }))
        default: self
        }
    }
}
