/// The fields of a request or response, in order. Names are found in any case (RFC 9110 section 5).
public struct HeaderFields: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    /// One field, as given.
    public struct Field: Equatable, Sendable {
        public let name: String
        public let value: String
    }

    public private(set) var fields: [Field] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }

    public var count: Int { fields.count }

    /// The values of all fields of this name, joined by commas as lists are (section 5.3); nil if there is none.
    public subscript(name: String) -> String? {
        var joined: String?
        for field in fields where field.name.matches(name) {
            joined = joined.map { $0 + ", " + field.value } ?? field.value
        }
        return joined
    }

    /// The values of all fields of this name, one by one.
    public func all(_ name: String) -> [String] { fields.compactMap { $0.name.matches(name) ? $0.value : nil } }

    /// The members of all list fields of this name, without blanks and empty members (section 5.6.1).
    public func members(of name: String) -> [String] {
        var members = [String]()
        for field in fields where field.name.matches(name) {
            _ = field.hasMember { member in
                members.append(String(member))
                return false
            }
        }
        return members
    }

    /// Whether the list of this name has this member, in any case.
    public func contains(_ token: String, in name: String) -> Bool {
        fields.contains { $0.name.matches(name) && $0.hasMember { $0.matches(token) } }
    }

    /// Adds a field after the others. A name that is no token, or a value that `isValid` refuses, is a precondition
    /// failure, since such a value could add fields of its own.
    public mutating func append(_ name: String, _ value: String) {
        precondition(name.isToken, "a field's name is a token")
        precondition(Self.isValid(value: value), "a field's value is one line")
        fields.append(Field(name: name, value: value))
    }

    mutating func reserve(_ count: Int) { fields.reserveCapacity(count) }

    /// Adds a line of a request whose characters have been checked.
    mutating func append(checkedName name: String, value: String) { fields.append(Field(name: name, value: value)) }

    /// Replaces all fields of this name by one.
    public mutating func set(_ name: String, _ value: String) {
        fields.removeAll { $0.name.matches(name) }
        append(name, value)
    }

    /// Adds a member to the list of this name and makes it one field.
    public mutating func add(_ member: String, toList name: String) {
        set(name, self[name].map { "\($0), \(member)" } ?? member)
    }

    /// Whether a field may have this value, which has no line break, no NUL and no control but a tab. For values from
    /// outside.
    public static func isValid(value: String) -> Bool { value.utf8.allSatisfy(\.isLineCharacter) }

    /// Appends the fields as they go on the wire, each with its line break.
    func encode(into bytes: inout [UInt8]) {
        for field in fields {
            bytes += Array(field.name.utf8)
            bytes += [UInt8(ascii: ":"), UInt8(ascii: " ")]
            bytes += Array(field.value.utf8)
            bytes += [0x0D, 0x0A]
        }
    }
}

extension HeaderFields.Field {
    /// Whether the value, read as a list, has a member that `isSought`; they are tried in order.
    fileprivate func hasMember(where isSought: (Substring) -> Bool) -> Bool {
        let comma = UInt8(ascii: ",")
        var rest = value.utf8[...]
        while true {
            rest = rest.drop { $0 == comma || $0.isBlank }
            guard !rest.isEmpty else { return false }
            var member = rest.prefix { $0 != comma }
            rest = rest[member.endIndex...]
            while let last = member.last, last.isBlank { member.removeLast() }
            if isSought(Substring(member)) { return true }
        }
    }
}
