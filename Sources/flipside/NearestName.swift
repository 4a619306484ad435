/// Finds the known name that an unknown one was probably meant to be.
enum NearestName {
    /// The name that differs in the fewest letters, the first of several; nil if there are no names.
    static func of(_ typed: String, among names: [String]) -> String? {
        let typed = Array(typed.utf8.prefix(lengthLimit))
        return names.min { distance(typed, Array($0.utf8)) < distance(typed, Array($1.utf8)) }
    }

    /// Far above the longest name. Only the start of a longer text is compared.
    private static let lengthLimit = 100

    /// Letters that are inserted, deleted, changed or swapped with their neighbours (optimal string alignment).
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var before: [Int] = []
        var last = Array(0...other.count)
        for row in one.indices {
            var next = [row + 1]
            for column in other.indices {
                let change = last[column] + (one[row] == other[column] ? 0 : 1)
                var best = min(change, last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    best = min(best, before[column - 1] + 1)
                }
                next.append(best)
            }
            (before, last) = (last, next)
        }
        return last[other.count]
    }
}
