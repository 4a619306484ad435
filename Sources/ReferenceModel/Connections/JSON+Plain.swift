extension JSON {
    /// Whether it has fewer values and less nesting than a message may have, by any way of counting.
    var isPlain: Bool {
        var rest = 100
        return isPlain(depth: 12, &rest)
    }

    private func isPlain(depth: Int, _ rest: inout Int) -> Bool {
        rest -= 1
        guard rest > 0, depth > 0 else { return false }
        switch self {
        case .list(let values): return values.allSatisfy { $0.isPlain(depth: depth - 1, &rest) }
        case .object(let members): return members.allSatisfy { $0.value.isPlain(depth: depth - 1, &rest) }
        default: return true
        }
    }
}
