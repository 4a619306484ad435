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

    mutating func add(orNull number: Int?) { if let number { add(number) } else { addNull() } }

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
