/// A JSON value (RFC 8259). Messages, events, commands and options are made of these.
public enum Value: Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    case null
    case bool(Bool)
    case integer(Int)
    /// Any number that is not an `Int`. No game uses these, but a client may send them.
    case fraction(Double)
    case string(String)
    case list([Value])
    case object(Fields)

    /// Each of these is nil for a value of another kind.
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

    /// A list of integers.
    public static func integers(_ numbers: [Int]) -> Value { .list(numbers.map { .integer($0) }) }
    /// A list of strings.
    public static func strings(_ texts: [String]) -> Value { .list(texts.map { .string($0) }) }
}

/// A JSON object: named values in the order in which they are written. They are nearly always few, so they are
/// searched one by one. Many are given at once, to `init` or `merging`.
public struct Fields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// In order, each name once. Tuples without labels, as in literals: an array of labelled ones is converted
    /// element by element.
    public private(set) var elements: [(String, Value)] = []

    /// An empty object.
    public init() {}

    /// No name may occur twice.
    public init(dictionaryLiteral elements: (String, Value)...) { self.elements = elements }

    /// No name may occur twice.
    public init(_ elements: [(String, Value)]) { self.elements = elements }

    /// The number of fields.
    public var count: Int { elements.count }
    /// In the order of the fields.
    public var names: [String] { elements.map(\.0) }
    /// In the order of the fields.
    public var values: [Value] { elements.map(\.1) }

    /// Reserves memory for this many fields.
    public mutating func reserveCapacity(_ count: Int) { elements.reserveCapacity(count) }

    /// Setting a new name appends it; setting nil removes it.
    public subscript(name: String) -> Value? {
        @inlinable get { index(of: name).map { elements[$0].1 } }
        set {
            switch (index(of: name), newValue) {
            case (let index?, let value?): elements[index].1 = value
            case (let index?, nil): elements.remove(at: index)
            case (nil, let value?): elements.append((name, value))
            case (nil, nil): break
            }
        }
    }

    @inlinable
    func index(of name: String) -> Int? { elements.firstIndex { $0.0 == name } }

    /// The fields that are not null.
    public var withoutNulls: Fields { Fields(elements.filter { $0.1 != .null }) }

    /// Removes the first `count` fields.
    public mutating func removeFirst(_ count: Int) { elements.removeFirst(count) }

    /// If more comparisons are needed, an index is made first.
    private static let comparisonLimit = 1_024

    /// These fields with those of `other` appended, or replaced by them if the names are equal.
    public func merging(_ other: Fields) -> Fields {
        var merged = self
        merged.reserveCapacity(count + other.count)
        guard count * other.count > Self.comparisonLimit else {
            for (name, value) in other.elements { merged[name] = value }
            return merged
        }
        var places = [String: Int](minimumCapacity: count)
        for (place, element) in elements.enumerated() { places[element.0] = place }
        for element in other.elements {
            if let place = places[element.0] {
                merged.elements[place] = element
            } else {
                merged.elements.append(element)
            }
        }
        return merged
    }

    public static func == (one: Fields, other: Fields) -> Bool {
        one.elements.elementsEqual(other.elements) { $0 == $1 }
    }
}
