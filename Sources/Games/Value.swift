/// What events, commands and options are made of: the little of JSON that games need, without a JSON library.
public enum Value: Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    case null
    case bool(Bool)
    case integer(Int)
    /// A number that is no integer, or too large for one; no game uses these, but a client may send them.
    case fraction(Double)
    case string(String)
    case list([Value])
    case object(Fields)

    /// Each of these is nil of a value of another kind.
    public var integer: Int? { if case .integer(let number) = self { number } else { nil } }
    public var string: String? { if case .string(let text) = self { text } else { nil } }
    public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    public var list: [Value]? { if case .list(let values) = self { values } else { nil } }
    public var object: Fields? { if case .object(let fields) = self { fields } else { nil } }
    /// A list of integers; nil if it is anything else.
    public var integers: [Int]? {
        guard let list else { return nil }
        let numbers = list.compactMap(\.integer)
        return numbers.count == list.count ? numbers : nil
    }
    /// A list of strings; nil if it is anything else.
    public var strings: [String]? {
        guard let list else { return nil }
        let texts = list.compactMap(\.string)
        return texts.count == list.count ? texts : nil
    }

    public init(stringLiteral text: String) { self = .string(text) }
    public init(integerLiteral number: Int) { self = .integer(number) }
    public init(booleanLiteral flag: Bool) { self = .bool(flag) }

    public static func integers(_ numbers: [Int]) -> Value { .list(numbers.map { .integer($0) }) }
    public static func strings(_ texts: [String]) -> Value { .list(texts.map { .string($0) }) }
}

/// Named values in a fixed order: the order in which they are written. Few enough to be searched one by one.
public struct Fields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// In order, each once.
    public private(set) var names: [String] = []
    /// The values of `names`, one for one.
    public private(set) var values: [Value] = []

    public init() {}

    /// Names are different from each other.
    public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }

    /// Names are different from each other.
    public init(_ elements: [(String, Value)]) {
        reserveCapacity(elements.count)
        for (name, value) in elements {
            names.append(name)
            values.append(value)
        }
    }

    public var count: Int { names.count }

    public mutating func reserveCapacity(_ count: Int) {
        names.reserveCapacity(count)
        values.reserveCapacity(count)
    }

    /// Setting a new name puts it last; setting nil takes it away.
    public subscript(name: String) -> Value? {
        get { names.firstIndex(of: name).map { values[$0] } }
        set {
            switch (names.firstIndex(of: name), newValue) {
            case (let index?, let value?): values[index] = value
            case (let index?, nil):
                names.remove(at: index)
                values.remove(at: index)
            case (nil, let value?):
                names.append(name)
                values.append(value)
            case (nil, nil): break
            }
        }
    }

    /// Those that are not null.
    public var withoutNulls: Fields { Fields(zip(names, values).filter { $0.1 != .null }) }

    /// These fields without the first `count`.
    public func dropFirst(_ count: Int) -> Fields {
        var rest = Fields()
        (rest.names, rest.values) = (Array(names.dropFirst(count)), Array(values.dropFirst(count)))
        return rest
    }

    /// These fields, and those of `other` behind or in place of them.
    public func merging(_ other: Fields) -> Fields {
        var merged = self
        merged.reserveCapacity(count + other.count)
        for (name, value) in zip(other.names, other.values) { merged[name] = value }
        return merged
    }
}
