import JSON

// What the model needs to look at messages, events and answers.
extension Value {
    /// The value in `bytes` from `start` on; nil if that is no JSON. `limit`: the most values that it may have.
    static func read(_ bytes: [UInt8], from start: Int = 0, limit: Int = .max) -> Value? {
        guard start <= bytes.count else { return nil }
        // Only whether it can be read matters, not the reason.
        return try? JSONReader.read(bytes.span.bytes.extracting(start..<bytes.count), valueLimit: limit)
    }

    /// A field of an object; nil if it is missing or this is no object.
    subscript(name: String) -> Value? { object?[name] }

    /// The fields of an object; empty for other values.
    var elements: [(String, Value)] { object?.elements ?? [] }

    /// A field that exists and is not null.
    func given(_ name: String) -> Value? { self[name].flatMap { $0 == .null ? nil : $0 } }

    /// Passes each string that is a value in it to `body`.
    func forEachText(_ body: (String) -> Void) {
        switch self {
        case .string(let text): body(text)
        case .list(let list): for value in list { value.forEachText(body) }
        case .object(let fields): for value in fields.values { value.forEachText(body) }
        case .null, .bool, .integer, .fraction: break
        }
    }

    /// Whether both say the same. The order of fields means nothing, and strings are compared byte by byte.
    func isSame(as other: Value) -> Bool {
        switch (self, other) {
        case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
        case (.list(let one), .list(let other)):
            one.count == other.count && zip(one, other).allSatisfy { $0.isSame(as: $1) }
        case (.object(let one), .object(let other)): one.difference(from: other) == nil
        default: self == other
        }
    }
}

extension Fields {
    /// The first field in which `actual` differs from these, and how; nil if both say the same.
    func difference(from actual: Fields, ignoring: [String] = []) -> String? {
        for (name, value) in elements where !ignoring.contains(name) {
            guard let found = actual[name] else { return "\(name) is missing, should be \(value)" }
            if !value.isSame(as: found) { return "\(name) is \(found) instead of \(value)" }
        }
        for (name, value) in actual.elements where !ignoring.contains(name) && self[name] == nil {
            return "\(name) is \(value), should not be there"
        }
        return nil
    }
}
