// Checks whether what `JSONWriter` writes would be read as the same, without writing or reading it.
extension JSONReader {
    /// Whether an object that has `names`, none with a list or an object as its value, and then `fields`, would be read
    /// as the same fields.
    public static func readsBack(_ fields: Fields, after names: [String]) -> Bool {
        guard names.count + fields.count <= fieldLimit, !fields.elements.contains(where: { names.contains($0.0) })
        else { return false }
        var values = names.count
        return readsBack(fields, depth: 0, &values)
    }

    private static func readsBack(_ value: Value, depth: Int, _ values: inout Int) -> Bool {
        switch value {
        case .null, .bool, .integer, .string:
            values += 1
            return values <= valueLimit && depth < depthLimit
        // A whole number reads as an integer; NaN and infinity are written as null.
        case .fraction(let number):
            values += 1
            return values <= valueLimit && depth < depthLimit && number.isFinite
                && (number.magnitude > 0x1p53 || number != number.rounded())
        case .list(let list):
            values += 1
            return values <= valueLimit && depth < depthLimit
                && list.allSatisfy { readsBack($0, depth: depth + 1, &values) }
        case .object(let fields): return readsBack(fields, depth: depth, &values)
        }
    }

    private static func readsBack(_ fields: Fields, depth: Int, _ values: inout Int) -> Bool {
        values += 1
        guard values <= valueLimit, depth < depthLimit, fields.count <= fieldLimit else { return false }
        let elements = fields.elements
        for (index, (name, value)) in elements.enumerated() {
            // If a name comes twice, only the last counts.
            if elements[..<index].contains(where: { $0.0 == name }) { return false }
            guard readsBack(value, depth: depth + 1, &values) else { return false }
        }
        return true
    }
}
