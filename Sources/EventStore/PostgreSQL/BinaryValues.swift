// Copies integers byte by byte; only values leave this file.

/// Values for a statement in PostgreSQL's binary formats: integers are big-endian.
struct BinaryValues: Sendable {
    /// Never empty, so that a value without bytes has an address too. A value without an address is null.
    private(set) var bytes: [UInt8] = [0]
    private(set) var offsets: [Int] = []
    /// -1 for null.
    private(set) var sizes: [Int32] = []

    /// PostgreSQL's type numbers of array elements (its table pg_type).
    private enum TypeID { static let bytes = 17, bigint = 20, text = 25 }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(0)
        offsets.removeAll(keepingCapacity: true)
        sizes.removeAll(keepingCapacity: true)
    }

    /// As bigint.
    mutating func add(_ number: Int) { add { $0.put(number, size: 8) } }

    mutating func add(_ value: [UInt8]) { add { $0.bytes += value } }

    mutating func add(_ text: String) { add { $0.bytes += text.utf8 } }

    mutating func add(orNull value: [UInt8]?) { if let value { add(value) } else { addNull() } }

    mutating func addNull() {
        offsets.append(bytes.count)
        sizes.append(-1)
    }

    /// As bigint[].
    mutating func add(_ numbers: some Collection<Int>) {
        addArray(of: TypeID.bigint, numbers) { values, number in
            values.put(8, size: 4)
            values.put(number, size: 8)
        }
    }

    /// As bytea[].
    mutating func add(_ values: some Collection<[UInt8]?>) {
        addArray(of: TypeID.bytes, values) { values, value in
            guard let value else { return values.put(-1, size: 4) }
            values.put(value.count, size: 4)
            values.bytes += value
        }
    }

    /// As text[].
    mutating func add(texts: some Collection<String>) {
        addArray(of: TypeID.text, texts) { values, text in
            values.put(text.utf8.count, size: 4)
            values.bytes += text.utf8
        }
    }

    private mutating func add(_ write: (inout BinaryValues) -> Void) {
        let offset = bytes.count
        write(&self)
        offsets.append(offset)
        sizes.append(Int32(bytes.count - offset))
    }

    private mutating func addArray<Values: Collection>(
        of type: Int, _ values: Values, _ element: (inout BinaryValues, Values.Element) -> Void
    ) {
        add { array in
            // One dimension, or none if there are no values; whether there may be nulls; the type; the length; the
            // first index, 1.
            let header = values.isEmpty ? [0, 0, type] : [1, 1, type, values.count, 1]
            for number in header { array.put(number, size: 4) }
            for value in values { element(&array, value) }
        }
    }

    private mutating func put(_ number: Int, size: Int) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0.suffix(size)) }
    }
}

/// A value for a statement that is not called often.
enum BinaryValue: Sendable {
    case integer(Int?)
    case bytes([UInt8]?)
    case text(String)
    case integers([Int])
    case blobs([[UInt8]?])
    case texts([String])

    /// Names as bytes, which may contain a zero.
    static func names(_ names: [String]) -> BinaryValue { .blobs(names.map { Array($0.utf8) }) }

    fileprivate func add(to values: inout BinaryValues) {
        switch self {
        case .integer(let number): if let number { values.add(number) } else { values.addNull() }
        case .bytes(let bytes): values.add(orNull: bytes)
        case .text(let text): values.add(text)
        case .integers(let numbers): values.add(numbers)
        case .blobs(let blobs): values.add(blobs)
        case .texts(let texts): values.add(texts: texts)
        }
    }
}

extension ServerConnection {
    func rows(of statement: PreparedStatement, _ values: BinaryValue...) throws(PostgreSQLError) -> ResultRows {
        try send(statement, values)
        return try finish()[0]
    }

    func send(_ statement: PreparedStatement, _ values: BinaryValue...) throws(PostgreSQLError) {
        try send(statement, values)
    }

    private func send(_ statement: PreparedStatement, _ values: [BinaryValue]) throws(PostgreSQLError) {
        var all = BinaryValues()
        for value in values { value.add(to: &all) }
        try send(statement, all)
    }
}
