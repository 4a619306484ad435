/// A JSON value with integers only, as in the protocol.
enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Int)
    case text(String)
    case list([JSON])
    /// In their written order.
    case object([Member])

    struct Member: Sendable, Equatable {
        let name: String
        var value: JSON

        init(_ name: String, _ value: JSON) { (self.name, self.value) = (name, value) }
    }

    /// Whether both have the same content. The order of members does not matter.
    static func == (one: JSON, other: JSON) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.text(let one), .text(let other)): one.hasSameBytes(as: other)
        case (.list(let one), .list(let other)): one == other
        case (.object(let one), .object(let other)):
            one.count == other.count && one.allSatisfy { member in other.contains { $0 == member } }
        default: false
        }
    }
}

extension JSON {
    /// A member of an object; nil if there is none, or this is not an object.
    subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    var number: Int? { if case .number(let number) = self { number } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    var list: [JSON]? { if case .list(let list) = self { list } else { nil } }
    var members: [Member]? { if case .object(let members) = self { members } else { nil } }

    /// Each text in it that is a value.
    func forEachText(_ body: (String) -> Void) {
        switch self {
        case .text(let text): body(text)
        case .list(let list): for value in list { value.forEachText(body) }
        case .object(let members): for member in members { member.value.forEachText(body) }
        case .null, .bool, .number: break
        }
    }
}

extension JSON: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(integerLiteral number: Int) { self = .number(number) }
    init(stringLiteral text: String) { self = .text(text) }
    init(booleanLiteral bool: Bool) { self = .bool(bool) }
    init(arrayLiteral values: JSON...) { self = .list(values) }
    init(dictionaryLiteral members: (String, JSON)...) { self = .object(members.map { Member($0.0, $0.1) }) }
}

extension JSON: CustomStringConvertible {
    var description: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number): "\(number)"
        case .text(let text): "\"\(text)\""
        case .list(let list): "[" + list.map(\.description).joined(separator: ",") + "]"
        case .object(let members): "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
        }
    }
}
