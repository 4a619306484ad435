/// A table of a row store.
public struct RowTable: Sendable, Equatable {
    public let name: String
    public let columns: [RowColumn]
    /// The columns that tell a row from all others.
    public let key: [String]
    /// A column of integers, if any: a row is not replaced by one in which it is lower.
    public let version: String?
    /// Each ends with the key's columns, so that no two rows have the same place in it.
    public let indexes: [RowIndex]

    public init(_ name: String, columns: [RowColumn], key: [String], version: String? = nil, indexes: [RowIndex]) {
        self.name = name
        self.columns = columns
        self.key = key
        self.version = version
        self.indexes = indexes.map { index in
            RowIndex(index.name, index.parts + key.filter { !index.columns.contains($0) }.map { .ascending($0) })
        }
        let named = Set(columns.map(\.name))
        precondition(named.isSuperset(of: self.indexes.flatMap(\.columns)), "an index of \(name) has no such column")
    }

    func index(named name: String) -> RowIndex {
        guard let index = indexes.first(where: { $0.name == name }) else {
            preconditionFailure("\(self.name) has no index \(name)")
        }
        return index
    }

    /// Where a column's values are in a row.
    func place(of column: String) -> Int {
        guard let place = columns.firstIndex(where: { $0.name == column }) else {
            preconditionFailure("\(name) has no column \(column)")
        }
        return place
    }

    /// A row that does not fit would be refused each time that it is written.
    func check(_ row: [RowValue]) { precondition(fits(row), "\(row) is no row of \(name)") }

    /// One that is noted comes from anywhere: it must say which of two is the later.
    func checkNote(_ row: [RowValue]) {
        check(row)
        precondition(version != nil, "nothing says which row of \(name) is the later one")
    }

    /// Whether these are the values of all columns.
    public func fits(_ row: [RowValue]) -> Bool {
        row.count == columns.count && zip(columns, row).allSatisfy { $0.takes($1) }
    }
}

/// A column of a table.
public struct RowColumn: Sendable, Equatable {
    enum Kind: Sendable { case integer, text, bytes }

    let name: String
    let kind: Kind
    let isOptional: Bool

    public static func integer(_ name: String) -> RowColumn { .init(name: name, kind: .integer, isOptional: false) }
    public static func optionalInteger(_ name: String) -> RowColumn {
        .init(name: name, kind: .integer, isOptional: true)
    }
    public static func text(_ name: String) -> RowColumn { .init(name: name, kind: .text, isOptional: false) }
    public static func bytes(_ name: String) -> RowColumn { .init(name: name, kind: .bytes, isOptional: false) }

    func takes(_ value: RowValue) -> Bool {
        switch (kind, value) {
        case (_, .null): isOptional
        case (.integer, .integer), (.text, .text), (.bytes, .bytes): true
        default: false
        }
    }
}

/// An order in which the rows of a table can be read.
public struct RowIndex: Sendable, Equatable {
    /// A column, and which way it goes; written as a text, it ascends.
    public struct Part: Sendable, Equatable, ExpressibleByStringLiteral {
        let column: String
        let isDescending: Bool

        public static func ascending(_ column: String) -> Part { Part(column: column, isDescending: false) }
        public static func descending(_ column: String) -> Part { Part(column: column, isDescending: true) }

        private init(column: String, isDescending: Bool) {
            self.column = column
            self.isDescending = isDescending
        }

        public init(stringLiteral column: String) { self.init(column: column, isDescending: false) }
    }

    public let name: String
    public let parts: [Part]

    public init(_ name: String, _ parts: [Part]) {
        self.name = name
        self.parts = parts
    }

    var columns: [String] { parts.map(\.column) }
}

/// What stands in one column of one row. Null is equal to nothing and in no range.
public enum RowValue: Sendable, Hashable {
    case null
    case integer(Int)
    case text(String)
    case bytes([UInt8])

    /// 0 for what is no integer.
    public var integer: Int { if case .integer(let number) = self { number } else { 0 } }
    /// Nil for what is no integer.
    public var optionalInteger: Int? { if case .integer(let number) = self { number } else { nil } }
    /// Empty for what is no text.
    public var text: String { if case .text(let text) = self { text } else { "" } }
    /// Empty for what is no bytes.
    public var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }
}
