extension JSON {
    /// Whether it has fewer values than a message may have, and is nested less deeply, however those are counted.
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
