import ReferenceModel

/// Which events were recorded in which state of a room, after which faults, and which faults came together.
public struct Reach: Sendable {
    /// Kinds of fault, and none.
    private static let width = FaultKind.allCases.count + 1

    /// By type: for each status, and then for no room, the number after each fault and after none.
    private var table: [String: [Int]] = [:]
    /// By the number of one fault times `width` plus the number of the other.
    private var pairs = [Int](repeating: 0, count: width * width)
    private var lastRecent: UInt32 = 0

    private static let nothing = [Int](repeating: 0, count: (RoomSight.Status.allCases.count + 1) * width)

    /// Events of these types may be recorded.
    mutating func expect(_ types: [String]) {
        for type in types where table[type] == nil { table[type] = Self.nothing }
    }

    mutating func countEvent(_ type: String, _ status: RoomSight.Status?, _ recent: UInt32) {
        let row = (status?.rawValue ?? RoomSight.Status.allCases.count) * Self.width
        Self.count(recent, from: row, in: &table[type, default: Self.nothing])
        if recent != lastRecent {
            lastRecent = recent
            countPairs(recent)
        }
    }

    // Static, because it changes a part of the table, which would otherwise be copied first.
    private static func count(_ recent: UInt32, from row: Int, in counts: inout [Int]) {
        if recent == 0 { counts[row + width - 1] += 1 }
        var bits = recent
        while bits != 0 {
            counts[row + bits.trailingZeroBitCount] += 1
            bits &= bits - 1
        }
    }

    private mutating func countPairs(_ recent: UInt32) {
        for one in 0..<Self.width where recent & (1 << UInt32(one)) != 0 {
            for other in 0..<one where recent & (1 << UInt32(other)) != 0 { pairs[one * Self.width + other] += 1 }
        }
    }

    mutating func add(_ other: Reach) {
        table.merge(other.table) { one, other in zip(one, other).map { $0 + $1 } }
        for index in pairs.indices { pairs[index] += other.pairs[index] }
    }

    /// All types of event, the rarest first.
    var rarest: [String] {
        table.map { (type: $0.key, count: $0.value.reduce(0, +)) }
            .sorted { ($0.count, $0.type) < ($1.count, $1.type) }.map(\.type)
    }

    /// How many kinds of fault, and none, were followed by an event of some type in some status of a room, out of all
    /// that are possible for the statuses in which the type was recorded, and how many pairs of faults came together.
    public var shares: (reached: Int, of: Int, pairs: Int, ofPairs: Int) {
        let rows = table.values.flatMap { counts in
            stride(from: 0, to: counts.count, by: Self.width).map { counts[$0..<$0 + Self.width] }
        }
        let cells = rows.filter { $0.contains { $0 > 0 } }.joined()
        let kinds = FaultKind.allCases.count
        return (cells.count { $0 > 0 }, cells.count, pairs.count { $0 > 0 }, kinds * (kinds - 1) / 2)
    }

    /// A line for each type of event: how often it was recorded in each status, and after how many kinds of fault.
    public var lines: [String] {
        let statuses = RoomSight.Status.allCases.map { "\($0)" } + ["elsewhere"]
        return table.sorted { $0.key < $1.key }.map { type, counts in
            let parts = statuses.indices.compactMap { status -> String? in
                let row = counts[(status * Self.width)..<((status + 1) * Self.width)]
                let sum = row.reduce(0, +)
                guard sum > 0 else { return nil }
                return "\(statuses[status]) \(sum) after \(row.dropLast().count { $0 > 0 }) kinds"
            }
            return "\(type): \(parts.isEmpty ? "never" : parts.joined(separator: ", "))"
        }
    }
}
