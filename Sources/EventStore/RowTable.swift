/// A table of a row store.
public struct RowTable: Sendable, Equatable {
    public let name: String
    public let columns: [RowColumn]
    /// The columns that identify a row.
    public let key: [String]
    /// An integer column, if any. A row is not replaced by one with a lower value in it.
    public let version: String?
    /// Each ends with the key's columns, so that no two rows have the same place in it.
    public let indexes: [RowIndex]

    public init(_ name: String, columns: [RowColumn], key: [String], version: String? = nil, indexes: [RowIndex]) {
        (self.name, self.columns, self.key, self.version) = (name, columns, key, version)
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

    /// The index of a column's value in a row.
    func place(of column: String) -> Int {
        guard let place = columns.firstIndex(where: { $0.name == column }) else {
            preconditionFailure("\(name) has no column \(column)")
        }
        return place
    }

    /// A row that does not fit would be refused at every attempt to write it.
    func check(_ row: [RowValue]) { precondition(fits(row), "\(row) is not a row of \(name)") }

    /// A noted row may come from anywhere, so its version must say which of two is later.
    func checkNote(_ row: [RowValue]) {
        check(row)
        precondition(version != nil, "nothing says which row of \(name) is the later one")
    }

    /// Whether there is one value of the right kind for each column.
    public func fits(_ row: [RowValue]) -> Bool {
        row.count == columns.count && zip(columns, row).allSatisfy { $0.takes($1) }
    }
}

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
    /// A column and its direction; a string literal is ascending.
    public struct Part: Sendable, Equatable, ExpressibleByStringLiteral {
        let column: String
        let isDescending: Bool

        public static func ascending(_ column: String) -> Part { Part(column: column, isDescending: false) }
        public static func descending(_ column: String) -> Part { Part(column: column, isDescending: true) }

        private init(column: String, isDescending: Bool) {
            (self.column, self.isDescending) = (column, isDescending)
        }

        public init(stringLiteral column: String) { self.init(column: column, isDescending: false) }
    }

    public let name: String
    public let parts: [Part]

    public init(_ name: String, _ parts: [Part]) { (self.name, self.parts) = (name, parts) }

    var columns: [String] { parts.map(\.column) }
}

/// The value of one column in one row. Null equals nothing and is in no range.
public enum RowValue: Sendable, Hashable {
    case null
    case integer(Int)
    case text(String)
    case bytes([UInt8])

    /// 0 if it is not an integer.
    public var integer: Int { if case .integer(let number) = self { number } else { 0 } }
    /// Nil if it is not an integer.
    public var optionalInteger: Int? { if case .integer(let number) = self { number } else { nil } }
    /// Empty if it is not a text.
    public var text: String { if case .text(let text) = self { text } else { "" } }
    /// Empty if it is not bytes.
    public var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }
}
